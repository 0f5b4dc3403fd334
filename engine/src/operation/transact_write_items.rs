//! TransactWriteItems: up to 100 writes and checks, all or none, at twice the price. API reference, *TransactWriteItems*.
//!
//! Order: shape → expressions → tables → keys → token → admission of all tables → conditions and changes → admission of
//! all indexes → all charges together → all changes. Cancelled by a condition it is charged all the same (Developer Guide,
//! "Capacity management for transactions"); by a throttle it is not.

use super::collection::{Collections, ReturnItemCollectionMetrics};
use super::consumed::{ConsumedCapacity, ReturnConsumedCapacity};
use super::expressions::ExpressionAttributes;
use super::input::{Input, Violations, table_name};
use super::read_one;
use super::transaction::{MAX_BYTES, Reason, cancelled, check_number, check_targets, remember, too_large, was_done};
use super::update_item::{check_expressions, updated};
use super::write::{PUT_OVERSIZE, UPDATE_OVERSIZE, check_size, collection_exceeded, first_empty, refuse, settle};
use super::{Context, Operation, Response, ReturnValues, slot_of};
use crate::capacity::{Consistency, Side, write_cost};
use crate::diagnostic::{ErrorKind, Failure};
use crate::expression::{Condition, ExpressionKind, Update, parse_condition, parse_update};
use crate::partition::ItemChange;
use crate::partition::placement::{ring_hash, table_position};
use crate::trace::{Charge, Route};
use crate::value::{Item, KeyBytes, MAX_ITEM_BYTES};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Put,
    Update,
    Delete,
    ConditionCheck,
}

impl Kind {
    const ALL: [(Self, &'static str, &'static str); 4] = [
        (Self::ConditionCheck, "ConditionCheck", "conditionCheck"),
        (Self::Put, "Put", "put"),
        (Self::Delete, "Delete", "delete"),
        (Self::Update, "Update", "update"),
    ];

    fn member(self) -> &'static str {
        Self::ALL.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, member, _)| member)
    }
}

/// One action of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct TransactAction {
    kind: Kind,
    table_name: String,
    /// The item of a Put, the key of the others.
    item: Item,
    update_expression: Option<String>,
    condition_expression: Option<String>,
    attributes: ExpressionAttributes,
    on_failure: ReturnValues,
}

/// A TransactWriteItems request.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct TransactWriteItems {
    pub transact_items: Vec<TransactAction>,
    pub client_request_token: Option<String>,
    pub return_consumed_capacity: ReturnConsumedCapacity,
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

impl TransactAction {
    fn read(element: &Input<'_>, at: usize) -> Result<Self, Failure> {
        let mut found = Kind::ALL.iter().filter(|(_, member, _)| element.has(member));
        let Some((kind, member, path)) = found.next() else {
            return Err(Failure::validation(
                "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
            ));
        };
        if found.next().is_some() {
            return Err(Failure::validation("TransactItems can only contain one of Check, Put, Update or Delete"));
        }
        let path = |name: &str| format!("transactItems.{}.member.{path}.{name}", at + 1);
        let mut violations = Violations::default();
        let input = element.structure(member)?.ok_or_else(|| Failure::validation(""))?;
        if !input.has("TableName") {
            violations.missing(&path("tableName"));
        }
        let (item_member, item_path) = if *kind == Kind::Put { ("Item", "item") } else { ("Key", "key") };
        let item = input.item(item_member)?;
        if item.is_none() {
            violations.missing(&path(item_path));
        }
        let update_expression = input.text("UpdateExpression")?;
        if *kind == Kind::Update && update_expression.is_none() {
            violations.missing(&path("updateExpression"));
        }
        let condition_expression = input.text("ConditionExpression")?;
        if *kind == Kind::ConditionCheck && condition_expression.is_none() {
            violations.missing(&path("conditionExpression"));
        }
        let on_failure = ReturnValues::read_on_failure(&input, &mut violations)?;
        violations.check()?;
        Ok(Self {
            kind: *kind,
            table_name: table_name(&input)?,
            item: item.unwrap_or_default(),
            update_expression: update_expression.filter(|_| *kind == Kind::Update),
            condition_expression,
            attributes: ExpressionAttributes::read(&input)?,
            on_failure,
        })
    }

    fn to_json(&self) -> Json {
        let mut object = match serde_json::to_value(&self.attributes) {
            Ok(Json::Object(object)) => object,
            _ => Map::new(),
        };
        let item = if self.kind == Kind::Put { "Item" } else { "Key" };
        object.insert("TableName".to_owned(), self.table_name.as_str().into());
        object.insert(item.to_owned(), crate::value::item_to_json(&self.item));
        for (name, text) in
            [("UpdateExpression", &self.update_expression), ("ConditionExpression", &self.condition_expression)]
        {
            if let Some(text) = text {
                object.insert(name.to_owned(), text.as_str().into());
            }
        }
        if self.on_failure == ReturnValues::AllOld {
            object.insert("ReturnValuesOnConditionCheckFailure".to_owned(), "ALL_OLD".into());
        }
        json!({self.kind.member(): object})
    }

