//! The statement: one sentence that says what is seen now, and one that says why.

use super::refusal::refuses;
use super::seen::{Seen, SeenPartition};
use super::sentence::Tone::{Kept, Plain, Refused, Strong};
use super::sentence::{Sentence, number_word, number_word_first};
use crate::text::{count, percent};
use dynascope_engine::capacity::{Cause, HalfUnits, Side};

/// What is the case. Two statements with the same verb say the same thing with other figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// No traffic: where the items lie.
    Lies,
    /// The clock has not moved.
    AboutTo,
    /// Nothing arrived.
    Quiet,
    /// Nothing was refused.
    Takes,
    /// Refused by a limit of the whole table.
    TableRefuses(Cause),
    /// Refused by these partitions, by place in ring order.
    PartitionsRefuse(Vec<usize>),
    /// Held up by an index of the table.
    IndexRefuses(String),
}

/// The statement of a second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// For deciding when to speak.
    pub verb: Verb,
    /// What is seen.
    pub what: Sentence,
    /// Why, where it is not obvious; empty otherwise.
    pub why: Sentence,
    /// The same where there is little room.
    pub why_short: Sentence,
}

/// States a second.
pub fn statement(seen: &Seen) -> Statement {
    let mut stated = of_arm(seen);
    if seen.index.is_some() {
        for sentence in [&mut stated.what, &mut stated.why, &mut stated.why_short] {
            sentence.speak_of("table", "index");
        }
    }
    stated
}

fn of_arm(seen: &Seen) -> Statement {
    if let Some((index, refused)) = seen.held_up.as_ref().filter(|_| seen.refused == 0) {
        return index_refuses(seen, index, *refused);
    }
    let (verb, what) = match &seen.traffic {
        None if seen.refused == 0 => (Verb::Lies, items_lie(seen)),
        Some(_) if !seen.started => (Verb::AboutTo, about_to(seen)),
        _ if seen.accepted + seen.refused == 0 => (Verb::Quiet, quiet(seen)),
        _ if seen.refused == 0 => (Verb::Takes, takes(seen)),
        _ => return refuses(seen),
    };
    Statement { verb, what, why: Sentence::default(), why_short: Sentence::default() }
}

/// `units of the side`, as AWS calls them in words.
pub const fn unit_name(side: Side) -> &'static str {
    match side {
        Side::Read => "read units",
        Side::Write => "write units",
    }
}

/// Requests of a side, as people call them.
pub const fn request_name(side: Side) -> &'static str {
    match side {
        Side::Read => "reads",
        Side::Write => "writes",
    }
}

/// Whole units, rounded down.
pub fn units(units: HalfUnits) -> u64 {
    (units.0.max(0) / 2) as u64
}

/// `P0`
pub fn name(partition: &SeenPartition) -> String {
    partition.id.to_string()
}

fn items_lie(seen: &Seen) -> Sentence {
    let buckets = seen.partitions.len() as u64;
    let all = seen.items();
    let used: Vec<&SeenPartition> = seen.partitions.iter().filter(|partition| partition.items > 0).collect();
    let Some(fullest) = used.iter().copied().reduce(|most, other| if other.items > most.items { other } else { most })
    else {
        return Sentence::fill(
            "{n} buckets, and nothing in them yet. Type a key and see where it lands.",
            &[("n", Plain, number_word_first(buckets))],
        );
    };
    let p = ("p", Kept, name(fullest));
    match (all, used.len()) {
        (1, _) => Sentence::fill("One item, and its key leads to {p}.", &[p]),
        (_, 1) => Sentence::fill(
            "{n} items, {one}: {p} holds all of them.",
            &[("n", Plain, number_word_first(all)), ("one", Kept, "one bucket".into()), p],
        ),
        _ => Sentence::fill(
            "{n} items in {used} of {all} buckets; {p} holds the most, {most}.",
            &[
                ("n", Plain, number_word_first(all)),
                ("used", Kept, number_word(used.len() as u64)),
                ("all", Plain, number_word(buckets)),
                p,
                ("most", Plain, number_word(fullest.items)),
            ],
        ),
    }
}

fn about_to(seen: &Seen) -> Sentence {
    let hit: Vec<String> = seen.partitions.iter().filter(|partition| partition.keys > 0).map(name).collect();
    let slots = [
        ("rate", Strong, count(seen.rate)),
        ("requests", Plain, request_name(seen.side).into()),
        ("keys", Plain, number_word(seen.keys.len() as u64)),
        ("n", Plain, number_word(hit.len() as u64)),
        ("p", Kept, hit.first().cloned().unwrap_or_default()),
        ("ceiling", Strong, count(seen.ceiling as u64)),
    ];
    let template = match (seen.keys.len(), hit.len()) {
        _ if seen.rate == 0 => "No {requests} arrive yet; the traffic is about to grow.",
        (0, _) => "{rate} {requests} a second are about to arrive, under many keys.",
        (1, _) => {
            "{rate} {requests} a second are about to arrive under one key, and one key is one partition: {p}, which may take {ceiling}."
        }
        (_, 1) => "{rate} {requests} a second are about to arrive under {keys} keys, all on one partition: {p}.",
        _ => "{rate} {requests} a second are about to arrive under {keys} keys, on {n} partitions.",
    };
    Sentence::fill(template, &slots)
}

