//! The ruler as a slider: the run so far can be taken hold of and moved back and forth in.

use super::ruler::{Run, ruler_end, run_of, spans};
use super::runs;
use super::{RESTART, Wanted, steer};
use crate::pane::partitions::share_text;
use crate::playground::Playground;
use crate::text::short_clock_text;
use crate::ui::patch::{Deed, fill};
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use wasm_bindgen::JsCast;
use web_sys::{KeyboardEvent, PointerEvent};

/// The run so far, with a handle at the moment that is shown.
pub fn slider(playground: Playground) -> String {
    let table = playground.table.get();
    let now = playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(SimTime::ZERO, |t| t.now));
    let (run, end) = runs::with_whole(playground, |whole| (run_of(whole, &table), whole.now()));
    let (at, known) = (run.share(now), run.share(end));
    let spoken = format!("{} of {}", short_clock_text(now), short_clock_text(end));
    fill(
        "<div class=\"ruler\"><div class=\"ruler-grip\" role=\"slider\" tabindex=\"0\" aria-label=\"Moment\" \
         aria-valuemin=\"0\" aria-valuemax=\"{}\" aria-valuenow=\"{}\" aria-valuetext=\"{}\" data-do=\"seek\">\
         <div class=\"ruler-line\"><i class=\"ruler-known\" style=\"width:{}\"></i>\
         <i class=\"ruler-past\" style=\"width:{}\"></i>{!}<i class=\"ruler-later\" style=\"left:{};width:{}\"></i>\
         <i class=\"ruler-head\" style=\"left:{}\"></i></div></div><div class=\"ruler-words\"><span>{}</span>{!}<span>{}</span>\
         </div></div>",
        &[
            &tenths(end),
            &tenths(now),
            &spoken,
            &share_text(known),
            &share_text(at),
            &spans(&run),
            &share_text(at),
            &share_text((known - at).max(0.0)),
            &share_text(at),
            if run.first.is_none() { "0 s" } else { "" },
            &first_refusal(&run),
            &short_clock_text(SimTime::from_secs(run.end)),
        ],
    )
}

/// Seconds with one decimal.
fn tenths(moment: SimTime) -> String {
    let tenths = moment.0 / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// The mark of the first refusal, which leads to just before it.
fn first_refusal(run: &Run) -> String {
    let Some((at, words)) = &run.first else { return String::new() };
    fill(
        "<button type=\"button\" class=\"ruler-first\" style=\"--at:{}\" title=\"Go to just before it\" \
         aria-label=\"{}: go to just before it\" data-do=\"to-refusal\">{}</button>",
        &[&share_text(*at), words, words],
    )
}

/// Fork and Restart.
pub fn tail(playground: Playground) -> String {
    if runs::selected(playground).is_none() { RESTART } else { BOTH }.to_owned()
}

/// Two runs under one clock.
const BOTH: &str = "<span class=\"time-pair\">A and B</span><button type=\"button\" class=\"say time-restart\" \
    data-do=\"restart-both\">Restart both</button>";

/// What the controls of the time bar do.
pub fn act(deed: &Deed, playground: Playground) {
    match deed.is() {
        ("click", "to-refusal") => runs::seek_refusal(playground),
        ("click", "restart-both") => runs::restart_both(playground),
        ("keydown", "seek") => by_key(deed, playground),
        ("pointerdown" | "pointermove", "seek") => by_pointer(deed, playground),
        _ => {}
    }
}

fn by_key(deed: &Deed, playground: Playground) {
    let Some(event) = deed.event.dyn_ref::<KeyboardEvent>() else { return };
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return;
    }
    let end = runs::with_whole(playground, Session::now);
    let (now, second) = (playground.now(), SimTime::SECOND);
    // Bigger steps on a longer run.
    let page = (end.0 / 10 / second * second).max(10 * second);
    let small = if event.shift_key() { page } else { second };
    let to = match event.key().as_str() {
        "ArrowLeft" | "ArrowDown" => now.0.saturating_sub(small),
        "ArrowRight" | "ArrowUp" => now.0 + small,
        "PageDown" => now.0.saturating_sub(page),
        "PageUp" => now.0 + page,
        "Home" => 0,
        "End" => end.0,
        " " | "Enter" => {
            deed.event.prevent_default();
            return steer(playground, Wanted::Play);
        }
        _ => return,
    };
    deed.event.prevent_default();
    runs::seek(playground, SimTime(to.min(end.0)));
}

/// Milliseconds that a pointer moves time by: the first round number that two pixels, in seconds, are not worth.
fn unit(pixel: f64) -> u64 {
    const ROUND: [u64; 8] = [100, 500, 1_000, 5_000, 10_000, 60_000, 300_000, 3_600_000];
    ROUND.into_iter().find(|unit| *unit as f64 >= pixel * 2_000.0).unwrap_or(86_400_000)
}

fn by_pointer(deed: &Deed, playground: Playground) {
    let Some(event) = deed.event.dyn_ref::<PointerEvent>() else { return };
    let starts = deed.kind == "pointerdown";
    let is_held = deed.element.has_pointer_capture(event.pointer_id());
    if (starts && event.button() != 0) || (!starts && !is_held) {
        return;
    }
    if starts {
        // A pointer that is gone already cannot be captured.
        let _ = deed.element.set_pointer_capture(event.pointer_id());
    }
    let place = deed.element.get_bounding_client_rect();
    let share = ((f64::from(event.client_x()) - place.left()) / place.width().max(1.0)).clamp(0.0, 1.0);
    let (end, length) = runs::with_whole(playground, |whole| (whole.now(), ruler_end(whole.now())));
    let unit = unit(length as f64 / place.width().max(1.0));
    let units = (share * length as f64 * 1_000.0 / unit as f64).round() as u64;
    runs::seek(playground, SimTime::from_millis(units * unit).min(end));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_finds_round_moments() {
        let places = [(30.0, 760.0), (30.0, 290.0), (3600.0, 760.0), (1e7, 300.0)];
        assert_eq!(places.map(|(length, width)| unit(length / width)), [100, 500, 10_000, 86_400_000]);
        assert_eq!(
            (short_clock_text(SimTime(12_400_000)), short_clock_text(SimTime(30_000_000))),
            ("12.4 s".into(), "30 s".into())
        );
        assert_eq!(tenths(SimTime(64_250_000)), "64.2");
    }
}
