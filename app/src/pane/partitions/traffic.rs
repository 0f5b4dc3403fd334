//! The traffic as a sentence whose words are its controls.

use super::billing::BillingSlot;
use super::slot::{Slot, size, whole};
use crate::playground::Playground;
use dynascope_engine::capacity::Side;
use dynascope_engine::sim::{Stream, StreamOperation, Template, TemplateFault};
use dynascope_engine::time::SimTime;
use dynascope_engine::value::MAX_ITEM_BYTES;
use leptos::prelude::*;

const WRITES: &str =
    "{operation} {rate} items a second of {size}, each under the key {key}, to a table that {billing}.";
const READS: &str =
    "{operation} {rate} items a second of {size}, each under the key {key}, from a table that {billing}.";
/// The engine takes no more.
const MAX_RATE_PER_SECOND: u64 = 1_000_000;
const TEMPLATES: [&str; 4] = ["PENDING", "PENDING#{0..9}", "PENDING#{random 0..99}", "JOB#{seq}"];
/// What flows to the table in focus.
#[component]
pub fn Traffic() -> impl IntoView {
    let playground = Playground::expect();
    let reads = Memo::new(move |_| first(playground).map(|stream| super::seen::side_of(&stream) == Side::Read));
    view! {
        <div class="traffic" role="group" aria-label="Traffic">
            {move || reads.get().map(|reads| sentence(playground, if reads { READS } else { WRITES }))}
            <TemplateComplaint />
        </div>
    }
}

/// The traffic of the table in focus.
pub fn first(playground: Playground) -> Option<Stream> {
    let table = playground.table.get();
    playground.traffic.with(|streams| streams.iter().find(|stream| stream.table == table).cloned())
}

/// Changes the table's traffic, and says so if it could not be changed.
pub fn edit(playground: Playground, edit: impl FnOnce(&mut Stream)) {
    let table = playground.table.get_untracked();
    let mut streams = playground.traffic.get_untracked();
    let Some(stream) = streams.iter_mut().find(|stream| stream.table == table) else { return };
    edit(stream);
    if let Err(failure) = playground.set_traffic(streams) {
        playground.complain(failure.message.clone());
    }
}

/// The sentence, cut at its slots.
fn sentence(playground: Playground, template: &'static str) -> impl IntoView {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((before, (slot, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        parts.push(before.into_any());
        parts.push(match slot {
            "operation" => view! { <OperationSlot /> }.into_any(),
            "rate" => number(playground, "Rate", whole((1, MAX_RATE_PER_SECOND)), |stream| &mut stream.rate_per_second),
            "size" => {
                number(playground, "Item size", size((1, MAX_ITEM_BYTES as u64)), |stream| &mut stream.item_bytes)
            }
            "key" => view! { <KeySlot /> }.into_any(),
            _ => view! { <BillingSlot /> }.into_any(),
        });
        rest = after;
    }
    view! { <p class="traffic-ask">{parts} {rest}</p> }
}

fn number(
    playground: Playground,
    label: &'static str,
    reading: super::slot::Reading,
    field: fn(&mut Stream) -> &mut u64,
) -> AnyView {
    let value = Memo::new(move |_| first(playground).map_or(0, |mut stream| *field(&mut stream)));
    let change = move |number| edit(playground, |stream| *field(stream) = number);
    view! { <Slot label=label value=value reading=reading on_change=change /> }.into_any()
}

#[component]
fn OperationSlot() -> impl IntoView {
    let playground = Playground::expect();
    let current = move || match first(playground) {
        Some(Stream { operation: StreamOperation::GetItem, consistent: true, .. }) => "strong",
        Some(Stream { operation: StreamOperation::GetItem, .. }) => "read",
        _ => "write",
    };
    let choose = move |event| {
        let chosen = event_target_value(&event);
        edit(playground, |stream| {
            stream.operation = if chosen == "write" { StreamOperation::PutItem } else { StreamOperation::GetItem };
            stream.consistent = chosen == "strong";
        });
    };
    view! {
        <select class="pick" aria-label="Operation" prop:value=current on:change=choose>
            <option value="write" selected=move || current() == "write">"Write"</option>
            <option value="read" selected=move || current() == "read">"Read"</option>
            <option value="strong" selected=move || current() == "strong">"Read, consistently,"</option>
        </select>
    }
}

