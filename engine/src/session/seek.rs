//! Seeking back: the session as it stood at an earlier moment, by doing again what the journal tells up to it.
//!
//! The way begins at the last snapshot before the moment, if there is one, and at the scenario otherwise; both lead to
//! the same. The receiver is left alone. A *fork* is a clone: it has the same past, and what is done to one of the two
//! from then on does not reach the other.

use super::Session;
use super::snapshots::{Place, Snapshot};
use crate::diagnostic::Failure;
use crate::operation::Request;
use crate::scenario::Command;
use crate::time::SimTime;

/// How much of a journal is done again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    /// Commands from the beginning.
    whole: usize,
    /// At most so many generated requests of the advance after them.
    events: u64,
    /// The requests of the advance are those before this moment, at which the clock then stands; `None` lets it stand
    /// at the moment of the request that would be next.
    until: Option<SimTime>,
}

impl Cut {
    /// Does the way to it lead past a snapshot?
    fn is_behind(&self, snapshot: &Snapshot) -> bool {
        let Place { commands, requests } = snapshot.place;
        // The last request answered in it must be before the moment.
        let is_before = requests == 0 || self.until.is_none_or(|until| snapshot.state.now < until);
        commands < self.whole || commands == self.whole && requests <= self.events && is_before
    }
}

impl Session {
    /// The session as it stood at `moment`, its journal being what had been done until then; of a moment that is
    /// still to come, as it stands now.
    ///
    /// It is as [`Session::advance`] until `moment` leaves it: of the generated requests those before the moment are
    /// answered. Requests and traffic that were sent at that very moment are part of it, and so are the generated
    /// requests of that microsecond answered before them, but none after the last of them. So it does not matter
    /// where the clock was stopped on the way. Writes that can be undone here and are part of it can be undone there.
    ///
    /// What was done by [`Session::run`], which keeps no journal, is not there.
    ///
    /// # Errors
    /// As [`Session::replay`]; a session that has come this far does not fail to come there again.
    pub fn at(&self, moment: SimTime) -> Result<Self, Failure> {
        let moment = moment.min(self.now());
        let mut whole = 0;
        for (place, command) in self.journal.iter().enumerate() {
            match command {
                Command::Advance { to, .. } if *to > moment => break,
                Command::Advance { .. } => {}
                Command::Send(_) | Command::Traffic(_) => whole = place + 1,
            }
        }
        let events = match self.journal.get(whole) {
            Some(Command::Advance { events, .. }) => *events,
            _ => 0,
        };
        self.again(Cut { whole, events, until: Some(moment) })
    }

    /// The session just before the generated request that was answered last: the clock stands at its moment, and
    /// [`Session::step`] answers it again. Requests typed after it are not part of it. `None` if no generated request
    /// has been answered.
    ///
    /// # Errors
    /// As [`Session::at`].
    pub fn step_back(&self) -> Result<Option<Self>, Failure> {
        for (whole, command) in self.journal.iter().enumerate().rev() {
            if let Command::Advance { events: answered @ 1.., .. } = command {
                return self.again(Cut { whole, events: answered - 1, until: None }).map(Some);
            }
        }
        Ok(None)
    }

    /// Does the journal again up to a cut, from the last snapshot before it.
    fn again(&self, cut: Cut) -> Result<Self, Failure> {
        let nearest = self.snapshots.last(|snapshot| cut.is_behind(snapshot));
        let (mut session, from) = match nearest {
            Some(snapshot) => (self.standing_at(snapshot), snapshot.place),
            None => (Self::new(self.scenario().clone())?, Place { commands: 0, requests: 0 }),
        };
        // Of the first command a part may be done already.
        let mut done = from.requests;
        for command in self.journal.get(from.commands..cut.whole).unwrap_or_default() {
            session.repeat(command, done)?;
            done = 0;
        }
        session.go_on(cut.events - done.min(cut.events), cut.until);
        session.undo = self.undo.iter().filter(|step| step.journal < cut.whole).cloned().collect();
        Ok(session)
    }

    fn standing_at(&self, snapshot: &Snapshot) -> Self {
        let Place { commands, requests } = snapshot.place;
        let mut journal = self.journal.get(..commands).unwrap_or_default().to_vec();
        if requests > 0 {
            journal.push(Command::Advance { events: requests, to: snapshot.state.now });
        }
        Self {
            scenario: self.scenario.clone(),
            physics: self.physics.clone(),
            state: snapshot.state.clone(),
            journal,
            undo: Vec::new(),
            redo: Vec::new(),
            snapshots: self.snapshots.up_to(snapshot.place),
        }
    }

