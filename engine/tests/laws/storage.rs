//! After any writes: indexes are the projection of the items, partitions hold what they should, and each write cost
//! what the guide says.

use crate::shop::{self, Row, row, run};
use dynascope_engine::capacity::HalfUnits;
use dynascope_engine::operation::Response;
use dynascope_engine::partition::placement::{index_position, table_position};
use dynascope_engine::partition::{Partition, Table};
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::value::{Item, item_from_json};
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
enum Write {
    Put(Row),
    /// Sets d and filler, and sets or removes g: entries come, change, move and go.
    Update(Row),
    Delete(Row),
    /// More provisioned units, so more partitions.
    Grow(i64),
}

fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        6 => row().prop_map(Write::Put),
        6 => row().prop_map(Write::Update),
        3 => row().prop_map(Write::Delete),
        1 => (1i64..9).prop_map(Write::Grow),
    ]
}

fn send(session: &mut Session, write: &Write) -> Result<Response, dynascope_engine::diagnostic::Failure> {
    let (operation, mut input) = match write {
        Write::Put(row) => ("PutItem", json!({"Item": row.item()})),
        Write::Delete(row) => ("DeleteItem", json!({"Key": row.key()})),
        Write::Update(row) => ("UpdateItem", update(row)),
        Write::Grow(thousands) => {
            let input = json!({
                "TableName": "shop",
                "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": thousands * 1000},
            });
            return run(session, "UpdateTable", &input).result;
        }
    };
    input["TableName"] = "shop".into();
    input["ReturnConsumedCapacity"] = "INDEXES".into();
    run(session, operation, &input).result
}

fn update(row: &Row) -> Json {
    let mut set = vec!["filler = :filler"];
    let mut remove = Vec::new();
    let mut values = json!({":filler": {"S": "y".repeat(row.filler.into())}});
    for (name, value) in
        [("g", row.g.map(|g| json!({"S": format!("g{g}")}))), ("d", row.d.map(|d| json!({"N": d.to_string()})))]
    {
        match value {
            Some(value) => {
                set.push(if name == "g" { "g = :g" } else { "d = :d" });
                values[format!(":{name}")] = value;
            }
            None => remove.push(name),
        }
    }
    let mut expression = format!("SET {}", set.join(", "));
    if !remove.is_empty() {
        expression = format!("{expression} REMOVE {}", remove.join(", "));
    }
    json!({"Key": row.key(), "UpdateExpression": expression, "ExpressionAttributeValues": values})
}

/// What an index carries of each item, by the index's own definition.
fn rebuilt(table: &Table, index: &str) -> BTreeMap<Vec<u8>, Item> {
    let index = table.schema.index(index).expect("an index of the shop");
    let carried: Option<&[&str]> = match index.name.as_str() {
        "all" => None,
        "keys" => Some(&["pk", "sk", "g"]),
        "some" => Some(&["pk", "sk", "g", "d", "filler"]),
        _ => Some(&["pk", "sk", "d"]),
    };
    let items = table.base().entries.values();
    items
        .filter(|item| index.key.attributes().all(|key| item.contains(&key.name)))
        .map(|item| {
            let position = index_position(&table.schema.key, index, item).expect("it has the keys");
            (position.to_vec(), item.filtered(|name| carried.is_none_or(|carried| carried.contains(&name))))
        })
        .collect()
}

fn entries<'a>(
    stored: impl Iterator<Item = (&'a dynascope_engine::value::KeyBytes, &'a Arc<Item>)>,
) -> BTreeMap<Vec<u8>, Item> {
    stored.map(|(position, item)| (position.to_vec(), (**item).clone())).collect()
}

fn check_everything_agrees(table: &Table) -> Result<(), TestCaseError> {
    for (at, name) in [(1, "all"), (2, "keys"), (3, "some")] {
        prop_assert_eq!(entries(table.arms[at].entries.iter()), rebuilt(table, name), "{}", name);
    }
    prop_assert_eq!(entries(table.locals[0].iter()), rebuilt(table, "local"));
    for arm in &table.arms {
        let mut counted = vec![(0u64, 0u64); arm.partitions.len()];
        for (position, item) in &arm.entries {
            let sums = &mut counted[arm.partitions.find(position)];
            *sums = (sums.0 + 1, sums.1 + item.size_bytes() as u64);
        }
        let kept: Vec<_> = arm.partitions.iter().map(|partition| (partition.items, partition.bytes)).collect();
        prop_assert_eq!(&kept, &counted);
        prop_assert_eq!(arm.bytes, counted.iter().map(|(_, bytes)| bytes).sum::<u64>());
        let starts: Vec<_> = arm.partitions.iter().map(Partition::start_hash).collect();
        prop_assert!(starts[0] == 0 && starts.is_sorted_by(|a, b| a < b), "ranges cover the ring: {starts:?}");
    }
    Ok(())
}

fn kilobytes(item: Option<&Item>) -> i64 {
    item.map_or(0, |item| (item.size_bytes() as i64 + 1023) / 1024)
}

/// The six rows of "Item updates and index costs", for entries as they were and are.
fn entry_cost(old: Option<(&Vec<u8>, &Item)>, new: Option<(&Vec<u8>, &Item)>) -> i64 {
    match (old, new) {
        (None, None) => 0,
        (None, Some((_, entry))) | (Some((_, entry)), None) => kilobytes(Some(entry)),
        (Some(old), Some(new)) if old == new => 0,
        (Some((at, old)), Some((there, new))) if at == there => kilobytes(Some(old)).max(kilobytes(Some(new))),
        (Some((_, old)), Some((_, new))) => kilobytes(Some(old)) + kilobytes(Some(new)),
    }
}

