//! Going back: what was is what a run that went no further comes to, however the way there was sliced.

use crate::shop::{Row, row};
use crate::time::{figures, open, stream};
use dynascope_engine::scenario::{Command, Recording};
use dynascope_engine::session::Session;
use dynascope_engine::sim::Stream;
use dynascope_engine::time::SimTime;
use proptest::prelude::*;
use serde_json::json;

/// Something typed.
#[derive(Clone, Debug)]
enum Typed {
    Put(Row),
    Delete(Row),
    Scan,
    Update(i64, i64),
    Traffic(Vec<Stream>),
}

fn typed() -> impl Strategy<Value = Typed> {
    prop_oneof![
        4 => row().prop_map(Typed::Put),
        1 => row().prop_map(Typed::Delete),
        1 => Just(Typed::Scan),
        1 => (1i64..4000, 1i64..9000).prop_map(|(read, write)| Typed::Update(read, write)),
        1 => proptest::collection::vec(stream(), 0..3).prop_map(Typed::Traffic),
    ]
}

impl Typed {
    fn send(&self, session: &mut Session) {
        let send = |session: &mut Session, operation: &str, input| drop(session.send(operation, &input));
        match self {
            Self::Put(row) => send(session, "PutItem", json!({"TableName": "shop", "Item": row.item()})),
            Self::Delete(row) => send(session, "DeleteItem", json!({"TableName": "shop", "Key": row.key()})),
            Self::Scan => send(session, "Scan", json!({"TableName": "shop", "Limit": 3})),
            Self::Update(read, write) => {
                let units = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
                send(session, "UpdateTable", json!({"TableName": "shop", "ProvisionedThroughput": units}));
            }
            Self::Traffic(streams) => session.set_traffic(streams.clone()).expect("good traffic"),
        }
    }
}

/// What is typed when, in order of time.
fn history() -> impl Strategy<Value = Vec<(SimTime, Typed)>> {
    proptest::collection::vec((prop_oneof![1 => Just(0u64), 3 => 0u64..900_000], typed()), 0..8).prop_map(|steps| {
        let mut at = SimTime::ZERO;
        let moved = steps.into_iter().map(|(gap, typed)| {
            at = at + gap;
            (at, typed)
        });
        moved.collect()
    })
}

/// A moment within a run, often one at which something was typed.
fn moments() -> impl Strategy<Value = Vec<(bool, u64)>> {
    proptest::collection::vec((any::<bool>(), 0u64..4_000_000), 1..5)
}

fn state(session: &Session) -> String {
    let items = session.database().iter().map(|table| table.arms.iter().map(|arm| &arm.entries).collect::<Vec<_>>());
    format!("{} {} {:?} {:?}", session.now(), figures(session), session.streams(), items.collect::<Vec<_>>())
}

