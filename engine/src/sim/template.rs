//! Key templates: text with braces that say how the key varies from request to request.
//!
//! | form | stands for |
//! |---|---|
//! | `{a..b}` | the numbers a to b in turn |
//! | `{random a..b}` | one of them, drawn evenly |
//! | `{zipf a..b}` | one of them, a + r − 1 with a weight of 1/r: few are asked for often, most rarely |
//! | `{hot P% a..b}` | a in P of a hundred, the others evenly |
//! | `{hash a..b of X}` | a + hash(X) mod width, by the placement hash of the text X, itself a template |
//! | `{time N s}` | the number of whole N seconds that have passed when the request arrives |
//! | `{seq}` | the request's number in twelve digits |
//!
//! Everything else stands for itself. The forms that draw are independent of each other; those in an X draw what the
//! first forms outside draw, so that `{random 0..99}#{hash 0..9 of {random 0..99}}` is a number with its own suffix.
//!
//! ```
//! use dynascope_engine::sim::Template;
//!
//! let template = Template::parse("PENDING#{0..9}").unwrap();
//! assert_eq!(template.expand(7, 0, 12), "PENDING#2");
//! ```

use super::prng::mix;
use crate::diagnostic::Span;
use crate::partition::placement::ring_hash;
use crate::value::AttributeValue;
use std::sync::Arc;

/// Numbers of a Zipf form: their weights are added up beforehand.
const MAX_ZIPF: u64 = 100_000;
/// Weight of the most frequent number of a Zipf form; of the others the whole part of the share is taken.
const ZIPF_SCALE: u64 = 1 << 40;
/// X may hold forms with an X of their own, but not without end.
const MAX_DEPTH: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    Cycle(u64, u64),
    /// Draws by the number of its draw in the template, between two bounds.
    Random(u64, u64, u64),
    /// The same from the lower bound on, by weights added up.
    Zipf(u64, u64, Arc<[u64]>),
    /// The same with the first one's share in percent.
    Hot(u64, u64, u64, u64),
    Hash(u64, u64, Template),
    Time(u64),
    Sequence,
}

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

/// A request that a key is wanted for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The session's seed.
    pub seed: u64,
    /// Which stream.
    pub stream: u64,
    /// Which request of it.
    pub number: u64,
    /// The second in which it arrives.
    pub second: u64,
}

impl Moment {
    /// The request's random number, from which all its others come.
    pub const fn lane(self) -> u64 {
        mix(self.seed, self.stream, self.number)
    }

    /// The random number of the template's `nth` draw.
    const fn draw(self, nth: u64) -> u64 {
        if nth == 0 { self.lane() } else { mix(self.lane(), nth, 0) }
    }
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
    /// An open brace, or braces with something else in them than the forms above.
    pub fn parse(source: &str) -> Result<Self, TemplateFault> {
        Self::parse_within(source, 0)
    }

    fn parse_within(source: &str, depth: usize) -> Result<Self, TemplateFault> {
        let mut parts = Vec::new();
        let mut draws = 0;
        let mut at = 0;
        while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
            let Some(open) = rest.find('{') else {
                parts.push(Part::Text(rest.to_owned()));
                break;
            };
            if open > 0 {
                parts.push(Part::Text(rest[..open].to_owned()));
            }
            let Some(close) = closing_brace(&rest[open..]) else {
                return Err(TemplateFault {
                    span: Span::new(at + open, source.len()),
                    message: "this brace is never closed; write `}` after it".into(),
                });
            };
            let inner = &rest[open + 1..open + close];
            let part = part(inner, depth, draws)
                .map_err(|message| TemplateFault { span: Span::new(at + open, at + open + close + 1), message })?;
            draws += u64::from(matches!(part, Part::Random(..) | Part::Zipf(..) | Part::Hot(..)));
            parts.push(part);
            at += open + close + 1;
        }
        Ok(Self { parts })
    }

    /// The key of request `k`, were it to arrive in second 0.
    pub fn expand(&self, seed: u64, stream: u64, k: u64) -> String {
        let mut text = String::new();
        self.expand_into(&mut text, Moment { seed, stream, number: k, second: 0 });
        text
    }

    /// The key of a request, added to `text`.
    pub fn expand_into(&self, text: &mut String, of: Moment) {
        for part in &self.parts {
            match part {
                Part::Text(fixed) => text.push_str(fixed),
                Part::Cycle(low, high) => {
                    let width = (high - low).checked_add(1);
                    push_number(text, low + width.map_or(of.number, |width| of.number % width), 0);
                }
                Part::Random(nth, low, high) => {
                    push_number(text, low + scaled(of.draw(*nth), u128::from(high - low) + 1).0, 0);
                }
                Part::Zipf(nth, low, sums) => {
                    let total = sums.last().copied().unwrap_or(1);
                    let drawn = scaled(of.draw(*nth), u128::from(total)).0;
                    push_number(text, low + sums.partition_point(|sum| *sum <= drawn) as u64, 0);
                }
                Part::Hot(nth, percent, low, high) => {
                    let (drawn, rest) = scaled(of.draw(*nth), 100);
                    let others = high - low;
                    let number = if drawn < *percent || others == 0 {
                        *low
                    } else {
                        low + 1 + scaled(rest, u128::from(others)).0
                    };
                    push_number(text, number, 0);
                }
                Part::Hash(low, high, of_what) => {
                    let mut hashed = String::new();
                    of_what.expand_into(&mut hashed, of);
                    let hash = ring_hash(&AttributeValue::S(hashed));
                    push_number(text, low + (high - low).checked_add(1).map_or(hash, |width| hash % width), 0);
                }
                Part::Time(seconds) => push_number(text, of.second / seconds, 0),
                Part::Sequence => push_number(text, of.number, 12),
            }
        }
    }

    /// After how many requests the keys repeat; `None` if they do not, or only after very many.
    pub fn period(&self) -> Option<u64> {
        let mut period: u64 = 1;
        for part in &self.parts {
            let own = match part {
                Part::Text(_) => 1,
                Part::Cycle(low, high) => (high - low).checked_add(1)?,
                Part::Hash(_, _, of) => of.period()?,
                Part::Random(..) | Part::Zipf(..) | Part::Hot(..) | Part::Time(_) | Part::Sequence => return None,
            };
            period = period.checked_mul(own / gcd(period, own))?;
        }
        (period <= 4096).then_some(period)
    }

    /// The keys it can produce, if they are few enough to list.
    pub fn keys(&self) -> Option<Vec<String>> {
        Some((0..self.period()?).map(|k| self.expand(0, 0, k)).collect())
    }
}

