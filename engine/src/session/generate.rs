//! Generated requests, in the order of (time, stream, number), those tried again among them.

use super::{Session, State};
use crate::capacity::{Reason, Resource};
use crate::metrics::{Metrics, Place};
use crate::partition::Arm;
use crate::partition::placement::metered_position;
use crate::sim::{Ask, RunningStream, Stream, StreamOperation};
use crate::time::SimTime;

impl Session {
    pub(super) fn next_arrival(&self) -> Option<(SimTime, usize)> {
        let arrivals = self.state.streams.iter().enumerate();
        arrivals.filter_map(|(at, stream)| Some((stream.next_arrival()?, at))).min()
    }

    pub(super) fn run_events(&mut self, budget: u64, until: SimTime) -> u64 {
        let mut events = 0;
        while events < budget {
            let Some((at, stream)) = self.next_arrival().filter(|(at, _)| *at < until) else { break };
            self.state.now = self.state.now.max(at);
            self.settle();
            self.generate(stream);
            events += 1;
        }
        events
    }

    /// One generated event: a request that arrives, at each of its keys, or one that is tried again. The same admission,
    /// charge and counts as a typed one, but no stored item.
    fn generate(&mut self, at: usize) {
        let seed = self.scenario.seed;
        let State { database, now, streams, metrics, .. } = &mut self.state;
        let (now, stream) = (*now, &mut streams[at]);
        let (mut ask, keys) = stream.take(seed, at as u64);
        let arm = &mut database.table_mut(stream.slot).arms[stream.arm];
        for _ in 0..keys {
            let accepted = attempt(stream, &ask, arm, metrics, now);
            stream.answer(&ask, accepted, now);
            ask.part += 1;
        }
    }
}

/// One attempt at one key; was it accepted?
fn attempt(stream: &RunningStream, ask: &Ask, arm: &mut Arm, metrics: &mut Metrics, now: SimTime) -> bool {
    let hash = stream.hash_of(ask);
    let (side, cost) = stream.cost();
    let key = || Some(stream.key_of(ask));
    let position = || key().map(|key| metered_position(&key, stream.sort_of(ask).as_ref()));
    let mut partition = arm.partitions.find(&hash.to_be_bytes());
    if arm.partitions.iter().nth(partition + 1).is_some_and(|next| next.start_hash() == hash) {
        // A range begins within the collection asked for: the hash alone does not decide.
        partition = position().map_or(partition, |position| arm.partitions.find(&position));
    }
    let reader = arm.reader(partition, stream.stream.consistency(), now);
    let empties = arm.empty_for(partition, side, reader, now);
    let place = Place { slot: stream.slot, arm: stream.arm, partition: arm.partitions.get(partition).id };
    match empties.iter().next() {
        None => {
            arm.charge_for((partition, side, cost), reader, now, &position);
            count_bytes(&stream.stream, arm, partition);
            metrics.accepted(place, now, side, cost, hash, key);
            true
        }
        Some(cause) => {
            let resource = if stream.arm == 0 { Resource::Table } else { Resource::Index };
            metrics.refused(place, now, Reason { resource, side, cause }, hash, key);
            for cause in empties.iter().skip(1) {
                metrics.also_empty(place, side, cause);
            }
            false
        }
    }
}

