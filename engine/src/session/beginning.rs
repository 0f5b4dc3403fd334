//! A session as it stands, made the beginning of another: for starting over under other constants without losing what
//! was built.

use super::Session;
use crate::capacity::price::Prices;
use crate::diagnostic::Failure;
use crate::operation::CreateTable;
use crate::partition::{Settings, Table};
use crate::scenario::{Command, Scenario, TableSetup};
use crate::table::Billing;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

impl Session {
    /// The scenario that begins with the tables, items and traffic of this moment, at time zero, under the same seed and
    /// constants. What generated traffic metered, splits and the clock are not in it: they are history, not data.
    pub fn as_beginning(&self) -> Scenario {
        let tables = self.database().iter().filter_map(|table| {
            let mut create = self.creation_of(&table.schema.name)?.clone();
            set_throughput(&mut create, table);
            let items = table.base().entries.values().map(|item| (**item).clone()).collect();
            Some(TableSetup { create, items })
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

    /// The request that created a table, in the scenario or since.
    fn creation_of(&self, name: &str) -> Option<&Json> {
        let of_scenario = self.scenario().tables.iter().map(|setup| &setup.create);
        let sent = self.journal().iter().filter_map(|command| match command {
            Command::Send(envelope) if envelope.operation == "CreateTable" => Some(&envelope.input),
            Command::Send(_) | Command::Advance { .. } | Command::Traffic(_) => None,
        });
        // A refused one of the same name comes later, or never could be read.
        of_scenario.chain(sent).find(|create| {
            create.get("TableName").and_then(Json::as_str) == Some(name) && CreateTable::from_json(create).is_ok()
        })
    }
}

/// Puts what is in force now in the place of what the table was created with.
fn set_throughput(create: &mut Json, table: &Table) {
    let Some(members) = create.as_object_mut() else { return };
    let mode = match table.base().settings().billing {
        Billing::Provisioned { .. } => "PROVISIONED",
        Billing::OnDemand { .. } => "PAY_PER_REQUEST",
    };
    members.insert("BillingMode".to_owned(), mode.into());
    set_members(members, table.base().settings());
    let indexes = members.get_mut("GlobalSecondaryIndexes").and_then(Json::as_array_mut);
    for index in indexes.into_iter().flatten().filter_map(Json::as_object_mut) {
        let arm = index.get("IndexName").and_then(Json::as_str).and_then(|name| table.arm_of(name));
        if let Some(arm) = arm.and_then(|arm| table.arms.get(arm)) {
            set_members(index, arm.settings());
        }
    }
}

fn set_members(members: &mut Map<String, Json>, settings: &Settings) {
    for member in ["ProvisionedThroughput", "OnDemandThroughput", "WarmThroughput"] {
        members.remove(member);
    }
    match settings.billing {
        Billing::Provisioned { read, write } => {
            let units = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
            members.insert("ProvisionedThroughput".to_owned(), units);
        }
        Billing::OnDemand { max_read: None, max_write: None } => {}
        Billing::OnDemand { max_read, max_write } => {
            // −1 is the service's word for none.
            let most = json!({
                "MaxReadRequestUnits": max_read.unwrap_or(-1), "MaxWriteRequestUnits": max_write.unwrap_or(-1),
            });
            members.insert("OnDemandThroughput".to_owned(), most);
        }
    }
    let warm = settings.warm;
    if warm.read > 0 || warm.write > 0 {
        let units = json!({"ReadUnitsPerSecond": warm.read, "WriteUnitsPerSecond": warm.write});
        members.insert("WarmThroughput".to_owned(), units);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SimTime;

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
        assert_eq!(again.streams()[0].stream.key, "a#{0..9}");
    }
}
