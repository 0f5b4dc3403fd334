//! TransactGetItems: up to 100 items of one moment, at twice the price of a strongly consistent read. API reference,
//! *TransactGetItems*.

use super::consumed::{ConsumedCapacity, ReturnConsumedCapacity};
use super::expressions::ExpressionAttributes;
use super::input::{Input, Violations, table_name};
use super::read_one::{find, refusal, refuse, take};
use super::transaction::{MAX_BYTES, Reason, cancelled, check_number, check_targets, too_large};
use super::{Context, Operation, Response, slot_of};
use crate::capacity::{Consistency, Side};
use crate::diagnostic::Failure;
use crate::expression::{Projection, parse_projection};
use crate::value::{Item, item_to_json};
use serde::Serialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// One read of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct Get {
    pub table_name: String,
    pub key: Item,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub projection_expression: Option<String>,
    #[serde(flatten)]
    pub attributes: ExpressionAttributes,
}

/// A TransactGetItems request.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct TransactGetItems {
    pub transact_items: Vec<Get>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl Serialize for TransactGetItems {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let items: Vec<Json> = self.transact_items.iter().map(|get| json!({"Get": get})).collect();
        json!({"TransactItems": items, "ReturnConsumedCapacity": self.return_consumed_capacity}).serialize(serializer)
    }
}

impl TransactGetItems {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, &mut violations)?;
        let list = input.structures("TransactItems")?;
        if list.is_none() {
            violations.missing("transactItems");
        }
        violations.check()?;
        let list = list.unwrap_or_default();
        check_number(list.len())?;
        let mut transact_items = Vec::new();
        for (at, element) in list.iter().enumerate() {
            let mut violations = Violations::default();
            let path = format!("transactItems.{}.member.get", at + 1);
            let Some(get) = element.structure("Get")? else {
                violations.missing(&path);
                violations.check()?;
                continue;
            };
            if !get.has("TableName") {
                violations.missing(&format!("{path}.tableName"));
            }
            let key = get.item("Key")?;
            if key.is_none() {
                violations.missing(&format!("{path}.key"));
            }
            violations.check()?;
            transact_items.push(Get {
                table_name: table_name(&get)?,
                key: key.unwrap_or_default(),
                projection_expression: get.text("ProjectionExpression")?,
                attributes: ExpressionAttributes { names: get.names()?, values: None },
            });
        }
        Ok(Self { transact_items, return_consumed_capacity })
    }
}

/// A read, understood.
struct Prepared<'a> {
    slot: usize,
    get: &'a Get,
    projection: Option<Projection>,
}

fn prepare<'a>(context: &Context<'_>, gets: &'a [Get]) -> Result<Vec<Prepared<'a>>, Failure> {
    let mut prepared = Vec::new();
    for get in gets {
        let expression = get.projection_expression.as_deref();
        let mut placeholders = get.attributes.placeholders(&[], expression.is_some())?;
        let projection = expression.map(|source| parse_projection(source, &mut placeholders)).transpose()?;
        placeholders.check_all_used()?;
        prepared.push(Prepared { slot: 0, get, projection });
    }
    for one in &mut prepared {
        one.slot = slot_of(context, &one.get.table_name)?;
    }
    Ok(prepared)
}

impl Operation for TransactGetItems {
    fn name(&self) -> &'static str {
        "TransactGetItems"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let prepared = prepare(context, &self.transact_items)?;
        let mut reasons: Vec<Option<Reason>> = Vec::new();
        for Prepared { slot, get, .. } in &prepared {
            let fault = context.database.table(*slot).schema.check_key_types(&get.key).err();
            reasons.push(fault.map(|failure| Reason::of(&failure, None)));
        }
        if let Some(failure) = cancelled(&reasons) {
            return Err(failure);
        }
        for Prepared { slot, get, .. } in &prepared {
            context.database.table(*slot).schema.check_key(&get.key)?;
        }
        check_targets(prepared.iter().map(|one| (one.slot, one.get.key.clone())))?;
        let mut places = Vec::new();
        for Prepared { slot, get, .. } in &prepared {
            places.push(find(context, *slot, &get.key, Consistency::Transactional)?);
        }
        let mut reasons = Vec::new();
        for place in &places {
            let refused = refusal(context, place).map(|refused| refuse(context, place, refused));
            reasons.push(refused.map(|failure| Reason::of(&failure, None)));
        }
        if let Some(failure) = cancelled(&reasons) {
            return Err(failure);
        }
        let (mut responses, mut bytes) = (Vec::new(), 0);
        let mut consumed: BTreeMap<&str, ConsumedCapacity> = BTreeMap::new();
        for (Prepared { get, projection, .. }, place) in prepared.iter().zip(&places) {
            context.trace.table.clone_from(&get.table_name);
            let (item, cost) = take(context, place);
            consumed.entry(&get.table_name).or_default().table += cost;
            bytes += item.as_ref().map_or(0, |item| item.size_bytes());
            let item = item.map(|item| match projection {
                Some(projection) => projection.apply(&item),
                None => (*item).clone(),
            });
            responses.push(match item.filter(|item| !item.is_empty()) {
                Some(item) => json!({"Item": item_to_json(&item)}),
                None => json!({}),
            });
        }
        if bytes > MAX_BYTES {
            return Err(too_large());
        }
        let mut response = Response::of("Responses", responses.into());
        let wanted = self.return_consumed_capacity;
        let list = consumed.iter().filter_map(|(name, cost)| cost.to_json_of(name, wanted, Some(Side::Read)));
        response.consumed = (!wanted.is_none()).then(|| list.collect());
        Ok(response)
    }
}
