//! How long requests waited until they were accepted, as a histogram.
//!
//! Classes as wide as an eighth of the power of two that they lie in: a few hundred counters for any wait, with an error
//! of an eighth at most (the idea of Gil Tene's HdrHistogram).

/// Classes of one power of two.
const CLASSES: u64 = 8;

/// Waits by class; only of requests that were tried again, since all others waited for nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits(Vec<u64>);

impl Waits {
    /// Counts a wait in microseconds.
    pub(super) fn count(&mut self, micros: u64) {
        let class = class_of(micros);
        if class >= self.0.len() {
            self.0.resize(class + 1, 0);
        }
        self.0[class] += 1;
    }

    /// The longest wait in the class up to which so many per cent of `all` requests lie; those not counted here did not
    /// wait. `None` without any.
    pub(super) fn percentile(&self, all: u64, per_cent: u64) -> Option<u64> {
        if all == 0 {
            return None;
        }
        let rank = u128::from(all) * u128::from(per_cent);
        let mut seen = u128::from(all - self.0.iter().sum::<u64>().min(all)) * 100;
        if seen >= rank {
            return Some(0);
        }
        for (class, count) in self.0.iter().enumerate() {
            seen += u128::from(*count) * 100;
            if seen >= rank {
                return Some(longest_in(class));
            }
        }
        None
    }
}

fn class_of(micros: u64) -> usize {
    if micros < CLASSES {
        return micros as usize;
    }
    let shift = micros.ilog2() - CLASSES.ilog2();
    (u64::from(shift) * CLASSES + (micros >> shift)) as usize
}

const fn longest_in(class: usize) -> u64 {
    let class = class as u64;
    if class < CLASSES {
        return class;
    }
    let shift = class / CLASSES - 1;
    ((class - shift * CLASSES + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_its_waits_and_is_no_wider_than_an_eighth() {
        let mut before = 0;
        for micros in (0..2_000).chain((0..50).map(|power| 3_000_017 * power)) {
            let class = class_of(micros);
            let longest = longest_in(class);
            assert!(longest >= micros && longest - micros <= micros / 8, "{micros}: {longest}");
            assert!(class >= before || micros == 0);
            before = class;
        }
    }

    #[test]
    fn those_that_did_not_wait_count_too() {
        let mut waits = Waits::default();
        assert_eq!((waits.percentile(0, 99), waits.percentile(7, 99)), (None, Some(0)));
        waits.count(50_000);
        // One of a hundred is beyond 99 %, one of 99 is not.
        assert_eq!(waits.percentile(100, 99), Some(0));
        assert!((50_000..=56_250).contains(&waits.percentile(99, 99).unwrap()));
        for _ in 0..98 {
            waits.count(1_000_000);
        }
        assert!((1_000_000..=1_125_000).contains(&waits.percentile(200, 99).unwrap()));
        assert!((50_000..=56_250).contains(&waits.percentile(200, 51).unwrap()));
    }
}
