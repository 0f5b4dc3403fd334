//! A split conserves items, bytes and history, and a scan that is under way loses and repeats nothing.

use dynascope_engine::partition::SplitOutcome;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
use dynascope_engine::value::item_to_json;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A classroom table, in which a partition holds 1 MB and a split takes five seconds.
fn session(items: &[(u8, u16, usize)], local_index: bool) -> Session {
    let mut create = json!({
        "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    });
    if local_index {
        let definitions = create["AttributeDefinitions"].as_array_mut().expect("a list");
        definitions.push(json!({"AttributeName": "at", "AttributeType": "S"}));
        create["LocalSecondaryIndexes"] = json!([{
            "IndexName": "by-at", "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "at", "KeyType": "RANGE"}],
        }]);
    }
    let items: Vec<Json> = items
        .iter()
        .map(|(pk, sk, kilobytes)| {
            json!({"pk": {"S": format!("k{pk}")}, "sk": {"N": sk.to_string()}, "x": {"S": "x".repeat(kilobytes * 1024)}})
        })
        .collect();
    let scenario = json!({"version": 1, "physics": "classroom", "tables": [{"create": create, "items": items}]});
    Session::new(serde_json::from_value::<Scenario>(scenario).expect("a scenario")).expect("a session")
}

fn page(session: &mut Session, cursor: Option<&Json>, limit: usize) -> (Vec<Json>, Option<Json>) {
    let mut input = json!({"TableName": "app", "Limit": limit});
    if let Some(cursor) = cursor {
        input["ExclusiveStartKey"] = cursor.clone();
    }
    // A page that is refused is asked for again a while later, as clients do.
    for _ in 0..1000 {
        let outcome = session.send("Scan", &input);
        if let Ok(response) = outcome.result {
            let items = response.items.iter().flatten().map(|item| json!([item.get("pk"), item.get("sk")])).collect();
            return (items, response.last_evaluated_key.as_ref().map(item_to_json));
        }
        let later = session.now() + SimTime::SECOND;
        session.advance(later, u64::MAX);
    }
    panic!("the table never recovers");
}

fn sums(session: &Session) -> (u64, u64, usize, u64) {
    let arm = session.database().get("app").expect("the table").base();
    let items = arm.partitions.iter().map(|partition| partition.items).sum();
    let bytes = arm.partitions.iter().map(|partition| partition.bytes).sum();
    (items, bytes, arm.entries.len(), arm.bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn splitting_loses_and_repeats_nothing(
        items in proptest::collection::vec((0u8..3, 0u16..400, 20usize..60), 60..110),
        limit in 1usize..9,
        pages_before in 0usize..6,
        local_index: bool,
    ) {
        let mut session = session(&items, local_index);
        let before = sums(&session);
        let (whole, end) = page(&mut session.clone(), None, 1000);
        let mut seen = Vec::new();
        let mut cursor = None;
        for number in 0..400 {
            if number == pages_before {
                let later = session.now() + 8 * SimTime::SECOND;
                session.advance(later, u64::MAX);
            }
            let (items, next) = page(&mut session, cursor.as_ref(), limit);
            seen.extend(items);
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        // 1 MB ends the page that was to read all; what it read comes first in the other, too.
        prop_assert!(end.is_some() || seen.len() == whole.len());
        prop_assert_eq!(&seen[..whole.len().min(seen.len())], &whole[..whole.len().min(seen.len())]);
        prop_assert_eq!(seen.len(), before.2, "each item once");
        let after = sums(&session);
        prop_assert_eq!(before, after);
        prop_assert_eq!((after.0, after.1), (after.2 as u64, after.3));
        let done = session.splits("app", None).iter().filter(|note| matches!(note.outcome, SplitOutcome::Done(..))).count();
        let arm = session.database().get("app").expect("the table").base();
        prop_assert_eq!(arm.partitions.len(), 4 + done, "one more with each split, and none ever fewer");
        if !local_index {
            // Three keys lie in at most three partitions, and they hold more than 1 MB in all.
            prop_assert!(done > 0 || arm.partitions.iter().all(|partition| partition.bytes <= 1 << 20));
        }
        if local_index {
            for position in arm.entries.keys() {
                let at = arm.partitions.find(position);
                let same = arm.entries.iter().filter(|(other, _)| other.head() == position.head());
                prop_assert!(same.clone().all(|(other, _)| arm.partitions.find(other) == at), "a collection stays whole");
            }
        }
    }
}
