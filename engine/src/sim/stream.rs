//! A stream as data: many requests of one kind, at a rate, with keys by a template.

use super::arrivals::Arrivals;
use super::client::Client;
use super::profile::Profile;
use crate::capacity::{Consistency, HalfUnits, Side, read_cost, write_cost};
use crate::sorted::SortedMap;
use crate::time::SimTime;
use serde::{Deserialize, Serialize};

/// What each request of a stream does. Generated requests are metered unless the stream stores: they meet admission,
/// are charged and counted and their bytes are counted, and they leave the stored items alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamOperation {
    /// A PutItem of a new item of `item_bytes`.
    #[default]
    PutItem,
    /// An UpdateItem of an item of `item_bytes`, which keeps its size.
    UpdateItem,
    /// A DeleteItem of an item of `item_bytes`; the bytes of its partition become fewer, never below zero.
    DeleteItem,
    /// A GetItem that finds `item_bytes`.
    GetItem,
    /// A Query that reads `item_bytes` of one item collection, of the table or of an index.
    Query,
    /// A Scan: page after page of `item_bytes`, through all partitions of the table or of a global index.
    Scan,
}

impl StreamOperation {
    /// Which budget it draws on.
    pub const fn side(self) -> Side {
        match self {
            Self::PutItem | Self::UpdateItem | Self::DeleteItem => Side::Write,
            Self::GetItem | Self::Query | Self::Scan => Side::Read,
        }
    }
}

/// Traffic as data. The page of the module lists its members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// The table it goes to.
    pub table: String,
    /// What each request does.
    #[serde(default)]
    pub operation: StreamOperation,
    /// The index that a Query or Scan reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// Template of the partition key; empty if there are `keys`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// Templates of partition keys and their weights, one drawn for each request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<(String, u64)>,
    /// Template of the sort key: which items of a collection are meant decides where it can be split. What it draws is
    /// independent of the partition key. Of no effect on a local index, whose collections stay whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
    /// Templates of further attributes, by name: from them and from the keys an item has its entries in indexes. Without
    /// this member a metered write reaches no index; with it, be it empty, every index whose key it gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attributes: Option<SortedMap<String>>,
    /// Are items really stored, changed and read? Otherwise requests are metered only.
    #[serde(default, skip_serializing_if = "is_false")]
    pub store: bool,
    /// Billed size of what is written or found, in bytes.
    #[serde(default = "default_item_bytes")]
    pub item_bytes: u64,
    /// Requests a second; what `profile` says goes before it.
    #[serde(default)]
    pub rate_per_second: u64,
    /// How the rate changes.
    #[serde(default, skip_serializing_if = "Profile::is_constant")]
    pub profile: Profile,
    /// How requests stand within what the rate says.
    #[serde(default, skip_serializing_if = "Arrivals::is_even")]
    pub arrivals: Arrivals,
    /// A read asks all so many keys of the template at one instant, as an application does that has to gather what lies
    /// in shards. Each is a request of its own to the service.
    #[serde(default = "default_fan_out", skip_serializing_if = "is_single")]
    pub fan_out: u32,
    /// What the caller does with a refusal.
    #[serde(default, skip_serializing_if = "Client::is_none")]
    pub client: Client,
    /// Strongly consistent reads?
    #[serde(default)]
    pub consistent: bool,
    /// Milliseconds that each worker of a Scan rests between an answer and its next page.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pause: u64,
    /// Workers of a parallel Scan, each with its even part of the hash space.
    #[serde(default = "default_segments", skip_serializing_if = "is_single")]
    pub segments: u32,
    /// Does a worker of a Scan begin again when it has come to the end?
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeat: bool,
    /// `Limit` of a storing Query or Scan: items a page. Without it a page ends at 1 MB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// First request; the moment the stream is set if that is later.
    #[serde(default)]
    pub start: SimTime,
    /// No request arrives at or after this moment; what was refused before may be tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<SimTime>,
}

const fn default_item_bytes() -> u64 {
    1024
}

const fn default_fan_out() -> u32 {
    1
}

const fn default_segments() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_single(count: &u32) -> bool {
    *count == 1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(pause: &u64) -> bool {
    *pause == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

/// More than this no one needs to see, and more would stall the page.
pub const MAX_RATE_PER_SECOND: u64 = 1_000_000;

impl Default for Stream {
    /// No requests to no table.
    fn default() -> Self {
        Self {
            table: String::new(),
            operation: StreamOperation::PutItem,
            index: None,
            key: String::new(),
            keys: Vec::new(),
            sort: None,
            attributes: None,
            store: false,
            item_bytes: default_item_bytes(),
            rate_per_second: 0,
            profile: Profile::Constant,
            arrivals: Arrivals::Even,
            fan_out: 1,
            client: Client::None,
            consistent: false,
            pause: 0,
            segments: 1,
            repeat: false,
            limit: None,
            start: SimTime::ZERO,
            end: None,
        }
    }
}

impl Stream {
    /// How fresh its reads must be.
    pub const fn consistency(&self) -> Consistency {
        if self.consistent { Consistency::Strong } else { Consistency::Eventual }
    }

    /// Which budget its requests draw on, and what one costs.
    pub const fn cost(&self) -> (Side, HalfUnits) {
        let side = self.operation.side();
        match side {
            Side::Write => (side, write_cost(self.item_bytes)),
            Side::Read => {
                let consistency = self.consistency();
                (side, read_cost(self.item_bytes, consistency))
            }
        }
    }

    /// Requests planned for a whole second, counted from the stream's start.
    pub fn rate_at(&self, second: u64) -> u64 {
        self.profile.rate_at(self.rate_per_second, second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_of_old_reads_and_writes_as_it_did() {
        let old = r#"{"table":"jobs","operation":"PutItem","key":"PENDING","item_bytes":1024,"rate_per_second":5000,"consistent":false,"start":0}"#;
        let stream: Stream = serde_json::from_str(old).unwrap();
        assert_eq!(serde_json::to_string(&stream).unwrap(), old);
        let short: Stream = serde_json::from_str(r#"{"table":"jobs","key":"PENDING","rate_per_second":5000}"#).unwrap();
        assert_eq!(short, stream);
    }

    #[test]
    fn every_member_comes_back() {
        let text = r#"{"table":"t","operation":"Query","index":"i","keys":[["a",1],["b{0..3}",9]],"sort":"{seq}","attributes":{"a":"{0..9}"},"store":true,"item_bytes":9,"rate_per_second":0,"profile":{"replay":[[0,5],[9,0]]},"arrivals":"poisson","fan_out":4,"client":"sdk-standard","consistent":true,"pause":7,"segments":8,"repeat":true,"limit":20,"start":5,"end":9}"#;
        let stream: Stream = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&stream).unwrap(), text);
    }

    #[test]
    fn what_is_misspelt_is_named() {
        let complaint = |members: &str| {
            let text = format!(r#"{{"table":"t","key":"a",{members}}}"#);
            serde_json::from_str::<Stream>(&text).unwrap_err().to_string()
        };
        assert!(complaint(r#""rate_per_sec":5"#).contains("unknown field `rate_per_sec`, expected one of `table`"));
        assert!(complaint(r#""client":"sdk"#).contains("EOF"));
        assert!(
            complaint(r#""client":"sdk-adaptive""#).contains("expected one of `none`, `sdk-standard`, `sdk-legacy`")
        );
        assert!(
            complaint(r#""profile":"flat""#).contains("unknown variant `flat`, expected one of `constant`, `ramp`")
        );
        assert!(complaint(r#""operation":"Drop""#).contains("unknown variant `Drop`"));
    }
}
