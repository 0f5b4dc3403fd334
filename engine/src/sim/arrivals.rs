//! How requests stand within what the rate says: evenly, or by chance.
//!
//! By chance means a Poisson process: the gaps are exponential with the rate's mean, so that many independent callers
//! are one stream. It is computed in whole numbers alone, so that every machine draws the same gaps: a gap in units
//! of the mean is −ln(u), with 32 binary places, of the request's own random number, and the process runs through the
//! seconds of the profile at their rates. Where a request stands follows from seed, stream and the numbers up to its
//! own.

use super::prng::mix;
use super::profile::Profile;
use super::template::Moment;
use crate::time::SimTime;
use serde::{Deserialize, Serialize};

/// Binary places of a gap.
const PLACES: u32 = 32;
/// ln 2 with as many: 0.693147180560 · 2³².
const LN_2: u64 = 2_977_044_472;

/// How requests stand within what the rate says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// One after the other at equal distances.
    #[default]
    Even,
    /// Independent of each other, at the same mean rate: now and then several at once, and then none for a while.
    Poisson,
}

impl Arrivals {
    /// At equal distances?
    pub const fn is_even(&self) -> bool {
        matches!(self, Self::Even)
    }
}

/// log₂ of a number from 1 on, with 32 binary places, rounded down: by squaring the mantissa, a bit at a time.
const fn log2(number: u64) -> u64 {
    let whole = number.ilog2();
    // From 1 to 2, with 63 places.
    let mut mantissa = (number as u128) << (63 - whole);
    let mut log = whole as u64;
    let mut bit = 0;
    while bit < PLACES {
        mantissa = (mantissa * mantissa) >> 63;
        log <<= 1;
        if mantissa >= 1 << 64 {
            log |= 1;
            mantissa >>= 1;
        }
        bit += 1;
    }
    log
}

/// An exponential gap of mean 1, with 32 binary places: −ln(`drawn` / 2⁶⁴). At most 44.4.
const fn exponential(drawn: u64) -> u64 {
    let number = if drawn == 0 { 1 } else { drawn };
    let halvings = (64 << PLACES) - log2(number);
    ((halvings as u128 * LN_2 as u128) >> PLACES) as u64
}

/// Where a Poisson stream stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chance {
    second: u64,
    rate: u64,
    line: usize,
    /// Requests the rate has stood for in this second when the one at hand comes, with 32 binary places.
    passed: u64,
}

impl Chance {
    /// Before the first request; `None` if there never is one.
    pub(super) fn first(profile: &Profile, constant: u64, of: Moment) -> Option<Self> {
        let mut line = 0;
        let (second, rate) = profile.next_active(constant, 0, &mut line)?;
        Self { second, rate, line, passed: 0 }.after(profile, constant, of)
    }

    /// When the request at hand stands, in microseconds after the start; `None` at the end of time.
    pub(super) fn offset(&self) -> Option<u64> {
        let within = u128::from(self.passed) * u128::from(SimTime::SECOND) / (u128::from(self.rate) << PLACES);
        self.second.checked_mul(SimTime::SECOND)?.checked_add(within as u64)
    }

    /// The request `of`, which comes after the one at hand.
    pub(super) fn after(mut self, profile: &Profile, constant: u64, of: Moment) -> Option<Self> {
        /// Keeps the gaps apart from the draws of keys.
        const GAP: u64 = 1 << 34;
        self.passed += exponential(mix(of.lane(), GAP, 0));
        while self.passed >= self.rate << PLACES {
            self.passed -= self.rate << PLACES;
            (self.second, self.rate) = profile.next_active(constant, self.second.checked_add(1)?, &mut self.line)?;
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: u64 = 1 << PLACES;

    #[test]
    fn logarithms_of_known_numbers() {
        assert_eq!(log2(1), 0);
        assert_eq!(log2(1 << 40), 40 * ONE);
        // log2(3) = 1.584962500721, times 2³².
        assert_eq!(log2(3), 6_807_362_105);
        assert_eq!(log2(u64::MAX), 64 * ONE - 1);
        // −ln(1/2) and −ln(1/2⁶⁴).
        assert_eq!(exponential(1 << 63), LN_2);
        assert_eq!(exponential(0), 64 * LN_2);
        assert_eq!(exponential(u64::MAX), 0);
    }

    /// Offsets of the first requests of a stream.
    fn offsets(profile: &Profile, constant: u64, count: u64) -> Vec<u64> {
        let of = |number| Moment { seed: 7, stream: 1, number, second: 0 };
        let mut chance = Chance::first(profile, constant, of(0));
        let mut offsets = Vec::new();
        for number in 1..=count {
            let Some(here) = chance else { break };
            offsets.push(here.offset().unwrap());
            chance = here.after(profile, constant, of(number));
        }
        offsets
    }

    /// A hundred thousand gaps: the mean is right within four times 1/√100,000 of it, 1.3 %; so are the shares of gaps
    /// beyond once, twice and thrice the mean: 1/e, 1/e², 1/e³.
    #[test]
    fn gaps_are_exponential_with_the_mean_of_the_rate() {
        let offsets = offsets(&Profile::Constant, 1_000, 100_000);
        let end = offsets[99_999];
        assert!(end.abs_diff(100 * SimTime::SECOND) < 1_300_000, "{end}");
        let gaps: Vec<u64> = offsets.windows(2).map(|pair| pair[1] - pair[0]).collect();
        for (beyond, expected) in [(1_000, 36_788), (2_000, 13_534), (3_000, 4_979)] {
            let count = gaps.iter().filter(|gap| **gap >= beyond).count();
            assert!(count.abs_diff(expected) < 620, "{count} gaps of {beyond} µs or more");
        }
    }

    #[test]
    fn it_runs_through_a_profile_at_its_rates() {
        let profile: Profile =
            serde_json::from_str(r#"{"replay": [[2, 1000], [12, 0], [20, 4000], [30, 0]]}"#).unwrap();
        let offsets = offsets(&profile, 0, 100_000);
        let within = |from: u64, to: u64| {
            offsets.iter().filter(|at| (from * SimTime::SECOND..to * SimTime::SECOND).contains(at)).count()
        };
        assert_eq!((within(0, 2), within(12, 20), within(30, 99)), (0, 0, 0));
        assert!(within(2, 12).abs_diff(10_000) < 400, "{}", within(2, 12));
        assert!(within(20, 30).abs_diff(40_000) < 800, "{}", within(20, 30));
        assert!(offsets.is_sorted());
    }
}
