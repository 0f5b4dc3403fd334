//! The grip at the bracket's end of the strip: it sets Limit, by pointer and by keys.

use super::ReadView;
use super::figure::Figure;
use super::limit::set_limit;
use super::plan::{Plan, plan};
use super::strip::pixels;
use crate::playground::Playground;
use crate::text::count;
use crate::ui::patch::{Deed, fill};
use leptos::prelude::*;
use std::cell::Cell;
use wasm_bindgen::JsCast;
use web_sys::{KeyboardEvent, PointerEvent};

/// The grip at the bracket's end, if there is one.
pub fn grip_html(figure: &Figure, plan: &Plan, limit: Option<u32>) -> String {
    let Some(end) = plan.bracket else { return String::new() };
    let most = most(figure);
    let now = limit.unwrap_or(most);
    let label = limit.map_or_else(|| "no Limit".to_owned(), |limit| ["Limit ", &count(limit.into())].concat());
    let flip = if now as usize * 3 > figure.items.len() * 2 { " data-flip" } else { "" };
    fill(
        "<div class=\"grip\" style=\"left:{}\"{!}><span class=\"grip-knob\" role=\"slider\" tabindex=\"0\" \
         aria-label=\"Drag Limit\" aria-valuemin=\"1\" aria-valuemax=\"{}\" aria-valuenow=\"{}\" aria-valuetext=\"{}\" \
         data-do=\"grip\"></span><span class=\"grip-label\"><strong>{}</strong><span class=\"note\"> drag</span></span></div>",
        &[&pixels(end), flip, &most.to_string(), &now.min(most).to_string(), &label, &label],
    )
}

fn most(figure: &Figure) -> u32 {
    figure.items.len().max(1) as u32
}

/// What moves the grip.
pub struct Grip {
    playground: Playground,
    view: ReadView,
    width: RwSignal<u32>,
    /// How far from the bracket's end the pointer took hold.
    held: Cell<Option<f64>>,
}

impl Grip {
    /// Not held yet.
    pub const fn new(playground: Playground, view: ReadView, width: RwSignal<u32>) -> Self {
        Self { playground, view, width, held: Cell::new(None) }
    }

    fn most(&self) -> u32 {
        self.view.figure().map_or(1, |figure| most(&figure))
    }

    /// Where the bracket ends, and pixels for one item.
    fn end(&self) -> (f64, f64) {
        let plan = self.view.figure().map(|figure| plan(&figure, f64::from(self.width.get()))).unwrap_or_default();
        (plan.bracket.unwrap_or_default(), plan.step.max(0.01))
    }

    fn to(&self, limit: u32) {
        set_limit(self.playground, Some(limit.clamp(1, self.most())));
    }

    /// What was done to it.
    pub fn act(&self, deed: &Deed) {
        if let Some(event) = deed.event.dyn_ref::<KeyboardEvent>() {
            return self.keyed(event);
        }
        let Some(event) = deed.event.dyn_ref::<PointerEvent>() else { return };
        let x = f64::from(event.client_x());
        match (deed.kind.as_str(), self.held.get()) {
            // A pointer that is gone already cannot be captured, nor dragged.
            ("pointerdown", _) if deed.element.set_pointer_capture(event.pointer_id()).is_ok() => {
                self.held.set(Some(x - self.end().0));
            }
            ("pointermove", Some(offset)) => self.to(((x - offset) / self.end().1 + 0.5).max(1.0) as u32),
            ("pointerup" | "pointercancel", _) => self.held.set(None),
            _ => {}
        }
    }

    fn keyed(&self, event: &KeyboardEvent) {
        let most = self.most();
        let now = self.playground.ask.with(|ask| ask.limit).unwrap_or(most);
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => now.saturating_add(1),
            "ArrowLeft" | "ArrowDown" => now.saturating_sub(1),
            "PageUp" => now.saturating_add(10),
            "PageDown" => now.saturating_sub(10),
            "Home" => 1,
            "End" => most,
            _ => return,
        };
        event.prevent_default();
        self.to(next);
    }
}
