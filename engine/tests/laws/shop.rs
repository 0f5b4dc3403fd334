//! The table that the laws are tried on, and random things to do to it.

use dynascope_engine::operation::Request;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::{Outcome, Session};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// Attributes of an item; which ones it has decides which indexes it is in.
#[derive(Clone, Debug)]
pub struct Row {
    pub pk: u8,
    pub sk: i16,
    /// Partition key of the global indexes.
    pub g: Option<u8>,
    /// Sort key of the local index and of one global one.
    pub d: Option<i16>,
    /// For filters.
    pub a: Option<u8>,
    /// Bytes of an attribute that some indexes carry.
    pub filler: u16,
}

pub fn row() -> impl Strategy<Value = Row> {
    let d = proptest::option::of(-20i16..20);
    let sizes = prop_oneof![4 => 0u16..200, 1 => 900u16..6000];
    (0u8..5, -15i16..15, proptest::option::of(0u8..3), d, proptest::option::of(0u8..3), sizes)
        .prop_map(|(pk, sk, g, d, a, filler)| Row { pk, sk, g, d, a, filler })
}

impl Row {
    pub fn key(&self) -> Json {
        json!({"pk": {"S": format!("p{}", self.pk)}, "sk": {"N": self.sk.to_string()}})
    }

    pub fn item(&self) -> Json {
        let mut item = self.key();
        if let Some(g) = self.g {
            item["g"] = json!({"S": format!("g{g}")});
        }
        if let Some(d) = self.d {
            item["d"] = json!({"N": d.to_string()});
        }
        if let Some(a) = self.a {
            item["a"] = json!({"N": a.to_string()});
        }
        item["filler"] = json!({"S": "x".repeat(self.filler.into())});
        item
    }
}

/// A table `shop` with a global index for each kind of projection and a local one with keys only.
pub fn create(throughput: Option<(i64, i64)>) -> Json {
    let global = |name: &str, sort: bool, projection: Json| {
        let mut keys = vec![json!({"AttributeName": "g", "KeyType": "HASH"})];
        if sort {
            keys.push(json!({"AttributeName": "d", "KeyType": "RANGE"}));
        }
        let mut index = json!({"IndexName": name, "KeySchema": keys, "Projection": projection});
        if let Some((read, write)) = throughput {
            index["ProvisionedThroughput"] = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
        }
        index
    };
    let mut table = json!({
        "TableName": "shop",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "d", "AttributeType": "N"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [
            global("all", true, json!({"ProjectionType": "ALL"})),
            global("keys", false, json!({"ProjectionType": "KEYS_ONLY"})),
            global("some", true, json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["filler"]})),
        ],
        "LocalSecondaryIndexes": [{
            "IndexName": "local",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "d", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }],
    });
    match throughput {
        None => table["BillingMode"] = "PAY_PER_REQUEST".into(),
        Some((read, write)) => {
            table["ProvisionedThroughput"] = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
        }
    }
    table
}

pub fn run(session: &mut Session, operation: &str, input: &Json) -> Outcome {
    let request = Request::from_json(operation, input).unwrap_or_else(|failure| panic!("{failure}: {input}"));
    session.run(&request)
}

/// An open shop with these rows in it, put there without cost.
pub fn with_rows(rows: &[Row]) -> Session {
    let items: Vec<Json> = rows.iter().map(Row::item).collect();
    let tables = json!([{"create": create(None), "items": items}]);
    let scenario: Scenario = serde_json::from_value(json!({"version": 1, "tables": tables})).expect("a scenario");
    Session::new(scenario).expect("the shop opens")
}
