//! A cache that keeps nothing changes nothing; Regions agree once nothing is on its way.

use crate::shop::{Row, create, row, with_rows};
use dynascope_engine::neighbour::{Cache, CacheSettings, GlobalTable, Source};
use dynascope_engine::scenario::Scenario;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A read or write of the shop; `choice` picks which.
fn request(choice: u8, row: &Row) -> (&'static str, Json) {
    let consistent = choice >= 8;
    let collection = json!({
        "TableName": "shop", "KeyConditionExpression": "pk = :p", "ConsistentRead": consistent,
        "ExpressionAttributeValues": {":p": row.key()["pk"]}, "ReturnConsumedCapacity": "INDEXES",
    });
    match choice % 8 {
        0..=2 => ("PutItem", json!({"TableName": "shop", "Item": row.item()})),
        3 => ("DeleteItem", json!({"TableName": "shop", "Key": row.key()})),
        4 => (
            "UpdateItem",
            json!({
                "TableName": "shop", "Key": row.key(), "UpdateExpression": "SET a = :a",
                "ConditionExpression": "attribute_exists(a)", "ExpressionAttributeValues": {":a": {"N": "7"}},
            }),
        ),
        5 => ("Query", collection),
        6 => ("Scan", json!({"TableName": "shop", "Limit": 3, "ConsistentRead": consistent})),
        _ => {
            let get = json!({
                "TableName": "shop", "Key": row.key(), "ConsistentRead": consistent,
                "ReturnConsumedCapacity": "TOTAL",
            });
            ("GetItem", get)
        }
    }
}

proptest! {
    #[test]
    fn a_cache_that_keeps_nothing_changes_nothing(
        rows in proptest::collection::vec(row(), 0..12),
        requests in proptest::collection::vec((0u8..16, row()), 1..40),
    ) {
        let (mut direct, mut behind) = (with_rows(&rows), with_rows(&rows));
        let mut cache = Cache::new(CacheSettings { item_ttl: 0, query_ttl: 0, ..CacheSettings::default() });
        for (choice, row) in &requests {
            let (operation, input) = request(*choice, row);
            let (mine, theirs) = (direct.send(operation, &input), cache.send(&mut behind, operation, &input));
            prop_assert!(!matches!(theirs.source, Source::Hit | Source::NegativeHit));
            prop_assert_eq!(&mine.result, &theirs.outcome.result);
            prop_assert_eq!(&mine.trace.charges, &theirs.outcome.trace.charges);
        }
        prop_assert_eq!(direct.report(), behind.report());
        prop_assert_eq!(direct.journal(), behind.journal());
    }

    /// Through a cache that nobody writes past, an item read is the item stored.
    #[test]
    fn writes_through_a_cache_keep_its_items_fresh(
        requests in proptest::collection::vec((0u8..5, row(), row()), 1..40),
        room in 1usize..6,
    ) {
        let mut session = with_rows(&[]);
        let mut cache = Cache::new(CacheSettings { max_items: room, ..CacheSettings::default() });
        for (choice, written, read) in &requests {
            let (operation, input) = request(*choice, written);
            cache.send(&mut session, operation, &input);
            let (operation, input) = request(7, read);
            let cached = cache.send(&mut session, operation, &input).outcome.result.expect("a read");
            let stored = session.send(operation, &input).result.expect("a read");
            prop_assert_eq!(cached.item, stored.item);
            prop_assert!(cache.stats().items.entries <= room);
        }
    }

    #[test]
    fn regions_agree_once_nothing_is_on_its_way(
        writes in proptest::collection::vec((0u8..5, row(), 0usize..3, 0u64..600_000), 1..40),
        lag in 0u64..1_000_000,
    ) {
        let names = ["us-east-1", "eu-west-1", "ap-south-1"];
        let tables = json!([{"create": create(None)}]);
        let scenario: Scenario = serde_json::from_value(json!({"version": 1, "tables": tables})).expect("a scenario");
        let mut global = GlobalTable::new(&scenario, &names, lag).expect("three Regions");
        for (choice, row, region, pause) in &writes {
            let (operation, input) = request(*choice, row);
            prop_assert!(global.send(names[*region], operation, &input).is_some());
            global.advance(global.now() + *pause);
        }
        global.advance(global.now() + lag);
        prop_assert_eq!(global.pending().count(), 0);
        let items = |name: &str| {
            let table = global.session(name).and_then(|session| session.database().get("shop")).expect("a shop");
            table.base().entries.clone()
        };
        for name in &names[1..] {
            prop_assert_eq!(items(names[0]), items(name));
        }
    }
}
