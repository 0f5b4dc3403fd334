//! Beside the partition lens: which limit was hit, the refusals one by one, the hottest keys.

use super::minutes::{minutes, price};
use super::partitions::{Seen, SeenKey, hottest_keys, key_text, seen};
use crate::playground::Playground;
use crate::text::{clock_text, count, percent};
use crate::ui::patch::{fill, shown, truth};
use dynascope_engine::capacity::{Cause, Reason, Refusal, Side, ThrottlingReason};
use dynascope_engine::metrics::LogEntry;
use dynascope_engine::partition::{Helpless, SplitCause, SplitNote, SplitOutcome};
use leptos::prelude::*;

/// Lines of the log that are shown.
const LINES: usize = 5;
/// Hottest keys that are shown.
const KEYS: usize = 5;

/// The column.
pub fn details(playground: Playground) -> AnyView {
    shown(move || {
        let Some(seen) = seen(playground) else { return String::new() };
        fill(
            "<div class=\"details\">{!}{!}{!}{!}{!}{!}<p class=\"note\">{}</p></div>",
            &[
                &lamp_list(&seen),
                &refusals(playground),
                &hottest(playground, &seen),
                &splits(playground),
                &minutes(playground, seen.side),
                &price(playground),
                &burst(playground).unwrap_or_default(),
            ],
        )
    })
}

fn burst(playground: Playground) -> Option<String> {
    playground.telemetry.with(|telemetry| {
        let telemetry = telemetry.as_ref()?;
        let (read, write) = telemetry.burst_seconds?;
        let seconds = if telemetry.busier_side() == Side::Read { read } else { write };
        Some(format!("Burst saved by the table: {seconds} of 300 s. No partition may use it above its ceiling."))
    })
}

/// What partitions did by themselves, newest first, and why one did not.
fn splits(playground: Playground) -> String {
    let table = playground.table.get();
    let notes = playground.with(|session| session.splits(&table, None));
    let rows: String = notes.iter().rev().take(LINES).map(split).collect();
    if rows.is_empty() {
        return String::new();
    }
    fill(
        "<section class=\"details-part\"><h2>Splits</h2><ol class=\"log log-splits\">{!}</ol>\
         <p class=\"note\">Partitions are split and never merged. When AWS splits is not public; here after 300 s at \
         nine tenths of the ceiling, and it takes 300 s.</p></section>",
        &[&rows],
    )
}

fn split(note: &SplitNote) -> String {
    let cause = match note.cause {
        SplitCause::Heat => "for heat",
        SplitCause::Size => "for size",
        SplitCause::Growth => "for more throughput",
    };
    let (outcome, why) = match note.outcome {
        SplitOutcome::Planned(at) => (format!("will be split at {}", clock_text(at)), ""),
        SplitOutcome::Done(low, high) => (format!("became {low} and {high}"), ""),
        SplitOutcome::Refused(Helpless::OneHotItem) => {
            ("is not split".to_owned(), ": nearly all of it is one item, which has no middle")
        }
        SplitOutcome::Refused(Helpless::EverIncreasingSortKey) => {
            ("is not split".to_owned(), ": the sort key only grows, so the upper half would be as hot")
        }
        SplitOutcome::Refused(Helpless::LocalIndex) => {
            ("is not split".to_owned(), ": with a local index an item collection stays together")
        }
    };
    fill(
        "<li><span>{}</span><span>{} {}, {}{}</span></li>",
        &[&clock_text(note.at), &note.partition.to_string(), &outcome, cause, why],
    )
}

/// A limit, how much of it is used, and whether it refuses.
struct Lamp {
    name: String,
    share: String,
    lit: bool,
}

fn lamps(seen: &Seen) -> [Lamp; 4] {
    let share = |limit: i64, taken: i64| if limit > 0 { percent(taken * 1000 / (limit * 2)) } else { "–".to_owned() };
    let lit = |cause| seen.refused > 0 && seen.cause.is_some_and(|reason| reason.cause == cause);
    let fullest = seen.partitions.iter().map(|partition| partition.taken.0).max().unwrap_or(0);
    let set = |limit: Option<i64>| limit.map_or_else(|| "not set".to_owned(), |limit| share(limit, seen.taken.0));
    [
        Lamp {
            name: format!("account, {}", count(seen.account.max(0) as u64)),
            share: share(seen.account, seen.taken.0),
            lit: lit(Cause::AccountLimit),
        },
        Lamp { name: "on-demand maximum".into(), share: set(seen.maximum), lit: lit(Cause::MaxOnDemandThroughput) },
        Lamp {
            name: "table, provisioned".into(),
            share: set(seen.provisioned),
            lit: lit(Cause::ProvisionedThroughput),
        },
        Lamp {
            name: "partition key range".into(),
            share: share(seen.ceiling, fullest.min(seen.ceiling * 2)),
            lit: lit(Cause::KeyRangeThroughput),
        },
    ]
}

