//! A scenario: the data a session starts from. Seed + scenario + journal are the whole state of a session.

use crate::capacity::Preset;
use crate::operation::Envelope;
use crate::sim::Stream;
use crate::time::SimTime;
use crate::value::Item;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// The version this engine writes.
pub const SCENARIO_VERSION: u32 = 1;

/// Where a session starts: tables with items, traffic, constants and the seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// Form of this record; 1.
    pub version: u32,
    /// For people.
    #[serde(default)]
    pub title: String,
    /// Seed of everything random.
    #[serde(default)]
    pub seed: u64,
    /// Constants of the physical model.
    #[serde(default)]
    pub physics: Preset,
    /// Seconds of provisioned capacity in store at the beginning; all of the burst if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_burst_seconds: Option<u64>,
    /// Tables.
    #[serde(default)]
    pub tables: Vec<TableSetup>,
    /// Traffic from the beginning.
    #[serde(default)]
    pub traffic: Vec<Stream>,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            version: SCENARIO_VERSION,
            title: String::new(),
            seed: 0,
            physics: Preset::Aws,
            saved_burst_seconds: None,
            tables: Vec::new(),
            traffic: Vec::new(),
        }
    }
}

/// A table and what is in it. Items of a scenario are there from the start and cost nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSetup {
    /// CreateTable input.
    pub create: Json,
    /// Items, in DynamoDB JSON.
    #[serde(default)]
    pub items: Vec<Item>,
}

/// One thing done to a session after it began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// A request was sent.
    Send(Envelope),
    /// So many generated requests were answered, and then the clock stood at `to`.
    ///
    /// The count makes a replay exact even where the clock was stopped between two requests of one moment.
    Advance {
        /// Generated requests.
        events: u64,
        /// The clock after them.
        to: SimTime,
    },
    /// The traffic was replaced, from now on.
    Traffic(Vec<Stream>),
}

/// A scenario and everything done since: the form of links, exports and bug reports.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The beginning.
    pub scenario: Scenario,
    /// Since then.
    #[serde(default)]
    pub journal: Vec<Command>,
}
