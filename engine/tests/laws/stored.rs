//! A stream that stores and one that is metered are refused, charged and counted alike, as long as every put is of a new
//! item and what is changed exists.

use crate::shop;
use dynascope_engine::partition::SplitOutcome;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A stream over the same items in the same order, whichever stream it is: everything follows from the number.
fn stream(operation: &str, attributes: u8, item_bytes: u64, rate: u64, (start, end): (u64, u64)) -> Json {
    let mut stream = json!({
        "table": "shop", "operation": operation, "key": "p{hash 0..4 of {seq}}", "sort": "{seq}", "client": "sdk-legacy",
        "item_bytes": item_bytes, "rate_per_second": rate, "start": start * 1_000_000, "end": end * 1_000_000,
    });
    if operation != "GetItem" {
        let mut given = json!({"a": "{seq}"});
        if attributes & 1 > 0 {
            given["g"] = "g{hash 0..2 of x{seq}}".into();
        }
        if attributes & 2 > 0 {
            given["d"] = "{hash 0..19 of y{seq}}".into();
        }
        stream["attributes"] = given;
    }
    stream
}

fn run(physics: &str, throughput: Option<(i64, i64)>, mut streams: Vec<Json>, store: bool, slice: u64) -> Session {
    for stream in &mut streams {
        stream["store"] = store.into();
    }
    let mut table = shop::create(throughput);
    if physics == "classroom" {
        // Collections may be cut there.
        table.as_object_mut().expect("a table").remove("LocalSecondaryIndexes");
    }
    let scenario = json!({
        "version": 1, "seed": 5, "physics": physics, "traffic": streams, "tables": [{"create": table}],
        "saved_burst_seconds": 1,
    });
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    let mut session = Session::new(scenario).expect("the shop opens");
    while session.now() < SimTime::from_secs(30) {
        session.advance((session.now() + slice).min(SimTime::from_secs(30)), u64::MAX);
    }
    session
}

/// Everything there is to compare; not the items, and after a split not where metered bytes lie.
fn figures(session: &Session) -> (String, bool) {
    let names = [None, Some("all"), Some("keys"), Some("some")];
    let notes: Vec<_> = names.iter().flat_map(|index| session.splits("shop", *index)).collect();
    let was_split = notes.iter().any(|note| matches!(note.outcome, SplitOutcome::Done(..)));
    let mut report = session.report();
    for partition in report.telemetry.iter_mut().flat_map(|telemetry| &mut telemetry.partitions) {
        partition.items = 0;
        if was_split {
            partition.bytes = 0;
        }
    }
    let minutes: Vec<_> = names.iter().map(|index| session.top_keys("shop", *index)).collect();
    let bytes: Vec<u64> = session.database().get("shop").expect("the shop").arms.iter().map(|arm| arm.bytes).collect();
    let counts: Vec<_> = session
        .streams()
        .iter()
        .map(|stream| (stream.arrived(), stream.attempts(), stream.succeeded(), stream.failed(), stream.waiting()))
        .collect();
    let report = serde_json::to_string(&report).expect("figures are JSON");
    (format!("{report}\n{notes:?}\n{minutes:?}\n{bytes:?}\n{counts:?}"), was_split)
}

fn conserved(session: &Session) -> Result<(), TestCaseError> {
    for arm in &session.database().get("shop").expect("the shop").arms {
        let bytes: u64 = arm.entries.values().map(|item| item.size_bytes() as u64).sum();
        let items: u64 = arm.partitions.iter().map(|partition| partition.items).sum();
        prop_assert_eq!((bytes, arm.entries.len() as u64), (arm.bytes, items));
        prop_assert_eq!(arm.partitions.iter().map(|partition| partition.bytes).sum::<u64>(), bytes);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Where capacity is short, in the table or in an index, and partitions are split for heat.
    #[test]
    fn stored_or_metered_puts_are_refused_alike(
        attributes in 0u8..4,
        item_bytes in 60u64..1500,
        rate in 1u64..60,
        throughput in proptest::option::of((1i64..20, 1i64..40)),
        slice in 50_000u64..5_000_000,
    ) {
        let puts = vec![stream("PutItem", attributes, item_bytes, rate, (0, 25))];
        let metered = run("classroom", throughput, puts.clone(), false, 30_000_000);
        let stored = run("classroom", throughput, puts, true, slice);
        prop_assert_eq!(figures(&stored), figures(&metered));
        conserved(&stored)?;
        let table = stored.database().get("shop").expect("the shop");
        prop_assert_eq!(table.base().entries.len() as u64, stored.streams()[0].succeeded());
        prop_assert_eq!(metered.database().get("shop").expect("the shop").base().entries.len(), 0);
    }

    /// Where there is enough of it: items are put, changed, read and deleted, and local indexes pay too.
    #[test]
    fn stored_or_metered_changes_cost_alike(
        attributes in 0u8..4,
        item_bytes in 60u64..3000,
        rate in 1u64..200,
        slice in 50_000u64..5_000_000,
    ) {
        let of = |operation, span| stream(operation, attributes, item_bytes, rate, span);
        let streams = vec![
            of("PutItem", (0, 12)), of("UpdateItem", (2, 9)), of("GetItem", (3, 9)), of("DeleteItem", (10, 18)),
        ];
        let metered = run("aws", None, streams.clone(), false, 30_000_000);
        let stored = run("aws", None, streams, true, slice);
        prop_assert_eq!(figures(&stored), figures(&metered));
        conserved(&stored)?;
    }
}
