//! GetItem: one item by its key. API reference, *GetItem*.

use super::consumed::{ConsumedCapacity, ReturnConsumedCapacity};
use super::expressions::ExpressionAttributes;
use super::input::{Input, Violations, refuse_legacy, table_name};
use super::read_one::read_one;
use super::{Context, Operation, Response, slot_of};
use crate::capacity::Consistency;
use crate::diagnostic::Failure;
use crate::expression::parse_projection;
use crate::value::Item;
use serde::Serialize;
use std::sync::Arc;

/// A GetItem request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct GetItem {
    pub table_name: String,
    pub key: Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection_expression: Option<String>,
    #[serde(flatten)]
    pub attributes: ExpressionAttributes,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub consistent_read: bool,
    #[serde(skip_serializing_if = "ReturnConsumedCapacity::is_none")]
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl GetItem {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let table_name = table_name(input)?;
        let mut violations = Violations::default();
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, &mut violations)?;
        let key = input.item("Key");
        if matches!(key, Ok(None)) {
            violations.missing("key");
        }
        violations.check()?;
        refuse_legacy(input, &["AttributesToGet"], &["ProjectionExpression"])?;
        Ok(Self {
            table_name,
            key: key?.unwrap_or_default(),
            projection_expression: input.text("ProjectionExpression")?,
            attributes: ExpressionAttributes { names: input.names()?, values: None },
            consistent_read: input.flag("ConsistentRead")?.unwrap_or(false),
            return_consumed_capacity,
        })
    }
}

impl Operation for GetItem {
    fn name(&self) -> &'static str {
        "GetItem"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let mut placeholders = self.attributes.placeholders(&[], self.projection_expression.is_some())?;
        let projection = self
            .projection_expression
            .as_deref()
            .map(|source| parse_projection(source, &mut placeholders))
            .transpose()?;
        placeholders.check_all_used()?;
        context.trace.table.clone_from(&self.table_name);
        let slot = slot_of(context, &self.table_name)?;
        context.database.table(slot).schema.check_key(&self.key)?;
        let consistency = if self.consistent_read { Consistency::Strong } else { Consistency::Eventual };
        let (item, cost) = read_one(context, slot, &self.key, consistency)?;
        let consumed = ConsumedCapacity { table: cost, ..ConsumedCapacity::default() };
        let item = match (&projection, item) {
            (Some(projection), Some(item)) => Some(Arc::new(projection.apply(&item))),
            (_, item) => item,
        };
        Ok(Response {
            item,
            consumed: consumed.to_json(&self.table_name, self.return_consumed_capacity),
            ..Response::default()
        })
    }
}
