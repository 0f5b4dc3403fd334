//! UpdateExpression: from the item as it was to the item as it will be.
//!
//! Every right-hand side reads the item as it was before the update; the clauses do not see each other.
//! Rules: Developer Guide, "Using update expressions in DynamoDB".

use super::path::{Mentions, Path, Step};
use super::placeholders::Placeholders;
use super::selection::Tree;
use super::{ExpressionKind, update_grammar};
use crate::diagnostic::{Failure, Span};
use crate::sorted::SortedSet;
use crate::value::{AttributeValue, Item, MAX_ITEM_BYTES, MAX_NESTING_LEVELS};
use std::borrow::Cow;
use std::sync::Arc;

/// An update, checked and ready to run.
#[derive(Clone, Debug)]
pub struct Update {
    /// In the order of places: parents before children, lists by index.
    actions: Vec<Action>,
    targets: Mentions,
    /// Targets and what the right-hand sides read.
    mentioned: Mentions,
}

/// One place and what becomes of it.
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub path: Path,
    pub change: Change,
}

#[derive(Clone, Debug)]
pub(super) enum Change {
    Set(Term),
    Remove,
    Add(Arc<AttributeValue>),
    Delete(Arc<AttributeValue>),
}

/// The right-hand side of a SET. Nests no deeper than calls may.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Path(Path),
    Constant(Arc<AttributeValue>),
    IfNotExists { path: Path, otherwise: Box<Term> },
    ListAppend { first: Box<Term>, second: Box<Term>, span: Span },
    Sum { left: Box<Term>, minus: bool, right: Box<Term>, span: Span },
}

/// What an action comes to for one item.
enum Outcome {
    Write(AttributeValue),
    Remove,
    Nothing,
}

/// Reads an update.
pub fn parse_update(source: &str, placeholders: &mut Placeholders) -> Result<Update, Failure> {
    update_grammar::read(source, placeholders)
}

impl Update {
    pub(super) fn new(actions: Vec<Action>) -> Self {
        let (mut targets, mut mentioned) = (Mentions::default(), Mentions::default());
        for action in &actions {
            targets.add(&action.path);
            mentioned.add(&action.path);
            if let Change::Set(term) = &action.change {
                term.mention(&mut mentioned);
            }
        }
        Self { actions: in_place_order(actions), targets, mentioned }
    }

    /// The item after the update. A missing item is an empty one: its keys are the caller's to add, before
    /// or after. Complaints carry no `Invalid UpdateExpression:`, as they depend on the item.
    pub fn apply(&self, old: &Item) -> Result<Item, Failure> {
        let mut new = old.clone();
        let mut removals = Vec::new();
        for action in &self.actions {
            match action.outcome(old)? {
                Outcome::Write(value) => write(&mut new, &action.path, value)?,
                Outcome::Remove => removals.push(&action.path),
                Outcome::Nothing => {}
            }
        }
        // Positions are those of the old list, so the last goes first; and what the old list did not reach
        // may by now hold an appended element, which is not meant.
        for path in removals.into_iter().rev() {
            if path.find(old).is_some() {
                remove(&mut new, path);
            }
        }
        Ok(new)
    }

    /// UPDATED_OLD: what stood at the places that the expression names, nothing else.
    pub fn touched_old(&self, old: &Item) -> Item {
        let mut tree = Tree::new();
        for action in &self.actions {
            tree.add(&action.path, ());
        }
        tree.pick(old)
    }

    /// UPDATED_NEW: what the update wrote, nothing else; places that it removed are not among it.
    /// Asked with the *old* item, since a list's positions are those before the update.
    pub fn touched_new(&self, old: &Item) -> Item {
        let mut tree = Tree::new();
        for action in &self.actions {
            if let Ok(Outcome::Write(value)) = action.outcome(old) {
                tree.add(&action.path, value);
            }
        }
        tree.into_item()
    }

    /// Top-level attributes that it changes, each with the place of its first mention.
    pub fn target_attributes(&self) -> impl Iterator<Item = (&str, Span)> {
        self.targets.iter()
    }

    /// Top-level attributes that it goes into (`a.b`, `a[0]`), with the place of the first such path: keys
    /// are scalars, so the service refuses such paths on them.
    pub fn nested_attributes(&self) -> impl Iterator<Item = (&str, Span)> {
        self.mentioned.nested()
    }
}

