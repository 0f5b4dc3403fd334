//! The time bar: transport, clock, ruler, speed. It never leaves the page.

mod known;
mod machine;
mod ruler;
mod runs;
mod seek;

pub use machine::{Extras, play, start_scene, steer};
pub use ruler::{first_refusal, ruler, total_refused};
pub use runs::{Full, Letter, begin_anew, choose, ensure, put_beside, selected, stand, with_other, with_whole};

use crate::chunk::{self, then};
use crate::playground::{Playground, SPEEDS};
use crate::scene::Scene;
use crate::text::{clock_text, count};
use crate::ui::patch::{Deed, disabled, fill, live};
use dynascope_engine::time::SimTime;
use leptos::prelude::*;

/// The bar.
pub fn time_bar(playground: Playground) -> AnyView {
    live(move || bar(playground), move |deed| press(deed, playground))
}

fn bar(playground: Playground) -> String {
    playground.version.track();
    let (extras, off) = (playground.extras.get(), disabled(playground.awaits.get()));
    let seed = playground.with(|session| session.scenario().seed).to_string();
    fill(
        "<div class=\"time\" role=\"group\" aria-label=\"Time\"><p class=\"money\">{!}</p>{!}{!}{!}{!}{!}\
         <span class=\"time-seed\">seed {}</span>{!}</div>",
        &[
            &extras.map_or_else(String::new, |extras| (extras.money)(playground)),
            &play_button(playground),
            &fill(STEPS, &[off, off, off, off]),
            &clock(playground),
            &extras.map_or_else(|| NO_RULER.to_owned(), |extras| (extras.ruler)(playground)),
            &speed_pick(playground),
            &seed,
            &extras.and_then(|extras| extras.full).map_or_else(|| RESTART.to_owned(), |full| (full.tail)(playground)),
        ],
    )
}

/// One run: it can be forked, and begun again.
const RESTART: &str = "<button type=\"button\" class=\"say time-fork\" title=\"A second run of this moment, to compare \
    two designs\" data-do=\"fork\">Fork</button><button type=\"button\" class=\"say time-restart\" \
    data-do=\"restart\">Restart</button>";

/// Before anything has happened: as [`ruler`] draws it at the start, so that nothing moves when that comes.
const NO_RULER: &str = "<div class=\"ruler\" aria-hidden=\"true\"><div class=\"ruler-line\"><i class=\"ruler-past\" \
    style=\"width:0\"></i><i class=\"ruler-head\" style=\"left:0\"></i></div><div class=\"ruler-words\"><span>0 s</span>\
    <span class=\"ruler-first\"></span><span>30 s</span></div></div>";

const STEPS: &str = "<button type=\"button\" class=\"time-step\" aria-label=\"Step back one request\" \
    title=\"Step back one request\" data-do=\"step-back\"{!}><svg viewBox=\"0 0 18 18\" aria-hidden=\"true\">\
    <path d=\"M14 4 8.5 9l5.5 5zM6.5 7.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z\"/></svg></button><button type=\"button\" class=\"time-step\" aria-label=\"Step one request\" title=\"Step one request\" \
    data-do=\"step-request\"{!}><svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><path d=\"M4 4 9.5 9 4 14zM11.5 7.2a1.8 1.8 0 \
    1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z\"/></svg></button>\
    <button type=\"button\" class=\"time-step\" aria-label=\"Step one second\" title=\"Step one second\" \
    data-do=\"step-second\"{!}><svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><path d=\"M4 4 9.5 9 4 14zM10 4h1.8v10H10z\"/>\
    </svg></button><button type=\"button\" class=\"time-step time-event\" aria-label=\"Go to the next event\" \
    title=\"Go to the next event: a split, growth; else a minute on\" data-do=\"step-event\"{!}>\
    <svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><path d=\"M2.5 4 7 9l-4.5 5zM8 4l4.5 5L8 14zM13.5 4h1.8v10h-1.8z\"/>\
    </svg></button>";

/// What a person wants of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Play or pause.
    Play,
    /// One generated request back.
    StepBack,
    /// One generated request.
    StepRequest,
    /// On to the next second.
    StepSecond,
    /// On to the next thing that happens by itself.
    StepEvent,
    /// A second run of this moment.
    Fork,
}

