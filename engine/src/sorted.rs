//! Small ordered collections: vectors in order.
//!
//! What a request holds is small, and the standard library's trees are compiled anew, some kilobytes each, for every type
//! they hold; this program is downloaded. Gathering many is a merge, so that no order of arrival is slow.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Borrow;
use std::cmp::Ordering;

/// The places `0..length` in the order that `compare` gives them; equal ones keep theirs. A merge from the bottom up.
pub fn sorted_places(length: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..length).collect();
    let mut run = 1;
    while run < length {
        let mut merged = Vec::with_capacity(length);
        for pair in places.chunks(2 * run) {
            let (mut left, mut right) = pair.split_at(run.min(pair.len()));
            while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
                if compare(*second, *first) == Ordering::Less {
                    merged.push(*second);
                    right = right_rest;
                } else {
                    merged.push(*first);
                    left = left_rest;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        places = merged;
        run *= 2;
    }
    places
}

/// A set in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortedSet<T>(Vec<T>);

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Ord> SortedSet<T> {
    /// The set of some members, and whether one of them came more than once.
    pub fn gather(members: Vec<T>) -> (Self, bool) {
        let places = sorted_places(members.len(), &|a, b| members[a].cmp(&members[b]));
        let mut members: Vec<Option<T>> = members.into_iter().map(Some).collect();
        let mut set: Vec<T> = Vec::with_capacity(members.len());
        let mut doubled = false;
        for member in places.into_iter().filter_map(|place| members[place].take()) {
            if set.last() == Some(&member) {
                doubled = true;
            } else {
                set.push(member);
            }
        }
        (Self(set), doubled)
    }

    /// Is it in the set?
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.get(member).is_some()
    }

    /// The member that is equal to this one.
    pub fn get<Q: Ord + ?Sized>(&self, member: &Q) -> Option<&T>
    where
        T: Borrow<Q>,
    {
        let place = self.0.binary_search_by(|other| other.borrow().cmp(member)).ok()?;
        self.0.get(place)
    }

    /// Adds a member, unless it is there. For few: those behind it are moved.
    pub fn insert(&mut self, member: T) {
        if let Err(place) = self.0.binary_search(&member) {
            self.0.insert(place, member);
        }
    }

    /// Those of both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self
    where
        T: Clone,
    {
        Self::gather(self.0.iter().chain(&other.0).cloned().collect()).0
    }

    /// Those that are not in the other.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self
    where
        T: Clone,
    {
        Self(self.0.iter().filter(|member| !other.contains(*member)).cloned().collect())
    }
}

impl<T> SortedSet<T> {
    /// In order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(members: [T; N]) -> Self {
        Self::gather(members.into()).0
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        Self::gather(members.into_iter().collect()).0
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A map from texts, in their order. For few: putting one in the middle moves those behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<V>(Vec<(String, V)>);

impl<V> Default for SortedMap<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> SortedMap<V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.as_str().cmp(key))
    }

    /// What stands under a key.
    pub fn get(&self, key: &str) -> Option<&V> {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// The same, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    /// Is there something under a key?
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    /// Puts a value under a key; what stood there before.
    pub fn insert(&mut self, key: String, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Puts a value under a key that has none yet.
    pub fn add(&mut self, key: &str, value: impl FnOnce() -> V) {
        if let Err(place) = self.place(key) {
            self.0.insert(place, (key.to_owned(), value()));
        }
    }

    /// Takes a key and its value out.
    pub fn remove(&mut self, key: &str) -> Option<V> {
        self.place(key).ok().map(|place| self.0.remove(place).1)
    }

    /// Keeps those that `keep` says to.
    pub fn retain(&mut self, keep: impl FnMut(&(String, V)) -> bool) {
        self.0.retain(keep);
    }

    /// Keys and values in the order of the keys.
    pub fn iter(&self) -> std::slice::Iter<'_, (String, V)> {
        self.0.iter()
    }

    /// Keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        self.0.iter().map(|(key, _)| key)
    }

    /// Values in the order of their keys.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.0.iter().map(|(_, value)| value)
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<V> FromIterator<(String, V)> for SortedMap<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<V> IntoIterator for SortedMap<V> {
    type Item = (String, V);
    type IntoIter = std::vec::IntoIter<(String, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, V> IntoIterator for &'a SortedMap<V> {
    type Item = &'a (String, V);
    type IntoIter = std::slice::Iter<'a, (String, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<V: Serialize> Serialize for SortedMap<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for SortedMap<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(std::collections::BTreeMap::<String, V>::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    proptest! {
        #[test]
        fn they_are_the_librarys(
            left in proptest::collection::vec("[a-d]{0,3}", 0..40),
            right in proptest::collection::vec("[a-d]{0,3}", 0..40),
        ) {
            let tree: BTreeSet<&String> = left.iter().collect();
            let (set, doubled) = SortedSet::gather(left.clone());
            prop_assert!(set.iter().eq(tree.iter().copied()));
            prop_assert_eq!(doubled, tree.len() < left.len());
            let other: SortedSet<String> = right.iter().cloned().collect();
            let tree_of_other: BTreeSet<&String> = right.iter().collect();
            prop_assert!(set.union(&other).iter().eq(tree.union(&tree_of_other).copied()));
            prop_assert!(set.without(&other).iter().eq(tree.difference(&tree_of_other).copied()));
            prop_assert!(right.iter().all(|member| set.contains(member) == tree.contains(member)));

            let entries = || left.iter().cloned().zip(0..).chain(right.iter().cloned().zip(100..));
            let (mut map, mut tree): (SortedMap<i32>, BTreeMap<String, i32>) = (entries().collect(), entries().collect());
            for key in &right {
                prop_assert_eq!(map.remove(key), tree.remove(key));
            }
            prop_assert!(map.iter().map(|(key, value)| (key, value)).eq(&tree));
            prop_assert_eq!(serde_json::to_string(&map).unwrap(), serde_json::to_string(&tree).unwrap());
        }

        #[test]
        fn places_are_in_order_and_equal_ones_keep_theirs(names in proptest::collection::vec("[a-d]{0,2}", 0..40)) {
            let mut wanted: Vec<usize> = (0..names.len()).collect();
            wanted.sort_by_key(|place| &names[*place]);
            prop_assert_eq!(sorted_places(names.len(), &|a, b| names[a].cmp(&names[b])), wanted);
        }
    }
}
