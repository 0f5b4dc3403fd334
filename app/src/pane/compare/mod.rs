//! Two designs side by side, under one clock and the same arrivals, and what makes the difference.

mod card;
mod difference;

use crate::pane::partitions::{Seen, look, scale, seen};
use crate::pane::time::{Letter, choose, selected, with_other};
use crate::playground::Playground;
use crate::ui::patch::{fill, live, truth};
use crate::ui::speech;
use card::card;
use difference::{difference, facts};
use dynascope_engine::capacity::price::MicroDollars;
use dynascope_engine::session::Session;
use dynascope_engine::sim::RunningStream;
use leptos::prelude::*;
use std::sync::Arc;

/// One of the two at the moment that is shown.
#[derive(Clone, Debug)]
struct Run {
    letter: Letter,
    seen: Arc<Seen>,
    /// Requests that ran out of attempts; `None` where nothing is tried again.
    failed: Option<u64>,
    /// Microseconds that 99 in 100 of the accepted requests waited at most; `None` where nothing is tried again.
    wait: Option<u64>,
    /// A month of what it pays for, or on demand of what it takes.
    month: Option<MicroDollars>,
}

impl Run {
    fn of(letter: Letter, seen: Arc<Seen>, session: &Session, table: &str) -> Self {
        let running = session.streams().iter().find(|running| running.stream.table == table);
        let retrying = running.filter(|running| !running.stream.client.is_none());
        let (failed, wait) = (retrying.map(RunningStream::failed), retrying.and_then(RunningStream::wait_p99));
        let price = session.price(table, &session.prices());
        let month = price.and_then(|price| {
            price.arms.first()?;
            Some(price.sum(|arm| if arm.provisioned.is_some() { arm.provisioned_month } else { arm.on_demand_month }))
        });
        Self { letter, seen, failed, wait, month }
    }
}

/// A and B, if there are two.
fn pair(playground: Playground) -> Option<[Run; 2]> {
    playground.version.track();
    let (table, index) = (playground.table.get(), playground.index.get());
    let here = seen(playground)?;
    let close = playground.close.get() || playground.speed.get() < 100;
    let (letter, there) = with_other(playground, |selected, session| {
        let telemetry = session.telemetry(&table, index.as_deref())?;
        let streams = session.traffic();
        let seen = Arc::new(look(session, &telemetry, &streams, close)?);
        Some((selected, Run::of(selected.other(), seen, session, &table)))
    })
    .flatten()?;
    let here = playground.with(|session| Run::of(letter, here, session, &table));
    Some(if letter == Letter::A { [here, there] } else { [there, here] })
}

/// Which of the two is changed; nothing if there is but one.
pub fn switch(playground: Playground) -> String {
    playground.version.track();
    let Some(selected) = selected(playground) else { return String::new() };
    let button = |letter: Letter| {
        fill(
            "<button type=\"button\" aria-pressed=\"{}\" data-do=\"select-run\" data-at=\"{}\">Change {}</button>",
            &[truth(letter == selected), if letter == Letter::A { "0" } else { "1" }, letter.text()],
        )
    };
    fill(
        "<div class=\"cmp-switch\" role=\"group\" aria-label=\"Run to change\">{!}{!}</div>",
        &[&button(Letter::A), &button(Letter::B)],
    )
}

/// The two and the difference between them.
pub fn compare(playground: Playground) -> AnyView {
    let as_text = RwSignal::new(false);
    let speech = Speech::default();
    let render = move || {
        let Some(runs) = pair(playground) else {
            speech.forget();
            return String::new();
        };
        markup(&runs, as_text.get(), &speech)
    };
    live(render, move |deed| {
        if deed.is() == ("click", "compare-text") {
            as_text.update(|on| *on = !*on);
        }
        choose(deed, playground);
    })
}

fn markup(runs: &[Run; 2], as_text: bool, speech: &Speech) -> String {
    let scale = scale(&runs[0].seen).max(scale(&runs[1].seen));
    let words = runs.each_ref().map(|run| card::design(&run.seen));
    let cards: String = (0..2).map(|at| card(&runs[at], &words[at], &words[1 - at], scale, as_text)).collect();
    let so_far = if runs[0].seen.running { ", so far" } else { "" };
    fill(
        "<section class=\"cmp\" aria-label=\"Compare\"><header class=\"cmp-head\"><h2>A and B <span class=\"quiet\">the same \
         arrivals and seed, second {}{}</span></h2><button type=\"button\" class=\"say\" aria-pressed=\"{}\" \
         data-do=\"compare-text\">Compare as text</button></header><div class=\"cmp-runs\">{!}</div>{!}\
         <p class=\"cmp-foot\"><button type=\"button\" class=\"say\" data-do=\"restart-both\">Restart both</button>\
         <span>Close compare: <button type=\"button\" class=\"say\" data-do=\"keep-run\" data-at=\"0\">keep A</button> or \
         <button type=\"button\" class=\"say\" data-do=\"keep-run\" data-at=\"1\">keep B</button></span></p>\
         <div class=\"vh\" role=\"status\">{}</div></section>",
        &[
            &runs[0].seen.second.to_string(),
            so_far,
            truth(as_text),
            &cards,
            &difference(&facts(&runs[0]), &facts(&runs[1])),
            &spoken(runs, speech),
        ],
    )
}

/// What was said aloud: whether A refuses, whether B does, whether B refuses less.
type Speech = speech::Speech<[bool; 3]>;

/// A sentence for screen readers, of who refuses more.
fn spoken(runs: &[Run; 2], speech: &Speech) -> String {
    let [a, b] = runs.each_ref().map(|run| run.seen.refused_in_all());
    speech.say([a > 0, b > 0, b < a], || difference::refusals(a, b))
}
