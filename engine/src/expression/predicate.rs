//! One predicate, ready to run: it borrows from the item and allocates nothing.

use super::compare::{begins_with, between, contains, order, size};
use super::grammar::Comparator;
use super::path::{Mentions, Path};
use crate::diagnostic::Span;
use crate::value::{AttributeValue, Item, ValueType};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

/// Something with a value, given an item.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Path(Path),
    Constant(Arc<AttributeValue>),
    Size(Path),
    SizeOfConstant(Option<AttributeValue>),
}

impl Operand {
    /// The value, or nothing where the attribute is missing (or has no size).
    fn value<'a>(&'a self, item: &'a Item) -> Option<Cow<'a, AttributeValue>> {
        match self {
            Self::Path(path) => path.find(item).map(Cow::Borrowed),
            Self::Constant(value) => Some(Cow::Borrowed(value)),
            Self::Size(path) => path.find(item).and_then(size).map(Cow::Owned),
            Self::SizeOfConstant(value) => value.as_ref().map(Cow::Borrowed),
        }
    }

    /// The path it reads, if it reads one.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) | Self::Size(path) => Some(path),
            Self::Constant(_) | Self::SizeOfConstant(_) => None,
        }
    }

    /// As a person writes it; constants have no text.
    fn written(&self) -> Option<String> {
        match self {
            Self::Path(path) => Some(path.written()),
            Self::Size(path) => Some(["size(", &path.written(), ")"].concat()),
            Self::Constant(_) | Self::SizeOfConstant(_) => None,
        }
    }
}

/// What a predicate asks.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Compare { left: Operand, comparator: Comparator, right: Operand },
    Between { value: Operand, low: Operand, high: Operand },
    In { value: Operand, candidates: Vec<Operand> },
    Exists(Path),
    NotExists(Path),
    HasType(Path, ValueType),
    BeginsWith(Operand, Operand),
    Contains(Operand, Operand),
}

/// What a predicate asks, and where it and its operator stand in the text.
#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub test: Test,
    pub operator: Span,
    pub span: Span,
}

impl Predicate {
    /// Is it true of this item?
    pub(super) fn holds(&self, item: &Item) -> bool {
        match &self.test {
            Test::Compare { left, comparator, right } => {
                compare(left.value(item).as_deref(), *comparator, right.value(item).as_deref())
            }
            Test::Between { value, low, high } => match (value.value(item), low.value(item), high.value(item)) {
                (Some(value), Some(low), Some(high)) => between(&value, &low, &high),
                _ => false,
            },
            Test::In { value, candidates } => value.value(item).is_some_and(|value| {
                candidates.iter().any(|candidate| candidate.value(item).is_some_and(|candidate| candidate == value))
            }),
            Test::Exists(path) => path.find(item).is_some(),
            Test::NotExists(path) => path.find(item).is_none(),
            Test::HasType(path, ty) => path.find(item).is_some_and(|value| value.value_type() == *ty),
            Test::BeginsWith(value, prefix) => both(value, prefix, item, begins_with),
            Test::Contains(value, part) => both(value, part, item, contains),
        }
    }

    /// Notes the attributes it reads, in the order of the text.
    pub(super) fn mention(&self, mentions: &mut Mentions) {
        match &self.test {
            Test::Exists(path) | Test::NotExists(path) | Test::HasType(path, _) => mentions.add(path),
            Test::Compare { left, right, .. } => add_all(mentions, [left, right]),
            Test::Between { value, low, high } => add_all(mentions, [value, low, high]),
            Test::In { value, candidates } => add_all(mentions, std::iter::once(value).chain(candidates)),
            Test::BeginsWith(left, right) | Test::Contains(left, right) => add_all(mentions, [left, right]),
        }
    }

    /// Its parts for a person: what is looked at, its value here, the operator, what it is held against.
    pub(super) fn explain(&self, item: &Item) -> Explanation {
        match &self.test {
            Test::Compare { left, comparator, right } if left.path().is_none() && right.path().is_some() => {
                Explanation::of(right, comparator.mirrored().symbol(), [left], item)
            }
            Test::Compare { left, comparator, right } => Explanation::of(left, comparator.symbol(), [right], item),
            Test::Between { value, low, high } => Explanation::of(value, "BETWEEN", [low, high], item),
            Test::In { value, candidates } => Explanation::of(value, "IN", candidates, item),
            Test::Exists(path) => Explanation::of_path(path, "attribute_exists", item),
            Test::NotExists(path) => Explanation::of_path(path, "attribute_not_exists", item),
            Test::HasType(path, ty) => {
                let mut explanation = Explanation::of_path(path, "attribute_type", item);
                explanation.expected.push(ty.name().into());
                explanation
            }
            Test::BeginsWith(value, prefix) => Explanation::of(value, "begins_with", [prefix], item),
            Test::Contains(value, part) => Explanation::of(value, "contains", [part], item),
        }
    }
}

/// See [`Predicate::explain`].
pub(super) struct Explanation {
    pub path: Option<String>,
    pub actual: Option<AttributeValue>,
    pub operator: &'static str,
    pub expected: Vec<AttributeValue>,
}

impl Explanation {
    fn of<'a>(
        subject: &Operand,
        operator: &'static str,
        others: impl IntoIterator<Item = &'a Operand>,
        item: &Item,
    ) -> Self {
        let own = |operand: &Operand| operand.value(item).map(Cow::into_owned);
        let expected = others.into_iter().filter_map(own).collect();
        Self { path: subject.written(), actual: own(subject), operator, expected }
    }

    fn of_path(path: &Path, operator: &'static str, item: &Item) -> Self {
        Self { path: Some(path.written()), actual: path.find(item).cloned(), operator, expected: Vec::new() }
    }
}

/// A missing attribute equals nothing and is ordered before nothing; so only `<>` is true of it.
fn compare(left: Option<&AttributeValue>, comparator: Comparator, right: Option<&AttributeValue>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return comparator == Comparator::NotEqual };
    match comparator {
        Comparator::Equal => left == right,
        Comparator::NotEqual => left != right,
        Comparator::Less => order(left, right).is_some_and(Ordering::is_lt),
        Comparator::LessOrEqual => order(left, right).is_some_and(Ordering::is_le),
        Comparator::Greater => order(left, right).is_some_and(Ordering::is_gt),
        Comparator::GreaterOrEqual => order(left, right).is_some_and(Ordering::is_ge),
    }
}

fn both(left: &Operand, right: &Operand, item: &Item, test: fn(&AttributeValue, &AttributeValue) -> bool) -> bool {
    match (left.value(item), right.value(item)) {
        (Some(left), Some(right)) => test(&left, &right),
        _ => false,
    }
}

fn add_all<'a>(mentions: &mut Mentions, operands: impl IntoIterator<Item = &'a Operand>) {
    for path in operands.into_iter().filter_map(Operand::path) {
        mentions.add(path);
    }
}
