//! Generated requests, in the order of (time, stream, number), those tried again among them.

use super::walk::walk;
use super::{Session, State};
use crate::capacity::{Reason, Resource, Side, write_cost};
use crate::metrics::{Metrics, Place};
use crate::partition::placement::{metered_position, ring_hash};
use crate::partition::{Arm, Arrival, Empties, Table, charges};
use crate::sim::{Answer, Ask, EntryPlan, ItemParts, PageCursor, RunningStream, StreamOperation};
use crate::time::SimTime;
use crate::value::{AttributeValue, KeyBytes};

impl Session {
    pub(super) fn next_arrival(&self) -> Option<(SimTime, usize)> {
        let arrivals = self.state.streams.iter().enumerate();
        arrivals.filter_map(|(at, stream)| Some((stream.next_arrival()?, at))).min()
    }

    pub(super) fn run_events(&mut self, budget: u64, until: SimTime) -> u64 {
        let mut events = 0;
        while events < budget {
            let Some((at, stream)) = self.next_arrival().filter(|(at, _)| *at < until) else { break };
            self.count_generated(events);
            self.state.now = self.state.now.max(at);
            self.settle();
            self.generate(stream);
            events += 1;
        }
        events
    }

    /// One generated event: a request that arrives, at each of its keys, or one that is tried again. The same admission,
    /// charge and counts as a typed one; a stream that stores sends just those.
    fn generate(&mut self, at: usize) {
        let seed = self.scenario.seed;
        let stream = &mut self.state.streams[at];
        let (mut ask, keys) = stream.take(seed, at as u64);
        if stream.stream.store {
            for _ in 0..keys {
                self.generate_stored(at, &ask);
                ask.part += 1;
            }
            return;
        }
        let State { database, now, streams, metrics, .. } = &mut self.state;
        let (now, stream) = (*now, &mut streams[at]);
        let arrives = Arrival::of(&self.physics, now).indexes;
        let table = database.table_mut(stream.slot);
        if stream.stream.operation == StreamOperation::Scan {
            let answer = scan(stream, &ask, &mut table.arms[stream.arm], metrics, now);
            stream.answer(&ask, answer, now);
            return;
        }
        for _ in 0..keys {
            let accepted = attempt(stream, &ask, table, metrics, (now, arrives));
            stream.answer(&ask, Answer::of(accepted), now);
            ask.part += 1;
        }
    }

    /// The request itself, but for the journal, which notes that the clock went on.
    fn generate_stored(&mut self, at: usize, ask: &Ask) {
        let stream = &self.state.streams[at];
        let is_scan = stream.stream.operation == StreamOperation::Scan;
        let request = stream.request(ask);
        let answer = match self.run_counted(&*request).result {
            Ok(response) => Answer::Accepted(response.last_evaluated_key.filter(|_| is_scan).map(PageCursor::Key)),
            Err(failure) if failure.kind.is_throttle() => Answer::Refused,
            Err(_) => Answer::Failed,
        };
        let now = self.state.now;
        self.state.streams[at].answer(ask, answer, now);
    }
}

/// One attempt at one key; was it accepted?
///
/// What it brings to indexes is paid now and arrives at `arrives`.
fn attempt(
    stream: &RunningStream,
    ask: &Ask,
    table: &mut Table,
    metrics: &mut Metrics,
    (now, arrives): (SimTime, SimTime),
) -> bool {
    let arm = &mut table.arms[stream.arm];
    let hash = stream.hash_of(ask);
    let (side, cost) = stream.cost(ask);
    let key = || Some(stream.key_of(ask));
    let position = || key().map(|key| metered_position(&key, stream.sort_of(ask).as_ref()));
    let partition = find(arm, hash, &position);
    let reader = arm.reader(partition, stream.stream.consistency(), now);
    let empties = arm.empty_for(partition, side, reader, now);
    let place = Place { slot: stream.slot, arm: stream.arm, partition: arm.partitions.get(partition).id };
    if !empties.is_none() {
        refuse(metrics, place, now, (side, empties), hash, key);
        return false;
    }
    let mut landings = Vec::new();
    if !stream.entries().is_empty() {
        let item = stream.item(ask);
        landings = land(stream.entries(), &item, table);
        for landing in &landings {
            let arm = &table.arms[landing.plan.arm];
            let empties = arm.empty_limits(landing.partition, Side::Write, now);
            if !empties.is_none() {
                let partition = arm.partitions.get(landing.partition).id;
                let place = Place { arm: landing.plan.arm, partition, ..place };
                refuse(metrics, place, now, (Side::Write, empties), landing.hash, || Some(landing.key.clone()));
                return false;
            }
        }
    }
    let arm = &mut table.arms[stream.arm];
    arm.charge_for((partition, side, cost), reader, now, &position);
    count_bytes(stream.stream.operation, stream.stream.item_bytes, arm, partition);
    metrics.accepted(place, now, side, cost, hash, key);
    for landing in landings {
        let Landing { plan, hash, key, partition, bytes } = landing;
        let (arm, cost) = (&mut table.arms[plan.arm], write_cost(bytes));
        arm.charge((partition, Side::Write, cost), now, &|| Some(stream.item(ask).entry_position(plan)));
        arm.expect_metered(now, arrives, 1);
        count_bytes(stream.stream.operation, bytes, arm, partition);
        let place = Place { arm: plan.arm, partition: arm.partitions.get(partition).id, ..place };
        metrics.accepted(place, now, Side::Write, cost, hash, || Some(key));
    }
    true
}

