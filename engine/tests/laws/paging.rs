//! Reading page by page loses nothing, repeats nothing and keeps the order, for any Limit, filter and page size.

use crate::shop::{self, Row, row};
use dynascope_engine::operation::{Operation, ReadJob, Request};
use dynascope_engine::partition::placement::table_position;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use dynascope_engine::value::{AttributeValue, Item, item_to_json};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How a table is read in pieces.
#[derive(Clone, Debug)]
struct Pieces {
    limit: Option<i64>,
    page_bytes: u64,
}

fn pieces() -> impl Strategy<Value = Pieces> {
    let bytes = prop_oneof![1u64..400, 400u64..8000, Just(1 << 20)];
    (proptest::option::of(1i64..12), bytes).prop_map(|(limit, page_bytes)| Pieces { limit, page_bytes })
}

fn prepare(session: &Session, operation: &str, input: &Json, page_bytes: u64) -> ReadJob {
    let request = Request::from_json(operation, input).expect("a request");
    let job = request.prepare(session.database(), page_bytes);
    job.unwrap_or_else(|failure| panic!("{failure}: {input}"))
}

/// Follows the cursors. Returns the items kept and how many were read.
fn follow(session: &Session, operation: &str, mut input: Json, pieces: &Pieces) -> (Vec<Arc<Item>>, usize) {
    if let Some(limit) = pieces.limit {
        input["Limit"] = limit.into();
    }
    let (mut items, mut read) = (Vec::new(), 0);
    // No read needs more pages than the table has items, and one for the end.
    for _ in 0..=200 {
        let job = prepare(session, operation, &input, pieces.page_bytes);
        let (response, _) = job.preview(session.database(), SimTime::ZERO);
        let (count, scanned) = response.counts.expect("reads count");
        let page = response.items.expect("items are asked for");
        assert_eq!(page.len(), count);
        assert!(pieces.limit.is_none_or(|limit| scanned <= limit as usize), "{scanned} read with {pieces:?}");
        items.extend(page);
        read += scanned;
        match response.last_evaluated_key {
            None => return (items, read),
            Some(key) => input["ExclusiveStartKey"] = item_to_json(&key),
        }
        assert!(scanned > 0, "a page that read nothing has no cursor");
    }
    panic!("the cursors never end");
}

/// What the table should hold: the last row of each key.
fn stored(rows: &[Row]) -> BTreeMap<(u8, i16), Row> {
    rows.iter().map(|row| ((row.pk, row.sk), row.clone())).collect()
}

fn table_key(item: &Item) -> (String, i64) {
    match (item.get("pk"), item.get("sk")) {
        (Some(AttributeValue::S(pk)), Some(AttributeValue::N(sk))) => (pk.clone(), sk.to_i64().expect("whole")),
        other => panic!("no key: {other:?}"),
    }
}

fn key_of(row: &Row) -> (String, i64) {
    (format!("p{}", row.pk), row.sk.into())
}

fn with_filter(mut input: Json, filter: Option<u8>) -> Json {
    if let Some(a) = filter {
        input["FilterExpression"] = "a = :a".into();
        input["ExpressionAttributeValues"][":a"] = json!({"N": a.to_string()});
    }
    input
}

