//! The seconds gone by: a chart, what it says in words, and its table.

use super::measure::share_text;
use super::picture::shown_places;
use super::seen::{Seen, seen};
use super::statement::{unit_name, units};
use crate::chart::canvas::redraw;
use crate::chart::heat::{self, Cell, Heat};
use crate::chart::seconds::{self, Bar, Seconds};
use crate::pane::minutes::figure;
use crate::pane::time::with_whole;
use crate::playground::Playground;
use crate::text::{count, percent};
use crate::ui::patch::{Deed, drawn, fill};
use dynascope_engine::metrics::Second;
use dynascope_engine::partition::{PartitionId, SplitOutcome};
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use leptos::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlCanvasElement};

/// Seconds in the chart.
const WINDOW: u64 = 120;
/// Rows of its table.
const ROWS: usize = 10;

/// Whole seconds up to the one shown, newest last, and their first number.
#[derive(Clone, Debug, Default, PartialEq)]
struct Past {
    first: u64,
    seconds: Vec<Second>,
    /// How many of them have gone by; the others are known from a run that was moved back.
    gone: usize,
    /// Sum of the last whole minute, if one has gone by.
    minute: Option<Second>,
    /// The same seconds, for each partition that is drawn.
    partitions: Vec<(PartitionId, Vec<Second>)>,
}

fn past(playground: Playground, shown: &[PartitionId]) -> Past {
    let table = playground.table.get_untracked();
    let now = playground.now().second();
    with_whole(playground, |session| {
        let end = session.now().second();
        // What is to come stays in view when the clock is moved back.
        let first = end.saturating_sub(WINDOW).min(now.saturating_sub(WINDOW / 2));
        let whole = end.min(first + WINDOW);
        let metrics =
            session.database().slot(&table).and_then(|slot| session.metrics().arm(slot, playground.arm(session)));
        let parents = parents(session, &table, playground.arm(session));
        let Some(series) = metrics.map(|metrics| &metrics.series) else { return Past { first, ..Past::default() } };
        let minute = now / 60 * 60;
        Past {
            first,
            seconds: (first..whole).map(|second| series.get(second)).collect(),
            gone: now.saturating_sub(first) as usize,
            minute: (minute >= 60).then(|| series.sum(minute - 60..minute)),
            partitions: shown
                .iter()
                .map(|id| {
                    let get = |second| {
                        let id = then(*id, &parents, second);
                        metrics.and_then(|metrics| metrics.partition(id)).map(|metrics| metrics.series.get(second))
                    };
                    (*id, (first..whole).map(|second| get(second).unwrap_or_default()).collect())
                })
                .collect(),
        }
    })
}

/// Partitions that came of a split: the half, what it was half of, and when.
fn parents(session: &Session, table: &str, arm: usize) -> Vec<(PartitionId, PartitionId, SimTime)> {
    let arm = session.database().get(table).and_then(|table| table.arms.get(arm));
    let mut parents = Vec::new();
    for note in arm.into_iter().flat_map(|arm| arm.splits.notes()) {
        if let SplitOutcome::Done(low, high) = note.outcome {
            parents.extend([(low, note.partition, note.at), (high, note.partition, note.at)]);
        }
    }
    parents
}

/// The partition that had a partition's range in a second.
fn then(mut id: PartitionId, parents: &[(PartitionId, PartitionId, SimTime)], second: u64) -> PartitionId {
    let end = SimTime::from_secs(second + 1);
    while let Some((_, parent, _)) = parents.iter().find(|(half, _, at)| *half == id && *at >= end) {
        id = *parent;
    }
    id
}

/// Charts, captions and table.
pub fn history(playground: Playground) -> AnyView {
    let painted = Rc::new(RefCell::new((Seconds::default(), Heat::default())));
    let (draws, again) = (painted.clone(), painted.clone());
    let look = move || {
        playground.version.track();
        let seen = seen(playground)?;
        let past = past(playground, &shown_ids(&seen));
        Some((seen, past))
    };
    let render = move || look().map_or(String::new(), |(seen, past)| markup(playground, &seen, &past));
    let act = move |deed: &Deed| {
        // A change of theme changes the colour, with a transition too short to see.
        if let ("transitionend", Some(section)) = (deed.kind.as_str(), deed.element.closest(".history").ok().flatten())
        {
            paint(&section, &again.borrow());
        }
    };
    let known = StoredValue::new_local(None::<Element>);
    let resized = window_event_listener_untyped("resize", move |_| {
        if let Some(element) = known.get_value() {
            paint(&element, &painted.borrow());
        }
    });
    on_cleanup(move || resized.remove());
    drawn(render, act, move |element| {
        let now =
            untrack(look).map_or_else(Default::default, |(seen, past)| (chart(&seen, &past), heat_of(&seen, &past)));
        let is_new = known.with_value(Option::is_none) || *draws.borrow() != now;
        if is_new {
            paint(element, &now);
            draws.replace(now);
            known.set_value(Some(element.clone()));
        }
    })
}

fn paint(around: &Element, (data, heat): &(Seconds, Heat)) {
    let canvas = |which: &str| around.query_selector(which).ok()??.dyn_into::<HtmlCanvasElement>().ok();
    if let Some(canvas) = canvas(".history-heat canvas") {
        redraw(&canvas, |area, look| drop(heat::draw(area, heat, look)));
    }
    if let Some(canvas) = canvas(".history-seconds canvas") {
        redraw(&canvas, |area, look| drop(seconds::draw(area, data, look)));
    }
}

