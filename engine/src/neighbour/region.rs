//! The same table in several Regions: a global table with eventual consistency between Regions (MREC). Developer
//! Guide, "How DynamoDB global tables work".
//!
//! - Each Region is a [`Session`] of its own; they share one clock. A request is answered in its Region alone,
//!   against that Region's copy: a condition or a strongly consistent read sees nothing that is still on its way.
//! - Every item written is sent to the other Regions one by one (a batch is no unit) and arrives after the lag.
//! - **The last writer wins**, item by item: by the moment of the write, then by the greater name of its Region
//!   (ours: AWS speaks of an internal timestamp). The whole item wins, not its attributes, so an update can be lost.
//! - A replicated write costs the other Region what the same write costs there (replicated write units, one for
//!   each KB begun, indexes too). One that comes too late changes nothing and costs what a failed condition does
//!   (ours). One that the Region refuses for want of capacity waits and tries again (ours: every 100 ms).
//! - Table operations are done in all Regions at once (ours).

use super::written_keys;
use crate::capacity::HalfUnits;
use crate::diagnostic::Failure;
use crate::operation::{Request, Response};
use crate::scenario::Scenario;
use crate::session::{Outcome, Session, Telemetry};
use crate::time::SimTime;
use crate::value::{Item, item_to_json};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Microseconds until a refused replicated write is tried again.
const RETRY_MICROS: u64 = 100_000;

/// An item on its way to another Region.
#[derive(Clone, Debug, PartialEq)]
pub struct Replication {
    /// Where it was written.
    pub from: String,
    /// Where it goes.
    pub to: String,
    /// The table.
    pub table: String,
    /// The item's key.
    pub key: Item,
    /// The item as it was written; `None` for a deletion.
    pub item: Option<Arc<Item>>,
    /// When it was written.
    pub written: SimTime,
    /// When it arrives.
    pub arrives: SimTime,
}

/// What a Region has paid and taken over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RegionStats {
    /// Units of the requests sent to it, reads and writes, refused conditions included.
    pub own_units: HalfUnits,
    /// Replicated write units: what came from other Regions.
    pub replicated_units: HalfUnits,
    /// Replicated writes that won.
    pub applied: u64,
    /// Replicated writes that were older than what was there.
    pub superseded: u64,
    /// Times a replicated write was refused for want of capacity and put off.
    pub put_off: u64,
    /// Replicated writes that could not be done at all.
    pub lost: u64,
}

/// A Region's copy.
#[derive(Clone, Debug)]
struct Region {
    name: String,
    session: Session,
    /// The latest write of each item known here: when, and in which Region.
    versions: BTreeMap<(String, Item), (SimTime, String)>,
    stats: RegionStats,
}

/// Tables that several Regions hold copies of.
#[derive(Clone, Debug)]
pub struct GlobalTable {
    regions: Vec<Region>,
    lag: u64,
    /// By arrival, then in the order of the writes.
    pending: BTreeMap<(SimTime, u64), Replication>,
    sent: u64,
}

impl GlobalTable {
    /// Begins the same scenario in each of these Regions. A write reaches the others `lag` microseconds later.
    ///
    /// # Errors
    /// Fewer than two Regions or one named twice, and as [`Session::new`].
    pub fn new(scenario: &Scenario, names: &[&str], lag: u64) -> Result<Self, Failure> {
        let twice = names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
        if names.len() < 2 || twice {
            return Err(Failure::validation("a global table is in at least two Regions, each of its own name"));
        }
        let mut regions = Vec::new();
        for name in names {
            regions.push(Region {
                name: (*name).to_owned(),
                session: Session::new(scenario.clone())?,
                versions: BTreeMap::new(),
                stats: RegionStats::default(),
            });
        }
        Ok(Self { regions, lag, pending: BTreeMap::new(), sent: 0 })
    }

