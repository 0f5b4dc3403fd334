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
//! | `query TABLE CONDITION`, `scan TABLE` | `all=true` follows the cursors |
//! | `where TABLE KEY` | where a partition key value lies |
//! | `advance 60s`, `traffic JSON`, `step` | moves the clock, replaces the traffic |
//! | `telemetry TABLE [INDEX]`, `log TABLE [LINES]` | how the table stands, whom it refused lately |
//! | `undo`, `redo`, `replay` | the journal; a replay that does not agree is an error |
//!
//! In expressions `'text'` and bare numbers stand for values and `#word` for the attribute `word`; the runner
//! writes the placeholders. Knows nothing of files: who runs a script reads and compares it.

pub mod case;
mod command;
mod print;
mod runner;
mod shorthand;

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
