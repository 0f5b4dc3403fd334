//! The partition figure: columns on the hash line, the whole table beside them on the same scale.
//!
//! HTML placed by custom properties, so that text keeps its size; where the figure is narrow the style sheet
//! turns it on its side.

use super::landing::Landing;
use super::measure::share_text as share;
use super::picture::{About, Column, Picture, picture};
use super::pins::Pin;
use super::seen::Seen;
use crate::text::count;
use leptos::prelude::*;

/// Partitions in the second shown, and where the keys of `probe` land.
#[component]
pub fn PartitionFigure(
    #[prop(into)] seen: Signal<Option<Seen>>,
    #[prop(into)] probe: Signal<Vec<Landing>>,
) -> impl IntoView {
    let drawn = Memo::new(move |_| seen.with(|seen| seen.as_ref().map(|seen| picture(seen, &probe.get()))));
    let part =
        move |look: fn(&Picture) -> String| move || drawn.with(|drawn| drawn.as_ref().map_or(String::new(), look));
    let ids = move || {
        drawn.with(|drawn| {
            drawn.as_ref().map_or_else(Vec::new, |drawn| drawn.columns.iter().map(|column| column.id).collect())
        })
    };
    let about = move || drawn.with(|drawn| drawn.as_ref().map(|drawn| drawn.about));
    let dense = move || drawn.with(|drawn| drawn.as_ref().is_some_and(|drawn| drawn.columns.len() > 8).to_string());
    view! {
        <figure
            class="parts"
            aria-label="Partitions"
            data-about=move || if about() == Some(About::Items) { "items" } else { "capacity" }
            data-dense=dense
            data-lonely=part(|drawn| drawn.lonely.to_string())
            data-crowded=part(|drawn| drawn.crowded.to_string())
            style=("--bar-ceil", part(|drawn| share(drawn.ceiling)))
        >
            <div class="parts-body">
                <div class="parts-stage">
                    <p class="parts-reason">{part(|drawn| drawn.reason.clone().unwrap_or_default())}</p>
                    <p class="parts-ceiling" aria-hidden="true">
                        <span class="parts-ceiling-text">
                            "ceiling " <span>"of each partition: "</span> {part(|drawn| drawn.ceiling_text.clone())} <span>" a second"</span>
                        </span>
                    </p>
                    <ol class="parts-line">
                        <For each=ids key=|id| id.0 let:id>
                            <ColumnView column=Memo::new(move |_| {
                                drawn.with(|drawn| drawn.as_ref()?.columns.iter().find(|column| column.id == id).cloned())
                            }) reason=Signal::derive(part(|drawn| drawn.reason.clone().unwrap_or_default())) />
                        </For>
                    </ol>
                    <Pins pins=Memo::new(move |_| drawn.with(|drawn| drawn.as_ref().map_or_else(Vec::new, |drawn| drawn.pins.clone()))) />
                    <p class="parts-axis" aria-hidden="true">
                        {part(|drawn| drawn.others.clone().unwrap_or_else(|| "hash".to_owned()))}
                    </p>
                </div>
                <Show when=move || about() == Some(About::Capacity)>
                    <WholeTable drawn=drawn />
                </Show>
            </div>
        </figure>
    }
}

#[component]
fn ColumnView(column: Memo<Option<Column>>, reason: Signal<String>) -> impl IntoView {
    let part =
        move |look: fn(&Column) -> String| move || column.with(|column| column.as_ref().map_or(String::new(), look));
    let state = part(|column| {
        let name = match (&column.refused, column.bars.0 > 0.0) {
            (Some(_), _) => "refusing",
            (None, true) => "busy",
            (None, false) => "idle",
        };
        name.to_owned()
    });
    let items = part(|column| column.items.map_or_else(String::new, count));
    let noun = part(|column| {
        column.items.map_or_else(String::new, |items| if items == 1 { "item" } else { "items" }.to_owned())
    });
    view! {
        <li
            class="part"
            data-state=state
            data-probed=part(|column| column.probed.to_string())
            data-inside=part(|column| column.number_inside.to_string())
            data-right=part(|column| (column.place.0 + column.place.1 / 2.0 > 0.55).to_string())
            style=("--bar-from", part(|column| share(column.place.0)))
            style=("--bar-span", part(|column| share(column.place.1)))
            style=("--bar-taken", part(|column| share(column.bars.0)))
            style=("--bar-refused", part(|column| share(column.bars.1)))
        >
            <span class="vh">{part(|column| column.spoken.clone())}</span>
            <span class="part-name" aria-hidden="true">
                <b>{part(|column| column.id.to_string())}</b>
                <small>{items}<span>" "{noun}</span></small>
            </span>
            <span class="part-bar" aria-hidden="true">
                <i class="part-room"></i>
                <i class="part-refused"></i>
                <i class="part-taken"></i>
                <span class="part-number">{part(|column| column.number.clone())}</span>
                <span class="part-cry">
                    <b>{part(|column| column.refused.clone().unwrap_or_default())}</b>
                    <span>" refused"</span>
                    <code>{reason}</code>
                </span>
                <span class="part-dots">
                    <For each=move || 0..column.with(|column| column.as_ref().map_or(0, |column| column.dots)) key=|dot| *dot let:_dot>
                        <i></i>
                    </For>
                </span>
            </span>
        </li>
    }
}

#[component]
fn Pins(pins: Memo<Vec<Pin>>) -> impl IntoView {
    view! {
        <ul class="parts-pins" aria-hidden="true">
            {move || {
                pins.get()
                    .into_iter()
                    .map(|pin| {
                        view! {
                            <li data-probed=pin.probed.to_string() data-edge=edge(pin.at) style=("--bar-at", share(pin.at))>
                                <i></i>
                                <code>{pin.label}</code>
                            </li>
                        }
                    })
                    .collect_view()
            }}
        </ul>
    }
}

/// A long word at either end of the line is set inwards.
fn edge(at: f64) -> &'static str {
    match at {
        _ if at < 0.08 => "start",
        _ if at > 0.92 => "end",
        _ => "none",
    }
}

#[component]
fn WholeTable(drawn: Memo<Option<Picture>>) -> impl IntoView {
    let part =
        move |look: fn(&Picture) -> String| move || drawn.with(|drawn| drawn.as_ref().map_or(String::new(), look));
    view! {
        <div
            class="whole"
            data-paid=part(|drawn| drawn.whole.paid.is_some().to_string())
            data-inside=part(|drawn| drawn.whole.number_inside.to_string())
            data-over=part(|drawn| drawn.whole.paid.is_some_and(|paid| paid < drawn.whole.bars.0).to_string())
            style=("--bar-taken", part(|drawn| share(drawn.whole.bars.0)))
            style=("--bar-refused", part(|drawn| share(drawn.whole.bars.1)))
            style=("--bar-paid", part(|drawn| share(drawn.whole.paid.unwrap_or(0.0))))
        >
            <span class="whole-name">"whole table"</span>
            <span class="whole-bar">
                <i class="whole-room"></i>
                <i class="part-refused"></i>
                <i class="part-taken"></i>
                <span class="part-number">{part(|drawn| drawn.whole.number.clone())}</span>
                <span class="whole-rest">{part(|drawn| drawn.whole.rest.clone())}</span>
                <span class="whole-paid">{part(|drawn| drawn.whole.paid_text.clone())}</span>
                <span class="whole-cry">
                    {part(|drawn| drawn.whole.refused.as_ref().map_or(String::new(), |refused| format!("{refused} refused")))}
                </span>
            </span>
        </div>
    }
}