    /// The Regions' names, in the order they were given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regions.iter().map(|region| region.name.as_str())
    }

    /// The clock of all Regions.
    pub fn now(&self) -> SimTime {
        self.regions.first().map_or(SimTime::ZERO, |region| region.session.now())
    }

    /// A Region's session, to look at.
    pub fn session(&self, region: &str) -> Option<&Session> {
        self.place(region).map(|at| &self.regions[at].session)
    }

    /// What a Region has paid and taken over.
    pub fn stats(&self, region: &str) -> Option<RegionStats> {
        self.place(region).map(|at| self.regions[at].stats)
    }

    /// A Region's table or index as it stands now; see [`Session::telemetry`].
    pub fn telemetry(&self, region: &str, table: &str, index: Option<&str>) -> Option<Telemetry> {
        self.session(region)?.telemetry(table, index)
    }

    /// What is on its way, in the order of arrival.
    pub fn pending(&self) -> impl Iterator<Item = &Replication> {
        self.pending.values()
    }

    fn place(&self, region: &str) -> Option<usize> {
        self.regions.iter().position(|own| own.name == region)
    }

    /// Answers a request in a Region and sends what it wrote to the others. `None` if there is no such Region.
    pub fn send(&mut self, region: &str, operation: &str, input: &Json) -> Option<Outcome> {
        let at = self.place(region)?;
        let own = &mut self.regions[at];
        let outcome = own.session.send(operation, input);
        own.stats.own_units += units(&outcome);
        if let (Ok(request), Ok(response)) = (Request::from_json(operation, input), &outcome.result) {
            if matches!(request, Request::CreateTable(_) | Request::UpdateTable(_)) {
                for other in self.regions.iter_mut().filter(|other| other.name != region) {
                    other.session.send(operation, input);
                }
            }
            self.replicate(at, &request, response);
        }
        // Without a lag it is there at once.
        self.deliver_until(self.now());
        Some(outcome)
    }

    fn replicate(&mut self, at: usize, request: &Request, response: &Response) {
        let own = &mut self.regions[at];
        let (now, from) = (own.session.now(), own.name.clone());
        for (table, key) in written_keys(&own.session, request, response) {
            let own = &mut self.regions[at];
            let item = own.session.database().get(&table).and_then(|stored| stored.get(&key)).cloned();
            own.versions.insert((table.clone(), key.clone()), (now, from.clone()));
            for to in self.regions.iter().map(|region| &region.name).filter(|name| **name != from) {
                let replication = Replication {
                    from: from.clone(),
                    to: to.clone(),
                    table: table.clone(),
                    key: key.clone(),
                    item: item.clone(),
                    written: now,
                    arrives: now + self.lag,
                };
                self.pending.insert((replication.arrives, self.sent), replication);
                self.sent += 1;
            }
        }
    }

    /// Moves the clock of all Regions to `until`, generated traffic included; what arrives on the way, or at that
    /// moment, is taken over. How many replicated writes that were, those put off counted again.
    pub fn advance(&mut self, until: SimTime) -> u64 {
        let arrived = self.deliver_until(until);
        self.move_clocks(until);
        arrived
    }

    fn move_clocks(&mut self, to: SimTime) {
        for region in &mut self.regions {
            region.session.advance(to, u64::MAX);
        }
    }

    fn deliver_until(&mut self, until: SimTime) -> u64 {
        let mut arrived = 0;
        while let Some(next) = self.pending.first_entry().filter(|next| next.key().0 <= until) {
            let ((at, number), replication) = next.remove_entry();
            self.move_clocks(at);
            self.deliver(number, replication);
            arrived += 1;
        }
        arrived
    }

    fn deliver(&mut self, number: u64, replication: Replication) {
        let Some(at) = self.place(&replication.to) else { return };
        let region = &mut self.regions[at];
        let item_key = (replication.table.clone(), replication.key.clone());
        let incoming = (replication.written, replication.from.clone());
        let wins = region.versions.get(&item_key).is_none_or(|known| incoming > *known);
        let (operation, input) = replication.request(wins);
        let outcome = region.session.send(operation, &input);
        let throttled = outcome.result.as_ref().is_err_and(|failure| failure.kind.is_throttle());
        if throttled {
            region.stats.put_off += 1;
            let later = Replication { arrives: region.session.now() + RETRY_MICROS, ..replication };
            self.pending.insert((later.arrives, number), later);
            return;
        }
        region.stats.replicated_units += units(&outcome);
        match (wins, outcome.result.is_ok()) {
            (true, true) => {
                region.stats.applied += 1;
                region.versions.insert(item_key, incoming);
            }
            (true, false) => region.stats.lost += 1,
            (false, _) => region.stats.superseded += 1,
        }
    }
}

