//! How a metered Scan goes through partitions whose items nobody stored.

use crate::partition::{PartitionMap, Visit};

/// One past the last place of the ring.
const RING: u128 = 1 << 64;

/// A page from a place of the ring up to `end`: partitions visited with the bytes read in each, and where the next page
/// begins, if there is one. It holds `most` bytes if there are so many; what a partition holds is taken to be spread
/// evenly over its range.
pub(super) fn walk(partitions: &PartitionMap, from: u64, end: u128, most: u64) -> (Vec<Visit>, Option<u64>) {
    let start_of = |at: usize| u128::from(partitions.get(at).start_hash());
    let stop_of = |at: usize| if at + 1 < partitions.len() { start_of(at + 1) } else { RING };
    let mut here = u128::from(from);
    let mut at = partitions.find(&from.to_be_bytes());
    // A range that ends at this very place has been read.
    if stop_of(at) <= here && at + 1 < partitions.len() {
        at += 1;
    }
    let (mut visits, mut left) = (Vec::new(), most);
    loop {
        let (bytes, width) = (u128::from(partitions.get(at).bytes), stop_of(at) - start_of(at));
        let upto = stop_of(at).min(end);
        // A range within one collection has no width; it is read as a whole.
        // Rounded to the nearest byte, since places were rounded before.
        let unread = (bytes * upto.saturating_sub(here) + width / 2).checked_div(width).unwrap_or(bytes);
        if unread > u128::from(left) && width > 0 {
            visits.push(Visit { at, bytes: left });
            // At least one step, so that it comes to an end.
            here += (u128::from(left) * width / bytes).max(1);
            return (visits, Some(here).filter(|here| *here < end).map(|here| here as u64));
        }
        visits.push(Visit { at, bytes: unread as u64 });
        left = left.saturating_sub(unread as u64);
        here = upto;
        let is_last = at + 1 >= partitions.len() || start_of(at + 1) >= end;
        if is_last {
            return (visits, None);
        }
        // No place of the ring lies between a range without width and the next.
        if left == 0 && width > 0 {
            return (visits, Some(here as u64));
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::Physics;
    use crate::time::SimTime;

    fn map(bytes: &[u64]) -> PartitionMap {
        let mut map = PartitionMap::even(bytes.len(), &Physics::default(), SimTime::ZERO);
        for (at, bytes) in bytes.iter().enumerate() {
            map.get_mut(at).bytes = *bytes;
        }
        map
    }

    /// Pages of a whole walk: places and bytes.
    fn pages(map: &PartitionMap, (begin, end): (u64, u128), most: u64) -> Vec<Vec<(usize, u64)>> {
        let (mut from, mut pages) = (Some(begin), Vec::new());
        while let Some(at) = from {
            let (visits, next) = walk(map, at, end, most);
            pages.push(visits.iter().map(|visit| (visit.at, visit.bytes)).collect());
            from = next;
        }
        pages
    }

    #[test]
    fn pages_follow_each_other_through_all_partitions() {
        let uneven = map(&[100, 0, 250, 50]);
        let expected: [&[(usize, u64)]; 4] = [&[(0, 100)], &[(1, 0), (2, 100)], &[(2, 100)], &[(2, 50), (3, 50)]];
        assert_eq!(pages(&uneven, (0, RING), 100), expected);
        assert_eq!(pages(&uneven, (0, RING), 1000), [[(0, 100), (1, 0), (2, 250), (3, 50)]]);
        assert_eq!(pages(&map(&[0, 0]), (0, RING), 1), [[(0, 0), (1, 0)]], "an empty table is one page");
    }

    #[test]
    fn segments_share_the_ring_not_the_bytes() {
        let uneven = map(&[100, 0, 250, 50]);
        let half = |bounds| pages(&uneven, bounds, 1000).concat();
        assert_eq!(half((0, RING / 2)), [(0, 100), (1, 0)]);
        assert_eq!(half((1 << 63, RING)), [(2, 250), (3, 50)]);
        assert_eq!(half((1 << 61, RING / 4)), [(0, 50)], "half of a partition");
    }

    #[test]
    fn what_lies_within_one_collection_is_read_once() {
        let mut cut = map(&[300, 100]);
        // Two cuts inside one collection: a range before it, one within, one from it on.
        let inside = |sort: u8| [&(1_u64 << 61).to_be_bytes()[..], &[sort]].concat();
        cut.split(0, &inside(7), |_, _| (0, 0));
        cut.split(1, &inside(9), |_, _| (0, 0));
        for most in [10, 60, 100, 1000] {
            let read: Vec<(usize, u64)> = pages(&cut, (0, RING), most).concat();
            assert_eq!(read.iter().map(|(_, bytes)| bytes).sum::<u64>(), 400, "{most}");
            assert!(read.is_sorted_by_key(|(at, _)| *at));
        }
    }
}
