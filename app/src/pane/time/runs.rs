//! The run that is shown, another one beside it, and the moment both stand at.
//!
//! Everything on the page works on the run in the playground; choosing the other one exchanges them.

use super::known::Known;
use super::ruler::first_refusal;
use super::{Wanted, seek, steer};
use crate::frame;
use crate::playground::Playground;
use crate::scene::Lens;
use crate::share::OtherRun;
use crate::text::clock_text;
use crate::ui::patch::{Deed, focus_soon};
use crate::ui::sheet;
use dynascope_engine::diagnostic::Failure;
use dynascope_engine::scenario::{Recording, Scenario};
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use std::sync::{Mutex, PoisonError};

/// One of two runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letter {
    /// The first.
    #[default]
    A,
    /// The one that was made of it.
    B,
}

impl Letter {
    /// As it is written.
    pub const fn text(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// The one beside it.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

#[derive(Debug, Default)]
struct State {
    /// Beyond the session in the playground.
    known: Known,
    /// The run that is not in the playground.
    other: Option<(Session, Known)>,
    /// Which one is.
    selected: Letter,
    /// A moment to seek to with the next frame.
    wanted: Option<SimTime>,
}

/// What the page has of time beyond a clock that runs; embeds do without.
pub struct Runs(Mutex<State>);

impl Runs {
    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Changes a session.
type Change<'a> = &'a mut dyn FnMut(&mut Session);

/// What the time bar and the loop call where there are [`Runs`].
pub struct Full {
    runs: Runs,
    /// Does what a person wants of time.
    pub steer: fn(Playground, Wanted),
    /// Does what a control of the time bar says.
    pub act: fn(&Deed, Playground),
    /// Moves all runs.
    pub advance: fn(Playground, SimTime, u64) -> bool,
    /// Once a frame.
    pub tick: fn(Playground),
    /// After something may have been changed.
    pub settle: fn(Playground),
    /// After another session has been put in its place.
    pub forget: fn(Playground),
    /// Fork and Restart.
    pub tail: fn(Playground) -> String,
    /// The run that is not in the playground, for links.
    pub other: fn(Playground) -> Option<OtherRun>,
    /// The run in the playground as far as it is known, if that is further than it is shown.
    pub whole: fn(Playground) -> Option<Recording>,
    /// Does something to all states of all runs.
    pub all: fn(Playground, Change<'_>),
}

/// Gives the page all of time: the loop, the slider, the runs.
pub fn ensure(playground: Playground) {
    frame::ensure(playground);
    if playground.full().is_some() {
        return;
    }
    sheet::wear("runs", include_str!("../../../style/runs.css"));
    let full: &'static Full = Box::leak(Box::new(Full {
        runs: Runs(Mutex::default()),
        steer,
        act: seek::act,
        advance,
        tick,
        settle,
        forget,
        tail: seek::tail,
        other: other_recording,
        whole: whole_recording,
        all,
    }));
    playground.extras.update(|extras| {
        if let Some(extras) = extras {
            extras.full = Some(full);
            extras.ruler = seek::slider;
        }
    });
}

fn state<T>(playground: Playground, act: impl FnOnce(&mut State) -> T) -> Option<T> {
    playground.full().map(|full| full.runs.with(act))
}

/// Changes session and state together.
fn both<T>(playground: Playground, act: impl FnOnce(&mut Session, &mut State) -> T) -> Option<T> {
    state(playground, |state| playground.change(|session| act(session, state)))
}

/// Looks at the run as far as it is known.
pub fn with_whole<T>(playground: Playground, look: impl Fn(&Session) -> T) -> T {
    let found = state(playground, |state| playground.with(|session| look(state.known.whole(session))));
    found.unwrap_or_else(|| playground.with(look))
}

/// Looks at the run that is not in the playground, if there is one; the letter is that of the one which is.
pub fn with_other<T>(playground: Playground, look: impl FnOnce(Letter, &Session) -> T) -> Option<T> {
    state(playground, |state| state.other.as_ref().map(|(other, _)| look(state.selected, other))).flatten()
}

/// Which of two runs is in the playground; `None` if there is but one.
pub fn selected(playground: Playground) -> Option<Letter> {
    with_other(playground, |selected, _| selected)
}

/// Moves all runs towards `until`, at most `budget` generated requests of the busier one; true if they got there. They
/// stand at the same instant however slow it is.
pub fn advance(playground: Playground, until: SimTime, budget: u64) -> bool {
    both(playground, |session, State { known, other, .. }| match other {
        None => known.advance(session, until, budget),
        Some((other, beyond)) if rate(other) > rate(session) => {
            let reached = beyond.advance(other, until, budget);
            known.advance(session, other.now(), u64::MAX);
            reached
        }
        Some((other, beyond)) => {
            let reached = known.advance(session, until, budget);
            beyond.advance(other, session.now(), u64::MAX);
            reached
        }
    })
    .unwrap_or(true)
}

fn rate(session: &Session) -> u64 {
    session.streams().iter().map(|running| running.stream.rate_per_second).sum()
}

fn tick(playground: Playground) {
    if let Some(moment) = state(playground, |state| state.wanted.take()).flatten() {
        seek_now(playground, moment);
    }
}

/// Moves all runs to a moment of what is known, with the next frame.
pub fn seek(playground: Playground, moment: SimTime) {
    playground.playing.set(false);
    playground.close.set(false);
    state(playground, |state| state.wanted = Some(moment));
}

fn seek_now(playground: Playground, moment: SimTime) {
    both(playground, |session, state| {
        state.known.seek(session, moment);
        state.follow(session.now());
    });
    playground.publish_all();
}

/// Shows the moment just before the first refusal.
pub fn seek_refusal(playground: Playground) {
    let table = playground.table.get_untracked();
    if let Some(first) = with_whole(playground, |whole| first_refusal(whole, &table)) {
        playground.playing.set(false);
        // The running second is shown, in which it is about to happen.
        playground.close.set(true);
        seek_now(playground, first);
    }
}

/// Moves all runs back by one generated request of the one in the playground.
pub fn step_back(playground: Playground) {
    playground.playing.set(false);
    playground.close.set(true);
    let moved = both(playground, |session, state| {
        let moved = state.known.step_back(session);
        state.follow(session.now());
        moved
    });
    if moved == Some(true) {
        playground.publish_all();
    } else {
        playground.say("No request has arrived before this moment.");
    }
}

/// One generated request of the run in the playground.
pub fn step_request(playground: Playground) {
    both(playground, |session, state| {
        state.known.step(session);
        state.follow(session.now());
    });
    playground.publish();
}

impl State {
    /// Brings the other run to the instant.
    fn follow(&mut self, now: SimTime) {
        if let Some((other, beyond)) = &mut self.other {
            if other.now() > now {
                beyond.seek(other, now);
            } else {
                beyond.advance(other, now, u64::MAX);
            }
        }
    }
}

/// After each publication: lets go what is not known any more, and keeps the runs together.
fn settle(playground: Playground) {
    let gone = both(playground, |session, state| {
        let gone = state.known.let_go(session);
        state.follow(session.now());
        gone.map(|end| (session.now(), end))
    });
    if let Some((now, end)) = gone.flatten() {
        let (now, end) = (clock_text(now), clock_text(end));
        playground
            .say(format!("The run goes on from {now}; what it had been up to {end} was let go. Fork keeps both."));
    }
}

fn forget(playground: Playground) {
    state(playground, |state| *state = State::default());
}

/// Makes a second run of this moment and shows both. The first one keeps what is known beyond it.
pub fn fork(playground: Playground) {
    playground.playing.set(false);
    both(playground, |session, state| {
        if state.other.is_none() {
            state.other = Some((session.clone(), std::mem::take(&mut state.known)));
            state.selected = Letter::B;
        }
    });
    if playground.lens.get_untracked() != Lens::Partitions {
        playground.lens.set(Lens::Partitions);
    }
    playground.publish_all();
    focus_soon("[data-do=select-run][aria-pressed=true]");
    playground.say("B is a second run of this moment. What you change now is changed in B; A stays as it is.");
}

/// Puts one of two runs into the playground.
pub fn select(playground: Playground, letter: Letter) {
    let changed = both(playground, |session, State { known, other, selected, .. }| {
        let Some((beside, beyond)) = other.as_mut().filter(|_| *selected != letter) else { return false };
        std::mem::swap(session, beside);
        std::mem::swap(known, beyond);
        *selected = letter;
        true
    });
    if changed == Some(true) {
        playground.forget_pages();
        playground.publish_all();
    }
}

/// Goes on with one of two runs alone.
pub fn keep(playground: Playground, letter: Letter) {
    select(playground, letter);
    state(playground, |state| {
        state.other = None;
        state.selected = Letter::A;
    });
    playground.publish_all();
    focus_soon("[data-do=fork]");
    playground.say(format!("{} goes on alone; {} was let go.", letter.text(), letter.other().text()));
}

/// Begins both runs again, each with the design it has now from the first moment on.
pub fn restart_both(playground: Playground) {
    playground.playing.set(false);
    playground.close.set(false);
    let done = both(playground, |session, state| {
        let again = state.other.as_ref().and_then(|(other, _)| Some((begun_again(session)?, begun_again(other)?)));
        let Some((own, other)) = again else { return false };
        *session = own;
        state.known = Known::default();
        state.other = Some((other, Known::default()));
        true
    });
    if done == Some(true) {
        playground.publish_all();
        playground.play_if_moving();
    }
}

/// The scenario with everything done at once at the beginning that was done since; reads are left out.
fn begun_again(session: &Session) -> Option<Session> {
    let mut again = Session::new(session.scenario().clone()).ok()?;
    for command in session.journal().iter().filter(|command| command.is_change()) {
        again.apply(command).ok()?;
    }
    Some(again)
}

fn other_recording(playground: Playground) -> Option<OtherRun> {
    state(playground, |state| {
        let (other, beyond) = state.other.as_ref()?;
        let recording = beyond.whole(other).recording();
        Some(OtherRun { recording, selected_is_b: state.selected == Letter::B })
    })
    .flatten()
}

fn whole_recording(playground: Playground) -> Option<Recording> {
    state(playground, |state| state.known.later().map(Session::recording)).flatten()
}

fn all(playground: Playground, change: Change<'_>) {
    state(playground, |State { known, other, .. }| {
        for session in known
            .later_mut()
            .into_iter()
            .chain(other.iter_mut().flat_map(|(other, beyond)| std::iter::once(other).chain(beyond.later_mut())))
        {
            change(session);
        }
    });
}

/// Shows a moment of what is known.
pub fn stand(playground: Playground, moment: SimTime) {
    ensure(playground);
    seek_now(playground, moment);
}

/// Does the same to the beginnings of both runs and begins them again.
///
/// # Errors
/// Why one of them cannot begin so; nothing changes then.
pub fn begin_anew(playground: Playground, change: &dyn Fn(&mut Scenario)) -> Result<(), Failure> {
    let beginning = |session: &Session| {
        let mut scenario = session.as_beginning();
        change(&mut scenario);
        Recording { scenario, journal: Vec::new() }
    };
    let own = playground.with(beginning);
    let other = with_other(playground, |selected, other| OtherRun {
        recording: beginning(other),
        selected_is_b: selected == Letter::B,
    });
    if let Some(other) = &other {
        Session::replay(&other.recording)?;
    }
    let (table, ask) = (playground.table.get_untracked(), playground.ask.get_untracked());
    playground.load_recording(&own, &table, ask, 0)?;
    if let Some(other) = other {
        put_beside(playground, &other);
    }
    Ok(())
}

/// Puts the run of a link beside the one in the playground.
pub fn put_beside(playground: Playground, run: &OtherRun) {
    ensure(playground);
    let replayed = Session::replay(&run.recording).ok();
    both(playground, |session, state| {
        state.other = replayed.map(|(other, _)| (other, Known::default()));
        state.selected = if run.selected_is_b { Letter::B } else { Letter::A };
        state.follow(session.now());
    });
    playground.publish_all();
}

/// What the controls of the compared runs do.
pub fn choose(deed: &Deed, playground: Playground) {
    let letter = if deed.number("data-at") == 0 { Letter::A } else { Letter::B };
    match deed.is() {
        ("click", "select-run") => select(playground, letter),
        ("click", "keep-run") => keep(playground, letter),
        ("click", "restart-both") => restart_both(playground),
        _ => {}
    }
}