fn markup(playground: Playground, seen: &Seen, past: &Past) -> String {
    let data = chart(seen, past);
    let rows: String = past.partitions.iter().map(|(id, _)| fill("<li>{}</li>", &[&id.to_string()])).collect();
    let paid = data.paid.map_or(String::new(), |paid| {
        fill(
            "<span class=\"history-label\" style=\"top:{}\">{} paid for</span>",
            &[&share_text((1.0 - paid / data.top.max(1.0)).max(0.0)), &count(paid as u64)],
        )
    });
    let veil = veil(past, data.room);
    fill(
        "<section class=\"history\" aria-label=\"Each second\"><h3>Each partition <span class=\"quiet\">\
         each second: strong is near {}, striped is refused</span></h3>\
         <div class=\"history-plot history-heat\" style=\"--rows:{}\"><canvas aria-hidden=\"true\" data-do=\"paint\"></canvas>\
         {!}<ul class=\"history-rows\" aria-hidden=\"true\">{!}</ul></div><h3>The whole {} \
         <span class=\"quiet\">each second</span></h3><div class=\"history-plot history-seconds\">\
         <canvas aria-hidden=\"true\" data-do=\"paint\"></canvas>{!}{!}</div><p class=\"history-axis\" aria-hidden=\"true\">\
         <span>{}</span><span>{} s</span></p>{!}<p class=\"note history-minute\">{}</p>{!}</section>",
        &[
            &count(seen.ceiling as u64),
            &past.partitions.len().to_string(),
            &veil,
            &rows,
            if seen.index.is_some() { "index" } else { "table" },
            &veil,
            &paid,
            &start_text(seen, past),
            &(data.first + data.room as u64).to_string(),
            &figure(playground, seen.side, data.top, data.paid),
            &minute_text(seen, past),
            &table(seen, past),
        ],
    )
}

/// Fades what has not come yet at the moment that is shown.
fn veil(past: &Past, room: usize) -> String {
    if past.gone >= past.seconds.len() {
        return String::new();
    }
    let share = |seconds: usize| share_text(seconds as f64 / room.max(1) as f64);
    fill(
        "<span class=\"history-later\" aria-hidden=\"true\"><i style=\"left:{};width:{}\"></i></span>",
        &[&share(past.gone), &share(past.seconds.len() - past.gone)],
    )
}

fn shown_ids(seen: &Seen) -> Vec<PartitionId> {
    shown_places(seen).into_iter().map(|at| seen.partitions[at].id).collect()
}

fn heat_of(seen: &Seen, past: &Past) -> Heat {
    let cell = |second: &Second| {
        Cell::new(second.units(seen.side).to_f64(), seen.ceiling as f64, second.refused(seen.side) > 0)
    };
    Heat {
        rows: past.partitions.iter().map(|(_, seconds)| seconds.iter().map(cell).collect()).collect(),
        room: room(past.seconds.len()),
    }
}

/// Where the axis begins, and that the first second had a full bucket to draw on.
fn start_text(seen: &Seen, past: &Past) -> String {
    let taken = past.seconds.first().map_or(0, |second| units(second.units(seen.side)));
    if past.first == 0 && taken > seen.ceiling as u64 {
        format!("0 s, from a full bucket: {}", count(taken))
    } else {
        format!("{} s", past.first)
    }
}

fn chart(seen: &Seen, past: &Past) -> Seconds {
    let bars: Vec<Bar> = past
        .seconds
        .iter()
        .map(|second| Bar {
            taken: second.units(seen.side).to_f64(),
            refused: seen.refused_units(second.refused(seen.side)),
        })
        .collect();
    let paid = seen.provisioned.map(|units| units as f64);
    let expected: f64 = seen.refused_units(seen.rate);
    let top = bars.iter().map(|bar| bar.taken + bar.refused).fold(expected, f64::max).max(paid.unwrap_or(0.0));
    Seconds { first: past.first, bars, room: room(past.seconds.len()), top: top * 1.02, paid }
}

/// The axis grows with the run until the window is full.
fn room(seconds: usize) -> usize {
    [30, 60].into_iter().find(|room| seconds <= *room).unwrap_or(WINDOW as usize)
}

/// What CloudWatch would show of the last whole minute.
fn minute_text(seen: &Seen, past: &Past) -> String {
    let Some(minute) = past.minute else {
        return "CloudWatch shows sums of a minute. The first is due at 60 s.".to_owned();
    };
    let sum = minute.units(seen.side).0 / 2;
    let share = seen
        .provisioned
        .filter(|units| *units > 0)
        .map(|units| format!(", {} of what is paid for", percent(sum * 1000 / 60 / units)));
    format!(
        "CloudWatch shows the last whole minute as {} {} a second{}: its sum divided by 60. It looks calm.",
        count((sum / 60).max(0) as u64),
        unit_name(seen.side),
        share.unwrap_or_default()
    )
}

/// The latest seconds as rows.
fn table(seen: &Seen, past: &Past) -> String {
    let mut rows = String::new();
    for (at, second) in past.seconds.iter().take(past.gone).enumerate().rev().take(ROWS) {
        rows.push_str(&fill(
            "<tr><th scope=\"row\">{} s</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
            &[
                &(past.first + at as u64).to_string(),
                &count(units(second.units(seen.side))),
                &count(second.refused(seen.side)),
            ],
        ));
    }
    fill(
        "<details class=\"history-table\"><summary>The last ten seconds as a table</summary><table><thead><tr>\
         <th scope=\"col\">Second</th><th scope=\"col\" class=\"n\">Units taken</th><th scope=\"col\" class=\"n\">Refused</th>\
         </tr></thead><tbody>{!}</tbody></table></details>",
        &[&rows],
    )
}
