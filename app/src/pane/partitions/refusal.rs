//! The sentences of a second in which something was refused.

use super::seen::Seen;
use super::sentence::Tone::{Kept, Plain, Refused, Strong};
use super::sentence::{Sentence, listed, number_word, number_word_first};
use super::statement::{Statement, Verb, name, request_name, unit_name, units};
use crate::text::{count, counted, percent};
use dynascope_engine::capacity::{Cause, HalfUnits};

/// Who refused, how much, and why.
pub fn refuses(seen: &Seen) -> Statement {
    let refusing: Vec<usize> = (0..seen.partitions.len()).filter(|&at| seen.partitions[at].refused > 0).collect();
    match seen.cause.map(|reason| reason.cause) {
        Some(cause @ (Cause::AccountLimit | Cause::MaxOnDemandThroughput | Cause::ProvisionedThroughput)) => {
            let (what, why) = table_refuses(seen, cause);
            Statement { verb: Verb::TableRefuses(cause), what, why, why_short: Sentence::default() }
        }
        Some(Cause::KeyRangeThroughput) | None => {
            let what = if refusing.len() == 1 { one_refuses(seen, refusing[0]) } else { some_refuse(seen, &refusing) };
            let [why, why_short] = WHY.map(|template| why(seen, &refusing, template));
            Statement { verb: Verb::PartitionsRefuse(refusing), what, why, why_short }
        }
    }
}

fn table_refuses(seen: &Seen, cause: Cause) -> (Sentence, Sentence) {
    let slots = [
        ("limit", Strong, count(seen.provisioned.or(seen.maximum).unwrap_or(0).max(0) as u64)),
        ("account", Strong, count(seen.account.max(0) as u64)),
        ("units", Plain, unit_name(seen.side).into()),
        ("taken", Kept, count(seen.accepted)),
        ("refused", Refused, count(seen.refused)),
        ("requests", Plain, request_name(seen.side).into()),
    ];
    let (what, why) = match cause {
        Cause::AccountLimit => (
            "The account’s {account} {units} a second for one table are used up: {taken} {requests} taken, {refused} refused.",
            "This limit stands above everything that the table pays for; AWS can raise it.",
        ),
        Cause::MaxOnDemandThroughput => (
            "The table reached the maximum set for it, {limit} {units} a second: {taken} {requests} taken, {refused} refused.",
            "Somebody set this maximum to cap the bill; the partitions could take more.",
        ),
        // What it pays for has become more since.
        Cause::ProvisionedThroughput if seen.taken.0 + seen.cost.0 < seen.provisioned.unwrap_or(0) * 2 => (
            "The table had used all that it paid for: {taken} {requests} taken, {refused} refused. It pays for {limit} {units} a second now.",
            "What is added holds from the moment it arrives.",
        ),
        Cause::ProvisionedThroughput | Cause::KeyRangeThroughput => (
            "The table used all of its {limit} {units} a second, burst included: {taken} {requests} taken, {refused} refused.",
            "Here paying for more does help: it is the table’s own limit, not a partition’s.",
        ),
    };
    (Sentence::fill(what, &slots), Sentence::fill(why, &slots))
}

