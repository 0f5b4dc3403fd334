//! DynamoDB JSON (`{"S": "a"}`) in and out, and plain JSON for people to read.
//!
//! Shapes and texts: API reference, *AttributeValue*; messages of facts recorded against the service.

use super::base64::{self, Alphabet};
use super::{AttributeValue, Item, MAX_NESTING_LEVELS, Number, ValueType};
use crate::sorted::SortedSet;
use serde_json::{Map, Value as Json};

/// Why a piece of DynamoDB JSON is no attribute value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// The JSON has the wrong shape: a `SerializationException` with this text.
    Shape(String),
    /// The shape is right and the value is not: a `ValidationException` with this text.
    Value(String),
}

impl JsonFault {
    /// The text, whichever kind it is.
    pub fn message(&self) -> &str {
        match self {
            Self::Shape(text) | Self::Value(text) => text,
        }
    }
}

fn shape(text: &str) -> JsonFault {
    JsonFault::Shape(text.to_owned())
}

fn invalid(text: impl Into<String>) -> JsonFault {
    JsonFault::Value(text.into())
}

/// How the service names a JSON token of the wrong type.
fn token_name(json: &Json) -> &'static str {
    match json {
        Json::Null => "NULL",
        Json::Bool(true) => "TRUE_VALUE",
        Json::Bool(false) => "FALSE_VALUE",
        Json::Number(number) if number.is_f64() => "DECIMAL_VALUE",
        Json::Number(_) => "NUMBER_VALUE",
        Json::String(_) => "STRING_VALUE",
        Json::Array(_) | Json::Object(_) => "START_OBJECT",
    }
}

fn text_of(json: &Json) -> Result<&str, JsonFault> {
    match json {
        Json::String(text) => Ok(text),
        Json::Array(_) => Err(shape("Unexpected value type in payload")),
        Json::Object(_) => Err(shape("Start of structure or map found where not expected.")),
        other => Err(shape(&format!("{} cannot be converted to String", token_name(other)))),
    }
}

fn list_of(json: &Json) -> Result<&Vec<Json>, JsonFault> {
    match json {
        Json::Array(list) => Ok(list),
        Json::Object(_) => Err(shape("Start of structure or map found where not expected.")),
        _ => Err(shape("Unexpected value type in payload")),
    }
}

fn number_of(json: &Json) -> Result<Number, JsonFault> {
    let text = text_of(json)?;
    text.parse().map_err(|fault: super::NumberFault| invalid(fault.message(text)))
}

fn bytes_of(json: &Json) -> Result<Vec<u8>, JsonFault> {
    let text = text_of(json)?;
    base64::decode(text, Alphabet::Standard).ok_or_else(|| shape("Invalid base64 encoded binary value"))
}

fn set_of<T: Ord>(
    json: &Json,
    empty: &str,
    read: impl Fn(&Json) -> Result<T, JsonFault>,
    duplicates: impl Fn(&[&Json]) -> String,
) -> Result<SortedSet<T>, JsonFault> {
    let list = list_of(json)?;
    if list.is_empty() {
        return Err(invalid(format!("One or more parameter values were invalid: {empty}")));
    }
    let mut members = Vec::with_capacity(list.len());
    for element in list {
        members.push(read(element)?);
    }
    let (set, doubled) = SortedSet::gather(members);
    if doubled {
        let elements: Vec<&Json> = list.iter().collect();
        return Err(invalid(format!("One or more parameter values were invalid: {}", duplicates(&elements))));
    }
    Ok(set)
}

fn listed(elements: &[&Json]) -> String {
    let texts: Vec<&str> = elements.iter().filter_map(|json| json.as_str()).collect();
    format!("[{}]", texts.join(", "))
}

/// Reads `{"S": "a"}` and its nine siblings.
pub fn value_from_json(json: &Json) -> Result<AttributeValue, JsonFault> {
    read_value(json, 0)
}

