//! The question: what the form holds, and the Query or Scan it stands for.
//!
//! Plain data and plain functions. A partition key makes it a Query, none makes it a Scan; the rest is the same.

use dynascope_engine::expression::is_reserved;
use dynascope_engine::sorted::SortedMap;
use dynascope_engine::table::{Index, KeyAttribute, KeySchema, Schema};
use dynascope_engine::value::base64::{self, Alphabet};
use dynascope_engine::value::document::{self, Spelling};
use dynascope_engine::value::{AttributeValue, Number, NumberFault, ValueType, value_to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// How the sort key is narrowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum SortOperator {
    #[default]
    Any,
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Between,
    BeginsWith,
}

impl SortOperator {
    /// In the picker's order.
    pub const ALL: [Self; 8] = [
        Self::Any,
        Self::Equal,
        Self::BeginsWith,
        Self::Between,
        Self::Less,
        Self::LessOrEqual,
        Self::Greater,
        Self::GreaterOrEqual,
    ];

    /// In the picker.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Any => "anything",
            Self::Equal => "=",
            Self::Less => "<",
            Self::LessOrEqual => "≤",
            Self::Greater => ">",
            Self::GreaterOrEqual => "≥",
            Self::Between => "between",
            Self::BeginsWith => "begins with",
        }
    }

    /// In the picker's values and in links.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Equal => "equal",
            Self::Less => "less",
            Self::LessOrEqual => "less-or-equal",
            Self::Greater => "greater",
            Self::GreaterOrEqual => "greater-or-equal",
            Self::Between => "between",
            Self::BeginsWith => "begins-with",
        }
    }

    /// The operator of a slug.
    pub fn from_slug(slug: &str) -> Self {
        Self::ALL.into_iter().find(|operator| operator.slug() == slug).unwrap_or_default()
    }
}

/// Everything the form holds, as typed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ask {
    /// The index, or `None` for the table.
    pub index: Option<String>,
    /// Partition key value; empty = Scan.
    pub partition: String,
    /// Sort key condition.
    pub sort: SortOperator,
    /// Its first value.
    pub sort_from: String,
    /// Its second value (between).
    pub sort_to: String,
    /// Descending?
    pub descending: bool,
    /// Strongly consistent?
    pub consistent: bool,
    /// FilterExpression.
    pub filter: String,
    /// ProjectionExpression.
    pub projection: String,
    /// `#name` → attribute name.
    pub names: SortedMap<String>,
    /// `:value` → typed text: JSON, or bare words for a string.
    pub values: SortedMap<String>,
    /// Limit; `None` = as many as 1 MB holds.
    pub limit: Option<u32>,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            index: None,
            partition: String::new(),
            sort: SortOperator::Any,
            sort_from: String::new(),
            sort_to: String::new(),
            descending: false,
            consistent: false,
            filter: String::new(),
            projection: String::new(),
            names: SortedMap::new(),
            values: SortedMap::new(),
            limit: Some(10),
        }
    }
}

/// A field of the form that cannot be understood, before the engine is even asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskFault {
    /// Which field: `partition`, `sort`, or a `:value`.
    pub field: String,
    /// What is wrong and what to do.
    pub message: String,
}

/// What a person typed for a value: JSON where it is JSON, else the text itself.
///
/// # Errors
/// Text that begins like JSON and is none.
pub fn typed_value(text: &str) -> Result<AttributeValue, String> {
    let trimmed = text.trim();
    let looks_like_json = trimmed.starts_with(['"', '{', '[']);
    match document::read_value(trimmed, Spelling::Auto) {
        Ok(value) => Ok(value),
        Err(complaint) if looks_like_json => Err(complaint.message),
        Err(_) => match trimmed.parse::<Number>() {
            // A number that cannot be kept is no text either.
            Err(fault) if fault != NumberFault::NotNumeric => Err(fault.message(trimmed)),
            _ => Ok(AttributeValue::S(text.to_owned())),
        },
    }
}

