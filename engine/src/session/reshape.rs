//! What goes by the places of tables and indexes, after one of them came or went; and what they have beside items.

use super::{Outcome, Session, State};
use crate::diagnostic::Failure;
use crate::operation::{Operation, tags_of};
use crate::trace::Reshaped;

impl Session {
    /// Answers and counts a request that may change tables themselves.
    pub(super) fn run_any(&mut self, request: &dyn Operation) -> Outcome {
        let outcome = self.run_counted(request);
        if let Some(reshaped) = outcome.trace.reshaped {
            self.state.follow(reshaped);
        }
        outcome
    }

    /// Gives the tables of the scenario their tags.
    pub(super) fn set_tags(&mut self) -> Result<(), Failure> {
        let tags = self.scenario.tables.iter().map(|setup| tags_of(&setup.create)).collect::<Result<Vec<_>, _>>()?;
        for (slot, tags) in tags.into_iter().enumerate() {
            self.state.database.table_mut(slot).tags = tags;
        }
        Ok(())
    }
}

impl State {
    /// Follows a change: nothing flows to what is gone, and traffic reaches what is new.
    pub(super) fn follow(&mut self, reshaped: Reshaped) {
        match reshaped {
            Reshaped::Removed(slot) => {
                self.streams.retain(|running| running.slot != slot);
                self.scalers.retain(|scaler| scaler.slot != slot);
                self.metrics.remove_table(slot);
            }
            Reshaped::IndexAdded(slot) => self.flow_anew(slot),
            Reshaped::IndexRemoved(slot, arm) => {
                self.scalers.retain(|scaler| (scaler.slot, scaler.arm) != (slot, arm));
                for scaler in self.scalers.iter_mut().filter(|scaler| scaler.slot == slot && scaler.arm > arm) {
                    scaler.arm -= 1;
                }
                self.metrics.remove_arm(slot, arm);
                self.flow_anew(slot);
            }
        }
    }

    /// Thinks the traffic of a table through again; what read an index that is gone ends.
    fn flow_anew(&mut self, slot: usize) {
        let table = self.database.table(slot);
        self.streams.retain_mut(|running| running.slot != slot || running.recompile(table).is_ok());
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::Scenario;
    use crate::session::Session;
    use crate::time::SimTime;
    use serde_json::{Value as Json, json};

    fn index(name: &str, key: &str) -> Json {
        json!({
            "IndexName": name, "KeySchema": [{"AttributeName": key, "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        })
    }

    /// On demand, with the index `first`, and ten writes a second that reach indexes over `a` and `b`.
    fn session() -> Session {
        let scenario: Scenario = serde_json::from_value(json!({
            "version": 1,
            "tables": [{"create": {
                "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [
                    {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "a", "AttributeType": "S"},
                ],
                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
                "GlobalSecondaryIndexes": [index("first", "a")],
            }}],
            "traffic": [{"table": "app", "key": "K#{seq}", "attributes": {"a": "x", "b": "y"}, "rate_per_second": 10}],
        }))
        .unwrap();
        Session::new(scenario).unwrap()
    }

    fn update(session: &mut Session, updates: Json) -> Result<(), String> {
        let request = json!({
            "TableName": "app", "GlobalSecondaryIndexUpdates": updates,
            "AttributeDefinitions": [{"AttributeName": "b", "AttributeType": "S"}],
        });
        session.send("UpdateTable", &request).result.map(drop).map_err(|failure| failure.message.clone())
    }

    fn writes(session: &Session, index: &str) -> Option<u64> {
        session.telemetry("app", Some(index)).map(|telemetry| telemetry.total.writes)
    }

    #[test]
    fn an_index_comes_filled_gets_its_traffic_and_goes_with_its_counts() {
        let mut session = session();
        let put = |key: &str| json!({"TableName": "app", "Item": {"PK": {"S": key}, "b": {"S": "y"}}});
        assert!(session.send("PutItem", &put("1")).result.is_ok());
        assert!(session.send("PutItem", &json!({"TableName": "app", "Item": {"PK": {"S": "2"}}})).result.is_ok());
        session.advance(SimTime::from_secs(1), u64::MAX);
        update(&mut session, json!([{"Create": index("second", "b")}])).unwrap();
        assert_eq!(session.database().get("app").unwrap().arms[2].entries.len(), 1, "what is there already");
        session.advance(SimTime::from_secs(3), u64::MAX);
        assert_eq!((writes(&session, "first"), writes(&session, "second")), (Some(30), Some(20)));
        update(&mut session, json!([{"Delete": {"IndexName": "first"}}])).unwrap();
        session.advance(SimTime::from_secs(4), u64::MAX);
        assert_eq!((writes(&session, "first"), writes(&session, "second")), (None, Some(30)));
        let again = Session::replay(&session.recording()).unwrap().0;
        assert_eq!(again.report(), session.report());
        assert_eq!(session.at(SimTime::from_secs(2)).unwrap().database().get("app").unwrap().arms.len(), 3);
    }

    #[test]
    fn what_cannot_come_or_go_is_named() {
        let mut session = session();
        assert!(update(&mut session, json!([{"Create": index("first", "b")}])).unwrap_err().contains("first"));
        assert!(update(&mut session, json!([{"Create": index("other", "c")}])).unwrap_err().contains("Keys: [c]"));
        assert!(update(&mut session, json!([{"Delete": {"IndexName": "other"}}])).unwrap_err().contains("other"));
        let two = json!([{"Create": index("x", "b")}, {"Create": index("y", "b")}]);
        assert!(update(&mut session, two).unwrap_err().starts_with("Subscriber limit exceeded"));
        assert_eq!(session.database().get("app").unwrap().arms.len(), 2);
    }

    #[test]
    fn a_table_goes_with_its_traffic() {
        let mut session = session();
        session.advance(SimTime::from_secs(1), u64::MAX);
        assert!(session.send("DeleteTable", &json!({"TableName": "app"})).result.is_ok());
        assert!(session.streams().is_empty() && session.database().get("app").is_none());
        assert!(session.metrics().arm(0, 0).is_none(), "its counts go with it");
        session.advance(SimTime::from_secs(900), u64::MAX);
        let create = json!({
            "TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "n", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "n", "AttributeType": "N"}],
        });
        assert!(session.send("CreateTable", &create).result.is_ok());
        assert_eq!(
            session.telemetry("app", None).unwrap().total.writes,
            0,
            "a new table of the old name is another one"
        );
    }
}
