//! How often provisioned throughput may be lowered in a day.

use crate::time::SimTime;

const HOUR: u64 = 3_600 * SimTime::SECOND;
const DAY: u64 = 24 * HOUR;
/// Decreases within the hour that follows a day's first.
const AT_ONCE: u32 = 4;
/// Decreases of a day in all.
const A_DAY: u32 = 27;

/// The decreases of a table or index today. Developer Guide, "Quotas", *Decreasing provisioned throughput*: four within
/// an hour while there were no others that day, then one for each hour without; so 27 a day at most. A scenario begins
/// at midnight, UTC.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decreases {
    day: u64,
    count: u32,
    first: SimTime,
    last: SimTime,
}

impl Decreases {
    /// May it be lowered at `now`?
    pub(super) const fn are_left(&self, now: SimTime) -> bool {
        if self.count == 0 || now.0 / DAY != self.day {
            return true;
        }
        let at_once = self.count < AT_ONCE && now.since(self.first) <= HOUR;
        (at_once || now.since(self.last) >= HOUR) && self.count < A_DAY
    }

    pub(super) fn count(&mut self, now: SimTime) {
        if self.count == 0 || now.0 / DAY != self.day {
            *self = Self { day: now.0 / DAY, count: 0, first: now, last: now };
        }
        self.count += 1;
        self.last = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every minute of a day; when it was allowed.
    fn allowed(decreases: &mut Decreases, day: u64) -> Vec<u64> {
        let minutes = 0..24 * 60;
        let tried = minutes.filter(|minute| {
            let now = SimTime::from_secs(day * 86_400 + minute * 60);
            let is_left = decreases.are_left(now);
            if is_left {
                decreases.count(now);
            }
            is_left
        });
        tried.collect()
    }

    #[test]
    fn four_at_once_and_one_an_hour_are_27_a_day() {
        let mut decreases = Decreases::default();
        let minutes = allowed(&mut decreases, 0);
        assert_eq!(minutes[..6], [0, 1, 2, 3, 63, 123]);
        assert_eq!(minutes.len(), 27);
        assert_eq!(allowed(&mut decreases, 1)[..5], [0, 1, 2, 3, 63], "the next day begins anew");
    }

    #[test]
    fn the_four_are_those_of_one_hour() {
        let mut decreases = Decreases::default();
        for minute in [0, 50] {
            decreases.count(SimTime::from_secs(minute * 60));
        }
        assert!(decreases.are_left(SimTime::from_secs(60 * 60)));
        assert!(!decreases.are_left(SimTime::from_secs(61 * 60)), "the hour is over, and 50 is 11 minutes ago");
        assert!(decreases.are_left(SimTime::from_secs(110 * 60)));
    }
}
