//! An item, or any map: attributes sorted by name in one compact list.
//!
//! A `BTreeMap` node reserves room for eleven entries; most items have fewer, and a table holds a million of
//! them. Looking a name up among a handful by halving is as fast.

use super::AttributeValue;
use std::fmt;
use std::sync::Arc;

/// An attribute name. Shared, because the same few names stand in every item of a table.
pub type Name = Arc<str>;

/// Attribute names and their values, in the order of the names' UTF-8 bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Item(Vec<(Name, AttributeValue)>);

impl Item {
    /// No attributes.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    fn find(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(own, _)| (**own).cmp(name))
    }

    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.find(name).ok().map(|at| &self.0[at].1)
    }

    /// The value under `name`, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut AttributeValue> {
        self.find(name).ok().map(|at| &mut self.0[at].1)
    }

    /// Does `name` have a value?
    pub fn contains(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }

    /// Puts `value` under `name` and returns what stood there.
    pub fn set(&mut self, name: impl Into<Name>, value: AttributeValue) -> Option<AttributeValue> {
        let name = name.into();
        // Attributes mostly arrive in order, as maps of JSON do.
        if self.0.last().is_none_or(|(last, _)| *last < name) {
            self.0.push((name, value));
            return None;
        }
        match self.find(&name) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (name, value));
                None
            }
        }
    }

    /// Takes `name` away and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<AttributeValue> {
        self.find(name).ok().map(|at| self.0.remove(at).1)
    }

    /// How many attributes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Has it no attributes?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Attributes in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Name, &AttributeValue)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Names in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &Name> {
        self.0.iter().map(|(name, _)| name)
    }

    /// Only the attributes that `keep` wants.
    #[must_use]
    pub fn filtered(&self, keep: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| keep(name)).cloned().collect())
    }

    /// Replaces each name by the shared copy that `intern` returns and gives back spare memory.
    pub fn intern(&mut self, mut intern: impl FnMut(&Name) -> Name) {
        for (name, _) in &mut self.0 {
            *name = intern(name);
        }
        self.0.shrink_to_fit();
    }
}

impl FromIterator<(Name, AttributeValue)> for Item {
    fn from_iter<I: IntoIterator<Item = (Name, AttributeValue)>>(attributes: I) -> Self {
        let mut item = Self::new();
        for (name, value) in attributes {
            item.set(name, value);
        }
        item
    }
}

impl<'a> IntoIterator for &'a Item {
    type Item = &'a (Name, AttributeValue);
    type IntoIter = std::slice::Iter<'a, (Name, AttributeValue)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
