//! What transactions share: their size, why they are cancelled, and the tokens that make them happen once.
//!
//! Developer Guide, "Amazon DynamoDB Transactions: How it works"; API reference, *TransactionCanceledException*.

use super::Context;
use super::input::Violations;
use crate::diagnostic::{ErrorKind, Failure};
use crate::time::SimTime;
use crate::value::{Item, item_to_json};
use serde_json::{Map, Value as Json};
use xxhash_rust::xxh3::xxh3_64;

/// Actions of one transaction, at most.
const MOST: usize = 100;
/// Bytes of all its items, at most.
pub const MAX_BYTES: usize = 4 << 20;
/// A token is remembered so long.
const TOKEN_LIFE: u64 = 600 * SimTime::SECOND;

/// Why one action cannot be.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    code: &'static str,
    message: String,
    item: Option<Json>,
}

impl Reason {
    /// The reason that a failure is. `item` is the stored one, if it is to be told.
    pub fn of(failure: &Failure, item: Option<&Item>) -> Self {
        let code = match failure.kind {
            ErrorKind::ConditionalCheckFailed => "ConditionalCheckFailed",
            ErrorKind::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceeded",
            ErrorKind::TransactionConflict => "TransactionConflict",
            ErrorKind::ProvisionedThroughputExceeded => "ProvisionedThroughputExceeded",
            ErrorKind::Throttling | ErrorKind::RequestLimitExceeded => "ThrottlingError",
            _ => "ValidationError",
        };
        Self { code, message: failure.message.clone(), item: item.map(item_to_json) }
    }

    fn is_validation(&self) -> bool {
        self.code == "ValidationError"
    }
}

/// The cancellation, if any action has a reason. Of several faulty actions only the first is told.
pub fn cancelled(reasons: &[Option<Reason>]) -> Option<Failure> {
    reasons.iter().flatten().next()?;
    let mut has_fault = false;
    let told: Vec<Option<&Reason>> = reasons
        .iter()
        .map(|reason| {
            let reason = reason.as_ref().filter(|reason| !(reason.is_validation() && has_fault))?;
            has_fault |= reason.is_validation();
            Some(reason)
        })
        .collect();
    let codes: Vec<&str> = told.iter().map(|reason| reason.map_or("None", |reason| reason.code)).collect();
    let message =
        format!("Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes.join(", "));
    let list: Vec<Json> = told
        .into_iter()
        .map(|reason| {
            let mut object = Map::new();
            object.insert("Code".to_owned(), reason.map_or("None", |reason| reason.code).into());
            if let Some(Reason { message, item, .. }) = reason {
                object.insert("Message".to_owned(), message.as_str().into());
                if let Some(item) = item {
                    object.insert("Item".to_owned(), item.clone());
                }
            }
            object.into()
        })
        .collect();
    Some(Failure::new(ErrorKind::TransactionCanceled, message).with("CancellationReasons", list.into()))
}

/// From 1 to 100 actions.
pub fn check_number(number: usize) -> Result<(), Failure> {
    let mut violations = Violations::default();
    // The service echoes the whole list where it is too long; that helps nobody.
    match number {
        0 => {
            violations.add("'[]'", "transactItems", "Member must have length greater than or equal to 1");
        }
        1..=MOST => {}
        _ => violations.add("'[…]'", "transactItems", "Member must have length less than or equal to 100"),
    }
    violations.check()
}

/// Two actions may not be about one item; `targets` are table and key.
pub fn check_targets<'a>(targets: impl Iterator<Item = (usize, Item)> + 'a) -> Result<(), Failure> {
    let mut seen: Vec<(usize, Item)> = Vec::new();
    for target in targets {
        if seen.contains(&target) {
            return Err(Failure::validation("Transaction request cannot include multiple operations on one item"));
        }
        seen.push(target);
    }
    Ok(())
}

/// The text of a transaction that is too large.
pub fn too_large() -> Failure {
    Failure::validation(
        "Collection size of items exceeded, which can also be caused by the aggregate size of the items in the transaction \
         exceeding the 4MB limit",
    )
}

/// Was a transaction with this token carried out within ten minutes?
///
/// # Errors
/// That it was another one.
pub fn was_done(context: &mut Context<'_>, token: &str, request: &Json) -> Result<bool, Failure> {
    let now = context.now;
    context.database.tokens.retain(|(_, (_, at))| now.since(*at) < TOKEN_LIFE);
    match context.database.tokens.get(token) {
        None => Ok(false),
        Some((hash, _)) if *hash == hash_of(request) => Ok(true),
        Some(_) => Err(Failure::new(
            ErrorKind::IdempotentParameterMismatch,
            "Request parameters do not match those of the earlier request with the same client token",
        )),
    }
}

/// Remembers a token.
pub fn remember(context: &mut Context<'_>, token: &str, request: &Json) {
    context.database.tokens.insert(token.to_owned(), (hash_of(request), context.now));
}

fn hash_of(request: &Json) -> u64 {
    xxh3_64(request.to_string().as_bytes())
}
