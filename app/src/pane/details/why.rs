//! Why requests were refused, in the order in which one looks: at the partition, at the client, the reason, the metric,
//! in plain words, the keys.

use super::keys::{key_button, share_bar};
use super::log::{Line, name_of};
use crate::pane::partitions::{key_text, unit_name, units};
use crate::playground::Playground;
use crate::text::{count, counted, percent, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::capacity::{Cause, Reason, Refusal, Resource, Side, ThrottlingReason};
use dynascope_engine::sim::{Client, RunningStream};
use dynascope_engine::time::SimTime;

/// Keys that are named.
const KEYS: usize = 3;

/// A step of the explanation.
pub struct Step {
    /// What it is about.
    pub title: &'static str,
    /// Markup.
    pub body: String,
}

/// What is known of the second of a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    /// The main reason.
    pub reason: Reason,
    /// `P0`, `ByStatus P0`.
    pub name: String,
    /// The ARN in the answer.
    pub resource: String,
    /// Which second.
    pub second: u64,
    /// Units that the partition took in it.
    pub taken: u64,
    /// Units that it may take in a second.
    pub ceiling: u64,
    /// Requests refused.
    pub refused: u64,
    /// Units that the whole table or index took.
    pub whole: u64,
    /// Units that it pays for; `None` on demand.
    pub paid: Option<u64>,
    /// Is the second still running?
    pub running: bool,
    /// Was it one key that was refused?
    pub is_one_key: bool,
}

/// Looks the second of a line up.
pub fn facts(playground: Playground, line: &Line) -> Option<Facts> {
    let (reason, _) = *line.reasons.first()?;
    let table = playground.table.get_untracked();
    let name = name_of(playground, line.place);
    playground.with(|session| {
        let slot = session.database().slot(&table)?;
        let stored = session.database().table(slot);
        let metrics = session.metrics().arm(slot, line.place.arm)?;
        let second = metrics.partition(line.place.partition)?.series.get(line.place.second);
        let settings = stored.arms.get(line.place.arm)?.settings();
        let physics = session.physics();
        let ceiling = match reason.side {
            Side::Read => physics.read_ceiling(),
            Side::Write => physics.partition_write_units,
        };
        let paid =
            settings.billing.provisioned().map(|(read, write)| if reason.side == Side::Read { read } else { write });
        Some(Facts {
            reason,
            name,
            resource: stored.schema.arn(stored.index_of(line.place.arm).map(|index| index.name.as_str())),
            second: line.place.second,
            taken: units(second.units(reason.side)),
            ceiling: ceiling.max(0) as u64,
            refused: line.count,
            whole: units(metrics.series.get(line.place.second).units(reason.side)),
            paid: paid.map(|units| units.max(0) as u64),
            running: session.now().second() == line.place.second,
            is_one_key: line.keys.len() == 1,
        })
    })
}

/// The steps that apply.
pub fn steps(playground: Playground, line: &Line) -> Vec<Step> {
    let Some(facts) = facts(playground, line) else { return Vec::new() };
    let (said, error) = client(playground, line);
    let paragraph = |text: &str| fill("<p>{}</p>", &[text]);
    vec![
        Step { title: "At the partition", body: paragraph(&at_partition(&facts)) },
        Step { title: "At the client", body: fill("<p><code>{}</code>, HTTP 400. {}</p>", &[&error, &said]) },
        Step {
            title: "The reason in the answer",
            body: fill("<p><code class=\"r\">{}</code><code>{}</code></p>", &[&facts.reason.name(), &facts.resource]),
        },
        Step { title: "The metric that counts it", body: metric(&facts) },
        Step { title: "In plain words", body: fill("<p class=\"serif\">{}</p>", &[&in_words(&facts)]) },
        Step { title: "The keys responsible", body: responsible(playground, line) },
    ]
}

