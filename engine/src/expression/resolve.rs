//! From words to what they stand for: placeholders, paths, functions; and the checks on single words.
//!
//! [`Checker`] is the tool that the checks of conditions, projections and updates share. Messages: API
//! reference and recorded answers of the service.

use super::cursor::Cursor;
use super::lexer::is_reserved;
use super::operand::{RawCall, RawOperand, RawPath, RawStep};
use super::path::{Collision, Path, Step};
use super::placeholders::Placeholders;
use super::{ExpressionKind, MAX_PATH_ELEMENTS, text};
use crate::diagnostic::{Failure, Fix, Span};
use crate::value::{AttributeValue, ValueType};
use std::sync::Arc;

/// All functions of all expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    AttributeExists,
    AttributeNotExists,
    AttributeType,
    BeginsWith,
    Contains,
    Size,
    IfNotExists,
    ListAppend,
}

impl Function {
    const ALL: [Self; 8] = [
        Self::AttributeExists,
        Self::AttributeNotExists,
        Self::AttributeType,
        Self::BeginsWith,
        Self::Contains,
        Self::Size,
        Self::IfNotExists,
        Self::ListAppend,
    ];

    /// Names are matched with regard to case.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::AttributeExists => "attribute_exists",
            Self::AttributeNotExists => "attribute_not_exists",
            Self::AttributeType => "attribute_type",
            Self::BeginsWith => "begins_with",
            Self::Contains => "contains",
            Self::Size => "size",
            Self::IfNotExists => "if_not_exists",
            Self::ListAppend => "list_append",
        }
    }

    pub(super) const fn operands(self) -> usize {
        match self {
            Self::AttributeExists | Self::AttributeNotExists | Self::Size => 1,
            Self::AttributeType | Self::BeginsWith | Self::Contains | Self::IfNotExists | Self::ListAppend => 2,
        }
    }

    const fn is_for_updates(self) -> bool {
        matches!(self, Self::IfNotExists | Self::ListAppend)
    }
}

/// An operand whose placeholders are resolved.
#[derive(Clone, Debug)]
pub(super) enum Resolved {
    Path(Path),
    Constant(Arc<AttributeValue>, Span),
    Call { function: Function, arguments: Vec<Resolved>, span: Span },
}

impl Resolved {
    /// The type it is known to have whatever the item.
    pub(super) fn known_type(&self) -> Option<ValueType> {
        match self {
            Self::Path(_) => None,
            Self::Constant(value, _) => Some(value.value_type()),
            Self::Call { function: Function::Size, .. } => Some(ValueType::N),
            Self::Call { .. } => None,
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Self::Path(path) => path.span,
            Self::Constant(_, span) | Self::Call { span, .. } => *span,
        }
    }
}

/// Reading one expression: its text and the request's placeholders.
pub(super) struct Checker<'a, 's> {
    pub cursor: &'a Cursor<'s>,
    pub placeholders: &'a mut Placeholders,
}

impl Checker<'_, '_> {
    pub(super) fn refuse(&self, pieces: &[&str], span: Span) -> Failure {
        self.cursor.kind.refuse(&text(pieces), span)
    }

    pub(super) fn word(&self, span: Span) -> &str {
        span.of(self.cursor.source)
    }

    /// Refuses calls of functions that do not exist, or not in this kind of expression.
    pub(super) fn check_function_known(&self, operand: &RawOperand) -> Result<(), Failure> {
        match operand {
            RawOperand::Call(call) => self.check_name_known(call),
            RawOperand::Path(_) | RawOperand::Value(_) => Ok(()),
        }
    }

    pub(super) fn check_name_known(&self, call: &RawCall) -> Result<(), Failure> {
        let name = self.word(call.name);
        let Some(function) = Function::from_name(name) else {
            return Err(self.refuse(&["Invalid function name; function: ", name], call.name));
        };
        let in_update = self.cursor.kind == ExpressionKind::Update;
        if function.is_for_updates() == in_update {
            return Ok(());
        }
        let place = if in_update { "an update" } else { "a condition" };
        Err(self.refuse(&["The function is not allowed in ", place, " expression; function: ", name], call.name))
    }

