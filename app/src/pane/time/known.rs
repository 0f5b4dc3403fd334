//! What is known of a run beyond the moment that is shown: the same run, as far as it came.
//!
//! The clock can be moved back and forth in it. A session goes on through what is known by doing again, each at its
//! moment, what was done in it; only something new that is done on the way lets the rest go.

use dynascope_engine::scenario::Command;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;

/// What lies beyond the session it belongs to, if anything.
#[derive(Debug, Default)]
pub struct Known {
    /// The run as far as it came.
    later: Option<Session>,
    /// Requests and changes of traffic that the session has in common with it.
    edits: usize,
}

impl Known {
    /// The run as far as it is known: the later state if there is one.
    pub fn whole<'a>(&'a self, session: &'a Session) -> &'a Session {
        self.later.as_ref().unwrap_or(session)
    }

    /// What lies beyond the session.
    pub const fn later(&self) -> Option<&Session> {
        self.later.as_ref()
    }

    /// The same, to be changed as the session is.
    pub const fn later_mut(&mut self) -> Option<&mut Session> {
        self.later.as_mut()
    }

    /// Is there anything beyond the session?
    #[cfg(test)]
    const fn is_earlier(&self) -> bool {
        self.later.is_some()
    }

    /// Moves the session to a moment of what is known, or to its end if that comes first.
    pub fn seek(&mut self, session: &mut Session, moment: SimTime) {
        if moment >= self.whole(session).now() {
            self.return_to_end(session);
            return;
        }
        let Ok(earlier) = self.whole(session).at(moment) else { return };
        self.stand(session, earlier);
    }

    /// Moves the session back by one generated request; false if there is none.
    pub fn step_back(&mut self, session: &mut Session) -> bool {
        let Ok(Some(earlier)) = session.step_back() else { return false };
        self.stand(session, earlier);
        true
    }

    /// Puts the session at an earlier state of itself.
    fn stand(&mut self, session: &mut Session, earlier: Session) {
        let before = std::mem::replace(session, earlier);
        self.later.get_or_insert(before);
        self.edits = edits(session);
    }

    fn return_to_end(&mut self, session: &mut Session) {
        if let Some(later) = self.later.take() {
            *session = later;
        }
    }

    /// Moves the session towards `until` as [`Session::advance`] does, through what is known and on beyond it; true if
    /// it got there.
    pub fn advance(&mut self, session: &mut Session, until: SimTime, budget: u64) -> bool {
        let Some(later) = self.later.as_ref() else { return session.advance(until, budget).reached };
        if until < later.now() {
            let reached = follow(session, later, until, budget);
            self.edits = edits(session);
            return reached;
        }
        self.return_to_end(session);
        session.advance(until, budget).reached
    }

    /// Answers one generated request, or moves a second on if there are none.
    pub fn step(&mut self, session: &mut Session) {
        if let Some(later) = &self.later {
            // What was done here before the next request is done again.
            while let Some((events, at, command)) = next_edit(session, later)
                && events <= answered(session)
                && at <= session.now()
            {
                // It could be done before.
                let _ = session.apply(command);
            }
            self.edits = edits(session);
        }
        let until = session.now() + SimTime::SECOND;
        let is_over = session.step().is_none();
        if is_over {
            self.advance(session, until, u64::MAX);
        } else if self.later.as_ref().is_some_and(|later| answered(session) >= answered(later)) {
            self.return_to_end(session);
        }
    }

    /// Lets what is known go if something else was done meanwhile; how far it had come then.
    pub fn let_go(&mut self, session: &Session) -> Option<SimTime> {
        let end = self.later.as_ref()?.now();
        if edits(session) == self.edits {
            return None;
        }
        *self = Self::default();
        Some(end)
    }
}

