//! A scenario: the data a session starts from. Seed + scenario + journal are the whole state of a session.
//!
//! | member | is | if absent |
//! |---|---|---|
//! | `version` | the form of this record, 1 | required |
//! | `title` | for people | empty |
//! | `seed` | seed of everything random | 0 |
//! | `physics` | [`Preset`]: `"aws"` or `"classroom"` | `"aws"` |
//! | `constants` | figures in place of the preset's, by the names of [`Physics`]' members | none |
//! | `saved_burst_seconds` | seconds of provisioned capacity in store at the beginning | all of the burst |
//! | `tables` | [`TableSetup`]: `[{"create": …, "items": […]}]`, CreateTable input and items in DynamoDB JSON | none |
//! | `traffic` | [`Stream`]s of generated requests, see [`crate::sim`] | none |
//! | `auto_scaling` | [`AutoScaling`]: `[{"table": …, "index": …, "read": {"min": …, "max": …, "target_percent": 70}, "write": …}]` | none |

use crate::background::AutoScaling;
use crate::capacity::price::Prices;
use crate::capacity::{Physics, Preset};
use crate::diagnostic::{Failure, Span};
use crate::operation::{Envelope, is_read};
use crate::sim::Stream;
use crate::time::SimTime;
use crate::value::document::{Complaint, read_settings};
use crate::value::{Item, item_from_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

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
    /// Figures that are to differ from the preset's, by the names of [`Physics`]' members.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub constants: Map<String, Json>,
    /// Prices that are to differ from the built-in ones, by the names of [`Prices`]' members; `as_of`, the month since
    /// which they hold, is among them.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub prices: Map<String, Json>,
    /// Seconds of provisioned capacity in store at the beginning; all of the burst if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved_burst_seconds: Option<u64>,
    /// When the clock stands at 0, in seconds since 1970; only dates in answers and what expires by a date depend on it.
    #[serde(default = "first_of_2026", skip_serializing_if = "is_first_of_2026")]
    pub epoch: u64,
    /// Tables.
    #[serde(default)]
    pub tables: Vec<TableSetup>,
    /// Traffic from the beginning.
    #[serde(default)]
    pub traffic: Vec<Stream>,
    /// Provisioned tables and indexes whose throughput follows what is consumed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub auto_scaling: Vec<AutoScaling>,
}

/// 2026-01-01T00:00:00Z.
const fn first_of_2026() -> u64 {
    1_767_225_600
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_first_of_2026(epoch: &u64) -> bool {
    *epoch == first_of_2026()
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            version: SCENARIO_VERSION,
            title: String::new(),
            seed: 0,
            physics: Preset::Aws,
            constants: Map::new(),
            prices: Map::new(),
            saved_burst_seconds: None,
            epoch: first_of_2026(),
            tables: Vec::new(),
            traffic: Vec::new(),
            auto_scaling: Vec::new(),
        }
    }
}

impl Scenario {
    /// The figures of the model: the preset's, with those in `constants` in their places.
    ///
    /// # Errors
    /// In words: a name that the model does not have, a figure of the wrong kind or out of bounds.
    pub fn figures(&self) -> Result<Physics, Failure> {
        let preset = Physics::preset(self.physics);
        if self.constants.is_empty() {
            return Ok(preset);
        }
        let wrong = |error: serde_json::Error| Failure::validation(format!("the scenario's `constants`: {error}"));
        let mut figures = serde_json::to_value(preset).map_err(wrong)?;
        for (name, figure) in &self.constants {
            let Some(place) = figures.get_mut(name) else {
                return Err(Failure::validation(format!("`{name}` is none of the model's constants")));
            };
            // Not zero, which some are divided by, and never so large that units a second could not be counted.
            let (least, most) = match &**name {
                "index_lag_ms" | "replica_lag_ms" => (0, 86_400_000),
                "on_demand_partitions" => (1, 1_000),
                _ => (1, 1_000_000_000_000),
            };
            if figure.is_number() && !figure.as_u64().is_some_and(|figure| (least..=most).contains(&figure)) {
                return Err(Failure::validation(format!(
                    "`{name}` is a whole number from {least} to {most}, not {figure}"
                )));
            }
            *place = figure.clone();
        }
        serde_json::from_value(figures).map_err(wrong)
    }

