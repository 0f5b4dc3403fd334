//! What the partition lens shows of one second: plain data, taken from the session after each publication.
//!
//! Normally the last whole second is shown. Slower than real time, or while stepping, it is the second that is
//! still running, so that each request is seen to arrive.

use super::arms;
use super::hot::key_text;
use super::landing::{Landing, land, template_keys};
use crate::playground::Playground;
use dynascope_engine::capacity::{Cause, HalfUnits, Reason, Side};
use dynascope_engine::metrics::{ArmMetrics, LogEntry};
use dynascope_engine::partition::{Arm, PartitionId, SplitOutcome};
use dynascope_engine::session::{Session, Telemetry};
use dynascope_engine::sim::Stream;
use dynascope_engine::table::Billing;
use dynascope_engine::time::SimTime;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Slower than this, in hundredths of real time, the running second is shown.
const REAL_TIME: u32 = 100;

/// One partition in the second shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenPartition {
    /// Its number.
    pub id: PartitionId,
    /// Its range, as fractions of the hash line.
    pub range: (f64, f64),
    /// Items stored.
    pub items: u64,
    /// Units taken.
    pub taken: HalfUnits,
    /// Requests refused.
    pub refused: u64,
    /// Its hottest key.
    pub hottest: Option<String>,
    /// How many of the template's keys lie in it.
    pub keys: usize,
}

/// A table, or one of its global indexes, in the second shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The index, or `None` for the table itself.
    pub index: Option<String>,
    /// The index that held up most of the table's writes, and how many were held up by any; only where the table itself is
    /// looked at.
    pub held_up: Option<(String, u64)>,
    /// Reads or writes, whichever there are more of.
    pub side: Side,
    /// Which second.
    pub second: u64,
    /// Is it still running?
    pub running: bool,
    /// Has the clock moved at all?
    pub started: bool,
    /// Units taken.
    pub taken: HalfUnits,
    /// Requests accepted.
    pub accepted: u64,
    /// Requests refused.
    pub refused: u64,
    /// The limit that refused most of them.
    pub cause: Option<Reason>,
    /// Provisioned units a second; `None` on demand.
    pub provisioned: Option<i64>,
    /// The maximum of an on-demand table, if one is set.
    pub maximum: Option<i64>,
    /// Units a second of one partition.
    pub ceiling: i64,
    /// Units a second of the account on one table.
    pub account: i64,
    /// What one generated request costs.
    pub cost: HalfUnits,
    /// Requests a second that the traffic brings now.
    pub rate: u64,
    /// The traffic, if there is some.
    pub traffic: Option<Stream>,
    /// The keys it goes to; empty if they are too many to list.
    pub keys: Vec<Landing>,
    /// In ring order.
    pub partitions: Vec<SeenPartition>,
}

impl Seen {
    /// Items stored in the table.
    pub fn items(&self) -> u64 {
        self.partitions.iter().map(|partition| partition.items).sum()
    }

    /// Taken of provisioned, per mille; `None` on demand.
    pub fn used_per_mille(&self) -> Option<i64> {
        self.provisioned.filter(|units| *units > 0).map(|units| (self.taken.0 * 500 + units / 2) / units)
    }

    /// Requests refused, writes that an index held up included.
    pub fn refused_in_all(&self) -> u64 {
        self.refused + self.held_up.as_ref().map_or(0, |(_, refused)| *refused)
    }

    /// Did the table as a whole refuse, rather than a partition?
    pub fn is_table_limit(&self) -> bool {
        self.cause.is_some_and(|reason| reason.cause != Cause::KeyRangeThroughput)
    }

    /// Units that the refused requests would have taken.
    pub fn refused_units(&self, refused: u64) -> f64 {
        refused as f64 * self.cost.to_f64().max(0.5)
    }

    /// Units a second that the traffic is about to ask of each partition, if its keys are known.
    pub fn expected(&self) -> Vec<f64> {
        let asked = self.rate as f64 * self.cost.to_f64();
        let all = self.keys.len().max(1) as f64;
        self.partitions.iter().map(|partition| asked * partition.keys as f64 / all).collect()
    }
}

/// How often the views have been published. There is one page.
static PUBLISHED: AtomicU64 = AtomicU64::new(0);
/// What was seen after which publication, and whether from close by.
static KNOWN: Mutex<Option<(u64, bool, Arc<Seen>)>> = Mutex::new(None);

/// What was seen before is out of date.
pub fn look_anew() {
    PUBLISHED.fetch_add(1, Ordering::Relaxed);
}

/// What is in focus, tracked: it is called again after each publication, by several panes, and looks once.
pub fn seen(playground: Playground) -> Option<Arc<Seen>> {
    let close = playground.close.get() || playground.speed.get() < REAL_TIME;
    let published = PUBLISHED.load(Ordering::Relaxed);
    playground.telemetry.with(|telemetry| {
        let telemetry = telemetry.as_ref()?;
        playground.traffic.with(|streams| {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, _, seen)) = known.as_ref().filter(|known| (known.0, known.1) == (published, close)) {
                return Some(seen.clone());
            }
            let seen = Arc::new(playground.with(|session| look(session, telemetry, streams, close))?);
            *known = Some((published, close, seen.clone()));
            Some(seen)
        })
    })
}

