//! Attribute values, items, their order, their size and their two JSON spellings.
//!
//! ```
//! use dynascope_engine::value::{AttributeValue, Item, Number};
//!
//! let mut item = Item::new();
//! item.set("shirt-color", AttributeValue::S("R".into()));
//! item.set("shirt-size", AttributeValue::S("M".into()));
//! assert_eq!(item.size_bytes(), 23); // the guide's own example
//! assert_eq!("1.50E2".parse::<Number>().unwrap().to_string(), "150");
//! ```
//!
//! Rules: Developer Guide, "DynamoDB item sizes and formats" and "Data types". Knows nothing of tables.

pub mod base64;
pub mod document;
mod item;
mod json;
mod key_bytes;
mod number;
mod size;
mod text;

pub use item::{Item, Name};
pub use json::{
    JsonFault, item_from_json, item_to_json, item_to_plain, plain_from_value, value_from_json, value_to_json,
};
pub use key_bytes::{KeyBytes, append_key_value, hash_input, key_head};
pub use number::{Number, NumberFault};
pub use size::{MAX_ITEM_BYTES, MAX_NESTING_LEVELS};
pub use text::{item_text, plain_text};

use crate::sorted::SortedSet;
use serde::{Deserialize, Serialize};

/// One DynamoDB attribute value: exactly one of the ten data types.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AttributeValue {
    /// String, UTF-8.
    S(String),
    /// Number, 38 significant decimal digits, exact.
    N(Number),
    /// Binary.
    B(Vec<u8>),
    /// Boolean.
    Bool(bool),
    /// Null.
    Null,
    /// Map.
    M(Item),
    /// List.
    L(Vec<AttributeValue>),
    /// String set: never empty, no duplicates.
    Ss(SortedSet<String>),
    /// Number set: never empty, no two equal values.
    Ns(SortedSet<Number>),
    /// Binary set: never empty, no duplicates.
    Bs(SortedSet<Vec<u8>>),
}

/// The ten type descriptors of the wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names are the wire's own type descriptors")]
pub enum ValueType {
    S,
    N,
    B,
    #[serde(rename = "BOOL")]
    Bool,
    #[serde(rename = "NULL")]
    Null,
    M,
    L,
    #[serde(rename = "SS")]
    Ss,
    #[serde(rename = "NS")]
    Ns,
    #[serde(rename = "BS")]
    Bs,
}

impl ValueType {
    /// The descriptor on the wire: `S`, `BOOL`, `SS` …
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::M => "M",
            Self::L => "L",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }

    /// The word that ADD and DELETE use in their complaints: `STRING`, `NUMBER` …
    pub const fn long_name(self) -> &'static str {
        match self {
            Self::S => "STRING",
            Self::N => "NUMBER",
            Self::B => "BINARY",
            Self::Bool => "BOOLEAN",
            Self::Null => "NULL",
            Self::M => "MAP",
            Self::L => "LIST",
            Self::Ss => "STRING_SET",
            Self::Ns => "NUMBER_SET",
            Self::Bs => "BINARY_SET",
        }
    }

    /// All ten, in the wire model's order.
    pub const ALL: [Self; 10] =
        [Self::S, Self::N, Self::B, Self::Ss, Self::Ns, Self::Bs, Self::M, Self::L, Self::Null, Self::Bool];

    /// Reads a descriptor.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }
}

impl AttributeValue {
    /// Which of the ten types this is.
    pub const fn value_type(&self) -> ValueType {
        match self {
            Self::S(_) => ValueType::S,
            Self::N(_) => ValueType::N,
            Self::B(_) => ValueType::B,
            Self::Bool(_) => ValueType::Bool,
            Self::Null => ValueType::Null,
            Self::M(_) => ValueType::M,
            Self::L(_) => ValueType::L,
            Self::Ss(_) => ValueType::Ss,
            Self::Ns(_) => ValueType::Ns,
            Self::Bs(_) => ValueType::Bs,
        }
    }
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::S(text.to_owned())
    }
}

impl From<i64> for AttributeValue {
    fn from(number: i64) -> Self {
        Self::N(Number::from(number))
    }
}