/// A random number brought below `width`, and the rest of it as a random number again.
///
/// The high half of a 128-bit product is even enough and needs no division.
const fn scaled(drawn: u64, width: u128) -> (u64, u64) {
    if width > u64::MAX as u128 {
        return (drawn, 0);
    }
    let product = drawn as u128 * width;
    ((product >> 64) as u64, product as u64)
}

/// Where the brace that `text` begins with is closed.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands between two braces. `nth` is the number of its draw, should it draw.
fn part(inner: &str, depth: usize, nth: u64) -> Result<Part, String> {
    let unknown = || {
        format!(
            "`{{{inner}}}` is not known; try `{{0..9}}`, `{{random 0..99}}`, `{{zipf 1..1000}}`, `{{hot 60% 1..200}}`, \
             `{{hash 0..9 of {{seq}}}}`, `{{time 86400 s}}` or `{{seq}}`"
        )
    };
    let (form, rest) = inner.trim().split_once(' ').unwrap_or((inner.trim(), ""));
    let rest = rest.trim();
    Ok(match form {
        "seq" if rest.is_empty() => Part::Sequence,
        "random" => range(rest).map(|(low, high)| Part::Random(nth, low, high)).ok_or_else(unknown)?,
        "zipf" => {
            let (low, high) = range(rest).ok_or_else(unknown)?;
            if high - low >= MAX_ZIPF {
                return Err(format!("`zipf` takes at most {MAX_ZIPF} numbers"));
            }
            let sums = (1..=high - low + 1).scan(0, |sum, rank| {
                *sum += ZIPF_SCALE / rank;
                Some(*sum)
            });
            Part::Zipf(nth, low, sums.collect())
        }
        "hot" => {
            let (percent, numbers) = rest.split_once('%').ok_or_else(unknown)?;
            let percent: u64 = percent.trim().parse().map_err(|_| unknown())?;
            if percent > 100 {
                return Err(format!("{percent} % is more than all of them"));
            }
            let (low, high) = range(numbers).ok_or_else(unknown)?;
            Part::Hot(nth, percent, low, high)
        }
        "hash" => {
            let (numbers, of) = rest.split_once(" of ").ok_or_else(unknown)?;
            let (low, high) = range(numbers).ok_or_else(unknown)?;
            if depth == MAX_DEPTH {
                return Err(format!("`hash` within `hash` goes {MAX_DEPTH} deep at most"));
            }
            Part::Hash(low, high, Template::parse_within(of.trim(), depth + 1).map_err(|fault| fault.message)?)
        }
        "time" => {
            let seconds = rest.strip_suffix('s').and_then(|number| number.trim().parse().ok()).ok_or_else(unknown)?;
            if seconds == 0 {
                return Err("a stretch of time has at least one second".into());
            }
            Part::Time(seconds)
        }
        _ => range(inner).map(|(low, high)| Part::Cycle(low, high)).ok_or_else(unknown)?,
    })
}

