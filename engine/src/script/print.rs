//! Outcomes and telemetry as lines of text.

use crate::capacity::Side;
use crate::diagnostic::Failure;
use crate::metrics::{LogEntry, Second};
use crate::neighbour::{CacheCounts, CacheStats, RegionStats, Replication};
use crate::partition::{Helpless, SplitCause, SplitNote, SplitOutcome, StopReason};
use crate::session::{Outcome, Telemetry};
use crate::time::SimTime;
use crate::value::{AttributeValue, Item, plain_from_value};
use serde_json::Value as Json;
use std::fmt::Write as _;

/// A value as a person writes it: strings without quotes.
pub fn value(value: &AttributeValue) -> String {
    match plain_from_value(value) {
        Json::String(text) => text,
        other => other.to_string(),
    }
}

/// An item on one line, or only the attributes in `show` (comma-separated).
pub fn item(item: &Item, show: Option<&str>) -> String {
    match show {
        None => crate::value::item_to_plain(item).to_string(),
        Some(show) => {
            show.split(',').map(|name| item.get(name).map_or_else(|| "-".into(), value)).collect::<Vec<_>>().join(" ")
        }
    }
}

/// The exception, its text, and its further members.
pub fn failure(failure: &Failure) -> String {
    let mut text = failure.headline();
    for (name, member) in &failure.members {
        let _ = write!(text, "\n  {name} {member}");
    }
    text
}

/// `3 WCU (table 1, GSI1 2)`, from the answer's ConsumedCapacity; nothing if it has none.
pub fn cost(consumed: Option<&Json>, unit: &str) -> String {
    let Some(consumed) = consumed else { return String::new() };
    let units = |json: &Json| json["CapacityUnits"].as_f64().unwrap_or(0.0);
    let mut text = format!("{} {unit}", units(consumed));
    let mut parts = Vec::new();
    for member in ["LocalSecondaryIndexes", "GlobalSecondaryIndexes"] {
        for (name, cost) in consumed[member].as_object().into_iter().flatten() {
            parts.push(format!("{name} {}", units(cost)));
        }
    }
    if !parts.is_empty() {
        let _ = write!(text, " (table {}, {})", units(&consumed["Table"]), parts.join(", "));
    }
    text
}

/// A place on the ring with four digits. Integers, so that no rounding differs from one machine to another.
pub fn ring(hash: u64) -> String {
    let ten_thousandths = (u128::from(hash) * 10_000 + (1 << 63)) >> 64;
    format!("{}.{:04}", ten_thousandths / 10_000, ten_thousandths % 10_000)
}

/// The outcome of a write: its cost, where it went (`P1 at 0.2007`), and what it returned.
pub fn written(outcome: &Outcome) -> String {
    let response = match &outcome.result {
        Ok(response) => response,
        Err(refused) => return failure(refused),
    };
    let mut text = cost(response.consumed.as_ref(), "WCU");
    if let Some(route) = outcome.trace.routes.first() {
        let _ = write!(text, ", {} at {}", route.partition, ring(route.hash));
    }
    if let Some(attributes) = &response.attributes {
        let _ = write!(text, "\n  {}", item(attributes, None));
    }
    text
}

/// The head line of a page: counts, cost, partitions, why it ended.
pub fn page(outcome: &Outcome) -> Option<String> {
    let response = outcome.result.as_ref().ok()?;
    let (count, scanned) = response.counts?;
    let cost = cost(response.consumed.as_ref(), "RCU");
    let Some(read) = outcome.trace.read.as_ref() else {
        // No table was asked: an answer out of a cache.
        return Some(format!("Count {count}, ScannedCount {scanned}, {cost}"));
    };
    let partitions: Vec<String> = read.partitions.iter().map(ToString::to_string).collect();
    let stop = match read.stop {
        StopReason::Limit => "limit",
        StopReason::PageSize => "page-size",
        StopReason::EndOfData => "end-of-data",
    };
    let reader = reader(outcome);
    Some(format!("Count {count}, ScannedCount {scanned}, {cost}, {}, {stop}{reader}", partitions.join(" ")))
}

/// `, replica 1` if one of the followers answered.
pub fn reader(outcome: &Outcome) -> String {
    match outcome.trace.reader.replica {
        0 => String::new(),
        replica => format!(", replica {replica}"),
    }
}

fn counts(second: &Second, side: Side) -> String {
    let (accepted, refused) = (second.accepted(side), second.refused(side));
    format!("accepted {accepted}, refused {refused}, {} units", second.units(side))
}