fn failure(message: &str, span: Span) -> Failure {
    Failure::validation(message).at(ExpressionKind::Update.member(), span)
}

fn invalid_path(path: &Path) -> Failure {
    failure("The document path provided in the update expression is invalid for update", path.span)
}

fn wrong_type(span: Span) -> Failure {
    failure("An operand in the update expression has an incorrect data type", span)
}

impl Action {
    fn outcome(&self, old: &Item) -> Result<Outcome, Failure> {
        let span = self.path.span;
        match &self.change {
            Change::Set(term) => {
                let value = term.value(old)?.into_owned();
                check_depth(&self.path, &value)?;
                Ok(Outcome::Write(value))
            }
            Change::Remove => {
                // On an item that does not exist the service lets any REMOVE pass.
                if !old.is_empty() && !parent_exists(old, &self.path) {
                    return Err(invalid_path(&self.path));
                }
                Ok(Outcome::Remove)
            }
            Change::Add(addend) => match self.path.find(old) {
                Some(value) => added(value, addend, span).map(Outcome::Write),
                None => Ok(Outcome::Write((**addend).clone())),
            },
            Change::Delete(members) => match self.path.find(old) {
                Some(value) => without(value, members, span),
                None if old.is_empty() || parent_exists(old, &self.path) => Ok(Outcome::Nothing),
                None => Err(invalid_path(&self.path)),
            },
        }
    }
}

/// The path's depth and the value's own must not sum up to more than an item may nest.
fn check_depth(path: &Path, value: &AttributeValue) -> Result<(), Failure> {
    if path.rest.len() + value.nesting_levels() <= MAX_NESTING_LEVELS {
        return Ok(());
    }
    let text = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
    Err(failure(text, path.span))
}

impl Term {
    fn mention(&self, mentions: &mut Mentions) {
        match self {
            Self::Path(path) => mentions.add(path),
            Self::Constant(_) => {}
            Self::IfNotExists { path, otherwise } => {
                mentions.add(path);
                otherwise.mention(mentions);
            }
            Self::ListAppend { first: left, second: right, .. } | Self::Sum { left, right, .. } => {
                left.mention(mentions);
                right.mention(mentions);
            }
        }
    }

    fn value<'a>(&'a self, old: &'a Item) -> Result<Cow<'a, AttributeValue>, Failure> {
        match self {
            Self::Path(path) => path.find(old).map(Cow::Borrowed).ok_or_else(|| {
                let text = "The provided expression refers to an attribute that does not exist in the item";
                failure(text, path.span)
            }),
            Self::Constant(value) => Ok(Cow::Borrowed(value)),
            Self::IfNotExists { path, otherwise } => match path.find(old) {
                Some(value) => Ok(Cow::Borrowed(value)),
                None => otherwise.value(old),
            },
            Self::ListAppend { first, second, span } => {
                let (first, second) = (first.value(old)?, second.value(old)?);
                appended(first.into_owned(), second.as_ref(), *span).map(Cow::Owned)
            }
            Self::Sum { left, minus, right, span } => {
                let (left, right) = (left.value(old)?, right.value(old)?);
                sum(left.as_ref(), *minus, right.as_ref(), *span).map(Cow::Owned)
            }
        }
    }
}

fn appended(first: AttributeValue, second: &AttributeValue, span: Span) -> Result<AttributeValue, Failure> {
    let (AttributeValue::L(mut list), AttributeValue::L(tail)) = (first, second) else {
        return Err(wrong_type(span));
    };
    list.extend_from_slice(tail);
    let list = AttributeValue::L(list);
    // Nested appends would double a list many times over; no such item could be stored.
    if list.size_bytes() > MAX_ITEM_BYTES {
        return Err(failure("Item size to update has exceeded the maximum allowed size", span));
    }
    Ok(list)
}

fn sum(left: &AttributeValue, minus: bool, right: &AttributeValue, span: Span) -> Result<AttributeValue, Failure> {
    let (AttributeValue::N(left), AttributeValue::N(right)) = (left, right) else { return Err(wrong_type(span)) };
    let sum = if minus { left.checked_sub(*right) } else { left.checked_add(*right) };
    sum.map(AttributeValue::N).map_err(|fault| failure(&fault.message(""), span))
}

