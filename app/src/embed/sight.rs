//! Time stands while nobody can see it.

use crate::playground::Playground;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{IntersectionObserver, IntersectionObserverEntry};

/// Holds time while the page is out of the reader's sight, in whatever frames it lies.
pub fn hold_out_of_sight(playground: Playground) {
    let Some(body) = document().body() else { return };
    let callback = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        if let Some(entry) = entries.iter().last().map(JsCast::unchecked_into::<IntersectionObserverEntry>) {
            let out = !entry.is_intersecting();
            playground.holds.update(|holds| holds.off_screen = out);
        }
    });
    let Ok(observer) = IntersectionObserver::new(callback.as_ref().unchecked_ref()) else { return };
    playground.holds.update(|holds| holds.off_screen = true);
    observer.observe(&body);
    let owned = StoredValue::new_local((observer, callback));
    on_cleanup(move || owned.with_value(|(observer, _)| observer.disconnect()));
}
