//! The animation loop: real time × speed becomes simulated time, a few milliseconds of work a frame.
//!
//! A gap of more than half a second (a sleeping laptop) is dropped, not made up for. Views are published ten
//! times a second: people cannot read faster.

use crate::pane::time::Extras;
use crate::playground::Playground;
use dynascope_engine::time::SimTime;
use leptos::prelude::*;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// Work on the simulation in one frame, in milliseconds.
const WORK_MS: f64 = 5.0;
/// The same in a frame that publishes, for what is drawn then takes its time too.
const WORK_PUBLISHING_MS: f64 = 2.0;
/// Generated requests between two looks at the clock.
const SLICE: u64 = 512;
/// Longest gap between frames that is made up for, in milliseconds.
const GAP_MS: f64 = 500.0;
/// Time between two publications, in milliseconds.
const PUBLISH_MS: f64 = 100.0;

/// The closure that asks for the next frame, shared with itself.
type Callback = Rc<RefCell<Option<Closure<dyn FnMut(f64)>>>>;

fn now_ms() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}

/// What the loop remembers between frames.
struct Loop {
    playground: Playground,
    last: Cell<Option<f64>>,
    published: Cell<f64>,
    /// Simulated microseconds owed but not yet worked off, and the fraction of one.
    owed: Cell<f64>,
    /// Real and simulated time since `achieved` was last said.
    measured: Cell<(f64, f64)>,
}

impl Loop {
    fn frame(&self, at: f64) {
        let playground = self.playground;
        let full = playground.full();
        if let Some(full) = full {
            (full.tick)(playground);
        }
        let advance = full.map_or(Playground::advance as fn(Playground, SimTime, u64) -> bool, |full| full.advance);
        let holds = playground.holds.get_untracked();
        if !playground.playing.get_untracked() || holds.hidden || holds.off_screen {
            if self.last.take().is_some() {
                playground.publish();
            }
            self.owed.set(0.0);
            return;
        }
        let last = self.last.replace(Some(at)).unwrap_or(at);
        let gap = at - last;
        let speed = f64::from(playground.speed.get_untracked()) / 100.0;
        let due = if gap > GAP_MS { 0.0 } else { gap * 1000.0 * speed };
        // What could not be done in a frame is dropped beyond one frame's worth: late, never frozen.
        let owed = (self.owed.get() + due).min(due.max(100_000.0 * speed));
        let from = playground.now();
        let target = from + owed as u64;
        let publishes = at - self.published.get() >= PUBLISH_MS;
        let work = if publishes { WORK_PUBLISHING_MS } else { WORK_MS };
        let start = now_ms();
        while !advance(playground, target, SLICE) && now_ms() - start < work {}
        let done = playground.now().since(from) as f64;
        self.owed.set((owed - done).max(0.0));
        let (real, simulated) = self.measured.get();
        let (real, simulated) = (real + gap.min(GAP_MS), simulated + done / 1000.0);
        if real >= 1000.0 {
            playground.achieved.set((simulated / real * 100.0).round() as u32);
            self.measured.set((0.0, 0.0));
        } else {
            self.measured.set((real, simulated));
        }
        if publishes {
            self.published.set(at);
            playground.publish();
        }
    }
}

/// Starts the loop if it does not run yet; it runs as long as the page. Also holds time while the tab is hidden.
pub fn ensure(playground: Playground) {
    if playground.extras.with_untracked(Option::is_some) {
        return;
    }
    playground.extras.set(Some(Extras::PLAIN));
    let state = Loop {
        playground,
        last: Cell::new(None),
        published: Cell::new(0.0),
        owed: Cell::new(0.0),
        measured: Cell::new((0.0, 0.0)),
    };
    let callback: Callback = Rc::default();
    let again = callback.clone();
    *callback.borrow_mut() = Some(Closure::new(move |at: f64| {
        state.frame(at);
        request(&again);
    }));
    request(&callback);
    let hide = Closure::<dyn Fn()>::new(move || hold_if_hidden(playground)).into_js_value();
    // The window takes any listener.
    let _ = window().add_event_listener_with_callback("visibilitychange", hide.unchecked_ref());
    hold_if_hidden(playground);
    playground.publish();
}

fn hold_if_hidden(playground: Playground) {
    let hidden = document().hidden();
    playground.holds.update(|holds| holds.hidden = hidden);
}

fn request(callback: &Callback) {
    if let Some(callback) = callback.borrow().as_ref() {
        // Without animation frames there is no page to animate.
        let _ = window().request_animation_frame(callback.as_ref().unchecked_ref());
    }
}
