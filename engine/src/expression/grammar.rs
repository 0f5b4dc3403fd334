//! The condition grammar: text to predicates and the AND, OR, NOT between them.
//!
//! Operator precedence with an explicit stack, so that neither a thousand parentheses nor three hundred NOTs
//! can overflow anything: the result is a flat list in postfix order. Grammar: Developer Guide, "Condition
//! and filter expressions, operators, and functions".

use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::operand::{RawCall, RawOperand, parse_list, parse_operand};
use crate::diagnostic::{Failure, Span};

/// The six comparators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparator {
    const ALL: [Self; 6] =
        [Self::Equal, Self::NotEqual, Self::Less, Self::LessOrEqual, Self::Greater, Self::GreaterOrEqual];

    fn from_symbol(symbol: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|comparator| comparator.symbol() == symbol)
    }

    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// The comparator that says the same with its operands exchanged.
    pub(super) const fn mirrored(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

/// A predicate as written.
#[derive(Debug)]
pub(super) enum RawTest {
    Compare { left: RawOperand, comparator: Comparator, right: RawOperand },
    Between { value: RawOperand, low: RawOperand, high: RawOperand },
    In { value: RawOperand, candidates: Vec<RawOperand> },
    Call(RawCall),
}

/// A predicate, and where it and its operator stand.
#[derive(Debug)]
pub(super) struct RawPredicate {
    pub test: RawTest,
    pub operator: Span,
    pub span: Span,
}

/// One element of a condition in postfix order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Node {
    /// The predicate with this number.
    Test(usize),
    Not(Span),
    And(Span),
    Or(Span),
}

/// A whole condition as written.
#[derive(Debug, Default)]
pub(super) struct RawCondition {
    pub predicates: Vec<RawPredicate>,
    pub postfix: Vec<Node>,
}

/// What waits on the operator stack.
enum Waiting {
    Group,
    Operator(Node),
}

/// Reads a condition to the end of the text.
pub(super) fn parse_condition(cursor: &mut Cursor) -> Result<RawCondition, Failure> {
    let mut condition = RawCondition::default();
    let mut stack: Vec<Waiting> = Vec::new();
    loop {
        prefix(cursor, &mut stack);
        let predicate = parse_predicate(cursor)?;
        condition.postfix.push(Node::Test(condition.predicates.len()));
        condition.predicates.push(predicate);
        while has_group(&stack) && cursor.eat(")").is_some() {
            while let Some(Waiting::Operator(node)) = stack.pop() {
                condition.postfix.push(node);
            }
        }
        if cursor.at_end() && !has_group(&stack) {
            condition.postfix.extend(stack.into_iter().rev().filter_map(|waiting| match waiting {
                Waiting::Operator(node) => Some(node),
                Waiting::Group => None,
            }));
            return Ok(condition);
        }
        let node = match (cursor.eat("AND"), cursor.word()) {
            (Some(span), _) => Node::And(span),
            (None, _) => Node::Or(cursor.expect("OR")?),
        };
        count(cursor, node);
        while let Some(Waiting::Operator(top)) = stack.last()
            && rank(*top) >= rank(node)
        {
            condition.postfix.push(*top);
            stack.pop();
        }
        stack.push(Waiting::Operator(node));
    }
}

/// Steps over NOTs and the parentheses that group conditions.
fn prefix(cursor: &mut Cursor, stack: &mut Vec<Waiting>) {
    loop {
        if let Some(span) = cursor.eat("NOT") {
            count(cursor, Node::Not(span));
            stack.push(Waiting::Operator(Node::Not(span)));
        } else if groups(cursor) {
            cursor.step();
            stack.push(Waiting::Group);
        } else {
            return;
        }
    }
}

/// Does the next `(` group a condition, or is it round an operand, as in `(a) < :b` and `(a.b).c < :d`?
fn groups(cursor: &Cursor) -> bool {
    let goes_on = |word: &str| {
        matches!(word, "." | "[")
            || Comparator::from_symbol(word).is_some()
            || is_word(word, "BETWEEN")
            || is_word(word, "IN")
    };
    cursor.word() == "(" && !cursor.word_after_group().is_some_and(goes_on)
}

fn is_word(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

fn has_group(stack: &[Waiting]) -> bool {
    stack.iter().any(|waiting| matches!(waiting, Waiting::Group))
}

const fn rank(node: Node) -> u8 {
    match node {
        Node::Test(_) => 0,
        Node::Or(_) => 1,
        Node::And(_) => 2,
        Node::Not(_) => 3,
    }
}

fn count(cursor: &mut Cursor, node: Node) {
    match node {
        Node::Not(span) | Node::And(span) | Node::Or(span) => cursor.count_operator(span),
        Node::Test(_) => {}
    }
}

fn parse_predicate(cursor: &mut Cursor) -> Result<RawPredicate, Failure> {
    let start = cursor.position();
    let value = parse_operand(cursor)?;
    let (test, operator) = if let Some(comparator) = next_comparator(cursor) {
        let operator = cursor.step();
        cursor.count_operator(operator);
        (RawTest::Compare { left: value, comparator, right: parse_operand(cursor)? }, operator)
    } else if let Some(operator) = cursor.eat("BETWEEN") {
        cursor.count_operator(operator);
        let low = parse_operand(cursor)?;
        cursor.expect("AND")?;
        (RawTest::Between { value, low, high: parse_operand(cursor)? }, operator)
    } else if let Some(operator) = cursor.eat("IN") {
        cursor.count_operator(operator);
        (RawTest::In { value, candidates: parse_list(cursor)? }, operator)
    } else {
        match value {
            RawOperand::Call(call) => {
                let operator = call.name;
                (RawTest::Call(call), operator)
            }
            RawOperand::Path(_) | RawOperand::Value(_) => return Err(cursor.syntax_error()),
        }
    };
    Ok(RawPredicate { test, operator, span: cursor.span_from(start) })
}

fn next_comparator(cursor: &Cursor) -> Option<Comparator> {
    cursor.peek().filter(|token| token.kind == TokenKind::Operator)?;
    Comparator::from_symbol(cursor.word())
}

impl RawTest {
    /// All operands with all inside them, in the order of the text, innermost first.
    pub(super) fn visit<'a>(
        &'a self,
        visitor: &mut dyn FnMut(&'a RawOperand) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Compare { left, right, .. } => {
                left.visit(visitor)?;
                right.visit(visitor)
            }
            Self::Between { value, low, high } => {
                value.visit(visitor)?;
                low.visit(visitor)?;
                high.visit(visitor)
            }
            Self::In { value, candidates } => {
                value.visit(visitor)?;
                candidates.iter().try_for_each(|candidate| candidate.visit(visitor))
            }
            Self::Call(call) => call.arguments.iter().try_for_each(|argument| argument.visit(visitor)),
        }
    }
}