fn passes(row: &Row, filter: Option<u8>) -> bool {
    filter.is_none() || row.a == filter
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_query_gives_its_items_in_order_and_each_once(
        rows in proptest::collection::vec(row(), 0..60),
        pk in 0u8..5,
        filter in proptest::option::of(0u8..3),
        bounds in proptest::option::of((-16i16..16, -16i16..16)),
        forward: bool,
        pieces in pieces(),
    ) {
        let session = shop::with_rows(&rows);
        let mut condition = "pk = :pk".to_owned();
        let mut input = json!({
            "TableName": "shop", "ScanIndexForward": forward,
            "ExpressionAttributeValues": {":pk": {"S": format!("p{pk}")}},
        });
        let bounds = bounds.map(|(a, b)| (a.min(b), a.max(b)));
        if let Some((low, high)) = bounds {
            condition.push_str(" AND sk BETWEEN :low AND :high");
            input["ExpressionAttributeValues"][":low"] = json!({"N": low.to_string()});
            input["ExpressionAttributeValues"][":high"] = json!({"N": high.to_string()});
        }
        input["KeyConditionExpression"] = condition.into();
        let stored = stored(&rows);
        let in_range: Vec<&Row> = stored
            .values()
            .filter(|row| row.pk == pk && bounds.is_none_or(|(low, high)| (low..=high).contains(&row.sk)))
            .collect();
        let mut expected: Vec<_> = in_range.iter().filter(|row| passes(row, filter)).map(|row| key_of(row)).collect();
        if !forward {
            expected.reverse();
        }
        let (items, read) = follow(&session, "Query", with_filter(input, filter), &pieces);
        prop_assert_eq!(read, in_range.len(), "ScannedCount sums to the items in range");
        prop_assert_eq!(items.iter().map(|item| table_key(item)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_scan_gives_every_item_once_whole_or_in_segments(
        rows in proptest::collection::vec(row(), 0..60),
        filter in proptest::option::of(0u8..3),
        segments in 1i64..7,
        pieces in pieces(),
    ) {
        let session = shop::with_rows(&rows);
        let stored = stored(&rows);
        let expected: BTreeSet<_> = stored.values().filter(|row| passes(row, filter)).map(key_of).collect();
        let input = with_filter(json!({"TableName": "shop"}), filter);
        let (items, read) = follow(&session, "Scan", input.clone(), &pieces);
        prop_assert_eq!(read, stored.len());
        prop_assert_eq!(items.len(), expected.len(), "none twice");
        prop_assert_eq!(&items.iter().map(|item| table_key(item)).collect::<BTreeSet<_>>(), &expected);

        let mut in_segments = Vec::new();
        for segment in 0..segments {
            let mut input = input.clone();
            input["Segment"] = segment.into();
            input["TotalSegments"] = segments.into();
            in_segments.extend(follow(&session, "Scan", input, &pieces).0);
        }
        prop_assert_eq!(&in_segments, &items, "segments are the scan's own order cut into pieces");
    }

    #[test]
    fn an_index_gives_every_entry_once_in_the_order_of_its_sort_key(
        rows in proptest::collection::vec(row(), 0..60),
        g in 0u8..3,
        forward: bool,
        pieces in pieces(),
    ) {
        let session = shop::with_rows(&rows);
        let stored = stored(&rows);
        for (index, sorted) in [("all", true), ("keys", false), ("some", true)] {
            let input = json!({
                "TableName": "shop", "IndexName": index, "ScanIndexForward": forward,
                "KeyConditionExpression": "g = :g", "ExpressionAttributeValues": {":g": {"S": format!("g{g}")}},
            });
            let entries = || stored.values().filter(|row| row.g == Some(g) && (!sorted || row.d.is_some()));
            let (items, read) = follow(&session, "Query", input, &pieces);
            prop_assert_eq!(read, entries().count());
            prop_assert_eq!(items.len(), read);
            let found: BTreeSet<_> = items.iter().map(|item| table_key(item)).collect();
            prop_assert_eq!(found, entries().map(key_of).collect::<BTreeSet<_>>());
            // Among equal sort keys any order will do.
            let order: Vec<_> = items.iter().filter_map(|item| item.get("d").cloned()).collect();
            prop_assert!(!sorted || order.is_sorted_by(|a, b| if forward { a <= b } else { a >= b }), "{order:?}");
        }
    }

    #[test]
    fn a_local_index_gives_what_the_table_has_for_its_key(
        rows in proptest::collection::vec(row(), 0..60),
        pk in 0u8..5,
        forward: bool,
        pieces in pieces(),
    ) {
        let session = shop::with_rows(&rows);
        let stored = stored(&rows);
        let input = json!({
            "TableName": "shop", "IndexName": "local", "ScanIndexForward": forward, "ConsistentRead": true,
            "Select": "ALL_ATTRIBUTES",
            "KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": {"S": format!("p{pk}")}},
        });
        let (items, read) = follow(&session, "Query", input, &pieces);
        let expected: BTreeMap<_, _> =
            stored.values().filter(|row| row.pk == pk && row.d.is_some()).map(|row| (key_of(row), row.item())).collect();
        prop_assert_eq!(read, expected.len());
        let whole: BTreeMap<_, _> = items.iter().map(|item| (table_key(item), item_to_json(item))).collect();
        prop_assert_eq!(whole, expected, "what the index does not carry is fetched from the table");
    }

    /// The bill does not depend on the filter, nor on how an eventually consistent page is shown.
    #[test]
    fn what_a_page_costs_is_what_it_read(
        rows in proptest::collection::vec(row(), 0..60),
        filter in proptest::option::of(0u8..3),
        consistent: bool,
    ) {
        let session = shop::with_rows(&rows);
        let input = json!({"TableName": "shop", "ConsistentRead": consistent});
        let job = prepare(&session, "Scan", &with_filter(input, filter), 1 << 20);
        let (_, trace) = job.preview(session.database(), SimTime::ZERO);
        let read = trace.read.expect("a scan reads");
        let table = session.database().get("shop").expect("the shop");
        let blocks = table.base().bytes.div_ceil(4096).max(1) as i64;
        let partitions = table.base().partitions.len() as i64;
        let per_block = if consistent { 2 } else { 1 };
        prop_assert_eq!(read.bytes, table.base().bytes);
        // Rounded up once over all; an almost empty partition still pays for its block.
        prop_assert!(read.cost.0 >= blocks.max(partitions) * per_block);
        prop_assert!(read.cost.0 < (blocks + partitions) * per_block);
    }

    /// Partition i pays for the blocks that begin in it: max(1, ⌈cum_i/4 KB⌉ − ⌈cum_{i−1}/4 KB⌉).
    #[test]
    fn each_partition_pays_for_its_own_blocks(rows in proptest::collection::vec(row(), 0..60)) {
        let mut session = shop::with_rows(&rows);
        let outcome = shop::run(&mut session, "Scan", &json!({"TableName": "shop"}));
        let table = session.database().get("shop").expect("the shop");
        let mut sum = 0u64;
        let mut expected = Vec::new();
        for partition in &table.base().partitions {
            let before = sum.div_ceil(4096);
            sum += partition.bytes;
            expected.push((partition.id, (sum.div_ceil(4096) - before).max(1) as i64));
        }
        let paid: Vec<_> = outcome.trace.charges.iter().map(|charge| (charge.partition, charge.cost.0)).collect();
        prop_assert_eq!(paid, expected);
        for read in outcome.trace.read.expect("a scan reads").evaluated {
            let position = table_position(&table.schema.key, &read.item).expect("it is stored");
            let partition = table.base().partitions.get(table.base().partitions.find(&position)).id;
            prop_assert_eq!(read.partition, partition);
        }
    }
}
