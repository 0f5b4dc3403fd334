//! Parts of items: the tree that several paths make together, picked out of an item or filled with values.
//!
//! Chosen elements of a list keep their order but close up: of `a[0], a[2]` comes a list of two.

use super::path::{Path, Step};
use crate::value::{AttributeValue, Item, Name};

/// A tree of steps; `T` stands where a path ends.
#[derive(Clone, Debug)]
pub(super) enum Tree<T> {
    Branch(Vec<(Step, Tree<T>)>),
    Leaf(T),
}

impl<T> Tree<T> {
    pub(super) const fn new() -> Self {
        Self::Branch(Vec::new())
    }

    /// Adds a path. Paths of one tree neither overlap nor conflict; one that did would replace its like.
    pub(super) fn add(&mut self, path: &Path, leaf: T) {
        let mut node = self;
        for step in std::iter::once(&Step::Name(path.top.clone())).chain(&path.rest) {
            if matches!(node, Self::Leaf(_)) {
                *node = Self::new();
            }
            let Self::Branch(children) = node else { return };
            let at = match children.binary_search_by(|(own, _)| own.cmp(step)) {
                Ok(at) => at,
                Err(at) => {
                    children.insert(at, (step.clone(), Self::new()));
                    at
                }
            };
            node = &mut children[at].1;
        }
        *node = Self::Leaf(leaf);
    }
}

impl Tree<()> {
    /// The parts of the item that the tree's paths lead to; paths that lead nowhere are skipped.
    pub(super) fn pick(&self, item: &Item) -> Item {
        match self {
            Self::Branch(children) => pick_members(children, item).collect(),
            Self::Leaf(()) => item.clone(),
        }
    }

    fn pick_value(&self, value: &AttributeValue) -> Option<AttributeValue> {
        let Self::Branch(children) = self else { return Some(value.clone()) };
        match value {
            AttributeValue::M(map) => {
                let picked: Item = pick_members(children, map).collect();
                (!picked.is_empty()).then_some(AttributeValue::M(picked))
            }
            AttributeValue::L(list) => {
                let picked: Vec<AttributeValue> = children
                    .iter()
                    .filter_map(|(step, child)| match step {
                        Step::Index(index) => list.get(*index).and_then(|element| child.pick_value(element)),
                        Step::Name(_) => None,
                    })
                    .collect();
                (!picked.is_empty()).then_some(AttributeValue::L(picked))
            }
            _ => None,
        }
    }
}

fn pick_members(children: &[(Step, Tree<()>)], map: &Item) -> impl Iterator<Item = (Name, AttributeValue)> {
    children.iter().filter_map(|(step, child)| match step {
        Step::Name(name) => Some((name.clone(), child.pick_value(map.get(name)?)?)),
        Step::Index(_) => None,
    })
}

impl Tree<AttributeValue> {
    /// An item that holds the tree's values at the ends of its paths and nothing else.
    pub(super) fn into_item(self) -> Item {
        match self.into_value() {
            AttributeValue::M(item) => item,
            _ => Item::new(),
        }
    }

    fn into_value(self) -> AttributeValue {
        match self {
            Self::Leaf(value) => value,
            Self::Branch(children) if matches!(children.first(), Some((Step::Index(_), _))) => {
                AttributeValue::L(children.into_iter().map(|(_, child)| child.into_value()).collect())
            }
            Self::Branch(children) => AttributeValue::M(
                children
                    .into_iter()
                    .filter_map(|(step, child)| match step {
                        Step::Name(name) => Some((name, child.into_value())),
                        Step::Index(_) => None,
                    })
                    .collect(),
            ),
        }
    }
}
