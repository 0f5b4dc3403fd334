//! KeyConditionExpression: a condition that is only allowed to say which part of one item collection to read.
//!
//! Read in two steps, because the service refuses the *shape* of a key condition only after all expressions
//! of the request were parsed and their placeholders counted: [`parse_key_condition`], then
//! [`KeyCondition::check`]. What the keys are called and of which types they are comes with
//! [`KeyCondition::resolve`]. Rules: Developer Guide, "Key condition expressions for the Query operation".

use super::ExpressionKind;
use super::code::preorder;
use super::cursor::Cursor;
use super::grammar::{Comparator, Node, parse_condition};
use super::placeholders::Placeholders;
use super::predicate::{Operand, Predicate, Test};
use super::resolve::Checker;
use super::text;
use crate::diagnostic::{Failure, Span};
use crate::value::AttributeValue;
use std::sync::Arc;

/// Most conditions in one key condition. (The service takes more for indexes with multi-attribute keys,
/// which this engine does not have yet.)
const MAX_KEY_CONDITIONS: usize = 2;

/// What a key condition may ask of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum KeyOperator {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Between,
    BeginsWith,
}

/// One condition on one key.
#[derive(Clone, Debug)]
pub struct KeyClause {
    /// The key attribute.
    pub attribute: String,
    /// What is asked of it; turned round where the value stood on the left.
    pub operator: KeyOperator,
    /// One value, two for BETWEEN.
    pub values: Vec<Arc<AttributeValue>>,
    /// The clause in the text.
    pub span: Span,
}

/// A parsed key condition whose shape is still to be checked.
#[derive(Clone, Debug)]
pub struct KeyCondition {
    pub(super) clauses: Result<Vec<KeyClause>, Failure>,
    pub(super) span: Span,
}

/// Reads a key condition by the grammar of conditions, with all their static checks.
pub fn parse_key_condition(source: &str, placeholders: &mut Placeholders) -> Result<KeyCondition, Failure> {
    let mut cursor = Cursor::new(ExpressionKind::KeyCondition, source)?;
    let raw = parse_condition(&mut cursor)?;
    let predicates = Checker { cursor: &cursor, placeholders }.condition(&raw)?;
    Ok(KeyCondition { clauses: clauses(&raw.postfix, &predicates, source), span: cursor.span() })
}

impl KeyCondition {
    /// Refuses what is a condition but no key condition. Call it when all expressions are parsed.
    pub fn check(&self) -> Result<(), Failure> {
        self.clauses.as_ref().map(|_| ()).map_err(Clone::clone)
    }

    /// The clauses in the order of the text; none if the shape is refused.
    pub fn clauses(&self) -> &[KeyClause] {
        self.clauses.as_deref().unwrap_or_default()
    }

    /// The whole text.
    pub fn span(&self) -> Span {
        self.span
    }
}

fn refuse(pieces: &[&str], span: Span) -> Failure {
    Failure::validation(text(pieces)).at(ExpressionKind::KeyCondition.member(), span)
}

fn clauses(postfix: &[Node], predicates: &[Predicate], source: &str) -> Result<Vec<KeyClause>, Failure> {
    let mut clauses: Vec<KeyClause> = Vec::new();
    for at in preorder(postfix) {
        let clause = match postfix[at] {
            Node::And(_) => continue,
            Node::Or(span) | Node::Not(span) => {
                return Err(invalid_operator(&span.of(source).to_ascii_uppercase(), span));
            }
            Node::Test(number) => clause(&predicates[number])?,
        };
        if clauses.iter().any(|other| other.attribute == clause.attribute) {
            return Err(refuse(&["KeyConditionExpressions must only contain one condition per key"], clause.span));
        }
        clauses.push(clause);
    }
    match clauses.get(MAX_KEY_CONDITIONS) {
        Some(clause) => Err(refuse(&["Conditions can be of length 1 or 2 only"], clause.span)),
        None => Ok(clauses),
    }
}

