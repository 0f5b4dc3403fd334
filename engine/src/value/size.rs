//! Billed sizes. Rules: Developer Guide, "DynamoDB item sizes and formats".

use super::{AttributeValue, Item};

/// Largest item: 400 KB, names included. Developer Guide, "Quotas", *Items*.
pub const MAX_ITEM_BYTES: usize = 400 * 1024;

/// Deepest nesting of lists and maps. Developer Guide, "Quotas", *Nested attributes*.
pub const MAX_NESTING_LEVELS: usize = 32;

impl AttributeValue {
    /// Billed bytes of the value, its name not counted.
    pub fn size_bytes(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number.size_bytes(),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::M(map) => 3 + map.iter().map(|(name, value)| 1 + name.len() + value.size_bytes()).sum::<usize>(),
            Self::L(list) => 3 + list.iter().map(|value| 1 + value.size_bytes()).sum::<usize>(),
            Self::Ss(set) => set.iter().map(String::len).sum(),
            Self::Ns(set) => set.iter().map(|number| number.size_bytes()).sum(),
            Self::Bs(set) => set.iter().map(Vec::len).sum(),
        }
    }

    /// Levels of lists and maps: 0 for a scalar, 1 for a list of scalars.
    pub fn nesting_levels(&self) -> usize {
        match self {
            Self::M(map) => 1 + map.iter().map(|(_, value)| value.nesting_levels()).max().unwrap_or(0),
            Self::L(list) => 1 + list.iter().map(Self::nesting_levels).max().unwrap_or(0),
            _ => 0,
        }
    }
}

impl Item {
    /// Billed bytes: names and values of all attributes.
    pub fn size_bytes(&self) -> usize {
        self.iter().map(|(name, value)| name.len() + value.size_bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_pay_for_their_structure() {
        let empty = AttributeValue::M(Item::new());
        assert_eq!(empty.size_bytes(), 3);
        let list = AttributeValue::L(vec![AttributeValue::Bool(true), AttributeValue::from("ab")]);
        assert_eq!(list.size_bytes(), 3 + (1 + 1) + (1 + 2));
        let mut inner = Item::new();
        inner.set("k", AttributeValue::from("v"));
        let map = AttributeValue::M(inner);
        assert_eq!(map.size_bytes(), 3 + 1 + 1 + 1);
        assert_eq!(AttributeValue::L(vec![map]).nesting_levels(), 2);
    }
}
