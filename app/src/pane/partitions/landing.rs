//! Where a key lands: its hash, its place on the hash line, its partition.

use crate::playground::Playground;
use dynascope_engine::partition::PartitionMap;
use dynascope_engine::partition::placement::{ring_fraction, ring_hash};
use dynascope_engine::sim::Template;
use dynascope_engine::value::{AttributeValue, ValueType};

/// Templates with more keys than this are not listed key by key.
pub const KEYS_LISTED_MAX: u64 = 64;

/// A key on the hash line.
#[derive(Clone, Debug, PartialEq)]
pub struct Landing {
    /// The key.
    pub key: String,
    /// Its hash.
    pub hash: u64,
    /// The hash as a fraction of the line.
    pub at: f64,
    /// The partition, by its place in ring order.
    pub partition: usize,
}

/// Where `key` lands; `None` if it is no key of this type.
pub fn land(key: &str, key_type: ValueType, partitions: &PartitionMap) -> Option<Landing> {
    let value = match key_type {
        ValueType::N => AttributeValue::N(key.trim().parse().ok()?),
        ValueType::B => AttributeValue::B(key.as_bytes().to_vec()),
        _ => AttributeValue::S(key.to_owned()),
    };
    let hash = ring_hash(&value);
    let partition = partitions.find(&hash.to_be_bytes());
    Some(Landing { key: key.to_owned(), hash, at: ring_fraction(hash), partition })
}

/// Where a key of the table in focus lands. Tracks that table.
pub fn landing_of(playground: Playground, key: &str) -> Option<Landing> {
    let table = playground.table.get();
    playground.with(|session| {
        let table = session.database().get(&table)?;
        let at = playground.arm(session);
        land(key, table.key_of_arm(at).partition.value_type, &table.arms[at].partitions)
    })
}

/// The keys a template stands for; empty if they are too many to list, or if it is none.
pub fn template_keys(template: &str) -> Vec<String> {
    Template::parse(template)
        .ok()
        .filter(|template| template.period().is_some_and(|period| period <= KEYS_LISTED_MAX))
        .and_then(|template| template.keys())
        .unwrap_or_default()
}

/// How long the beginning is that all keys share, in bytes.
pub fn shared_prefix(keys: &[Landing]) -> usize {
    let Some((first, rest)) = keys.split_first() else { return 0 };
    let mut end = first.key.len();
    for other in rest {
        let same = first.key.char_indices().zip(other.key.chars()).find(|((_, a), b)| a != b);
        end = end.min(same.map_or(other.key.len(), |((at, _), _)| at));
    }
    if rest.is_empty() { 0 } else { end }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynascope_engine::capacity::Physics;
    use dynascope_engine::time::SimTime;

    #[test]
    fn ten_suffixes_fall_unevenly() {
        let partitions = PartitionMap::even(4, &Physics::default(), SimTime::ZERO);
        let landings: Vec<Landing> =
            template_keys("PENDING#{0..9}").iter().filter_map(|key| land(key, ValueType::S, &partitions)).collect();
        let count = |at| landings.iter().filter(|landing| landing.partition == at).count();
        assert_eq!([count(0), count(1), count(2), count(3)], [1, 2, 3, 4]);
        assert_eq!(shared_prefix(&landings), "PENDING#".len());
        assert_eq!(shared_prefix(&landings[..1]), 0);
        assert_eq!(land("x", ValueType::N, &partitions), None);
        assert!(template_keys("{seq}").is_empty() && template_keys("{").is_empty());
    }
}
