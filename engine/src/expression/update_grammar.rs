//! The update grammar and its static checks. Rules: Developer Guide, "Using update expressions in DynamoDB".
//!
//! Order of complaints, as recorded: reserved word → unknown function → doubled section → undefined name →
//! undefined value → overlap → conflict → type for ADD and DELETE → operands of functions.

use super::ExpressionKind;
use super::cursor::Cursor;
use super::lexer::TokenKind;
use super::operand::{RawOperand, RawPath, RawStep, parse_operand, parse_path};
use super::path::Path;
use super::placeholders::Placeholders;
use super::resolve::{Checker, Function, Resolved};
use super::update::{Action, Change, Term, Update};
use crate::diagnostic::{Failure, Span};
use crate::value::{AttributeValue, ValueType};
use std::sync::Arc;

#[derive(Debug)]
enum RawValue {
    One(RawOperand),
    Sum { left: RawOperand, minus: bool, right: RawOperand, span: Span },
}

#[derive(Debug)]
enum RawChange {
    Set(RawValue),
    Remove,
    Add(Span),
    Delete(Span),
}

#[derive(Debug)]
struct RawAction {
    path: RawPath,
    change: RawChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Set,
    Remove,
    Add,
    Delete,
}

const SECTIONS: [(&str, Section); 4] =
    [("SET", Section::Set), ("REMOVE", Section::Remove), ("ADD", Section::Add), ("DELETE", Section::Delete)];

/// Reads an update and runs all static checks.
pub(super) fn read(source: &str, placeholders: &mut Placeholders) -> Result<Update, Failure> {
    let mut cursor = Cursor::new(ExpressionKind::Update, source)?;
    let (sections, actions) = parse(&mut cursor)?;
    cursor.finish()?;
    let mut checker = Checker { cursor: &cursor, placeholders };
    for action in &actions {
        checker.check_path_words(&action.path)?;
        visit_values(action, &mut |operand| checker.check_words(operand))?;
    }
    for action in &actions {
        visit_values(action, &mut |operand| checker.check_function_known(operand))?;
    }
    check_sections(&checker, &sections)?;
    check_names(&mut checker, &actions)?;
    let resolved: Vec<(Path, ResolvedChange)> =
        actions.iter().map(|action| resolve(&mut checker, action)).collect::<Result<_, _>>()?;
    checker.check_collisions(resolved.iter().map(|(path, _)| path))?;
    resolved.iter().try_for_each(|(_, change)| check_set_operand(&checker, change))?;
    resolved.into_iter().map(|(path, change)| lower(&checker, path, change)).collect::<Result<_, _>>().map(Update::new)
}

/// Sections, by their number in [`SECTIONS`], and where each begins.
type SectionStarts = Vec<(usize, Span)>;

fn parse(cursor: &mut Cursor) -> Result<(SectionStarts, Vec<RawAction>), Failure> {
    let (mut sections, mut actions) = (Vec::new(), Vec::new());
    while !cursor.at_end() {
        let word = cursor.word();
        let found = SECTIONS.iter().position(|(name, _)| name.eq_ignore_ascii_case(word));
        let Some((index, (_, section))) = found.and_then(|at| Some((at, SECTIONS.get(at)?))) else {
            return Err(cursor.syntax_error());
        };
        sections.push((index, cursor.step()));
        loop {
            actions.push(parse_action(cursor, *section)?);
            if cursor.eat(",").is_none() {
                break;
            }
        }
    }
    Ok((sections, actions))
}

fn parse_action(cursor: &mut Cursor, section: Section) -> Result<RawAction, Failure> {
    let path = parse_path(cursor)?;
    let change = match section {
        Section::Set => {
            cursor.expect("=")?;
            RawChange::Set(parse_value(cursor)?)
        }
        Section::Remove => RawChange::Remove,
        Section::Add => RawChange::Add(parse_placeholder(cursor)?),
        Section::Delete => RawChange::Delete(parse_placeholder(cursor)?),
    };
    Ok(RawAction { path, change })
}

fn parse_placeholder(cursor: &mut Cursor) -> Result<Span, Failure> {
    match cursor.peek() {
        Some(token) if token.kind == TokenKind::ValuePlaceholder => Ok(cursor.step()),
        _ => Err(cursor.syntax_error()),
    }
}

/// `operand [("+" | "-") operand]`, in parentheses or not. A sum has two terms, never more.
fn parse_value(cursor: &mut Cursor) -> Result<RawValue, Failure> {
    let mut open = 0;
    while cursor.word() == "(" && !matches!(cursor.word_after_group(), Some("+" | "-")) {
        cursor.step();
        open += 1;
    }
    let start = cursor.position();
    let left = parse_operand(cursor)?;
    let value = match cursor.word() {
        sign @ ("+" | "-") => {
            let operator = cursor.step();
            cursor.count_operator(operator);
            let right = parse_operand(cursor)?;
            RawValue::Sum { left, minus: sign == "-", right, span: cursor.span_from(start) }
        }
        _ => RawValue::One(left),
    };
    for _ in 0..open {
        cursor.expect(")")?;
    }
    Ok(value)
}

fn visit_values<'a>(
    action: &'a RawAction,
    visitor: &mut dyn FnMut(&'a RawOperand) -> Result<(), Failure>,
) -> Result<(), Failure> {
    match &action.change {
        RawChange::Set(RawValue::One(operand)) => operand.visit(visitor),
        RawChange::Set(RawValue::Sum { left, right, .. }) => {
            left.visit(visitor)?;
            right.visit(visitor)
        }
        RawChange::Remove | RawChange::Add(_) | RawChange::Delete(_) => Ok(()),
    }
}

