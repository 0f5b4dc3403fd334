//! Validated table and index definitions, and the rules an item's keys must obey.
//!
//! A [`Schema`] can only be built from checked parts; operations trust it afterwards. Knows nothing of
//! partitions or stored items. Rules: Developer Guide, "Core components", "Secondary indexes", "Quotas".

mod keys;

pub use keys::{MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES, check_key_lengths, key_length};

use crate::value::{Item, Name, ValueType};
use serde::Serialize;

/// What the ARNs of the account's tables begin with.
pub const TABLE_ARN: &str = "arn:aws:dynamodb:us-east-1:000000000000:table/";

/// A key attribute: its name and its type (S, N or B).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyAttribute {
    /// Attribute name, 1 to 255 bytes.
    pub name: Name,
    /// S, N or B.
    pub value_type: ValueType,
}

/// A partition key and, on most tables, a sort key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeySchema {
    /// Decides, through its hash, where an item lies.
    pub partition: KeyAttribute,
    /// Orders the items of one item collection.
    pub sort: Option<KeyAttribute>,
}

impl KeySchema {
    /// Partition key first, then the sort key.
    pub fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        std::iter::once(&self.partition).chain(&self.sort)
    }

    /// Is `name` one of the key attributes?
    pub fn has(&self, name: &str) -> bool {
        self.attributes().any(|attribute| *attribute.name == *name)
    }
}

/// Global or local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexKind {
    /// Own partitions, own capacity, any partition key, eventually consistent.
    Global,
    /// The table's partitions and capacity, the table's partition key.
    Local,
}

/// Which attributes an index entry carries besides its keys and the table's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Projection {
    /// Every attribute.
    All,
    /// None.
    KeysOnly,
    /// These.
    Include(Vec<String>),
}

/// A secondary index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Index {
    /// 3 to 255 characters.
    pub name: String,
    /// Global or local.
    pub kind: IndexKind,
    /// Its own key.
    pub key: KeySchema,
    /// What its entries carry.
    pub projection: Projection,
}

/// What a table or a global index pays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "mode")]
pub enum Billing {
    /// So many read and write units a second.
    Provisioned {
        /// RCU.
        read: i64,
        /// WCU.
        write: i64,
    },
    /// Each request.
    OnDemand {
        /// Maximum read units a second, if set.
        max_read: Option<i64>,
        /// Maximum write units a second, if set.
        max_write: Option<i64>,
    },
}

impl Billing {
    /// Provisioned read and write units a second; `None` on demand.
    pub const fn provisioned(self) -> Option<(i64, i64)> {
        match self {
            Self::Provisioned { read, write } => Some((read, write)),
            Self::OnDemand { .. } => None,
        }
    }
}

/// Throughput a table or global index must be able to take at once: `WarmThroughput`, units a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WarmThroughput {
    /// Read units a second.
    pub read: i64,
    /// Write units a second.
    pub write: i64,
}

/// A table's definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Schema {
    /// 3 to 255 characters.
    pub name: String,
    /// The primary key.
    pub key: KeySchema,
    /// Global indexes by name, then local ones by name.
    pub indexes: Vec<Index>,
}

impl Schema {
    /// The index called `name`.
    pub fn index(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == name)
    }

    /// Global indexes, by name.
    pub fn global_indexes(&self) -> impl Iterator<Item = &Index> {
        self.indexes.iter().filter(|index| index.kind == IndexKind::Global)
    }

    /// Local indexes, by name.
    pub fn local_indexes(&self) -> impl Iterator<Item = &Index> {
        self.indexes.iter().filter(|index| index.kind == IndexKind::Local)
    }

    /// The primary key's attributes of `item`.
    pub fn key_of(&self, item: &Item) -> Item {
        item.filtered(|name| self.key.has(name))
    }

    /// The attributes that a cursor on `index` (or on the table) carries: its keys and the table's.
    pub fn cursor_of(&self, index: Option<&Index>, item: &Item) -> Item {
        item.filtered(|name| self.key.has(name) || index.is_some_and(|index| index.key.has(name)))
    }

    /// Does `index` carry the attribute `name`?
    pub fn projects(&self, index: &Index, name: &str) -> bool {
        self.key.has(name)
            || index.key.has(name)
            || match &index.projection {
                Projection::All => true,
                Projection::KeysOnly => false,
                Projection::Include(names) => names.iter().any(|included| included == name),
            }
    }

    /// Is `item` in `index`? Only if it has all of the index's key attributes (a sparse index leaves the
    /// others out).
    pub fn is_in(&self, index: &Index, item: &Item) -> bool {
        index
            .key
            .attributes()
            .all(|attribute| item.get(&attribute.name).is_some_and(|v| v.value_type() == attribute.value_type))
    }

    /// The ARN of the table, or of one of its global indexes.
    pub fn arn(&self, index: Option<&str>) -> String {
        let table = [TABLE_ARN, &self.name].concat();
        match index {
            Some(index) => format!("{table}/index/{index}"),
            None => table,
        }
    }
}