/// The place of the partition that holds a position with this hash.
fn find(arm: &Arm, hash: u64, position: &dyn Fn() -> Option<KeyBytes>) -> usize {
    let partition = arm.partitions.find(&hash.to_be_bytes());
    if arm.partitions.iter().nth(partition + 1).is_some_and(|next| next.start_hash() == hash) {
        // A range begins within the collection asked for: the hash alone does not decide.
        return position().map_or(partition, |position| arm.partitions.find(&position));
    }
    partition
}

/// Counts a refusal, under the first of the limits that were empty and beside it the others.
fn refuse(
    metrics: &mut Metrics,
    place: Place,
    now: SimTime,
    (side, empties): (Side, Empties),
    hash: u64,
    key: impl Fn() -> Option<AttributeValue>,
) {
    let resource = if place.arm == 0 { Resource::Table } else { Resource::Index };
    let mut causes = empties.iter();
    if let Some(cause) = causes.next() {
        metrics.refused(place, now, Reason { resource, side, cause }, hash, key);
    }
    for cause in causes {
        metrics.also_empty(place, side, cause);
    }
}

/// Where in a global index an entry goes, and how large it is.
struct Landing<'a> {
    plan: &'a EntryPlan,
    hash: u64,
    key: AttributeValue,
    partition: usize,
    bytes: u64,
}

fn land<'a>(plans: &'a [EntryPlan], item: &ItemParts<'_>, table: &Table) -> Vec<Landing<'a>> {
    let landing = |plan: &'a EntryPlan| {
        let key = item.entry_key(plan);
        let hash = ring_hash(&key);
        let partition = find(&table.arms[plan.arm], hash, &|| Some(item.entry_position(plan)));
        Landing { plan, hash, key, partition, bytes: item.entry_bytes(plan) }
    };
    plans.iter().map(landing).collect()
}

/// What a metered write adds to the bytes of its partition, or takes away.
fn count_bytes(operation: StreamOperation, size: u64, arm: &mut Arm, partition: usize) {
    let bytes = &mut arm.partitions.get_mut(partition).bytes;
    match operation {
        StreamOperation::PutItem => {
            *bytes += size;
            arm.bytes += size;
        }
        StreamOperation::DeleteItem => {
            let gone = size.min(*bytes);
            *bytes -= gone;
            arm.bytes = arm.bytes.saturating_sub(gone);
        }
        StreamOperation::UpdateItem | StreamOperation::GetItem | StreamOperation::Query | StreamOperation::Scan => {}
    }
}

/// A metered page of a Scan: admission by the table and the first partition, a charge for each that was visited.
fn scan(stream: &RunningStream, ask: &Ask, arm: &mut Arm, metrics: &mut Metrics, now: SimTime) -> Answer {
    let segments = u64::from(stream.stream.segments);
    let bounds = |at: u64| (u128::from(at) << 64) / u128::from(segments);
    let (begin, end) = (bounds(u64::from(ask.part)), bounds(u64::from(ask.part) + 1));
    let from = match stream.cursor(ask) {
        PageCursor::Ring(at) => *at,
        PageCursor::Beginning | PageCursor::Key(_) => begin as u64,
    };
    let (visits, next) = walk(&arm.partitions, from, end, stream.stream.item_bytes);
    let Some(first) = visits.first().map(|visit| visit.at) else { return Answer::Accepted(None) };
    let place =
        |arm: &Arm, at: usize| Place { slot: stream.slot, arm: stream.arm, partition: arm.partitions.get(at).id };
    let consistency = stream.stream.consistency();
    let empties = arm.empty_for(first, Side::Read, arm.reader(first, consistency, now), now);
    if !empties.is_none() {
        // A Scan asks for no key.
        refuse(metrics, place(arm, first), now, (Side::Read, empties), 0, || None);
        return Answer::Refused;
    }
    for (nth, (at, cost)) in charges(&visits, consistency).into_iter().enumerate() {
        let reader = arm.reader(at, consistency, now);
        arm.charge_for((at, Side::Read, cost), reader, now, &|| None);
        metrics.visited(place(arm, at), now, Side::Read, cost, nth == 0);
    }
    Answer::Accepted(next.map(PageCursor::Ring))
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
        // The last attempt of each request was accepted; they had arrived a third of a second after each other.
        let waits = (0..3).map(|number| {
            let last = seen.iter().rfind(|(_, of)| *of == number).map_or(0, |(at, _)| *at);
            last - number * 1_000 / 3
        });
        let longest = waits.max().unwrap() * 1_000;
        let said = stream.wait_p99().unwrap();
        assert!((longest - 1_000..=longest + longest / 8 + 1_000).contains(&said), "{said} of {longest}");
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
