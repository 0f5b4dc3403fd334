//! Minutes under their CloudWatch names: what an operator sees, in which a second's burst is a sixtieth.
//!
//! Sums of a minute, published when it ends; graphs show sum ÷ 60. Developer Guide, "DynamoDB metrics and
//! dimensions". A minute is counted from the beginning of the scenario. Not modelled: `SuccessfulRequestLatency`,
//! `OnlineIndex…`, and AWS's five-minute period of the provisioned metrics, which stand at every minute here.
//! `ThrottledRequests` is the sum over all operations, and only the table has it.
//!
//! Memory: 64 bytes for each of the last 15 days' minutes that had anything in them, so at most 1.5 MB a table or
//! index, and 1,000 changes of what is provisioned. A request costs one comparison more; sums are taken when its
//! second is left.

use super::Series;
use crate::capacity::{Cause, HalfUnits, Reason, Resource, Side};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// Minutes that are remembered: 15 days, as long as CloudWatch keeps points of one minute.
pub const MINUTES_KEPT: u64 = 15 * 24 * 60;
/// The oldest are forgotten a day at a time, which is cheaper than one by one.
const FORGOTTEN_AT_ONCE: usize = 24 * 60;
/// Counters beside the sums of seconds: two sides × four causes, and the requests.
const COUNTERS: usize = 9;
const REQUESTS: usize = COUNTERS - 1;
const SECONDS: u64 = 60;

/// Both sides, reads first.
const SIDES: [Side; 2] = [Side::Read, Side::Write];

const fn counter(side: Side, cause: Cause) -> usize {
    side as usize * 4 + cause as usize
}

/// The sums of one minute of a table or global index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Minute {
    number: u64,
    /// Half units consumed, reads and writes; throttled reads and writes.
    sums: [u32; 4],
    counters: [u32; COUNTERS],
}

impl Minute {
    /// Which minute since the beginning.
    pub const fn minute(&self) -> u64 {
        self.number
    }

    /// `ConsumedReadCapacityUnits` or `ConsumedWriteCapacityUnits`, the sum.
    pub const fn consumed(&self, side: Side) -> HalfUnits {
        HalfUnits(self.sums[side as usize] as i64)
    }

    /// `ReadThrottleEvents` or `WriteThrottleEvents`: one a request, however many limits were empty; of a batch one
    /// for each part.
    pub const fn throttle_events(&self, side: Side) -> u32 {
        self.sums[2 + side as usize]
    }

    /// `…ThrottleEvents` of one cause. A request that met several empty limits is counted once by each.
    pub const fn cause_events(&self, side: Side, cause: Cause) -> u32 {
        self.counters[counter(side, cause)]
    }

    /// `ThrottledRequests`, once a request; a batch only if all of it was throttled. Zero at an index.
    pub const fn throttled_requests(&self) -> u32 {
        self.counters[REQUESTS]
    }

    fn is_quiet(&self) -> bool {
        self.sums == [0; 4] && self.counters == [0; COUNTERS]
    }

    /// Sums stop at 4 thousand million, far above what a minute of simulated traffic comes to.
    fn add(&mut self, other: &Self) {
        let own = self.sums.iter_mut().chain(&mut self.counters);
        for (sum, more) in own.zip(other.sums.iter().chain(&other.counters)) {
            *sum = sum.saturating_add(*more);
        }
    }
}

/// The latest minutes, oldest first; quiet ones have no place.
#[derive(Clone, Debug, Default)]
pub(super) struct Minutes {
    kept: Vec<Minute>,
    /// The second that is counted now and not in `kept` yet, and its counters.
    second: u64,
    counters: [u32; COUNTERS],
    /// What was provisioned from which minute on.
    provisioned: Vec<(u64, Provisioned)>,
}

/// Provisioned read and write units a second; `None` on demand.
pub type Provisioned = Option<(i64, i64)>;