/// What is being typed and is no template, with the place.
#[derive(Clone, Copy)]
struct Typing(RwSignal<Option<(String, TemplateFault)>>);

#[component]
fn KeySlot() -> impl IntoView {
    let playground = Playground::expect();
    let typing = use_context::<Typing>();
    let value = Memo::new(move |_| first(playground).map_or_else(String::new, |stream| stream.key));
    let shown = RwSignal::new(None::<String>);
    let text = move || shown.get().unwrap_or_else(|| value.get());
    let fault = move |text: &str| {
        if let Some(Typing(faulty)) = typing {
            faulty.set(Template::parse(text).err().map(|fault| (text.to_owned(), fault)));
        }
    };
    let typed = move |event| {
        let text = event_target_value(&event);
        fault(&text);
        shown.set(Some(text));
    };
    let commit = move |event| {
        let text = event_target_value(&event);
        if Template::parse(&text).is_ok() && text != value.get_untracked() {
            edit(playground, |stream| stream.key = text);
        }
        if typing.is_none_or(|Typing(faulty)| faulty.with_untracked(Option::is_none)) {
            shown.set(None);
        }
    };
    let invalid = move || typing.is_some_and(|Typing(faulty)| faulty.with(Option::is_some)).to_string();
    view! {
        <input
            class="type traffic-key"
            type="text"
            spellcheck="false"
            autocomplete="off"
            autocapitalize="off"
            list="traffic-templates"
            aria-label="Key template"
            aria-invalid=invalid
            aria-describedby="traffic-fault"
            prop:value=text
            style=("width", move || format!("calc({}ch + 20px)", text().chars().count().clamp(4, 34)))
            on:input=typed
            on:change=commit
        />
        <datalist id="traffic-templates">{TEMPLATES.map(|template| view! { <option value=template></option> })}</datalist>
    }
}

#[component]
fn TemplateComplaint() -> impl IntoView {
    let typing = use_context::<Typing>();
    view! {
        <p id="traffic-fault" class="traffic-fault" role="status">
            {move || {
                let (text, fault) = typing?.0.get()?;
                let place = text.get(..fault.span.start)?.chars().count() + 1;
                let (before, bad) = text.split_at_checked(fault.span.start)?;
                let (bad, after) = bad.split_at_checked(fault.span.end - fault.span.start)?;
                Some(view! {
                    <code>{before.to_owned()}<u>{bad.to_owned()}</u>{after.to_owned()}</code>
                    {format!(" at character {place}: {}", fault.message)}
                })
            }}
        </p>
    }
}

/// Gives the key field and its complaint a place to meet.
pub fn provide_typing() {
    provide_context(Typing(RwSignal::new(None)));
}

/// An offer to let something flow.
#[component]
pub fn NoTraffic() -> impl IntoView {
    let playground = Playground::expect();
    let start = move |_| {
        let stream = Stream {
            table: playground.table.get_untracked(),
            operation: StreamOperation::PutItem,
            key: TEMPLATES[0].to_owned(),
            item_bytes: 1024,
            rate_per_second: 1_000,
            consistent: false,
            start: SimTime::ZERO,
            end: None,
        };
        match playground.set_traffic(vec![stream]) {
            Ok(()) => playground.playing.set(true),
            Err(failure) => playground.complain(failure.message.clone()),
        }
    };
    view! {
        <p class="traffic-none">
            "No traffic flows to this table. "
            <button type="button" class="say" on:click=start>"Start 1,000 writes a second"</button>
        </p>
    }
}
