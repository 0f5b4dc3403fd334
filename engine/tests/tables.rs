//! Tables and indexes that are changed: who pays for what, and what stays.

use dynascope_engine::capacity::Physics;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::table::Billing;
use serde_json::{Value as Json, json};

/// `jobs` with the index `ByStatus`, 5 and 10 units each.
fn session() -> Session {
    let mut session = Session::new(Scenario::default()).expect("an empty account");
    let throughput = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 10});
    let outcome = session.send(
        "CreateTable",
        &json!({
            "TableName": "jobs", "ProvisionedThroughput": throughput,
            "AttributeDefinitions": [
                {"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "status", "AttributeType": "S"},
            ],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "GlobalSecondaryIndexes": [{
                "IndexName": "ByStatus", "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": throughput,
            }],
        }),
    );
    outcome.result.expect("a table");
    session
}

fn update(session: &mut Session, mut input: Json) -> Result<(), String> {
    input["TableName"] = "jobs".into();
    session.send("UpdateTable", &input).result.map(drop).map_err(|failure| failure.message.clone())
}

fn index(name: &str, write: i64) -> Json {
    let throughput = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": write});
    json!({"Update": {"IndexName": name, "ProvisionedThroughput": throughput}})
}

fn billing(session: &Session) -> [Billing; 2] {
    let arms = &session.database().get("jobs").expect("the table").arms;
    [arms[0].settings().billing, arms[1].settings().billing]
}

#[test]
fn an_index_is_paid_for_on_its_own_and_the_table_stays() {
    let mut session = session();
    update(&mut session, json!({"GlobalSecondaryIndexUpdates": [index("ByStatus", 4_000)]})).unwrap();
    let [table, of_index] = billing(&session);
    assert_eq!(table, Billing::Provisioned { read: 5, write: 10 });
    assert_eq!(of_index, Billing::Provisioned { read: 5, write: 4_000 });
    let partitions = session.database().get("jobs").unwrap().arms[1].partitions.len();
    assert_eq!(partitions, Physics::default().provisioned_partitions(5, 4_000, 0));
    update(&mut session, json!({"BillingMode": "PAY_PER_REQUEST"})).unwrap();
    assert!(billing(&session).iter().all(|billing| billing.provisioned().is_none()));
    let back = json!({
        "BillingMode": "PROVISIONED", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 10},
        "GlobalSecondaryIndexUpdates": [index("ByStatus", 20)],
    });
    update(&mut session, back).unwrap();
    assert_eq!(billing(&session)[1], Billing::Provisioned { read: 5, write: 20 });
}

#[test]
fn what_cannot_be_changed_is_named_and_nothing_changes() {
    let mut session = session();
    let before = billing(&session);
    let mut refused =
        |updates: Json| update(&mut session, json!({"GlobalSecondaryIndexUpdates": updates})).unwrap_err();
    assert!(refused(json!([index("none", 1)])).contains("none"));
    assert!(
        refused(json!([index("ByStatus", 10)]))
            .starts_with("The provisioned throughput for the index ByStatus will not")
    );
    assert!(refused(json!([index("ByStatus", 0)])).contains("greater than or equal to 1"));
    assert!(refused(json!([index("ByStatus", 7), index("ByStatus", 8)])).contains("ByStatus"));
    assert_eq!(billing(&session), before);
}

#[test]
fn a_maximum_stays_where_only_the_warmth_changes() {
    let mut session = session();
    let maximum = json!({"BillingMode": "PAY_PER_REQUEST", "OnDemandThroughput": {"MaxWriteRequestUnits": 50}});
    update(&mut session, maximum).unwrap();
    update(&mut session, json!({"WarmThroughput": {"ReadUnitsPerSecond": 1, "WriteUnitsPerSecond": 9_000}})).unwrap();
    assert_eq!(billing(&session)[0], Billing::OnDemand { max_read: None, max_write: Some(50) });
    assert_eq!(session.database().get("jobs").unwrap().base().settings().warm.write, 9_000);
}
