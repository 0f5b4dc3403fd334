//! DeleteItem: removes one item by its key; removing nothing succeeds. API reference, *DeleteItem*.

use super::collection::ReturnItemCollectionMetrics;
use super::consumed::ReturnConsumedCapacity;
use super::expressions::{ExpressionAttributes, check_scalar_keys};
use super::input::{Input, Violations, refuse_legacy, table_name};
use super::write::{ItemWrite, UPDATE_OVERSIZE, write_item};
use super::{Context, Operation, Response, ReturnValues, slot_of};
use crate::diagnostic::Failure;
use crate::expression::{ExpressionKind, parse_condition};
use crate::value::Item;
use serde::Serialize;

/// A DeleteItem request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct DeleteItem {
    pub table_name: String,
    pub key: Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_expression: Option<String>,
    #[serde(flatten)]
    pub attributes: ExpressionAttributes,
    #[serde(skip_serializing_if = "ReturnValues::is_none")]
    pub return_values: ReturnValues,
    #[serde(skip_serializing_if = "ReturnConsumedCapacity::is_none")]
    pub return_consumed_capacity: ReturnConsumedCapacity,
    #[serde(skip_serializing_if = "ReturnItemCollectionMetrics::is_none")]
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
    #[serde(skip_serializing_if = "ReturnValues::is_none")]
    pub return_values_on_condition_check_failure: ReturnValues,
}

impl DeleteItem {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let table_name = table_name(input)?;
        let mut violations = Violations::default();
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, &mut violations)?;
        let metrics = ReturnItemCollectionMetrics::read(input, &mut violations)?;
        let return_values = ReturnValues::read(input, "ReturnValues", "returnValues", &mut violations)?;
        let on_failure = ReturnValues::read_on_failure(input, &mut violations)?;
        let key = input.item("Key");
        if matches!(key, Ok(None)) {
            violations.missing("key");
        }
        violations.check()?;
        refuse_legacy(input, &["Expected", "ConditionalOperator"], &["ConditionExpression"])?;
        Ok(Self {
            table_name,
            key: key?.unwrap_or_default(),
            condition_expression: input.text("ConditionExpression")?,
            attributes: ExpressionAttributes::read(input)?,
            return_values,
            return_consumed_capacity,
            return_item_collection_metrics: metrics,
            return_values_on_condition_check_failure: on_failure,
        })
    }
}

impl Operation for DeleteItem {
    fn name(&self) -> &'static str {
        "DeleteItem"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        if !matches!(self.return_values, ReturnValues::None | ReturnValues::AllOld) {
            return Err(Failure::validation("ReturnValues can only be ALL_OLD or NONE"));
        }
        let has_condition = self.condition_expression.is_some();
        let mut placeholders = self.attributes.placeholders(&[("ConditionExpression", has_condition)], false)?;
        let condition = self
            .condition_expression
            .as_deref()
            .map(|source| parse_condition(ExpressionKind::Condition, source, &mut placeholders))
            .transpose()?;
        placeholders.check_all_used()?;
        context.trace.table.clone_from(&self.table_name);
        let slot = slot_of(context, &self.table_name)?;
        let schema = &context.database.table(slot).schema;
        schema.check_key(&self.key)?;
        if let Some(condition) = &condition {
            check_scalar_keys(schema, ExpressionKind::Condition, condition.nested_attributes())?;
        }
        let write = ItemWrite {
            slot,
            key: &self.key,
            condition: condition.as_ref(),
            return_old_on_failure: self.return_values_on_condition_check_failure == ReturnValues::AllOld,
            oversize: UPDATE_OVERSIZE,
        };
        let written = write_item(context, &write, |_| Ok(None))?;
        Ok(Response {
            attributes: written.old.filter(|_| self.return_values == ReturnValues::AllOld),
            consumed: written.consumed.to_json(&self.table_name, self.return_consumed_capacity),
            collections: self.return_item_collection_metrics.of(context, slot, &self.key),
            ..Response::default()
        })
    }
}
