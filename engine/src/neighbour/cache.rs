//! A cache in front of a table, after DAX: an item cache and a query cache, both by time to live and least recent
//! use. Developer Guide, "DAX: How it works" and "DAX and DynamoDB consistency models".
//!
//! - GetItem is answered from the **item cache** by table and key; a projection has an entry of its own (ours).
//!   That nothing was found is remembered too: a negative entry.
//! - Query and Scan are answered from the **query cache** by the whole request (`ReturnConsumedCapacity` aside). It
//!   fills no item cache, and **no write touches it**: a result stays until its time is over.
//! - Writes go to the table first. What succeeds goes into the item cache as it is now stored, a deletion as a
//!   negative entry (ours), and its time begins anew; what is refused changes nothing there.
//! - Strongly consistent reads pass through and are not kept. Table operations pass through too (ours: DAX knows
//!   none).
//!
//! A hit costs the table nothing; its answer says 0 units if asked (ours). One node: the replicas of a real
//! cluster lag behind one another. Sizes count entries, a real node's memory bytes (ours).

use super::written_keys;
use crate::capacity::{Consistency, HalfUnits, Side, read_cost};
use crate::operation::{ConsumedCapacity, Request, Response, ReturnConsumedCapacity};
use crate::session::{Outcome, Session};
use crate::time::SimTime;
use crate::trace::Trace;
use crate::value::{Item, item_to_json};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// How long and how much a cache keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CacheSettings {
    /// Microseconds an item is kept; five minutes by default, as DAX's `record-ttl-millis`. 0 keeps nothing (ours:
    /// there it means for ever).
    pub item_ttl: u64,
    /// Microseconds a result set is kept; five minutes by default, as `query-ttl-millis`. 0 keeps nothing.
    pub query_ttl: u64,
    /// Most entries of the item cache.
    pub max_items: usize,
    /// Most result sets of the query cache.
    pub max_results: usize,
}

impl Default for CacheSettings {
    fn default() -> Self {
        let five_minutes = 300 * SimTime::SECOND;
        Self { item_ttl: five_minutes, query_ttl: five_minutes, max_items: 10_000, max_results: 1_000 }
    }
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// From the cache.
    Hit,
    /// From the cache, which remembers that there is nothing.
    NegativeHit,
    /// From the table; kept, unless the table refused it.
    Miss,
    /// From the table, and nothing was kept: strongly consistent reads, table operations, refused writes.
    PassedThrough,
    /// Written to the table, then into the item cache.
    WrittenThrough,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hit => "hit",
            Self::NegativeHit => "negative hit",
            Self::Miss => "miss",
            Self::PassedThrough => "passed through",
            Self::WrittenThrough => "written through",
        })
    }
}

/// What came of a request sent through a cache.
#[derive(Clone, Debug)]
pub struct CacheOutcome {
    /// The answer. The trace of a hit is empty: no table was asked.
    pub outcome: Outcome,
    /// Where it came from.
    pub source: Source,
    /// Of a hit: microseconds since the table said so.
    pub age: Option<u64>,
}

/// What one of the two caches has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheCounts {
    /// Requests answered, negative ones included.
    pub hits: u64,
    /// Hits that said there is nothing.
    pub negative_hits: u64,
    /// Requests that went to the table, refused ones included.
    pub misses: u64,
    /// Read units that the hits would have cost.
    pub units_saved: HalfUnits,
    /// Entries that made room for others.
    pub evicted: u64,
    /// Entries now, expired ones included until they are asked for or make room.
    pub entries: usize,
}

/// What a cache has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CacheStats {
    /// The item cache.
    pub items: CacheCounts,
    /// The query cache.
    pub queries: CacheCounts,
    /// Requests passed through.
    pub passed_through: u64,
    /// Writes written through.
    pub written_through: u64,
}

/// An item cache and a query cache in front of a session's tables.
#[derive(Clone, Debug)]
pub struct Cache {
    settings: CacheSettings,
    items: Store,
    queries: Store,
    passed_through: u64,
    written_through: u64,
}

impl Cache {
    /// An empty cache.
    pub fn new(settings: CacheSettings) -> Self {
        Self {
            settings,
            items: Store::new(settings.item_ttl, settings.max_items),
            queries: Store::new(settings.query_ttl, settings.max_results),
            passed_through: 0,
            written_through: 0,
        }
    }