/// What the controls of time do. What moves time is fetched when time is first moved.
fn press(deed: &Deed, playground: Playground) {
    let full = playground.full();
    let wanted = match deed.is() {
        ("click", "play") => Wanted::Play,
        ("click", "step-back") => Wanted::StepBack,
        ("click", "fork") => Wanted::Fork,
        ("click", "step-request") => Wanted::StepRequest,
        ("click", "step-second") => Wanted::StepSecond,
        ("click", "step-event") => Wanted::StepEvent,
        ("click", "restart") => return restart(playground),
        ("change", "speed") => {
            if let Ok(speed) = deed.value().parse() {
                playground.speed.set(speed);
                playground.publish();
            }
            return;
        }
        _ => {
            if let Some(full) = full {
                (full.act)(deed, playground);
            }
            return;
        }
    };
    match full {
        Some(full) => (full.steer)(playground, wanted),
        None => then(playground, chunk::steer(), move |steer| steer(playground, wanted)),
    }
}

/// Begins the scene again, with its own traffic and capacity.
pub fn restart(playground: Playground) {
    let Some(scene) = playground.scene.get_untracked().or_else(|| Scene::find("hot-key")) else { return };
    let had_edits = playground.differs.get_untracked() || playground.with(|session| session.edits().next().is_some());
    playground.load_scene(scene);
    if had_edits {
        playground
            .say("The scene begins as it was written: what was changed is gone. Fork keeps a run beside another.");
    }
}

/// The round button.
pub fn play_button(playground: Playground) -> String {
    let (name, path) = if playground.playing.get() {
        ("Pause", "M5 4h3v10H5zM10 4h3v10h-3z")
    } else {
        ("Play", "M6 3.5 14.5 9 6 14.5z")
    };
    fill(
        "<button type=\"button\" class=\"time-play\" aria-label=\"{}\" data-do=\"play\"{!}>\
         <svg viewBox=\"0 0 18 18\" aria-hidden=\"true\"><path d=\"{}\"/></svg></button>",
        &[name, disabled(playground.awaits.get()), path],
    )
}

/// The clock.
pub fn clock(playground: Playground) -> String {
    let now = playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(SimTime::ZERO, |t| t.now));
    let text = if playground.close.get() && now.second() < 60 {
        format!("{}.{:04} s", now.second(), now.0 % 1_000_000 / 100)
    } else {
        clock_text(now)
    };
    fill("<span class=\"time-clock\" role=\"timer\" aria-label=\"Clock\" aria-live=\"off\">{}</span>", &[&text])
}

fn speed_pick(playground: Playground) -> String {
    let (wanted, achieved) = (playground.speed.get(), playground.achieved.get());
    let is_behind = playground.playing.get() && achieved * 10 < wanted * 9 && achieved > 0;
    let behind = if is_behind { format!("runs at {}", speed_text(achieved)) } else { String::new() };
    let option = |speed: &u32| fill("<option value=\"{}\">{}</option>", &[&speed.to_string(), &speed_text(*speed)]);
    let options: String = SPEEDS.iter().map(option).collect();
    fill(
        "<span class=\"time-speed\"><select class=\"pick\" aria-label=\"Speed\" data-do=\"speed\" data-value=\"{}\">{!}\
         </select><small>{}</small></span>",
        &[&wanted.to_string(), &options, &behind],
    )
}

/// `×1`, `×60`, `×1/100`.
fn speed_text(hundredths: u32) -> String {
    match hundredths {
        1..=50 => format!("×1/{}", 100 / hundredths),
        _ if hundredths.is_multiple_of(100) => ["×", &count(u64::from(hundredths / 100))].concat(),
        _ => format!("×{}.{}", hundredths / 100, hundredths % 100 / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_and_rulers_are_round() {
        assert_eq!(SPEEDS.map(speed_text), ["×1/100", "×1/10", "×1", "×10", "×60", "×600", "×10,000"]);
        assert_eq!(speed_text(1234), "×12.3");
    }
}
