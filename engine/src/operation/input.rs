//! Reading request JSON: one member at a time, with the service's complaints about wrong shapes.

use crate::diagnostic::{ErrorKind, Failure};
use crate::sorted::SortedMap;
use crate::value::{AttributeValue, Item, JsonFault, item_from_json, value_from_json};
use serde_json::{Map, Value as Json};

/// A JSON object seen as a request (or a structure inside one). Members that are `null` count as absent.
pub struct Input<'a> {
    object: &'a Map<String, Json>,
}

fn serialization(text: impl Into<String>) -> Failure {
    Failure::new(ErrorKind::Serialization, text)
}

fn token_name(json: &Json) -> &'static str {
    match json {
        Json::Bool(true) => "TRUE_VALUE",
        Json::Bool(false) => "FALSE_VALUE",
        Json::Number(number) if number.is_f64() => "DECIMAL_VALUE",
        Json::Number(_) => "NUMBER_VALUE",
        _ => "STRING_VALUE",
    }
}

/// A `SerializationException` or a `ValidationException`, as the fault asks for.
pub fn value_failure(fault: JsonFault) -> Failure {
    match fault {
        JsonFault::Shape(text) => serialization(text),
        JsonFault::Value(text) => Failure::validation(text),
    }
}

impl<'a> Input<'a> {
    /// The whole request, which must be an object.
    pub fn new(json: &'a Json) -> Result<Self, Failure> {
        match json {
            Json::Object(object) => Ok(Self { object }),
            Json::Array(_) => Err(serialization("Unrecognized collection type class java.util.ArrayList")),
            _ => Err(serialization("Unexpected value type in payload")),
        }
    }

    /// The whole object again.
    pub fn to_json(&self) -> Json {
        Json::Object(self.object.clone())
    }

    /// A member as it is.
    pub fn raw(&self, name: &str) -> Option<&'a Json> {
        self.object.get(name).filter(|json| !json.is_null())
    }

    /// Is the member there?
    pub fn has(&self, name: &str) -> bool {
        self.raw(name).is_some()
    }

    /// A string member.
    pub fn text(&self, name: &str) -> Result<Option<String>, Failure> {
        match self.raw(name) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(Json::Array(_)) => Err(serialization("Unrecognized collection type class java.lang.String")),
            Some(Json::Object(_)) => Err(serialization("Start of structure or map found where not expected.")),
            Some(other) => Err(serialization(format!("{} cannot be converted to String", token_name(other)))),
        }
    }

    /// A boolean member.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Failure> {
        match self.raw(name) {
            None => Ok(None),
            Some(Json::Bool(flag)) => Ok(Some(*flag)),
            Some(Json::Array(_)) => Err(serialization("Unrecognized collection type class java.lang.Boolean")),
            Some(Json::Object(_)) => Err(serialization("Start of structure or map found where not expected.")),
            Some(Json::String(_)) => Err(serialization("Unexpected token received from parser")),
            Some(other) => Err(serialization(format!("{} cannot be converted to Boolean", token_name(other)))),
        }
    }

    /// A whole number; decimals are cut off, as the service does.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, Failure> {
        match self.raw(name) {
            None => Ok(None),
            Some(Json::Number(number)) => {
                Ok(number.as_i64().or_else(|| number.as_f64().map(|real| real.clamp(-9.0e18, 9.0e18) as i64)))
            }
            Some(Json::Array(_)) => Err(serialization("Unrecognized collection type class java.lang.Integer")),
            Some(Json::Object(_)) => Err(serialization("Start of structure or map found where not expected.")),
            Some(other) => Err(serialization(format!("{} cannot be converted to Integer", token_name(other)))),
        }
    }

    /// A structure member.
    pub fn structure(&self, name: &str) -> Result<Option<Self>, Failure> {
        self.raw(name).map(Self::new).transpose()
    }

    /// A structure that must be there; what was complained of so far is told together with it.
    pub fn required_structure(&self, name: &str, path: &str, mut violations: Violations) -> Result<Self, Failure> {
        let found = self.structure(name)?;
        if found.is_none() {
            violations.missing(path);
        }
        violations.check()?;
        found.ok_or_else(|| Failure::validation(""))
    }

    /// The members of a map, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&'a String, &'a Json)> {
        self.object.iter()
    }

    /// A list member.
    pub fn list(&self, name: &str) -> Result<Option<&'a [Json]>, Failure> {
        match self.raw(name) {
            None => Ok(None),
            Some(Json::Array(list)) => Ok(Some(list)),
            Some(Json::Object(_)) => Err(serialization("Start of structure or map found where not expected.")),
            Some(_) => Err(serialization("Unexpected value type in payload")),
        }
    }

    /// A list of structures.
    pub fn structures(&self, name: &str) -> Result<Option<Vec<Self>>, Failure> {
        self.list(name)?.map(|list| list.iter().map(Self::new).collect()).transpose()
    }

    /// A list of strings.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>, Failure> {
        let Some(list) = self.list(name)? else { return Ok(None) };
        list.iter()
            .map(|json| match json {
                Json::String(text) => Ok(text.clone()),
                other => Err(serialization(format!("{} cannot be converted to String", token_name(other)))),
            })
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// An item or a key.
    pub fn item(&self, name: &str) -> Result<Option<Item>, Failure> {
        self.raw(name).map(|json| item_from_json(json).map_err(value_failure)).transpose()
    }

    /// A list of items or keys.
    pub fn items(&self, name: &str) -> Result<Option<Vec<Item>>, Failure> {
        let Some(list) = self.list(name)? else { return Ok(None) };
        list.iter().map(|json| item_from_json(json).map_err(value_failure)).collect::<Result<_, _>>().map(Some)
    }

    /// `ExpressionAttributeNames`.
    pub fn names(&self) -> Result<Option<SortedMap<String>>, Failure> {
        let Some(input) = self.structure("ExpressionAttributeNames")? else { return Ok(None) };
        let mut names = SortedMap::new();
        for (key, _) in input.entries() {
            names.insert(key.clone(), input.text(key)?.unwrap_or_default());
        }
        Ok(Some(names))
    }

    /// `ExpressionAttributeValues`.
    pub fn values(&self) -> Result<Option<SortedMap<AttributeValue>>, Failure> {
        let Some(input) = self.structure("ExpressionAttributeValues")? else { return Ok(None) };
        let mut values = SortedMap::new();
        for (key, json) in input.entries() {
            let value = value_from_json(json).map_err(|fault| match fault {
                JsonFault::Shape(text) => serialization(text),
                JsonFault::Value(text) => Failure::validation(format!(
                    "ExpressionAttributeValues contains invalid value: {text} for key {key}"
                )),
            })?;
            values.insert(key.clone(), value);
        }
        Ok(Some(values))
    }
}

