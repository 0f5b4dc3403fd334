//! However the way is sliced, and done again from a recording, a run comes to the same figures.

use crate::shop::{self, row};
use dynascope_engine::scenario::{Recording, Scenario};
use dynascope_engine::session::Session;
use dynascope_engine::sim::{RunningStream, Stream, StreamOperation};
use dynascope_engine::time::SimTime;
use proptest::prelude::*;
use serde_json::json;

fn stream() -> impl Strategy<Value = Stream> {
    let key = prop_oneof![
        Just("HOT".to_owned()),
        (0u8..30).prop_map(|last| format!("K#{{0..{last}}}")),
        (1u32..5000).prop_map(|last| format!("K#{{random 0..{last}}}")),
        Just("K#{seq}".to_owned()),
    ];
    let end = proptest::option::of(0u64..4_000_000);
    (key, 0u64..6000, 1u64..5000, any::<bool>(), any::<bool>(), 0u64..2_000_000, end).prop_map(
        |(key, rate_per_second, item_bytes, read, consistent, start, end)| Stream {
            table: "shop".into(),
            operation: if read { StreamOperation::GetItem } else { StreamOperation::PutItem },
            key,
            item_bytes,
            rate_per_second,
            consistent,
            start: SimTime(start),
            end: end.map(SimTime),
        },
    )
}

fn open(seed: u64, throughput: Option<(i64, i64)>, streams: &[Stream]) -> Session {
    let scenario = json!({
        "version": 1, "seed": seed, "traffic": streams, "tables": [{"create": shop::create(throughput)}],
    });
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    Session::new(scenario).expect("the shop opens")
}

fn figures(session: &Session) -> String {
    serde_json::to_string(&session.report()).expect("figures are JSON")
}

/// One step of a sliced run: forward by so much, with so much budget.
fn slices() -> impl Strategy<Value = Vec<(u64, u64)>> {
    proptest::collection::vec((0u64..700_000, prop_oneof![Just(u64::MAX), 0u64..300]), 0..25)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn slicing_changes_nothing(
        seed: u64,
        throughput in proptest::option::of((1i64..4000, 1i64..9000)),
        streams in proptest::collection::vec(stream(), 1..4),
        slices in slices(),
    ) {
        let end = SimTime::from_secs(3);
        let mut whole = open(seed, throughput, &streams);
        prop_assert!(whole.advance(end, u64::MAX).reached);
        let mut sliced = open(seed, throughput, &streams);
        let mut events = 0;
        for (length, budget) in slices {
            let until = (sliced.now() + length).min(end);
            events += sliced.advance(until, budget).events;
        }
        events += sliced.advance(end, u64::MAX).events;
        prop_assert_eq!(figures(&sliced), figures(&whole));
        prop_assert_eq!(sliced.journal(), whole.journal(), "neighbouring advances are one");
        let arrivals: u64 = sliced.streams().iter().map(RunningStream::arrived).sum();
        prop_assert_eq!(events, arrivals);
        let totals = sliced.telemetry("shop", None).expect("the shop").total;
        prop_assert_eq!(totals.reads + totals.writes + totals.refused_reads + totals.refused_writes, arrivals);
    }

    #[test]
    fn a_recording_replays_to_the_same_figures_items_and_outcomes(
        seed: u64,
        streams in proptest::collection::vec(stream(), 0..3),
        later in proptest::collection::vec(stream(), 0..3),
        steps in proptest::collection::vec((0u8..8, row(), 0u64..400_000), 1..30),
    ) {
        let mut session = open(seed, Some((60, 40)), &streams);
        for (what, row, length) in steps {
            let key = json!({"TableName": "shop", "Key": row.key()});
            match what {
                0 => drop(session.send("PutItem", &json!({"TableName": "shop", "Item": row.item()}))),
                1 => drop(session.send("DeleteItem", &key)),
                2 => drop(session.send("GetItem", &key)),
                3 => drop(session.send("Scan", &json!({"TableName": "shop", "Limit": 3}))),
                4 => drop(session.undo()),
                5 => drop(session.redo()),
                6 => drop(session.step()),
                _ => drop(session.advance(session.now() + length, if length % 2 == 0 { 50 } else { u64::MAX })),
            }
            if length < 20_000 {
                session.set_traffic(later.clone()).expect("good traffic");
            }
        }
        let text = serde_json::to_string(&session.recording()).expect("a recording is JSON");
        let recording: Recording = serde_json::from_str(&text).expect("a recording reads back");
        let (again, _) = Session::replay(&recording).expect("it was done once already");
        prop_assert_eq!(figures(&again), figures(&session));
        prop_assert_eq!(again.now(), session.now());
        let items = |session: &Session| {
            let table = session.database().get("shop").expect("the shop").clone();
            table.arms.into_iter().map(|arm| arm.entries).collect::<Vec<_>>()
        };
        prop_assert_eq!(items(&again), items(&session));
    }
}