fn added(value: &AttributeValue, addend: &AttributeValue, span: Span) -> Result<AttributeValue, Failure> {
    match (value, addend) {
        (AttributeValue::N(_), AttributeValue::N(_)) => sum(value, false, addend, span),
        (AttributeValue::Ss(set), AttributeValue::Ss(more)) => Ok(AttributeValue::Ss(set.union(more))),
        (AttributeValue::Ns(set), AttributeValue::Ns(more)) => Ok(AttributeValue::Ns(set.union(more))),
        (AttributeValue::Bs(set), AttributeValue::Bs(more)) => Ok(AttributeValue::Bs(set.union(more))),
        _ => Err(wrong_type(span)),
    }
}

/// A set that loses its last member is no set; the attribute goes.
fn without(value: &AttributeValue, members: &AttributeValue, span: Span) -> Result<Outcome, Failure> {
    let rest = match (value, members) {
        (AttributeValue::Ss(set), AttributeValue::Ss(gone)) => some(set.without(gone), AttributeValue::Ss),
        (AttributeValue::Ns(set), AttributeValue::Ns(gone)) => some(set.without(gone), AttributeValue::Ns),
        (AttributeValue::Bs(set), AttributeValue::Bs(gone)) => some(set.without(gone), AttributeValue::Bs),
        _ => return Err(wrong_type(span)),
    };
    Ok(rest.map_or(Outcome::Remove, Outcome::Write))
}

fn some<T>(set: SortedSet<T>, wrap: fn(SortedSet<T>) -> AttributeValue) -> Option<AttributeValue> {
    (!set.is_empty()).then(|| wrap(set))
}

/// Is there a map or list that has, or could have, the last step of the path?
fn parent_exists(item: &Item, path: &Path) -> bool {
    let Some((last, way)) = path.rest.split_last() else { return true };
    let parent = Path { top: path.top.clone(), rest: way.to_vec(), span: path.span };
    matches!(
        (parent.find(item), last),
        (Some(AttributeValue::M(_)), Step::Name(_)) | (Some(AttributeValue::L(_)), Step::Index(_))
    )
}

/// The value that holds the last step of the path, to change it.
fn parent_mut<'a>(item: &'a mut Item, path: &Path) -> Option<&'a mut AttributeValue> {
    let mut value = item.get_mut(&path.top)?;
    for step in path.rest.iter().take(path.rest.len().saturating_sub(1)) {
        value = match (step, value) {
            (Step::Name(name), AttributeValue::M(map)) => map.get_mut(name)?,
            (Step::Index(index), AttributeValue::L(list)) => list.get_mut(*index)?,
            _ => return None,
        };
    }
    Some(value)
}

/// Maps on the way must exist; an index past a list's end appends.
fn write(item: &mut Item, path: &Path, value: AttributeValue) -> Result<(), Failure> {
    let Some(last) = path.rest.last() else {
        item.set(path.top.clone(), value);
        return Ok(());
    };
    match (parent_mut(item, path), last) {
        (Some(AttributeValue::M(map)), Step::Name(name)) => {
            map.set(name.clone(), value);
            Ok(())
        }
        (Some(AttributeValue::L(list)), Step::Index(index)) => {
            match list.get_mut(*index) {
                Some(element) => *element = value,
                None => list.push(value),
            }
            Ok(())
        }
        _ => Err(invalid_path(path)),
    }
}

fn remove(item: &mut Item, path: &Path) {
    let Some(last) = path.rest.last() else {
        item.remove(&path.top);
        return;
    };
    match (parent_mut(item, path), last) {
        (Some(AttributeValue::M(map)), Step::Name(name)) => {
            map.remove(name);
        }
        (Some(AttributeValue::L(list)), Step::Index(index)) if *index < list.len() => {
            list.remove(*index);
        }
        _ => {}
    }
}

/// Actions in the order of the places they change; those of one place stay as written. An expression holds at
/// most a few hundred, and the library's sort would weigh more than all of this file.
fn in_place_order(actions: Vec<Action>) -> Vec<Action> {
    let mut ordered: Vec<Action> = Vec::with_capacity(actions.len());
    for action in actions {
        let later = |other: &Action| other.path.compare_place(&action.path) == std::cmp::Ordering::Greater;
        let at = ordered.len() - ordered.iter().rev().take_while(|other| later(other)).count();
        ordered.insert(at, action);
    }
    ordered
}
