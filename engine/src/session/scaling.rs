//! Auto scaling of the session's tables: set up from the scenario, and at work as time passes.

use super::Session;
use crate::background::{Scaler, ScalingNote};
use crate::capacity::Physics;
use crate::diagnostic::Failure;
use crate::metrics::Metrics;
use crate::partition::Arm;
use crate::time::SimTime;

impl Session {
    /// Begins the auto scaling that the scenario asks for.
    pub(super) fn set_scaling(&mut self) -> Result<(), Failure> {
        let mut scalers: Vec<Scaler> = Vec::new();
        for scaling in &self.scenario.auto_scaling {
            let database = &self.state.database;
            let slot = database.slot(&scaling.table).ok_or_else(|| {
                Failure::validation(format!("`auto_scaling` names the table {}, which is none of these", scaling.table))
            })?;
            let arm = scaling.arm(database.table(slot))?;
            if scalers.iter().any(|other| (other.slot, other.arm) == (slot, arm)) {
                return Err(Failure::validation(format!("`auto_scaling` of {} is there twice", scaling.name())));
            }
            scalers.push(Scaler::new(scaling, slot, arm));
        }
        self.state.scalers = scalers;
        Ok(())
    }

    /// The next thing that happens by itself after now: something written arrives at an index or a follower, a planned
    /// split is done, an on-demand table grows, a change of throughput that auto scaling has sent for.
    pub fn next_event(&self) -> Option<SimTime> {
        let memory = self.physics.on_demand_memory_seconds * SimTime::SECOND;
        let arms = self.state.database.iter().flat_map(|table| &table.arms);
        let changes = self.state.scalers.iter().filter_map(Scaler::next);
        let arrival = self.state.database.next_arrival();
        let events = arms.filter_map(|arm| arm.splits.next(memory)).chain(changes).chain(arrival);
        events.filter(|at| *at > self.state.now).min()
    }

    /// What auto scaling did to a table or one of its global indexes, and why it did not, oldest first. `None` if it is
    /// not scaled.
    pub fn scaling(&self, table: &str, index: Option<&str>) -> Option<Vec<ScalingNote>> {
        let slot = self.database().slot(table)?;
        let arm = self.database().table(slot).arm_at(index)?;
        let scaler = self.state.scalers.iter().find(|scaler| (scaler.slot, scaler.arm) == (slot, arm))?;
        Some(scaler.notes().copied().collect())
    }
}

/// Seconds between which an arm settles: it has up to `before`, and does up to `now`.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub before: u64,
    pub now: SimTime,
}

