//! Generated requests, in the order of (time, stream, number).

use super::{Session, State};
use crate::capacity::{Reason, Resource, Side};
use crate::metrics::Place;
use crate::time::SimTime;

impl Session {
    pub(super) fn next_arrival(&self) -> Option<(SimTime, usize)> {
        let arrivals = self.state.streams.iter().enumerate();
        arrivals.filter_map(|(at, stream)| Some((stream.next_arrival()?, at))).min()
    }

    pub(super) fn run_events(&mut self, budget: u64, until: SimTime) -> u64 {
        let mut events = 0;
        while events < budget {
            let Some((at, stream)) = self.next_arrival().filter(|(at, _)| *at < until) else { break };
            self.state.now = self.state.now.max(at);
            self.generate(stream);
            events += 1;
        }
        events
    }

    /// One generated request: the same admission, charge and counts as a typed one, but no stored item.
    fn generate(&mut self, at: usize) {
        let seed = self.scenario.seed;
        let State { database, now, streams, metrics } = &mut self.state;
        let (now, stream) = (*now, &mut streams[at]);
        let (k, hash) = stream.take(seed, at as u64);
        let (side, cost) = stream.cost();
        let slot = stream.slot;
        let stream = &*stream;
        let key = || Some(stream.key_of(seed, at as u64, k));
        let table = database.table_mut(slot);
        let arm = table.base_mut();
        let partition = arm.partitions.find(&hash.to_be_bytes());
        let empties = arm.empty_limits(partition, side, now);
        let place = Place { slot, arm: 0, partition: arm.partitions.get(partition).id };
        match empties.iter().next() {
            None => {
                arm.charge(partition, side, cost, now);
                if side == Side::Write {
                    arm.bytes += stream.stream.item_bytes;
                    arm.partitions.get_mut(partition).bytes += stream.stream.item_bytes;
                }
                metrics.accepted(place, now, side, cost, hash, key);
            }
            Some(cause) => {
                let reason = Reason { resource: Resource::Table, side, cause };
                metrics.refused(place, now, reason, hash, key);
            }
        }
    }
}