/// What a metered write adds to the bytes of its partition, or takes away.
fn count_bytes(stream: &Stream, arm: &mut Arm, partition: usize) {
    let bytes = &mut arm.partitions.get_mut(partition).bytes;
    match stream.operation {
        StreamOperation::PutItem => {
            *bytes += stream.item_bytes;
            arm.bytes += stream.item_bytes;
        }
        StreamOperation::DeleteItem => {
            let gone = stream.item_bytes.min(*bytes);
            *bytes -= gone;
            arm.bytes = arm.bytes.saturating_sub(gone);
        }
        StreamOperation::UpdateItem | StreamOperation::GetItem | StreamOperation::Query => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use serde_json::{Value as Json, json};

    /// Tables `app`, on demand, and `poor`, 1 WCU with nothing saved, both with a sort key.
    fn session(physics: &str, traffic: &Json) -> Session {
        let create = |name: &str| {
            json!({
                "TableName": name,
                "AttributeDefinitions": [
                    {"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"},
                ],
                "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
            })
        };
        let (mut app, mut poor) = (create("app"), create("poor"));
        app["BillingMode"] = "PAY_PER_REQUEST".into();
        poor["ProvisionedThroughput"] = json!({"ReadCapacityUnits": 1, "WriteCapacityUnits": 1});
        let scenario = json!({
            "version": 1, "seed": 3, "physics": physics, "saved_burst_seconds": 0, "traffic": traffic,
            "tables": [{"create": app}, {"create": poor}],
        });
        let scenario: Scenario = serde_json::from_value(scenario).unwrap();
        Session::new(scenario).unwrap()
    }

    fn accepted_in_last_second(session: &Session) -> Vec<u64> {
        let seen = session.telemetry("app", None).unwrap();
        seen.partitions.iter().map(|partition| partition.second.writes).filter(|writes| *writes > 0).collect()
    }

    #[test]
    fn a_retry_is_an_event_of_its_own_with_its_requests_number() {
        // One write a second goes in, and three arrive within one; what they repeat comes after the stream's end too.
        let burst = json!([{"table": "poor", "key": "K#{seq}", "client": "sdk-legacy",
            "profile": {"replay": [[0, 3], [1, 0]]}, "end": 700_000}]);
        let mut session = session("aws", &burst);
        let mut seen = Vec::new();
        while let Some(arrival) = session.step() {
            seen.push((arrival.at.0 / 1000, arrival.number));
        }
        // The bucket is empty at 0 s, and a little above that 50 ms later.
        assert_eq!(seen[..2], [(0, 0), (50, 0)]);
        let stream = &session.streams()[0];
        assert_eq!((stream.arrived(), stream.requests(), stream.succeeded()), (3, 3, 3));
        assert_eq!(stream.attempts(), seen.len() as u64);
        assert_eq!(stream.retries(), seen.len() as u64 - 3);
        assert_eq!((stream.failed(), stream.waiting()), (0, 0));
    }

    #[test]
    fn without_retries_a_refusal_is_a_failure() {
        let mut session = session("aws", &json!([{"table": "app", "key": "HOT", "rate_per_second": 5000}]));
        session.advance(SimTime::from_secs(1), u64::MAX);
        let stream = &session.streams()[0];
        assert_eq!((stream.attempts(), stream.succeeded(), stream.failed()), (5000, 2000, 3000));
    }

    #[test]
    fn a_read_of_all_shards_is_one_arrival_and_many_requests() {
        let reads =
            json!([{"table": "app", "operation": "Query", "key": "S#{0..9}", "fan_out": 10, "rate_per_second": 7}]);
        let mut session = session("aws", &reads);
        assert_eq!(session.advance(SimTime::from_secs(2), u64::MAX).events, 14);
        let stream = &session.streams()[0];
        assert_eq!((stream.arrived(), stream.requests(), stream.attempts()), (14, 140, 140));
        assert_eq!(session.telemetry("app", None).unwrap().total.reads, 140);
    }

    #[test]
    fn new_traffic_forgets_what_was_waiting() {
        let mut session =
            session("aws", &json!([{"table": "poor", "key": "K", "client": "sdk-legacy", "rate_per_second": 100}]));
        session.advance(SimTime::from_secs(1), u64::MAX);
        assert!(session.streams()[0].waiting() > 0);
        session.set_traffic(Vec::new()).unwrap();
        assert!(session.step().is_none());
    }

    /// Eighteen writes a second to one collection, where a partition takes ten and is split some seconds later: with many
    /// sort keys it can be divided, and then more go through.
    #[test]
    fn sort_keys_decide_where_a_collection_is_cut_and_who_goes_where() {
        let writes = |sort: &str| json!([{"table": "app", "key": "A", "sort": sort, "rate_per_second": 18}]);
        let mut many = session("classroom", &writes("{random 0..9999}"));
        many.advance(SimTime::from_secs(60), u64::MAX);
        let parts = accepted_in_last_second(&many);
        assert!(parts.len() > 1 && parts.iter().sum::<u64>() > 15, "{parts:?}");
        let mut one = session("classroom", &writes("x"));
        one.advance(SimTime::from_secs(60), u64::MAX);
        assert_eq!(accepted_in_last_second(&one), [10], "one item cannot be divided");
    }
}
