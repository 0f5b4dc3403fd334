//! Document paths: `a.b[0]`, resolved, comparable, and followed into an item.

use crate::diagnostic::Span;
use crate::value::{AttributeValue, Item, Name};
use std::cmp::Ordering;

/// One element of a path after the first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// Into a map.
    Name(Name),
    /// Into a list.
    Index(usize),
}

/// A top-level attribute and the way down from it.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub top: Name,
    pub rest: Vec<Step>,
    pub span: Span,
}

/// How two targets of one update, or two parts of one projection, get in each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Collision {
    /// One is the other, or lies inside it.
    Overlap,
    /// The same node is taken for a map here and for a list there.
    Conflict,
}

impl Path {
    /// The value at the end of the path.
    pub(super) fn find<'a>(&self, item: &'a Item) -> Option<&'a AttributeValue> {
        let mut value = item.get(&self.top)?;
        for step in &self.rest {
            value = match (step, value) {
                (Step::Name(name), AttributeValue::M(map)) => map.get(name)?,
                (Step::Index(index), AttributeValue::L(list)) => list.get(*index)?,
                _ => return None,
            };
        }
        Some(value)
    }

    /// Do both name the same place?
    pub(super) fn same_place(&self, other: &Self) -> bool {
        self.top == other.top && self.rest == other.rest
    }

    /// Order of places: parents first, lists by index.
    pub(super) fn compare_place(&self, other: &Self) -> Ordering {
        self.top.cmp(&other.top).then_with(|| self.rest.cmp(&other.rest))
    }

    /// Do the two get in each other's way?
    pub(super) fn collision(&self, other: &Self) -> Option<Collision> {
        if self.top != other.top {
            return None;
        }
        for (mine, theirs) in self.rest.iter().zip(&other.rest) {
            match (mine, theirs) {
                (Step::Name(_), Step::Index(_)) | (Step::Index(_), Step::Name(_)) => return Some(Collision::Conflict),
                _ if mine != theirs => return None,
                _ => {}
            }
        }
        Some(Collision::Overlap)
    }

    /// As a person writes it: `a.b[0]`.
    pub(super) fn written(&self) -> String {
        let mut text = self.top.to_string();
        for step in &self.rest {
            match step {
                Step::Name(name) => {
                    text.push('.');
                    text.push_str(name);
                }
                Step::Index(index) => push_index(&mut text, *index),
            }
        }
        text
    }

    /// As the service's complaints print it: `[a, b, [0]]`.
    pub(super) fn listed(&self) -> String {
        let mut text = String::from("[");
        text.push_str(&self.top);
        for step in &self.rest {
            text.push_str(", ");
            match step {
                Step::Name(name) => text.push_str(name),
                Step::Index(index) => push_index(&mut text, *index),
            }
        }
        text.push(']');
        text
    }
}

fn push_index(text: &mut String, index: usize) {
    text.push('[');
    text.push_str(&index.to_string());
    text.push(']');
}

/// Top-level names with the place of their first mention, in the order of mention.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentions(Vec<Mention>);

#[derive(Clone, Debug)]
struct Mention {
    name: Name,
    first: Span,
    /// The first path that goes on below the name.
    first_nested: Option<Span>,
}

impl Mentions {
    pub(super) fn add(&mut self, path: &Path) {
        let nested = (!path.rest.is_empty()).then_some(path.span);
        match self.0.iter_mut().find(|mention| mention.name == path.top) {
            Some(mention) => mention.first_nested = mention.first_nested.or(nested),
            None => self.0.push(Mention { name: path.top.clone(), first: path.span, first_nested: nested }),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Span)> {
        self.0.iter().map(|mention| (&*mention.name, mention.first))
    }

    /// Names that some path goes on below.
    pub(super) fn nested(&self) -> impl Iterator<Item = (&str, Span)> {
        self.0.iter().filter_map(|mention| Some((&*mention.name, mention.first_nested?)))
    }
}
