//! The throttle log: one line for each second, partition, reason and key, with a count.

use super::Place;
use crate::capacity::Reason;
use crate::partition::PartitionId;
use crate::time::SimTime;
use crate::value::AttributeValue;
use serde::Serialize;
use std::collections::VecDeque;

/// Lines kept.
const CAPACITY: usize = 400;
/// Lines looked back over for one to add to.
const LOOK_BACK: usize = 16;

/// Refusals of one kind within one second.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogEntry {
    /// The first of them.
    pub at: SimTime,
    /// Place of the table in the database.
    pub slot: usize,
    /// Place of the arm in the table.
    pub arm: usize,
    /// The partition.
    pub partition: PartitionId,
    /// Why.
    pub reason: Reason,
    /// The key, if it is known.
    pub key: Option<AttributeValue>,
    #[serde(skip)]
    hash: u64,
    /// How many.
    pub count: u64,
}

/// Refusals, newest last.
#[derive(Clone, Debug, Default)]
pub struct ThrottleLog {
    entries: VecDeque<LogEntry>,
}

impl ThrottleLog {
    /// Forgets an index that is gone; those behind it have moved up a place.
    pub(super) fn remove_arm(&mut self, slot: usize, arm: usize) {
        self.entries.retain(|entry| (entry.slot, entry.arm) != (slot, arm));
        for entry in self.entries.iter_mut().filter(|entry| entry.slot == slot && entry.arm > arm) {
            entry.arm -= 1;
        }
    }

    pub(super) fn record(
        &mut self,
        place: Place,
        at: SimTime,
        reason: Reason,
        hash: u64,
        key: impl FnOnce() -> Option<AttributeValue>,
    ) {
        let same = self.entries.iter_mut().rev().take(LOOK_BACK).find(|entry| {
            entry.hash == hash
                && entry.at.second() == at.second()
                && entry.partition == place.partition
                && entry.reason == reason
                && (entry.slot, entry.arm) == (place.slot, place.arm)
        });
        if let Some(entry) = same {
            entry.count += 1;
            return;
        }
        if self.entries.len() == CAPACITY {
            self.entries.pop_front();
        }
        let Place { slot, arm, partition } = place;
        self.entries.push_back(LogEntry { at, slot, arm, partition, reason, key: key(), hash, count: 1 });
    }

    /// Lines, newest first.
    pub fn newest(&self) -> impl Iterator<Item = &LogEntry> {
        self.entries.iter().rev()
    }
}