fn key_value(attribute: &KeyAttribute, text: &str) -> Result<AttributeValue, String> {
    match attribute.value_type {
        ValueType::N => {
            text.trim().parse().map(AttributeValue::N).map_err(|fault: dynascope_engine::value::NumberFault| {
                format!("{}; {} is a number key", fault.message(text.trim()), attribute.name)
            })
        }
        ValueType::B => base64::decode(text.trim(), Alphabet::Standard)
            .map(AttributeValue::B)
            .ok_or_else(|| format!("{} is a binary key: write its bytes in base64", attribute.name)),
        _ => Ok(AttributeValue::S(text.to_owned())),
    }
}

/// A question with its schema at hand, on its way to become a request.
struct Builder<'a> {
    ask: &'a Ask,
    names: SortedMap<String>,
    values: Map<String, Json>,
}

impl Builder<'_> {
    /// The name of a key attribute in an expression: itself, or a placeholder where it may not stand.
    fn name(&mut self, attribute: &str, placeholder: &str) -> String {
        let mut characters = attribute.chars();
        let plain = characters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && characters.all(|other| other.is_ascii_alphanumeric() || other == '_');
        if plain && !is_reserved(attribute) {
            return attribute.to_owned();
        }
        let mut free = placeholder.to_owned();
        while self.ask.names.contains_key(&free) {
            free.push('k');
        }
        self.names.insert(free.clone(), attribute.to_owned());
        free
    }

    fn value(
        &mut self,
        attribute: &KeyAttribute,
        text: &str,
        placeholder: &str,
        field: &str,
    ) -> Result<String, AskFault> {
        let value = key_value(attribute, text).map_err(|message| AskFault { field: field.to_owned(), message })?;
        let mut free = placeholder.to_owned();
        while self.ask.values.contains_key(&free) {
            free.push('k');
        }
        self.values.insert(free.clone(), value_to_json(&value));
        Ok(free)
    }

    fn key_condition(&mut self, key: &KeySchema) -> Result<String, AskFault> {
        let ask = self.ask;
        let name = self.name(&key.partition.name, "#pk");
        let value = self.value(&key.partition, &ask.partition, ":pk", "partition")?;
        let condition = format!("{name} = {value}");
        let Some(sort) = key.sort.as_ref().filter(|_| ask.sort != SortOperator::Any) else { return Ok(condition) };
        let name = self.name(&sort.name, "#sk");
        let from = self.value(sort, &ask.sort_from, ":sk", "sort")?;
        let sort = match ask.sort {
            SortOperator::Any => String::new(),
            SortOperator::Equal => format!("{name} = {from}"),
            SortOperator::Less => format!("{name} < {from}"),
            SortOperator::LessOrEqual => format!("{name} <= {from}"),
            SortOperator::Greater => format!("{name} > {from}"),
            SortOperator::GreaterOrEqual => format!("{name} >= {from}"),
            SortOperator::BeginsWith => format!("begins_with({name}, {from})"),
            SortOperator::Between => {
                let to = self.value(sort, &ask.sort_to, ":sk2", "sort")?;
                format!("{name} BETWEEN {from} AND {to}")
            }
        };
        Ok(format!("{condition} AND {sort}"))
    }
}

