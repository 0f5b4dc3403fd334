//! Complaints as data: what DynamoDB calls the error, its exact text, and where in the source it lies.
//!
//! A [`Failure`] is a value like any other outcome. `message` is the service's own wording and goes on the
//! wire unchanged; `labels` carry byte spans for an editor; `help` is ours and never goes on the wire.
//! This room knows nothing of values, tables or requests.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A half-open range of **bytes** in a source text (an expression, a JSON document).
///
/// Edges that count differently (UTF-16 in a browser) convert once, at the edge: see [`Span::utf16`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` (inclusive) to `end` (exclusive).
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The spanned text, or the empty string if the span lies outside `source`.
    pub fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }

    /// The same range in UTF-16 code units of `source`, for browsers.
    pub fn utf16(self, source: &str) -> (usize, usize) {
        let units = |end: usize| source.get(..end.min(source.len())).map_or(0, |text| text.encode_utf16().count());
        (units(self.start), units(self.end))
    }

    /// One-based line and column (in characters) of the span's start.
    pub fn line_column(self, source: &str) -> (usize, usize) {
        let before = source.get(..self.start.min(source.len())).unwrap_or(source);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
        (line, column)
    }
}

/// The errors of the DynamoDB API that this engine can answer with.
///
/// Names, wire prefixes and statuses: API reference, "Common Errors" and each operation's "Errors".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ErrorKind {
    /// `ValidationException`
    Validation,
    /// `SerializationException`: JSON of the wrong shape.
    Serialization,
    /// `UnknownOperationException`
    UnknownOperation,
    /// `AccessDeniedException`: of another account.
    AccessDenied,
    /// `ResourceNotFoundException`
    ResourceNotFound,
    /// `ResourceInUseException`
    ResourceInUse,
    /// `LimitExceededException`
    LimitExceeded,
    /// `ConditionalCheckFailedException`
    ConditionalCheckFailed,
    /// `ItemCollectionSizeLimitExceededException`
    ItemCollectionSizeLimitExceeded,
    /// `TransactionCanceledException`
    TransactionCanceled,
    /// `TransactionConflictException`
    TransactionConflict,
    /// `IdempotentParameterMismatchException`
    IdempotentParameterMismatch,
    /// `ProvisionedThroughputExceededException`
    ProvisionedThroughputExceeded,
    /// `ThrottlingException`
    Throttling,
    /// `RequestLimitExceeded`
    RequestLimitExceeded,
    /// `InternalServerError`
    InternalServer,
}

impl ErrorKind {
    /// The exception's name as SDKs print it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Validation => "ValidationException",
            Self::Serialization => "SerializationException",
            Self::UnknownOperation => "UnknownOperationException",
            Self::AccessDenied => "AccessDeniedException",
            Self::ResourceNotFound => "ResourceNotFoundException",
            Self::ResourceInUse => "ResourceInUseException",
            Self::LimitExceeded => "LimitExceededException",
            Self::ConditionalCheckFailed => "ConditionalCheckFailedException",
            Self::ItemCollectionSizeLimitExceeded => "ItemCollectionSizeLimitExceededException",
            Self::TransactionCanceled => "TransactionCanceledException",
            Self::TransactionConflict => "TransactionConflictException",
            Self::IdempotentParameterMismatch => "IdempotentParameterMismatchException",
            Self::ProvisionedThroughputExceeded => "ProvisionedThroughputExceededException",
            Self::Throttling => "ThrottlingException",
            Self::RequestLimitExceeded => "RequestLimitExceeded",
            Self::InternalServer => "InternalServerError",
        }
    }

    /// The part of `__type` before the `#`.
    pub const fn wire_prefix(self) -> &'static str {
        match self {
            Self::Validation => "com.amazon.coral.validate",
            Self::Serialization | Self::UnknownOperation | Self::AccessDenied => "com.amazon.coral.service",
            Self::Throttling => "com.amazon.coral.availability",
            Self::ResourceNotFound
            | Self::ResourceInUse
            | Self::LimitExceeded
            | Self::ConditionalCheckFailed
            | Self::ItemCollectionSizeLimitExceeded
            | Self::TransactionCanceled
            | Self::TransactionConflict
            | Self::IdempotentParameterMismatch
            | Self::ProvisionedThroughputExceeded
            | Self::RequestLimitExceeded
            | Self::InternalServer => "com.amazonaws.dynamodb.v20120810",
        }
    }

    /// HTTP status: 400 for every client error, throttles included; 500 for the service's own.
    pub const fn status(self) -> u16 {
        match self {
            Self::InternalServer => 500,
            _ => 400,
        }
    }

    /// The member that carries the text: `Message` on a few exceptions, `message` on the rest.
    pub const fn message_member(self) -> &'static str {
        match self {
            Self::TransactionCanceled
            | Self::IdempotentParameterMismatch
            | Self::Serialization
            | Self::AccessDenied => "Message",
            _ => "message",
        }
    }

    /// Is this one of the exceptions that mean "slow down"?
    pub const fn is_throttle(self) -> bool {
        matches!(self, Self::ProvisionedThroughputExceeded | Self::Throttling | Self::RequestLimitExceeded)
    }
}