/// Changes of what is provisioned that are remembered.
const CHANGES_KEPT: usize = 1000;

impl Minutes {
    /// Called before anything of `second` is counted: the second left is put into its minute.
    #[inline]
    pub(super) fn turn(&mut self, second: u64, series: &Series) {
        if second > self.second {
            self.leave(series);
            self.second = second;
        }
    }

    pub(super) fn count_cause(&mut self, side: Side, cause: Cause) {
        self.counters[counter(side, cause)] += 1;
    }

    pub(super) fn count_request(&mut self) {
        self.counters[REQUESTS] += 1;
    }

    fn leave(&mut self, series: &Series) {
        let left = self.running(series);
        self.counters = [0; COUNTERS];
        match self.kept.last_mut() {
            _ if left.is_quiet() => {}
            Some(last) if last.number == left.number => last.add(&left),
            _ => {
                if self.kept.len() >= MINUTES_KEPT as usize + FORGOTTEN_AT_ONCE {
                    self.kept.drain(..FORGOTTEN_AT_ONCE);
                }
                self.kept.push(left);
            }
        }
    }

    /// Notes what is provisioned in `second`. Of a minute in which it changes the last stands.
    pub(super) fn note_provisioned(&mut self, second: u64, units: Provisioned) {
        let minute = second / SECONDS;
        match self.provisioned.last_mut() {
            Some((_, last)) if *last == units => {}
            Some((at, last)) if *at == minute => *last = units,
            _ => {
                if self.provisioned.len() == CHANGES_KEPT {
                    self.provisioned.remove(0);
                }
                self.provisioned.push((minute, units));
            }
        }
    }

    /// What was provisioned in a minute, if that was noted.
    pub(super) fn provisioned_in(&self, minute: u64) -> Option<Provisioned> {
        let later = self.provisioned.iter().position(|(from, _)| *from > minute);
        let at = later.unwrap_or(self.provisioned.len()).saturating_sub(1);
        self.provisioned.get(at).map(|(_, units)| *units)
    }

    /// The second that is counted now, as a minute of its own.
    fn running(&self, series: &Series) -> Minute {
        let second = series.get(self.second);
        let narrow = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let (read, write) = (second.read.0 as u64, second.write.0 as u64);
        Minute {
            number: self.second / SECONDS,
            sums: [read, write, second.refused_reads, second.refused_writes].map(narrow),
            counters: self.counters,
        }
    }

    /// Minutes that have ended at `now`, a second, and are not older than 15 days.
    pub(super) fn published(&self, now: u64, series: &Series) -> Vec<Minute> {
        let end = now / SECONDS;
        let is_shown = |minute: &&Minute| minute.number < end && minute.number + MINUTES_KEPT >= end;
        let mut minutes: Vec<Minute> = self.kept.iter().filter(is_shown).copied().collect();
        let running = self.running(series);
        if is_shown(&&running) && !running.is_quiet() {
            match minutes.last_mut() {
                Some(last) if last.number == running.number => last.add(&running),
                _ => minutes.push(running),
            }
        }
        minutes
    }
}

/// A minute with what was provisioned, ready to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinuteMetrics {
    /// The sums.
    pub sums: Minute,
    /// `ProvisionedReadCapacityUnits`, `ProvisionedWriteCapacityUnits`; `None` on demand.
    pub provisioned: Provisioned,
    /// Is it an index? Indexes have no `ThrottledRequests`.
    pub is_index: bool,
}

impl MinuteMetrics {
    /// Provisioned units of one side.
    pub fn provisioned_units(&self, side: Side) -> Option<i64> {
        self.provisioned.map(|(read, write)| if side == Side::Read { read } else { write })
    }

    /// What a graph shows: the sum ÷ 60, in thousandths of a unit a second, rounded.
    pub const fn mean_thousandths(&self, side: Side) -> i64 {
        (self.sums.consumed(side).0 * 1000 + 60) / 120
    }