    /// The settings it was made with.
    pub const fn settings(&self) -> &CacheSettings {
        &self.settings
    }

    /// What it has done so far.
    pub fn stats(&self) -> CacheStats {
        CacheStats {
            items: self.items.counts(),
            queries: self.queries.counts(),
            passed_through: self.passed_through,
            written_through: self.written_through,
        }
    }

    /// Answers a request given as DynamoDB JSON: from the cache if it may and can, otherwise from the table. Entries
    /// grow old by the session's clock.
    pub fn send(&mut self, session: &mut Session, operation: &str, input: &Json) -> CacheOutcome {
        let request = Request::from_json(operation, input);
        let ask = match &request {
            Ok(Request::GetItem(get)) if !get.consistent_read => Ask {
                key: item_entry(&get.table_name, &get.key) + &view_of(&request),
                table: &get.table_name,
                wanted: get.return_consumed_capacity,
            },
            Ok(Request::Query(query)) if !query.parameters.consistent_read => Ask {
                key: whole_request(&request),
                table: &query.parameters.table_name,
                wanted: query.parameters.return_consumed_capacity,
            },
            Ok(Request::Scan(scan)) if !scan.parameters.consistent_read => Ask {
                key: whole_request(&request),
                table: &scan.parameters.table_name,
                wanted: scan.parameters.return_consumed_capacity,
            },
            _ => return self.pass(session, operation, input, request.ok()),
        };
        let store = if matches!(request, Ok(Request::GetItem(_))) { &mut self.items } else { &mut self.queries };
        store.answer(&ask, session, operation, input)
    }

    /// To the table and back, and what was written into the item cache.
    fn pass(&mut self, session: &mut Session, operation: &str, input: &Json, request: Option<Request>) -> CacheOutcome {
        let outcome = session.send(operation, input);
        let written = match (&request, &outcome.result) {
            (Some(request), Ok(response)) => written_keys(session, request, response),
            _ => Vec::new(),
        };
        if written.is_empty() {
            self.passed_through += 1;
            return CacheOutcome { outcome, source: Source::PassedThrough, age: None };
        }
        for (table, key) in &written {
            let item = session.database().get(table).and_then(|stored| stored.get(key)).cloned();
            let cost = read_cost(item.as_ref().map_or(0, |item| item.size_bytes() as u64), Consistency::Eventual);
            let entry = item_entry(table, key);
            // Projected copies of the item are out of date now.
            self.items.forget_all(&entry);
            self.items.keep(&entry, Response { item, ..Response::default() }, cost, session.now());
        }
        self.written_through += 1;
        CacheOutcome { outcome, source: Source::WrittenThrough, age: None }
    }
}

/// Table and key as the beginning of an entry's name; the whole item has nothing after it.
fn item_entry(table: &str, key: &Item) -> String {
    format!("{table}\0{}\0", item_to_json(key))
}