    /// Bytes that the request brings for it.
    fn bytes(&self) -> usize {
        let values = self.attributes.values.iter().flatten().map(|(_, value)| value.size_bytes()).sum::<usize>();
        self.item.size_bytes() + values
    }
}

impl Serialize for TransactWriteItems {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut request = self.actions_json();
        if let Some(token) = &self.client_request_token {
            request["ClientRequestToken"] = token.as_str().into();
        }
        request["ReturnItemCollectionMetrics"] = json!(self.return_item_collection_metrics);
        request["ReturnConsumedCapacity"] = json!(self.return_consumed_capacity);
        request.serialize(serializer)
    }
}

/// An action, understood.
struct Prepared<'a> {
    action: &'a TransactAction,
    slot: usize,
    key: Item,
    update: Option<Update>,
    condition: Option<Condition>,
}

/// What becomes of an action's item.
#[derive(Clone, Debug, PartialEq)]
enum Fate<T> {
    /// It is only looked at.
    Stays,
    /// It is removed.
    Goes,
    /// It is stored.
    Becomes(T),
}

/// Where an action's item lies, and what it is to become.
struct Planned {
    position: KeyBytes,
    at: usize,
    route: usize,
    old: Option<Arc<Item>>,
    fate: Fate<Arc<Item>>,
    /// Bytes of the larger of what is stored and what was attempted.
    bytes: u64,
}

impl TransactWriteItems {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let return_consumed_capacity = ReturnConsumedCapacity::read(input, &mut violations)?;
        let metrics = ReturnItemCollectionMetrics::read(input, &mut violations)?;
        let list = input.structures("TransactItems")?;
        if list.is_none() {
            violations.missing("transactItems");
        }
        let token = input.text("ClientRequestToken")?;
        if let Some(token) = &token {
            let quoted = format!("'{token}'");
            if token.is_empty() {
                violations.add(&quoted, "clientRequestToken", "Member must have length greater than or equal to 1");
            }
            if token.chars().count() > 36 {
                violations.add(&quoted, "clientRequestToken", "Member must have length less than or equal to 36");
            }
        }
        violations.check()?;
        let list = list.unwrap_or_default();
        check_number(list.len())?;
        let transact_items =
            list.iter().enumerate().map(|(at, one)| TransactAction::read(one, at)).collect::<Result<_, _>>()?;
        Ok(Self {
            transact_items,
            client_request_token: token,
            return_consumed_capacity,
            return_item_collection_metrics: metrics,
        })
    }

    /// What is asked, without how the answer is to be told.
    fn actions_json(&self) -> Json {
        json!({"TransactItems": self.transact_items.iter().map(TransactAction::to_json).collect::<Vec<Json>>()})
    }

    /// Expressions, tables and keys, as far as they can be checked without looking at items.
    fn prepare(&self, context: &Context<'_>) -> Result<Vec<Prepared<'_>>, Failure> {
        let mut prepared = Vec::new();
        for action in &self.transact_items {
            let (update, condition) = (action.update_expression.as_deref(), action.condition_expression.as_deref());
            let mut members = vec![("ConditionExpression", condition.is_some())];
            if action.kind == Kind::Update {
                members.insert(0, ("UpdateExpression", update.is_some()));
            }
            let mut placeholders = action.attributes.placeholders(&members, false)?;
            let update = update.map(|source| parse_update(source, &mut placeholders)).transpose()?;
            let condition = condition
                .map(|source| parse_condition(ExpressionKind::Condition, source, &mut placeholders))
                .transpose()?;
            placeholders.check_all_used()?;
            if action.kind == Kind::Put && action.item.size_bytes() > MAX_ITEM_BYTES {
                return Err(Failure::validation(PUT_OVERSIZE));
            }
            prepared.push(Prepared { action, slot: 0, key: Item::new(), update, condition });
        }
        for one in &mut prepared {
            one.slot = slot_of(context, &one.action.table_name)?;
        }
        Ok(prepared)
    }

    /// The same token again: nothing is written, and reading what was written is charged.
    fn replay(&self, context: &mut Context<'_>, prepared: &[Prepared<'_>]) -> Result<Response, Failure> {
        let mut consumed: BTreeMap<String, ConsumedCapacity> = BTreeMap::new();
        for one in prepared {
            let (_, cost) = read_one::read_one(context, one.slot, &one.key, Consistency::Transactional)?;
            consumed.entry(one.action.table_name.clone()).or_default().table += cost;
        }
        Ok(self.answer(&consumed, Side::Read))
    }

    fn answer(&self, consumed: &BTreeMap<String, ConsumedCapacity>, side: Side) -> Response {
        let wanted = self.return_consumed_capacity;
        let list = consumed.iter().filter_map(|(name, cost)| cost.to_json_of(name, wanted, Some(side)));
        Response { consumed: (!wanted.is_none()).then(|| list.collect()), ..Response::default() }
    }
}

