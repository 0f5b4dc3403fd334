//! A key condition that has met its schema: one item collection, and maybe a stretch of its sort keys.

use super::compare::{begins_with, between, order};
use super::key_condition::{KeyClause, KeyCondition, KeyOperator};
use super::{ExpressionKind, text};
use crate::diagnostic::{Failure, Span};
use crate::value::{AttributeValue, ValueType};
use std::cmp::Ordering;
use std::sync::Arc;

/// What a Query reads.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyQuery {
    /// The partition key's value.
    pub partition: AttributeValue,
    /// What the sort key must fulfil, if anything.
    pub sort: Option<SortCondition>,
}

/// A condition on the sort key.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum SortCondition {
    Equal(AttributeValue),
    Less(AttributeValue),
    LessOrEqual(AttributeValue),
    Greater(AttributeValue),
    GreaterOrEqual(AttributeValue),
    Between(AttributeValue, AttributeValue),
    BeginsWith(AttributeValue),
}

impl SortCondition {
    /// The values it compares with: one, or two for BETWEEN.
    pub fn values(&self) -> impl Iterator<Item = &AttributeValue> {
        let (first, second) = match self {
            Self::Between(low, high) => (low, Some(high)),
            Self::Equal(value)
            | Self::Less(value)
            | Self::LessOrEqual(value)
            | Self::Greater(value)
            | Self::GreaterOrEqual(value)
            | Self::BeginsWith(value) => (value, None),
        };
        std::iter::once(first).chain(second)
    }

    /// Does a sort key's value fulfil it?
    pub fn matches(&self, value: &AttributeValue) -> bool {
        match self {
            Self::Equal(bound) => value == bound,
            Self::Less(bound) => order(value, bound).is_some_and(Ordering::is_lt),
            Self::LessOrEqual(bound) => order(value, bound).is_some_and(Ordering::is_le),
            Self::Greater(bound) => order(value, bound).is_some_and(Ordering::is_gt),
            Self::GreaterOrEqual(bound) => order(value, bound).is_some_and(Ordering::is_ge),
            Self::Between(low, high) => between(value, low, high),
            Self::BeginsWith(prefix) => begins_with(value, prefix),
        }
    }
}

impl KeyCondition {
    /// Holds the clauses against a schema's keys: their names and types. The order of complaints is the
    /// service's, partition key first.
    pub fn resolve(
        self,
        partition_key: (&str, ValueType),
        sort_key: Option<(&str, ValueType)>,
    ) -> Result<KeyQuery, Failure> {
        let whole = self.span;
        let mut clauses = self.clauses?;
        let several = clauses.len() > 1;
        if several && sort_key.is_none() {
            return Err(not_supported(whole));
        }
        let clause = take_clause(&mut clauses, partition_key)?.ok_or_else(|| missed(partition_key.0, whole))?;
        let span = clause.span;
        let Some(SortCondition::Equal(partition)) = condition(clause) else { return Err(not_supported(span)) };
        let sort = match sort_key {
            Some(key) => {
                let clause = take_clause(&mut clauses, key)?;
                if clause.is_none() && several {
                    return Err(missed(key.0, whole));
                }
                clause.and_then(condition)
            }
            None => None,
        };
        Ok(KeyQuery { partition, sort })
    }
}

/// Takes out the clause on a key, once its values are known to be possible values of that key.
fn take_clause(clauses: &mut Vec<KeyClause>, (name, ty): (&str, ValueType)) -> Result<Option<KeyClause>, Failure> {
    let Some(at) = clauses.iter().position(|clause| clause.attribute == name) else { return Ok(None) };
    let clause = clauses.remove(at);
    for value in &clause.values {
        if value.value_type() != ty {
            let text = "One or more parameter values were invalid: Condition parameter type does not match schema type";
            return Err(refuse(&[text], clause.span));
        }
        let kind = match &**value {
            AttributeValue::S(text) if text.is_empty() => "string",
            AttributeValue::B(bytes) if bytes.is_empty() => "binary",
            _ => continue,
        };
        let text = "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ";
        return Err(refuse(&[text, kind, " value. Key: ", name], clause.span));
    }
    Ok(Some(clause))
}

fn condition(clause: KeyClause) -> Option<SortCondition> {
    let mut values = clause.values.into_iter().map(Arc::unwrap_or_clone);
    let first = values.next()?;
    Some(match clause.operator {
        KeyOperator::Equal => SortCondition::Equal(first),
        KeyOperator::Less => SortCondition::Less(first),
        KeyOperator::LessOrEqual => SortCondition::LessOrEqual(first),
        KeyOperator::Greater => SortCondition::Greater(first),
        KeyOperator::GreaterOrEqual => SortCondition::GreaterOrEqual(first),
        KeyOperator::Between => SortCondition::Between(first, values.next()?),
        KeyOperator::BeginsWith => SortCondition::BeginsWith(first),
    })
}

fn refuse(pieces: &[&str], span: Span) -> Failure {
    Failure::validation(text(pieces)).at(ExpressionKind::KeyCondition.member(), span)
}

fn missed(key: &str, span: Span) -> Failure {
    refuse(&["Query condition missed key schema element: ", key], span)
}

fn not_supported(span: Span) -> Failure {
    refuse(&["Query key condition not supported"], span)
}