/// What happened where the request arrived.
fn at_partition(facts: &Facts) -> String {
    let Facts { name, second, taken, ceiling, refused, .. } = facts;
    let unit = unit_name(facts.reason.side);
    let requests = counted(*refused, "request", "requests");
    let (taken, most) = (count(*taken), count(*ceiling));
    let so_far = if facts.running { ", so far" } else { "" };
    match facts.reason.cause {
        Cause::KeyRangeThroughput if facts.taken > facts.ceiling => format!(
            "{name} began second {second} with a full bucket and took {taken} {unit}: what was in it and its refill of {most}. \
             {requests} found it empty, did nothing and cost nothing."
        ),
        Cause::KeyRangeThroughput => format!(
            "{name} gave {taken} of its {most} {unit} in second {second}{so_far}. {requests} found its bucket empty, did nothing and \
             cost nothing."
        ),
        Cause::AccountLimit | Cause::MaxOnDemandThroughput | Cause::ProvisionedThroughput => format!(
            "{name} had room: it took {taken} of {most} {unit} in second {second}. The limit was above it: {requests} were \
             turned away before they reached it, and cost nothing."
        ),
    }
}

/// What a client does with it, and the name of the error that it gets.
pub fn client(playground: Playground, line: &Line) -> (String, String) {
    let Some((reason, _)) = line.reasons.first() else { return Default::default() };
    let table = playground.table.get_untracked();
    playground.with(|session| {
        let arm = session.database().get(&table).and_then(|table| table.arms.get(line.place.arm));
        let provisioned = arm.is_some_and(|arm| arm.settings().billing.provisioned().is_some());
        let of_side =
            |running: &&RunningStream| running.stream.table == table && running.stream.operation.side() == reason.side;
        let running = session.streams().iter().find(of_side);
        (retries(running), exception(*reason, provisioned).to_owned())
    })
}

/// The exception a client gets.
fn exception(reason: Reason, provisioned: bool) -> &'static str {
    let reasons = vec![ThrottlingReason { reason, resource: String::new() }];
    Refusal { reasons, provisioned }.kind().name()
}

fn retries(running: Option<&RunningStream>) -> String {
    const RETRIED: &str = "The SDKs retry it by themselves";
    let Some(running) = running else { return format!("{RETRIED}, up to four attempts in all.") };
    let stood = |how: &str| {
        format!(
            "{RETRIED}; this client does so {how}. So far {} for {}: {} gave up, {} wait.",
            counted(running.attempts(), "attempt", "attempts"),
            counted(running.requests(), "request", "requests"),
            count(running.failed()),
            count(running.waiting()),
        )
    };
    match running.stream.client {
        Client::None => format!("{RETRIED}, up to four attempts in all. The client of this traffic gives up at once."),
        Client::SdkStandard => {
            stood("up to three times, after random waits of up to 1, 2 and 4 s, while its retry quota lasts")
        }
        Client::SdkLegacy => stood("up to nine times, after 50 ms and then twice as long each time"),
    }
}

fn metric(facts: &Facts) -> String {
    let events = match facts.reason.side {
        Side::Read => "ReadThrottleEvents",
        Side::Write => "WriteThrottleEvents",
    };
    let end = short_clock_text(SimTime::from_secs((facts.second / 60 + 1) * 60));
    fill(
        "<p><code>{}</code>, and <code>{}</code> with it: {} more in the minute that ends at {}.</p>",
        &[&facts.reason.metric(), events, &count(facts.refused), &end],
    )
}

/// The reason, in plain words.
pub const fn plain_words(reason: Reason) -> &'static str {
    match (reason.resource, reason.cause) {
        (_, Cause::AccountLimit) => "The account’s quota for one table was used up.",
        (Resource::Table, Cause::MaxOnDemandThroughput) => "The maximum set for this table was reached.",
        (Resource::Table, Cause::ProvisionedThroughput) => {
            "The table had nothing left of what it pays for, saved burst included."
        }
        (Resource::Table, Cause::KeyRangeThroughput) => "This key’s partition had no units left; the table had.",
        (Resource::Index, Cause::MaxOnDemandThroughput) => "The maximum set for this index was reached.",
        (Resource::Index, Cause::ProvisionedThroughput) => {
            "The index had nothing left of what it pays for, saved burst included."
        }
        (Resource::Index, Cause::KeyRangeThroughput) => "A partition of this index had no units left.",
    }
}

