//! A place among the tokens of one expression: look, step, expect, and complain the way the service does.
//!
//! Also the checks that need only tokens: text size, redundant parentheses, number of operators.

use super::lexer::{Token, TokenKind, tokens};
use super::{ExpressionKind, MAX_EXPRESSION_BYTES, MAX_OPERATORS, text};
use crate::diagnostic::{Failure, Span};

/// Tokens of one expression and how far the parser has come.
pub(super) struct Cursor<'s> {
    pub kind: ExpressionKind,
    pub source: &'s str,
    tokens: Vec<Token>,
    /// For each `(` the position of its `)`.
    closers: Vec<Option<usize>>,
    at: usize,
    /// Places of operators and functions, as the service counts them.
    operators: Vec<Span>,
}

impl<'s> Cursor<'s> {
    /// Cuts the text, unless its size already refuses it.
    pub(super) fn new(kind: ExpressionKind, source: &'s str) -> Result<Self, Failure> {
        let whole = Span::new(0, source.len());
        if source.len() > MAX_EXPRESSION_BYTES {
            let size = source.len().to_string();
            return Err(kind.refuse(
                &text(&["Expression size has exceeded the maximum allowed size; expression size: ", &size]),
                whole,
            ));
        }
        let tokens = tokens(source);
        if tokens.is_empty() {
            return Err(kind.refuse("The expression can not be empty;", whole));
        }
        let closers = closers(&tokens, source);
        Ok(Self { kind, source, tokens, closers, at: 0, operators: Vec::new() })
    }

    pub(super) fn span(&self) -> Span {
        Span::new(0, self.source.len())
    }

    /// Position of the next token; for [`Cursor::span_from`].
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// From the token at `position` to the last one stepped over.
    pub(super) fn span_from(&self, position: usize) -> Span {
        let start = self.tokens.get(position).map_or(self.source.len(), |token| token.span.start);
        let end = self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(start, |token| token.span.end);
        Span::new(start, end.max(start))
    }

    pub(super) fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn word_at(&self, position: usize) -> &'s str {
        self.tokens.get(position).map_or("", |token| token.span.of(self.source))
    }

    /// The next token's text, empty at the end.
    pub(super) fn word(&self) -> &'s str {
        self.word_at(self.at)
    }

    pub(super) fn step(&mut self) -> Span {
        let span = self.peek().map_or_else(|| Span::new(self.source.len(), self.source.len()), |token| token.span);
        self.at += 1;
        span
    }

    /// Steps over `word` if it is next (keywords in any case).
    pub(super) fn eat(&mut self, word: &str) -> Option<Span> {
        self.word().eq_ignore_ascii_case(word).then(|| self.step())
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<Span, Failure> {
        self.eat(word).ok_or_else(|| self.syntax_error())
    }

    /// Is the next token a word that can be (part of) an attribute name in this language?
    pub(super) fn is_name(&self) -> bool {
        let word_like = |kind: TokenKind| {
            matches!(kind, TokenKind::Name | TokenKind::Reserved | TokenKind::Keyword | TokenKind::Function)
        };
        self.peek().is_some_and(|token| word_like(token.kind)) && !self.kind.is_keyword(self.word())
    }

    /// A name with `(` behind it?
    pub(super) fn is_call(&self) -> bool {
        self.is_name() && self.word_at(self.at + 1) == "("
    }

    /// The word behind the `)` that closes the `(` which is next, if it is closed at all.
    pub(super) fn word_after_group(&self) -> Option<&'s str> {
        let closer = (*self.closers.get(self.at)?)?;
        Some(self.word_at(closer + 1))
    }

    /// `Syntax error; token: "T", near: "N"`: T is the next token, N runs from the one before to the one after.
    pub(super) fn syntax_error(&self) -> Failure {
        let previous = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        let next = self.tokens.get(self.at + 1);
        let (token, span) = match self.tokens.get(self.at) {
            Some(token) => (token.span.of(self.source), token.span),
            None => ("<EOF>", Span::new(self.source.len(), self.source.len())),
        };
        let inner = if token == "<EOF>" { previous.map_or(span, |token| token.span) } else { span };
        let start = previous.map_or(inner.start, |token| token.span.start);
        let end = next.map_or(inner.end, |token| token.span.end);
        let near = Span::new(start, end).of(self.source);
        self.kind.refuse(&text(&["Syntax error; token: \"", token, "\", near: \"", near, "\""]), span)
    }

    /// Notes an operator or function for the limit.
    pub(super) fn count_operator(&mut self, span: Span) {
        self.operators.push(span);
    }

    /// Checks on the whole text once it is known to follow the grammar.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        if let Some(span) = self.redundant_parentheses() {
            return Err(self.kind.refuse("The expression has redundant parentheses;", span));
        }
        match self.operators.get(MAX_OPERATORS) {
            Some(span) => Err(self.too_many_operators(*span)),
            None => Ok(()),
        }
    }

    /// The service stops counting at the first one too many.
    pub(super) fn too_many_operators(&self, span: Span) -> Failure {
        self.kind.refuse("The expression contains too many operators; operator count: 301", span)
    }

    /// `((…))`, where the outer pair is neither a function's nor IN's own.
    fn redundant_parentheses(&self) -> Option<Span> {
        (0..self.tokens.len()).find_map(|outer| {
            let outer_end = (*self.closers.get(outer)?)?;
            let inner_end = (*self.closers.get(outer + 1)?)?;
            let owned = outer.checked_sub(1).is_some_and(|before| {
                self.tokens[before].kind == TokenKind::Function || self.word_at(before).eq_ignore_ascii_case("IN")
            });
            (inner_end + 1 == outer_end && !owned).then(|| self.tokens[outer].span.to(self.tokens[outer_end].span))
        })
    }
}

fn closers(tokens: &[Token], source: &str) -> Vec<Option<usize>> {
    let mut closers = vec![None; tokens.len()];
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.span.of(source) {
            "(" => open.push(at),
            ")" => {
                if let Some(opener) = open.pop() {
                    closers[opener] = Some(at);
                }
            }
            _ => {}
        }
    }
    closers
}