fn index_refuses(seen: &Seen, index: &str, refused: u64) -> Statement {
    let slots = [
        ("index", Plain, index.to_owned()),
        ("taken", Kept, count(seen.accepted)),
        ("asked", Plain, count(seen.accepted + refused)),
        ("refused", Refused, count(refused)),
        ("table", Strong, seen.used_per_mille().map_or_else(String::new, percent)),
    ];
    let what = match (seen.running, seen.provisioned.is_some()) {
        (true, _) => "So far this second {taken} of {asked} writes were taken; the index {index} refused {refused}.",
        (false, true) => {
            "{taken} of {asked} writes were taken this second; the index {index} refused {refused}. The table itself used {table}."
        }
        (false, false) => {
            "{taken} of {asked} writes were taken this second; the index {index} refused {refused}. The table itself refused none."
        }
    };
    let why =
        "An item’s entry in an index is paid for by the index. What the index cannot take, the table may not write.";
    Statement {
        verb: Verb::IndexRefuses(index.to_owned()),
        what: Sentence::fill(what, &slots),
        why: Sentence::fill(why, &[]),
        why_short: Sentence::default(),
    }
}

fn quiet(seen: &Seen) -> Sentence {
    let template =
        if seen.running { "Nothing has arrived in this second yet." } else { "Nothing arrived this second." };
    Sentence::fill(template, &[])
}

fn takes(seen: &Seen) -> Sentence {
    let busiest = busiest(seen, |partition| partition.taken.0);
    let taken = busiest.map_or(0, |partition| units(partition.taken));
    let ceiling = seen.ceiling as u64;
    let slots = [
        ("n", Kept, count(seen.accepted)),
        ("requests", Plain, request_name(seen.side).into()),
        ("p", Plain, busiest.map_or_else(String::new, name)),
        ("taken", Kept, format!("{} of {}", count(taken), count(ceiling))),
        ("over", Kept, count(taken)),
        ("units", Plain, unit_name(seen.side).into()),
        ("table", Strong, seen.used_per_mille().map_or_else(String::new, percent)),
    ];
    let template = match (taken > ceiling, seen.provisioned.is_some()) {
        _ if seen.accepted == 1 && seen.running => "So far this second one request has arrived; {p} took it.",
        _ if seen.accepted == 1 => "One request arrived this second; {p} took it.",
        _ if seen.running && seen.provisioned.is_some() => {
            "So far this second all {n} {requests} were taken; {p} took the most, {over} {units}. The table as a whole used {table}."
        }
        _ if seen.running => "So far this second all {n} {requests} were taken; {p} took the most, {over} {units}.",
        (true, true) => {
            "All {n} {requests} were taken this second; {p} took {over} {units}, from a full bucket. The table as a whole used {table}."
        }
        (true, false) => "All {n} {requests} were taken this second; {p} took {over} {units}, from a full bucket.",
        (false, true) => {
            "All {n} {requests} were taken this second; the busiest partition, {p}, took {taken} {units}. The table as a whole used {table}."
        }
        (false, false) => {
            "All {n} {requests} were taken this second; the busiest partition, {p}, took {taken} {units}."
        }
    };
    Sentence::fill(template, &slots)
}

fn busiest(seen: &Seen, by: impl Fn(&SeenPartition) -> i64) -> Option<&SeenPartition> {
    seen.partitions.iter().reduce(|most, other| if by(other) > by(most) { other } else { most })
}

#[cfg(test)]
mod tests {
    use super::super::seen::tests::{look_at, queue, queue_after};
    use super::*;
    use dynascope_engine::time::SimTime;

    fn said(millis: u64, key: Option<&str>, close: bool) -> (String, String) {
        let statement = statement(&queue_after(millis, key, close));
        (statement.what.text(), statement.why.text())
    }

    #[test]
    fn the_hot_key() {
        assert_eq!(
            said(4_000, None, false).0,
            "Partition P0 took 1,000 of 1,000 write units this second and refused 4,000. The table as a whole used 30 %."
        );
        assert!(said(0, None, false).0.contains("one key is one partition: P0, which may take 1,000"));
        assert!(said(1_000, None, false).0.contains("took 2,000 write units this second, a full bucket"));
        assert!(said(100, None, true).0.starts_with("So far this second all 500 writes were taken"));
    }

    #[test]
    fn ten_suffixes_are_not_ten_partitions() {
        let (what, why) = said(4_000, Some("PENDING#{0..9}"), false);
        assert!(what.starts_with("3,500 of 5,000 writes were taken this second; P2 and P3 refused 1,500."), "{what}");
        assert_eq!(
            why,
            "Ten suffixes are not ten partitions: they fall on four partitions as 1, 2, 3, 4. P3 gets 4 keys, 2,000 write units a second, and may take 1,000. Reading them all back takes ten queries."
        );
    }

    #[test]
    fn a_table_that_pays_for_little_is_its_own_limit() {
        let mut session = queue(None);
        let update = serde_json::json!({
            "TableName": "jobs", "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 100},
        });
        session.send("UpdateTable", &update).result.expect("a smaller table");
        session.advance(SimTime::from_secs(40), u64::MAX);
        let statement = statement(&look_at(&session, false));
        assert_eq!(statement.verb, Verb::TableRefuses(Cause::ProvisionedThroughput));
        assert_eq!(
            statement.what.text(),
            "The table used all of its 100 write units a second, burst included: 100 writes taken, 4,900 refused."
        );
    }
}
