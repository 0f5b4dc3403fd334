//! A paragraph with `code`, **strong**, *emphasis* and [links](…), and nothing else of Markdown.

use crate::text::place;

/// A stretch of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// As it is.
    Text(String),
    /// Between backticks.
    Code(String),
    /// Between double asterisks.
    Strong(String),
    /// Between single asterisks.
    Emphasis(String),
    /// Text and address.
    Link(String, String),
}

/// Takes a paragraph apart. Marks that are never closed stand for themselves.
pub fn inline(source: &str) -> Vec<Inline> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if let Some((part, length)) = marked(rest) {
            if !plain.is_empty() {
                parts.push(Inline::Text(std::mem::take(&mut plain)));
            }
            parts.push(part);
            rest = &rest[length..];
        } else {
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    if !plain.is_empty() {
        parts.push(Inline::Text(plain));
    }
    parts
}

fn marked(source: &str) -> Option<(Inline, usize)> {
    let between = |mark: &str| {
        let inner = source.strip_prefix(mark)?;
        let end = place(inner, mark).filter(|end| *end > 0)?;
        Some((inner[..end].to_owned(), end + 2 * mark.len()))
    };
    if let Some((text, length)) = between("`") {
        return Some((Inline::Code(text), length));
    }
    if let Some((text, length)) = between("**") {
        return Some((Inline::Strong(text), length));
    }
    if !source.starts_with("**")
        && let Some((text, length)) = between("*")
    {
        return Some((Inline::Emphasis(text), length));
    }
    let inner = source.strip_prefix('[')?;
    let middle = place(inner, "](")?;
    let (text, after) = (&inner[..middle], &inner[middle + 2..]);
    let address = &after[..after.find(')')?];
    // Lessons may come from elsewhere: only plain web addresses and places on this page become links.
    let harmless = ["https://", "http://", "./", "#", "?"].iter().any(|start| address.starts_with(start));
    harmless.then(|| (Inline::Link(text.to_owned(), address.to_owned()), text.len() + address.len() + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_their_absence() {
        assert_eq!(
            inline("a `b` **c** *d* [e](./f)"),
            [
                Inline::Text("a ".into()),
                Inline::Code("b".into()),
                Inline::Text(" ".into()),
                Inline::Strong("c".into()),
                Inline::Text(" ".into()),
                Inline::Emphasis("d".into()),
                Inline::Text(" ".into()),
                Inline::Link("e".into(), "./f".into()),
            ]
        );
        assert_eq!(inline("2 * 3 é `x"), [Inline::Text("2 * 3 é `x".into())]);
        assert_eq!(inline("[x](javascript:alert(1))").len(), 1, "not a link");
    }
}