    /// The prices by which it is reckoned: the built-in ones, with those in `prices` in their places.
    ///
    /// # Errors
    /// In words: a name that is no price, an amount that is no whole number of millionths of a dollar, prices that do not
    /// say since when they hold.
    pub fn own_prices(&self) -> Result<Prices, Failure> {
        if self.prices.is_empty() {
            return Ok(Prices::default());
        }
        Prices::with(&self.prices)
    }

    /// Reads a scenario's text but for its traffic, which is handed back as JSON: whoever shows only tables need not
    /// carry what traffic takes. The same as its `Deserialize`, with a place for what cannot be read.
    ///
    /// Constants, prices and auto scaling of its own take as much; a scenario with some is handed back too (its traffic,
    /// or null), to be read whole.
    ///
    /// # Errors
    /// JSON that is none, a member of the wrong type, an item that is none.
    pub fn read_without_traffic(text: &str) -> Result<(Self, Option<Json>), Complaint> {
        let mut json = read_settings(text)?;
        let wrong = |what: &str| Complaint { span: Span::new(0, text.len()), message: what.to_owned(), help: None };
        let Some(members) = json.as_object_mut() else { return Err(wrong("a scenario is an object")) };
        let number = |name: &str| members.get(name).and_then(Json::as_u64);
        let version = number("version").and_then(|version| u32::try_from(version).ok());
        let mut scenario = Self {
            version: version.ok_or_else(|| wrong("a scenario has a `version`"))?,
            title: members.get("title").and_then(Json::as_str).unwrap_or_default().to_owned(),
            seed: number("seed").unwrap_or_default(),
            physics: match members.get("physics").map(Json::as_str) {
                None | Some(Some("aws")) => Preset::Aws,
                Some(Some("classroom")) => Preset::Classroom,
                Some(_) => return Err(wrong("`physics` is `aws` or `classroom`")),
            },
            constants: Map::new(),
            prices: Map::new(),
            saved_burst_seconds: number("saved_burst_seconds"),
            epoch: number("epoch").unwrap_or_else(first_of_2026),
            tables: Vec::new(),
            traffic: Vec::new(),
            auto_scaling: Vec::new(),
        };
        let tables = members.get_mut("tables").and_then(Json::as_array_mut);
        for table in tables.into_iter().flatten() {
            let mut items = Vec::new();
            for item in table.get("items").and_then(Json::as_array).into_iter().flatten() {
                items.push(item_from_json(item).map_err(|fault| wrong(fault.message()))?);
            }
            let create = table.get_mut("create").map(Json::take);
            scenario.tables.push(TableSetup { create: create.ok_or_else(|| wrong("a table has a `create`"))?, items });
        }
        let has_any = |traffic: &Json| traffic.as_array().is_none_or(|streams| !streams.is_empty());
        let traffic = members.remove("traffic").filter(has_any);
        let has_more = ["constants", "auto_scaling", "prices"].iter().any(|member| members.contains_key(*member));
        let whole = has_more.then_some(Json::Null);
        Ok((scenario, traffic.or(whole)))
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

impl Command {
    /// Does it change tables, items or traffic? Time and reads do not.
    pub fn is_change(&self) -> bool {
        match self {
            Self::Send(envelope) => !is_read(&envelope.operation),
            Self::Advance { .. } => false,
            Self::Traffic(_) => true,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_readers_agree() {
        let text = r#"{"version": 1, "title": "t", "seed": 7, "physics": "classroom", "saved_burst_seconds": 3, "tables":
            [{"create": {"TableName": "app"}, "items": [{"PK": {"S": "a"}}]}, {"create": {}}], "traffic": []}"#;
        let (read, traffic) = Scenario::read_without_traffic(text).unwrap();
        assert_eq!(read, serde_json::from_str(text).unwrap());
        assert_eq!(traffic, None);
        let text = r#"{"version": 1, "traffic": [{"table": "jobs", "operation": "PutItem", "key": "a", "rate_per_second": 5}]}"#;
        let (mut read, traffic) = Scenario::read_without_traffic(text).unwrap();
        read.traffic = serde_json::from_value(traffic.unwrap()).unwrap();
        assert_eq!(read, serde_json::from_str(text).unwrap());
    }

    #[test]
    fn constants_take_the_places_of_the_presets() {
        let read = |constants: &str| -> Scenario {
            serde_json::from_str(&format!(r#"{{"version": 1, "physics": "classroom", "constants": {constants}}}"#))
                .unwrap()
        };
        let figures = read(r#"{"adaptive_capacity": false, "burst_seconds": 60}"#).figures().unwrap();
        let classroom = Physics::preset(Preset::Classroom);
        assert_eq!(figures, Physics { adaptive_capacity: false, burst_seconds: 60, ..classroom });
        for wrong in [
            r#"{"gravity": 10}"#,
            r#"{"burst_seconds": -1}"#,
            r#"{"burst_seconds": true}"#,
            r#"{"adaptive_capacity": 1}"#,
            r#"{"partition_write_units": 0}"#,
            r#"{"partition_write_units": 0.5}"#,
            r#"{"account_units": 9223372036854775807}"#,
            r#"{"on_demand_partitions": 1001}"#,
        ] {
            assert!(read(wrong).figures().is_err(), "{wrong}");
        }
        // Whoever reads without traffic learns that there is more.
        let (_, more) =
            Scenario::read_without_traffic(r#"{"version": 1, "constants": {"burst_seconds": 60}}"#).unwrap();
        assert_eq!(more, Some(Json::Null));
    }

    #[test]
    fn prices_of_its_own_are_dated_and_named() {
        let read = |prices: &str| -> Scenario {
            serde_json::from_str(&format!(r#"{{"version": 1, "prices": {prices}}}"#)).unwrap()
        };
        let prices =
            read(r#"{"as_of": "2026-01", "region": "eu-west-1", "write_unit_hour": 735}"#).own_prices().unwrap();
        let expected =
            Prices { as_of: "2026-01".into(), region: "eu-west-1".into(), write_unit_hour: 735, ..Prices::default() };
        assert_eq!(prices, expected);
        assert_eq!(read("{}").own_prices().unwrap(), Prices::default());
        for (wrong, says) in [
            (r#"{"as_of": "2026-01", "gravity": 1}"#, "`gravity` is no price"),
            (r#"{"write_unit_hour": 735}"#, "`as_of`"),
            (r#"{"as_of": "January"}"#, "YYYY-MM"),
            (r#"{"as_of": "2026-13"}"#, "YYYY-MM"),
            (r#"{"as_of": "2026-01", "write_unit_hour": 0.5}"#, "millionths of a dollar"),
            (r#"{"as_of": "2026-01", "write_unit_hour": "650"}"#, "millionths of a dollar"),
            (r#"{"as_of": "2026-01", "write_unit_hour": -1}"#, "millionths of a dollar"),
            (r#"{"as_of": "2026-01", "free_gigabytes": 18446744073709551615}"#, "whole number"),
            (r#"{"as_of": "2026-01", "region": ""}"#, "`region`"),
        ] {
            let failure = read(wrong).own_prices().unwrap_err();
            assert!(failure.message.contains(says), "{wrong}: {}", failure.message);
        }
        let (_, more) = Scenario::read_without_traffic(r#"{"version": 1, "prices": {"as_of": "2026-01"}}"#).unwrap();
        assert_eq!(more, Some(Json::Null));
    }

    #[test]
    fn what_is_no_scenario_is_refused() {
        for text in ["[]", "{}", "{\"version\": 1, \"physics\": \"moon\"}", "{\"version\": 1, \"tables\": [{}]}", "{"] {
            assert!(Scenario::read_without_traffic(text).is_err(), "{text}");
        }
    }
}
