//! The hottest keys of a second.

use super::measure::arrange;
use super::seen::SeenPartition;
use dynascope_engine::metrics::ArmMetrics;
use dynascope_engine::value::AttributeValue;

/// A key and its part of a second's requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenKey {
    /// The key.
    pub key: String,
    /// Requests for it, refused ones included.
    pub requests: u64,
}

/// The hottest keys of a second, all partitions together.
pub fn hottest_keys(metrics: &ArmMetrics, partitions: &[SeenPartition], second: u64, most: usize) -> Vec<SeenKey> {
    let mut keys: Vec<SeenKey> = partitions
        .iter()
        .filter_map(|partition| metrics.partition(partition.id))
        .flat_map(|metrics| metrics.hot.of(second))
        .filter_map(|hot| Some(SeenKey { key: key_text(hot.key?), requests: hot.requests }))
        .collect();
    arrange(&mut keys, |a, b| (b.requests, &a.key) < (a.requests, &b.key));
    keys.truncate(most);
    keys
}

/// A key as a person would write it.
pub fn key_text(key: AttributeValue) -> String {
    match key {
        AttributeValue::S(text) => text,
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => {
            dynascope_engine::value::base64::encode(&bytes, dynascope_engine::value::base64::Alphabet::Standard)
        }
        _ => String::new(),
    }
}