/// Moves a session towards `until` by doing what `later`, a later state of it, has in its journal; true if it got there.
fn follow(session: &mut Session, later: &Session, until: SimTime, budget: u64) -> bool {
    let mut left = budget;
    while let Some((events, at, command)) = next_edit(session, later).filter(|(_, at, _)| *at <= until) {
        let ahead = events.saturating_sub(answered(session));
        if ahead > left {
            return session.advance(until, left).reached;
        }
        left -= ahead;
        // Each of them could be done before. A journal notes no way that leads nowhere.
        if ahead > 0 || at > session.now() {
            let _ = session.apply(&Command::Advance { events: ahead, to: at });
        }
        let _ = session.apply(command);
    }
    session.now() >= until || session.advance(until, left).reached
}

/// Requests and changes of traffic.
fn edits(session: &Session) -> usize {
    session.edits().count()
}

/// Generated requests that have been answered.
fn answered(session: &Session) -> u64 {
    let events = |command: &Command| if let Command::Advance { events, .. } = command { *events } else { 0 };
    session.journal().iter().map(events).sum()
}

/// What was done next in `later`: after how many generated requests, when, and what.
fn next_edit<'a>(session: &Session, later: &'a Session) -> Option<(u64, SimTime, &'a Command)> {
    let mut done = edits(session);
    let (mut events, mut at) = (0, SimTime::ZERO);
    for command in later.journal() {
        match command {
            Command::Advance { events: more, to } => (events, at) = (events + more, at.max(*to)),
            _ if done == 0 => return Some((events, at, command)),
            _ => done -= 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pane::partitions::tests::queue;
    use serde_json::json;

    fn double(session: &mut Session) {
        let update = json!({
            "TableName": "jobs", "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 6_666},
        });
        session.send("UpdateTable", &update).result.expect("a larger table");
    }

    /// Twelve seconds, the table doubled on the way.
    fn run() -> Session {
        let mut session = queue(None);
        session.advance(SimTime(3_210_000), u64::MAX);
        double(&mut session);
        session.advance(SimTime(12_000_000), u64::MAX);
        session
    }

    #[test]
    fn back_and_forth_is_the_same_run() {
        let whole = run();
        let (mut session, mut known) = (whole.clone(), Known::default());
        for moment in [7_000_000, 3_209_999, 3_210_000, 1, 0, 11_999_999, 250_000] {
            known.seek(&mut session, SimTime(moment));
            let exact = whole.at(SimTime(moment)).expect("an earlier moment");
            assert_eq!(session.report(), exact.report(), "at {moment}");
            assert_eq!(known.whole(&session).now(), whole.now());
            assert_eq!(known.let_go(&session), None);
        }
        known.seek(&mut session, SimTime::MAX);
        assert!(!known.is_earlier());
        assert_eq!(session.report(), whole.report());
    }

    #[test]
    fn played_again_it_does_again_what_was_done_on_the_way() {
        let whole = run();
        let (mut session, mut known) = (whole.clone(), Known::default());
        known.seek(&mut session, SimTime(2_000_000));
        while !known.advance(&mut session, SimTime(11_000_000), 512) {}
        assert_eq!(session.report(), whole.at(SimTime(11_000_000)).expect("earlier").report());
        assert!(known.is_earlier() && known.let_go(&session).is_none());
        known.advance(&mut session, SimTime(13_000_000), u64::MAX);
        assert!(!known.is_earlier(), "what is known has been passed");
        let mut on = run();
        on.advance(SimTime(13_000_000), u64::MAX);
        assert_eq!(session.report(), on.report());
    }

    #[test]
    fn something_new_lets_the_rest_go() {
        let (mut session, mut known) = (run(), Known::default());
        known.seek(&mut session, SimTime(2_000_000));
        session.set_traffic(Vec::new()).expect("no traffic");
        assert_eq!(known.let_go(&session), Some(SimTime(12_000_000)));
        assert!(!known.is_earlier());
    }

    #[test]
    fn one_request_back_and_again() {
        let whole = run();
        let (mut session, mut known) = (whole.clone(), Known::default());
        for _ in 0..3 {
            assert!(known.step_back(&mut session));
        }
        assert_eq!(answered(&session), 60_000 - 3);
        for _ in 0..3 {
            known.step(&mut session);
        }
        assert!(!known.is_earlier());
        assert_eq!(session.report(), whole.report());
    }
}
