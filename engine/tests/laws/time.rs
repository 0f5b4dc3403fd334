//! However the way is sliced, and done again from a recording, a run comes to the same figures.

use crate::shop::{self, row};
use dynascope_engine::capacity::Side;
use dynascope_engine::scenario::{Recording, Scenario};
use dynascope_engine::session::{Session, Telemetry};
use dynascope_engine::sim::{Arrivals, Client, Profile, RunningStream, Stream, StreamOperation};
use dynascope_engine::sorted::SortedMap;
use dynascope_engine::time::SimTime;
use proptest::prelude::*;
use serde_json::json;

fn profile() -> impl Strategy<Value = Profile> {
    let rate = || prop_oneof![Just(0u64), 1u64..4000];
    prop_oneof![
        3 => Just(Profile::Constant),
        1 => (rate(), rate(), 0u64..4).prop_map(|(from, to, seconds)| Profile::Ramp { from, to, seconds }),
        1 => (rate(), rate(), 0u64..4, 0u64..3)
            .prop_map(|(base, peak, at_second, seconds)| Profile::Spike { base, peak, at_second, seconds }),
        1 => (0u64..2000, 0u64..2000).prop_map(|(mean, more)| Profile::Daily { mean, peak: mean + more.min(mean), sharpness: 1 + (more % 5) as u32 }),
        1 => proptest::collection::btree_map(0u64..5, rate(), 0..4)
            .prop_map(|lines| Profile::Replay(lines.into_iter().collect())),
    ]
}

fn client() -> impl Strategy<Value = Client> {
    prop_oneof![Just(Client::None), Just(Client::SdkStandard), Just(Client::SdkLegacy)]
}

/// What is asked for: a template, or one of all its keys at once, or weighted keys.
fn keys() -> impl Strategy<Value = (String, u32, Vec<(String, u64)>)> {
    let template = prop_oneof![
        Just("HOT".to_owned()),
        (0u8..30).prop_map(|last| format!("K#{{0..{last}}}")),
        (1u32..5000).prop_map(|last| format!("K#{{random 0..{last}}}")),
        (1u32..500).prop_map(|last| format!("K#{{zipf 1..{last}}}")),
        (0u8..101).prop_map(|percent| format!("K#{{hot {percent}% 1..40}}")),
        (1u32..20).prop_map(|last| format!("K#{{hash 0..{last} of {{seq}}}}")),
        Just("K#{time 1 s}".to_owned()),
        Just("K#{seq}".to_owned()),
    ];
    prop_oneof![
        4 => template.prop_map(|key| (key, 1, Vec::new())),
        1 => (2u32..6).prop_map(|all| (format!("S#{{1..{all}}}"), all, Vec::new())),
        1 => (0u64..9).prop_map(|weight| (String::new(), 1, vec![("A".into(), weight), ("B#{0..3}".into(), 5)])),
    ]
}

/// What is done, and on which index.
fn operation() -> impl Strategy<Value = (StreamOperation, Option<&'static str>)> {
    use StreamOperation::{DeleteItem, GetItem, PutItem, Query, Scan, UpdateItem};
    prop_oneof![
        4 => prop_oneof![Just(PutItem), Just(UpdateItem), Just(DeleteItem), Just(GetItem), Just(Query), Just(Scan)]
            .prop_map(|operation| (operation, None)),
        3 => prop_oneof![Just("all"), Just("keys"), Just("local")].prop_map(|index| (Query, Some(index))),
        1 => Just((Scan, Some("some"))),
    ]
}

/// Attributes that put items into some of the indexes, or into none.
fn attributes() -> impl Strategy<Value = Option<SortedMap<String>>> {
    let some =
        |list: &[(&str, &str)]| Some(list.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect());
    prop_oneof![
        Just(None),
        Just(some(&[])),
        Just(some(&[("g", "g{0..2}")])),
        Just(some(&[("g", "g{random 0..2}"), ("d", "{random 0..19}"), ("a", "{seq}")])),
        Just(some(&[("d", "{zipf 1..9}")])),
    ]
}

