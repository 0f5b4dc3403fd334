//! Generated traffic: streams of requests as data, the keys they ask for, the clients that repeat what was refused,
//! and the random numbers behind them.
//!
//! Request `k` of a stream at a constant rate arrives at start + ⌊k·10⁶/rate⌋ µs; [`Profile`] says when those of
//! other rates do. Everything follows from seed, stream and `k`, so a run does not depend on how it is sliced. What
//! happens at one instant is ordered by stream, then by request: what a request repeats comes before a new one.
//!
//! # A stream in JSON
//!
//! | member | is | if absent |
//! |---|---|---|
//! | `table` | the table | required |
//! | `operation` | `PutItem`, `UpdateItem`, `DeleteItem`, `GetItem`, `Query` or `Scan` | `PutItem` |
//! | `index` | the index a `Query` or `Scan` reads | the table itself |
//! | `key` | [`Template`] of the partition key | `keys` |
//! | `keys` | weighted templates instead: `[["PENDING", 90], ["DONE", 10]]` | `key` |
//! | `sort` | template of the sort key | items are told apart by the partition key only |
//! | `attributes` | templates of further attributes of a write: `{"status": "OPEN"}`; see below | it reaches no index |
//! | `store` | are items really stored? see below | false: metered |
//! | `item_bytes` | bytes written or found, or of a page | 1024 |
//! | `rate_per_second` | the constant rate | 0 |
//! | `profile` | [`Profile`]: `"constant"`, `{"ramp": …}`, `{"spike": …}`, `{"daily": …}`, `{"replay": …}` | `"constant"` |
//! | `arrivals` | [`Arrivals`]: `"even"` or `"poisson"` | `"even"` |
//! | `fan_out` | one read asks all so many keys of the template | 1 |
//! | `client` | [`Client`]: `"none"`, `"sdk-standard"`, `"sdk-legacy"` | `"none"` |
//! | `consistent` | strongly consistent reads | false |
//! | `pause` | ms that a worker of a `Scan` rests between pages | 0 |
//! | `segments` | workers of a parallel `Scan` | 1 |
//! | `repeat` | does a `Scan` begin again at its end? | false |
//! | `limit` | items a page of a storing `Query` or `Scan` | 1 MB a page |
//! | `start`, `end` | first moment and the moment after the last, in µs | now, never |
//!
//! # Indexes
//!
//! A write with `attributes` (`{}` will do where the table's key is enough) meets the admission of indexes as a typed one
//! does: a put or delete changes one entry in each index whose key attributes are all given; a metered update keeps keys
//! and changes the entries that carry the item's filler, with ALL or by the name `filler`. With ALL an entry has
//! `item_bytes`, with KEYS_ONLY and INCLUDE the bytes of keys and included attributes that templates give. Attributes
//! that are keys of an index have its type, others are strings. What each draws is independent of the others. A local
//! index's entries are paid for by the table.
//!
//! # Metered or stored
//!
//! A metered request meets admission, is charged and counted, counts bytes and touches no item: a put is of a new item,
//! an update, delete or read finds one of `item_bytes`. A storing one is a request like one that is sent, by the same
//! mechanism: a put stores key, attributes and a `filler` of `x` up to `item_bytes`; an update writes another filler of
//! the same size into what is there; a Query reads its collection, from `sort` on if there is one; a Scan follows its
//! cursors. As long as every put is of a new item and what is changed exists, both cost the same and are refused alike.
//!
//! # Scans
//!
//! The worker of a `Scan` reads page after page, 1/`rate_per_second` plus `pause` from an answer to the next request, a
//! refused page again. Metered pages of `item_bytes` go through the partitions by their bytes, as if these were spread
//! evenly over the range of hashes.

mod arrivals;
mod attributes;
mod client;
mod keys;
mod prng;
mod profile;
mod running;
mod scanning;
mod stored;
mod stream;
mod template;
mod waits;

pub use arrivals::Arrivals;
pub use attributes::{EntryPlan, ItemParts};
pub use client::Client;
pub use prng::mix;
pub use profile::Profile;
pub use running::{Ask, RunningStream};
pub use scanning::{Answer, PageCursor};
pub use stream::{MAX_RATE_PER_SECOND, Stream, StreamOperation};
pub use template::{Moment, Template, TemplateFault};
