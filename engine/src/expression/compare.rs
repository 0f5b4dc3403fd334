//! How values compare inside conditions. Rules: Developer Guide, "Condition and filter expressions,
//! operators, and functions".
//!
//! Nothing here fails: what cannot be compared is no match.

use crate::value::{AttributeValue, Number, ValueType};
use std::cmp::Ordering;

/// Has this type an order? Only strings (by UTF-8 bytes), numbers (by value) and binary (by byte) do.
pub(super) fn is_ordered(ty: ValueType) -> bool {
    matches!(ty, ValueType::S | ValueType::N | ValueType::B)
}

/// The order of two values of one ordered type.
pub(super) fn order(left: &AttributeValue, right: &AttributeValue) -> Option<Ordering> {
    match (left, right) {
        (AttributeValue::S(left), AttributeValue::S(right)) => Some(left.cmp(right)),
        (AttributeValue::N(left), AttributeValue::N(right)) => Some(left.cmp(right)),
        (AttributeValue::B(left), AttributeValue::B(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

/// `low <= value <= high`, all of one type.
pub(super) fn between(value: &AttributeValue, low: &AttributeValue, high: &AttributeValue) -> bool {
    order(low, value).is_some_and(Ordering::is_le) && order(value, high).is_some_and(Ordering::is_le)
}

/// Does a string or binary begin with another?
pub(super) fn begins_with(value: &AttributeValue, prefix: &AttributeValue) -> bool {
    match (value, prefix) {
        (AttributeValue::S(value), AttributeValue::S(prefix)) => value.starts_with(prefix.as_str()),
        (AttributeValue::B(value), AttributeValue::B(prefix)) => value.starts_with(prefix),
        _ => false,
    }
}

/// Part of a string or binary, member of a set, element of a list.
pub(super) fn contains(value: &AttributeValue, part: &AttributeValue) -> bool {
    match (value, part) {
        (AttributeValue::S(value), AttributeValue::S(part)) => value.contains(part.as_str()),
        (AttributeValue::B(value), AttributeValue::B(part)) => contains_bytes(value, part),
        (AttributeValue::Ss(set), AttributeValue::S(member)) => set.contains(member),
        (AttributeValue::Ns(set), AttributeValue::N(member)) => set.contains(member),
        (AttributeValue::Bs(set), AttributeValue::B(member)) => set.contains(member),
        (AttributeValue::L(list), element) => list.contains(element),
        _ => false,
    }
}

/// Knuth, Morris and Pratt: time in proportion to both lengths, whatever the bytes.
fn contains_bytes(haystack: &[u8], needle: &[u8]) -> bool {
    if needle.is_empty() {
        return true;
    }
    // borders[n]: how much of the needle's start also ends its first n + 1 bytes.
    let mut borders = vec![0; needle.len()];
    let mut matched = 0;
    for at in 1..needle.len() {
        matched = extend(needle, &borders, matched, needle[at]);
        borders[at] = matched;
    }
    matched = 0;
    haystack.iter().any(|&byte| {
        matched = extend(needle, &borders, matched, byte);
        matched == needle.len()
    })
}

/// How much of the needle is matched after one more byte, given that `matched` of it were.
fn extend(needle: &[u8], borders: &[usize], mut matched: usize, byte: u8) -> usize {
    while matched > 0 && needle[matched] != byte {
        matched = borders[matched - 1];
    }
    if needle[matched] == byte { matched + 1 } else { 0 }
}

/// What size() says: UTF-16 code units of a string (so recorded; the guide says "length"), bytes of a
/// binary, elements of anything else that has any. Numbers, booleans and null have no size.
pub(super) fn size(value: &AttributeValue) -> Option<AttributeValue> {
    let size = match value {
        AttributeValue::S(text) if text.is_ascii() => text.len(),
        AttributeValue::S(text) => text.encode_utf16().count(),
        AttributeValue::B(bytes) => bytes.len(),
        AttributeValue::Ss(set) => set.len(),
        AttributeValue::Ns(set) => set.len(),
        AttributeValue::Bs(set) => set.len(),
        AttributeValue::L(list) => list.len(),
        AttributeValue::M(map) => map.len(),
        AttributeValue::N(_) | AttributeValue::Bool(_) | AttributeValue::Null => return None,
    };
    Some(AttributeValue::N(Number::from(i64::try_from(size).unwrap_or(i64::MAX))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_contains_parts_however_repetitive() {
        let has = |haystack: &[u8], needle: &[u8]| {
            contains(&AttributeValue::B(haystack.to_vec()), &AttributeValue::B(needle.to_vec()))
        };
        assert!(has(b"aabaabaaab", b"aabaaa"));
        assert!(has(b"abc", b""));
        assert!(has(b"abc", b"abc"));
        assert!(!has(b"abc", b"abcd"));
        assert!(!has(b"", b"a"));
        // Every answer agrees with the plain search.
        for haystack in 0..64u32 {
            for needle in 0..16u32 {
                let bits = |number: u32, width: u32| (0..width).map(|at| (number >> at & 1) as u8).collect::<Vec<_>>();
                let (haystack, needle) = (bits(haystack, 6), bits(needle, 4));
                assert_eq!(has(&haystack, &needle), haystack.windows(4).any(|window| window == needle));
            }
        }
    }

    #[test]
    fn sizes_count_what_the_service_counts() {
        for (text, units) in [("", 0), ("abc", 3), ("é", 1), ("😀", 2), ("表", 1)] {
            assert_eq!(size(&text.into()), Some(AttributeValue::from(units)), "{text}");
        }
        assert_eq!(size(&AttributeValue::from(123_456)), None);
        assert_eq!(size(&AttributeValue::Null), None);
        assert_eq!(size(&AttributeValue::L(vec![AttributeValue::Null])), Some(AttributeValue::from(1)));
    }
}
