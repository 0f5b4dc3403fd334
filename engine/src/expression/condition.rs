//! ConditionExpression and FilterExpression: does it hold for this item, and if not, who is to blame?

use super::ExpressionKind;
use super::code::Code;
use super::cursor::Cursor;
use super::grammar;
use super::path::Mentions;
use super::placeholders::Placeholders;
use super::predicate::Predicate;
use super::resolve::Checker;
use crate::diagnostic::{Failure, Span};
use crate::value::{AttributeValue, Item};

/// A condition, checked and ready to run on any number of items.
#[derive(Clone, Debug)]
pub struct Condition {
    predicates: Vec<Predicate>,
    code: Code,
    mentions: Mentions,
    span: Span,
}

/// The predicate that decided against an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Blame {
    /// The predicate in the source text.
    pub span: Span,
    /// What the predicate itself said: true where a NOT turned it against the item.
    pub holds: bool,
    /// The attribute looked at, as a person writes it: `a.b[0]`, `size(a)`. None if only constants stand there.
    pub path: Option<String>,
    /// That attribute's value in the item (for size() the size); None if it is missing.
    pub actual: Option<AttributeValue>,
    /// `=`, `BETWEEN`, `contains` …, turned round where the attribute stood on the right.
    pub operator: &'static str,
    /// What the attribute is held against: constants, or other attributes' values that exist.
    pub expected: Vec<AttributeValue>,
}

/// Reads a condition or filter; `kind` names the request member in messages and labels.
pub fn parse_condition(
    kind: ExpressionKind,
    source: &str,
    placeholders: &mut Placeholders,
) -> Result<Condition, Failure> {
    let mut cursor = Cursor::new(kind, source)?;
    let raw = grammar::parse_condition(&mut cursor)?;
    let predicates = Checker { cursor: &cursor, placeholders }.condition(&raw)?;
    let mut mentions = Mentions::default();
    for predicate in &predicates {
        predicate.mention(&mut mentions);
    }
    Ok(Condition { predicates, code: Code::new(&raw.postfix), mentions, span: cursor.span() })
}

impl Condition {
    /// Does it hold? A missing item is an empty one.
    pub fn matches(&self, item: &Item) -> bool {
        self.code.run(|number| self.predicates[number].holds(item)).holds
    }

    /// The innermost predicate that decided against the item; None if the condition holds.
    pub fn blame(&self, item: &Item) -> Option<Blame> {
        let verdict = self.code.run(|number| self.predicates[number].holds(item));
        if verdict.holds {
            return None;
        }
        let predicate = self.predicates.get(verdict.decided_by)?;
        let explanation = predicate.explain(item);
        Some(Blame {
            span: predicate.span,
            holds: verdict.decider_holds,
            path: explanation.path,
            actual: explanation.actual,
            operator: explanation.operator,
            expected: explanation.expected,
        })
    }

    /// Top-level attributes it reads, each with the place of its first mention.
    pub fn top_level_attributes(&self) -> impl Iterator<Item = (&str, Span)> {
        self.mentions.iter()
    }

    /// Top-level attributes that it goes into (`a.b`, `a[0]`), with the place of the first such path: keys
    /// are scalars, so the service refuses such paths on them.
    pub fn nested_attributes(&self) -> impl Iterator<Item = (&str, Span)> {
        self.mentions.nested()
    }

    /// The whole text.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Each predicate's place in the text, in the order of the text.
    pub fn predicate_spans(&self) -> impl Iterator<Item = Span> {
        self.predicates.iter().map(|predicate| predicate.span)
    }
}