fn read_value(json: &Json, depth: usize) -> Result<AttributeValue, JsonFault> {
    if depth > MAX_NESTING_LEVELS {
        return Err(invalid(
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
        ));
    }
    let object = match json {
        Json::Object(object) => object,
        Json::Array(_) => return Err(shape("Unrecognized collection type class java.util.ArrayList")),
        _ => return Err(shape("Unexpected value type in payload")),
    };
    let mut found = None;
    for (tag, content) in object {
        // The service ignores members it does not know, and so arrives at "is empty".
        if let Some(value_type) = ValueType::from_name(tag).filter(|_| !content.is_null()) {
            if found.is_some() {
                return Err(invalid(
                    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
                ));
            }
            found = Some((value_type, content));
        }
    }
    let Some((value_type, content)) = found else {
        return Err(invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"));
    };
    read_content(value_type, content, depth)
}

fn read_content(value_type: ValueType, content: &Json, depth: usize) -> Result<AttributeValue, JsonFault> {
    Ok(match value_type {
        ValueType::S => AttributeValue::S(text_of(content)?.to_owned()),
        ValueType::N => AttributeValue::N(number_of(content)?),
        ValueType::B => AttributeValue::B(bytes_of(content)?),
        ValueType::Bool => match content {
            Json::Bool(flag) => AttributeValue::Bool(*flag),
            Json::String(text) if text == "true" || text == "false" => AttributeValue::Bool(text == "true"),
            other => return Err(shape(&format!("{} cannot be converted to Boolean", token_name(other)))),
        },
        ValueType::Null => match content {
            Json::Bool(true) => AttributeValue::Null,
            Json::Bool(false) => {
                return Err(invalid(
                    "One or more parameter values were invalid: Null attribute value types must have the value of true",
                ));
            }
            other => return Err(shape(&format!("{} cannot be converted to Boolean", token_name(other)))),
        },
        ValueType::M => AttributeValue::M(read_map(content, depth + 1)?),
        ValueType::L => AttributeValue::L(
            list_of(content)?.iter().map(|element| read_value(element, depth + 1)).collect::<Result<_, _>>()?,
        ),
        ValueType::Ss => AttributeValue::Ss(set_of(
            content,
            "An string set  may not be empty",
            |json| text_of(json).map(str::to_owned),
            |elements| format!("Input collection {} contains duplicates.", listed(elements)),
        )?),
        ValueType::Ns => AttributeValue::Ns(set_of(content, "An number set  may not be empty", number_of, |_| {
            "Input collection contains duplicates".to_owned()
        })?),
        ValueType::Bs => {
            AttributeValue::Bs(set_of(content, "Binary sets should not be empty", bytes_of, |elements| {
                format!("Input collection {}of type BS contains duplicates.", listed(elements))
            })?)
        }
    })
}

fn read_map(json: &Json, depth: usize) -> Result<Item, JsonFault> {
    match json {
        Json::Object(object) => {
            object.iter().map(|(name, value)| Ok((name.as_str().into(), read_value(value, depth)?))).collect()
        }
        Json::Array(_) => Err(shape("Unrecognized collection type class java.util.ArrayList")),
        _ => Err(shape("Unexpected value type in payload")),
    }
}

/// Reads an item or a key: `{"pk": {"S": "a"}}`.
pub fn item_from_json(json: &Json) -> Result<Item, JsonFault> {
    read_map(json, 0)
}

/// Writes a value as DynamoDB JSON.
pub fn value_to_json(value: &AttributeValue) -> Json {
    let content = match value {
        AttributeValue::S(text) => Json::from(text.as_str()),
        AttributeValue::N(number) => Json::from(number.to_string()),
        AttributeValue::B(bytes) => Json::from(base64::encode(bytes, Alphabet::Standard)),
        AttributeValue::Bool(flag) => Json::from(*flag),
        AttributeValue::Null => Json::from(true),
        AttributeValue::M(map) => item_to_json(map),
        AttributeValue::L(list) => list.iter().map(value_to_json).collect(),
        AttributeValue::Ss(set) => set.iter().map(|text| Json::from(text.as_str())).collect(),
        AttributeValue::Ns(set) => set.iter().map(|number| Json::from(number.to_string())).collect(),
        AttributeValue::Bs(set) => {
            set.iter().map(|bytes| Json::from(base64::encode(bytes, Alphabet::Standard))).collect()
        }
    };
    let mut object = Map::new();
    object.insert(value.value_type().name().to_owned(), content);
    Json::Object(object)
}

/// Members are put in one by one: gathering them at once would sort what is sorted, and sorting weighs more code.
fn object_of(item: &Item, write: fn(&AttributeValue) -> Json) -> Json {
    let mut object = Map::new();
    for (name, value) in item {
        object.insert(name.to_string(), write(value));
    }
    Json::Object(object)
}

/// Writes an item or a key as DynamoDB JSON.
pub fn item_to_json(item: &Item) -> Json {
    object_of(item, value_to_json)
}

/// A value the way a person would write it; sets as lists, binary as base64. Not reversible.
pub fn plain_from_value(value: &AttributeValue) -> Json {
    match value {
        AttributeValue::S(text) => Json::from(text.as_str()),
        AttributeValue::N(number) => {
            // Numbers that JSON readers would round are shown as text, so that no digit is lost.
            match (number.to_i64(), number.to_f64()) {
                (Some(whole), _) if whole.unsigned_abs() < 1 << 53 => Json::from(whole),
                (_, Some(real)) => Json::from(real),
                _ => Json::from(number.to_string()),
            }
        }
        AttributeValue::B(bytes) => Json::from(base64::encode(bytes, Alphabet::Standard)),
        AttributeValue::Bool(flag) => Json::from(*flag),
        AttributeValue::Null => Json::Null,
        AttributeValue::M(map) => item_to_plain(map),
        AttributeValue::L(list) => list.iter().map(plain_from_value).collect(),
        AttributeValue::Ss(set) => set.iter().map(|text| Json::from(text.as_str())).collect(),
        AttributeValue::Ns(set) => set.iter().map(|number| plain_from_value(&AttributeValue::N(*number))).collect(),
        AttributeValue::Bs(set) => {
            set.iter().map(|bytes| Json::from(base64::encode(bytes, Alphabet::Standard))).collect()
        }
    }
}

/// An item the way a person would write it.
pub fn item_to_plain(item: &Item) -> Json {
    object_of(item, plain_from_value)
}

impl serde::Serialize for AttributeValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        value_to_json(self).serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for AttributeValue {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        value_from_json(&json).map_err(|fault| serde::de::Error::custom(fault.message()))
    }
}

