//! A session as it stands, made the beginning of another: for starting over under other constants without losing what
//! was built.

use super::Session;
use crate::capacity::price::Prices;
use crate::diagnostic::Failure;
use crate::operation::create_input;
use crate::scenario::{Scenario, TableSetup};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

impl Session {
    /// The scenario that begins with the tables, items and traffic of this moment, at time zero, under the same seed and
    /// constants. What generated traffic metered, splits and the clock are not in it: they are history, not data.
    pub fn as_beginning(&self) -> Scenario {
        let tables = self.database().iter().map(|table| {
            let create = create_input(table);
            let items = table.base().entries.values().map(|item| (**item).clone()).collect();
            TableSetup { create, items }
        });
        Scenario { tables: tables.collect(), traffic: self.traffic(), ..self.scenario().clone() }
    }

    /// Replaces the prices of the scenario. They decide nothing that happens, so nothing begins again.
    ///
    /// # Errors
    /// As [`Scenario::own_prices`]; nothing changes then.
    pub fn set_prices(&mut self, prices: Map<String, Json>) -> Result<(), Failure> {
        if !prices.is_empty() {
            Prices::with(&prices)?;
        }
        Arc::make_mut(&mut self.scenario).prices = prices;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SimTime;
    use serde_json::json;

    fn session() -> Session {
        let scenario = json!({
            "version": 1, "title": "t", "seed": 7, "physics": "classroom", "constants": {"burst_seconds": 20},
            "saved_burst_seconds": 5,
            "tables": [{"create": {
                "TableName": "jobs", "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 60},
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}, {"AttributeName": "by", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                "GlobalSecondaryIndexes": [{"IndexName": "ByName", "KeySchema": [{"AttributeName": "by", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2}}],
            }, "items": [{"id": {"S": "a"}}]}],
            "traffic": [{"table": "jobs", "key": "a", "rate_per_second": 10}],
        });
        Session::new(serde_json::from_value(scenario).unwrap()).unwrap()
    }

    #[test]
    fn an_untouched_session_begins_as_it_began() {
        let session = session();
        let again = Session::new(session.as_beginning()).unwrap();
        assert_eq!(again.report(), session.report());
        let scenario = again.scenario();
        assert_eq!((scenario.seed, scenario.saved_burst_seconds), (7, Some(5)));
        assert_eq!(scenario.constants, session.scenario().constants);
    }

    #[test]
    fn prices_change_under_a_running_session_and_go_into_its_recording() {
        let mut session = session();
        session.advance(SimTime::from_secs(3), u64::MAX);
        let own = json!({"as_of": "2026-01", "read_unit_hour": 147});
        session.set_prices(own.as_object().unwrap().clone()).unwrap();
        assert_eq!((session.now(), session.prices().read_unit_hour), (SimTime::from_secs(3), 147));
        assert_eq!(Json::from(session.recording().scenario.prices.clone()), own);
        let wrong = json!({"as_of": "2026-01", "gravity": 10});
        assert!(session.set_prices(wrong.as_object().unwrap().clone()).is_err());
        assert_eq!(session.prices().read_unit_hour, 147, "what was wrong changed nothing");
        assert_eq!(session.as_beginning().prices, session.scenario().prices);
        session.set_prices(Map::new()).unwrap();
        assert_eq!(session.prices(), Prices::default());
    }

    #[test]
    fn items_tables_throughput_and_traffic_of_now_are_kept_and_the_clock_is_not() {
        let mut session = session();
        session.send("PutItem", &json!({"TableName": "jobs", "Item": {"id": {"S": "b"}, "by": {"S": "x"}}}));
        session.send("DeleteItem", &json!({"TableName": "jobs", "Key": {"id": {"S": "a"}}}));
        session.send("UpdateTable", &json!({"TableName": "jobs", "BillingMode": "PAY_PER_REQUEST"}));
        let create = json!({
            "TableName": "more", "BillingMode": "PAY_PER_REQUEST",
            "OnDemandThroughput": {"MaxWriteRequestUnits": 7}, "WarmThroughput": {"WriteUnitsPerSecond": 50},
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        });
        assert!(session.send("CreateTable", &create).result.is_ok());
        let update = json!({
            "TableName": "more", "DeletionProtectionEnabled": true,
            "AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "N"}],
            "GlobalSecondaryIndexUpdates": [{"Create": {
                "IndexName": "byN", "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]},
            }}],
        });
        assert!(session.send("UpdateTable", &update).result.is_ok());
        let arn = session.database().get("more").unwrap().schema.arn(None);
        let tag = json!({"ResourceArn": arn, "Tags": [{"Key": "team", "Value": "blue"}]});
        assert!(session.send("TagResource", &tag).result.is_ok());
        let mut streams: Vec<_> = session.streams().iter().map(|running| running.stream.clone()).collect();
        "a#{0..9}".clone_into(&mut streams[0].key);
        session.set_traffic(streams).unwrap();
        session.advance(SimTime::from_secs(30), u64::MAX);
        let again = Session::new(session.as_beginning()).unwrap();
        assert_eq!(again.now(), SimTime::ZERO);
        let (table, was) = (again.database().get("jobs").unwrap(), session.database().get("jobs").unwrap());
        assert_eq!(table.base().entries, was.base().entries);
        assert_eq!(table.arms[1].entries.len(), 1);
        for (arm, was) in table.arms.iter().zip(&was.arms) {
            assert_eq!(arm.settings(), was.settings());
        }
        let more = |session: &Session| session.database().get("more").unwrap().base().settings().clone();
        assert_eq!(more(&again), more(&session));
        let (table, was) = (again.database().get("more").unwrap(), session.database().get("more").unwrap());
        assert_eq!((&table.schema, &table.tags, table.is_protected), (&was.schema, &was.tags, true));
        assert_eq!(again.streams()[0].stream.key, "a#{0..9}");
    }
}
