//! Key values as bytes that sort the way DynamoDB sorts, and the bytes that placement hashes.
//!
//! Strings sort by UTF-8 bytes, binary by unsigned bytes, numbers by value (Developer Guide, "Query",
//! *Key condition expressions*). A partition key stands before a sort key in one byte string, so its encoding
//! ends itself: `00` inside is written `00 FF`, the end `00 01`.

use super::{AttributeValue, ValueType};
use std::cmp::Ordering;

/// Bytes that order items: hash of the partition key, the key itself, the sort key (and for an index entry
/// the table's own key behind them).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyBytes {
    /// The first eight bytes, the hash, which decide nearly every comparison without a look at the rest.
    head: u64,
    bytes: Box<[u8]>,
}

impl KeyBytes {
    /// Takes the bytes of a position.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { head: key_head(&bytes), bytes: bytes.into_boxed_slice() }
    }

    /// The first eight bytes as a number; a shorter position is filled with zeros.
    pub const fn head(&self) -> u64 {
        self.head
    }
}

/// The first eight bytes of a position as a number that orders as they do; a shorter one is filled with zeros.
pub fn key_head(bytes: &[u8]) -> u64 {
    let mut head = [0; 8];
    let count = bytes.len().min(8);
    head[..count].copy_from_slice(&bytes[..count]);
    u64::from_be_bytes(head)
}

impl Ord for KeyBytes {
    fn cmp(&self, other: &Self) -> Ordering {
        self.head.cmp(&other.head).then_with(|| self.bytes.cmp(&other.bytes))
    }
}

impl PartialOrd for KeyBytes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::ops::Deref for KeyBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl std::borrow::Borrow<[u8]> for KeyBytes {
    fn borrow(&self) -> &[u8] {
        &self.bytes
    }
}

/// Appends a key value in its sorting form. Values that cannot be keys append nothing; schemas refuse them
/// before they come here.
pub fn append_key_value(bytes: &mut Vec<u8>, value: &AttributeValue) {
    match value {
        AttributeValue::S(text) => append_terminated(bytes, text.as_bytes()),
        AttributeValue::B(raw) => append_terminated(bytes, raw),
        AttributeValue::N(number) => bytes.extend_from_slice(&number.key_bytes()),
        _ => debug_assert!(false, "only S, N and B can be keys, found {:?}", value.value_type()),
    }
}

fn append_terminated(bytes: &mut Vec<u8>, raw: &[u8]) {
    for &byte in raw {
        bytes.push(byte);
        if byte == 0 {
            bytes.push(0xFF);
        }
    }
    bytes.extend_from_slice(&[0, 1]);
}

/// What placement hashes: the type's letter, then UTF-8 text, canonical decimal text, or raw bytes.
///
/// Ours, not the service's (which is not public); fixed, because links and golden scripts depend on it.
pub fn hash_input(value: &AttributeValue) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(32);
    bytes.push(match value.value_type() {
        ValueType::N => b'N',
        ValueType::B => b'B',
        _ => b'S',
    });
    match value {
        AttributeValue::S(text) => bytes.extend_from_slice(text.as_bytes()),
        AttributeValue::B(raw) => bytes.extend_from_slice(raw),
        AttributeValue::N(number) => bytes.extend_from_slice(number.to_string().as_bytes()),
        _ => debug_assert!(false, "only S, N and B can be keys"),
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(value: &AttributeValue) -> Vec<u8> {
        let mut bytes = Vec::new();
        append_key_value(&mut bytes, value);
        bytes
    }

    #[test]
    fn encoding_keeps_byte_order_and_ends_itself() {
        let values: Vec<AttributeValue> =
            [&b""[..], b"\0", b"\0\0", b"\0\x01", b"\x01", b"a", b"a\0", b"a\0b", b"ab", b"b"]
                .iter()
                .map(|raw| AttributeValue::B(raw.to_vec()))
                .collect();
        for pair in values.windows(2) {
            assert!(encoded(&pair[0]) < encoded(&pair[1]), "{pair:?}");
            assert!(!encoded(&pair[1]).starts_with(&encoded(&pair[0])), "{pair:?}");
        }
    }

    /// Ordered maps are asked with plain bytes, so both orders must be one.
    #[test]
    fn positions_sort_as_their_bytes() {
        let bytes: [&[u8]; 9] = [
            b"",
            b"\0",
            b"\0\0\0\0\0\0\0\0",
            b"\0\0\0\0\0\0\0\0\0",
            b"\0\0\0\0\0\0\0\x01",
            b"a",
            b"a\0",
            b"abcdefgh",
            b"abcdefghi",
        ];
        for left in bytes {
            for right in bytes {
                let (a, b) = (KeyBytes::new(left.to_vec()), KeyBytes::new(right.to_vec()));
                assert_eq!(a.cmp(&b), left.cmp(right), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn capitals_sort_before_small_letters_and_ten_before_nine() {
        assert!(encoded(&"B".into()) < encoded(&"a".into()));
        assert!(encoded(&"10".into()) < encoded(&"9".into()));
        assert!(encoded(&AttributeValue::from(9)) < encoded(&AttributeValue::from(10)));
        assert!(encoded(&"\u{FFFD}".into()) < encoded(&"\u{1F600}".into()), "UTF-8 order, not UTF-16");
    }

    #[test]
    fn equal_numbers_hash_alike() {
        let hundred: Vec<_> =
            ["100", "1E2", "100.0"].iter().map(|t| hash_input(&AttributeValue::N(t.parse().unwrap()))).collect();
        assert!(hundred.windows(2).all(|pair| pair[0] == pair[1]));
    }
}
