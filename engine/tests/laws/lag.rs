//! What lags is what was: an index, and a follower, hold exactly what the table held so long ago.

use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

const INDEX_LAG_MS: u64 = 700;
const REPLICA_LAG_MS: u64 = 300;

fn session(index_lag: u64, replica_lag: u64) -> Session {
    let scenario = json!({
        "version": 1, "physics": "classroom",
        "constants": {"index_lag_ms": index_lag, "replica_lag_ms": replica_lag, "partition_bytes": 4000,
            "partition_write_units": 10_000, "partition_read_units": 10_000, "account_units": 1_000_000},
        "tables": [{"create": {
            "TableName": "jobs", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "status", "AttributeType": "S"},
            ],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{
                "IndexName": "byStatus", "Projection": {"ProjectionType": "ALL"},
                "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}, {"AttributeName": "id", "KeyType": "RANGE"}],
            }],
        }}],
    });
    Session::new(serde_json::from_value::<Scenario>(scenario).expect("a scenario")).expect("a session")
}

/// Everything in the table or the index, in one page.
fn all(session: &mut Session, index: Option<&str>, strong: bool) -> Vec<Json> {
    let mut input = json!({"TableName": "jobs", "ConsistentRead": strong});
    if let Some(index) = index {
        input["IndexName"] = index.into();
    }
    let response = session.send("Scan", &input).result.expect("there is room for reads");
    response.items.iter().flatten().map(|item| json!([item.get("id"), item.get("status"), item.get("n")])).collect()
}

/// Puts item `id` with a status, or none, or deletes it.
fn write(session: &mut Session, at: usize, (id, status): (u8, u8)) {
    let key = json!({"id": {"S": format!("job {id}")}});
    let outcome = if status == 0 {
        session.send("DeleteItem", &json!({"TableName": "jobs", "Key": key}))
    } else {
        let mut item = key;
        item["n"] = json!({"N": at.to_string()});
        item["filler"] = json!({"S": "x".repeat(300)});
        if status > 1 {
            item["status"] = json!({"S": format!("S{status}")});
        }
        session.send("PutItem", &json!({"TableName": "jobs", "Item": item}))
    };
    outcome.result.expect("there is room for writes");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_lags_is_what_was(
        writes in proptest::collection::vec((0u64..400, 0u8..8, 0u8..5), 1..40),
        probes in proptest::collection::vec(0usize..40, 1..8),
        slice in 1u64..900,
    ) {
        let (mut late, mut prompt) = (session(INDEX_LAG_MS, REPLICA_LAG_MS), session(0, 0));
        // What the prompt one held from each moment on, in milliseconds.
        let mut held = vec![(0, all(&mut prompt, None, true), all(&mut prompt, Some("byStatus"), false))];
        let mut now = 0;
        for (at, &(pause, id, status)) in writes.iter().enumerate() {
            now += pause;
            prompt.advance(SimTime(now * 1000), u64::MAX);
            while late.now() < SimTime(now * 1000) {
                let next = SimTime(now * 1000).min(late.now() + slice * 1000);
                late.advance(next, u64::MAX);
            }
            write(&mut prompt, at, (id, status));
            write(&mut late, at, (id, status));
            held.push((now, all(&mut prompt, None, true), all(&mut prompt, Some("byStatus"), false)));
            if probes.contains(&at) {
                let then = |lag| held.iter().rev().find(|(since, ..)| *since + lag <= now).unwrap_or(&held[0]);
                prop_assert_eq!(&all(&mut late, None, true), &then(0).1);
                prop_assert_eq!(&all(&mut late, Some("byStatus"), false), &then(INDEX_LAG_MS).2);
                let turns: Vec<_> = (0..3).map(|_| all(&mut late, None, false)).collect();
                let fresh = turns.iter().filter(|seen| **seen == then(0).1).count();
                let stale = turns.iter().filter(|seen| **seen == then(REPLICA_LAG_MS).1).count();
                prop_assert!(fresh >= 1 && stale >= 2, "{fresh} {stale}");
            }
        }
        // At rest everything has arrived, and items, bytes and partitions are those of the run without lag.
        let end = SimTime::from_secs(now / 1000 + 60);
        late.advance(end, u64::MAX);
        prompt.advance(end, u64::MAX);
        for index in [None, Some("byStatus")] {
            prop_assert_eq!(all(&mut late, index, false), all(&mut prompt, index, false));
            let sums = |session: &Session| {
                let seen = session.telemetry("jobs", index).expect("the table");
                let sum = |count: fn(&dynascope_engine::session::PartitionTelemetry) -> u64| seen.partitions.iter().map(count).sum::<u64>();
                (sum(|partition| partition.items), sum(|partition| partition.bytes))
            };
            prop_assert_eq!(sums(&late), sums(&prompt));
            prop_assert_eq!(late.telemetry("jobs", index).and_then(|seen| seen.on_the_way).map_or(0, |seen| seen.changes), 0);
        }
        // And a replay is the same run.
        let (again, _) = Session::replay(&late.recording()).expect("a recording");
        prop_assert_eq!(again.report(), late.report());
    }
}
