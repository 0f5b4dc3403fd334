//! A text cut where its look changes.

use super::Language;
use dynascope_engine::diagnostic::Span;
use dynascope_engine::expression::{TokenKind, tokens};

/// A stretch of one look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its class: a token's, or none.
    pub class: &'static str,
    /// Is something wrong with it?
    pub marked: bool,
}

fn class_of(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Name | TokenKind::Reserved | TokenKind::Number | TokenKind::Unknown => "",
        TokenKind::Keyword | TokenKind::Function => "code-word",
        TokenKind::NamePlaceholder | TokenKind::ValuePlaceholder => "code-holder",
        TokenKind::Operator | TokenKind::Punctuation => "code-sign",
    }
}

/// Cuts a text into stretches of one look. Together they are the text.
pub fn segments<'a>(source: &'a str, language: Language, marked: &[Span]) -> Vec<Segment<'a>> {
    let tokens = if language == Language::Expression { tokens(source) } else { Vec::new() };
    let mut cuts = vec![0];
    for token in &tokens {
        cut(&mut cuts, source, token.span);
    }
    for span in marked {
        cut(&mut cuts, source, *span);
    }
    cut(&mut cuts, source, Span::new(source.len(), source.len()));
    let mut token = 0;
    let mut pieces = Vec::new();
    for pair in cuts.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        while tokens.get(token).is_some_and(|token| token.span.end <= start) {
            token += 1;
        }
        let here = tokens.get(token).filter(|token| token.span.start <= start);
        pieces.push(Segment {
            text: source.get(start..end).unwrap_or_default(),
            class: here.map_or("", |token| class_of(token.kind)),
            marked: marked.iter().any(|span| span.start <= start && end <= span.end.max(span.start + 1)),
        });
    }
    pieces
}

/// Cuts where a span begins and ends.
fn cut(cuts: &mut Vec<usize>, source: &str, span: Span) {
    for place in [span.start, span.end] {
        let place = place.min(source.len());
        // Nearly every cut is the last so far.
        if let (true, Err(at)) = (source.is_char_boundary(place), cuts.binary_search(&place)) {
            cuts.insert(at, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_are_the_text() {
        let source = "é = :x AND status";
        let pieces = segments(source, Language::Expression, &[Span::new(12, 18)]);
        let text: String = pieces.iter().map(|piece| piece.text).collect();
        assert_eq!(text, source);
        let marked: Vec<_> = pieces.iter().filter(|piece| piece.marked).map(|piece| piece.text).collect();
        assert_eq!(marked, ["status"]);
        assert!(pieces.iter().any(|piece| piece.text == ":x" && piece.class == "code-holder"));
    }

    #[test]
    fn json_is_only_marked() {
        let pieces = segments("{\"a\" 1}", Language::Json, &[Span::new(5, 6)]);
        assert_eq!(pieces.len(), 3);
        assert!(pieces[1].marked && pieces[1].text == "1");
        assert_eq!(segments("", Language::Json, &[]), []);
    }
}
