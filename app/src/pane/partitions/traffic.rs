//! The traffic as a sentence whose words are its controls.

use super::billing::billing;
use super::seen::flowing;
use super::slot::{Reading, size, slid, slot, whole};
use super::statement::request_name;
use crate::playground::Playground;
use crate::text::{count, short_clock_text};
use crate::ui::patch::{Deed, fill, set_value, truth};
use dynascope_engine::capacity::Side;
use dynascope_engine::sim::{Profile, RunningStream, Stream, StreamOperation, Template, TemplateFault};
use dynascope_engine::time::SimTime;
use dynascope_engine::value::MAX_ITEM_BYTES;
use leptos::prelude::*;

const WRITES: &str =
    "{operation} {rate} items a second of {size}, each under the key {key}, to a table that {billing}.";
const READS: &str =
    "{operation} {rate} items a second of {size}, each under the key {key}, from a table that {billing}.";
/// The engine takes no more.
const RATE: Reading = whole((1, 1_000_000));
const SIZE: Reading = size((1, MAX_ITEM_BYTES as u64));
const TEMPLATES: [&str; 4] = ["PENDING", "PENDING#{0..9}", "PENDING#{random 0..99}", "JOB#{seq}"];

/// What is typed into the key field, as long as it is no template or not yet entered.
pub type Typed = RwSignal<Option<String>>;

/// What flows to the table in focus.
pub fn traffic(playground: Playground, typed: Typed) -> String {
    let Some(stream) = first(playground) else { return String::new() };
    let text = typed.get().unwrap_or_else(|| stream.key.clone());
    let fault = Template::parse(&text).err().filter(|_| typed.with(Option::is_some));
    let mut rest = if super::seen::side_of(&stream) == Side::Read { READS } else { WRITES };
    let mut sentence = String::new();
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        sentence.push_str(before);
        let slot = match name {
            "operation" => operation_slot(&stream),
            "rate" if !stream.profile.is_constant() => rate_text(playground, &stream),
            "rate" => slot(name, "Rate", stream.rate_per_second, RATE),
            "size" => slot(name, "Item size", stream.item_bytes, SIZE),
            "key" => key_slot(&text, fault.is_some()),
            _ => billing(playground),
        };
        // A line does not begin with the comma after a control; the words of a longer slot may break.
        let (mark, after) = after.split_at(after.find(|letter| letter != ',' && letter != '.').unwrap_or(after.len()));
        let is_control = slot.ends_with('>') && !mark.is_empty();
        sentence
            .push_str(&fill(if is_control { "<span class=\"stay\">{!}{}</span>" } else { "{!}{}" }, &[&slot, mark]));
        rest = after;
    }
    let now = now(playground);
    let when = match stream.end {
        Some(end) if now >= end => format!(" It ended at {}.", short_clock_text(end)),
        _ if now < stream.start => format!(" It begins at {}.", short_clock_text(stream.start)),
        _ => String::new(),
    };
    let complaint = fault.and_then(|fault| complaint(&text, &fault)).unwrap_or_default();
    fill(
        "<div class=\"traffic\" role=\"group\" aria-label=\"Traffic\"><p class=\"traffic-ask\">{!}{}<span class=\"quiet\">{}</span></p>{!}\
         <p id=\"traffic-fault\" class=\"traffic-fault\" role=\"status\">{!}</p></div>",
        &[&sentence, rest, &when, &beside(playground), &complaint],
    )
}

/// The stream to the table in focus that the sentence tells of.
pub fn first(playground: Playground) -> Option<Stream> {
    let at = told_of(playground)?;
    playground.traffic.with(|streams| streams.get(at).cloned())
}

fn told_of(playground: Playground) -> Option<usize> {
    let table = playground.table.get();
    let now = now(playground);
    playground.traffic.with(|streams| flowing(streams, now, |stream| stream.table == table))
}

fn now(playground: Playground) -> SimTime {
    playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(SimTime::ZERO, |seen| seen.now))
}

/// The other streams to the table, each in a few words.
fn beside(playground: Playground) -> String {
    let (Some(told), table) = (told_of(playground), playground.table.get()) else { return String::new() };
    let now = now(playground);
    let words = playground.with(|session| {
        let streams = session.streams().iter().enumerate();
        let others = streams.filter(|(at, running)| *at != told && running.stream.table == table);
        others.map(|(_, running)| in_few_words(running, now)).collect::<Vec<_>>()
    });
    if words.is_empty() {
        return String::new();
    }
    fill("<p class=\"traffic-beside\">Beside it: {}.</p>", &[&words.join("; ")])
}

/// `500 reads a second of ByStatus under JOB#{seq}`, `PutItem under JOB#{seq}, from 600 s on`.
fn in_few_words(running: &RunningStream, now: SimTime) -> String {
    let stream = &running.stream;
    let rate = running.rate_at(now.max(stream.start));
    let many = format!("{} {} a second", count(rate), request_name(stream.operation.side()));
    let what = match &stream.operation {
        StreamOperation::Scan => "a Scan".to_owned(),
        _ if now < stream.start => {
            format!("{many} from {} on", short_clock_text(stream.start))
        }
        _ if stream.end.is_some_and(|end| now >= end) => {
            format!("{} until {}", request_name(stream.operation.side()), short_clock_text(stream.end.unwrap_or(now)))
        }
        _ => many,
    };
    let of = stream.index.as_ref().map_or_else(String::new, |index| format!(" of {index}"));
    match (stream.operation, stream.key.as_str()) {
        (StreamOperation::Scan, _) => [&*what, &*of].concat(),
        (_, "") => format!("{what}{of} under {} weighted keys", stream.keys.len()),
        (_, key) => format!("{what}{of} under {key}"),
    }
}

