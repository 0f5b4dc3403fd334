//! How fast the engine is through its typed API, with items of 100 B in tables of 10,000.
//!
//! `cargo xtask bench`. Each benchmark counts what its name says, so that divan prints items a second. The clock is
//! moved along between requests, because a request refused for want of capacity would be too cheap to count.

use divan::Bencher;
use divan::counter::ItemsCount;
use dynascope_engine::operation::Request;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use serde_json::{Value as Json, json};

const ITEMS: usize = 10_000;
const ITEM_BYTES: usize = 100;
/// Items of one item collection in the table that Query reads.
const COLLECTION: usize = 1000;

fn main() {
    divan::main();
}

/// 64 partitions, so that the limits of one are not what is measured.
fn create(table: &str) -> Json {
    json!({
        "TableName": table, "BillingMode": "PAY_PER_REQUEST",
        "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 64000},
        "AttributeDefinitions": [
            {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
        ],
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    })
}

/// An item of exactly 100 B: three names, two keys, a number and a filler.
fn item(pk: &str, n: usize) -> Json {
    let sk = format!("{n:06}");
    let number = n % 10;
    let number_bytes = if number == 0 { 1 } else { 2 };
    let used = "PK".len() + pk.len() + "SK".len() + sk.len() + "n".len() + number_bytes + "filler".len();
    let filler = "x".repeat(ITEM_BYTES - used);
    json!({"PK": {"S": pk}, "SK": {"S": sk}, "n": {"N": number.to_string()}, "filler": {"S": filler}})
}

/// A session with the table `spread` (a key for each item) and the table `bundled` (collections of 1,000).
fn session() -> Session {
    let spread: Vec<Json> = (0..ITEMS).map(|n| item(&format!("key#{n:05}"), n)).collect();
    let bundled: Vec<Json> = (0..ITEMS).map(|n| item(&format!("key#{}", n / COLLECTION), n)).collect();
    let scenario = json!({"version": 1, "tables": [
        {"create": create("spread"), "items": spread},
        {"create": create("bundled"), "items": bundled},
    ]});
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    let session = Session::new(scenario).expect("the tables are taken");
    let bytes = session.database().get("spread").expect("it was created").base().bytes;
    assert_eq!(bytes, (ITEMS * ITEM_BYTES) as u64);
    session
}

fn request(operation: &str, input: &Json) -> Request {
    Request::from_json(operation, input).expect("a good request")
}

/// Sends the requests round and round, `gap` microseconds apart; each counts for `items`.
fn send_all(bencher: Bencher, requests: &[Request], gap: u64, items: usize) {
    let mut session = session();
    let mut round = requests.iter().cycle();
    bencher.counter(ItemsCount::new(items)).bench_local(|| {
        session.advance(session.now() + gap, 0);
        let request = round.next().expect("there are requests");
        let outcome = session.run(request);
        assert!(outcome.result.is_ok(), "{:?}", outcome.result);
        drop(divan::black_box(outcome));
    });
}

#[divan::bench(sample_size = 2000, sample_count = 100)]
fn put_item(bencher: Bencher) {
    let put = |n| request("PutItem", &json!({"TableName": "spread", "Item": item(&format!("key#{n:05}"), n)}));
    let requests: Vec<Request> = (0..ITEMS).map(put).collect();
    send_all(bencher, &requests, 200, 1);
}

#[divan::bench(sample_size = 2000, sample_count = 100)]
fn get_item(bencher: Bencher) {
    let get = |n: usize| {
        let key = json!({"PK": {"S": format!("key#{n:05}")}, "SK": {"S": format!("{n:06}")}});
        request("GetItem", &json!({"TableName": "spread", "Key": key}))
    };
    let requests: Vec<Request> = (0..ITEMS).map(get).collect();
    send_all(bencher, &requests, 200, 1);
}

#[divan::bench(sample_size = 100, sample_count = 100)]
fn query_pages_of_100_items(bencher: Bencher) {
    let query = |n: usize| {
        request(
            "Query",
            &json!({
                "TableName": "bundled", "Limit": 100, "KeyConditionExpression": "PK = :pk AND SK >= :sk",
                "ExpressionAttributeValues": {
                    ":pk": {"S": format!("key#{}", n / COLLECTION)}, ":sk": {"S": format!("{n:06}")},
                },
            }),
        )
    };
    let requests: Vec<Request> = (0..ITEMS).step_by(100).map(query).collect();
    send_all(bencher, &requests, 10_000, 1);
}

#[divan::bench(sample_size = 4, sample_count = 50)]
fn scanned_and_filtered_items(bencher: Bencher) {
    let scan = request(
        "Scan",
        &json!({
            "TableName": "spread", "FilterExpression": "n > :n AND begins_with(PK, :pk)",
            "ExpressionAttributeValues": {":n": {"N": "7"}, ":pk": {"S": "key#0"}},
        }),
    );
    send_all(bencher, &[scan], 1_000_000, ITEMS);
}

/// Generated requests of one stream to `spread`, `batch` at a time.
fn generate(bencher: Bencher, mut session: Session, stream: Json, batch: u64) {
    let streams = serde_json::from_value(json!([stream])).expect("traffic");
    session.set_traffic(streams).expect("traffic is taken");
    bencher.counter(ItemsCount::new(batch)).bench_local(|| {
        let progress = session.advance(SimTime::MAX, batch);
        assert_eq!(progress.events, batch);
    });
    let total = session.telemetry("spread", None).expect("the table").total;
    assert!(total.writes > total.refused_writes, "mostly accepted");
}

/// Generated writes, admission only: as many keys as the cycle's cache holds, or a fresh key for each.
#[divan::bench(args = ["key#{0..999}", "key#{random 0..99999}"])]
fn generated_requests(bencher: Bencher, key: &str) {
    let stream = json!({"table": "spread", "key": key, "item_bytes": ITEM_BYTES, "rate_per_second": 50_000});
    generate(bencher, session(), stream, 10_000);
}

/// The same at random moments.
#[divan::bench]
fn generated_by_chance(bencher: Bencher) {
    let stream = json!({
        "table": "spread", "key": "key#{0..999}", "item_bytes": ITEM_BYTES, "rate_per_second": 50_000,
        "arrivals": "poisson",
    });
    generate(bencher, session(), stream, 10_000);
}

/// `spread` with a global index that carries everything, and one that carries keys, over 64 partitions each.
fn indexed() -> Session {
    let mut table = create("spread");
    let index = |name: &str, key: &str, projection: &str| {
        json!({
            "IndexName": name, "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
            "Projection": {"ProjectionType": projection},
            "WarmThroughput": {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 64000},
        })
    };
    table["GlobalSecondaryIndexes"] = json!([index("byOwner", "owner", "ALL"), index("byState", "state", "KEYS_ONLY")]);
    for name in ["owner", "state"] {
        table["AttributeDefinitions"].as_array_mut().expect("a list").push(json!({
            "AttributeName": name, "AttributeType": "S",
        }));
    }
    let scenario = json!({"version": 1, "tables": [{"create": table}]});
    Session::new(serde_json::from_value(scenario).expect("a scenario")).expect("the table is taken")
}

/// Generated writes that change an entry in one global index, in two, and the same with items stored.
#[divan::bench(args = ["one index", "two indexes", "two indexes, random keys", "two indexes, stored"])]
fn generated_with_indexes(bencher: Bencher, case: &str) {
    let key = if case.ends_with("random keys") { "key#{random 0..99999}" } else { "key#{0..999}" };
    let mut stream = json!({
        "table": "spread", "key": key, "sort": "{0..9}", "attributes": {"owner": "o{0..99}"},
        "item_bytes": ITEM_BYTES, "rate_per_second": 30_000,
    });
    if case.starts_with("two") {
        stream["attributes"]["state"] = "s{hash 0..99 of {0..999}}".into();
    }
    if case.ends_with("stored") {
        stream["store"] = true.into();
    }
    generate(bencher, indexed(), stream, 1_000);
}

/// A cost per request that grows with the number of partitions by no more than a logarithm: 4, 64 and 1,000 of them,
/// each at a tenth of what it may take, ten million keys.
#[divan::bench(args = [4, 64, 1000])]
fn generated_over_partitions(bencher: Bencher, partitions: i64) {
    const BATCH: u64 = 10_000;
    let mut session = on_demand(partitions * 1000);
    let rate = (partitions * 100).min(40_000);
    let stream = json!([{"table": "wide", "key": "{random 0..9999999}", "item_bytes": 1024, "rate_per_second": rate}]);
    session.set_traffic(serde_json::from_value(stream).expect("traffic")).expect("traffic is taken");
    assert_eq!(session.database().get("wide").expect("the table").base().partitions.len() as i64, partitions);
    bencher.counter(ItemsCount::new(BATCH)).bench_local(|| {
        let progress = session.advance(SimTime::MAX, BATCH);
        assert_eq!(progress.events, BATCH);
    });
}

/// A week of daily traffic, mean 20 and peak 60 requests a second, over 64 partitions, all telemetry on.
#[divan::bench(sample_size = 1, sample_count = 1)]
fn week_of_daily_traffic(bencher: Bencher) {
    const WEEK: u64 = 7 * 86_400;
    let stream = json!([{
        "table": "wide", "key": "{random 0..9999999}", "item_bytes": 1024,
        "profile": {"daily": {"mean": 20, "peak": 60, "sharpness": 2}},
    }]);
    let streams: Vec<dynascope_engine::sim::Stream> = serde_json::from_value(stream).expect("traffic");
    bencher.counter(ItemsCount::new(20 * WEEK)).with_inputs(|| on_demand(64_000)).bench_local_values(|mut session| {
        session.set_traffic(streams.clone()).expect("traffic is taken");
        let progress = session.advance(SimTime::from_secs(WEEK), u64::MAX);
        assert!(progress.reached);
        assert_eq!(progress.events, 20 * WEEK);
        session
    });
}

/// Going back in 300 seconds of 5,000 writes a second, to sixteen moments spread over them; counted is a seek.
#[divan::bench(sample_size = 16, sample_count = 4)]
fn seek_back_in_300_seconds(bencher: Bencher) {
    let stream = json!([{"table": "wide", "key": "{random 0..9999999}", "item_bytes": 1024, "rate_per_second": 5000}]);
    let mut session = on_demand(8_000);
    session.set_traffic(serde_json::from_value(stream).expect("traffic")).expect("traffic is taken");
    let progress = session.advance(SimTime::from_secs(300), u64::MAX);
    assert_eq!(progress.events, 1_500_000);
    let mut moment = 0;
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        moment = (moment + 1) % 16;
        let at = SimTime::from_secs(10 + moment * 18);
        let then = session.at(at).expect("it was there once");
        assert_eq!(then.now(), at);
        then
    });
}

/// The same run as a whole, to compare with.
#[divan::bench(sample_size = 1, sample_count = 3)]
fn run_of_300_seconds(bencher: Bencher) {
    let stream = json!([{"table": "wide", "key": "{random 0..9999999}", "item_bytes": 1024, "rate_per_second": 5000}]);
    let streams: Vec<dynascope_engine::sim::Stream> = serde_json::from_value(stream).expect("traffic");
    bencher.counter(ItemsCount::new(1_500_000_usize)).with_inputs(|| on_demand(8_000)).bench_local_values(
        |mut session| {
            session.set_traffic(streams.clone()).expect("traffic is taken");
            session.advance(SimTime::from_secs(300), u64::MAX);
            session
        },
    );
}

/// A table with room for so many write units a second.
fn on_demand(write: i64) -> Session {
    let mut session = Session::default();
    let create = json!({
        "TableName": "wide", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "WarmThroughput": {"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": write.max(4_000)},
    });
    session.send("CreateTable", &create).result.expect("a good table");
    session
}