impl Replication {
    /// The write as a request to the other Region. One that does not win carries a condition that never holds, so
    /// that it is charged and changes nothing.
    fn request(&self, wins: bool) -> (&'static str, Json) {
        let (operation, mut input) = match &self.item {
            Some(item) => ("PutItem", json!({"TableName": self.table, "Item": item_to_json(item)})),
            None => ("DeleteItem", json!({"TableName": self.table, "Key": item_to_json(&self.key)})),
        };
        if !wins && let Some(name) = self.key.names().next() {
            input["ConditionExpression"] = "attribute_exists(#key) AND attribute_not_exists(#key)".into();
            input["ExpressionAttributeNames"] = json!({"#key": &**name});
        }
        (operation, input)
    }
}

/// All units a request was charged.
fn units(outcome: &Outcome) -> HalfUnits {
    outcome.trace.charges.iter().map(|charge| charge.cost).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(write: i64, lag: u64) -> GlobalTable {
        let create = json!({
            "TableName": "app", "ProvisionedThroughput": {"ReadCapacityUnits": 10, "WriteCapacityUnits": write},
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        });
        let scenario = Scenario { saved_burst_seconds: Some(1), ..Scenario::default() };
        let mut global = GlobalTable::new(&scenario, &["a", "b"], lag).unwrap();
        assert!(global.send("a", "CreateTable", &create).unwrap().result.is_ok());
        global
    }

    fn put(id: &str, bytes: usize) -> Json {
        json!({"TableName": "app", "Item": {"id": {"S": id}, "x": {"S": "x".repeat(bytes)}}})
    }

    fn items(global: &GlobalTable, region: &str) -> usize {
        global.session(region).unwrap().database().get("app").unwrap().base().entries.len()
    }

    #[test]
    fn a_deletion_wins_as_any_write_does() {
        let mut global = two(10, 0);
        global.send("a", "PutItem", &put("1", 0));
        assert_eq!((items(&global, "b"), global.pending().count()), (1, 0), "without a lag it is there at once");
        let mut global = two(10, 1000);
        global.send("a", "PutItem", &put("1", 0));
        global.advance(SimTime(1000));
        global.send("b", "PutItem", &put("1", 0));
        global.advance(SimTime(1001));
        global.send("a", "DeleteItem", &json!({"TableName": "app", "Key": {"id": {"S": "1"}}}));
        assert_eq!(global.advance(SimTime(9999)), 2);
        assert_eq!((items(&global, "a"), items(&global, "b")), (0, 0));
        assert_eq!(global.stats("a").map(|stats| stats.superseded), Some(1));
    }

    #[test]
    fn a_region_without_capacity_takes_it_later() {
        // Ten units saved and ten a second. 20 KB cost "b" its ten units and ten of debt, so for one second it takes
        // nothing more. What arrives after 1 ms is tried at 1 ms, 101 ms … 1,001 ms, when there is a little again.
        let mut global = two(10, 1000);
        global.send("b", "PutItem", &put("own", 20_000));
        global.send("a", "PutItem", &put("1", 0));
        global.advance(SimTime::from_millis(1000));
        let stats = global.stats("b").unwrap();
        assert_eq!((stats.put_off, stats.applied, items(&global, "b")), (10, 0, 1));
        assert_eq!(global.pending().map(|write| write.to.as_str()).collect::<Vec<_>>(), ["b"]);
        global.advance(SimTime::from_millis(1001));
        let stats = global.stats("b").unwrap();
        assert_eq!((stats.put_off, stats.applied, items(&global, "b")), (10, 1, 2));
        assert_eq!(stats.replicated_units.to_string(), "1");
    }

    #[test]
    fn what_is_no_global_table() {
        assert!(GlobalTable::new(&Scenario::default(), &["a"], 0).is_err());
        assert!(GlobalTable::new(&Scenario::default(), &["a", "b", "a"], 0).is_err());
        assert!(two(1, 0).send("nowhere", "Scan", &json!({"TableName": "app"})).is_none());
    }
}
