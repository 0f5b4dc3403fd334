//! One page of a Query or Scan: items in order until Limit, 1 MB or the end, and what each partition pays.
//!
//! Rules: Developer Guide, "Paginating table query results"; facts on the exact 1 MB mark: the item that
//! crosses it is still read.

use super::placement::after_prefix;
use super::{Reader, Table};
use crate::capacity::{Consistency, HalfUnits, READ_BLOCK_BYTES};
use crate::value::{Item, KeyBytes};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

/// Where a page is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadTarget {
    /// The base table.
    Base,
    /// A global index, by its place in `Table::arms`.
    Global(usize),
    /// A local index, by its place in `Table::locals`.
    Local(usize),
}

impl ReadTarget {
    /// The arm that is charged.
    pub const fn arm(self) -> usize {
        match self {
            Self::Base | Self::Local(_) => 0,
            Self::Global(arm) => arm,
        }
    }
}

/// A range of positions: from `lower` (inclusive) up to `upper` (exclusive, `None` = the end of the ring).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Inclusive.
    pub lower: Vec<u8>,
    /// Exclusive.
    pub upper: Option<Vec<u8>>,
}

impl Bounds {
    /// Everything.
    pub const fn all() -> Self {
        Self { lower: Vec::new(), upper: None }
    }

    /// Everything that starts with `prefix`.
    pub fn prefix(prefix: Vec<u8>) -> Self {
        let upper = after_prefix(&prefix);
        Self { lower: prefix, upper }
    }

    /// Segment `segment` of `total` even ranges of the ring (parallel Scan).
    pub fn segment(segment: u64, total: u64) -> Self {
        let start = |at: u64| ((u128::from(at) << 64) / u128::from(total.max(1))) as u64;
        let upper = if segment + 1 >= total { None } else { Some(start(segment + 1).to_be_bytes().to_vec()) };
        Self { lower: start(segment).to_be_bytes().to_vec(), upper }
    }

    /// Does the range hold `position`?
    pub fn holds(&self, position: &[u8]) -> bool {
        *self.lower <= *position && self.upper.as_deref().is_none_or(|upper| position < upper)
    }
}

/// What to read.
#[derive(Clone, Debug)]
pub struct PageRequest {
    /// Table or index.
    pub target: ReadTarget,
    /// The range of positions.
    pub bounds: Bounds,
    /// Ascending or descending.
    pub forward: bool,
    /// Read on strictly after this position (ExclusiveStartKey).
    pub start_after: Option<KeyBytes>,
    /// At most so many items.
    pub limit: Option<usize>,
    /// Stop when so many bytes have been read.
    pub page_bytes: u64,
}

/// Why a page ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// `Limit` items were read.
    Limit,
    /// 1 MB was read.
    PageSize,
    /// Nothing is left.
    EndOfData,
}

/// One item or index entry read.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The item, or the projected entry.
    pub item: Arc<Item>,
    /// Its billed bytes.
    pub bytes: u64,
    /// Place in ring order of the partition it was read from.
    pub at: usize,
}

/// One partition visited, empty ones too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Place in ring order.
    pub at: usize,
    /// Bytes read there.
    pub bytes: u64,
}

/// Items read, in order, before any filter.
#[derive(Clone, Debug)]
pub struct Page {
    /// In reading order.
    pub entries: Vec<Entry>,
    /// In reading order; never empty.
    pub visits: Vec<Visit>,
    /// Sum of the entries' bytes.
    pub bytes: u64,
    /// Why it ended.
    pub stop: StopReason,
}

impl Page {
    /// What each visited partition is charged: [`charges`].
    pub fn charges(&self, consistency: Consistency) -> Vec<(usize, HalfUnits)> {
        charges(&self.visits, consistency)
    }
}

/// What each visited partition is charged: the 4 KB blocks that begin there, at least one.
///
/// The sum is what the service charges for a page: its bytes rounded up once, and never less than one block for each
/// partition it had to look at.
pub fn charges(visits: &[Visit], consistency: Consistency) -> Vec<(usize, HalfUnits)> {
    let per_block = consistency.half_units_per_block();
    let mut total = 0u64;
    visits
        .iter()
        .map(|visit| {
            let before = total.div_ceil(READ_BLOCK_BYTES);
            total += visit.bytes;
            let blocks = (total.div_ceil(READ_BLOCK_BYTES) - before).max(1);
            (visit.at, HalfUnits(blocks as i64 * per_block))
        })
        .collect()
}

