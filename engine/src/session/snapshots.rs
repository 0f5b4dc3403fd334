//! Snapshots: states kept as a session runs, so that seeking back does not have to begin at the beginning.
//!
//! One is kept after so many requests; when there are too many, every other is dropped and the distance doubles. So a
//! run of any length has a bounded number of them, and a seek does a bounded share of the run again. Nothing that can
//! be observed depends on them: a session without any comes to the same by a longer way. Clones share them.

use super::{Session, State};
use crate::capacity::Physics;
use crate::metrics::{MINUTES_KEPT, PARTITION_SECONDS, TABLE_SECONDS};
use crate::scenario::Command;
use std::sync::Arc;

/// Snapshots kept at a time.
const MOST: usize = 32;
/// What they may take in all, as [`State::weight_bytes`] counts it.
const MOST_BYTES: u64 = 64 << 20;
/// Tables with more items are not copied, neither for this nor for undo.
pub(super) const MOST_ITEMS: usize = 20_000;
/// Generated requests between two snapshots at first.
const FIRST_DISTANCE: u64 = 4_096;
/// A typed request is as much work as so many generated ones, about.
const TYPED_WORK: u64 = 8;
/// So many bytes of a state are copied in the time of one generated request, about, if that is to be a small part of
/// the work.
const BYTES_A_REQUEST: u64 = 64;

/// A place in the journal: so many commands, and so many generated requests of the advance after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub commands: usize,
    pub requests: u64,
}

/// The state at a place.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub place: Place,
    pub state: State,
}

/// The snapshots of a session, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Snapshots {
    kept: Vec<Arc<Snapshot>>,
    /// Work done since the last was kept, and how much of it there has to be before the next.
    since: u64,
    due: u64,
    distance: u64,
    /// So many bytes are copied in the time of one generated request.
    bytes_a_request: u64,
    /// Something was done that the journal does not tell of.
    are_off: bool,
}

impl Default for Snapshots {
    fn default() -> Self {
        Self::spaced(FIRST_DISTANCE, BYTES_A_REQUEST)
    }
}

impl Snapshots {
    const fn spaced(distance: u64, bytes_a_request: u64) -> Self {
        Self { kept: Vec::new(), since: 0, due: distance, distance, bytes_a_request, are_off: false }
    }

    /// Counts work; is it time for a snapshot?
    #[inline]
    const fn is_due(&mut self, work: u64) -> bool {
        self.since += work;
        self.since >= self.due
    }

    /// The last one that is good for something.
    pub(super) fn last(&self, is_good: impl Fn(&Snapshot) -> bool) -> Option<&Arc<Snapshot>> {
        self.kept.iter().rev().find(|snapshot| is_good(snapshot))
    }

    /// Those up to a place, for a session that stands there.
    pub(super) fn up_to(&self, place: Place) -> Self {
        let kept = self.kept.iter().filter(|snapshot| snapshot.place <= place).cloned().collect();
        Self { kept, are_off: self.are_off, ..Self::spaced(self.distance, self.bytes_a_request) }
    }

    /// Forgets what lies behind the end of a journal that was cut.
    pub(super) fn cut(&mut self, commands: usize) {
        self.kept.retain(|snapshot| snapshot.place <= Place { commands, requests: 0 });
    }

    /// Keeps none from now on: the journal no longer tells everything.
    pub(super) fn stop(&mut self) {
        self.kept.clear();
        self.are_off = true;
    }

    /// Drops every other, until there is room for one more among `most`.
    fn make_room(&mut self, most: usize) {
        while self.kept.len() >= most {
            let mut at = 0;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 0
            });
            self.distance = self.distance.saturating_mul(2);
        }
    }
}

impl Session {
    /// Keeps a snapshot if it is time for one, before generated request number `done` of an advance that is not noted
    /// yet.
    #[inline]
    pub(super) fn count_generated(&mut self, done: u64) {
        if self.snapshots.is_due(1) {
            let place = match self.journal.last() {
                // Neighbouring advances become one.
                Some(Command::Advance { events, .. }) => {
                    Place { commands: self.journal.len() - 1, requests: events + done }
                }
                _ => Place { commands: self.journal.len(), requests: done },
            };
            self.keep_snapshot(place);
        }
    }