fn invalid_operator(operator: &str, span: Span) -> Failure {
    refuse(&["Invalid operator used in KeyConditionExpression: ", operator], span)
}

fn clause(predicate: &Predicate) -> Result<KeyClause, Failure> {
    let invalid = |operator: &str| Err(invalid_operator(operator, predicate.operator));
    match &predicate.test {
        Test::Exists(_) => invalid("attribute_exists"),
        Test::NotExists(_) => invalid("attribute_not_exists"),
        Test::HasType(..) => invalid("attribute_type"),
        Test::Contains(..) => invalid("contains"),
        Test::In { .. } => invalid("IN"),
        Test::Compare { left, comparator, right } => {
            let Some(operator) = key_operator(*comparator) else { return invalid("<>") };
            let (attribute, first) = key_attribute(&[left, right], predicate.span)?;
            let (operator, value) =
                if first { (operator, right) } else { (key_operator(comparator.mirrored()).unwrap_or(operator), left) };
            Ok(build(attribute, operator, &[value], predicate.span))
        }
        Test::Between { value, low, high } => {
            first_operand_is_key("BETWEEN", value, predicate)?;
            let (attribute, _) = key_attribute(&[value, low, high], predicate.span)?;
            Ok(build(attribute, KeyOperator::Between, &[low, high], predicate.span))
        }
        Test::BeginsWith(value, prefix) => {
            first_operand_is_key("begins_with", value, predicate)?;
            let (attribute, _) = key_attribute(&[value, prefix], predicate.span)?;
            Ok(build(attribute, KeyOperator::BeginsWith, &[prefix], predicate.span))
        }
    }
}

const fn key_operator(comparator: Comparator) -> Option<KeyOperator> {
    match comparator {
        Comparator::Equal => Some(KeyOperator::Equal),
        Comparator::NotEqual => None,
        Comparator::Less => Some(KeyOperator::Less),
        Comparator::LessOrEqual => Some(KeyOperator::LessOrEqual),
        Comparator::Greater => Some(KeyOperator::Greater),
        Comparator::GreaterOrEqual => Some(KeyOperator::GreaterOrEqual),
    }
}

fn first_operand_is_key(operator: &str, operand: &Operand, predicate: &Predicate) -> Result<(), Failure> {
    if matches!(operand, Operand::Path(_)) {
        return Ok(());
    }
    Err(refuse(
        &[
            "Invalid condition in KeyConditionExpression: ",
            operator,
            " operator must have the key attribute as its first operand",
        ],
        predicate.span,
    ))
}

/// The one top-level attribute among the operands, and whether it is the first of them.
fn key_attribute(operands: &[&Operand], span: Span) -> Result<(String, bool), Failure> {
    let mut found = None;
    for (at, operand) in operands.iter().enumerate() {
        match operand {
            Operand::Size(_) | Operand::SizeOfConstant(_) => {
                return Err(refuse(&["KeyConditionExpressions cannot contain nested operations"], span));
            }
            Operand::Path(path) if found.is_some() => {
                let text =
                    "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
                return Err(refuse(&[text], path.span));
            }
            Operand::Path(path) if !path.rest.is_empty() => {
                let text = "KeyConditionExpressions cannot have conditions on nested attributes";
                return Err(refuse(&[text], path.span));
            }
            Operand::Path(path) => found = Some((path.top.to_string(), at == 0)),
            Operand::Constant(_) => {}
        }
    }
    found.ok_or_else(|| refuse(&["Invalid condition in KeyConditionExpression: No key attribute specified"], span))
}

fn build(attribute: String, operator: KeyOperator, operands: &[&Operand], span: Span) -> KeyClause {
    let values = operands
        .iter()
        .filter_map(|operand| match operand {
            Operand::Constant(value) => Some(value.clone()),
            Operand::Path(_) | Operand::Size(_) | Operand::SizeOfConstant(_) => None,
        })
        .collect();
    KeyClause { attribute, operator, values, span }
}
