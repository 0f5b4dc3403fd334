//! Auto scaling: whatever happens and however the way is sliced, the same comes of it, within its bounds.

use crate::shop;
use dynascope_engine::background::ScalingOutcome;
use dynascope_engine::capacity::Side;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

const ARMS: [Option<&str>; 4] = [None, Some("all"), Some("keys"), Some("some")];

fn tracking() -> impl Strategy<Value = Json> {
    (1i64..60, 0i64..200, 20i64..91)
        .prop_map(|(min, more, target)| json!({"min": min, "max": min + more, "target_percent": target}))
}

/// Some of the arms, each with reads, writes or both.
fn scaling() -> impl Strategy<Value = Vec<Json>> {
    let sides = || (proptest::option::of(tracking()), proptest::option::of(tracking()));
    proptest::collection::vec(sides(), ARMS.len()).prop_map(|arms| {
        let scaled = arms.into_iter().zip(ARMS).filter(|((read, write), _)| read.is_some() || write.is_some());
        let scaled = scaled.map(|((read, write), index)| {
            let mut scaling = json!({"table": "shop"});
            let members = [("index", index.map(Json::from)), ("read", read), ("write", write)];
            for (name, value) in members.into_iter().filter_map(|(name, value)| Some((name, value?))) {
                scaling[name] = value;
            }
            scaling
        });
        scaled.collect()
    })
}

/// Writes and reads of an index whose rates change every few minutes, also to nothing.
fn traffic() -> impl Strategy<Value = Json> {
    let rates = || {
        let rate = prop_oneof![1 => Just(0u64), 3 => 0u64..40];
        let lines = proptest::collection::btree_map((0u64..40).prop_map(|minute| minute * 60), rate, 1..6);
        lines.prop_map(|lines| lines.into_iter().collect::<Vec<_>>())
    };
    (rates(), rates()).prop_map(|(writes, reads)| {
        json!([
            {"table": "shop", "key": "{0..99}", "profile": {"replay": writes}},
            {"table": "shop", "operation": "Query", "index": "keys", "key": "{0..9}", "profile": {"replay": reads},
                "client": "sdk-standard"},
        ])
    })
}

fn seen(session: &Session) -> String {
    let mut text = format!("{} {:?}", session.now(), session.next_event());
    for index in ARMS {
        let telemetry = serde_json::to_string(&session.telemetry("shop", index)).expect("figures are JSON");
        let minutes = session.cloudwatch("shop", index);
        let (splits, scaling) = (session.splits("shop", index), session.scaling("shop", index));
        let _ = write!(text, "\n{telemetry} {minutes:?} {splits:?} {scaling:?}");
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn slicing_changes_nothing_and_the_bounds_hold(
        classroom: bool,
        throughput in (1i64..200, 1i64..200),
        scaling in scaling(),
        traffic in traffic(),
        typed in proptest::option::of((0u64..2_400_000_000, 1i64..200, 1i64..200)),
        slices in proptest::collection::vec((1u64..200_000_000, prop_oneof![Just(u64::MAX), 0u64..2000]), 0..40),
    ) {
        let scenario = json!({
            "version": 1, "physics": if classroom { "classroom" } else { "aws" }, "saved_burst_seconds": 10,
            "tables": [{"create": shop::create(Some(throughput))}], "traffic": traffic, "auto_scaling": scaling,
        });
        let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
        let end = SimTime::from_secs(2_700);
        let typed = typed.map(|(at, read, write)| {
            let units = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
            (SimTime(at), json!({"TableName": "shop", "ProvisionedThroughput": units}))
        });
        let (mut whole, mut sliced) = (Session::new(scenario.clone()).expect("it opens"), Session::new(scenario).expect("it opens"));
        let mut slices = slices.into_iter();
        for stop in typed.iter().map(|(at, _)| *at).chain([end]) {
            whole.advance(stop, u64::MAX);
            while sliced.now() < stop {
                let (length, budget) = slices.next().unwrap_or((u64::MAX, u64::MAX));
                sliced.advance(stop.min(sliced.now() + length), budget);
            }
            if let Some((at, update)) = &typed && *at == stop {
                whole.send("UpdateTable", update);
                sliced.send("UpdateTable", update);
            }
        }
        prop_assert_eq!(seen(&sliced), seen(&whole));
        let again = Session::replay(&whole.recording()).expect("it replays").0;
        prop_assert_eq!(seen(&again), seen(&whole));
        let then = whole.at(SimTime::from_secs(1_500)).expect("it was there once");
        let mut straight = then.clone();
        straight.advance(end, u64::MAX);
        if typed.is_none_or(|(at, _)| at <= then.now()) {
            prop_assert_eq!(seen(&straight), seen(&whole), "it goes on from a snapshot as it did");
        }
        for bounds in &scaling {
            let notes = whole.scaling("shop", bounds["index"].as_str()).expect("it is scaled");
            for note in notes {
                let side = if note.side == Side::Read { &bounds["read"] } else { &bounds["write"] };
                let (min, max) = (side["min"].as_i64().expect("given"), side["max"].as_i64().expect("given"));
                prop_assert!((min..=max).contains(&note.to), "{:?}", note);
                prop_assert!(note.to != note.from || note.outcome == ScalingOutcome::AtMaximum || typed_changed(&note));
            }
        }
    }
}

/// A typed UpdateTable may have set the very units that were on their way.
fn typed_changed(note: &dynascope_engine::background::ScalingNote) -> bool {
    note.outcome == ScalingOutcome::Done
}