/// A table or index on the side with more going on.
pub fn telemetry(telemetry: &Telemetry) -> String {
    let side = telemetry.busier_side();
    let name = match &telemetry.index {
        Some(index) => format!("{}/{index}", telemetry.table),
        None => telemetry.table.clone(),
    };
    let word = match side {
        Side::Read => "reads",
        Side::Write => "writes",
    };
    let mut text = format!("{name} at {}: {word} of second {}: ", telemetry.now, telemetry.second);
    text.push_str(&counts(&telemetry.consumed, side));
    if let (Some(provisioned), Some(used)) = (telemetry.provisioned_units(side), telemetry.used_per_mille(side)) {
        let ceiling = telemetry.ceiling_units(side);
        let line = ceiling * 1000 / provisioned.max(1);
        let _ = write!(
            text,
            "\nused {} of {provisioned} units, one partition's ceiling is {ceiling} = {}",
            percent(used),
            percent(line)
        );
    }
    if let Some((read, write)) = telemetry.burst_seconds {
        let seconds = if side == Side::Read { read } else { write };
        let _ = write!(text, ", {seconds} s of burst left");
    }
    for partition in &telemetry.partitions {
        let (start, end) = (fraction(partition.start), fraction(partition.end));
        let _ = write!(text, "\n{} {start}–{end}: {}", partition.id, counts(&partition.second, side));
        if partition.items > 0 || partition.bytes > 0 {
            let _ = write!(text, ", {} items, {} B", partition.items, partition.bytes);
        }
        if let Some(hot) = &partition.hottest {
            let key = hot.key.as_ref().map_or_else(|| "?".into(), value);
            let _ = write!(text, ", hottest {key} {}", hot.requests);
        }
    }
    if let Some(on_the_way) = telemetry.on_the_way.filter(|on_the_way| on_the_way.changes > 0) {
        let moment = |at: Option<SimTime>| at.unwrap_or_default();
        let (next, last) = (moment(on_the_way.next), moment(on_the_way.last));
        let _ = write!(text, "\non the way: {}, the next arrives at {next}, the last at {last}", on_the_way.changes);
    }
    let _ = write!(text, "\nin all: {}", counts(&telemetry.total, side));
    if let Some(at) = telemetry.first_refusal {
        let _ = write!(text, ", first refusal at {at}");
    }
    text
}

/// Both sides over a range of seconds, those where something happened; over several also the mean, as a graph
/// of that grain would show it.
pub fn counted(sum: &Second, seconds: &std::ops::Range<u64>) -> String {
    let mut lines = Vec::new();
    for (side, word) in [(Side::Read, "reads"), (Side::Write, "writes")] {
        if sum.accepted(side) + sum.refused(side) == 0 {
            continue;
        }
        let length = seconds.end - seconds.start;
        lines.push(if length == 1 {
            format!("{word} of second {}: {}", seconds.start, counts(sum, side))
        } else {
            let tenths = sum.units(side).0.unsigned_abs() * 5 / length;
            let (first, last) = (seconds.start, seconds.end - 1);
            let counts = counts(sum, side);
            format!(
                "{word} of seconds {first} to {last}: {counts}, on average {}.{} a second",
                tenths / 10,
                tenths % 10
            )
        });
    }
    if lines.is_empty() { "nothing".into() } else { lines.join("\n") }
}

/// Tenths of a percent.
pub fn percent(per_mille: i64) -> String {
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

fn fraction(ring: f64) -> String {
    format!("{ring:.4}")
}

/// One line of the throttle log.
pub fn log_entry(entry: &LogEntry) -> String {
    let key = entry.key.as_ref().map_or_else(|| "?".into(), value);
    format!("{} {} {} {key} × {}", entry.at, entry.partition, entry.reason.name(), entry.count)
}

/// `269 s P0 for heat: planned for 569 s`
pub fn split_note(note: &SplitNote) -> String {
    let cause = match note.cause {
        SplitCause::Heat => "heat",
        SplitCause::Size => "size",
        SplitCause::Growth => "growth",
    };
    let outcome = match note.outcome {
        SplitOutcome::Planned(at) => format!("planned for {at}"),
        SplitOutcome::Done(low, high) => format!("split into {low} and {high}"),
        SplitOutcome::Refused(Helpless::OneHotItem) => "not split, one hot item".to_owned(),
        SplitOutcome::Refused(Helpless::EverIncreasingSortKey) => "not split, ever-increasing sort key".to_owned(),
        SplitOutcome::Refused(Helpless::LocalIndex) => "not split, local index".to_owned(),
    };
    format!("{} {} for {cause}: {outcome}", note.at, note.partition)
}

/// What a cache has done, on three lines.
pub fn cache_stats(stats: &CacheStats) -> String {
    let counts = |counts: &CacheCounts| {
        format!(
            "hits {} (negative {}), misses {}, {} RCU saved, entries {}, evicted {}",
            counts.hits, counts.negative_hits, counts.misses, counts.units_saved, counts.entries, counts.evicted
        )
    };
    let (items, queries) = (counts(&stats.items), counts(&stats.queries));
    let (passed, written) = (stats.passed_through, stats.written_through);
    format!("items: {items}\nqueries: {queries}\npassed through {passed}, written through {written}")
}

/// `us-east-1 → eu-west-1 app, written at 0 s, arrives at 1 s: {…}`
pub fn replication(write: &Replication) -> String {
    let what = match &write.item {
        Some(new) => item(new, None),
        None => format!("delete {}", item(&write.key, None)),
    };
    let Replication { from, to, table, written, arrives, .. } = write;
    format!("{from} → {to} {table}, written at {written}, arrives at {arrives}: {what}")
}

/// What a Region has paid and taken over, on one line.
pub fn region_stats(name: &str, stats: &RegionStats) -> String {
    let RegionStats { own_units, replicated_units, applied, superseded, put_off, lost } = stats;
    let mut text = format!(
        "{name}: {own_units} units for its own requests, {replicated_units} WCU for replicated writes: applied \
         {applied}, superseded {superseded}"
    );
    for (count, word) in [(put_off, "put off"), (lost, "lost")] {
        if *count > 0 {
            let _ = write!(text, ", {word} {count}");
        }
    }
    text
}