impl Ask {
    /// Query with a partition key, Scan without.
    pub fn operation(&self) -> &'static str {
        if self.partition.is_empty() { "Scan" } else { "Query" }
    }

    /// The index in a schema, if the question names one that is there.
    pub fn index_in<'a>(&self, schema: &'a Schema) -> Option<&'a Index> {
        self.index.as_deref().and_then(|name| schema.index(name))
    }

    /// The request body. `cursor` is the LastEvaluatedKey to go on from.
    ///
    /// # Errors
    /// A field that is no value of its type.
    pub fn request(&self, schema: &Schema, cursor: Option<&Json>) -> Result<Json, AskFault> {
        let mut builder = Builder { ask: self, names: self.names.clone(), values: Map::new() };
        let mut body = Map::new();
        body.insert("TableName".into(), schema.name.clone().into());
        if let Some(index) = &self.index {
            body.insert("IndexName".into(), index.clone().into());
        }
        if !self.partition.is_empty() {
            let key = self.index_in(schema).map_or(&schema.key, |index| &index.key);
            body.insert("KeyConditionExpression".into(), builder.key_condition(key)?.into());
            if self.descending {
                body.insert("ScanIndexForward".into(), false.into());
            }
        }
        for (member, text) in [("FilterExpression", &self.filter), ("ProjectionExpression", &self.projection)] {
            if !text.trim().is_empty() {
                body.insert(member.into(), text.clone().into());
            }
        }
        let has_expression = !self.filter.trim().is_empty() || !self.projection.trim().is_empty();
        if !has_expression {
            builder.names.retain(|(name, _)| !self.names.contains_key(name));
        }
        if !self.filter.trim().is_empty() {
            for (name, text) in &self.values {
                let value = typed_value(text).map_err(|message| AskFault { field: name.clone(), message })?;
                builder.values.insert(name.clone(), value_to_json(&value));
            }
        }
        if !builder.names.is_empty() {
            let mut names = Map::new();
            for (placeholder, name) in builder.names {
                names.insert(placeholder, name.into());
            }
            body.insert("ExpressionAttributeNames".into(), names.into());
        }
        if !builder.values.is_empty() {
            body.insert("ExpressionAttributeValues".into(), builder.values.into());
        }
        if let Some(limit) = self.limit {
            body.insert("Limit".into(), limit.into());
        }
        if self.consistent {
            body.insert("ConsistentRead".into(), true.into());
        }
        if let Some(cursor) = cursor {
            body.insert("ExclusiveStartKey".into(), cursor.clone());
        }
        body.insert("ReturnConsumedCapacity".into(), "INDEXES".into());
        Ok(body.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use dynascope_engine::session::Session;

    fn orders() -> (Session, Schema) {
        let session = Session::new(Scene::find("orders").unwrap().recording().scenario).unwrap();
        let schema = session.database().get("app").unwrap().schema.clone();
        (session, schema)
    }

    #[test]
    fn the_first_question_of_the_orders_scene() {
        let (mut session, schema) = orders();
        let ask = Scene::find("orders").unwrap().ask();
        assert_eq!(ask.operation(), "Query");
        let outcome = session.send("Query", &ask.request(&schema, None).unwrap());
        assert_eq!(outcome.result.unwrap().counts, Some((2, 10)));
    }

    #[test]
    fn without_a_partition_key_it_is_a_scan_and_keeps_no_idle_placeholder() {
        let (mut session, schema) = orders();
        let mut ask = Scene::find("orders").unwrap().ask();
        ask.partition.clear();
        ask.filter.clear();
        ask.index = None;
        let body = ask.request(&schema, None).unwrap();
        assert!(body.get("ExpressionAttributeNames").is_none() && body.get("KeyConditionExpression").is_none());
        let outcome = session.send(ask.operation(), &body);
        assert_eq!(outcome.result.unwrap().counts, Some((10, 10)));
    }

    #[test]
    fn a_reserved_key_name_gets_a_placeholder_that_is_free() {
        let session = Session::new(Scene::find("hot-key").unwrap().recording().scenario).unwrap();
        let schema = session.database().get("jobs").unwrap().schema.clone();
        let mut ask = Ask { partition: "PENDING".into(), ..Ask::default() };
        ask.names.insert("#pk".into(), "other".into());
        let body = ask.request(&schema, None).unwrap();
        assert_eq!(body["KeyConditionExpression"], "#pkk = :pk");
        assert_eq!(body["ExpressionAttributeNames"]["#pkk"], "status");
    }

    #[test]
    fn bare_words_are_strings_and_json_is_json() {
        assert_eq!(typed_value("cancelled"), Ok("cancelled".into()));
        assert_eq!(typed_value("10"), Ok(10.into()));
        assert_eq!(typed_value("\"10\""), Ok("10".into()));
        assert!(typed_value("[1, ").is_err());
        assert_eq!(typed_value("007"), Ok("007".into()));
        assert!(typed_value(&"1".repeat(39)).is_err() && typed_value("1e500").is_err());
    }
}