impl serde::Serialize for Item {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        item_to_json(self).serialize(serializer)
    }
}

impl<'de> serde::Deserialize<'de> for Item {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        item_from_json(&json).map_err(|fault| serde::de::Error::custom(fault.message()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn round_trips_every_type() {
        let item = json!({
            "s": {"S": "é"}, "n": {"N": "1.5"}, "b": {"B": "AAE="}, "t": {"BOOL": true}, "z": {"NULL": true},
            "m": {"M": {"k": {"L": [{"N": "1"}, {"S": ""}]}}}, "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]},
            "bs": {"BS": ["AA==", "AQ=="]},
        });
        assert_eq!(item_to_json(&item_from_json(&item).unwrap()), item);
    }

    #[test]
    fn complains_in_the_services_words() {
        let check = |json: Json, text: &str| assert_eq!(value_from_json(&json).unwrap_err().message(), text);
        check(json!({}), "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
        check(
            json!({"X": "a"}),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        );
        check(
            json!({"S": "a", "N": "1"}),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        );
        check(json!({"SS": []}), "One or more parameter values were invalid: An string set  may not be empty");
        check(
            json!({"SS": ["a", "a"]}),
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
        );
        check(
            json!({"NS": ["1", "1.0"]}),
            "One or more parameter values were invalid: Input collection contains duplicates",
        );
        check(json!({"N": 1}), "NUMBER_VALUE cannot be converted to String");
        check(
            json!({"NULL": false}),
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
        );
    }

    #[test]
    fn thirty_two_levels_and_no_more() {
        let nest = |levels: usize| (0..levels).fold(json!({"S": "x"}), |inner, _| json!({"L": [inner]}));
        assert!(value_from_json(&nest(32)).is_ok());
        assert!(value_from_json(&nest(33)).is_err());
    }
}