fn lamp_list(seen: &Seen) -> String {
    let lamp = |lamp: &Lamp| {
        let said = if lamp.lit { "<span class=\"vh\">, refusing</span>" } else { "" };
        fill(
            "<li data-lit=\"{}\"><i aria-hidden=\"true\"></i><span>{}</span><span class=\"n\">{}</span>{!}</li>",
            &[truth(lamp.lit), &lamp.name, &lamp.share, said],
        )
    };
    let lamps: String = lamps(seen).iter().map(lamp).collect();
    fill(
        "<section class=\"details-part\"><h2>Which limit was hit?</h2><ul class=\"lamps\">{!}</ul></section>",
        &[&lamps],
    )
}

/// Refusals of one second at one partition.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    second: u64,
    partition: String,
    keys: Vec<String>,
    count: u64,
}

/// The log by second and partition, newest first.
fn lines(log: &[LogEntry]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for entry in log {
        let (second, partition) = (entry.at.second(), entry.partition.to_string());
        let key = entry.key.clone().map_or_else(String::new, key_text);
        match lines.iter_mut().find(|line| line.second == second && line.partition == partition) {
            Some(line) => {
                line.count += entry.count;
                // One key may be refused for several reasons within a second.
                if !line.keys.contains(&key) {
                    line.keys.push(key);
                }
            }
            None => lines.push(Line { second, partition, keys: vec![key], count: entry.count }),
        }
    }
    lines.truncate(LINES);
    lines
}

/// The reason, in plain words.
fn plain_words(cause: Cause) -> &'static str {
    match cause {
        Cause::AccountLimit => "The account’s quota for one table was used up.",
        Cause::MaxOnDemandThroughput => "The maximum set for this table was reached.",
        Cause::ProvisionedThroughput => "The table had nothing left of what it pays for, saved burst included.",
        Cause::KeyRangeThroughput => "This key’s partition had no units left; the table had.",
    }
}

/// The exception a client gets.
fn exception(reason: Reason, provisioned: bool) -> &'static str {
    let reasons = vec![ThrottlingReason { reason, resource: String::new() }];
    Refusal { reasons, provisioned }.kind().name()
}

fn refusals(playground: Playground) -> String {
    let (total, first, provisioned) = playground.telemetry.with(|telemetry| {
        telemetry.as_ref().map_or((0, None, false), |t| {
            (t.total.refused_reads + t.total.refused_writes, t.first_refusal, t.provisioned.is_some())
        })
    });
    let first = first.map_or(String::new(), |at| {
        fill("<li class=\"log-first\"><span>…</span><span>first refusal at {}</span></li>", &[&at.to_string()])
    });
    let (names, log) = playground.throttles.with(|log| {
        let names = log.first().map(|entry| names(entry.reason, provisioned)).unwrap_or_default();
        (names, lines(log).iter().map(line).collect::<String>())
    });
    fill(
        "<section class=\"details-part\"><h2>Refusals <span class=\"quiet\">{} so far</span></h2>{!}\
         <ol class=\"log\">{!}{!}</ol></section>",
        &[&count(total), &names, &log, &first],
    )
}

fn names(reason: Reason, provisioned: bool) -> String {
    fill(
        "<p class=\"mono r details-reason\">{}</p><p class=\"serif\">{}</p><dl class=\"details-names\">\
         <dt>Error the client gets</dt><dd class=\"mono\">{}</dd><dt>CloudWatch metric that counts it</dt>\
         <dd class=\"mono\">{}</dd></dl>",
        &[&reason.name(), plain_words(reason.cause), exception(reason, provisioned), &reason.metric()],
    )
}

fn line(line: &Line) -> String {
    let key = match line.keys.as_slice() {
        [key] => format!("{}, {key}", line.partition),
        keys => format!("{}, {} keys", line.partition, count(keys.len() as u64)),
    };
    fill(
        "<li><span>{} s</span><span class=\"log-key\">{}</span><b class=\"r n\">{}</b></li>",
        &[&line.second.to_string(), &key, &count(line.count)],
    )
}

fn hottest(playground: Playground, seen: &Seen) -> String {
    let table = playground.table.get();
    let keys = playground.with(|session| {
        let metrics = session.metrics().arm(session.database().slot(&table)?, 0)?;
        Some(hottest_keys(metrics, &seen.partitions, seen.second, KEYS))
    });
    let asked = (seen.accepted + seen.refused).max(1);
    let mut rows = String::new();
    for SeenKey { key, requests } in keys.unwrap_or_default() {
        rows.push_str(&fill(
            "<li><code>{}</code><span class=\"n\">{} of {}</span></li>",
            &[&key, &percent((requests * 1000 / asked) as i64), &count(asked)],
        ));
    }
    let none = if rows.is_empty() { "<p class=\"note\">Nothing was asked for.</p>" } else { "" };
    fill(
        "<section class=\"details-part\"><h2>Hottest keys <span class=\"quiet\">this second</span></h2>\
         <ol class=\"hot\">{!}</ol>{!}</section>",
        &[&rows, none],
    )
}
