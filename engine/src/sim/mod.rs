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
//! | `operation` | `PutItem`, `UpdateItem`, `DeleteItem`, `GetItem` or `Query` | `PutItem` |
//! | `index` | the index a `Query` reads | the table itself |
//! | `key` | [`Template`] of the partition key | `keys` |
//! | `keys` | weighted templates instead: `[["PENDING", 90], ["DONE", 10]]` | `key` |
//! | `sort` | template of the sort key | items are told apart by the partition key only |
//! | `item_bytes` | bytes written or found | 1024 |
//! | `rate_per_second` | the constant rate | 0 |
//! | `profile` | [`Profile`]: `"constant"`, `{"ramp": …}`, `{"spike": …}`, `{"daily": …}`, `{"replay": …}` | `"constant"` |
//! | `fan_out` | one read asks all so many keys of the template | 1 |
//! | `client` | [`Client`]: `"none"`, `"sdk-standard"`, `"sdk-legacy"` | `"none"` |
//! | `consistent` | strongly consistent reads | false |
//! | `start`, `end` | first moment and the moment after the last, in µs | now, never |

mod client;
mod keys;
mod prng;
mod profile;
mod running;
mod stream;
mod template;

pub use client::Client;
pub use prng::mix;
pub use profile::Profile;
pub use running::{Ask, RunningStream};
pub use stream::{MAX_RATE_PER_SECOND, Stream, StreamOperation};
pub use template::{Moment, Template, TemplateFault};