/// The same with the figures of the second.
fn in_words(facts: &Facts) -> String {
    let Facts { name, taken, ceiling, refused, whole, paid, .. } = facts;
    let unit = unit_name(facts.reason.side);
    let thing = match facts.reason.resource {
        Resource::Table => "table",
        Resource::Index => "index",
    };
    let used = match paid {
        _ if facts.running => format!("the {thing} as a whole took {} so far", count(*whole)),
        Some(paid) if *paid > 0 => {
            let per_mille = whole.saturating_mul(1000) / paid;
            format!("the {thing} as a whole used {}", percent(i64::try_from(per_mille).unwrap_or(i64::MAX)))
        }
        _ => format!("the {thing} as a whole took {}, and on demand it has no line of its own", count(*whole)),
    };
    let plain = plain_words(facts.reason);
    let this = if facts.running { "so far this" } else { "this" };
    match facts.reason.cause {
        Cause::KeyRangeThroughput => format!(
            "Partition {name} took {} {unit} {this} second, where {} is its ceiling, and refused {}; {used}. Paying for more \
             moves the {thing}’s line, not the partition’s{}.",
            count(*taken),
            count(*ceiling),
            count(*refused),
            if facts.is_one_key { "" } else { "; at best it adds partitions, between which keys may part" },
        ),
        Cause::AccountLimit | Cause::MaxOnDemandThroughput | Cause::ProvisionedThroughput => {
            format!(
                "{plain} {} {unit} were taken {this} second, and {} requests for {name} refused: {used}.",
                count(*whole),
                count(*refused)
            )
        }
    }
}

/// The keys of the line, and how much of the last minute's load was theirs.
fn responsible(playground: Playground, line: &Line) -> String {
    let table = playground.table.get_untracked();
    let found = playground.with(|session| {
        let slot = session.database().slot(&table)?;
        let index = session.database().table(slot).index_of(line.place.arm).map(|index| index.name.clone());
        let top = session.top_keys(&table, index.as_deref())?;
        let sum = session.metrics().arm(slot, line.place.arm)?.series.sum(top.from..top.to);
        // Of all requests, not of those to the keys that are listed.
        let all: u64 = [Side::Read, Side::Write].map(|side| sum.accepted(side) + sum.refused(side)).iter().sum();
        Some((top, all))
    });
    let (top, all) = found.unwrap_or_default();
    let mut rows = String::new();
    let known = line.keys.iter().filter(|(key, _)| !key.is_empty());
    for (key, refused) in known.clone().take(KEYS) {
        let per_mille = (refused.saturating_mul(1000) / line.count.max(1)).min(1000);
        let minute = top.accessed.iter().find(|known| key_text(known.key.clone()) == *key).filter(|_| all > 0);
        let minute = minute.map_or(String::new(), |known| {
            let share = (known.requests.saturating_mul(1000) / all).min(1000);
            format!("; {} of the load of the last {} s", percent(share as i64), top.to - top.from)
        });
        let words = format!("{} of these refusals{minute}", percent(per_mille as i64));
        rows.push_str(&fill(
            "<li>{!}<span class=\"n\">{}</span>{!}</li>",
            &[&key_button(playground, key), &words, &share_bar(per_mille)],
        ));
    }
    let more = known.count().saturating_sub(KEYS) as u64;
    let more = if more > 0 {
        fill("<li class=\"quiet\">and {}</li>", &[&counted(more, "key more", "keys more")])
    } else {
        String::new()
    };
    if rows.is_empty() {
        "<p>No single key stands out.</p>".to_owned()
    } else {
        fill("<ul class=\"hot\">{!}{!}</ul>", &[&rows, &more])
    }
}
