//! What stands beside a table: a cache in front of it ([`cache`]), and the same table in another Region
//! ([`region`]).
//!
//! Both are built on [`Session::send`] and what it answers: a neighbour has no back door into the tables, pays what
//! anybody pays, and all it does to a session stands in that session's journal. Its own state (what is cached, what
//! is on its way to the other Region) is not in a recording.
//!
//! ```
//! use dynascope_engine::neighbour::{Cache, CacheSettings, Source};
//! use dynascope_engine::session::Session;
//! use serde_json::json;
//!
//! let mut session = Session::default();
//! session.send("CreateTable", &json!({
//!     "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
//!     "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
//!     "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
//! }));
//! let mut cache = Cache::new(CacheSettings::default());
//! let get = json!({"TableName": "app", "Key": {"PK": {"S": "nobody"}}});
//! assert_eq!(cache.send(&mut session, "GetItem", &get).source, Source::Miss); // 0.5 RCU
//! assert_eq!(cache.send(&mut session, "GetItem", &get).source, Source::NegativeHit); // nothing
//! ```

pub mod cache;
pub mod region;

pub use cache::{Cache, CacheCounts, CacheOutcome, CacheSettings, CacheStats, Source};
pub use region::{GlobalTable, RegionStats, Replication};

use crate::operation::{BatchWrite, Request, Response};
use crate::session::Session;
use crate::value::Item;
use serde_json::json;

/// The items that a successful request has written, as table and key, in the request's order. What a batch left
/// unprocessed is not among them.
fn written_keys(session: &Session, request: &Request, response: &Response) -> Vec<(String, Item)> {
    let mut written: Vec<(&String, &Item)> = Vec::new();
    match request {
        Request::PutItem(put) => written.push((&put.table_name, &put.item)),
        Request::UpdateItem(update) => written.push((&update.table_name, &update.key)),
        Request::DeleteItem(delete) => written.push((&delete.table_name, &delete.key)),
        Request::BatchWriteItem(batch) => {
            let left = response.unprocessed.as_ref().map(|left| json!({"RequestItems": left}));
            let left = left.and_then(|left| Request::from_json("BatchWriteItem", &left).ok());
            for (table, writes) in &batch.request_items {
                let left = match &left {
                    Some(Request::BatchWriteItem(left)) => left.request_items.get(table),
                    _ => None,
                };
                for write in writes.iter().filter(|write| left.is_none_or(|left| !left.contains(write))) {
                    let (BatchWrite::Put(item) | BatchWrite::Delete(item)) = write;
                    written.push((table, item));
                }
            }
        }
        _ => {}
    }
    let key_of = |table: &str, item: &Item| session.database().get(table).map(|stored| stored.schema.key_of(item));
    written.into_iter().filter_map(|(table, item)| Some((table.clone(), key_of(table, item)?))).collect()
}
