//! What comparisons compare and functions take: paths, `:values` and calls, as written.
//!
//! Nothing is resolved or checked here beyond the grammar. Parentheses are counted, not recursed into; calls
//! recurse, no deeper than [`MAX_NESTED_CALLS`].

use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::{ExpressionKind, MAX_NESTED_CALLS};
use crate::diagnostic::{Failure, Span};

/// One element of a path as written.
#[derive(Debug)]
pub(super) enum RawStep {
    Name(Span),
    Placeholder(Span),
    Index(Span),
}

/// A path as written.
#[derive(Debug)]
pub(super) struct RawPath {
    pub steps: Vec<RawStep>,
    pub span: Span,
}

/// A function's name and what stands in its parentheses.
#[derive(Debug)]
pub(super) struct RawCall {
    pub name: Span,
    pub arguments: Vec<RawOperand>,
    pub span: Span,
}

/// An operand as written, without its parentheses.
#[derive(Debug)]
pub(super) enum RawOperand {
    Path(RawPath),
    Value(Span),
    Call(RawCall),
}

impl RawOperand {
    /// Visits this operand and all inside it, innermost first, in the order of the text.
    pub(super) fn visit<'a>(
        &'a self,
        visitor: &mut dyn FnMut(&'a RawOperand) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if let Self::Call(call) = self {
            for argument in &call.arguments {
                argument.visit(visitor)?;
            }
        }
        visitor(self)
    }
}

/// Reads `operand`, in any number of parentheses.
pub(super) fn parse_operand(cursor: &mut Cursor) -> Result<RawOperand, Failure> {
    operand_at(cursor, 0)
}

fn operand_at(cursor: &mut Cursor, depth: usize) -> Result<RawOperand, Failure> {
    let mut open = 0;
    while cursor.eat("(").is_some() {
        open += 1;
    }
    let mut operand = primary(cursor, depth)?;
    while open > 0 {
        cursor.expect(")")?;
        open -= 1;
        // Conditions take `(a.b).c`; updates do not.
        if let RawOperand::Path(path) = &mut operand
            && cursor.kind != ExpressionKind::Update
        {
            steps(cursor, path)?;
        }
    }
    Ok(operand)
}

fn primary(cursor: &mut Cursor, depth: usize) -> Result<RawOperand, Failure> {
    match cursor.peek() {
        Some(token) if token.kind == TokenKind::ValuePlaceholder => Ok(RawOperand::Value(cursor.step())),
        _ if cursor.is_call() => call(cursor, depth).map(RawOperand::Call),
        _ => parse_path(cursor).map(RawOperand::Path),
    }
}

fn call(cursor: &mut Cursor, depth: usize) -> Result<RawCall, Failure> {
    let start = cursor.position();
    let name = cursor.step();
    if depth >= MAX_NESTED_CALLS {
        return Err(cursor.too_many_operators(name));
    }
    cursor.count_operator(name);
    let arguments = argument_list(cursor, depth + 1)?;
    Ok(RawCall { name, arguments, span: cursor.span_from(start) })
}

/// `"(" operand { "," operand } ")"`
pub(super) fn parse_list(cursor: &mut Cursor) -> Result<Vec<RawOperand>, Failure> {
    argument_list(cursor, 0)
}

fn argument_list(cursor: &mut Cursor, depth: usize) -> Result<Vec<RawOperand>, Failure> {
    cursor.expect("(")?;
    let mut arguments = vec![operand_at(cursor, depth)?];
    while cursor.eat(",").is_some() {
        arguments.push(operand_at(cursor, depth)?);
    }
    cursor.expect(")")?;
    Ok(arguments)
}

/// Reads `name { "." name | "[" digits "]" }`.
pub(super) fn parse_path(cursor: &mut Cursor) -> Result<RawPath, Failure> {
    let first = name(cursor)?;
    let span = match &first {
        RawStep::Name(span) | RawStep::Placeholder(span) | RawStep::Index(span) => *span,
    };
    let mut path = RawPath { steps: vec![first], span };
    steps(cursor, &mut path)?;
    Ok(path)
}

fn steps(cursor: &mut Cursor, path: &mut RawPath) -> Result<(), Failure> {
    loop {
        if cursor.eat(".").is_some() {
            path.steps.push(name(cursor)?);
        } else if cursor.eat("[").is_some() {
            if cursor.peek().is_none_or(|token| token.kind != TokenKind::Number) {
                return Err(cursor.syntax_error());
            }
            path.steps.push(RawStep::Index(cursor.step()));
            cursor.expect("]")?;
        } else {
            return Ok(());
        }
        path.span = path.span.to(cursor.span_from(cursor.position().saturating_sub(1)));
    }
}

fn name(cursor: &mut Cursor) -> Result<RawStep, Failure> {
    match cursor.peek() {
        Some(token) if token.kind == TokenKind::NamePlaceholder => Ok(RawStep::Placeholder(cursor.step())),
        _ if cursor.is_name() => Ok(RawStep::Name(cursor.step())),
        _ => Err(cursor.syntax_error()),
    }
}