    /// The same before a typed request.
    pub(super) fn count_typed(&mut self) {
        if self.snapshots.is_due(TYPED_WORK) {
            self.keep_snapshot(Place { commands: self.journal.len(), requests: 0 });
        }
    }

    fn keep_snapshot(&mut self, place: Place) {
        let weight = self.state.weight_bytes(&self.physics);
        let most = MOST.min((MOST_BYTES / weight) as usize);
        let snapshots = &mut self.snapshots;
        // A large state is copied less often.
        let distance = weight / snapshots.bytes_a_request;
        if distance > snapshots.since {
            snapshots.due = distance;
            return;
        }
        (snapshots.since, snapshots.due) = (0, snapshots.distance);
        if snapshots.are_off || most < 2 || self.state.items() > MOST_ITEMS {
            return;
        }
        snapshots.make_room(most);
        snapshots.due = snapshots.distance;
        snapshots.kept.push(Arc::new(Snapshot { place, state: self.state.clone() }));
    }
}

impl State {
    /// Items of all tables.
    pub(super) fn items(&self) -> usize {
        self.database.iter().map(|table| table.base().entries.len()).sum()
    }

    /// About what a copy takes: items themselves are shared.
    fn weight_bytes(&self, physics: &Physics) -> u64 {
        const BASE: u64 = 4_096;
        const ENTRY: u64 = 80;
        const PARTITION: u64 = 1_024;
        const SECOND: u64 = 48;
        const MINUTE: u64 = 64;
        const SAMPLE: u64 = 80;
        /// Samples that a partition keeps of where its heat lies.
        const SAMPLES: u64 = 4_096;
        const WAITING: u64 = 48;
        let seconds = self.now.second() + 1;
        let minutes = (seconds / 60).min(MINUTES_KEPT);
        let mut bytes = BASE;
        for table in self.database.iter() {
            let slot = self.database.slot(&table.schema.name).unwrap_or(0);
            bytes += ENTRY * table.locals.iter().map(|entries| entries.len() as u64).sum::<u64>();
            for (at, arm) in table.arms.iter().enumerate() {
                let partitions = arm.partitions.len() as u64;
                let taken = self.metrics.arm(slot, at).map_or(0, |arm| arm.total.read.0 + arm.total.write.0) as u64;
                let samples = (taken / (2 * physics.sample_units.max(1) as u64)).min(partitions * SAMPLES);
                bytes += ENTRY * arm.entries.len() as u64 + SAMPLE * samples;
                bytes += SECOND * seconds.min(TABLE_SECONDS as u64) + MINUTE * minutes;
                bytes += partitions * (PARTITION + SECOND * seconds.min(PARTITION_SECONDS as u64));
            }
        }
        bytes + WAITING * self.streams.iter().map(crate::sim::RunningStream::waiting).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::time::SimTime;
    use serde_json::json;

    fn session(rate: u64) -> Session {
        let scenario: Scenario = serde_json::from_value(json!({
            "version": 1, "physics": "classroom",
            "tables": [{"create": {
                "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
            }}],
            "traffic": [
                {"table": "app", "key": "K#{random 0..99}", "rate_per_second": rate, "client": "sdk-standard"},
                {"table": "app", "key": "b", "operation": "GetItem", "rate_per_second": 7},
            ],
        }))
        .unwrap();
        Session::new(scenario).unwrap()
    }

    fn put(session: &mut Session, key: u64) {
        session.send("PutItem", &json!({"TableName": "app", "Item": {"PK": {"S": key.to_string()}}}));
    }

    fn figures(session: &Session) -> String {
        let items: Vec<_> = session.database().iter().map(|table| &table.base().entries).collect();
        let report = serde_json::to_string(&session.report()).unwrap();
        format!("{} {report} {:?} {items:?} {:?}", session.now(), session.streams(), session.journal())
    }

    /// A run with everything in it, and wherever one goes back to, the same comes of it without any snapshot.
    #[test]
    fn a_seek_comes_to_the_same_with_and_without_snapshots() {
        let mut session = session(40);
        session.snapshots = Snapshots::spaced(5, u64::MAX);
        for round in 0..60 {
            match round % 7 {
                0 | 3 => put(&mut session, round % 11),
                1 | 4 => drop(session.advance(session.now() + 700_000, u64::MAX)),
                2 => drop(session.advance(session.now() + 900_000, 11)),
                5 => {
                    session.step();
                    session.step();
                }
                _ if round % 2 == 0 => {
                    session.undo();
                    session.step();
                    session.undo();
                    session.redo();
                }
                _ => session.set_traffic(session.scenario().traffic.clone()).unwrap(),
            }
        }
        let (kept, mut plain) = (session.snapshots.kept.len(), session.clone());
        assert!((8..=MOST).contains(&kept), "{kept}");
        plain.snapshots.stop();
        for at in (0..session.now().0).step_by(123_457).chain((0..9).map(|second| second * SimTime::SECOND)) {
            let (seen, again) = (session.at(SimTime(at)).unwrap(), plain.at(SimTime(at)).unwrap());
            assert_eq!(figures(&seen), figures(&again));
        }
        for _ in 0..40 {
            let Some(back) = session.step_back().unwrap() else { break };
            plain = plain.step_back().unwrap().unwrap();
            session = back;
            assert_eq!(figures(&session), figures(&plain));
        }
    }

    #[test]
    fn traffic_that_stores_has_them_too() {
        let mut session = session(40);
        let mut streams: Vec<_> = session.streams().iter().map(|running| running.stream.clone()).collect();
        streams[0].store = true;
        session.set_traffic(streams).unwrap();
        session.snapshots = Snapshots::spaced(5, u64::MAX);
        session.advance(SimTime::from_secs(5), u64::MAX);
        assert!(session.snapshots.kept.len() > 1);
        let mut plain = session.clone();
        plain.snapshots.stop();
        for at in [1, 2_500_000, 4_999_999].map(SimTime) {
            assert_eq!(figures(&session.at(at).unwrap()), figures(&plain.at(at).unwrap()));
        }
    }

    #[test]
    fn there_are_never_more_than_so_many_and_a_seek_does_little_again() {
        let mut session = session(5_000);
        session.advance(SimTime::from_secs(100), u64::MAX);
        let places: Vec<u64> = session.snapshots.kept.iter().map(|snapshot| snapshot.place.requests).collect();
        assert!((MOST / 3..=MOST).contains(&places.len()), "{places:?}");
        let Some(Command::Advance { events, .. }) = session.journal().last() else { panic!("it advanced") };
        let longest = places.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        assert!(longest <= events / 8 && events - places.last().unwrap() <= events / 8, "{events}: {places:?}");
    }

    #[test]
    fn a_clone_shares_them_and_neither_large_tables_nor_what_no_journal_tells_have_any() {
        let mut session = session(5_000);
        session.advance(SimTime::from_secs(5), u64::MAX);
        let fork = session.clone();
        assert!(fork.snapshots.kept.iter().zip(&session.snapshots.kept).all(|(one, other)| Arc::ptr_eq(one, other)));
        let before = session.snapshots.kept.len();
        for key in 0..=MOST_ITEMS as u64 {
            let mut item = crate::value::Item::new();
            item.set("PK", key.to_string().as_str().into());
            session.load_item(0, item).unwrap();
        }
        session.advance(SimTime::from_secs(10), u64::MAX);
        assert_eq!(session.snapshots.kept.len(), before);
        let request = crate::operation::Request::from_json("Scan", &json!({"TableName": "app"})).unwrap();
        let mut fork = fork;
        fork.run(&request);
        assert_eq!(fork.snapshots.kept.len(), 0);
    }
}