    /// Refuses reserved words and list indexes that no list can have.
    pub(super) fn check_words(&self, operand: &RawOperand) -> Result<(), Failure> {
        match operand {
            RawOperand::Path(path) => self.check_path_words(path),
            RawOperand::Value(_) | RawOperand::Call(_) => Ok(()),
        }
    }

    pub(super) fn check_path_words(&self, path: &RawPath) -> Result<(), Failure> {
        for step in &path.steps {
            match step {
                RawStep::Name(span) if is_reserved(self.word(*span)) => {
                    let name = self.word(*span);
                    let text = "Attribute name is a reserved keyword; reserved keyword: ";
                    return Err(self.refuse(&[text, name], *span).fixable(Fix::AliasName { name: name.to_owned() }));
                }
                RawStep::Index(span) if self.word(*span).parse::<i32>().is_err() => {
                    let text = "List index is not within the allowable range; index: [";
                    return Err(self.refuse(&[text, self.word(*span), "]"], *span));
                }
                RawStep::Name(_) | RawStep::Index(_) | RawStep::Placeholder(_) => {}
            }
        }
        Ok(())
    }

    pub(super) fn path(&mut self, raw: &RawPath) -> Result<Path, Failure> {
        if raw.steps.len() > MAX_PATH_ELEMENTS {
            let levels = raw.steps.len().to_string();
            return Err(
                self.refuse(&["The document path has too many nesting levels; nesting levels: ", &levels], raw.span)
            );
        }
        let mut steps = Vec::with_capacity(raw.steps.len());
        for step in &raw.steps {
            steps.push(match step {
                RawStep::Name(span) => Step::Name(self.word(*span).into()),
                RawStep::Placeholder(span) => {
                    let word = span.of(self.cursor.source);
                    Step::Name(self.placeholders.name(self.cursor.kind, word, *span)?)
                }
                RawStep::Index(span) => Step::Index(self.word(*span).parse().unwrap_or(usize::MAX)),
            });
        }
        let rest = steps.split_off(1.min(steps.len()));
        match steps.pop() {
            Some(Step::Name(top)) => Ok(Path { top, rest, span: raw.span }),
            Some(Step::Index(_)) | None => Err(self.cursor.syntax_error()),
        }
    }

    pub(super) fn constant(&mut self, span: Span) -> Result<Arc<AttributeValue>, Failure> {
        self.placeholders.value(self.cursor.kind, span.of(self.cursor.source), span)
    }

    pub(super) fn resolve(&mut self, operand: &RawOperand) -> Result<Resolved, Failure> {
        Ok(match operand {
            RawOperand::Path(path) => Resolved::Path(self.path(path)?),
            RawOperand::Value(span) => Resolved::Constant(self.constant(*span)?, *span),
            RawOperand::Call(call) => self.resolve_call(call)?,
        })
    }

    fn resolve_call(&mut self, call: &RawCall) -> Result<Resolved, Failure> {
        let arguments = self.resolve_all(&call.arguments)?;
        match Function::from_name(self.word(call.name)) {
            Some(function) => Ok(Resolved::Call { function, arguments, span: call.span }),
            None => Err(self.refuse(&["Invalid function name; function: ", self.word(call.name)], call.name)),
        }
    }

    pub(super) fn resolve_all(&mut self, operands: &[RawOperand]) -> Result<Vec<Resolved>, Failure> {
        operands.iter().map(|operand| self.resolve(operand)).collect()
    }

    /// Refuses targets that overlap, then targets that conflict.
    pub(super) fn check_collisions<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Result<(), Failure> {
        let paths: Vec<&Path> = paths.collect();
        let mut conflict = None;
        for (at, second) in paths.iter().enumerate() {
            for first in &paths[..at] {
                match first.collision(second) {
                    Some(Collision::Overlap) => return Err(self.colliding("overlap", first, second)),
                    Some(Collision::Conflict) => conflict = conflict.or(Some((first, second))),
                    None => {}
                }
            }
        }
        conflict.map_or(Ok(()), |(first, second)| Err(self.colliding("conflict", first, second)))
    }

    fn colliding(&self, how: &str, first: &Path, second: &Path) -> Failure {
        let text = " with each other; must remove or rewrite one of these paths; path one: ";
        let pieces = ["Two document paths ", how, text, &first.listed(), ", path two: ", &second.listed()];
        self.refuse(&pieces, second.span).at(self.cursor.kind.member(), first.span)
    }
}
