//! `ReturnConsumedCapacity` and the `ConsumedCapacity` it asks for. API reference, *ConsumedCapacity*.

use super::input::{Input, Violations};
use crate::capacity::{HalfUnits, Side};
use crate::diagnostic::Failure;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// How much the answer tells about its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ReturnConsumedCapacity {
    /// Nothing.
    #[default]
    None,
    /// The sum.
    Total,
    /// The sum, and table and indexes apart.
    Indexes,
}

impl ReturnConsumedCapacity {
    /// Is it the default? (For leaving it out of JSON.)
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Reads the member and notes a value that is none of the three.
    pub fn read(input: &Input<'_>, violations: &mut Violations) -> Result<Self, Failure> {
        let text = input.text("ReturnConsumedCapacity")?;
        violations.one_of(text.as_ref(), "returnConsumedCapacity", &["INDEXES", "TOTAL", "NONE"]);
        Ok(match text.as_deref() {
            Some("TOTAL") => Self::Total,
            Some("INDEXES") => Self::Indexes,
            _ => Self::None,
        })
    }
}

/// What a request cost one table, its indexes apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsumedCapacity {
    /// Units of the table itself.
    pub table: HalfUnits,
    /// Units of local indexes, by name.
    pub local: Vec<(String, HalfUnits)>,
    /// Units of global indexes, by name.
    pub global: Vec<(String, HalfUnits)>,
}

impl ConsumedCapacity {
    /// Everything together.
    pub fn total(&self) -> HalfUnits {
        self.table + self.local.iter().chain(&self.global).map(|(_, cost)| *cost).sum()
    }

    /// Adds units under an index's name.
    pub fn add(list: &mut Vec<(String, HalfUnits)>, index: &str, cost: HalfUnits) {
        match list.iter_mut().find(|(name, _)| name == index) {
            Some((_, sum)) => *sum += cost,
            None => list.push((index.to_owned(), cost)),
        }
    }

    /// Adds another request's cost on the same table.
    pub fn merge(&mut self, other: &Self) {
        self.table += other.table;
        for (index, cost) in &other.local {
            Self::add(&mut self.local, index, *cost);
        }
        for (index, cost) in &other.global {
            Self::add(&mut self.global, index, *cost);
        }
    }

    /// The wire form, or nothing if it was not asked for.
    pub fn to_json(&self, table_name: &str, wanted: ReturnConsumedCapacity) -> Option<Json> {
        self.to_json_of(table_name, wanted, None)
    }

    /// The same for a transaction, which tells at every level whether units were read or written.
    pub fn to_json_of(&self, table_name: &str, wanted: ReturnConsumedCapacity, side: Option<Side>) -> Option<Json> {
        let put = |object: &mut Map<String, Json>, cost: HalfUnits| {
            object.insert("CapacityUnits".into(), cost.to_json());
            let member = match side {
                None => return,
                Some(Side::Read) => "ReadCapacityUnits",
                Some(Side::Write) => "WriteCapacityUnits",
            };
            object.insert(member.into(), cost.to_json());
        };
        let units = |cost: HalfUnits| {
            let mut object = Map::new();
            put(&mut object, cost);
            Json::Object(object)
        };
        let arms = |list: &[(String, HalfUnits)]| {
            let mut object = Map::new();
            for (name, cost) in list {
                object.insert(name.clone(), units(*cost));
            }
            Json::Object(object)
        };
        let mut object = Map::new();
        object.insert("TableName".into(), table_name.into());
        put(&mut object, self.total());
        match wanted {
            ReturnConsumedCapacity::None => return None,
            ReturnConsumedCapacity::Total => {}
            ReturnConsumedCapacity::Indexes => {
                object.insert("Table".into(), units(self.table));
                if !self.local.is_empty() {
                    object.insert("LocalSecondaryIndexes".into(), arms(&self.local));
                }
                if !self.global.is_empty() {
                    object.insert("GlobalSecondaryIndexes".into(), arms(&self.global));
                }
            }
        }
        Some(object.into())
    }
}
