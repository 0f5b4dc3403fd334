//! UpdateItem: changes attributes of one item, or creates it. API reference, *UpdateItem*.

use super::collection::ReturnItemCollectionMetrics;
use super::consumed::ReturnConsumedCapacity;
use super::expressions::{ExpressionAttributes, check_scalar_keys};
use super::input::{Input, Violations, refuse_legacy, table_name};
use super::write::{ItemWrite, UPDATE_OVERSIZE, Written, write_item};
use super::{Context, Operation, Response, slot_of};
use crate::diagnostic::Failure;
use crate::expression::{Condition, ExpressionKind, Update, parse_condition, parse_update};
use crate::table::Schema;
use crate::value::{AttributeValue, Item};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which attributes a write answers with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReturnValues {
    /// None.
    #[default]
    None,
    /// The whole item as it was.
    AllOld,
    /// The touched attributes as they were.
    UpdatedOld,
    /// The whole item as it is now.
    AllNew,
    /// The touched attributes as they are now.
    UpdatedNew,
}

impl ReturnValues {
    /// Is it the default? (For leaving it out of JSON.)
    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    fn from_name(name: Option<&str>) -> Self {
        match name {
            Some("ALL_OLD") => Self::AllOld,
            Some("UPDATED_OLD") => Self::UpdatedOld,
            Some("ALL_NEW") => Self::AllNew,
            Some("UPDATED_NEW") => Self::UpdatedNew,
            _ => Self::None,
        }
    }

    /// Reads the member and notes a value that is none of the five.
    pub(super) fn read(
        input: &Input<'_>,
        member: &str,
        path: &str,
        violations: &mut Violations,
    ) -> Result<Self, Failure> {
        let text = input.text(member)?;
        violations.one_of(text.as_ref(), path, &["ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"]);
        Ok(Self::from_name(text.as_deref()))
    }

    /// Reads `ReturnValuesOnConditionCheckFailure`, which knows two of the five.
    pub(super) fn read_on_failure(input: &Input<'_>, violations: &mut Violations) -> Result<Self, Failure> {
        let text = input.text("ReturnValuesOnConditionCheckFailure")?;
        violations.one_of(text.as_ref(), "returnValuesOnConditionCheckFailure", &["ALL_OLD", "NONE"]);
        Ok(Self::from_name(text.as_deref()))
    }
}

/// An UpdateItem request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct UpdateItem {
    pub table_name: String,
    pub key: Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_expression: Option<String>,
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

impl UpdateItem {
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
        refuse_legacy(
            input,
            &["AttributeUpdates", "Expected", "ConditionalOperator"],
            &["UpdateExpression", "ConditionExpression"],
        )?;
        Ok(Self {
            table_name,
            key: key?.unwrap_or_default(),
            update_expression: input.text("UpdateExpression")?,
            condition_expression: input.text("ConditionExpression")?,
            attributes: ExpressionAttributes::read(input)?,
            return_values,
            return_consumed_capacity,
            return_item_collection_metrics: metrics,
            return_values_on_condition_check_failure: on_failure,
        })
    }

    fn returned(&self, update: Option<&Update>, written: &Written) -> Option<Arc<Item>> {
        let fragments = |item: Item| (!item.is_empty()).then(|| Arc::new(item));
        match self.return_values {
            ReturnValues::None => None,
            ReturnValues::AllOld => written.old.clone(),
            ReturnValues::AllNew => written.new.clone(),
            ReturnValues::UpdatedOld => fragments(update?.touched_old(written.old.as_deref()?)),
            ReturnValues::UpdatedNew => fragments(update?.touched_new(written.old.as_deref().unwrap_or(&Item::new()))),
        }
    }
}