fn one_refuses(seen: &Seen, at: usize) -> Sentence {
    let partition = &seen.partitions[at];
    let (taken, ceiling) = (units(partition.taken), seen.ceiling as u64);
    let refused = if seen.cost == HalfUnits::from_units(1) {
        count(partition.refused)
    } else {
        format!("{} {}", count(partition.refused), request_name(seen.side))
    };
    // A full bucket gives all of it, but for the last request's overshoot.
    let saved = if taken + 1 >= 2 * ceiling { "a full bucket" } else { "what its bucket had saved" };
    let slots = [
        ("p", Plain, name(partition)),
        ("taken", Kept, format!("{} of {}", count(taken), count(ceiling))),
        ("over", Kept, count(taken)),
        ("saved", Plain, saved.into()),
        ("units", Plain, unit_name(seen.side).into()),
        ("refused", Refused, refused),
        ("table", Strong, seen.used_per_mille().map_or_else(String::new, percent)),
    ];
    let provisioned = seen.provisioned.is_some();
    let template = match (seen.running, taken > ceiling, provisioned) {
        (true, _, true) => {
            "So far this second partition {p} took {over} {units} and refused {refused}. The table as a whole used {table}."
        }
        (true, _, false) => "So far this second partition {p} took {over} {units} and refused {refused}.",
        (false, true, true) => {
            "Partition {p} took {over} {units} this second, {saved} and its refill, and refused {refused}. The table as a whole used {table}."
        }
        (false, true, false) => {
            "Partition {p} took {over} {units} this second, {saved} and its refill, and refused {refused}."
        }
        (false, false, true) => {
            "Partition {p} took {taken} {units} this second and refused {refused}. The table as a whole used {table}."
        }
        (false, false, false) => {
            "Partition {p} took {taken} {units} this second and refused {refused}. On demand, this ceiling stays."
        }
    };
    Sentence::fill(template, &slots)
}

fn some_refuse(seen: &Seen, refusing: &[usize]) -> Sentence {
    let names: Vec<String> = refusing.iter().map(|&at| name(&seen.partitions[at])).collect();
    // One that was split within the second is there no more, but what it refused is counted.
    let names = if names.is_empty() { "a partition that has been split since".to_owned() } else { listed(&names) };
    let slots = [
        ("p", Plain, names),
        ("taken", Kept, count(seen.accepted)),
        ("refused", Refused, count(seen.refused)),
        ("asked", Plain, count(seen.accepted + seen.refused)),
        ("requests", Plain, request_name(seen.side).into()),
        ("table", Strong, seen.used_per_mille().map_or_else(String::new, percent)),
    ];
    let template = match (seen.running, seen.provisioned.is_some()) {
        (true, true) => {
            "So far this second {taken} of {asked} {requests} were taken; {p} refused {refused}. The table as a whole used {table}."
        }
        (true, false) => "So far this second {taken} of {asked} {requests} were taken; {p} refused {refused}.",
        (false, true) => {
            "{taken} of {asked} {requests} were taken this second; {p} refused {refused}. The table as a whole used {table}."
        }
        (false, false) => "{taken} of {asked} {requests} were taken this second; {p} refused {refused}.",
    };
    Sentence::fill(template, &slots)
}

/// At full length, and where there is little room.
const WHY: [&str; 2] = [
    "{Keys} suffixes are not {keys} partitions: they fall on {n} partitions as {falls}. {p} gets {most}, {asked} {units} a second, and may take {ceiling}. Reading them all back takes {keys} queries.",
    "{Keys} suffixes are not {keys} partitions: they fall on {n} as {falls}.",
];

/// Ten suffixes are not ten partitions: how the keys fall, and what that asks of the fullest partition.
fn why(seen: &Seen, refusing: &[usize], template: &str) -> Sentence {
    let keys = seen.keys.len() as u64;
    let Some(fullest) = refusing.iter().copied().max_by_key(|&at| seen.partitions[at].keys) else {
        return Sentence::default();
    };
    let most = seen.partitions[fullest].keys as u64;
    if keys < 2 || most == 0 {
        return Sentence::default();
    }
    let falls: Vec<String> = seen.partitions.iter().map(|partition| partition.keys.to_string()).collect();
    let asked = seen.expected().get(fullest).copied().unwrap_or_default().round() as u64;
    Sentence::fill(
        template,
        &[
            ("Keys", Plain, number_word_first(keys)),
            ("keys", Plain, number_word(keys)),
            ("n", Plain, number_word(seen.partitions.len() as u64)),
            ("falls", Strong, falls.join(", ")),
            ("p", Plain, name(&seen.partitions[fullest])),
            ("most", Plain, counted(most, "key", "keys")),
            ("asked", Refused, count(asked)),
            ("units", Plain, unit_name(seen.side).into()),
            ("ceiling", Plain, count(seen.ceiling as u64)),
        ],
    )
}
