//! A Scan as traffic: workers that read page after page, each its part of the hash space, and rest in between.
//!
//! A worker asks for its next page when the page before was answered: 1/`rate_per_second` later, which is the time a
//! page takes, and `pause` milliseconds after that. A page that was refused and is not tried again by the client is
//! asked for again after the same time: a report does not skip what it could not read.

use super::stream::{Stream, StreamOperation};
use crate::diagnostic::Failure;
use crate::time::SimTime;
use crate::value::Item;

/// Workers of one Scan.
const MAX_SEGMENTS: u32 = 1000;

/// One of the workers.
#[derive(Clone, Debug)]
pub(super) struct Worker {
    /// When it asks for its next page; the end of time if it waits for an answer or is done.
    pub due: SimTime,
    /// Up to where it has read.
    pub cursor: PageCursor,
}

/// Up to where a worker of a Scan has read.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PageCursor {
    /// Nothing yet.
    #[default]
    Beginning,
    /// Metered: this place of the ring is next.
    Ring(u64),
    /// Stored items: this one was the last.
    Key(Item),
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It was accepted; of a Scan, where the next page begins, or that there is none.
    Accepted(Option<PageCursor>),
    /// There was no capacity for it.
    Refused,
    /// The service refused it for good.
    Failed,
}

impl Answer {
    /// The answer to a request that is no page of a Scan.
    pub const fn of(accepted: bool) -> Self {
        if accepted { Self::Accepted(None) } else { Self::Refused }
    }
}

/// The workers of a stream; none unless it scans.
pub(super) fn workers(stream: &Stream, start: SimTime) -> Vec<Worker> {
    if stream.operation != StreamOperation::Scan {
        return Vec::new();
    }
    // Without a rate nobody reads.
    let due = if stream.rate_per_second == 0 { SimTime::MAX } else { start };
    (0..stream.segments).map(|_| Worker { due, cursor: PageCursor::Beginning }).collect()
}

/// Microseconds from an answer to the next page of its worker.
pub(super) fn gap(stream: &Stream) -> u64 {
    SimTime::SECOND / stream.rate_per_second.max(1) + stream.pause * 1000
}

/// Members that only some operations have.
pub(super) fn check_members(stream: &Stream) -> Result<(), Failure> {
    let is_scan = stream.operation == StreamOperation::Scan;
    let only = |what: &str| Err(Failure::validation(what));
    if !is_scan && (stream.pause > 0 || stream.segments != 1 || stream.repeat) {
        return only("only a Scan has a `pause`, `segments` and `repeat`");
    }
    if stream.limit.is_some() && !(stream.store && (is_scan || stream.operation == StreamOperation::Query)) {
        return only("only a Query or Scan of stored items has a `limit`; `item_bytes` is the size of a metered page");
    }
    if stream.limit == Some(0) {
        return only("a `limit` is at least 1");
    }
    if !is_scan {
        return Ok(());
    }
    if !(1..=MAX_SEGMENTS).contains(&stream.segments) {
        return Err(Failure::validation(format!(
            "`segments` are from 1 to {MAX_SEGMENTS}, and {} are not",
            stream.segments
        )));
    }
    if stream.pause > MAX_PAUSE {
        return Err(Failure::validation(format!("a `pause` is at most {MAX_PAUSE} ms, a day")));
    }
    if !stream.key.is_empty() || !stream.keys.is_empty() || stream.sort.is_some() {
        return only("a Scan asks for no key");
    }
    if !stream.profile.is_constant() || !stream.arrivals.is_even() || stream.fan_out != 1 {
        return only("a Scan has a `rate_per_second`, a `pause` and `segments`, no profile, chance or `fan_out`");
    }
    if stream.item_bytes == 0 {
        return only("a page of a Scan holds at least one byte");
    }
    Ok(())
}

/// Milliseconds of a day.
const MAX_PAUSE: u64 = 86_400_000;
