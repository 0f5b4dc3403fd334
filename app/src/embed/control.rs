//! The one control of a partition embed.

use crate::pane::partitions::{Landing, Lookup, edit_traffic, template_keys, way_text};
use crate::playground::Playground;
use leptos::prelude::*;

/// Stops of the slider.
const STOPS: [u64; 5] = [1, 2, 5, 10, 20];
/// What a message may ask for.
const SUFFIXES_MAX: u64 = 64;
const KEY: &str = "PENDING";

/// How many keys the traffic is spread over.
pub fn suffixes(playground: Playground) -> u64 {
    playground
        .traffic
        .with(|streams| streams.first().map_or(1, |stream| template_keys(&stream.key).len().max(1) as u64))
}

/// Spreads the traffic over so many suffixes; one means none.
pub fn spread(playground: Playground, over: u64) {
    let over = over.clamp(1, SUFFIXES_MAX);
    let key = if over == 1 { KEY.to_owned() } else { format!("{KEY}#{{0..{}}}", over - 1) };
    edit_traffic(playground, |stream| stream.key = key);
}

/// Spread the key over − 1 + suffixes.
#[component]
pub fn Suffixes() -> impl IntoView {
    let playground = Playground::expect();
    let number = Memo::new(move |_| suffixes(playground));
    let stop = move || STOPS.iter().rposition(|stop| *stop <= number.get()).unwrap_or(0);
    let next = move |up: bool| {
        let now = number.get_untracked();
        let mut stops = STOPS.iter().copied();
        let to = if up { stops.find(|stop| *stop > now) } else { stops.rev().find(|stop| *stop < now) };
        if let Some(to) = to {
            spread(playground, to);
        }
    };
    let slid = move |event| {
        if let Some(to) = event_target_value(&event).parse::<usize>().ok().and_then(|stop| STOPS.get(stop)) {
            spread(playground, *to);
        }
    };
    let noun = move || if number.get() == 1 { "suffix" } else { "suffixes" };
    view! {
        <div class="spread" role="group" aria-label="Spread the key">
            <span class="spread-ask">"Spread the key over"</span>
            <button type="button" aria-label="Fewer suffixes" on:click=move |_| next(false)>"−"</button>
            <span class="spread-track">
                <input
                    type="range"
                    min="0"
                    max=STOPS.len() - 1
                    step="1"
                    aria-label="Suffixes"
                    aria-valuetext=move || format!("{} {}", number.get(), noun())
                    prop:value=move || stop().to_string()
                    on:input=slid
                />
                <span class="spread-stops" aria-hidden="true">{STOPS.map(|stop| view! { <span>{stop}</span> })}</span>
            </span>
            <button type="button" aria-label="More suffixes" on:click=move |_| next(true)>"+"</button>
            <output class="spread-ask"><b>{number}</b> " " {noun}</output>
        </div>
    }
}

/// A key, where it leads, and two ways to write it.
#[component]
pub fn Write(lookup: Lookup, #[prop(into)] landings: Signal<Vec<Landing>>) -> impl IntoView {
    let playground = Playground::expect();
    let nothing = move || landings.with(Vec::is_empty);
    let way =
        move || landings.with(|landings| way_text(playground, landings)).map(|(hash, place)| format!("{hash}{place}"));
    view! {
        <form class="write" aria-label="Write a key" on:submit=move |event| {
            event.prevent_default();
            lookup.write(playground, 1);
        }>
            <input
                class="type"
                type="text"
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                aria-label="Partition key"
                prop:value=move || lookup.text.get()
                on:input=move |event| lookup.text.set(event_target_value(&event))
            />
            <button type="submit" class="do" disabled=nothing>"Write it"</button>
            <button type="button" class="say" disabled=nothing on:click=move |_| lookup.write(playground, 8)>"8 times"</button>
            <p class="write-way" role="status">{way}</p>
        </form>
    }
}