/// The table of `telemetry` in its last whole second, or with `close` in the running one.
pub fn look(session: &Session, telemetry: &Telemetry, streams: &[Stream], close: bool) -> Option<Seen> {
    let table = session.database().get(&telemetry.table)?;
    let slot = session.database().slot(&telemetry.table)?;
    let at = table.arm_at(telemetry.index.as_deref()).unwrap_or(0);
    let (arm, metrics) = (&table.arms[at], session.metrics().arm(slot, at));
    let now = telemetry.now;
    let at_edge = now.0.is_multiple_of(SimTime::SECOND);
    let running = !at_edge && (close || now.second() == 0);
    let second = if running { now.second() } else { telemetry.second };
    let traffic = flowing(streams, now, |stream| flows_to(stream, telemetry)).map(|at| streams[at].clone());
    let side = match &traffic {
        Some(stream) => side_of(stream),
        None => telemetry.busier_side(),
    };
    let key = table.key_of_arm(at);
    let keys =
        traffic.as_ref().and_then(|stream| template_of(stream, &key.partition.name, telemetry)).map(|template| {
            let keys = template_keys(template);
            keys.iter()
                .filter_map(|key_| land(key_, key.partition.value_type, &arm.partitions))
                .collect::<Vec<Landing>>()
        });
    let mut keys = keys.unwrap_or_default();
    let counts = metrics.map(|metrics| metrics.series.get(second)).unwrap_or_default();
    let mut partitions: Vec<SeenPartition> = (telemetry.partitions.iter().enumerate())
        .map(|(at, partition)| SeenPartition {
            range: (partition.start, partition.end),
            items: partition.items,
            keys: keys.iter().filter(|landing| landing.partition == at).count(),
            ..counted(metrics, partition.id, second, side)
        })
        .collect();
    // What has ended is shown as it was.
    if !running && now.0 > 0 {
        let of = |id| counted(metrics, id, second, side);
        undo_splits(&mut partitions, &mut keys, arm, SimTime::from_secs(second + 1), &of);
    }
    let billing = if running { arm.settings().billing } else { arm.billing_in(second) };
    let maximum = match (billing, side) {
        (Billing::Provisioned { .. }, _) => None,
        (Billing::OnDemand { max_read, .. }, Side::Read) => max_read,
        (Billing::OnDemand { max_write, .. }, Side::Write) => max_write,
    };
    Some(Seen {
        index: telemetry.index.clone(),
        held_up: if at == 0 { arms::holding_up(session, &telemetry.table, second) } else { None },
        side,
        second,
        running,
        started: now.0 > 0,
        taken: counts.units(side),
        accepted: counts.accepted(side),
        refused: counts.refused(side),
        cause: main_cause(session.throttles(&telemetry.table).filter(|entry| entry.arm == at), second),
        provisioned: billing.provisioned().map(|(read, write)| if side == Side::Read { read } else { write }),
        maximum,
        ceiling: telemetry.ceiling_units(side),
        account: session.physics().account_units,
        rate: rate_now(session, telemetry, traffic.as_ref()),
        cost: traffic.as_ref().map_or(HalfUnits::from_units(1), cost_of),
        partitions,
        traffic,
        keys,
    })
}

/// A partition's counts of a second; the rest of it is filled in by whoever asks.
fn counted(metrics: Option<&ArmMetrics>, id: PartitionId, second: u64, side: Side) -> SeenPartition {
    let metrics = metrics.and_then(|metrics| metrics.partition(id));
    let counts = metrics.map(|metrics| metrics.series.get(second)).unwrap_or_default();
    SeenPartition {
        id,
        range: (0.0, 0.0),
        items: 0,
        taken: counts.units(side),
        refused: counts.refused(side),
        hottest: metrics.and_then(|metrics| metrics.hot.of(second).into_iter().next()?.key).map(key_text),
        keys: 0,
    }
}

/// Puts the halves of partitions together that were one before `end`.
fn undo_splits(
    partitions: &mut Vec<SeenPartition>,
    keys: &mut [Landing],
    arm: &Arm,
    end: SimTime,
    counted: &dyn Fn(PartitionId) -> SeenPartition,
) {
    let notes: Vec<_> = arm.splits.notes().filter(|note| note.at >= end).collect();
    for note in notes.into_iter().rev() {
        let SplitOutcome::Done(low, high) = note.outcome else { continue };
        let place = partitions.windows(2).position(|pair| (pair[0].id, pair[1].id) == (low, high));
        let Some(at) = place else { continue };
        let upper = partitions.remove(at + 1);
        let lower = &mut partitions[at];
        *lower = SeenPartition {
            range: (lower.range.0, upper.range.1),
            items: lower.items + upper.items,
            keys: lower.keys + upper.keys,
            ..counted(note.partition)
        };
        for landing in keys.iter_mut().filter(|landing| landing.partition > at) {
            landing.partition -= 1;
        }
    }
}

