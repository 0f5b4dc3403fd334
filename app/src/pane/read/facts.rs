//! The figures of one page, where it lies, and what became of its items: plain data.

use dynascope_engine::capacity::HalfUnits;
use dynascope_engine::operation::Response;
use dynascope_engine::partition::{PartitionId, StopReason};
use dynascope_engine::trace::{Evaluated, Trace};
use dynascope_engine::value::Item;

/// A page in the strip: positions `from..to` of the range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// First position.
    pub from: usize,
    /// One past the last.
    pub to: usize,
    /// How many of them pass the filter.
    pub kept: usize,
    /// Was it run, or is it only foreseen?
    pub run: bool,
    /// Why it ends.
    pub stop: StopReason,
}

/// What has become of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Read and shown.
    Kept,
    /// Read, paid and dropped.
    Filtered,
    /// The next page would show it.
    SoonKept,
    /// The next page would read and drop it.
    SoonFiltered,
    /// Not read.
    Unread,
}

/// The figures of one page: those of the last page run, or those of the page that would be read.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Its number, from one.
    pub number: usize,
    /// Was it run?
    pub run: bool,
    /// ScannedCount.
    pub read: usize,
    /// Count.
    pub shown: usize,
    /// Billed bytes read.
    pub bytes: u64,
    /// The charge.
    pub cost: HalfUnits,
    /// Why it ended.
    pub stop: StopReason,
    /// LastEvaluatedKey.
    pub cursor: Option<Item>,
    /// Partitions visited.
    pub partitions: Vec<PartitionId>,
    /// Item by item.
    pub evaluated: Vec<Evaluated>,
    /// The whole story.
    pub trace: Trace,
}

impl Facts {
    /// Of an answer and its trace; `None` for what was no read.
    pub fn new(number: usize, run: bool, response: &Response, trace: &Trace) -> Option<Self> {
        let read = trace.read.as_ref()?;
        let (shown, scanned) = response.counts?;
        Some(Self {
            number,
            run,
            read: scanned,
            shown,
            bytes: read.bytes,
            cost: read.cost,
            stop: read.stop,
            cursor: response.last_evaluated_key.clone(),
            partitions: read.partitions.clone(),
            evaluated: read.evaluated.clone(),
            trace: trace.clone(),
        })
    }
}