impl Table {
    /// The entries a target reads, as `reader` has them.
    pub fn entries(&self, target: ReadTarget, reader: Reader) -> &BTreeMap<KeyBytes, Arc<Item>> {
        if reader.replica > 0
            && let Some(entries) = self.behind.followers(target)
        {
            return entries;
        }
        match target {
            ReadTarget::Base => &self.base().entries,
            ReadTarget::Global(arm) => &self.arms[arm].entries,
            ReadTarget::Local(at) => &self.locals[at],
        }
    }

    /// All entries in a range, in reading order.
    pub fn range(
        &self,
        (target, reader): (ReadTarget, Reader),
        bounds: &Bounds,
        forward: bool,
        start_after: Option<&KeyBytes>,
    ) -> Box<dyn Iterator<Item = (&KeyBytes, &Arc<Item>)> + '_> {
        let mut lower = Bound::Included(bounds.lower.as_slice());
        let mut upper = bounds.upper.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        if let Some(start) = start_after {
            if !bounds.holds(start) {
                // Outside on the near side: nothing is skipped; on the far side: nothing is left.
                let before = **start < *bounds.lower;
                if before != forward {
                    return Box::new(std::iter::empty());
                }
            } else if forward {
                lower = Bound::Excluded(start);
            } else {
                upper = Bound::Excluded(start);
            }
        }
        let empty = match (&lower, &upper) {
            (Bound::Included(low) | Bound::Excluded(low), Bound::Excluded(high)) => low >= high,
            _ => false,
        };
        if empty {
            return Box::new(std::iter::empty());
        }
        let range = self.entries(target, reader).range::<[u8], _>((lower, upper));
        if forward { Box::new(range) } else { Box::new(range.rev()) }
    }

    /// Reads a page, as `reader` has it.
    pub fn read_page(&self, request: &PageRequest, reader: Reader) -> Page {
        let partitions = &self.arms[request.target.arm()].partitions;
        let (first, last) = self.partition_span(request);
        let mut page = Page {
            entries: Vec::new(),
            visits: vec![Visit { at: first, bytes: 0 }],
            bytes: 0,
            stop: StopReason::EndOfData,
        };
        let mut at = first;
        let walk = |page: &mut Page, at: &mut usize, to: usize| {
            while *at != to {
                *at = if request.forward { *at + 1 } else { *at - 1 };
                page.visits.push(Visit { at: *at, bytes: 0 });
            }
        };
        for (position, item) in
            self.range((request.target, reader), &request.bounds, request.forward, request.start_after.as_ref())
        {
            if !partitions.holds(at, position) {
                walk(&mut page, &mut at, partitions.find(position));
            }
            let bytes = item.size_bytes() as u64;
            page.bytes += bytes;
            if let Some(visit) = page.visits.last_mut() {
                visit.bytes += bytes;
            }
            page.entries.push(Entry { item: item.clone(), bytes, at });
            if request.limit.is_some_and(|limit| page.entries.len() >= limit) {
                page.stop = StopReason::Limit;
                return page;
            }
            if page.bytes >= request.page_bytes {
                page.stop = StopReason::PageSize;
                return page;
            }
        }
        walk(&mut page, &mut at, last);
        page
    }

    /// Place of the partition a page begins at.
    pub fn first_partition(&self, request: &PageRequest) -> usize {
        self.partition_span(request).0
    }

    /// The first and the last partition a page may visit, in reading order.
    fn partition_span(&self, request: &PageRequest) -> (usize, usize) {
        let partitions = &self.arms[request.target.arm()].partitions;
        let low = partitions.find(&request.bounds.lower);
        let high = match &request.bounds.upper {
            None => partitions.len() - 1,
            // The last position before an exclusive bound: a partition starting exactly there is not touched.
            Some(upper) => {
                let at = partitions.find(upper);
                if at > low && *partitions.get(at).start == **upper { at - 1 } else { at }
            }
        };
        let clamp = |at: usize| at.clamp(low.min(high), low.max(high));
        let start = request.start_after.as_ref().map(|start| clamp(partitions.find(start)));
        if request.forward { (start.unwrap_or(low), high) } else { (start.unwrap_or(high), low) }
    }
}
