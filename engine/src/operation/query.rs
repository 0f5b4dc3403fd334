//! Query: the items of one item collection, in sort-key order, a page at a time. API reference, *Query*.

use super::input::{Input, Violations, refuse_legacy};
use super::read::{Narrowed, ReadJob, ReadParameters, find};
use super::{Context, Operation, Response};
use crate::diagnostic::Failure;
use crate::expression::{KeyCondition, KeyQuery, SortCondition, parse_key_condition};
use crate::partition::placement::{after_prefix, collection_prefix};
use crate::partition::{Bounds, Database};
use crate::table::{check_key_lengths, key_length};
use crate::value::{AttributeValue, append_key_value};
use serde::Serialize;
use serde_json::Value as Json;

/// A Query request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct Query {
    #[serde(flatten)]
    pub parameters: ReadParameters,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_condition_expression: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scan_index_forward: Option<bool>,
}

impl Query {
    /// Reads a request body.
    ///
    /// # Errors
    /// `SerializationException`, or the `ValidationException` of a malformed value.
    pub fn from_json(input: &Json) -> Result<Self, Failure> {
        Self::read(&Input::new(input)?)
    }

    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let parameters = ReadParameters::read(input, &mut violations)?;
        violations.check()?;
        if parameters.limit.is_some_and(|limit| limit < 1) {
            // Spelled differently on Query and Scan; both as the service sends them.
            return Err(Failure::validation(
                "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value \
                 greater than or equal to 1",
            ));
        }
        refuse_legacy(
            input,
            &["KeyConditions", "QueryFilter", "AttributesToGet", "ConditionalOperator"],
            &["KeyConditionExpression", "FilterExpression", "ProjectionExpression"],
        )?;
        Ok(Self {
            parameters,
            key_condition_expression: input.text("KeyConditionExpression")?,
            scan_index_forward: input.flag("ScanIndexForward")?,
        })
    }

    fn parse_key(&self, placeholders: &mut crate::expression::Placeholders) -> Result<KeyCondition, Failure> {
        match &self.key_condition_expression {
            Some(source) => parse_key_condition(source, placeholders),
            None => Err(Failure::validation(
                "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
            )),
        }
    }
}

impl Operation for Query {
    fn name(&self) -> &'static str {
        "Query"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        context.trace.table.clone_from(&self.parameters.table_name);
        self.prepare(context.database, context.physics.page_bytes)?.run(context)
    }

    fn prepare(&self, database: &Database, page_bytes: u64) -> Result<ReadJob, Failure> {
        let parameters = &self.parameters;
        let mut placeholders = parameters.attributes.placeholders(
            &[
                ("FilterExpression", parameters.filter_expression.is_some()),
                ("KeyConditionExpression", self.key_condition_expression.is_some()),
            ],
            parameters.projection_expression.is_some(),
        )?;
        let parsed = parameters.parse(&mut placeholders)?;
        let key = self.parse_key(&mut placeholders)?;
        placeholders.check_all_used()?;
        key.check()?;
        parameters.check_select("1 validation error detected: ")?;
        let found = find(database, parameters)?;
        let (_, table, index, _) = found;
        let schema = index.map_or(&table.schema.key, |index| &index.key);
        let query = key.resolve(
            (&schema.partition.name, schema.partition.value_type),
            schema.sort.as_ref().map(|sort| (&*sort.name, sort.value_type)),
        )?;
        let sort = query.sort.iter().flat_map(SortCondition::values).map(key_length).max().unwrap_or(0);
        check_key_lengths(key_length(&query.partition), sort)?;
        let narrowed =
            Narrowed { query: Some(&query), bounds: bounds(&query), forward: self.scan_index_forward.unwrap_or(true) };
        ReadJob::prepare(parameters, found, parsed, narrowed, page_bytes)
    }
}

/// The positions a key condition allows. Sort values follow the collection's prefix in their sorting form, and
/// in an index the table's key follows them, so each bound is a prefix.
fn bounds(query: &KeyQuery) -> Bounds {
    let prefix = collection_prefix(&query.partition);
    let at = |value: &AttributeValue| {
        let mut bytes = prefix.clone();
        append_key_value(&mut bytes, value);
        bytes
    };
    let end = after_prefix(&prefix);
    let from_to = |lower: Vec<u8>, upper: Option<Vec<u8>>| Bounds { lower, upper };
    match &query.sort {
        None => Bounds::prefix(prefix),
        Some(SortCondition::Equal(value)) => Bounds::prefix(at(value)),
        Some(SortCondition::Less(value)) => from_to(prefix.clone(), Some(at(value))),
        Some(SortCondition::LessOrEqual(value)) => from_to(prefix.clone(), after_prefix(&at(value))),
        Some(SortCondition::Greater(value)) => from_to(after_prefix(&at(value)).unwrap_or_else(|| at(value)), end),
        Some(SortCondition::GreaterOrEqual(value)) => from_to(at(value), end),
        Some(SortCondition::Between(low, high)) => from_to(at(low), after_prefix(&at(high))),
        Some(SortCondition::BeginsWith(value)) => {
            // Without the two bytes that end the value.
            let mut bytes = at(value);
            bytes.truncate(bytes.len() - 2);
            Bounds::prefix(bytes)
        }
    }
}
