//! What an embed fetches when it is wanted: traffic and partitions, and links.
//!
//! The questions of a read embed are in its program from the beginning.

use super::control;
use super::link;
use crate::chunk::entrances;
use crate::frame;
use crate::pane::partitions::{Lookup, Speech, edit_traffic, figure, look_up, seen, stated, twin};
use crate::pane::time::{clock, play, play_button, ruler};
use crate::playground::Playground;
use crate::ui::patch::{Deed, fill};
use leptos::prelude::*;
use serde_json::Value as Json;
use std::future::Future;
use std::pin::Pin;

/// What the machine adds to an embed.
pub struct Parts {
    /// Makes time run.
    pub start: fn(Playground),
    /// Statement, figure or text, control.
    pub middle: fn(Playground, Lookup, View<'_>) -> String,
    /// Play, the ruler, the clock.
    pub time: fn(Playground) -> String,
    /// What its controls do.
    pub act: fn(&Deed, Playground, Lookup),
    /// Sets a parameter for the host.
    pub set: fn(Playground, Lookup, &str, &Json),
    /// How many keys the traffic is spread over.
    pub suffixes: fn(Playground) -> u64,
}

/// How the partitions are looked at.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// With a key to write, in place of traffic to spread.
    pub is_buckets: bool,
    /// As text, in place of the figure.
    pub as_text: bool,
    /// What was said aloud.
    pub speech: &'a Speech,
}

static PARTS: Parts = Parts { start: frame::ensure, middle, time, act, set, suffixes: control::suffixes };

/// Packs the state for a link.
pub type Pack = fn(Playground) -> Pin<Box<dyn Future<Output = Option<String>>>>;
/// Opens a link's state; was it readable?
pub type Open = fn(Playground, String) -> Pin<Box<dyn Future<Output = bool>>>;

entrances! {
    if (feature = "split-embed");

    machine:
    /// Traffic and partitions.
    fn parts() -> &'static Parts { &PARTS }

    link:
    /// Packs the state for a link.
    fn pack() -> Pack { |playground| Box::pin(link::pack(playground)) }

    link:
    /// Opens a link.
    fn open() -> Open { |playground, payload| Box::pin(link::open(playground, payload)) }
}

fn middle(playground: Playground, lookup: Lookup, view: View<'_>) -> String {
    let landings = if view.is_buckets { lookup.landings(playground) } else { Vec::new() };
    let seen = seen(playground);
    let shown =
        seen.as_ref().map_or(String::new(), |seen| if view.as_text { twin(seen) } else { figure(seen, &landings) });
    let control = if view.is_buckets {
        control::write_html(playground, lookup, &landings)
    } else {
        control::spread_html(playground)
    };
    fill("{!}{!}{!}", &[&stated(seen.as_deref(), view.speech), &shown, &control])
}

fn time(playground: Playground) -> String {
    [play_button(playground), ruler(playground), clock(playground)].concat()
}

fn act(deed: &Deed, playground: Playground, lookup: Lookup) {
    control::act(deed, playground);
    look_up(deed, lookup, playground);
    if deed.is() == ("click", "play") {
        play(playground);
    }
}

fn set(playground: Playground, lookup: Lookup, name: &str, value: &Json) {
    match (name, super::host::number(value), value.as_str()) {
        ("suffixes", Some(number), _) => control::spread(playground, number),
        ("rate", Some(number), _) => {
            edit_traffic(playground, |stream| stream.rate_per_second = number);
        }
        ("capacity", Some(units), _) => {
            let read =
                playground.telemetry.with_untracked(|t| t.as_ref().and_then(|t| t.provisioned)).map_or(100, |p| p.0);
            playground.set_provisioned(read, units.min(40_000) as i64);
        }
        ("write", Some(number), _) => lookup.write(playground, number.min(100)),
        ("key", _, Some(key)) => {
            lookup.text.set(key.to_owned());
            edit_traffic(playground, |stream| key.clone_into(&mut stream.key));
        }
        _ => {}
    }
}
