//! A stream: many requests of one kind, at a rate, with keys by a template.

use super::template::Template;
use crate::capacity::{Consistency, HalfUnits, Side, read_cost, write_cost};
use crate::diagnostic::Failure;
use crate::partition::placement::ring_hash;
use crate::table::KeyAttribute;
use crate::time::SimTime;
use crate::value::{AttributeValue, ValueType};
use serde::{Deserialize, Serialize};

/// What each request of a stream does. Generated requests are metered: they meet admission, are charged and
/// counted and their bytes are counted, and they leave the stored items alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum StreamOperation {
    /// A PutItem of `item_bytes`.
    #[default]
    PutItem,
    /// A GetItem that finds `item_bytes`.
    GetItem,
}

/// Traffic as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// The table it goes to.
    pub table: String,
    /// What each request does.
    #[serde(default)]
    pub operation: StreamOperation,
    /// Template of the partition key.
    pub key: String,
    /// Billed size of the item written or found, in bytes.
    #[serde(default = "default_item_bytes")]
    pub item_bytes: u64,
    /// Requests a second.
    pub rate_per_second: u64,
    /// Strongly consistent reads?
    #[serde(default)]
    pub consistent: bool,
    /// First request; the moment the stream is set if that is later.
    #[serde(default)]
    pub start: SimTime,
    /// No request at or after this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<SimTime>,
}

const fn default_item_bytes() -> u64 {
    1024
}

/// More than this no one needs to see, and more would stall the page.
pub const MAX_RATE_PER_SECOND: u64 = 1_000_000;

/// A stream at work: compiled, with the number of its next request.
#[derive(Clone, Debug)]
pub struct RunningStream {
    /// As it was set.
    pub stream: Stream,
    /// Place of its table in the database.
    pub slot: usize,
    template: Template,
    key_type: ValueType,
    start: SimTime,
    next: u64,
    /// Keys and hashes of a template that repeats soon.
    cycle: Vec<(u64, AttributeValue)>,
}

impl RunningStream {
    /// Compiles a stream for a table whose partition key is `key`.
    ///
    /// # Errors
    /// A template, rate, size or key the table could not take, in words for the person who typed it.
    pub fn new(stream: Stream, slot: usize, key: &KeyAttribute, now: SimTime) -> Result<Self, Failure> {
        let template =
            Template::parse(&stream.key).map_err(|fault| Failure::validation(fault.message).at("key", fault.span))?;
        if stream.rate_per_second > MAX_RATE_PER_SECOND {
            return Err(Failure::validation(format!(
                "a rate of {} requests a second is more than the {MAX_RATE_PER_SECOND} that can be simulated",
                stream.rate_per_second
            )));
        }
        if stream.item_bytes > crate::value::MAX_ITEM_BYTES as u64 {
            return Err(Failure::validation("Item size has exceeded the maximum allowed size"));
        }
        let first = template.expand(0, 0, 0);
        key_value(key.value_type, &first)?;
        if first.is_empty() {
            return Err(Failure::validation(format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                 empty string value. Key: {}",
                key.name
            )));
        }
        if first.len() > crate::table::MAX_PARTITION_KEY_BYTES {
            return Err(Failure::validation(
                "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
            ));
        }
        let mut cycle = Vec::new();
        for text in template.keys().unwrap_or_default() {
            let value = key_value(key.value_type, &text)?;
            cycle.push((ring_hash(&value), value));
        }
        let start = stream.start.max(now);
        Ok(Self { slot, template, key_type: key.value_type, start, next: 0, cycle, stream })
    }

    /// When the next request arrives, if there is one.
    pub fn next_arrival(&self) -> Option<SimTime> {
        if self.stream.rate_per_second == 0 {
            return None;
        }
        let micros = u128::from(self.next) * u128::from(SimTime::SECOND) / u128::from(self.stream.rate_per_second);
        let at = self.start + u64::try_from(micros).unwrap_or(u64::MAX);
        (self.stream.end.is_none_or(|end| at < end) && at < SimTime::MAX).then_some(at)
    }

    /// Which budget its requests draw on, and what one costs.
    pub const fn cost(&self) -> (Side, HalfUnits) {
        match self.stream.operation {
            StreamOperation::PutItem => (Side::Write, write_cost(self.stream.item_bytes)),
            StreamOperation::GetItem => {
                let consistency = if self.stream.consistent { Consistency::Strong } else { Consistency::Eventual };
                (Side::Read, read_cost(self.stream.item_bytes, consistency))
            }
        }
    }

    /// Takes the next request: its number and the hash of its key.
    pub fn take(&mut self, seed: u64, stream: u64) -> (u64, u64) {
        let k = self.next;
        self.next += 1;
        if self.cycle.is_empty() {
            (k, ring_hash(&self.key_of(seed, stream, k)))
        } else {
            (k, self.cycle[(k % self.cycle.len() as u64) as usize].0)
        }
    }

    /// The key of request `k`.
    pub fn key_of(&self, seed: u64, stream: u64, k: u64) -> AttributeValue {
        if self.cycle.is_empty() {
            let text = self.template.expand(seed, stream, k);
            key_value(self.key_type, &text).unwrap_or(AttributeValue::S(text))
        } else {
            self.cycle[(k % self.cycle.len() as u64) as usize].1.clone()
        }
    }

    /// How many requests have arrived.
    pub const fn arrived(&self) -> u64 {
        self.next
    }
}

fn key_value(value_type: ValueType, text: &str) -> Result<AttributeValue, Failure> {
    match value_type {
        ValueType::N => match text.parse() {
            Ok(number) => Ok(AttributeValue::N(number)),
            Err(fault) => Err(Failure::validation(crate::value::NumberFault::message(fault, text))),
        },
        ValueType::B => Ok(AttributeValue::B(text.as_bytes().to_vec())),
        _ => Ok(AttributeValue::S(text.to_owned())),
    }
}
