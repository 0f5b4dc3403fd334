//! The seconds gone by: a chart, what it says in words, and its table.

use super::measure::share_text;
use super::picture::shown_places;
use super::seen::Seen;
use super::statement::{unit_name, units};
use crate::chart::canvas::redraw;
use crate::chart::heat::{self, Cell, Heat};
use crate::chart::seconds::{self, Bar, Seconds};
use crate::playground::Playground;
use crate::text::{count, percent};
use dynascope_engine::metrics::Second;
use dynascope_engine::partition::PartitionId;
use leptos::html::Canvas;
use leptos::prelude::*;

/// Seconds in the chart.
const WINDOW: u64 = 120;
/// Rows of its table.
const ROWS: u64 = 10;

/// Whole seconds up to the one shown, newest last, and their first number.
#[derive(Clone, Debug, Default, PartialEq)]
struct Past {
    first: u64,
    seconds: Vec<Second>,
    /// Sum of the last whole minute, if one has gone by.
    minute: Option<Second>,
    /// The same seconds, for each partition that is drawn.
    partitions: Vec<(PartitionId, Vec<Second>)>,
}

fn past(playground: Playground, now_second: u64, shown: &[PartitionId]) -> Past {
    let table = playground.table.get_untracked();
    playground.with(|session| {
        let whole = session.now().second();
        let first = whole.saturating_sub(WINDOW);
        let metrics = session.database().slot(&table).and_then(|slot| session.metrics().arm(slot, 0));
        let Some(series) = metrics.map(|metrics| &metrics.series) else { return Past { first, ..Past::default() } };
        let minute = now_second / 60 * 60;
        Past {
            first,
            seconds: (first..whole).map(|second| series.get(second)).collect(),
            minute: (minute >= 60).then(|| series.sum(minute - 60..minute)),
            partitions: shown
                .iter()
                .map(|id| {
                    let series = metrics.and_then(|metrics| metrics.partition(*id)).map(|metrics| &metrics.series);
                    let get = |second| series.map(|series| series.get(second)).unwrap_or_default();
                    (*id, (first..whole).map(get).collect())
                })
                .collect(),
        }
    })
}

/// Charts, captions and table.
#[component]
pub fn History(#[prop(into)] seen: Signal<Option<Seen>>) -> impl IntoView {
    let playground = Playground::expect();
    let clock =
        Memo::new(move |_| playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(0, |t| t.now.second())));
    let shown = Memo::new(move |_| seen.with(|seen| seen.as_ref().map_or_else(Vec::new, shown_ids)));
    let past = Memo::new(move |_| {
        playground.version.track();
        shown.with(|shown| past(playground, clock.get(), shown))
    });
    let data = Memo::new(move |_| {
        seen.with(|seen| seen.as_ref().map_or_else(Seconds::default, |seen| past.with(|past| chart(seen, past))))
    });
    let heat = Memo::new(move |_| {
        seen.with(|seen| seen.as_ref().map_or_else(Heat::default, |seen| past.with(|past| heat_of(seen, past))))
    });
    let share = move |value: f64| data.with(|data| share_text((1.0 - value / data.top.max(1.0)).max(0.0)));
    view! {
        <section class="history" aria-label="Each second">
            <h3>"Each partition " <span class="quiet">{move || heat_caption(&seen)}</span></h3>
            <div class="history-plot history-heat" style=("--rows", move || shown.with(Vec::len).to_string())>
                <Chart draw=move |canvas| heat.with(|heat| redraw(canvas, |area, look| drop(heat::draw(area, heat, look)))) />
                <ul class="history-rows" aria-hidden="true">
                    {move || shown.get().into_iter().map(|id| view! { <li>{id.to_string()}</li> }).collect_view()}
                </ul>
            </div>
            <h3>"The whole table " <span class="quiet">"each second"</span></h3>
            <div class="history-plot">
                <Chart draw=move |canvas| data.with(|data| redraw(canvas, |area, look| drop(seconds::draw(area, data, look)))) />
                <Show when=move || data.with(|data| data.paid.is_some())>
                    <span class="history-label" style=("top", move || share(data.with(|data| data.paid.unwrap_or_default())))>
                        {move || format!("{} paid for", count(data.with(|data| data.paid.unwrap_or_default()) as u64))}
                    </span>
                </Show>
            </div>
            <p class="history-axis" aria-hidden="true">
                <span>{move || start_text(&seen, past)}</span>
                <span>{move || format!("{} s", data.with(|data| data.first + data.room as u64))}</span>
            </p>
            <Minute past=past seen=seen />
            <PastTable past=past seen=seen />
        </section>
    }
}

