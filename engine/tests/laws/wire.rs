//! Whatever arrives at the endpoint is answered: with 200, or with a 400 that has a type.

use crate::shop;
use dynascope_engine::operation::Request;
use dynascope_engine::protocol::handle;
use dynascope_engine::session::Session;
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

const MEMBERS: [&str; 27] = [
    "TableName",
    "IndexName",
    "Key",
    "Item",
    "ConditionExpression",
    "UpdateExpression",
    "FilterExpression",
    "ProjectionExpression",
    "KeyConditionExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "Limit",
    "Select",
    "ExclusiveStartKey",
    "Segment",
    "TotalSegments",
    "ReturnValues",
    "ReturnConsumedCapacity",
    "RequestItems",
    "PutRequest",
    "DeleteRequest",
    "ConsistentRead",
    "KeySchema",
    "AttributeDefinitions",
    "ProvisionedThroughput",
    "GlobalSecondaryIndexes",
    "ScanIndexForward",
];

const TEXTS: [&str; 24] = [
    "shop",
    "all",
    "local",
    "pk = :v",
    "a = :v",
    "SET a = :v",
    "REMOVE #n[0].b",
    "ADD a :v",
    "a, b[1]",
    "begins_with(a, :v)",
    "((",
    "pk",
    "sk",
    "#n",
    ":v",
    "S",
    "N",
    "TOTAL",
    "ALL_OLD",
    "COUNT",
    "1e125",
    "-9.99E-130",
    "\u{0}",
    "😀",
];

fn text() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(TEXTS.to_vec()).prop_map(str::to_owned);
    prop_oneof![6 => known, 1 => ".{0,12}"]
}

fn name() -> impl Strategy<Value = String> {
    let types = proptest::sample::select(vec!["S", "N", "B", "SS", "NS", "BS", "M", "L", "BOOL", "NULL"]);
    let members = proptest::sample::select(MEMBERS.to_vec());
    prop_oneof![3 => members.prop_map(str::to_owned), 3 => types.prop_map(str::to_owned), 2 => text()]
}

fn any_json() -> impl Strategy<Value = Json> {
    let numbers = prop_oneof![
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        (-3i64..5).prop_map(Json::from),
    ];
    let leaf = prop_oneof![
        4 => text().prop_map(Json::from),
        2 => numbers,
        1 => any::<bool>().prop_map(Json::from),
        1 => Just(Json::Null),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        prop_oneof![
            1 => proptest::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            3 => proptest::collection::vec((name(), inner), 0..5)
                .prop_map(|members| members.into_iter().collect::<Map<_, _>>().into()),
        ]
    })
}

/// A body that has the members an operation looks for, each good or anything at all.
fn body() -> impl Strategy<Value = Json> {
    let good = |json: Json| prop_oneof![3 => Just(json), 1 => any_json()];
    let key = json!({"pk": {"S": "p1"}, "sk": {"N": "1"}});
    let values = json!({":v": {"S": "p1"}, ":n": {"N": "1"}});
    let optional = proptest::collection::vec((proptest::sample::select(MEMBERS.to_vec()), any_json()), 0..5);
    (good(json!("shop")), good(key.clone()), good(key), good(values), text(), optional).prop_map(
        |(table, key, item, values, expression, optional)| {
            let mut body = json!({
                "TableName": table, "Key": key, "Item": item, "ExpressionAttributeValues": values,
                "KeyConditionExpression": "pk = :v", "FilterExpression": expression, "UpdateExpression": "SET a = :n",
            });
            for (name, value) in optional {
                body[name] = value;
            }
            body
        },
    )
}

fn check(session: &mut Session, operation: &str, body: &str) -> Result<(), TestCaseError> {
    let answer = handle(session, &format!("DynamoDB_20120810.{operation}"), body);
    let kind = answer.body["__type"].as_str();
    match answer.status {
        200 => prop_assert_eq!(kind, None),
        400 => prop_assert!(kind.is_some_and(|kind| kind.contains('#')), "{}", answer.body),
        other => prop_assert!(false, "status {}: {}", other, answer.body),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn every_body_is_answered(
        operation in proptest::sample::select(Request::OPERATIONS.to_vec()),
        body in prop_oneof![3 => body(), 1 => any_json()],
    ) {
        let mut session = shop::with_rows(&[]);
        check(&mut session, operation, &body.to_string())?;
        // What went into the journal comes out of it again as it was.
        if let Ok(request) = Request::from_json(operation, &body) {
            prop_assert_eq!(Request::from_json(operation, &request.to_json()), Ok(request));
        }
    }

    #[test]
    fn bytes_that_are_no_json_are_answered(operation in proptest::sample::select(Request::OPERATIONS.to_vec()), body in ".{0,40}") {
        check(&mut shop::with_rows(&[]), operation, &body)?;
    }
}

#[test]
fn hostile_bodies() {
    let mut session = shop::with_rows(&[]);
    let mut answer = |target: &str, body: &str| {
        let answer = handle(&mut session, target, body);
        (answer.status, answer.body["__type"].as_str().unwrap_or_default().to_owned())
    };
    let serialization = (400, "com.amazon.coral.service#SerializationException".to_owned());
    let unknown = (400, "com.amazon.coral.service#UnknownOperationException".to_owned());
    let deep = format!("{{\"TableName\":{}", "[".repeat(1_000_000));
    let closed = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let objects = format!("{}1{}", "{\"M\":".repeat(100_000), "}".repeat(100_000));
    for body in
        ["", "{", "{}}", "nul", "\"shop\"", "7", "[]", "1e999", "{\"TableName\":\"\\ud800\"}", &deep, &closed, &objects]
    {
        assert_eq!(answer("DynamoDB_20120810.PutItem", body), serialization, "{}", &body[..body.len().min(40)]);
    }
    for target in
        ["", "PutItem", "DynamoDB_20120810.", "DynamoDB_20120810.putitem", "DynamoDB_20120810.PutItem ", "X.PutItem"]
    {
        assert_eq!(answer(target, "not even JSON"), unknown, "{target}");
    }
    // The operation is looked at before the body, and says nothing more.
    let refused = handle(&mut session, "DynamoDB_20120810.DropTable", "{}");
    assert_eq!(refused.body, json!({"__type": "com.amazon.coral.service#UnknownOperationException"}));
}

#[test]
fn members_of_exceptions_arrive() {
    let mut session = shop::with_rows(&[]);
    let put = json!({
        "TableName": "shop", "Item": {"pk": {"S": "a"}, "sk": {"N": "1"}}, "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    });
    let target = "DynamoDB_20120810.PutItem";
    assert_eq!(handle(&mut session, target, &put.to_string()).body, json!({}));
    let failed = handle(&mut session, target, &put.to_string()).body;
    let expected = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
        "message": "The conditional request failed",
        "Item": {"pk": {"S": "a"}, "sk": {"N": "1"}},
    });
    assert_eq!(failed, expected);
}