/// Wrong types are reasons of their action; all else that is wrong with a key ends the request.
fn check_keys(context: &Context<'_>, prepared: &mut [Prepared<'_>]) -> Result<(), Failure> {
    let mut reasons: Vec<Option<Reason>> = Vec::new();
    for one in &mut *prepared {
        let schema = &context.database.table(one.slot).schema;
        let item = &one.action.item;
        let fault = match one.action.kind {
            Kind::Put => schema.check_item_types(item).and_then(|()| schema.check_index_keys(item)),
            _ => schema.check_key_types(item),
        };
        reasons.push(fault.err().map(|failure| Reason::of(&failure, None)));
        one.key = schema.key_of(item);
    }
    for one in &*prepared {
        let schema = &context.database.table(one.slot).schema;
        if schema.check_key_types(&one.key).is_ok() {
            schema.check_key(&one.key)?;
        }
        check_expressions(schema, one.update.as_ref(), one.condition.as_ref())?;
    }
    check_targets(prepared.iter().map(|one| (one.slot, one.key.clone())))?;
    cancelled(&reasons).map_or(Ok(()), Err)
}

/// Finds where each item lies, and asks the tables' buckets.
fn admit(context: &mut Context<'_>, prepared: &[Prepared<'_>]) -> Result<Vec<Planned>, Failure> {
    let mut planned = Vec::new();
    let mut reasons: Vec<Option<Reason>> = Vec::new();
    for one in prepared {
        context.trace.table.clone_from(&one.action.table_name);
        let table = context.database.table(one.slot);
        let position = table_position(&table.schema.key, &one.key)
            .ok_or_else(|| Failure::validation("The provided key element does not match the schema"))?;
        let at = table.base().partitions.find(&position);
        let partition = table.base().partitions.get(at).id;
        let old = table.base().entries.get(&position).cloned();
        let refusal = table.refusal(0, at, Side::Write, context.now);
        let key = one.key.get(&table.schema.key.partition.name).cloned();
        let route = context.trace.routes.len();
        if let Some(key) = &key {
            context.trace.routes.push(Route { index: None, key: key.clone(), hash: ring_hash(key), partition });
        }
        let refused = refusal.map(|refusal| refuse(context, one.slot, (0, at), key, refusal));
        reasons.push(refused.map(|failure| Reason::of(&failure, None)));
        planned.push(Planned { position, at, route, old, fate: Fate::Stays, bytes: 0 });
    }
    cancelled(&reasons).map_or(Ok(planned), Err)
}

/// Conditions, and what the items become. A cancellation is charged.
fn decide(context: &mut Context<'_>, prepared: &[Prepared<'_>], planned: &mut [Planned]) -> Result<(), Failure> {
    let mut reasons: Vec<Option<Reason>> = Vec::new();
    for (one, plan) in prepared.iter().zip(&mut *planned) {
        let old = plan.old.clone();
        let empty = Item::new();
        let holds = one.condition.as_ref().is_none_or(|condition| condition.matches(old.as_deref().unwrap_or(&empty)));
        let attempted = attempt(context, one, old.as_deref());
        let size = |item: Option<&Item>| item.map_or(0, |item| item.size_bytes() as u64);
        let new = match &attempted {
            Ok(Fate::Becomes(new)) => Some(new),
            _ => None,
        };
        plan.bytes = size(old.as_deref()).max(size(new));
        let failure = match (holds, attempted) {
            (false, _) => Some(Failure::new(ErrorKind::ConditionalCheckFailed, "The conditional request failed")),
            (true, Err(failure)) => Some(failure),
            (true, Ok(fate)) => {
                plan.fate = match fate {
                    Fate::Becomes(mut item) => {
                        context.database.table_mut(one.slot).intern(&mut item);
                        Fate::Becomes(Arc::new(item))
                    }
                    Fate::Stays => Fate::Stays,
                    Fate::Goes => Fate::Goes,
                };
                None
            }
        };
        let told = old.as_deref().filter(|_| !holds && one.action.on_failure == ReturnValues::AllOld);
        reasons.push(failure.map(|failure| Reason::of(&failure, told)));
    }
    context.trace.condition = Some(reasons.iter().all(Option::is_none));
    let Some(failure) = cancelled(&reasons) else { return Ok(()) };
    for (one, plan) in prepared.iter().zip(&*planned) {
        charge_base(context, one.slot, plan);
    }
    Err(failure)
}