/// The same stream as a Scan, or with what only others have.
fn fitted(stream: Stream, (segments, pause, store, poisson): (u32, u64, bool, bool)) -> Stream {
    let reads_pages = matches!(stream.operation, StreamOperation::Query | StreamOperation::Scan);
    let store = store && (reads_pages || stream.sort.is_some());
    let attributes = stream.attributes.filter(|_| stream.operation.side() == Side::Write);
    if stream.operation != StreamOperation::Scan {
        let arrivals = if poisson { Arrivals::Poisson } else { Arrivals::Even };
        return Stream { attributes, store, arrivals, ..stream };
    }
    Stream {
        key: String::new(),
        keys: Vec::new(),
        sort: None,
        attributes: None,
        profile: Profile::Constant,
        fan_out: 1,
        store,
        segments,
        pause,
        repeat: poisson,
        limit: store.then_some(segments * 3),
        ..stream
    }
}

pub fn stream() -> impl Strategy<Value = Stream> {
    let end = proptest::option::of(0u64..4_000_000);
    let rates = (profile(), 0u64..6000, 0u64..2_000_000, end);
    let more = (1u32..5, 0u64..300, any::<bool>(), any::<bool>());
    (keys(), operation(), (client(), attributes()), rates, 1u64..5000, any::<bool>(), more).prop_map(
        |(
            (key, fan_out, keys),
            (operation, index),
            (client, attributes),
            (profile, rate_per_second, start, end),
            item_bytes,
            flag,
            more,
        )| {
            let is_read = operation.side() == Side::Read;
            let stream = Stream {
                table: "shop".into(),
                operation: if fan_out > 1 && !is_read { StreamOperation::Query } else { operation },
                index: index.map(str::to_owned),
                key,
                keys,
                // Every other stream knows its sort keys, if there are any: numbers on the table and two of its indexes.
                sort: (flag && index != Some("keys")).then(|| "{random 0..99}".into()),
                attributes,
                item_bytes,
                rate_per_second,
                profile,
                fan_out,
                client,
                consistent: flag && index.is_none(),
                start: SimTime(start),
                end: end.map(SimTime),
                ..Stream::default()
            };
            fitted(stream, more)
        },
    )
}

pub fn open(seed: u64, throughput: Option<(i64, i64)>, streams: &[Stream]) -> Session {
    let scenario = json!({
        "version": 1, "seed": seed, "traffic": streams, "tables": [{"create": shop::create(throughput)}],
    });
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    Session::new(scenario).expect("the shop opens")
}

pub fn figures(session: &Session) -> String {
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
        let sum = |count: fn(&RunningStream) -> u64| sliced.streams().iter().map(count).sum::<u64>();
        prop_assert_eq!(events, sum(|stream| stream.arrived() + stream.retries()));
        prop_assert_eq!(sum(RunningStream::attempts), sum(|stream| stream.requests() + stream.retries()));
        prop_assert_eq!(
            sum(RunningStream::requests),
            sum(|stream| stream.succeeded() + stream.failed() + stream.waiting()),
            "every request was accepted, ran out of attempts, or waits"
        );
        // What an index takes of an accepted write is no request of its own.
        let asked = |telemetry: &Telemetry| {
            let sum = telemetry.total;
            let writes = if telemetry.index.is_none() { sum.writes } else { 0 };
            sum.reads + writes + sum.refused_reads + sum.refused_writes
        };
        let counted: u64 = sliced.report().telemetry.iter().map(asked).sum();
        prop_assert_eq!(counted, sum(RunningStream::attempts));
        for (one, other) in sliced.streams().iter().zip(whole.streams()) {
            prop_assert_eq!(format!("{one:?}"), format!("{other:?}"), "and each stream stands where it would");
        }
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