    /// Does a command again, but for `done` generated requests of it, and without a way to undo it.
    fn repeat(&mut self, command: &Command, done: u64) -> Result<(), Failure> {
        match command {
            Command::Send(envelope) => {
                // What cannot be read changed nothing and is not noted.
                if let Ok(request) = Request::from_json(&envelope.operation, &envelope.input) {
                    self.count_typed();
                    self.run_noted(&request, envelope.input.clone());
                }
                Ok(())
            }
            Command::Advance { events, to } => {
                self.advance_again(events.saturating_sub(done), *to);
                Ok(())
            }
            Command::Traffic(streams) => self.set_traffic(streams.clone()),
        }
    }

    /// Goes a part of an advance's way, and notes it unless it led nowhere.
    fn go_on(&mut self, events: u64, until: Option<SimTime>) {
        let before = self.now();
        let done = self.run_events(events, until.unwrap_or(SimTime::MAX));
        if let Some(until) = until.or_else(|| Some(self.next_arrival()?.0)) {
            self.stand_at(until);
        }
        if done > 0 || self.now() > before {
            self.note_advance(done);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use serde_json::json;

    const SECOND: u64 = SimTime::SECOND;

    /// A write every half second, two at once at whole seconds.
    fn session() -> Session {
        let scenario: Scenario = serde_json::from_value(json!({
            "version": 1,
            "tables": [{"create": {
                "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
            }}],
            "traffic": [
                {"table": "app", "key": "a", "rate_per_second": 2}, {"table": "app", "key": "b", "rate_per_second": 1},
            ],
        }))
        .unwrap();
        Session::new(scenario).unwrap()
    }

    fn put(session: &mut Session, key: &str) {
        let outcome = session.send("PutItem", &json!({"TableName": "app", "Item": {"PK": {"S": key}}}));
        assert!(outcome.result.is_ok());
    }

    fn writes(session: &Session) -> u64 {
        session.telemetry("app", None).unwrap().total.writes
    }

    #[test]
    fn requests_before_the_moment_and_those_typed_at_it_are_there() {
        let mut session = session();
        session.advance(SimTime(2 * SECOND), u64::MAX);
        put(&mut session, "x");
        session.advance(SimTime(5 * SECOND), u64::MAX);
        // Three a second; one typed at 2 s.
        for (at, expected) in [(0, 0), (1, 2), (SECOND, 3), (2 * SECOND - 1, 6), (2 * SECOND, 7), (2 * SECOND + 1, 9)] {
            let then = session.at(SimTime(at)).unwrap();
            assert_eq!((then.now(), writes(&then)), (SimTime(at), expected));
            let again = Session::replay(&then.recording()).unwrap().0;
            assert_eq!((again.report(), again.streams().len()), (then.report(), 2));
        }
        assert_eq!(session.at(SimTime::MAX).unwrap().report(), session.report(), "what is to come is not known");
        let mut then = session.at(SimTime(2 * SECOND)).unwrap();
        assert!(then.undo(), "what can be undone now can be undone there");
        assert_eq!(writes(&then), 6);
        assert!(!session.at(SimTime(SECOND)).unwrap().can_undo());
        then.advance(SimTime(5 * SECOND), u64::MAX);
        assert_eq!((writes(&then), writes(&session)), (15, 16), "each has its own future");
    }

    #[test]
    fn a_clock_stopped_within_a_microsecond_counts_only_if_something_was_typed_there() {
        let mut session = session();
        session.advance(SimTime(SECOND), u64::MAX);
        session.step();
        let at = |session: &Session| writes(&session.at(SimTime(SECOND)).unwrap());
        assert_eq!((writes(&session), at(&session)), (4, 3));
        put(&mut session, "x");
        session.step();
        assert_eq!((writes(&session), at(&session)), (6, 5), "the step before the typed request, not the one after");
    }

    #[test]
    fn one_request_back_and_again() {
        let mut session = session();
        assert!(session.step_back().unwrap().is_none());
        session.advance(SimTime(SECOND + 300), u64::MAX);
        put(&mut session, "x");
        // The last of the two at 1 s, then the first of them, then the one at 0.5 s.
        for (at, stream, left) in [(SECOND, 1, 4), (SECOND, 0, 3), (SECOND / 2, 0, 2)] {
            session = session.step_back().unwrap().unwrap();
            assert_eq!((session.now(), writes(&session)), (SimTime(at), left));
            let arrival = session.clone().step().unwrap();
            assert_eq!((arrival.at, arrival.stream), (SimTime(at), stream));
        }
        let again = Session::replay(&session.recording()).unwrap().0;
        assert_eq!(again.report(), session.report());
    }
}
