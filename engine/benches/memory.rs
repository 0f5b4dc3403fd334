//! How much memory a long run holds: ten million metered keys over 4, 64 and 1,000 partitions, and the most that
//! 1,000 partitions can come to.
//!
//! `cargo xtask bench`. No key is remembered: what a partition keeps is bounded, by 4,096 samples of positions, ten
//! minutes of seconds, the window of 300 s and a minute of eight hot keys each. The last line fills all of that: every
//! write is of 64 units, so each is a sample. The peak is the process's own, so the lines go up.

use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use serde_json::json;

fn main() {
    for partitions in [4, 64, 1000] {
        // A tenth of what they may take.
        run(partitions, 1024, partitions * 100, 10_000_000, "ten million keys");
    }
    // Ten writes of 64 units a second for each partition, for eleven minutes.
    run(1000, 65_536, 10_000, 6_600_000, "everything full");
}

fn run(partitions: u64, item_bytes: u64, rate: u64, requests: u64, what: &str) {
    let create = json!({
        "TableName": "wide", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "WarmThroughput": {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": partitions * 1000},
    });
    // The account's own limit is out of the way, and so is the size of a partition.
    let scenario = json!({
        "version": 1, "constants": {"account_units": 1_000_000_000_000_u64, "partition_bytes": 1_000_000_000_000_u64},
        "tables": [{"create": create}],
        "traffic": [{
            "table": "wide", "key": "{random 0..9999999}", "item_bytes": item_bytes, "rate_per_second": rate,
        }],
    });
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    let mut session = Session::new(scenario).expect("the table is taken");
    assert_eq!(session.advance(SimTime::MAX, requests).events, requests);
    let count = session.database().get("wide").expect("the table").base().partitions.len() as u64;
    assert_eq!(count, partitions);
    let peak = peak_megabytes().map_or_else(|| "not known here".to_owned(), |peak| format!("{peak} MB"));
    println!("{partitions:>5} partitions, {what}: peak memory {peak}");
}

/// The most that this process has held so far, where the system tells.
fn peak_megabytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}