/// Constraint violations of a request's shape, gathered into one message.
#[derive(Default)]
pub struct Violations(Vec<String>);

impl Violations {
    /// Notes that `value` at `path` breaks a constraint.
    pub fn add(&mut self, value: &str, path: &str, constraint: &str) {
        self.0.push(format!("Value {value} at '{path}' failed to satisfy constraint: {constraint}"));
    }

    /// A member that must be there and is not.
    pub fn missing(&mut self, path: &str) {
        self.add("null", path, "Member must not be null");
    }

    /// A member whose text must be one of a set.
    pub fn one_of(&mut self, value: Option<&String>, path: &str, set: &[&str]) {
        if let Some(text) = value.filter(|text| !set.contains(&text.as_str())) {
            let constraint = format!("Member must satisfy enum value set: [{}]", set.join(", "));
            self.add(&format!("'{text}'"), path, &constraint);
        }
    }

    /// The gathered message, if anything was noted.
    pub fn check(self) -> Result<(), Failure> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(Failure::validation(format!("1 validation error detected: {}", self.0[0]))),
            count => Err(Failure::validation(format!("{count} validation errors detected: {}", self.0.join("; ")))),
        }
    }
}

/// The characters a table or index name may have.
pub fn is_resource_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// A table's name, or the one in its ARN.
pub fn without_arn(name: &str) -> &str {
    name.split_once(":table/").map_or(name, |(_, name)| name)
}

/// Checks the name of a table in a batch.
pub fn check_batch_table(name: &str) -> Result<(), Failure> {
    if is_resource_name(name) && (3..=255).contains(&name.len()) {
        return Ok(());
    }
    Err(Failure::validation(
        "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Map keys must satisfy \
         constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to \
         3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]",
    ))
}

/// Checks the `TableName` of a data operation, which is complained of alone, and takes the name out of an ARN.
pub fn table_name(input: &Input<'_>) -> Result<String, Failure> {
    let text = input.text("TableName")?;
    let mut violations = Violations::default();
    let Some(text) = text else {
        violations.missing("tableName");
        return Err(violations.check().err().unwrap_or_else(|| Failure::validation("")));
    };
    if let Some(name) = text.strip_prefix("arn:").and_then(|arn| arn.split_once(":table/")).map(|(_, name)| name) {
        return Ok(name.split('/').next().unwrap_or_default().to_owned());
    }
    let quoted = format!("'{text}'");
    if text.is_empty() {
        violations.add(&quoted, "tableName", "Member must have length greater than or equal to 1");
    } else if text.len() > 255 {
        violations.add(&quoted, "tableName", "Member must have length less than or equal to 255");
    } else if !is_resource_name(&text) {
        violations.add(&quoted, "tableName", "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    }
    violations.check()?;
    Ok(text)
}

/// Refuses legacy parameters, which have expressions in their place, in the service's words where they are mixed.
pub fn refuse_legacy(input: &Input<'_>, legacy: &[&str], expressions: &[&str]) -> Result<(), Failure> {
    let old: Vec<&str> = legacy.iter().copied().filter(|name| input.has(name)).collect();
    let new: Vec<&str> = expressions.iter().copied().filter(|name| input.has(name)).collect();
    match old.first() {
        None => Ok(()),
        Some(_) if !new.is_empty() => Err(Failure::validation(format!(
            "Can not use both expression and non-expression parameters in the same request: Non-expression \
             parameters: {{{}}} Expression parameters: {{{}}}",
            old.join(", "),
            new.join(", ")
        ))),
        Some(first) => Err(Failure::validation(format!(
            "The legacy parameter {first} is not simulated; say the same with an expression"
        ))),
    }
}