/// Does what is looked at get something of a stream? An index gets its own reads, and its part of the table's writes.
fn flows_to(stream: &Stream, telemetry: &Telemetry) -> bool {
    let reads_index = stream.index.is_some();
    stream.table == telemetry.table
        && match &telemetry.index {
            None => !reads_index,
            Some(index) => stream.index.as_ref() == Some(index) || (side_of(stream) == Side::Write && !reads_index),
        }
}

/// The place of the stream that is told of, among those that are asked for: the first that has not ended, else the last.
pub fn flowing(streams: &[Stream], now: SimTime, is_asked_for: impl Fn(&Stream) -> bool) -> Option<usize> {
    let mut places = (0..streams.len()).filter(|at| is_asked_for(&streams[*at]));
    let last = places.clone().last()?;
    let is_over = |stream: &Stream| stream.end.is_some_and(|end| now >= end);
    Some(places.find(|at| !is_over(&streams[*at])).unwrap_or(last))
}

/// Requests a second now, of the stream that is looked at.
fn rate_now(session: &Session, telemetry: &Telemetry, stream: Option<&Stream>) -> u64 {
    let running = session.streams().iter().find(|running| Some(&running.stream) == stream);
    running.map_or(0, |running| running.rate_at(telemetry.now))
}

/// The template that the partition key of what is looked at comes from.
fn template_of<'a>(stream: &'a Stream, name: &str, telemetry: &Telemetry) -> Option<&'a str> {
    if telemetry.index.is_none() || stream.index.is_some() {
        return Some(&stream.key);
    }
    stream.attributes.as_ref()?.get(name).map(String::as_str)
}

/// Which budget a stream draws on.
pub const fn side_of(stream: &Stream) -> Side {
    stream.operation.side()
}

fn cost_of(stream: &Stream) -> HalfUnits {
    stream.cost().1
}

fn main_cause<'a>(log: impl Iterator<Item = &'a LogEntry>, second: u64) -> Option<Reason> {
    let mut counts: Vec<(Reason, u64)> = Vec::new();
    for entry in log.skip_while(|entry| entry.at.second() > second).take_while(|entry| entry.at.second() == second) {
        match counts.iter_mut().find(|(reason, _)| *reason == entry.reason) {
            Some((_, count)) => *count += entry.count,
            None => counts.push((entry.reason, entry.count)),
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map(|(reason, _)| reason)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::scene::Scene;

    /// The job queue, with its traffic under another key if one is given.
    pub fn queue(key: Option<&str>) -> Session {
        let mut session = Session::new(Scene::find("hot-key").expect("built in").recording().scenario).expect("valid");
        if let Some(key) = key {
            let mut streams = session.traffic();
            key.clone_into(&mut streams[0].key);
            session.set_traffic(streams).expect("a template");
        }
        session
    }

    /// What is seen of it.
    pub fn look_at(session: &Session, close: bool) -> Seen {
        let streams = session.traffic();
        let telemetry = session.telemetry("jobs", None).expect("the table");
        look(session, &telemetry, &streams, close).expect("the table")
    }

    /// The job queue after some milliseconds.
    pub fn queue_after(millis: u64, key: Option<&str>, close: bool) -> Seen {
        let mut session = queue(key);
        session.advance(SimTime::from_millis(millis), u64::MAX);
        look_at(&session, close)
    }

    #[test]
    fn one_key_takes_one_partition_whole() {
        let seen = queue_after(3_000, None, false);
        assert_eq!((seen.taken, seen.refused, seen.used_per_mille()), (HalfUnits::from_units(1000), 4000, Some(300)));
        assert_eq!(seen.cause.map(Reason::name).as_deref(), Some("TableWriteKeyRangeThroughputExceeded"));
        assert_eq!(seen.partitions[0].keys, 1);
        assert_eq!(seen.expected(), [5000.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_second_that_has_ended_is_seen_as_it_was() {
        let mut session = queue(None);
        session.advance(SimTime::from_secs(3), u64::MAX);
        let before = look_at(&session, false);
        let update = serde_json::json!({
            "TableName": "jobs", "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 6_666},
        });
        session.send("UpdateTable", &update).result.expect("a larger table");
        let after = look_at(&session, false);
        assert_eq!(after, before, "three of four partitions are two by now");
        session.advance(SimTime::from_secs(4), u64::MAX);
        let later = look_at(&session, false);
        assert_eq!((later.used_per_mille(), later.partitions.len()), (Some(150), 7));
    }

    #[test]
    fn the_running_second_is_seen_from_close_by() {
        let seen = queue_after(3_100, None, true);
        assert!(seen.running && seen.second == 3);
        assert_eq!(seen.accepted + seen.refused, 500);
        assert_eq!(queue_after(3_100, None, false).second, 2);
    }
}