    /// The mean of what is provisioned, in tenths of a percent, rounded; `None` on demand.
    pub fn used_per_mille(&self, side: Side) -> Option<i64> {
        let line = self.provisioned_units(side).filter(|units| *units > 0)?.saturating_mul(120);
        Some((self.sums.consumed(side).0 * 1000 + line / 2) / line)
    }

    /// Every metric by its CloudWatch name. Values in half units, so that half an RCU is a whole number.
    pub fn metrics(&self) -> Vec<(String, HalfUnits)> {
        let mut metrics = Vec::with_capacity(15);
        let count = |events: u32| HalfUnits::from_units(i64::from(events));
        for side in SIDES {
            let word = if side == Side::Read { "Read" } else { "Write" };
            metrics.push((format!("Consumed{word}CapacityUnits"), self.sums.consumed(side)));
            if let Some(units) = self.provisioned_units(side) {
                metrics.push((format!("Provisioned{word}CapacityUnits"), HalfUnits::from_units(units)));
            }
            metrics.push((format!("{word}ThrottleEvents"), count(self.sums.throttle_events(side))));
            for cause in Cause::ALL {
                let reason = Reason { resource: Resource::Table, side, cause };
                metrics.push((reason.metric(), count(self.sums.cause_events(side, cause))));
            }
        }
        if !self.is_index {
            metrics.push(("ThrottledRequests".to_owned(), count(self.sums.throttled_requests())));
        }
        metrics
    }
}

impl Serialize for MinuteMetrics {
    /// `{"minute": 0, "ConsumedReadCapacityUnits": 0.5, …}`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("minute", &self.sums.number)?;
        for (name, value) in self.metrics() {
            map.serialize_entry(&name, &value.to_json())?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Metrics, Place};
    use super::*;
    use crate::partition::PartitionId;
    use crate::time::SimTime;

    const PLACE: Place = Place { slot: 0, arm: 0, partition: PartitionId(0) };

    fn write(metrics: &mut Metrics, second: u64) {
        metrics.accepted(PLACE, SimTime::from_secs(second), Side::Write, HalfUnits(2), 7, || None);
    }

    fn refuse(metrics: &mut Metrics, arm: usize, second: u64, cause: Cause) {
        let resource = if arm == 0 { Resource::Table } else { Resource::Index };
        let reason = Reason { resource, side: Side::Write, cause };
        metrics.refused(Place { arm, ..PLACE }, SimTime::from_secs(second), reason, 7, || None);
    }

    fn minutes(metrics: &Metrics, arm: usize, now: u64) -> Vec<Minute> {
        metrics.arm(0, arm).map(|arm| arm.minutes(SimTime::from_secs(now))).unwrap_or_default()
    }

    #[test]
    fn a_minute_is_published_when_it_ends_and_sums_its_seconds() {
        let mut metrics = Metrics::default();
        for second in [0, 0, 59, 60, 200] {
            write(&mut metrics, second);
        }
        assert_eq!(minutes(&metrics, 0, 59), []);
        let sums = |now| -> Vec<(u64, i64)> {
            minutes(&metrics, 0, now).iter().map(|m| (m.minute(), m.consumed(Side::Write).0)).collect()
        };
        assert_eq!(sums(60), [(0, 6)]);
        assert_eq!(sums(239), [(0, 6), (1, 2)], "quiet minutes have no place");
        assert_eq!(sums(240), [(0, 6), (1, 2), (3, 2)], "the second still counted is in its minute");
    }

    #[test]
    fn a_week_is_remembered_and_more_than_fifteen_days_are_not() {
        let mut metrics = Metrics::default();
        for minute in 0..40 * 24 * 60 {
            write(&mut metrics, minute * 60);
        }
        let seen = minutes(&metrics, 0, 40 * 86_400);
        assert_eq!(seen.len(), MINUTES_KEPT as usize);
        assert_eq!(seen[0].minute(), 25 * 24 * 60);
        let kept = &metrics.arm(0, 0).unwrap().minutes.kept;
        assert!(kept.len() <= MINUTES_KEPT as usize + FORGOTTEN_AT_ONCE);
        assert_eq!(size_of::<Minute>(), 64);
    }