/// The one entry that a write took away or left, found by comparing the whole index before and after.
fn cost_between(before: &BTreeMap<Vec<u8>, Item>, after: &BTreeMap<Vec<u8>, Item>) -> i64 {
    let gone = before.iter().find(|(at, entry)| after.get(*at) != Some(*entry));
    let come = after.iter().find(|(at, entry)| before.get(*at) != Some(*entry));
    entry_cost(gone, come)
}

/// Half units, so that they can be compared.
fn half_units(cost: &Json) -> i64 {
    (cost["CapacityUnits"].as_f64().unwrap_or(0.0) * 2.0) as i64
}

fn consumed(response: &Response, member: &str, index: &str) -> i64 {
    half_units(&response.consumed.as_ref().expect("INDEXES was asked for")[member][index])
}

fn open(throughput: Option<(i64, i64)>) -> Session {
    let scenario = json!({"version": 1, "tables": [{"create": shop::create(throughput)}]});
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    Session::new(scenario).expect("the shop opens")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn indexes_and_partitions_follow_the_items(writes in proptest::collection::vec(write(), 1..80)) {
        let mut session = open(Some((100, 900)));
        let mut partitions = 1;
        for write in &writes {
            // Growing to what is there already is refused, and a hot index may refuse a write: both change nothing.
            let _ = send(&mut session, write);
            let table = session.database().get("shop").expect("the shop");
            prop_assert!(table.base().partitions.len() >= partitions, "partitions never become fewer");
            partitions = table.base().partitions.len();
            check_everything_agrees(table)?;
        }
    }

    #[test]
    fn each_write_costs_what_the_guide_says(writes in proptest::collection::vec(write(), 1..60)) {
        let mut session = open(None);
        for (nth, write) in writes.iter().enumerate() {
            // A second between writes, so that none is refused.
            session.advance(dynascope_engine::time::SimTime::from_secs(nth as u64 * 20), 0);
            let key = match write {
                Write::Put(row) | Write::Update(row) | Write::Delete(row) => row.key(),
                Write::Grow(_) => continue,
            };
            let key = item_from_json(&key).expect("a key");
            let before = session.database().get("shop").expect("the shop").clone();
            let response = send(&mut session, write).expect("taken");
            let after = session.database().get("shop").expect("the shop");
            let position = table_position(&after.schema.key, &key).expect("a key has a position");
            let item = |table: &Table| table.base().entries.get(&position).cloned();
            let expected = kilobytes(item(&before).as_deref()).max(kilobytes(item(after).as_deref())).max(1);
            let consumed_table = half_units(&response.consumed.as_ref().expect("asked for")["Table"]);
            prop_assert_eq!(consumed_table, expected * 2);
            for index in ["all", "keys", "some"] {
                let expected = cost_between(&rebuilt(&before, index), &rebuilt(after, index));
                prop_assert_eq!(consumed(&response, "GlobalSecondaryIndexes", index), expected * 2, "{}", index);
            }
            let expected = cost_between(&rebuilt(&before, "local"), &rebuilt(after, "local"));
            prop_assert_eq!(consumed(&response, "LocalSecondaryIndexes", "local"), expected * 2);
        }
    }

    /// What requests were charged, what they say they consumed, and what the metrics counted is one sum.
    #[test]
    fn charged_is_consumed_is_counted(writes in proptest::collection::vec(write(), 1..60), reads in 0usize..4) {
        let mut session = open(Some((50, 20)));
        let (mut charged, mut consumed) = (vec![HalfUnits::ZERO; 4], 0);
        for write in &writes {
            let mut requests = Vec::new();
            if let Write::Put(row) | Write::Update(row) | Write::Delete(row) = write {
                let put = json!({"TableName": "shop", "Item": row.item(), "ReturnConsumedCapacity": "TOTAL"});
                requests.push(("PutItem", put));
                let query = json!({
                    "TableName": "shop", "IndexName": "local", "Select": "ALL_ATTRIBUTES",
                    "KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": row.key()["pk"]},
                    "ReturnConsumedCapacity": "TOTAL",
                });
                let scan = json!({"TableName": "shop", "IndexName": "all", "ReturnConsumedCapacity": "TOTAL"});
                requests.extend([("Query", query), ("Scan", scan)].into_iter().take(reads));
            }
            for (operation, input) in requests {
                let outcome = run(&mut session, operation, &input);
                for charge in &outcome.trace.charges {
                    charged[charge.arm] += charge.cost;
                }
                match &outcome.result {
                    Ok(response) => {
                        consumed += half_units(response.consumed.as_ref().expect("asked for"));
                    }
                    Err(failure) => {
                        prop_assert!(failure.kind.is_throttle(), "{}", failure);
                        prop_assert!(outcome.trace.charges.is_empty(), "a refused request is free");
                    }
                }
            }
        }
        let sum: HalfUnits = charged.iter().copied().sum();
        prop_assert_eq!(consumed, sum.0);
        for (arm, charged) in charged.into_iter().enumerate() {
            let counted = session.metrics().arm(0, arm).map_or(HalfUnits::ZERO, |arm| arm.total.read + arm.total.write);
            prop_assert_eq!(counted, charged, "arm {}", arm);
        }
    }
}
