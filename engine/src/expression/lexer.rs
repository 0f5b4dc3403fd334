//! Text into tokens with byte spans: one lexer for the parsers and for the editor.
//!
//! It never fails. What belongs to no token becomes an [`TokenKind::Unknown`] of one character, which the
//! parsers then complain about in the service's way. It knows no grammar.

use crate::diagnostic::Span;

/// What a token is, as an editor would colour it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A bare attribute name.
    Name,
    /// A bare name that the service reserves: it needs a `#placeholder`.
    Reserved,
    /// `AND`, `BETWEEN`, `SET` …
    Keyword,
    /// A name in front of `(`.
    Function,
    /// `#name`
    NamePlaceholder,
    /// `:value`
    ValuePlaceholder,
    /// `=`, `<>`, `<`, `<=`, `>`, `>=`, `+`, `-`
    Operator,
    /// `(`, `)`, `[`, `]`, `.`, `,`
    Punctuation,
    /// A list index.
    Number,
    /// One character that no expression can contain here.
    Unknown,
}

/// A token and where it stands. Space between tokens has no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub span: Span,
}

const KEYWORDS: [&str; 9] = ["AND", "OR", "NOT", "BETWEEN", "IN", "SET", "REMOVE", "ADD", "DELETE"];

/// 573 words in capitals, one a line, sorted. Developer Guide, "Reserved words in DynamoDB".
const RESERVED_WORDS: &str = include_str!("reserved_words.txt");

/// Does the service reserve this word? Case does not matter.
pub fn is_reserved(word: &str) -> bool {
    let list = RESERVED_WORDS.as_bytes();
    let (mut low, mut high) = (0, list.len());
    while low < high {
        let middle = low.midpoint(high);
        // The line that `middle` lies in; both ends of the range are starts of lines.
        let start = list[..middle].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let end = list[middle..].iter().position(|&byte| byte == b'\n').map_or(list.len(), |at| middle + at);
        match list[start..end].iter().copied().cmp(word.bytes().map(|byte| byte.to_ascii_uppercase())) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    false
}

/// Cuts any text, however half-typed, into tokens.
///
/// ```
/// use dynascope_engine::expression::{TokenKind, tokens};
/// let kinds: Vec<_> = tokens("status = :s AND size(a[0])").iter().map(|token| token.kind).collect();
/// assert_eq!(kinds[0], TokenKind::Reserved);
/// assert_eq!(kinds[3], TokenKind::Keyword);
/// assert_eq!(kinds[4], TokenKind::Function);
/// ```
pub fn tokens(source: &str) -> Vec<Token> {
    let bytes = source.as_bytes();
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            at += 1;
            continue;
        }
        let (kind, length) = token_at(source, at, byte);
        tokens.push(Token { kind, span: Span::new(at, at + length) });
        at += length;
    }
    for at in 0..tokens.len() {
        if tokens[at].kind == TokenKind::Name {
            let calls = tokens.get(at + 1).is_some_and(|next| next.span.of(source) == "(");
            tokens[at].kind = word_kind(tokens[at].span.of(source), calls);
        }
    }
    tokens
}

fn token_at(source: &str, at: usize, byte: u8) -> (TokenKind, usize) {
    let bytes = source.as_bytes();
    let run = |from: usize, belongs: fn(&u8) -> bool| bytes[from..].iter().take_while(|byte| belongs(byte)).count();
    let word = |from: usize| run(from, |byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let two = bytes.get(at..at + 2).unwrap_or_default();
    match byte {
        b'A'..=b'Z' | b'a'..=b'z' => (TokenKind::Name, word(at)),
        b'0'..=b'9' => (TokenKind::Number, run(at, u8::is_ascii_digit)),
        b'#' if word(at + 1) > 0 => (TokenKind::NamePlaceholder, 1 + word(at + 1)),
        b':' if word(at + 1) > 0 => (TokenKind::ValuePlaceholder, 1 + word(at + 1)),
        b'<' | b'>' if matches!(two, b"<>" | b"<=" | b">=") => (TokenKind::Operator, 2),
        b'<' | b'>' | b'=' | b'+' | b'-' => (TokenKind::Operator, 1),
        b'(' | b')' | b'[' | b']' | b'.' | b',' => (TokenKind::Punctuation, 1),
        _ => (TokenKind::Unknown, source[at..].chars().next().map_or(1, char::len_utf8)),
    }
}

fn word_kind(word: &str, calls: bool) -> TokenKind {
    if KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word)) {
        TokenKind::Keyword
    } else if calls {
        TokenKind::Function
    } else if is_reserved(word) {
        TokenKind::Reserved
    } else {
        TokenKind::Name
    }
}

/// The `#names` and `:values` that a text mentions, each once, in the order of their first mention.
pub fn mentioned_placeholders(source: &str) -> (Vec<String>, Vec<String>) {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for token in tokens(source) {
        let list: &mut Vec<String> = match token.kind {
            TokenKind::NamePlaceholder => &mut names,
            TokenKind::ValuePlaceholder => &mut values,
            _ => continue,
        };
        let word = token.span.of(source);
        if !list.iter().any(|known| known == word) {
            list.push(word.to_owned());
        }
    }
    (names, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<&str> {
        tokens(source).iter().map(|token| token.span.of(source)).collect()
    }

    #[test]
    fn cuts_as_the_service_does() {
        for (source, expected) in [
            ("SET _123", vec!["SET", "_", "123"]),
            ("ADD hits : incr", vec!["ADD", "hits", ":", "incr"]),
            ("book-price", vec!["book", "-", "price"]),
            ("!!!", vec!["!", "!", "!"]),
            ("a<=b<>:c>=#d", vec!["a", "<=", "b", "<>", ":c", ">=", "#d"]),
            ("#4g=:_", vec!["#4g", "=", ":_"]),
            ("ü > a", vec!["ü", ">", "a"]),
            ("", vec![]),
            ("# :", vec!["#", ":"]),
        ] {
            assert_eq!(words(source), expected, "{source}");
        }
    }

    #[test]
    fn every_listed_word_is_reserved_and_no_other() {
        let words: Vec<&str> = RESERVED_WORDS.lines().collect();
        assert_eq!(words.len(), 573);
        assert!(words.is_sorted());
        for word in words {
            assert!(is_reserved(word), "{word}");
            assert!(is_reserved(&word.to_lowercase()), "{word}");
            assert!(!is_reserved(&format!("{word}_")), "{word}");
        }
        for word in ["", "A", "pk", "REMOVE", "ZZZ", "AB", "STATUSES"] {
            assert!(!is_reserved(word), "{word}");
        }
    }

    #[test]
    fn lists_placeholders_once_each() {
        let (names, values) = mentioned_placeholders("#a = :x AND #b IN (:y, :x) AND #a.#c <");
        assert_eq!(names, ["#a", "#b", "#c"]);
        assert_eq!(values, [":x", ":y"]);
    }
}