/// What a GetItem asks for besides the item: nothing, or its projection.
fn view_of(request: &Result<Request, impl Sized>) -> String {
    match request {
        Ok(Request::GetItem(get))
            if get.projection_expression.is_some()
                || get.attributes.names.is_some()
                || get.attributes.values.is_some() =>
        {
            serde_json::to_string(&(&get.projection_expression, &get.attributes)).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// A Query or Scan as one text, in which equal requests are equal. How much of its cost it wants told is no part.
fn whole_request(request: &Result<Request, impl Sized>) -> String {
    let Ok(request) = request else { return String::new() };
    let mut json = request.to_json();
    if let Some(members) = json.as_object_mut() {
        members.remove("ReturnConsumedCapacity");
    }
    let kind = if matches!(request, Request::Scan(_)) { "Scan" } else { "Query" };
    format!("{kind}\0{json}")
}

/// A read that a cache may answer.
struct Ask<'a> {
    key: String,
    table: &'a str,
    wanted: ReturnConsumedCapacity,
}

/// An answer kept.
#[derive(Clone, Debug)]
struct Entry {
    response: Response,
    /// What the same read costs at the table.
    cost: HalfUnits,
    stored: SimTime,
    /// The number of its latest use.
    used: u64,
}

impl Entry {
    fn is_negative(&self) -> bool {
        match self.response.counts {
            Some((count, _)) => count == 0,
            None => self.response.item.is_none(),
        }
    }
}

/// Entries by name, and their names by latest use.
#[derive(Clone, Debug)]
struct Store {
    ttl: u64,
    most: usize,
    entries: BTreeMap<Arc<str>, Entry>,
    order: BTreeMap<u64, Arc<str>>,
    uses: u64,
    counts: CacheCounts,
}

impl Store {
    fn new(ttl: u64, most: usize) -> Self {
        Self { ttl, most, entries: BTreeMap::new(), order: BTreeMap::new(), uses: 0, counts: CacheCounts::default() }
    }

    fn counts(&self) -> CacheCounts {
        CacheCounts { entries: self.entries.len(), ..self.counts }
    }

    fn answer(&mut self, ask: &Ask<'_>, session: &mut Session, operation: &str, input: &Json) -> CacheOutcome {
        let now = session.now();
        if let Some((mut response, age, source)) = self.look(&ask.key, now) {
            response.consumed = ConsumedCapacity::default().to_json(ask.table, ask.wanted);
            let trace = Trace { at: now, table: ask.table.to_owned(), ..Trace::default() };
            return CacheOutcome { outcome: Outcome { result: Ok(response), trace }, source, age: Some(age) };
        }
        self.counts.misses += 1;
        let outcome = session.send(operation, input);
        if let Ok(response) = &outcome.result {
            let charges = outcome.trace.charges.iter().filter(|charge| charge.side == Side::Read);
            let cost = charges.map(|charge| charge.cost).sum();
            self.keep(&ask.key, Response { consumed: None, ..response.clone() }, cost, now);
        }
        CacheOutcome { outcome, source: Source::Miss, age: None }
    }

    /// A fresh answer, its age and kind. One from the future (the session went back by an undo) is not fresh.
    fn look(&mut self, key: &str, now: SimTime) -> Option<(Response, u64, Source)> {
        let entry = self.entries.get_mut(key)?;
        if entry.stored > now || now.since(entry.stored) >= self.ttl {
            self.forget(key);
            return None;
        }
        self.uses += 1;
        if let Some(name) = self.order.remove(&entry.used) {
            self.order.insert(self.uses, name);
        }
        entry.used = self.uses;
        self.counts.hits += 1;
        self.counts.units_saved += entry.cost;
        let negative = entry.is_negative();
        self.counts.negative_hits += u64::from(negative);
        let source = if negative { Source::NegativeHit } else { Source::Hit };
        Some((entry.response.clone(), now.since(entry.stored), source))
    }

    fn keep(&mut self, key: &str, response: Response, cost: HalfUnits, now: SimTime) {
        self.forget(key);
        if self.ttl == 0 || self.most == 0 {
            return;
        }
        while self.entries.len() >= self.most {
            let Some((_, oldest)) = self.order.pop_first() else { break };
            self.entries.remove(&oldest);
            self.counts.evicted += 1;
        }
        self.uses += 1;
        let name: Arc<str> = key.into();
        self.order.insert(self.uses, name.clone());
        self.entries.insert(name, Entry { response, cost, stored: now, used: self.uses });
    }

    fn forget(&mut self, key: &str) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.used);
        }
    }

    /// Forgets every entry whose name begins so.
    fn forget_all(&mut self, start: &str) {
        let names = self.entries.range::<str, _>((std::ops::Bound::Included(start), std::ops::Bound::Unbounded));
        let names: Vec<Arc<str>> =
            names.map(|(name, _)| name.clone()).take_while(|name| name.starts_with(start)).collect();
        for name in names {
            self.forget(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn session() -> Session {
        let mut session = Session::default();
        let create = json!({
            "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        });
        assert!(session.send("CreateTable", &create).result.is_ok());
        session
    }

    fn get(id: &str) -> Json {
        json!({"TableName": "app", "Key": {"id": {"N": id}}, "ReturnConsumedCapacity": "TOTAL"})
    }

    fn put(id: &str, name: &str) -> Json {
        json!({"TableName": "app", "Item": {"id": {"N": id}, "name": {"S": name}, "age": {"N": "3"}}})
    }

    #[test]
    fn equal_keys_are_one_entry_however_they_are_spelt() {
        let (mut session, mut cache) = (session(), Cache::new(CacheSettings::default()));
        cache.send(&mut session, "PutItem", &put("1.0", "Ada"));
        let answer = cache.send(&mut session, "GetItem", &get("1"));
        assert_eq!((answer.source, answer.age), (Source::Hit, Some(0)));
        let response = answer.outcome.result.unwrap();
        assert_eq!(response.consumed, Some(json!({"TableName": "app", "CapacityUnits": 0.0})));
        assert_eq!(session.journal().len(), 2, "a hit is nothing that happened to the table");
    }

    #[test]
    fn a_projection_is_an_entry_of_its_own_and_a_write_ends_it() {
        let (mut session, mut cache) = (session(), Cache::new(CacheSettings::default()));
        cache.send(&mut session, "PutItem", &put("1", "Ada"));
        let mut names = get("1");
        names["ProjectionExpression"] = "#n".into();
        names["ExpressionAttributeNames"] = json!({"#n": "name"});
        let mut wrong = names.clone();
        wrong["ExpressionAttributeNames"]["#unused"] = "age".into();
        let source = |cache: &mut Cache, session: &mut Session, input: &Json| {
            let answer = cache.send(session, "GetItem", input);
            (answer.source, answer.outcome.result.ok().and_then(|response| response.item.map(|item| item.len())))
        };
        assert_eq!(source(&mut cache, &mut session, &names), (Source::Miss, Some(1)));
        assert_eq!(source(&mut cache, &mut session, &names), (Source::Hit, Some(1)));
        assert_eq!(source(&mut cache, &mut session, &get("1")), (Source::Hit, Some(3)));
        assert_eq!(source(&mut cache, &mut session, &wrong), (Source::Miss, None), "refused as without a cache");
        assert_eq!(source(&mut cache, &mut session, &wrong), (Source::Miss, None), "and not kept");
        cache.send(&mut session, "PutItem", &put("1", "Bob"));
        assert_eq!(source(&mut cache, &mut session, &names), (Source::Miss, Some(1)));
    }

    #[test]
    fn a_batch_is_written_through_as_far_as_it_was_done() {
        let mut session = Session::default();
        let create = json!({
            "TableName": "app", "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "N"}],
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
        });
        session.send("CreateTable", &create);
        let mut cache = Cache::new(CacheSettings::default());
        let big = |id: &str| json!({"PutRequest": {"Item": {"id": {"N": id}, "x": {"S": "x".repeat(400_000)}}}});
        // 300 saved units: the first item of 391 takes them all and more, the second is left.
        let batch = json!({"RequestItems": {"app": [big("1"), big("2")]}});
        let answer = cache.send(&mut session, "BatchWriteItem", &batch);
        assert_eq!(answer.source, Source::WrittenThrough);
        assert!(
            answer.outcome.result.unwrap().unprocessed.is_some_and(|left| left["app"].as_array().unwrap().len() == 1)
        );
        assert_eq!(cache.stats().items.entries, 1);
        assert_eq!(cache.send(&mut session, "GetItem", &get("1")).source, Source::Hit);
        assert_eq!(cache.send(&mut session, "GetItem", &get("2")).source, Source::Miss);
    }

    #[test]
    fn a_refused_read_is_no_entry() {
        let (mut session, mut cache) = (Session::default(), Cache::new(CacheSettings::default()));
        let answer = cache.send(&mut session, "GetItem", &get("1"));
        assert!(answer.outcome.result.is_err(), "there is no such table");
        assert_eq!(answer.source, Source::Miss);
        assert_eq!(cache.stats().items.entries, 0);
        assert_eq!(cache.send(&mut session, "GetItem", &json!({})).source, Source::PassedThrough);
    }

    #[test]
    fn what_an_undo_took_back_is_not_answered() {
        let (mut session, mut cache) = (session(), Cache::new(CacheSettings::default()));
        session.send("PutItem", &put("1", "Ada"));
        session.advance(SimTime::from_secs(5), 0);
        assert_eq!(cache.send(&mut session, "GetItem", &get("1")).source, Source::Miss);
        assert!(session.undo());
        let answer = cache.send(&mut session, "GetItem", &get("1"));
        assert_eq!((answer.source, answer.outcome.result.unwrap().item), (Source::Miss, None));
    }
}
