//! Tests of the room as its callers see it. A table per idea, one `check` per table.

mod conditions;
mod keys;
mod refusals;
mod updates;

use super::Placeholders;
use crate::value::{AttributeValue, Item, item_from_json, value_from_json};
use serde_json::{Value as Json, json};

/// Every name and value that the tables use; tables do not count what is unused.
pub fn placeholders() -> Placeholders {
    let names = [("#a", "a"), ("#b", "b"), ("#3", "[3]"), ("#dot", "a.b"), ("#s", "status")];
    let values = json!({
        ":s": {"S": "s"}, ":t": {"S": "t"}, ":empty": {"S": ""}, ":n": {"N": "1"}, ":m": {"N": "2"}, ":b": {"B": "YQ=="},
        ":bool": {"BOOL": true}, ":null": {"NULL": true}, ":l": {"L": [{"S": "x"}]}, ":map": {"M": {"k": {"S": "v"}}},
        ":ss": {"SS": ["x", "y"]}, ":ns": {"NS": ["1", "2"]}, ":bs": {"BS": ["YQ=="]}, ":SS": {"S": "SS"},
        ":five": {"N": "5"}, ":zero": {"N": "0"}, ":tiny": {"N": "1e-100"},
    });
    let names = names.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect();
    Placeholders::new(Some(names), Some(map(&values))).unwrap()
}

fn map(json: &Json) -> crate::sorted::SortedMap<AttributeValue> {
    let object = json.as_object().unwrap();
    object.iter().map(|(key, value)| (key.clone(), value_from_json(value).unwrap())).collect()
}

pub fn item(json: Json) -> Item {
    item_from_json(&json).unwrap()
}