/// A canvas that is drawn again when what `draw` reads has changed, the window or the theme.
#[component]
fn Chart(draw: impl Fn(&web_sys::HtmlCanvasElement) + Copy + 'static) -> impl IntoView {
    let canvas = NodeRef::<Canvas>::new();
    let paint = move || {
        if let Some(canvas) = canvas.get() {
            draw(&canvas);
        }
    };
    Effect::new(paint);
    let resized = window_event_listener_untyped("resize", move |_| paint());
    on_cleanup(move || resized.remove());
    // A change of theme changes the colour, with a transition too short to see.
    view! { <canvas node_ref=canvas aria-hidden="true" on:transitionend=move |_| paint()></canvas> }
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

fn heat_caption(seen: &Signal<Option<Seen>>) -> String {
    let ceiling = seen.with(|seen| seen.as_ref().map_or(0, |seen| seen.ceiling as u64));
    format!("each second: strong is near {}, striped is refused", count(ceiling))
}

/// Where the axis begins, and that the first second had a full bucket to draw on.
fn start_text(seen: &Signal<Option<Seen>>, past: Memo<Past>) -> String {
    let full = seen.with(|seen| {
        let seen = seen.as_ref()?;
        let taken = past.with(|past| past.seconds.first().map(|second| units(second.units(seen.side))))?;
        (taken > seen.ceiling as u64).then_some(taken)
    });
    match (past.with(|past| past.first), full) {
        (0, Some(taken)) => format!("0 s, from a full bucket: {}", count(taken)),
        (first, _) => format!("{first} s"),
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
    let expected: f64 = seen.traffic.as_ref().map_or(0.0, |stream| seen.refused_units(stream.rate_per_second));
    let top = bars.iter().map(|bar| bar.taken + bar.refused).fold(expected, f64::max).max(paid.unwrap_or(0.0));
    Seconds { first: past.first, bars, room: room(past.seconds.len()), top: top * 1.02, paid }
}

/// The axis grows with the run until the window is full.
fn room(seconds: usize) -> usize {
    [30, 60].into_iter().find(|room| seconds <= *room).unwrap_or(WINDOW as usize)
}

/// What CloudWatch would show of the last whole minute.
#[component]
fn Minute(past: Memo<Past>, seen: Signal<Option<Seen>>) -> impl IntoView {
    let sentence = move || {
        let (side, provisioned) = seen.with(|seen| seen.as_ref().map(|seen| (seen.side, seen.provisioned)))?;
        Some(match past.with(|past| past.minute) {
            None => "CloudWatch shows sums of a minute. The first is due at 60 s.".to_owned(),
            Some(minute) => {
                let sum = minute.units(side).0 / 2;
                let share = provisioned
                    .filter(|units| *units > 0)
                    .map(|units| format!(", {} of what is paid for", percent(sum * 1000 / 60 / units)));
                format!(
                    "CloudWatch shows the last whole minute as {} {} a second{}: its sum divided by 60. It looks calm.",
                    count((sum / 60).max(0) as u64),
                    unit_name(side),
                    share.unwrap_or_default()
                )
            }
        })
    };
    view! { <p class="note history-minute">{sentence}</p> }
}

/// The latest seconds as rows.
#[component]
fn PastTable(past: Memo<Past>, seen: Signal<Option<Seen>>) -> impl IntoView {
    let rows = move || {
        let side = seen.with(|seen| seen.as_ref().map(|seen| seen.side))?;
        past.with(|past| {
            let numbered = past.seconds.iter().enumerate().rev().take(ROWS as usize);
            Some(
                numbered
                    .map(|(at, second)| {
                        view! {
                            <tr>
                                <th scope="row">{format!("{} s", past.first + at as u64)}</th>
                                <td class="n">{count(units(second.units(side)))}</td>
                                <td class="n">{count(second.refused(side))}</td>
                            </tr>
                        }
                    })
                    .collect_view(),
            )
        })
    };
    view! {
        <details class="history-table">
            <summary>"The last ten seconds as a table"</summary>
            <table>
                <thead>
                    <tr>
                        <th scope="col">"Second"</th>
                        <th scope="col" class="n">"Units taken"</th>
                        <th scope="col" class="n">"Refused"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </details>
    }
}