/// Does what is due of an arm in a span: what its partitions do by themselves and what auto scaling does, in order of
/// time, so that it does not matter how long the span is.
pub(super) fn settle_arm(
    (slot, at): (usize, usize),
    span: Span,
    (arm, is_whole): (&mut Arm, bool),
    (scalers, metrics, physics): (&mut [Scaler], &mut Metrics, &Physics),
) {
    let note = |arm: &Arm, metrics: &mut Metrics, now: SimTime| {
        metrics.note_provisioned(slot, at, now, arm.settings().billing.provisioned());
    };
    note(arm, metrics, SimTime::from_secs(span.before + 1));
    if let Some(scaler) = scalers.iter_mut().find(|scaler| (scaler.slot, scaler.arm) == (slot, at)) {
        while let Some(due) = scaler.due(span.now) {
            arm.settle(due, physics, is_whole);
            let consumed = |minute: u64, side| {
                let series = metrics.arm(slot, at).map(|arm| &arm.series);
                series.map(|series| series.sum(minute * 60..(minute + 1) * 60).units(side)).unwrap_or_default()
            };
            scaler.act((due, span.now), arm, physics, &consumed);
            note(arm, metrics, due);
        }
    }
    arm.settle(span.now, physics, is_whole);
    note(arm, metrics, span.now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::background::ScalingOutcome;
    use crate::capacity::Side;
    use crate::scenario::Scenario;
    use serde_json::{Value as Json, json};

    fn open(scaling: &Json, traffic: &Json) -> Result<Session, Failure> {
        let units = |write| json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": write});
        let keys = |name| json!([{"AttributeName": name, "KeyType": "HASH"}]);
        let scenario = json!({
            "version": 1, "saved_burst_seconds": 0, "auto_scaling": scaling, "traffic": traffic,
            "tables": [
                {"create": {
                    "TableName": "app", "ProvisionedThroughput": units(100), "KeySchema": keys("PK"),
                    "AttributeDefinitions": [
                        {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "G", "AttributeType": "S"},
                    ],
                    "GlobalSecondaryIndexes": [{
                        "IndexName": "byG", "KeySchema": keys("G"), "ProvisionedThroughput": units(100),
                        "Projection": {"ProjectionType": "ALL"},
                    }],
                }},
                {"create": {
                    "TableName": "free", "BillingMode": "PAY_PER_REQUEST", "KeySchema": keys("PK"),
                    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
                }},
            ],
        });
        let scenario: Scenario = serde_json::from_value(scenario).unwrap();
        Session::new(scenario)
    }

    fn write(rate: u64) -> Json {
        json!([{"table": "app", "key": "{0..99}", "rate_per_second": rate}])
    }

    fn provisioned(session: &Session, index: Option<&str>) -> i64 {
        session.telemetry("app", index).unwrap().provisioned_units(Side::Write).unwrap()
    }

    #[test]
    fn what_cannot_be_scaled_is_said() {
        for (scaling, expected) in [
            (r#"{"table": "none", "write": {"min": 1, "max": 9}}"#, "names the table none"),
            (r#"{"table": "app", "index": "none", "write": {"min": 1, "max": 9}}"#, "`none` is no global index of app"),
            (r#"{"table": "free", "write": {"min": 1, "max": 9}}"#, "free: it is on demand"),
            (r#"{"table": "app"}"#, "neither a `read` nor a `write`"),
            (r#"{"table": "app", "write": {"min": 10, "max": 9}}"#, "the `min` of `write` is 10, above its `max` of 9"),
            (r#"{"table": "app", "read": {"min": 0, "max": 9}}"#, "the bounds of `read` are whole units from 1"),
            (r#"{"table": "app", "read": {"min": 1, "max": 9, "target_percent": 91}}"#, "from 20 to 90, not 91"),
            (r#"{"table": "app", "read": {"min": 1, "max": 9, "target_percent": 19}}"#, "from 20 to 90, not 19"),
        ] {
            let scaling = json!([serde_json::from_str::<Json>(scaling).unwrap()]);
            let failure = open(&scaling, &json!([])).err().unwrap();
            assert!(failure.headline().contains(expected), "{}", failure.headline());
        }
        let both = json!({"table": "app", "index": "byG", "read": {"min": 1, "max": 9, "target_percent": 90}});
        assert!(open(&json!([both]), &json!([])).is_ok());
        let failure = open(&json!([both, both]), &json!([])).err().unwrap();
        assert!(failure.headline().contains("app/byG is there twice"), "{}", failure.headline());
    }

    #[test]
    fn a_change_is_an_event_to_come_and_lies_between_the_events() {
        let scaling = json!([{"table": "app", "write": {"min": 50, "max": 130}}]);
        let mut session = open(&scaling, &write(90)).unwrap();
        session.advance(SimTime::from_secs(119), u64::MAX);
        assert_eq!((session.next_event(), session.scaling("app", None)), (None, Some(Vec::new())));
        session.advance(SimTime::from_secs(120), u64::MAX);
        let arrival = SimTime::from_secs(240);
        assert_eq!(session.next_event(), Some(arrival));
        assert_eq!(session.scaling("app", None).unwrap()[0].outcome, ScalingOutcome::Planned(arrival));
        assert_eq!(session.scaling("app", Some("byG")), None, "only the table is scaled");
        session.advance(SimTime(239_999_999), u64::MAX);
        assert_eq!(provisioned(&session, None), 100);
        session.advance(arrival, u64::MAX);
        assert_eq!((provisioned(&session, None), provisioned(&session, Some("byG"))), (129, 100), "90 ÷ 0.7");
        let minutes = session.cloudwatch("app", None).unwrap();
        assert_eq!(minutes.iter().map(|minute| minute.provisioned).collect::<Vec<_>>(), [Some((5, 100)); 4]);
    }

    #[test]
    fn an_index_is_scaled_apart_and_what_is_typed_meanwhile_stays() {
        let scaling = json!([{"table": "app", "index": "byG", "write": {"min": 200, "max": 300}}]);
        let mut session = open(&scaling, &json!([])).unwrap();
        // Below its minimum from the beginning, so at the end of the first minute it is changed.
        session.advance(SimTime::from_secs(180), u64::MAX);
        assert_eq!((provisioned(&session, None), provisioned(&session, Some("byG"))), (100, 200));
        let on_demand = json!({"TableName": "app", "BillingMode": "PAY_PER_REQUEST"});
        assert!(session.send("UpdateTable", &on_demand).result.is_ok());
        let day = SimTime::from_secs(86_400);
        session.advance(day, u64::MAX);
        assert_eq!(session.scaling("app", Some("byG")).unwrap().len(), 2, "on demand nothing is scaled");
        let units = json!({"ReadCapacityUnits": 5, "WriteCapacityUnits": 400});
        let provisioned_again =
            json!({"TableName": "app", "BillingMode": "PROVISIONED", "ProvisionedThroughput": units});
        assert!(session.send("UpdateTable", &provisioned_again).result.is_ok());
        session.advance(day + 60 * SimTime::SECOND, u64::MAX);
        session.send("UpdateTable", &on_demand);
        session.advance(day + 300 * SimTime::SECOND, u64::MAX);
        let notes = session.scaling("app", Some("byG")).unwrap();
        assert_eq!((notes[2].from, notes[2].to, notes[3].outcome), (400, 300, ScalingOutcome::Dropped));
    }

    #[test]
    fn a_very_long_silence_is_passed_at_once() {
        let scaling = json!([{"table": "app", "write": {"min": 1, "max": 300}}]);
        let mut session = open(&scaling, &json!([])).unwrap();
        session.advance(SimTime::MAX, u64::MAX);
        assert_eq!(provisioned(&session, None), 1);
        let notes = session.scaling("app", None).unwrap();
        assert_eq!(notes.iter().map(|note| note.at.second()).collect::<Vec<_>>(), [900, 1020]);
    }
}