/// What an action makes of the stored item.
fn attempt(context: &Context<'_>, one: &Prepared<'_>, old: Option<&Item>) -> Result<Fate<Item>, Failure> {
    let schema = &context.database.table(one.slot).schema;
    Ok(match one.action.kind {
        Kind::ConditionCheck => Fate::Stays,
        Kind::Delete => Fate::Goes,
        Kind::Put => {
            check_size(context, (one.slot, PUT_OVERSIZE), &one.action.item)?;
            Fate::Becomes(one.action.item.clone())
        }
        Kind::Update => {
            let new = updated(schema, one.update.as_ref(), &one.key, old)?;
            check_size(context, (one.slot, UPDATE_OVERSIZE), &new)?;
            Fate::Becomes(new)
        }
    })
}

/// Charges the table alone for an action, twice, as what only checks or is cancelled is charged.
fn charge_base(context: &mut Context<'_>, slot: usize, plan: &Planned) -> ConsumedCapacity {
    let cost = write_cost(plan.bytes);
    let cost = cost + cost;
    let base = context.database.table_mut(slot).base_mut();
    let position = &plan.position;
    base.charge((plan.at, Side::Write, cost), context.now, &|| Some(position.clone()));
    let partition = base.partitions.get(plan.at).id;
    let route = Some(plan.route);
    context.trace.charges.push(Charge { slot, arm: 0, partition, side: Side::Write, cost, route });
    ConsumedCapacity { table: cost, ..ConsumedCapacity::default() }
}

impl Operation for TransactWriteItems {
    fn name(&self) -> &'static str {
        "TransactWriteItems"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let mut prepared = self.prepare(context)?;
        check_keys(context, &mut prepared)?;
        if self.transact_items.iter().map(TransactAction::bytes).sum::<usize>() > MAX_BYTES {
            return Err(too_large());
        }
        let token = self.client_request_token.as_ref().map(|token| (token, self.actions_json()));
        if let Some((token, asked)) = &token
            && was_done(context, token, asked)?
        {
            return self.replay(context, &prepared);
        }
        let mut planned = admit(context, &prepared)?;
        decide(context, &prepared, &mut planned)?;
        let mut writes = Vec::new();
        let mut reasons: Vec<Option<Reason>> = Vec::new();
        for (one, plan) in prepared.iter().zip(&planned) {
            let new = match &plan.fate {
                Fate::Stays => {
                    writes.push(None);
                    reasons.push(None);
                    continue;
                }
                Fate::Goes => None,
                Fate::Becomes(new) => Some(new.clone()),
            };
            let table = context.database.table(one.slot);
            let change = ItemChange { position: plan.position.clone(), old: plan.old.clone(), new };
            let mut write = table.plan_write(change);
            if table.exceeds_collection(&write, context.physics) {
                reasons.push(Some(Reason::of(&collection_exceeded(), None)));
                writes.push(None);
                continue;
            }
            // Prepared and committed: twice, of the table; entries of indexes once.
            write.table_cost += write.table_cost;
            let refusal = table.index_refusal(&write, context.now);
            let refused = refusal.map(|refusal| {
                let (place, key) = first_empty(context.database.table(one.slot), &write, context.now);
                refuse(context, one.slot, place, key, refusal)
            });
            reasons.push(refused.map(|failure| Reason::of(&failure, None)));
            writes.push(Some(write));
        }
        if let Some(failure) = cancelled(&reasons) {
            return Err(failure);
        }
        let mut consumed: BTreeMap<String, ConsumedCapacity> = BTreeMap::new();
        for ((one, plan), write) in prepared.iter().zip(&planned).zip(writes) {
            let cost = match write {
                Some(write) => settle(context, one.slot, write, plan.route),
                None => charge_base(context, one.slot, plan),
            };
            consumed.entry(one.action.table_name.clone()).or_default().merge(&cost);
        }
        if let Some((token, asked)) = &token {
            remember(context, token, asked);
        }
        let mut collections = Collections::default();
        for one in prepared.iter().filter(|one| one.action.kind != Kind::ConditionCheck) {
            let metrics = self.return_item_collection_metrics.of(context, one.slot, &one.key);
            collections.add(&one.action.table_name, metrics);
        }
        Ok(Response { collections: collections.told(), ..self.answer(&consumed, Side::Write) })
    }
}