/// The recording as it was at a moment, cut by hand.
fn cut(recording: &Recording, moment: SimTime) -> Recording {
    let mut journal = recording.journal.clone();
    let late = journal.iter().position(|command| matches!(command, Command::Advance { to, .. } if *to > moment));
    journal.truncate(late.map_or(journal.len(), |late| late));
    // Only what was typed keeps the requests of the moment itself.
    let whole = journal.iter().rposition(|command| !matches!(command, Command::Advance { .. })).map_or(0, |at| at + 1);
    journal.truncate(whole);
    Recording { scenario: recording.scenario.clone(), journal }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_was_is_what_a_run_straight_to_there_comes_to(
        seed: u64,
        throughput in proptest::option::of((1i64..4000, 1i64..9000)),
        streams in proptest::collection::vec(stream(), 1..4),
        history in history(),
        slices in proptest::collection::vec((0u64..400_000, prop_oneof![Just(u64::MAX), 0u64..3000]), 0..20),
        moments in moments(),
    ) {
        let open = || open(seed, throughput, &streams);
        let end = SimTime::from_secs(4);
        let mut session = open();
        let mut slices = slices.into_iter();
        let ends = history.iter().map(|(at, typed)| (*at, Some(typed))).chain([(end, None)]);
        for (at, typed) in ends {
            while session.now() < at {
                let (length, budget) = slices.next().unwrap_or((u64::MAX, u64::MAX));
                session.advance(at.min(session.now() + length), budget);
            }
            if let Some(typed) = typed {
                typed.send(&mut session);
            }
        }
        for (exact, micros) in moments {
            let moment = history.iter().map(|(at, _)| *at).filter(|at| exact && at.0 <= micros).max();
            let moment = moment.unwrap_or(SimTime(micros)).min(session.now());
            let mut straight = open();
            for (at, typed) in history.iter().filter(|(at, _)| *at <= moment) {
                if *at > straight.now() {
                    straight.advance(*at, u64::MAX);
                }
                typed.send(&mut straight);
            }
            if moment > straight.now() {
                straight.advance(moment, u64::MAX);
            }
            let before = state(&session);
            let mut seen = session.at(moment).expect("it was there once");
            prop_assert_eq!(state(&session), before, "the receiver is left alone");
            prop_assert_eq!(state(&seen), state(&straight));
            prop_assert_eq!(Session::replay(&seen.recording()).expect("it replays").0.report(), seen.report());
            for session in [&mut seen, &mut straight] {
                session.advance(end + SimTime::SECOND, u64::MAX);
            }
            prop_assert_eq!(state(&seen), state(&straight), "and so is its future");
        }
    }

    #[test]
    fn wherever_the_clock_was_stopped_it_is_what_the_journal_tells(
        seed: u64,
        streams in proptest::collection::vec(stream(), 1..4),
        steps in proptest::collection::vec((0u8..8, typed(), 0u64..600_000), 1..25),
        moments in moments(),
        back in 1usize..6,
    ) {
        let mut session = open(seed, Some((600, 400)), &streams);
        for (what, typed, length) in steps {
            match what {
                0 | 1 => typed.send(&mut session),
                2 => drop(session.undo()),
                3 => drop(session.redo()),
                4 => {
                    session.step();
                    session.step();
                }
                5 => drop(session.advance(session.now() + length, length % 5000)),
                _ => drop(session.advance(session.now() + length, u64::MAX)),
            }
        }
        for (exact, micros) in moments {
            let moment = if exact { SimTime(micros / 1_000_000 * 1_000_000) } else { SimTime(micros) };
            let moment = moment.min(session.now());
            let mut again = Session::replay(&cut(&session.recording(), moment)).expect("it was there once").0;
            if moment > again.now() {
                again.advance(moment, u64::MAX);
            }
            prop_assert_eq!(state(&session.at(moment).expect("it was there once")), state(&again));
        }
        let mut then = session;
        for _ in 0..back {
            let answered = |session: &Session| {
                let events = session.journal().iter().map(|command| match command {
                    Command::Advance { events, .. } => *events,
                    _ => 0,
                });
                events.sum::<u64>()
            };
            let Some(earlier) = then.step_back().expect("it was there once") else {
                prop_assert_eq!(answered(&then), 0);
                break;
            };
            prop_assert_eq!(answered(&earlier) + 1, answered(&then));
            prop_assert!(earlier.now() <= then.now());
            let mut forward = earlier.clone();
            prop_assert_eq!(forward.step().map(|arrival| arrival.at), Some(earlier.now()));
            then = earlier;
        }
    }

    #[test]
    fn a_fork_goes_its_own_way(
        seed: u64,
        streams in proptest::collection::vec(stream(), 1..4),
        common in history(),
        own in proptest::collection::vec(typed(), 1..4),
        split in 0u64..3_000_000,
    ) {
        let mut session = open(seed, Some((600, 400)), &streams);
        for (at, typed) in &common {
            session.advance(*at, u64::MAX);
            typed.send(&mut session);
        }
        session.advance(session.now() + split, u64::MAX);
        let (before, mut alike, mut other) = (state(&session), session.clone(), session.clone());
        for typed in &own {
            typed.send(&mut other);
        }
        other.undo();
        other.advance(other.now() + SimTime::SECOND, u64::MAX);
        drop(other.at(SimTime(split)).expect("it was there once"));
        prop_assert_eq!(state(&session), before, "the original is left alone");
        for session in [&mut session, &mut alike] {
            session.advance(session.now() + SimTime::SECOND, u64::MAX);
        }
        prop_assert_eq!(state(&session), state(&alike));
        let seen = |session: &Session| state(&session.at(SimTime(split / 2)).expect("it was there once"));
        prop_assert_eq!(seen(&session), seen(&alike));
    }
}
