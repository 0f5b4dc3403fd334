//! Placement: 64-bit xxh3 of the typed partition key.
//!
//! DynamoDB's own hash is not public; this one is a teaching hash, fixed for ever, because links and golden
//! scripts depend on it. The ring position of a key is its hash divided by 2⁶⁴.
//!
//! ```
//! use dynascope_engine::partition::placement::{ring_fraction, ring_hash};
//!
//! let hash = ring_hash(&"PENDING".into());
//! assert_eq!((ring_fraction(hash) * 10_000.0).round(), 2007.0);
//! ```

use crate::table::{Index, KeyAttribute, KeySchema};
use crate::value::{AttributeValue, Item, KeyBytes, append_key_value, hash_input};
use xxhash_rust::xxh3::xxh3_64;

/// The hash of a partition key value.
pub fn ring_hash(partition_key: &AttributeValue) -> u64 {
    match partition_key {
        // The common case without a second copy of long keys.
        AttributeValue::S(text) if text.len() < 64 => {
            let mut buffer = [0u8; 65];
            buffer[0] = b'S';
            buffer[1..=text.len()].copy_from_slice(text.as_bytes());
            xxh3_64(&buffer[..=text.len()])
        }
        other => xxh3_64(&hash_input(other)),
    }
}

/// The hash as a fraction of the ring, for drawing.
pub fn ring_fraction(hash: u64) -> f64 {
    hash as f64 / 18_446_744_073_709_551_616.0
}

/// The prefix all items of one item collection share in a store's order.
pub fn collection_prefix(partition_key: &AttributeValue) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(48);
    bytes.extend_from_slice(&ring_hash(partition_key).to_be_bytes());
    append_key_value(&mut bytes, partition_key);
    bytes
}

/// The position of an item that is metered and not stored: only its keys are known.
pub fn metered_position(partition_key: &AttributeValue, sort_key: Option<&AttributeValue>) -> KeyBytes {
    let mut bytes = collection_prefix(partition_key);
    if let Some(sort_key) = sort_key {
        append_key_value(&mut bytes, sort_key);
    }
    KeyBytes::new(bytes)
}

/// How many bytes [`append_key_value`] needs, unless the value holds zero bytes, which take two.
fn key_length(value: Option<&AttributeValue>) -> usize {
    match value {
        Some(AttributeValue::S(text)) => text.len() + 2,
        Some(AttributeValue::B(bytes)) => bytes.len() + 2,
        Some(AttributeValue::N(_)) => 19,
        _ => 0,
    }
}

/// An empty position with room for the hash and these keys, so that it need not be moved later.
fn with_room<'a>(keys: impl Iterator<Item = &'a KeyAttribute>, item: &Item) -> Vec<u8> {
    Vec::with_capacity(8 + keys.map(|key| key_length(item.get(&key.name))).sum::<usize>())
}

fn append_key(bytes: &mut Vec<u8>, key: &KeySchema, item: &Item) -> Option<()> {
    append_key_value(bytes, item.get(&key.partition.name)?);
    if let Some(sort) = &key.sort {
        append_key_value(bytes, item.get(&sort.name)?);
    }
    Some(())
}

/// The position of `item` in its table; `None` if a key attribute is missing.
pub fn table_position(key: &KeySchema, item: &Item) -> Option<KeyBytes> {
    let mut bytes = with_room(key.attributes(), item);
    bytes.extend_from_slice(&ring_hash(item.get(&key.partition.name)?).to_be_bytes());
    append_key(&mut bytes, key, item)?;
    Some(KeyBytes::new(bytes))
}

/// The position of `item` in an index: the index key, then the table key, which tells equal index keys apart.
///
/// The order of equal index keys is not specified by the service; table-key order is ours.
pub fn index_position(table: &KeySchema, index: &Index, item: &Item) -> Option<KeyBytes> {
    let mut bytes = with_room(index.key.attributes().chain(table.attributes()), item);
    bytes.extend_from_slice(&ring_hash(item.get(&index.key.partition.name)?).to_be_bytes());
    append_key(&mut bytes, &index.key, item)?;
    append_key(&mut bytes, table, item)?;
    Some(KeyBytes::new(bytes))
}

/// The smallest byte string above every string that starts with `prefix`; `None` if there is none.
pub fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|&byte| byte != u8::MAX)?;
    let mut next = prefix[..=last].to_vec();
    next[last] += 1;
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The model's own figures: `PENDING` at 0.2007, and ten suffixes over four even ranges as 1, 2, 3, 4.
    #[test]
    fn the_job_queues_keys_fall_as_the_model_says() {
        assert_eq!((ring_fraction(ring_hash(&"PENDING".into())) * 10_000.0).round() as u64, 2007);
        let mut counts = [0; 4];
        for suffix in 0..10 {
            let key = AttributeValue::S(format!("PENDING#{suffix}"));
            counts[(ring_hash(&key) >> 62) as usize] += 1;
        }
        assert_eq!(counts, [1, 2, 3, 4]);
    }

    #[test]
    fn short_and_long_strings_hash_by_one_rule() {
        for length in [0, 1, 63, 64, 65, 2048] {
            let key = AttributeValue::S("k".repeat(length));
            assert_eq!(ring_hash(&key), xxh3_64(&hash_input(&key)), "{length}");
        }
    }

    #[test]
    fn after_a_prefix_comes_the_next_one() {
        assert_eq!(after_prefix(&[1, 2]), Some(vec![1, 3]));
        assert_eq!(after_prefix(&[1, 255]), Some(vec![2]));
        assert_eq!(after_prefix(&[255, 255]), None);
    }
}
