//! Items as people write them: plain JSON or DynamoDB JSON, read with a place for every complaint.
//!
//! ```
//! use dynascope_engine::value::document::{Spelling, read_item};
//!
//! let plain = read_item(r#"{"pk": "a", "n": 1}"#, Spelling::Auto, 1_000).unwrap();
//! let typed = read_item(r#"{"pk": {"S": "a"}, "n": {"N": "1"}}"#, Spelling::Auto, 1_000).unwrap();
//! assert_eq!(plain.item, typed.item);
//! assert_eq!(typed.spelling, Spelling::DynamoDb);
//!
//! let text = r#"{"pk": "a" "n": 1}"#;
//! let complaints = read_item(text, Spelling::Auto, 1_000).unwrap_err();
//! assert_eq!(complaints[0].message, "expected `,` or `}` here");
//! assert_eq!(complaints[0].span.start, 11);
//! ```
//!
//! For editors and pasted texts; requests on the wire are read by [`super::item_from_json`]. Numbers keep every
//! digit. Where the service has words for a fault, they are used; about broken JSON the words are ours.
//! Work is bounded: a text over the caller's limit is refused unread, and nesting has an end.

mod convert;
mod json;
mod pasted;

pub use pasted::{ItemRead, ItemsRead, read_items};

use super::{AttributeValue, Item, MAX_ITEM_BYTES};
use crate::diagnostic::Span;
use convert::Converter;
use serde_json::Value as Json;

/// How a text spells attribute values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// DynamoDB JSON if every attribute looks like it, plain JSON otherwise.
    Auto,
    /// `{"pk": "a", "n": 1}`: no sets, no binary.
    Plain,
    /// `{"pk": {"S": "a"}, "n": {"N": "1"}}`
    DynamoDb,
}

/// Something in a text that cannot be understood or stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// Where, in bytes of the text.
    pub span: Span,
    /// What: the service's words, or ours in small letters without a final period.
    pub message: String,
    /// What to do about it, where there is something obvious.
    pub help: Option<String>,
}

impl Complaint {
    pub(self) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    pub(self) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// One item and how it was spelt.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The item.
    pub item: Item,
    /// `Plain` or `DynamoDb`, whichever it was read as.
    pub spelling: Spelling,
}

/// Most complaints that are kept of one text.
pub const MAX_COMPLAINTS: usize = 50;

/// Longest text of a single value. An item's 400 KB, written with an escape for every byte, fit.
pub const MAX_VALUE_TEXT_BYTES: usize = 6 * MAX_ITEM_BYTES;

/// Reads one item. A text of more than `limit_bytes` is refused unread.
pub fn read_item(text: &str, spelling: Spelling, limit_bytes: usize) -> Result<Document, Vec<Complaint>> {
    check_size(text, limit_bytes).map_err(|complaint| vec![complaint])?;
    let node = json::read(text).map_err(|complaint| vec![complaint])?;
    let node = pasted::unwrapped(&node);
    let spelling = match spelling {
        Spelling::Auto if convert::looks_typed(node) => Spelling::DynamoDb,
        Spelling::Auto => Spelling::Plain,
        chosen => chosen,
    };
    let mut converter = Converter::new(text, spelling);
    match converter.item(node) {
        Some(item) if converter.complaints.is_empty() => Ok(Document { item, spelling }),
        _ => Err(converter.complaints),
    }
}

/// Reads a single value, as typed into a form. A bare word is a complaint; whether to offer quotes is the
/// form's affair. `Auto` takes `{"S": "a"}` for DynamoDB JSON.
pub fn read_value(text: &str, spelling: Spelling) -> Result<AttributeValue, Complaint> {
    check_size(text, MAX_VALUE_TEXT_BYTES)?;
    let node = json::read(text)?;
    let typed = match spelling {
        Spelling::Auto => convert::is_typed_value(&node),
        Spelling::Plain => false,
        Spelling::DynamoDb => true,
    };
    let mut converter = Converter::new(text, if typed { Spelling::DynamoDb } else { Spelling::Plain });
    match (converter.value(&node, 0), converter.complaints.into_iter().next()) {
        (Some(value), None) => Ok(value),
        (_, complaint) => Err(complaint.unwrap_or_else(|| Complaint::new(node.span, "this is no value"))),
    }
}

/// Reads JSON as settings are written in: every number is whole and fits 64 bits.
///
/// Unlike serde's reader it needs no floating point, which is a good part of what a page downloads.
pub fn read_settings(text: &str) -> Result<Json, Complaint> {
    let node = json::read(text)?;
    match convert::first_fraction(&node, text) {
        Some(number) => Err(Complaint::new(number.span, "a number here is whole, and at most 2^63 - 1")),
        None => Ok(convert::to_json(&node, text)),
    }
}

fn check_size(text: &str, limit_bytes: usize) -> Result<(), Complaint> {
    if text.len() <= limit_bytes {
        return Ok(());
    }
    let message =
        ["this text has ", &text.len().to_string(), " bytes; the limit is ", &limit_bytes.to_string()].concat();
    Err(Complaint::new(Span::new(0, text.len()), message))
}

#[cfg(test)]
mod tests;
