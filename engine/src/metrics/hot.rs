//! The keys that a partition was asked for most in a second, by a small counting sketch.
//!
//! Space-saving (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data
//! streams", ICDT 2005): a newcomer takes the place and the count of the rarest, so a key with more than an
//! eighth of the requests is never missed.

use crate::capacity::HalfUnits;
use crate::value::AttributeValue;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// Keys counted at a time.
const SLOTS: usize = 8;
/// Busy seconds remembered besides the one that is counted: as many as contributor insights look back.
const PAST_SECONDS: usize = 60;

/// A key and how often it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HotKey {
    #[serde(skip)]
    hash: u64,
    /// The partition key. Not known of one that took another's place and was asked for only once, because most
    /// such keys are gone again at the next request and copying them would cost more than counting.
    pub key: Option<AttributeValue>,
    /// Requests in the second, accepted and refused: at least so many.
    pub requests: u64,
    /// Refused ones among them.
    pub refused: u64,
    /// What the accepted ones took: 3 × write units + read units, as contributor insights count.
    #[serde(skip)]
    pub throughput: HalfUnits,
}

impl HotKey {
    const fn new(hash: u64) -> Self {
        Self { hash, key: None, requests: 0, refused: 0, throughput: HalfUnits::ZERO }
    }

    pub(super) const fn hash(&self) -> u64 {
        self.hash
    }
}

/// This second's keys, and those of the last minute's.
#[derive(Clone, Debug, Default)]
pub struct HotKeys {
    second: u64,
    /// Hashes and sketched counts of `current`, side by side: every request looks through them.
    hashes: [u64; SLOTS],
    counts: [u64; SLOTS],
    current: Vec<HotKey>,
    /// Oldest first. Shared, since undo states are copies.
    past: Vec<(u64, Arc<Vec<HotKey>>)>,
}

impl HotKeys {
    pub(super) fn count(
        &mut self,
        second: u64,
        hash: u64,
        taken: Option<HalfUnits>,
        key: impl FnOnce() -> Option<AttributeValue>,
    ) {
        if second != self.second {
            if self.past.len() == PAST_SECONDS {
                self.past.remove(0);
            }
            self.past.push((self.second, Arc::new(std::mem::take(&mut self.current))));
            self.second = second;
        }
        let used = self.current.len();
        let slot = match self.hashes[..used].iter().position(|own| *own == hash) {
            Some(at) => {
                if self.current[at].key.is_none() {
                    self.current[at].key = key();
                }
                at
            }
            None if used < SLOTS => {
                self.current.push(HotKey { key: key(), ..HotKey::new(hash) });
                self.counts[used] = 0;
                used
            }
            None => {
                let rarest = (0..SLOTS).min_by_key(|&at| self.counts[at]).unwrap_or(0);
                self.current[rarest] = HotKey::new(hash);
                rarest
            }
        };
        self.hashes[slot] = hash;
        self.counts[slot] += 1;
        let hot = &mut self.current[slot];
        hot.requests += 1;
        match taken {
            Some(throughput) => hot.throughput += throughput,
            None => hot.refused += 1,
        }
    }

    /// What was counted in some seconds.
    pub(super) fn within(&self, seconds: &Range<u64>) -> impl Iterator<Item = &HotKey> {
        let past = self.past.iter().filter(|(second, _)| seconds.contains(second));
        let current: &[HotKey] = if seconds.contains(&self.second) { &self.current } else { &[] };
        past.flat_map(|(_, keys)| keys.iter()).chain(current)
    }

    /// Known keys of `second`, hottest first; empty unless it is this or the last second that was counted.
    pub fn of(&self, second: u64) -> Vec<HotKey> {
        let counted: &[HotKey] = match self.past.last() {
            _ if second == self.second => &self.current,
            Some((last, keys)) if second == *last => keys,
            _ => &[],
        };
        let mut keys: Vec<HotKey> = Vec::with_capacity(counted.len());
        for hot in counted.iter().filter(|hot| hot.key.is_some()) {
            let before = |other: &HotKey| (other.requests, hot.hash) > (hot.requests, other.hash);
            let at = keys.iter().take_while(|other| before(other)).count();
            keys.insert(at, hot.clone());
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_with_a_quarter_of_the_requests_is_found() {
        let mut hot = HotKeys::default();
        for k in 0..4000u64 {
            let hash = if k.is_multiple_of(4) { 7 } else { 1000 + k };
            hot.count(0, hash, Some(HalfUnits(2)), || Some(AttributeValue::from(hash as i64)));
        }
        assert_eq!(hot.of(0)[0].key, Some(AttributeValue::from(7)));
        assert_eq!(hot.of(0)[0].requests, 1000);
        assert_eq!(hot.of(0).len(), 1, "keys asked for once are not shown as hot");
        hot.count(1, 9, None, || Some(AttributeValue::from(9)));
        assert_eq!(hot.of(0)[0].key, Some(AttributeValue::from(7)), "the last second is kept");
        assert_eq!(hot.of(1)[0].refused, 1);
    }
}