/// One marked place: which source, which bytes, and a short word about them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The request member whose text is meant, such as `FilterExpression`.
    pub source: String,
    /// Bytes in that text.
    pub span: Span,
}

/// A repair that an editor can offer as one button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fix {
    /// Write `#alias` in the place of a reserved word and add it to ExpressionAttributeNames.
    AliasName {
        /// The attribute name that needs an alias.
        name: String,
    },
    /// A `:value` is used but has no value yet.
    DefineValue {
        /// With its colon.
        placeholder: String,
    },
    /// A `#name` is used but stands for nothing yet.
    DefineName {
        /// With its hash sign.
        placeholder: String,
    },
    /// A placeholder is defined but no expression uses it.
    RemovePlaceholder {
        /// With its sigil.
        placeholder: String,
    },
}

/// A request refused, in the service's own words.
///
/// One pointer wide: nearly every function here may answer with one, and moves it along.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Failure(Box<FailureParts>);

/// What a [`Failure`] says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureParts {
    /// Which exception.
    pub kind: ErrorKind,
    /// The service's text, exactly.
    pub message: String,
    /// Where in the request's texts the cause lies; empty when the cause has no place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// One repair, when there is an obvious one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// Further wire members of this exception (`Item`, `ThrottlingReasons`, `CancellationReasons`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub members: BTreeMap<String, serde_json::Value>,
}

impl std::ops::Deref for Failure {
    type Target = FailureParts;

    fn deref(&self) -> &FailureParts {
        &self.0
    }
}

impl Failure {
    /// A failure of `kind` with the service's text.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::with_text(kind, message.into())
    }

    fn with_text(kind: ErrorKind, message: String) -> Self {
        Self(Box::new(FailureParts { kind, message, labels: Vec::new(), fix: None, members: BTreeMap::new() }))
    }

    /// A `ValidationException` with the service's text.
    pub fn validation(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Validation, message)
    }

    /// Marks a place in the text of `source` (a request member's name).
    #[must_use]
    pub fn at(mut self, source: impl Into<String>, span: Span) -> Self {
        self.0.labels.push(Label { source: source.into(), span });
        self
    }

    /// Attaches a repair.
    #[must_use]
    pub fn fixable(mut self, fix: Fix) -> Self {
        self.0.fix = Some(fix);
        self
    }

    /// Attaches a further wire member.
    #[must_use]
    pub fn with(mut self, member: &str, value: serde_json::Value) -> Self {
        self.0.members.insert(member.to_owned(), value);
        self
    }

    /// `Name: text`, as an SDK's stack trace would print it.
    pub fn headline(&self) -> String {
        format!("{}: {}", self.kind.name(), self.message)
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.kind.name(), self.message)
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_convert_to_the_browsers_units() {
        let source = "é = 😀x";
        let span = Span::new(source.find('x').unwrap(), source.len());
        assert_eq!(span.utf16(source), (6, 7));
        assert_eq!(Span::new(0, 1).of(source), "", "half a character is no text");
        assert_eq!(Span::new(7, 8).line_column("ab\ncd\nef"), (3, 2));
    }

    #[test]
    fn every_throttle_is_a_400() {
        assert_eq!(ErrorKind::Throttling.status(), 400);
        assert_eq!(ErrorKind::InternalServer.status(), 500);
    }
}
