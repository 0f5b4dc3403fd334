//! What moves time, and what is told of it only then: fetched with the rest of the machine.

use super::runs::{self, Full};
use super::{Wanted, ruler};
use crate::frame;
use crate::pane::partitions::{look_anew, seen, units};
use crate::playground::Playground;
use crate::scene::Scene;
use crate::text::{count, percent};
use crate::ui::patch::fill;
use dynascope_engine::metrics::LogEntry;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;

/// Parts of the time bar that need the machine.
#[derive(Clone, Copy)]
pub struct Extras {
    /// On phones: what the second was worth.
    pub money: fn(Playground) -> String,
    /// The run so far.
    pub ruler: fn(Playground) -> String,
    /// Publishes the views of traffic and refusals.
    pub publish: fn(Playground),
    /// Seeking and a second run, where the page has them.
    pub full: Option<&'static Full>,
}

impl Extras {
    /// Time that runs, and no more.
    pub const PLAIN: Self = Self { money, ruler, publish, full: None };
}

/// Starts a scene with traffic, unless another one has been chosen since.
pub fn start_scene(playground: Playground, scene: Scene) {
    frame::ensure(playground);
    let is_wanted = playground.scene.with_untracked(|now| now.as_ref().is_some_and(|now| now.slug == scene.slug));
    if is_wanted && let Ok(session) = Session::new(scene.recording().scenario) {
        playground.begin(&scene, session);
        playground.play_if_moving();
    }
}

/// What is looked at, measured; refusals, and the traffic as it is set.
fn publish(playground: Playground) {
    look_anew();
    let (table, index) = (playground.table.get_untracked(), playground.index.get_untracked());
    let measured = |index: Option<&str>| playground.with(|session| session.telemetry(&table, index));
    let seen = measured(index.as_deref());
    if seen.is_none() && index.is_some() {
        // Another table is in focus by now.
        playground.index.set(None);
        playground.telemetry.set(measured(None));
    } else {
        playground.telemetry.set(seen);
    }
    let (throttles, traffic) = playground.with(|session| {
        let throttles: Vec<LogEntry> = session.throttles(&table).take(60).cloned().collect();
        let traffic = session.traffic();
        (throttles, traffic)
    });
    if playground.throttles.with_untracked(|shown| *shown != throttles) {
        playground.throttles.set(throttles);
    }
    if playground.traffic.with_untracked(|shown| *shown != traffic) {
        playground.traffic.set(traffic);
    }
    if let Some(full) = playground.full() {
        (full.settle)(playground);
    }
}

/// Plays, or pauses.
pub fn play(playground: Playground) {
    playground.close.set(false);
    playground.playing.update(|playing| *playing = !*playing);
}

/// Does what a person wants of time.
pub fn steer(playground: Playground, wanted: Wanted) {
    runs::ensure(playground);
    match wanted {
        Wanted::Play => play(playground),
        Wanted::StepBack => runs::step_back(playground),
        Wanted::StepRequest => {
            playground.playing.set(false);
            playground.close.set(true);
            runs::step_request(playground);
        }
        Wanted::StepEvent => {
            let next = playground.with(Session::next_event);
            step_to(playground, next.unwrap_or(playground.now() + SimTime::SECOND * 60));
        }
        Wanted::StepSecond => step_to(playground, SimTime::from_secs(playground.now().second() + 1)),
        Wanted::Fork => runs::fork(playground),
    }
}

fn step_to(playground: Playground, moment: SimTime) {
    playground.playing.set(false);
    playground.close.set(false);
    runs::advance(playground, moment, u64::MAX);
    playground.publish();
}

/// On phones: what the second was worth.
fn money(playground: Playground) -> String {
    if playground.traffic.with(Vec::is_empty) {
        return String::new();
    }
    let Some(seen) = seen(playground) else { return String::new() };
    let share = seen
        .used_per_mille()
        .map_or(String::new(), |share| fill("<span><b>{}</b> of table</span>", &[&percent(share)]));
    fill(
        "<span><b class=\"k\">{}</b><i class=\"money-taken\" aria-hidden=\"true\"></i>taken</span>\
         <span><b class=\"r\">{}</b><i class=\"money-refused\" aria-hidden=\"true\"></i>refused</span>{!}",
        &[&count(units(seen.taken)), &count(seen.refused_in_all()), &share],
    )
}
