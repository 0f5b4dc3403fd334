//! Which keys a stream asks for: one template or several with weights, checked against the key of a table or index.

use super::prng::mix;
use super::template::{Moment, Template};
use crate::diagnostic::Failure;
use crate::partition::placement::ring_hash;
use crate::table::{KeyAttribute, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES, check_key_lengths};
use crate::value::{AttributeValue, NumberFault, ValueType};

/// Weighted keys of a stream.
const MAX_KEYS: usize = 1000;

/// A template, with all its keys if they repeat soon.
#[derive(Clone, Debug)]
pub(super) struct Source {
    template: Template,
    value_type: ValueType,
    /// Hashes and keys in the order of the requests.
    cycle: Vec<(u64, AttributeValue)>,
}

impl Source {
    /// A template whose keys need not be kept.
    pub(super) fn parse(member: &str, text: &str, value_type: ValueType) -> Result<Self, Failure> {
        let template =
            Template::parse(text).map_err(|fault| Failure::validation(fault.message).at(member, fault.span))?;
        Ok(Self { template, value_type, cycle: Vec::new() })
    }

    /// The template of a partition key.
    fn partition(text: &str, key: &KeyAttribute) -> Result<Self, Failure> {
        Self::of_key("key", text, key, MAX_PARTITION_KEY_BYTES)
    }

    /// The template of a key attribute with at most so many bytes; if its values repeat soon, they are kept.
    pub(super) fn of_key(member: &str, text: &str, key: &KeyAttribute, most: usize) -> Result<Self, Failure> {
        let mut source = Self::parse(member, text, key.value_type)?;
        source.check_first(key, most)?;
        for text in source.template.keys().unwrap_or_default() {
            let value = key_value(key.value_type, &text)?;
            source.cycle.push((ring_hash(&value), value));
        }
        Ok(source)
    }

    /// The template of a sort key.
    pub(super) fn sort(text: &str, key: &KeyAttribute) -> Result<Self, Failure> {
        let source = Self::parse("sort", text, key.value_type)?;
        source.check_first(key, MAX_SORT_KEY_BYTES)?;
        Ok(source)
    }

    fn check_first(&self, key: &KeyAttribute, most: usize) -> Result<(), Failure> {
        let first = self.template.expand(0, 0, 0);
        key_value(key.value_type, &first)?;
        if first.is_empty() {
            return Err(Failure::validation(format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                 empty string value. Key: {}",
                key.name
            )));
        }
        if most == MAX_SORT_KEY_BYTES { check_key_lengths(0, first.len()) } else { check_key_lengths(first.len(), 0) }
    }

    /// The key of a request.
    pub(super) fn value(&self, of: Moment) -> AttributeValue {
        if self.cycle.is_empty() {
            let mut text = String::new();
            self.template.expand_into(&mut text, of);
            key_value(self.value_type, &text).unwrap_or(AttributeValue::S(text))
        } else {
            self.cycle[(of.number % self.cycle.len() as u64) as usize].1.clone()
        }
    }

    /// Billed bytes of the value.
    pub(super) fn size(&self, of: Moment) -> u64 {
        if self.cycle.is_empty() {
            self.value(of).size_bytes() as u64
        } else {
            self.cycle[(of.number % self.cycle.len() as u64) as usize].1.size_bytes() as u64
        }
    }

    fn hash(&self, of: Moment) -> u64 {
        if self.cycle.is_empty() {
            ring_hash(&self.value(of))
        } else {
            self.cycle[(of.number % self.cycle.len() as u64) as usize].0
        }
    }
}

/// The partition keys of a stream.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    sources: Vec<Source>,
    /// Weights added up; empty if there is one source only.
    sums: Vec<u64>,
}

impl Keys {
    /// One template, or weighted ones if `weighted` holds any.
    pub(super) fn new(text: &str, weighted: &[(String, u64)], key: &KeyAttribute) -> Result<Self, Failure> {
        if weighted.is_empty() {
            return Ok(Self { sources: vec![Source::partition(text, key)?], sums: Vec::new() });
        }
        if !text.is_empty() {
            return Err(Failure::validation("traffic has a `key` or weighted `keys`, not both"));
        }
        if weighted.len() > MAX_KEYS {
            return Err(Failure::validation(format!("at most {MAX_KEYS} keys have weights; try a template")));
        }
        let (mut sources, mut sums, mut total) = (Vec::new(), Vec::new(), 0_u64);
        for (text, weight) in weighted {
            sources.push(Source::partition(text, key)?);
            total = total.checked_add(*weight).ok_or_else(|| Failure::validation("the weights are too large"))?;
            sums.push(total);
        }
        if total == 0 {
            return Err(Failure::validation("at least one key needs a weight above 0"));
        }
        Ok(Self { sources, sums })
    }

    fn source(&self, of: Moment) -> &Source {
        /// Keeps the choice apart from what templates draw.
        const CHOICE: u64 = 1 << 32;
        let total = self.sums.last().map_or(0, |total| u128::from(*total));
        if total == 0 {
            return &self.sources[0];
        }
        let drawn = ((u128::from(mix(of.lane(), CHOICE, 0)) * total) >> 64) as u64;
        &self.sources[self.sums.partition_point(|sum| *sum <= drawn)]
    }

    /// The key of a request.
    pub(super) fn value(&self, of: Moment) -> AttributeValue {
        self.source(of).value(of)
    }

    /// The hash of it.
    pub(super) fn hash(&self, of: Moment) -> u64 {
        self.source(of).hash(of)
    }

    /// After how many requests the keys repeat, if they do soon.
    pub(super) fn period(&self) -> Option<u64> {
        if self.sums.is_empty() { self.sources[0].template.period() } else { None }
    }
}

fn key_value(value_type: ValueType, text: &str) -> Result<AttributeValue, Failure> {
    match value_type {
        ValueType::N => match text.parse() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(fault) => Err(Failure::validation(NumberFault::message(fault, text))),
        },
        ValueType::B => Ok(AttributeValue::B(text.as_bytes().to_vec())),
        _ => Ok(AttributeValue::S(text.to_owned())),
    }
}