/// `a..b` with a not above b.
fn range(text: &str) -> Option<(u64, u64)> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high).then_some((low, high))
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

    fn numbers(source: &str, count: u64) -> Vec<u64> {
        let template = Template::parse(source).unwrap();
        (0..count).map(|k| template.expand(7, 0, k).parse().unwrap()).collect()
    }

    fn share(numbers: &[u64], number: u64) -> usize {
        numbers.iter().filter(|drawn| **drawn == number).count()
    }

    /// Weights 1, 1/2, 1/3, … of a thousand keys add up to 7.485, so the first has 13.4 % and the tenth 1.34 %.
    #[test]
    fn zipf_falls_with_the_rank() {
        let drawn = numbers("{zipf 1..1000}", 100_000);
        assert!((13_000..13_700).contains(&share(&drawn, 1)), "{}", share(&drawn, 1));
        assert!((6_400..7_000).contains(&share(&drawn, 2)));
        assert!((1_200..1_480).contains(&share(&drawn, 10)));
        assert!(drawn.iter().all(|number| (1..=1000).contains(number)));
        assert!(share(&drawn, 1000) > 0, "the last one is asked for too");
        assert_eq!(numbers("{zipf 5..5}", 3), [5, 5, 5]);
        assert!(Template::parse("{zipf 0..100000}").is_err());
    }

    #[test]
    fn a_hot_key_has_its_share_and_the_others_the_rest() {
        let drawn = numbers("{hot 60% 1..200}", 100_000);
        assert!((59_300..60_700).contains(&share(&drawn, 1)));
        for other in 2..=200 {
            // 40,000 over 199 are 201 each.
            assert!((130..280).contains(&share(&drawn, other)), "{other}: {}", share(&drawn, other));
        }
        assert_eq!(share(&numbers("{hot 100% 3..9}", 500), 3), 500);
        assert_eq!(share(&numbers("{hot 0% 3..9}", 500), 3), 0);
        assert_eq!(numbers("{hot 7% 4..4}", 2), [4, 4]);
        assert!(Template::parse("{hot 101% 0..1}").is_err());
        assert!(Template::parse("{hot 60 0..1}").is_err());
    }

    #[test]
    fn a_calculated_suffix_is_the_same_for_the_same_text() {
        let template = Template::parse("JOB#{hash 0..9 of {seq}}").unwrap();
        let hash = ring_hash(&"000000000042".into());
        assert_eq!(template.expand(1, 2, 42), format!("JOB#{}", hash % 10));
        assert_eq!(template.expand(9, 9, 42), template.expand(1, 2, 42));
        assert_eq!(Template::parse("{hash 3..3 of x}").unwrap().keys(), Some(vec!["3".into()]));
        let cycle = Template::parse("{hash 0..99 of a{0..3}b}").unwrap();
        assert_eq!(cycle.period(), Some(4));
        assert_eq!(cycle.expand(0, 0, 2), (ring_hash(&"a2b".into()) % 100).to_string());
        // The suffix of the number beside it.
        let pair = Template::parse("{random 0..99}#{hash 0..9 of {random 0..99}}").unwrap();
        for k in 0..50 {
            let text = pair.expand(7, 0, k);
            let (number, suffix) = text.split_once('#').unwrap();
            assert_eq!(suffix, (ring_hash(&number.into()) % 10).to_string());
        }
    }

    #[test]
    fn time_counts_whole_stretches() {
        let template = Template::parse("DAY#{time 86400 s}").unwrap();
        let at = |second| {
            let mut text = String::new();
            template.expand_into(&mut text, Moment { second, ..Moment::default() });
            text
        };
        assert_eq!([at(0), at(86_399), at(86_400), at(200_000)], ["DAY#0", "DAY#0", "DAY#1", "DAY#2"]);
        assert_eq!(template.period(), None);
        assert!(Template::parse("{time 60s}").is_ok());
        assert!(Template::parse("{time 0 s}").is_err());
        assert!(Template::parse("{time 5}").is_err());
    }

    #[test]
    fn two_draws_are_two_numbers() {
        let template = Template::parse("{random 0..9}#{random 0..9}").unwrap();
        let same = (0..1000).filter(|&k| {
            let text = template.expand(7, 0, k);
            let (one, other) = text.split_once('#').unwrap();
            one == other
        });
        assert!((60..140).contains(&same.count()), "one in ten by chance");
        let alone = Template::parse("{random 0..9}").unwrap();
        assert!((0..100).all(|k| template.expand(7, 0, k).starts_with(&alone.expand(7, 0, k))));
    }

    #[test]
    fn braces_within_braces() {
        assert_eq!(Template::parse("{hash 0..9 of {seq}").unwrap_err().span, Span::new(0, 19));
        assert!(Template::parse("{hash 0..9 of {nine}}").unwrap_err().message.contains("`{nine}` is not known"));
        assert!(Template::parse("{hash 0..9}").is_err());
        let mut deep = "{seq}".to_owned();
        for _ in 0..4 {
            deep = format!("{{hash 0..9 of {deep}}}");
        }
        assert!(Template::parse(&deep).is_ok());
        assert!(Template::parse(&format!("{{hash 0..9 of {deep}}}")).is_err());
    }
}
