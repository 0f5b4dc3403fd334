//! The keys that a partition was asked for most in a second, by a small counting sketch.
//!
//! Space-saving (Metwally, Agrawal, El Abbadi, "Efficient computation of frequent and top-k elements in data
//! streams", ICDT 2005): a newcomer takes the place and the count of the rarest, so a key with more than an
//! eighth of the requests is never missed.

use crate::value::AttributeValue;
use serde::Serialize;

/// Keys counted at a time.
const SLOTS: usize = 8;

/// A key and how often it was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HotKey {
    #[serde(skip)]
    hash: u64,
    /// The partition key, if it is known.
    pub key: Option<AttributeValue>,
    /// Requests in the second, accepted and refused.
    pub requests: u64,
    /// Refused ones among them.
    pub refused: u64,
}

/// This second's and the last second's keys.
#[derive(Clone, Debug, Default)]
pub struct HotKeys {
    second: u64,
    current: Vec<HotKey>,
    previous: Vec<HotKey>,
}

impl HotKeys {
    pub(super) fn count(
        &mut self,
        second: u64,
        hash: u64,
        refused: bool,
        key: impl FnOnce() -> Option<AttributeValue>,
    ) {
        if second != self.second {
            self.previous = std::mem::take(&mut self.current);
            if second != self.second + 1 {
                self.previous.clear();
            }
            self.second = second;
        }
        let slot = match self.current.iter().position(|hot| hot.hash == hash) {
            Some(at) => at,
            None if self.current.len() < SLOTS => {
                self.current.push(HotKey { hash, key: key(), requests: 0, refused: 0 });
                self.current.len() - 1
            }
            None => {
                let rarest = (0..SLOTS).min_by_key(|&at| self.current[at].requests).unwrap_or(0);
                let requests = self.current[rarest].requests;
                self.current[rarest] = HotKey { hash, key: key(), requests, refused: 0 };
                rarest
            }
        };
        let hot = &mut self.current[slot];
        hot.requests += 1;
        hot.refused += u64::from(refused);
    }

    /// Keys of `second`, hottest first; empty unless it is this or the last second that was counted.
    pub fn of(&self, second: u64) -> Vec<HotKey> {
        let mut keys = match second {
            _ if second == self.second => self.current.clone(),
            _ if second + 1 == self.second => self.previous.clone(),
            _ => Vec::new(),
        };
        keys.sort_by(|a, b| b.requests.cmp(&a.requests).then(a.hash.cmp(&b.hash)));
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
            hot.count(0, hash, false, || Some(AttributeValue::from(hash as i64)));
        }
        assert_eq!(hot.of(0)[0].key, Some(AttributeValue::from(7)));
        hot.count(1, 9, true, || None);
        assert_eq!(hot.of(0)[0].key, Some(AttributeValue::from(7)), "the last second is kept");
        assert_eq!(hot.of(1)[0].refused, 1);
    }
}