    #[test]
    fn silence_longer_than_the_seconds_are_kept_loses_no_minute() {
        let mut metrics = Metrics::default();
        write(&mut metrics, 1);
        write(&mut metrics, 3 * 86_400);
        assert_eq!(minutes(&metrics, 0, 4 * 86_400).len(), 2);
    }

    #[test]
    fn a_minute_keeps_the_line_it_was_held_against() {
        let mut metrics = Metrics::default();
        let line = |metrics: &Metrics, minute| metrics.arm(0, 0).and_then(|arm| arm.provisioned_in(minute));
        assert_eq!(line(&metrics, 0), None);
        for (second, units) in [(1, Some((5, 60))), (119, Some((5, 60))), (130, Some((5, 90))), (140, Some((5, 120)))] {
            metrics.note_provisioned(0, 0, SimTime::from_secs(second), units);
        }
        metrics.note_provisioned(0, 0, SimTime::from_secs(300), None);
        let lines: Vec<_> = (0..7).filter_map(|minute| line(&metrics, minute)).map(|line| line.map(|l| l.1)).collect();
        assert_eq!(lines, [Some(60), Some(60), Some(120), Some(120), Some(120), None, None]);
    }

    #[test]
    fn a_request_refused_by_an_index_is_an_event_there_and_a_throttled_request_of_the_table() {
        let mut metrics = Metrics::default();
        refuse(&mut metrics, 1, 5, Cause::KeyRangeThroughput);
        metrics.also_empty(Place { arm: 1, ..PLACE }, Side::Write, Cause::ProvisionedThroughput);
        let table = minutes(&metrics, 0, 60);
        assert_eq!((table[0].throttled_requests(), table[0].throttle_events(Side::Write)), (1, 0));
        let index = minutes(&metrics, 1, 60)[0];
        assert_eq!((index.throttled_requests(), index.throttle_events(Side::Write)), (0, 1));
        assert_eq!(index.cause_events(Side::Write, Cause::KeyRangeThroughput), 1);
        assert_eq!(index.cause_events(Side::Write, Cause::ProvisionedThroughput), 1);
        assert_eq!(index.cause_events(Side::Read, Cause::KeyRangeThroughput), 0);
    }

    #[test]
    fn names_are_cloudwatchs() {
        let sums = Minute { number: 3, sums: [1, 120, 0, 9], counters: [0, 0, 0, 0, 0, 0, 0, 9, 9] };
        let minute = MinuteMetrics { sums, provisioned: Some((5, 60)), is_index: false };
        assert_eq!(minute.mean_thousandths(Side::Write), 1000);
        assert_eq!(minute.used_per_mille(Side::Write), Some(17), "1 of 60 is 1.67 %");
        let json = serde_json::to_value(minute).unwrap();
        for (name, value) in [
            ("ConsumedReadCapacityUnits", 0.5),
            ("ProvisionedReadCapacityUnits", 5.0),
            ("ConsumedWriteCapacityUnits", 60.0),
            ("WriteThrottleEvents", 9.0),
            ("WriteKeyRangeThroughputThrottleEvents", 9.0),
            ("WriteProvisionedThroughputThrottleEvents", 0.0),
            ("ReadMaxOnDemandThroughputThrottleEvents", 0.0),
            ("ReadAccountLimitThrottleEvents", 0.0),
            ("ThrottledRequests", 9.0),
        ] {
            assert_eq!(json[name], value, "{name}");
        }
        assert_eq!(minute.metrics().len(), 15);
        let index = MinuteMetrics { is_index: true, provisioned: None, ..minute };
        assert_eq!(index.metrics().len(), 12, "no provisioned line on demand, no requests at an index");
    }
}
