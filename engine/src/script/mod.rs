//! Golden scripts: commands in, readable text out, natively and in wasm alike. And recorded cases, see [`case`].
//!
//! ```text
//! load orders
//! query app "PK = 'TENANT#42#ORDER#991'" show=SK,type
//! ---
//! Count 4, ScannedCount 4, 0.5 RCU, P1, end-of-data
//!   ITEM#001 OrderItem
//!   …
//! ```
//!
//! The format is the crate goldenscript's: a block of commands, `---`, what came of them. Commands:
//!
//! | command | does |
//! |---|---|
//! | `load NAME` or `load JSON` | begins a built-in scene ([`SCENES`]) or a scenario |
//! | `create TABLE KEY [SORT] [read=R write=W] [warm=W]` | a table; sort key or not, on demand unless provisioned |
//! | `send OPERATION JSON` | any request, and the answer as on the wire |
//! | `put TABLE ITEM`, `update TABLE KEY EXPRESSION`, `delete TABLE KEY`, `get TABLE KEY` | items and keys in plain JSON |
//! | `query TABLE CONDITION`, `scan TABLE` | `all=true` follows the cursors; `pages=N` and `times=N` `pause=500ms`: figures only |
//! | `where TABLE KEY` | where a partition key value lies |
//! | `advance 60s`, `traffic JSON`, `step` | moves the clock, replaces the traffic |
//! | `telemetry TABLE [INDEX]`, `log TABLE [LINES]` | how the table stands, whom it refused lately |
//! | `splits TABLE [INDEX]` | what was split, is going to be, and why something was not |
//! | `scaling TABLE [INDEX]` | what auto scaling did and is going to do, and why it did not |
//! | `count TABLE [INDEX] [over=60s]` | what came of the requests of the latest second or seconds |
//! | `cloudwatch TABLE [INDEX] [last=N]` | the minutes that had anything in them, by CloudWatch's metric names |
//! | `insights TABLE [INDEX]` | the keys most accessed (3 × write units + read units) and most throttled in the last minute |
//! | `price TABLE [JSON]` | what the table costs a month, and on demand, in dollars, by the scenario's prices or those in JSON |
//! | `cache put …`, `cache get …`, `cache query …` … | the request through a cache, and where the answer came from |
//! | `cache new [item-ttl=300s] [query-ttl=300s] [items=N] [results=N]`, `cache stats` | an empty cache; what it has done |
//! | `get … rate=8000 for=10s` | the same request so many times a second, also behind `cache` |
//! | `regions NAME NAME [lag=1s]` | the scenario's tables in several Regions; they have a clock of their own |
//! | `region NAME put …`, `region NAME telemetry …` … | the request, or how the table stands, in that Region |
//! | `regions advance 1s`, `regions pending`, `regions stats` | the Regions' clock, what is on its way, who paid what |
//! | `undo`, `redo`, `replay` | the journal; a replay that does not agree is an error |
//!
//! In expressions `'text'` and bare numbers stand for values and `#word` for the attribute `word`; the runner
//! writes the placeholders. Knows nothing of files: who runs a script reads and compares it.

pub mod case;
mod command;
mod neighbour;
mod print;
mod runner;
mod shorthand;
mod watch;

use crate::scenario::Scenario;

/// Scenes that `load` knows by name, with their scenario files.
pub const SCENES: [(&str, &str); 3] = [
    ("orders", include_str!("../../../public/scenes/orders.json")),
    ("hot-key", include_str!("../../../public/scenes/hot-key.json")),
    ("buckets", include_str!("../../../public/scenes/buckets.json")),
];

/// Runs a script and returns it with its outputs filled in.
///
/// # Errors
/// In words: what is wrong with the script itself. Refused requests are outputs.
pub fn run(script: &str) -> Result<String, String> {
    let mut runner = runner::Runner::new()?;
    goldenscript::generate(&mut runner, script).map_err(|error| error.to_string())
}

/// A built-in scene by its name, or a scenario given as JSON.
///
/// # Errors
/// In words: text that is neither.
pub fn scenario(source: &str) -> Result<Scenario, String> {
    let json = SCENES.iter().find(|(name, _)| *name == source).map_or(source, |(_, json)| json);
    serde_json::from_str(json).map_err(|error| format!("neither a scene's name nor a scenario: {error}"))
}
