//! What happened while a request was answered, as plain data: the request X-ray reads it, metrics count it.

use crate::capacity::{HalfUnits, Refusal, Side};
use crate::partition::{PartitionId, Reader, StopReason};
use crate::time::SimTime;
use crate::value::{AttributeValue, Item};
use serde::Serialize;
use std::sync::Arc;

/// The steps of one request. Which ones there are depends on the operation and on how far it came.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trace {
    /// When it was answered.
    pub at: SimTime,
    /// Table it spoke of; of several the last.
    pub table: String,
    /// Index it spoke of.
    pub index: Option<String>,
    /// Which replica answered, if it read.
    pub reader: Reader,
    /// Keys that were hashed, and where they led.
    pub routes: Vec<Route>,
    /// What a Query or Scan read.
    pub read: Option<ReadTrace>,
    /// Did the condition hold, if there was one?
    pub condition: Option<bool>,
    /// Units taken, by arm and partition.
    pub charges: Vec<Charge>,
    /// What it changed about tables, for those who go by their places.
    #[serde(skip)]
    pub reshaped: Option<Reshaped>,
    /// Requests (or parts of a batch) turned away for want of capacity.
    pub refusals: Vec<RefusedPart>,
}

/// A table, by its place in the database, that is not what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reshaped {
    /// It is gone.
    Removed(usize),
    /// A global index is added behind the others.
    IndexAdded(usize),
    /// The global index at this place among its arms is gone.
    IndexRemoved(usize, usize),
}

/// A partition key on its way: value, hash, partition.
#[derive(Clone, Debug, Serialize)]
pub struct Route {
    /// The index, or `None` for the table.
    pub index: Option<String>,
    /// The partition key's value.
    pub key: AttributeValue,
    /// Its hash.
    pub hash: u64,
    /// Where it lies.
    pub partition: PartitionId,
}

/// Units taken from one partition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Charge {
    /// Place of the table in the database.
    #[serde(skip)]
    pub slot: usize,
    /// Place of the arm in its table: 0 is the table, then global indexes by name.
    pub arm: usize,
    /// The partition.
    pub partition: PartitionId,
    /// Read or write.
    pub side: Side,
    /// How much.
    pub cost: HalfUnits,
    /// Which of the trace's routes led there; `None` for a Scan, which no key leads.
    pub route: Option<usize>,
}

/// One refusal, at one partition.
#[derive(Clone, Debug, Serialize)]
pub struct RefusedPart {
    /// Place of the table in the database.
    #[serde(skip)]
    pub slot: usize,
    /// Place of the arm in its table.
    pub arm: usize,
    /// The partition.
    pub partition: PartitionId,
    /// Read or write.
    pub side: Side,
    /// The partition key that was turned away: the index's own at an index.
    pub key: Option<AttributeValue>,
    /// All empty limits.
    pub refusal: Refusal,
}

/// What a page of a Query or Scan went through.
#[derive(Clone, Debug, Serialize)]
pub struct ReadTrace {
    /// Items read, in reading order, and whether the filter kept them.
    pub evaluated: Vec<Evaluated>,
    /// Their billed bytes.
    pub bytes: u64,
    /// Why the page ended.
    pub stop: StopReason,
    /// Partitions visited, in reading order.
    pub partitions: Vec<PartitionId>,
    /// The whole charge.
    pub cost: HalfUnits,
}

/// One item read.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluated {
    /// The item, or the entry of the index.
    pub item: Arc<Item>,
    /// Billed bytes.
    pub bytes: u64,
    /// Did it pass the filter?
    pub kept: bool,
    /// Where it was read from.
    pub partition: PartitionId,
}
