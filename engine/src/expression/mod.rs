//! Expressions: the five little languages of DynamoDB's data plane, from text to something that runs.
//!
//! ```
//! use dynascope_engine::expression::{ExpressionKind, Placeholders, parse_condition};
//! use dynascope_engine::value::{AttributeValue, Item};
//!
//! let mut item = Item::new();
//! item.set("status", "paid".into());
//! item.set("cost", AttributeValue::from(40));
//!
//! let names = [("#s".to_owned(), "status".to_owned())].into_iter().collect();
//! let values = [(":s".to_owned(), "cancelled".into()), (":n".to_owned(), AttributeValue::from(10))].into_iter().collect();
//! let mut placeholders = Placeholders::new(Some(names), Some(values)).unwrap();
//! let source = "#s = :s AND cost > :n";
//! let filter = parse_condition(ExpressionKind::Filter, source, &mut placeholders).unwrap();
//! placeholders.check_all_used().unwrap();
//!
//! assert!(!filter.matches(&item));
//! let blame = filter.blame(&item).unwrap();
//! assert_eq!(blame.span.of(source), "#s = :s");
//! assert_eq!(blame.actual, Some("paid".into()));
//! ```
//!
//! The road of an expression: `lexer` cuts the text into tokens with byte spans → `cursor` and `operand`
//! read them by the grammar → `check` refuses what the service refuses before it looks at any item, in the
//! service's order → what is left runs without allocating: [`Condition`], [`KeyCondition`], [`Projection`],
//! [`Update`]. Placeholders are resolved on the way, so nothing is looked up while items are read.
//!
//! Rules: Developer Guide, "Using expressions in DynamoDB" and its children. This room knows values and
//! complaints; it does not know tables, keys of a schema it is not told, requests or capacity.

mod check;
mod code;
mod compare;
mod condition;
mod cursor;
mod grammar;
mod key_condition;
mod key_query;
mod lexer;
mod operand;
mod path;
mod placeholders;
mod predicate;
mod projection;
mod resolve;
mod selection;
mod update;
mod update_grammar;

pub use condition::{Blame, Condition, parse_condition};
pub use key_condition::{KeyClause, KeyCondition, KeyOperator, parse_key_condition};
pub use key_query::{KeyQuery, SortCondition};
pub use lexer::{Token, TokenKind, is_reserved, mentioned_placeholders, tokens};
pub use placeholders::Placeholders;
pub use projection::{Projection, parse_projection};
pub use update::{Update, parse_update};

use crate::diagnostic::{Failure, Span};

/// Longest expression text. Developer Guide, "Quotas", *Expression parameters*.
pub const MAX_EXPRESSION_BYTES: usize = 4096;
/// Most operators and functions in one expression. Same page.
pub const MAX_OPERATORS: usize = 300;
/// Deepest nesting of functions. The service only counts all of them (300); here they may not nest deeper than
/// this either, because a browser's stack is small and nobody writes more. The words are the same.
pub const MAX_NESTED_CALLS: usize = 64;
/// Most operands of one IN. Same page.
pub const MAX_IN_OPERANDS: usize = 100;
/// Most elements of one document path. Same page.
pub const MAX_PATH_ELEMENTS: usize = 32;

/// Which of the five languages a text is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// What must hold for a write.
    Condition,
    /// What a Query or Scan keeps of what it has read.
    Filter,
    /// What a Query reads.
    KeyCondition,
    /// Which parts of an item are answered.
    Projection,
    /// How UpdateItem changes an item.
    Update,
}

impl ExpressionKind {
    /// The request member that carries the text.
    pub const fn member(self) -> &'static str {
        match self {
            Self::Condition => "ConditionExpression",
            Self::Filter => "FilterExpression",
            Self::KeyCondition => "KeyConditionExpression",
            Self::Projection => "ProjectionExpression",
            Self::Update => "UpdateExpression",
        }
    }

    /// Is this word part of this language's grammar? Case does not matter.
    fn is_keyword(self, word: &str) -> bool {
        let keywords: &[&str] = match self {
            Self::Condition | Self::Filter | Self::KeyCondition => &["AND", "OR", "NOT", "BETWEEN", "IN"],
            Self::Projection => &[],
            Self::Update => &["SET", "REMOVE", "ADD", "DELETE"],
        };
        keywords.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
    }

    /// `Invalid FilterExpression: …`, marked at `span`.
    fn refuse(self, body: &str, span: Span) -> Failure {
        let mut message = String::with_capacity(body.len() + 32);
        message.push_str("Invalid ");
        message.push_str(self.member());
        message.push_str(": ");
        message.push_str(body);
        Failure::validation(message).at(self.member(), span)
    }
}

/// Joins pieces of a message; the formatting machinery is not worth its bytes for this.
fn text(pieces: &[&str]) -> String {
    pieces.concat()
}

#[cfg(test)]
mod tests;
