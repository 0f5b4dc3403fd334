//! Key templates: text with braces that say how the key varies from request to request.
//!
//! `{a..b}` cycles through the numbers a to b, `{random a..b}` draws one, `{seq}` counts from 0 in twelve
//! digits. Everything else stands for itself.
//!
//! ```
//! use dynascope_engine::sim::Template;
//!
//! let template = Template::parse("PENDING#{0..9}").unwrap();
//! assert_eq!(template.expand(7, 0, 12), "PENDING#2");
//! ```

use super::prng::mix;
use crate::diagnostic::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Cycle(u64, u64),
    Random(u64, u64),
    Sequence,
}

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// Why a text is no template, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateFault {
    /// Bytes of the text.
    pub span: Span,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// An open brace, or braces with something else in them than the three forms.
    pub fn parse(source: &str) -> Result<Self, TemplateFault> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(open) = rest.find('{') else {
                parts.push(Part::Text(rest.to_owned()));
                break;
            };
            if open > 0 {
                parts.push(Part::Text(rest[..open].to_owned()));
            }
            let Some(close) = rest[open..].find('}') else {
                return Err(TemplateFault {
                    span: Span::new(at + open, source.len()),
                    message: "this brace is never closed; write `}` after it".into(),
                });
            };
            let inner = &rest[open + 1..open + close];
            let part = Self::part(inner).ok_or_else(|| TemplateFault {
                span: Span::new(at + open, at + open + close + 1),
                message: format!("`{{{inner}}}` is not known; try `{{0..9}}`, `{{random 0..99}}` or `{{seq}}`"),
            })?;
            parts.push(part);
            at += open + close + 1;
        }
        Ok(Self { parts })
    }

    fn part(inner: &str) -> Option<Part> {
        let inner = inner.trim();
        if inner == "seq" {
            return Some(Part::Sequence);
        }
        let (random, range) = match inner.strip_prefix("random ") {
            Some(range) => (true, range),
            None => (false, inner),
        };
        let (low, high) = range.split_once("..")?;
        let (low, high) = (low.trim().parse::<u64>().ok()?, high.trim().parse::<u64>().ok()?);
        (low <= high).then_some(if random { Part::Random(low, high) } else { Part::Cycle(low, high) })
    }

    /// The key of request `k`.
    pub fn expand(&self, seed: u64, stream: u64, k: u64) -> String {
        let mut text = String::new();
        self.expand_into(&mut text, seed, stream, k);
        text
    }

    /// The key of request `k`, written into `text`.
    pub fn expand_into(&self, text: &mut String, seed: u64, stream: u64, k: u64) {
        text.clear();
        for part in &self.parts {
            match part {
                Part::Text(fixed) => text.push_str(fixed),
                Part::Cycle(low, high) => {
                    let width = (high - low).checked_add(1);
                    push_number(text, low + width.map_or(k, |width| k % width), 0);
                }
                Part::Random(low, high) => {
                    // The high half of a 128-bit product is even enough and needs no division.
                    let width = u128::from(high - low) + 1;
                    let drawn = (u128::from(mix(seed, stream, k)) * width) >> 64;
                    push_number(text, low + drawn as u64, 0);
                }
                Part::Sequence => push_number(text, k, 12),
            }
        }
    }

    /// After how many requests the keys repeat; `None` if they do not, or only after very many.
    pub fn period(&self) -> Option<u64> {
        let mut period: u64 = 1;
        for part in &self.parts {
            match part {
                Part::Text(_) => {}
                Part::Cycle(low, high) => {
                    let width = (high - low).checked_add(1)?;
                    period = period.checked_mul(width / gcd(period, width))?;
                }
                Part::Random(..) | Part::Sequence => return None,
            }
        }
        (period <= 4096).then_some(period)
    }

    /// The keys it can produce, if they are few enough to list.
    pub fn keys(&self) -> Option<Vec<String>> {
        Some((0..self.period()?).map(|k| self.expand(0, 0, k)).collect())
    }
}

const fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn push_number(text: &mut String, mut number: u64, least_digits: usize) {
    let mut digits = [b'0'; 20];
    let mut at = digits.len();
    while number > 0 || at == digits.len() {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    at = at.min(digits.len() - least_digits.min(digits.len()));
    text.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms() {
        let expand = |source: &str, k| Template::parse(source).unwrap().expand(7, 0, k);
        assert_eq!(expand("PENDING", 5), "PENDING");
        assert_eq!(expand("PENDING#{0..9}", 19), "PENDING#9");
        assert_eq!(expand("{seq}", 42), "000000000042");
        assert_eq!(expand("a{1..2}b{1..3}", 5), "a2b3");
        let drawn: u64 = expand("{random 5..7}", 1).parse().unwrap();
        assert!((5..=7).contains(&drawn));
        assert_eq!(Template::parse("a{1..2}b{1..3}").unwrap().period(), Some(6));
        assert_eq!(Template::parse("{seq}").unwrap().period(), None);
        assert_eq!(expand("é{0..1}", 1), "é1");
    }

    #[test]
    fn complaints_say_where() {
        let fault = Template::parse("P#{0..9").unwrap_err();
        assert_eq!(fault.span, Span::new(2, 7));
        let fault = Template::parse("P#{nine}").unwrap_err();
        assert_eq!(fault.span, Span::new(2, 8));
        assert!(Template::parse("{9..0}").is_err());
        assert!(Template::parse(&format!("{{0..{}}}", u64::MAX)).is_ok());
        assert_eq!(Template::parse(&format!("{{0..{}}}", u64::MAX)).unwrap().expand(1, 1, 3), "3");
    }
}
