//! The grip at the bracket's end of the strip: it sets Limit, by pointer and by keys.

use super::ReadView;
use super::limit::set_limit;
use super::plan::plan;
use super::strip::pixels;
use crate::playground::Playground;
use crate::text::count;
use crate::ui::live::{key, maybe, words};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent};

/// What the grip at the bracket's end knows.
#[derive(Clone, Copy)]
struct Grip {
    playground: Playground,
    view: ReadView,
    width: RwSignal<f64>,
    /// How far from the bracket's end the pointer took hold.
    held: StoredValue<Option<f64>>,
}

impl Grip {
    fn most(self) -> u32 {
        self.view.figure().map_or(1, |figure| figure.items.len().max(1)) as u32
    }

    fn limit(self) -> Option<u32> {
        self.playground.ask.with(|ask| ask.limit)
    }

    fn now(self) -> u32 {
        self.limit().unwrap_or_else(|| self.most())
    }

    /// Where the bracket ends, and pixels for one item.
    fn end(self) -> (f64, f64) {
        let plan = self.view.figure().map(|figure| plan(&figure, self.width.get())).unwrap_or_default();
        (plan.bracket.unwrap_or_default(), plan.step.max(0.01))
    }

    fn label(self) -> String {
        self.limit().map_or_else(|| "no Limit".to_owned(), |limit| ["Limit ", &count(limit.into())].concat())
    }

    fn flips(self) -> bool {
        self.view.figure().is_some_and(|figure| self.now() as usize * 3 > figure.items.len() * 2)
    }

    fn to(self, limit: u32) {
        set_limit(self.playground, Some(limit.clamp(1, self.most())));
    }

    fn pressed(self, event: &PointerEvent) {
        let Some(grip) = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) else {
            return;
        };
        // A pointer that is gone already cannot be captured, nor dragged.
        if grip.set_pointer_capture(event.pointer_id()).is_ok() {
            self.held.set_value(Some(f64::from(event.client_x()) - self.end().0));
        }
    }

    fn moved(self, event: &PointerEvent) {
        if let Some(offset) = self.held.get_value() {
            self.to(((f64::from(event.client_x()) - offset) / self.end().1 + 0.5).max(1.0) as u32);
        }
    }

    fn keyed(self, event: &KeyboardEvent) {
        let now = self.now();
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => now.saturating_add(1),
            "ArrowLeft" | "ArrowDown" => now.saturating_sub(1),
            "PageUp" => now.saturating_add(10),
            "PageDown" => now.saturating_sub(10),
            "Home" => 1,
            "End" => self.most(),
            _ => return,
        };
        event.prevent_default();
        self.to(next);
    }
}

/// The grip at the bracket's end.
pub fn grip(view: ReadView, width: RwSignal<f64>) -> AnyView {
    let grip = Grip { playground: Playground::expect(), view, width, held: StoredValue::new(None) };
    let pointer = |act: fn(Grip, &PointerEvent)| -> Box<dyn FnMut(PointerEvent)> {
        Box::new(move |event: PointerEvent| untrack(|| act(grip, &event)))
    };
    let release = |grip: Grip, _: &PointerEvent| grip.held.set_value(None);
    view! {
        <div class="grip" style:left=words(move || pixels(grip.end().0)) data-flip=maybe(move || grip.flips().then_some(""))>
            <span
                class="grip-knob"
                role="slider"
                tabindex="0"
                aria-label="Drag Limit"
                aria-valuemin="1"
                aria-valuemax=words(move || grip.most().to_string())
                aria-valuenow=words(move || grip.now().min(grip.most()).to_string())
                aria-valuetext=words(move || grip.label())
                on:pointerdown=pointer(Grip::pressed)
                on:pointermove=pointer(Grip::moved)
                on:pointerup=pointer(release)
                on:pointercancel=pointer(release)
                on:keydown=key(move |event| untrack(|| grip.keyed(&event)))
            ></span>
            <span class="grip-label"><strong>{words(move || grip.label())}</strong> <span class="note">" drag"</span></span>
        </div>
    }
    .into_any()
}
