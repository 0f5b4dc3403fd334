//! An item as text, and what can be told of it before it is sent.

use crate::playground::Playground;
use dynascope_engine::diagnostic::{Failure, Span};
use dynascope_engine::partition::placement::ring_hash;
use dynascope_engine::table::Schema;
use dynascope_engine::value::document::{Spelling, read_item};
use dynascope_engine::value::{Item, MAX_ITEM_BYTES, item_to_json, item_to_plain};
use serde_json::Value as Json;

/// Longest text of one item: its 400 KB with an escape for every byte.
pub const MOST_BYTES: usize = 6 * MAX_ITEM_BYTES;

/// An item as a person would write it: plain JSON if nothing is lost by it, DynamoDB JSON otherwise. Keys first.
pub fn item_text(schema: Option<&Schema>, item: &Item) -> String {
    let plain = ordered(schema, &item_to_plain(item));
    match read_item(&plain, Spelling::Auto, MOST_BYTES) {
        Ok(read) if read.item == *item => plain,
        _ => ordered(schema, &item_to_json(item)),
    }
}

/// An object's text with the table's key attributes in front of the others.
fn ordered(schema: Option<&Schema>, object: &Json) -> String {
    let Some(members) = object.as_object() else { return object.to_string() };
    let keys: Vec<&str> =
        schema.iter().flat_map(|schema| schema.key.attributes()).map(|attribute| &*attribute.name).collect();
    let is_key = |name: &String| keys.contains(&name.as_str());
    let line = |(name, value): (&str, &Json)| {
        let value = serde_json::to_string_pretty(value).unwrap_or_default().replace('\n', "\n  ");
        format!("  {}: {value}", Json::from(name))
    };
    let first = keys.iter().filter_map(|key| Some((*key, members.get(*key)?)));
    let others = members.iter().filter(|(name, _)| !is_key(name)).map(|(name, value)| (name.as_str(), value));
    let lines: Vec<String> = first.chain(others).map(line).collect();
    format!("{{\n{}\n}}", lines.join(",\n"))
}

/// A key of the table, so that the empty field shows what is wanted.
pub fn blank(schema: &Schema) -> String {
    let members: Vec<String> = schema
        .key
        .attributes()
        .map(|attribute| {
            format!("  \"{}\": {}", attribute.name, if attribute.value_type.name() == "N" { "1" } else { "\"\"" })
        })
        .collect();
    format!("{{\n{}\n}}", members.join(",\n"))
}

/// `line 3, column 8`
pub fn place_text(span: Span, text: &str) -> String {
    let (line, column) = span.line_column(text);
    format!("line {line}, column {column}")
}

/// What the service would refuse before anything else.
pub fn refusal(schema: &Schema, item: &Item) -> Option<Failure> {
    schema.check_item_key(item).and_then(|()| schema.check_index_keys(item)).err().or_else(|| {
        (item.size_bytes() > MAX_ITEM_BYTES)
            .then(|| Failure::validation("Item size has exceeded the maximum allowed size"))
    })
}

/// `P3, hash 7a3c57…`
pub fn landing(playground: Playground, schema: &Schema, item: &Item) -> Option<String> {
    let value = item.get(&schema.key.partition.name)?;
    let hash = ring_hash(value);
    let partition = playground.with(|session| {
        let partitions = &session.database().get(&schema.name)?.base().partitions;
        Some(partitions.get(partitions.find(&hash.to_be_bytes())).id)
    })?;
    let hex = format!("{hash:016x}");
    Some(format!("lands in {partition}, hash {}…", &hex[..6]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_where_nothing_is_lost() {
        let plain = read_item("{\"a\": 1, \"b\": [true]}", Spelling::Plain, 100).unwrap().item;
        assert!(item_text(None, &plain).contains("\"a\": 1"));
        let typed = read_item("{\"a\": {\"SS\": [\"x\"]}}", Spelling::DynamoDb, 100).unwrap().item;
        assert!(item_text(None, &typed).contains("\"SS\""));
        assert_eq!(place_text(Span::new(4, 5), "ab\nc d"), "line 2, column 2");
    }
}
