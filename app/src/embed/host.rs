//! The page around the embed: what it is told, and what it may ask for.
//!
//! Out: `{dynascope: 1, ref, type: "ready" | "resize" | "state", …}`, and the `iframe.resize` text that other
//! sites' scripts know. In, from the parent window only: `set`, `theme`, `play`, `pause`, `reset`.

use super::Here;
use crate::playground::Playground;
use crate::theme::Theme;
use leptos::ev;
use leptos::prelude::*;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use web_sys::{Element, MessageEvent, ResizeObserver};

/// Version of the messages.
const VERSION: u64 = 1;
/// Time between two `state` messages, in milliseconds.
const STATE_PAUSE_MS: f64 = 500.0;
/// Longer messages are not for us.
const MESSAGE_MAX: u32 = 10_000;
/// More messages do not wait.
const KEPT_MAX: usize = 100;

/// Begins to talk with the parent, if there is one. It is told nothing before there is something to see, and what it
/// says until then is kept.
pub fn connect(here: Here, reference: Option<String>) {
    if !super::is_framed() {
        return;
    }
    let playground = here.playground;
    let reference = StoredValue::new(reference);
    let say = move |kind: &str, mut message: Json| {
        message["dynascope"] = VERSION.into();
        message["type"] = kind.into();
        reference.with_value(|reference| message["ref"] = json!(reference));
        post(&message.to_string(), true);
    };
    let kept = StoredValue::new(VecDeque::<Json>::new());
    let heard = window_event_listener(ev::message, move |event| {
        if let Some(message) = from_parent(&event) {
            kept.update_value(|kept| {
                if kept.len() < KEPT_MAX {
                    kept.push_back(message);
                }
            });
            obey_all(here, kept);
        }
    });
    on_cleanup(move || heard.remove());
    Effect::new(move || {
        here.shows.track();
        here.parts.track();
        playground.awaits.track();
        untrack(|| obey_all(here, kept));
    });
    Effect::new(move |told: Option<bool>| {
        let tells = here.shows.get();
        if tells && told != Some(true) {
            say("ready", json!({"scene": slug(playground)}));
            tell_height(move |height| {
                say("resize", json!({"height": height}));
                let text = json!({"context": "iframe.resize", "height": height, "src": address()});
                post(&text.to_string(), false);
            });
        }
        tells
    });
    tell_state(here, move |state| say("state", state));
}

/// Does what was said, in its order, as far as what it needs is here; the rest waits.
fn obey_all(here: Here, kept: StoredValue<VecDeque<Json>>) {
    while let Some(message) = kept.with_value(|kept| kept.front().cloned()) {
        let is_here = here.parts.with_untracked(Option::is_some);
        if !here.shows.get_untracked() || here.playground.awaits.get_untracked() {
            return;
        }
        if !is_here && needs_parts(&message) {
            // Each message asks once, so that a host that asks again tries again.
            return here.fetch();
        }
        kept.update_value(|kept| drop(kept.pop_front()));
        obey(here, &message);
    }
}

/// A question's Limit is the one parameter that a read embed has.
fn needs_parts(message: &Json) -> bool {
    message["type"] == "set" && message["name"] != "limit"
}

fn slug(playground: Playground) -> Option<&'static str> {
    playground.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.slug))
}

fn address() -> String {
    window().location().href().unwrap_or_default()
}

/// Posts a JSON text, as an object or as it is. Nothing in it is secret: it may go to any parent.
fn post(json: &str, as_object: bool) {
    let Ok(Some(parent)) = window().parent() else { return };
    let value = if as_object { js_sys::JSON::parse(json).unwrap_or(JsValue::NULL) } else { json.into() };
    // A parent that is gone does not listen.
    drop(parent.post_message(&value, "*"));
}

/// Tells the height of the content now and whenever it changes. Never more than its own: no element here is as
/// high as the window, so that the two cannot drive each other up.
fn tell_height(tell: impl Fn(u32) + 'static) {
    let Some(body) = document().body() else { return };
    let element: Element = body.into();
    let watched = element.clone();
    let told = Rc::new(Cell::new(0));
    let callback = Closure::<dyn FnMut()>::new(move || {
        let height = watched.get_bounding_client_rect().height().ceil() as u32;
        if told.replace(height) != height {
            tell(height);
        }
    });
    let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) else { return };
    observer.observe(&element);
    let owned = StoredValue::new_local((observer, callback));
    on_cleanup(move || owned.with_value(|(observer, _)| observer.disconnect()));
}

/// Tells what was taken and refused so far, at most twice a second, and at once when time stops.
fn tell_state(here: Here, tell: impl Fn(Json) + 'static) {
    let playground = here.playground;
    Effect::new(move |before: Option<(f64, bool)>| {
        let playing = playground.playing.get();
        playground.version.track();
        let suffixes = here.parts.with(|parts| parts.map(|parts| parts.suffixes));
        let now = window().performance().map_or(0.0, |clock| clock.now());
        let state = playground.telemetry.with(|telemetry| {
            telemetry.as_ref().map(|telemetry| {
                let total = &telemetry.total;
                json!({
                    "scene": slug(playground), "playing": playing, "ms": telemetry.now.0 / 1000,
                    "accepted": total.reads + total.writes, "refused": total.refused_reads + total.refused_writes,
                    "partitions": telemetry.partitions.len(), "suffixes": suffixes.map_or(1, |count| count(playground)),
                })
            })
        });
        match (before, state) {
            (Some((at, was_playing)), _) if now - at < STATE_PAUSE_MS && was_playing == playing => (at, playing),
            (_, Some(state)) => {
                tell(state);
                (now, playing)
            }
            (before, None) => before.unwrap_or((0.0, playing)),
        }
    });
}

/// A message of ours from the window around this one; nothing else is listened to.
fn from_parent(event: &MessageEvent) -> Option<Json> {
    let parent = window().parent().ok()??;
    if event.source()? != *parent.as_ref() {
        return None;
    }
    let text = js_sys::JSON::stringify(&event.data()).ok().filter(|text| text.length() <= MESSAGE_MAX)?;
    let message: Json = serde_json::from_str(&String::from(text)).ok()?;
    (message["dynascope"] == VERSION).then_some(message)
}

fn obey(here: Here, message: &Json) {
    let playground = here.playground;
    match message["type"].as_str() {
        Some("play") => playground.playing.set(true),
        Some("pause") => playground.playing.set(false),
        Some("reset") => crate::pane::time::restart(playground),
        Some("theme") => {
            if let Some(theme) = message["theme"].as_str().and_then(Theme::from_slug) {
                theme.apply();
            }
        }
        Some("set") => {
            let (name, value) = (message["name"].as_str(), &message["value"]);
            match (name, number(value), here.parts.get_untracked()) {
                (Some("limit"), Some(limit), _) => super::orders::set_limit(playground, limit),
                (Some(name), _, Some(parts)) => (parts.set)(playground, here.lookup, name, value),
                _ => {}
            }
        }
        _ => {}
    }
}

/// A number, which may come as text, since links carry text.
pub fn number(value: &Json) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Lets the host's ground show through.
pub fn make_transparent() {
    if let Some(root) = document().document_element() {
        drop(root.set_attribute("data-ground", "none"));
    }
}