/// Changes the stream that the sentence tells of, or says why it could not be changed; was it?
pub fn edit(playground: Playground, edit: impl FnOnce(&mut Stream)) -> bool {
    let Some(at) = untrack(|| told_of(playground)) else { return false };
    let mut streams = playground.traffic.get_untracked();
    edit(&mut streams[at]);
    playground.flow(streams)
}

/// The rate at this moment of one that changes by itself, and how it does.
fn rate_text(playground: Playground, stream: &Stream) -> String {
    let now = now(playground);
    let rate = playground.with(|session| {
        session.streams().iter().find(|running| running.stream == *stream).map_or(0, |running| running.rate_at(now))
    });
    let how = match &stream.profile {
        Profile::Constant => String::new(),
        Profile::Ramp { from, to, seconds } => {
            format!("on a ramp from {} to {} in {} s", count(*from), count(*to), count(*seconds))
        }
        Profile::Spike { peak, at_second, .. } => {
            format!("with a spike of {} at {} s", count(*peak), count(*at_second))
        }
        Profile::Daily { mean, peak, .. } => {
            format!("over a day, {} on average and {} at noon", count(*mean), count(*peak))
        }
        Profile::Replay(_) => "as recorded".to_owned(),
    };
    fill("<b>{}</b> <span class=\"quiet\">({})</span>", &[&count(rate), &how])
}

const fn operation_of(stream: &Stream) -> &'static str {
    match (stream.operation.side(), stream.consistent) {
        (Side::Read, true) => "strong",
        (Side::Read, false) => "read",
        (Side::Write, _) => "write",
    }
}

fn operation_slot(stream: &Stream) -> String {
    fill(
        "<select class=\"pick\" aria-label=\"Operation\" data-do=\"operation\" data-value=\"{}\">\
         <option value=\"write\">Write</option><option value=\"read\">Read</option>\
         <option value=\"strong\">Read, consistently,</option></select>",
        &[operation_of(stream)],
    )
}

fn key_slot(text: &str, invalid: bool) -> String {
    let width = text.chars().count().clamp(4, 34).to_string();
    let templates: String = TEMPLATES.iter().map(|one| fill("<option value=\"{}\"></option>", &[one])).collect();
    fill(
        "<input class=\"type traffic-key\" type=\"text\" spellcheck=\"false\" autocomplete=\"off\" autocapitalize=\"off\" \
         list=\"traffic-templates\" aria-label=\"Key template\" aria-invalid=\"{}\" aria-describedby=\"traffic-fault\" \
         data-do=\"key\" data-value=\"{}\" style=\"width:calc({}ch + 20px)\">\
         <datalist id=\"traffic-templates\">{!}</datalist>",
        &[truth(invalid), text, &width, &templates],
    )
}

fn complaint(text: &str, fault: &TemplateFault) -> Option<String> {
    let (before, rest) = text.split_at_checked(fault.span.start)?;
    let (bad, after) = rest.split_at_checked(fault.span.end - fault.span.start)?;
    let place = (before.chars().count() + 1).to_string();
    let template = "<code>{}<u>{}</u>{}</code> at character {}: {}";
    Some(fill(template, &[before, bad, after, &place, &fault.message]))
}

/// What the controls of the sentence do.
pub fn steer(deed: &Deed, playground: Playground, typed: Typed) {
    let Some(stream) = untrack(|| first(playground)) else { return };
    match deed.is() {
        ("change", "operation") => {
            let chosen = deed.value();
            let done = edit(playground, |stream| {
                stream.operation = if chosen == "write" { StreamOperation::PutItem } else { StreamOperation::GetItem };
                stream.consistent = chosen == "strong";
            });
            if !done {
                // It shows what is the case.
                set_value(&deed.element, operation_of(&stream));
            }
        }
        (_, "rate") => {
            if let Some(rate) = slid(deed, playground, stream.rate_per_second, RATE) {
                edit(playground, |stream| stream.rate_per_second = rate);
            }
        }
        (_, "size") => {
            if let Some(size) = slid(deed, playground, stream.item_bytes, SIZE) {
                edit(playground, |stream| stream.item_bytes = size);
            }
        }
        ("input", "key") => typed.set(Some(deed.value())),
        ("change", "key") => {
            let text = deed.value();
            if Template::parse(&text).is_ok() {
                if text != stream.key {
                    edit(playground, |stream| stream.key = text);
                }
                typed.set(None);
            }
        }
        _ => {}
    }
}

/// An offer to let something flow.
pub const NO_TRAFFIC: &str = "<p class=\"traffic-none\">No traffic flows to this table. \
    <button type=\"button\" class=\"say\" data-do=\"flow\">Start 1,000 writes a second</button></p>";

/// Lets something flow.
pub fn start(playground: Playground) {
    let stream = Stream {
        table: playground.table.get_untracked(),
        key: TEMPLATES[0].to_owned(),
        rate_per_second: 1_000,
        ..Stream::default()
    };
    if playground.flow(vec![stream]) {
        playground.playing.set(true);
    }
}