impl Operation for UpdateItem {
    fn name(&self) -> &'static str {
        "UpdateItem"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let mut placeholders = self.attributes.placeholders(
            &[
                ("UpdateExpression", self.update_expression.is_some()),
                ("ConditionExpression", self.condition_expression.is_some()),
            ],
            false,
        )?;
        let update =
            self.update_expression.as_deref().map(|source| parse_update(source, &mut placeholders)).transpose()?;
        let condition = self
            .condition_expression
            .as_deref()
            .map(|source| parse_condition(ExpressionKind::Condition, source, &mut placeholders))
            .transpose()?;
        placeholders.check_all_used()?;
        context.trace.table.clone_from(&self.table_name);
        let slot = slot_of(context, &self.table_name)?;
        let schema = context.database.table(slot).schema.clone();
        schema.check_key(&self.key)?;
        check_expressions(&schema, update.as_ref(), condition.as_ref())?;
        let write = ItemWrite {
            slot,
            key: &self.key,
            condition: condition.as_ref(),
            return_old_on_failure: self.return_values_on_condition_check_failure == ReturnValues::AllOld,
            oversize: UPDATE_OVERSIZE,
        };
        let written = write_item(context, &write, |old| updated(&schema, update.as_ref(), &self.key, old).map(Some))?;
        Ok(Response {
            attributes: self.returned(update.as_ref(), &written),
            consumed: written.consumed.to_json(&self.table_name, self.return_consumed_capacity),
            collections: self.return_item_collection_metrics.of(context, slot, &self.key),
            ..Response::default()
        })
    }
}

/// What the expressions of an update may not do to keys.
pub(super) fn check_expressions(
    schema: &Schema,
    update: Option<&Update>,
    condition: Option<&Condition>,
) -> Result<(), Failure> {
    if let Some(update) = update {
        check_targets(schema, update)?;
        check_scalar_keys(schema, ExpressionKind::Update, update.nested_attributes())?;
    }
    if let Some(condition) = condition {
        check_scalar_keys(schema, ExpressionKind::Condition, condition.nested_attributes())?;
    }
    Ok(())
}

/// The item that an update makes of the stored one.
pub(super) fn updated(
    schema: &Schema,
    update: Option<&Update>,
    key: &Item,
    old: Option<&Item>,
) -> Result<Item, Failure> {
    // A missing item is created: its key and whatever the update sets.
    let mut new = match (update, old) {
        (Some(update), old) => update.apply(old.unwrap_or(&Item::new()))?,
        (None, old) => old.cloned().unwrap_or_default(),
    };
    for (name, value) in key {
        new.set(name.clone(), value.clone());
    }
    check_index_values(schema, &new, old)?;
    Ok(new)
}

fn check_targets(schema: &Schema, update: &Update) -> Result<(), Failure> {
    for (name, span) in update.target_attributes() {
        if schema.key.has(name) {
            return Err(Failure::validation(format!(
                "One or more parameter values were invalid: Cannot update attribute {name}. This attribute is part of the key"
            ))
            .at(ExpressionKind::Update.member(), span));
        }
    }
    Ok(())
}

/// An update may not give an index key a wrong type or an empty value.
fn check_index_values(schema: &Schema, new: &Item, old: Option<&Item>) -> Result<(), Failure> {
    for index in &schema.indexes {
        for attribute in index.key.attributes().filter(|attribute| !schema.key.has(&attribute.name)) {
            let Some(value) = new.get(&attribute.name) else { continue };
            if old.and_then(|old| old.get(&attribute.name)) == Some(value) {
                continue;
            }
            if value.value_type() != attribute.value_type {
                return Err(Failure::validation(
                    "The update expression attempted to update the secondary index key to unsupported type",
                ));
            }
            let length = match value {
                AttributeValue::S(text) => text.len(),
                AttributeValue::B(bytes) => bytes.len(),
                _ => 1,
            };
            let partition = index.key.partition.name == attribute.name;
            let limit =
                if partition { crate::table::MAX_PARTITION_KEY_BYTES } else { crate::table::MAX_SORT_KEY_BYTES };
            if length > limit {
                return Err(Failure::validation(
                    "The update expression attempted to update the secondary index key beyond allowed size limits",
                ));
            }
        }
    }
    // Empty values have a text of their own, the same as on a put.
    schema.check_index_keys(new)
}
