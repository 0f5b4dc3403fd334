//! Beside the partition lens: which limit was hit, the refusals one by one, the hottest keys.

use super::partitions::{Seen, SeenKey, hottest_keys, key_text, seen, units};
use crate::playground::Playground;
use crate::text::{count, percent};
use dynascope_engine::capacity::{Cause, Reason, Refusal, ThrottlingReason};
use dynascope_engine::metrics::LogEntry;
use leptos::prelude::*;

/// Lines of the log that are shown.
const LINES: usize = 5;
/// Hottest keys that are shown.
const KEYS: usize = 5;

/// The column.
#[component]
pub fn PartitionDetails() -> impl IntoView {
    let playground = Playground::expect();
    let seen = seen(playground);
    view! {
        <div class="details">
            <Lamps seen=seen />
            <Refusals />
            <HottestKeys seen=seen />
            <p class="note">{move || burst(playground)}</p>
        </div>
    }
}

fn burst(playground: Playground) -> Option<String> {
    let side = seen_side(playground)?;
    playground.telemetry.with(|telemetry| {
        let (read, write) = telemetry.as_ref()?.burst_seconds?;
        let seconds = if side == dynascope_engine::capacity::Side::Read { read } else { write };
        Some(format!("Burst saved by the table: {seconds} of 300 s. No partition may use it above its ceiling."))
    })
}

fn seen_side(playground: Playground) -> Option<dynascope_engine::capacity::Side> {
    playground.telemetry.with(|telemetry| telemetry.as_ref().map(dynascope_engine::session::Telemetry::busier_side))
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

#[component]
fn Lamps(seen: Memo<Option<Seen>>) -> impl IntoView {
    let rows = move || {
        seen.with(|seen| {
            seen.as_ref().map(|seen| {
                lamps(seen)
                    .map(|lamp| {
                        view! {
                            <li data-lit=lamp.lit.to_string()>
                                <i aria-hidden="true"></i>
                                <span>{lamp.name}</span>
                                <span class="n">{lamp.share}</span>
                                {lamp.lit.then(|| view! { <span class="vh">", refusing"</span> })}
                            </li>
                        }
                    })
                    .collect_view()
            })
        })
    };
    view! {
        <section class="details-part">
            <h2>"Which limit was hit?"</h2>
            <ul class="lamps">{rows}</ul>
        </section>
    }
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
                line.keys.push(key);
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

#[component]
fn Refusals() -> impl IntoView {
    let playground = Playground::expect();
    let totals = Memo::new(move |_| {
        playground.telemetry.with(|telemetry| {
            telemetry
                .as_ref()
                .map(|t| (t.total.refused_reads + t.total.refused_writes, t.first_refusal, t.provisioned.is_some()))
        })
    });
    let total = move || totals.get().map_or(0, |(total, ..)| total);
    let latest = move || playground.throttles.with(|log| log.first().map(|entry| entry.reason));
    let first = move || totals.get().and_then(|(_, first, _)| first).map(|at| format!("first refusal at {at}"));
    let names = move || {
        let reason = latest()?;
        let (_, _, provisioned) = totals.get()?;
        Some(view! {
            <p class="mono r details-reason">{reason.name()}</p>
            <p class="serif">{plain_words(reason.cause)}</p>
            <dl class="details-names">
                <dt>"Error the client gets"</dt>
                <dd class="mono">{exception(reason, provisioned)}</dd>
                <dt>"CloudWatch metric that counts it"</dt>
                <dd class="mono">{reason.metric()}</dd>
            </dl>
        })
    };
    view! {
        <section class="details-part">
            <h2>"Refusals " <span class="quiet">{move || format!("{} so far", count(total()))}</span></h2>
            {names}
            <ol class="log">
                {move || playground.throttles.with(|log| lines(log).into_iter().map(line).collect_view())}
                <Show when=move || first().is_some()>
                    <li class="log-first"><span>"…"</span> <span>{first}</span></li>
                </Show>
            </ol>
        </section>
    }
}

fn line(line: Line) -> impl IntoView {
    let key = match line.keys.as_slice() {
        [key] => format!("{}, {key}", line.partition),
        keys => format!("{}, {} keys", line.partition, count(keys.len() as u64)),
    };
    view! {
        <li>
            <span>{format!("{} s", line.second)}</span>
            <span class="log-key">{key}</span>
            <b class="r n">{count(line.count)}</b>
        </li>
    }
}

#[component]
fn HottestKeys(seen: Memo<Option<Seen>>) -> impl IntoView {
    let playground = Playground::expect();
    let keys = Memo::new(move |_| {
        let table = playground.table.get();
        seen.with(|seen| {
            let seen = seen.as_ref()?;
            playground.with(|session| {
                let metrics = session.metrics().arm(session.database().slot(&table)?, 0)?;
                let asked = seen.accepted + seen.refused;
                Some((hottest_keys(metrics, &seen.partitions, seen.second, KEYS), asked.max(1)))
            })
        })
    });
    let row = |SeenKey { key, requests }: SeenKey, asked: u64| {
        view! {
            <li>
                <code>{key}</code>
                <span class="n">{format!("{} of {}", percent((requests * 1000 / asked) as i64), count(asked))}</span>
            </li>
        }
    };
    view! {
        <section class="details-part">
            <h2>"Hottest keys " <span class="quiet">"this second"</span></h2>
            <ol class="hot">
                {move || keys.get().map(|(keys, asked)| keys.into_iter().map(|key| row(key, asked)).collect_view())}
            </ol>
            <Show when=move || keys.get().is_none_or(|(keys, _)| keys.is_empty())>
                <p class="note">"Nothing was asked for."</p>
            </Show>
        </section>
    }
}

/// Whole units of a second, for the money line of phones.
pub fn money(seen: &Seen) -> (u64, u64, Option<i64>) {
    (units(seen.taken), seen.refused, seen.used_per_mille())
}