fn check_sections(checker: &Checker, sections: &[(usize, Span)]) -> Result<(), Failure> {
    for (at, (index, span)) in sections.iter().enumerate() {
        if sections[..at].iter().any(|(earlier, _)| earlier == index) {
            let (name, _) = SECTIONS[*index];
            return Err(
                checker.refuse(&["The \"", name, "\" section can only be used once in an update expression;"], *span)
            );
        }
    }
    Ok(())
}

/// All undefined names are reported before any undefined value.
fn check_names(checker: &mut Checker, actions: &[RawAction]) -> Result<(), Failure> {
    let mut check = |path: &RawPath| {
        path.steps.iter().try_for_each(|step| match step {
            RawStep::Placeholder(span) => {
                let word = span.of(checker.cursor.source);
                checker.placeholders.name(ExpressionKind::Update, word, *span).map(|_| ())
            }
            RawStep::Name(_) | RawStep::Index(_) => Ok(()),
        })
    };
    for action in actions {
        check(&action.path)?;
        visit_values(action, &mut |operand| match operand {
            RawOperand::Path(path) => check(path),
            RawOperand::Value(_) | RawOperand::Call(_) => Ok(()),
        })?;
    }
    Ok(())
}

enum ResolvedChange {
    Set(Resolved),
    Sum { left: Resolved, minus: bool, right: Resolved, span: Span },
    Remove,
    Add(Arc<AttributeValue>, Span),
    Delete(Arc<AttributeValue>, Span),
}

fn resolve(checker: &mut Checker, action: &RawAction) -> Result<(Path, ResolvedChange), Failure> {
    let path = checker.path(&action.path)?;
    let change = match &action.change {
        RawChange::Set(RawValue::One(operand)) => ResolvedChange::Set(checker.resolve(operand)?),
        RawChange::Set(RawValue::Sum { left, minus, right, span }) => {
            let (left, right) = (checker.resolve(left)?, checker.resolve(right)?);
            ResolvedChange::Sum { left, minus: *minus, right, span: *span }
        }
        RawChange::Remove => ResolvedChange::Remove,
        RawChange::Add(span) => ResolvedChange::Add(checker.constant(*span)?, *span),
        RawChange::Delete(span) => ResolvedChange::Delete(checker.constant(*span)?, *span),
    };
    Ok((path, change))
}

/// ADD takes a number or a set, DELETE a set. (The type is spelt out here, and only here.)
fn check_set_operand(checker: &Checker, change: &ResolvedChange) -> Result<(), Failure> {
    let (name, value, span) = match change {
        ResolvedChange::Add(value, span) => ("ADD", value, span),
        ResolvedChange::Delete(value, span) => ("DELETE", value, span),
        ResolvedChange::Set(_) | ResolvedChange::Sum { .. } | ResolvedChange::Remove => return Ok(()),
    };
    let ty = value.value_type();
    let fits = matches!(ty, ValueType::Ss | ValueType::Ns | ValueType::Bs) || (name == "ADD" && ty == ValueType::N);
    if fits {
        return Ok(());
    }
    let text = "Incorrect operand type for operator or function; operator: ";
    let pieces = [text, name, ", operand type: ", ty.long_name(), ", typeSet: ALLOWED_FOR_", name, "_OPERAND"];
    Err(checker.refuse(&pieces, *span))
}

fn lower(checker: &Checker, path: Path, change: ResolvedChange) -> Result<Action, Failure> {
    let change = match change {
        ResolvedChange::Set(value) => Change::Set(checked_term(checker, value)?),
        ResolvedChange::Sum { left, minus, right, span } => {
            let sign = if minus { "-" } else { "+" };
            let is_number: fn(ValueType) -> bool = |ty| ty == ValueType::N;
            // What is inside the operands is looked at before the operands themselves.
            let (left_term, right_term) = (checked_term(checker, left.clone())?, checked_term(checker, right.clone())?);
            checker.check_type(sign, &left, is_number)?;
            checker.check_type(sign, &right, is_number)?;
            Change::Set(Term::Sum { left: Box::new(left_term), minus, right: Box::new(right_term), span })
        }
        ResolvedChange::Remove => Change::Remove,
        ResolvedChange::Add(value, _) => Change::Add(value),
        ResolvedChange::Delete(value, _) => Change::Delete(value),
    };
    Ok(Action { path, change })
}

fn checked_term(checker: &Checker, resolved: Resolved) -> Result<Term, Failure> {
    checker.check_counts(&resolved)?;
    checker.check_types(&resolved)?;
    term(checker, resolved)
}

fn term(checker: &Checker, resolved: Resolved) -> Result<Term, Failure> {
    let (function, arguments, span) = match resolved {
        Resolved::Path(path) => return Ok(Term::Path(path)),
        Resolved::Constant(value, _) => return Ok(Term::Constant(value)),
        Resolved::Call { function, arguments, span } => (function, arguments, span),
    };
    let mut arguments = arguments.into_iter();
    match (function, arguments.next(), arguments.next()) {
        (Function::IfNotExists, Some(Resolved::Path(path)), Some(other)) => {
            Ok(Term::IfNotExists { path, otherwise: Box::new(term(checker, other)?) })
        }
        (Function::ListAppend, Some(first), Some(second)) => Ok(Term::ListAppend {
            first: Box::new(term(checker, first)?),
            second: Box::new(term(checker, second)?),
            span,
        }),
        _ => {
            let text = "The function is not allowed in an update expression; function: ";
            Err(checker.refuse(&[text, function.name()], span))
        }
    }
}
