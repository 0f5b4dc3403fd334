//! How the rate of a stream goes up and down, and when its requests stand.
//!
//! In whole second `s` of a stream, the `n` = rate(`s`) requests stand at `s`·10⁶ + ⌊`i`·10⁶/`n`⌋ µs after its start.
//! All of it is ours: AWS has no traffic generator to agree with.

use super::stream::MAX_RATE_PER_SECOND;
use crate::diagnostic::Failure;
use crate::time::SimTime;
use serde::{Deserialize, Serialize};

/// Seconds of a day.
const DAY: u64 = 86_400;
/// Sharpest curve of a day: beyond it whole numbers of 128 bits no longer hold it.
const MAX_SHARPNESS: u32 = 5;
/// Lines of a replay: a day of them, one a second.
const MAX_LINES: usize = 86_400;

/// The rate of a stream over its seconds, in requests a second.
///
/// ```
/// use dynascope_engine::sim::{Profile, Stream};
///
/// let spike: Profile = serde_json::from_str(r#"{"spike": {"base": 10, "peak": 500, "at_second": 3, "seconds": 2}}"#)?;
/// let stream = Stream { profile: spike, ..Stream::default() };
/// assert_eq!([2, 3, 4, 5].map(|second| stream.rate_at(second)), [10, 500, 500, 10]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Profile {
    /// The stream's `rate_per_second`, always: request `k` at ⌊`k`·10⁶/rate⌋ µs after the start.
    #[default]
    Constant,
    /// From one rate in second 0 to another, which is reached after `seconds` and then kept. Fractions are dropped on
    /// the way.
    Ramp {
        /// Rate of the first second.
        from: u64,
        /// Rate of the second `seconds` and all after it.
        to: u64,
        /// Length of the way.
        seconds: u64,
    },
    /// One rate, with another one for a while.
    Spike {
        /// Rate before and after.
        base: u64,
        /// Rate of the spike.
        peak: u64,
        /// Its first second.
        at_second: u64,
        /// Its length.
        seconds: u64,
    },
    /// A day that begins at midnight with the stream, lowest then and highest at noon, in second 43,200. The rate is
    /// base + (peak − base)·x^`sharpness`, where x goes from 0 up to 1 and down again, with the base that gives the
    /// mean: ((sharpness + 1)·mean − peak) / sharpness. A day's mean is exact; so is the peak of a triangle, and of
    /// sharper days where it does not change by more than a request from one second to the next.
    Daily {
        /// Mean of a day.
        mean: u64,
        /// Rate at noon; from the mean to (`sharpness` + 1) times the mean.
        peak: u64,
        /// From 1, a triangle, to 5. With 2 a day's peak can be three times its mean.
        #[serde(default = "triangle", skip_serializing_if = "is_triangle")]
        sharpness: u32,
    },
    /// Lines of (second, rate) in ascending order. A rate holds until the next line, the last one for ever; before the
    /// first there is none.
    Replay(Vec<(u64, u64)>),
}

const fn triangle() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_triangle(sharpness: &u32) -> bool {
    *sharpness == 1
}

/// Requests of the first `second` seconds of a sharp day's morning: the integral of the rate, rounded down. Its
/// differences are the rates, so that they add up to the mean.
fn of_the_morning(second: u64, mean: u64, peak: u64, sharpness: u32) -> u64 {
    const HALF: u128 = DAY as u128 / 2;
    let (second, mean, peak, power) = (u128::from(second), u128::from(mean), u128::from(peak), u128::from(sharpness));
    let scale = HALF.pow(sharpness);
    let requests = ((mean * (power + 1)).saturating_sub(peak) * scale + (peak - mean) * second.pow(sharpness)) * second;
    (requests / (power * scale)) as u64
}

impl Profile {
    /// Is it the constant rate?
    pub const fn is_constant(&self) -> bool {
        matches!(self, Self::Constant)
    }

    /// Checks rates and shape.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let highest = match self {
            Self::Constant => 0,
            Self::Ramp { from, to, .. } => *from.max(to),
            Self::Spike { base, peak, .. } => *base.max(peak),
            Self::Daily { mean, peak, sharpness } => {
                if !(1..=MAX_SHARPNESS).contains(sharpness) {
                    return Err(Failure::validation(format!(
                        "the `sharpness` of a day is from 1 to {MAX_SHARPNESS}, and {sharpness} is not"
                    )));
                }
                let most = mean.saturating_mul(u64::from(*sharpness) + 1);
                if peak < mean || *peak > most {
                    return Err(Failure::validation(format!(
                        "a day with a mean of {mean} and a `sharpness` of {sharpness} has a peak from {mean} to {most}, \
                         and {peak} is not"
                    )));
                }
                *peak
            }
            Self::Replay(lines) => {
                if lines.len() > MAX_LINES {
                    return Err(Failure::validation(format!("a replay has at most {MAX_LINES} lines")));
                }
                if let Some(pair) = lines.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
                    return Err(Failure::validation(format!(
                        "the seconds of a replay ascend, and {} does not come after {}",
                        pair[1].0, pair[0].0
                    )));
                }
                lines.iter().fold(0, |highest, line| highest.max(line.1))
            }
        };
        check_rate(highest)
    }

    /// The rate in second `second`; `constant` is the stream's own.
    pub(super) fn rate_at(&self, constant: u64, second: u64) -> u64 {
        match self {
            Self::Constant => constant,
            Self::Ramp { from, to, seconds } if second < *seconds => {
                let way = u128::from(from.abs_diff(*to)) * u128::from(second) / u128::from(*seconds);
                if from <= to { from + way as u64 } else { from - way as u64 }
            }
            Self::Ramp { to, .. } => *to,
            Self::Spike { base, peak, at_second, seconds } => {
                let is_in = second.checked_sub(*at_second).is_some_and(|since| since < *seconds);
                if is_in { *peak } else { *base }
            }
            Self::Daily { mean, peak, sharpness } if *sharpness > 1 => {
                let of_day = second % DAY;
                let until = |second| of_the_morning(second, *mean, *peak, *sharpness);
                let morning = of_day.min(DAY - 1 - of_day);
                until(morning + 1) - until(morning)
            }
            Self::Daily { mean, peak, .. } => {
                // From −6 h at midnight to +6 h at noon. Rounded towards zero on both sides, so that they cancel out.
                const QUARTER: u64 = DAY / 4;
                let rising = (second % DAY).min(DAY - second % DAY);
                let off = (peak - mean) * rising.abs_diff(QUARTER) / QUARTER;
                if rising >= QUARTER { mean + off } else { mean - off }
            }
            Self::Replay(lines) => {
                let after = lines.partition_point(|line| line.0 <= second);
                after.checked_sub(1).map_or(0, |at| lines[at].1)
            }
        }
    }

    /// The first second from `second` on with a request in it, and its rate. `line` is where a replay stands,
    /// `constant` the stream's own rate.
    pub(super) fn next_active(&self, constant: u64, second: u64, line: &mut usize) -> Option<(u64, u64)> {
        if let Self::Replay(lines) = self {
            while lines.get(*line + 1).is_some_and(|next| next.0 <= second) {
                *line += 1;
            }
            while lines.get(*line).is_some_and(|here| here.1 == 0) {
                *line += 1;
            }
            return lines.get(*line).map(|(from, rate)| (second.max(*from), *rate));
        }
        let active = |second: u64| Some((second, self.rate_at(constant, second))).filter(|(_, rate)| *rate > 0);
        active(second).or_else(|| match self {
            // The first whole request a second of a climb from nothing.
            Self::Ramp { from: 0, to, seconds } if *to > 0 => active(seconds.div_ceil(*to)),
            Self::Spike { at_second, .. } if second < *at_second => active(*at_second),
            Self::Spike { at_second, seconds, .. } => {
                at_second.checked_add(*seconds).filter(|after| second < *after).and_then(active)
            }
            // A night may be silent, a day is not.
            Self::Daily { mean: 1.., .. } => (1..DAY).find_map(|later| second.checked_add(later).and_then(active)),
            _ => None,
        })
    }
}

/// More than [`MAX_RATE_PER_SECOND`] is refused.
pub(super) fn check_rate(rate: u64) -> Result<(), Failure> {
    if rate > MAX_RATE_PER_SECOND {
        return Err(Failure::validation(format!(
            "a rate of {rate} requests a second is more than the {MAX_RATE_PER_SECOND} that can be simulated"
        )));
    }
    Ok(())
}

/// Where a stream stands in its profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    second: u64,
    index: u64,
    rate: u64,
    line: usize,
}

impl Pace {
    /// Before the first request; `None` if there never is one.
    pub(super) fn first(profile: &Profile) -> Option<Self> {
        let mut line = 0;
        let (second, rate) = profile.next_active(0, 0, &mut line)?;
        Some(Self { second, index: 0, rate, line })
    }

    /// When the request at hand stands, in microseconds after the start; `None` at the end of time.
    pub(super) fn offset(&self) -> Option<u64> {
        self.second.checked_mul(SimTime::SECOND)?.checked_add(self.index * SimTime::SECOND / self.rate)
    }

    /// The one after it.
    pub(super) fn after(mut self, profile: &Profile) -> Option<Self> {
        self.index += 1;
        if self.index == self.rate {
            (self.second, self.rate) = profile.next_active(0, self.second.checked_add(1)?, &mut self.line)?;
            self.index = 0;
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(json: &str) -> Profile {
        let profile: Profile = serde_json::from_str(json).unwrap();
        profile.check().unwrap();
        profile
    }

    /// Requests in each of the first seconds, walked one by one.
    fn walked(profile: &Profile, seconds: u64) -> Vec<u64> {
        let mut counts = vec![0; seconds as usize];
        let mut pace = Pace::first(profile);
        while let Some(at) = pace.filter(|pace| pace.second < seconds) {
            let offset = at.offset().unwrap();
            assert_eq!(offset, at.second * 1_000_000 + at.index * 1_000_000 / profile.rate_at(0, at.second));
            counts[(offset / 1_000_000) as usize] += 1;
            pace = at.after(profile);
        }
        counts
    }

    #[test]
    fn every_profile_is_walked_as_it_is_drawn() {
        let profiles = [
            r#"{"ramp": {"from": 2, "to": 11, "seconds": 4}}"#,
            r#"{"ramp": {"from": 9, "to": 0, "seconds": 5}}"#,
            r#"{"ramp": {"from": 0, "to": 2, "seconds": 9}}"#,
            r#"{"ramp": {"from": 1, "to": 3, "seconds": 0}}"#,
            r#"{"spike": {"base": 1, "peak": 40, "at_second": 3, "seconds": 2}}"#,
            r#"{"spike": {"base": 0, "peak": 4, "at_second": 7, "seconds": 1}}"#,
            r#"{"spike": {"base": 2, "peak": 0, "at_second": 0, "seconds": 6}}"#,
            r#"{"daily": {"mean": 3, "peak": 6}}"#,
            r#"{"replay": [[1, 3], [2, 0], [4, 0], [5, 7]]}"#,
            r#"{"replay": []}"#,
        ];
        for json in profiles {
            let profile = profile(json);
            let drawn: Vec<u64> = (0..12).map(|second| profile.rate_at(0, second)).collect();
            assert_eq!(walked(&profile, 12), drawn, "{json}");
        }
        assert_eq!(walked(&profile(profiles[0]), 6), [2, 4, 6, 8, 11, 11], "2 + ⌊9·s/4⌋");
        assert_eq!(walked(&profile(profiles[1]), 6), [9, 8, 6, 4, 2, 0], "9 − ⌊9·s/5⌋");
        assert_eq!(walked(&profile(profiles[8]), 7), [0, 3, 0, 0, 0, 7, 7]);
    }

    #[test]
    fn silences_are_skipped_and_some_never_end() {
        let far = u64::MAX / 1_000_000 - 1;
        let at = |json: &str| Pace::first(&profile(json)).map(|pace| pace.second);
        assert_eq!(at(&format!(r#"{{"replay": [[0, 0], [{far}, 1]]}}"#)), Some(far));
        assert_eq!(
            at(&format!(r#"{{"spike": {{"base": 0, "peak": 1, "at_second": {far}, "seconds": 9}}}}"#)),
            Some(far)
        );
        assert_eq!(at(&format!(r#"{{"ramp": {{"from": 0, "to": 1, "seconds": {far}}}}}"#)), Some(far));
        assert_eq!(
            at(&format!(r#"{{"spike": {{"base": 1, "peak": 0, "at_second": 0, "seconds": {far}}}}}"#)),
            Some(far)
        );
        for silent in [
            r#"{"replay": [[3, 0]]}"#,
            r#"{"ramp": {"from": 0, "to": 0, "seconds": 5}}"#,
            r#"{"spike": {"base": 0, "peak": 9, "at_second": 3, "seconds": 0}}"#,
            r#"{"daily": {"mean": 0, "peak": 0}}"#,
        ] {
            assert_eq!(at(silent), None, "{silent}");
        }
        let last = format!(r#"{{"replay": [[{}, 1]]}}"#, u64::MAX);
        let pace = Pace::first(&profile(&last)).unwrap();
        assert_eq!(pace.offset(), None);
        assert!(pace.after(&profile(&last)).is_none());
    }

    #[test]
    fn a_days_mean_and_peak_are_exact() {
        for (mean, peak) in [(100, 137), (7, 14), (1_000, 1_999), (5, 5), (500_000, 1_000_000)] {
            let day = Profile::Daily { mean, peak, sharpness: 1 };
            day.check().unwrap();
            let rates: Vec<u64> = (0..DAY).map(|second| day.rate_at(0, second)).collect();
            assert_eq!(rates.iter().sum::<u64>(), mean * DAY);
            assert_eq!((rates.iter().max(), rates[43_200]), (Some(&peak), peak));
            assert_eq!((rates.iter().min(), rates[0]), (Some(&(2 * mean - peak)), 2 * mean - peak));
            assert_eq!(day.rate_at(0, DAY + 5_000), rates[5_000]);
        }
    }

    /// A mean of 20 and a peak of 60: 60·x², nothing at midnight, a quarter of the peak at six.
    #[test]
    fn a_sharper_day_has_a_higher_peak_and_the_same_mean() {
        for (mean, peak, sharpness) in
            [(20, 60, 2), (20, 45, 2), (7, 42, 5), (1, 6, 5), (3, 3, 4), (200_000, 1_000_000, 4)]
        {
            let day = Profile::Daily { mean, peak, sharpness };
            day.check().unwrap();
            let rates: Vec<u64> = (0..DAY).map(|second| day.rate_at(0, second)).collect();
            assert_eq!(rates.iter().sum::<u64>(), mean * DAY, "{peak}");
            let highest = rates[43_200];
            assert_eq!((rates.iter().max(), rates[43_199]), (Some(&highest), highest));
            // In the last second of the climb: half of what it climbs in one.
            assert!(peak - highest <= peak * u64::from(sharpness + 1) / 86_400, "{peak} {highest}");
        }
        let day = Profile::Daily { mean: 20, peak: 60, sharpness: 2 };
        let hour = |hour: u64| (0..60).map(|second| day.rate_at(0, hour * 3600 + second)).sum::<u64>();
        assert_eq!((hour(0), hour(6), hour(12)), (0, 60 * 15 + 2, 60 * 60 - 4), "∫ 60·x² over a minute");
        assert_eq!(walked(&day, 600).iter().sum::<u64>(), (0..600).map(|second| day.rate_at(0, second)).sum::<u64>());
    }

    #[test]
    fn what_is_no_profile_is_refused() {
        let read = serde_json::from_str::<Profile>;
        assert!(read(r#"{"ramp": {"from": 1, "to": 2, "secs": 3}}"#).is_err());
        assert!(read(r#""Constant""#).is_err());
        assert!(read(r#"{"replay": [[1]]}"#).is_err());
        for json in [
            r#"{"daily": {"mean": 10, "peak": 21}}"#,
            r#"{"daily": {"mean": 10, "peak": 9}}"#,
            r#"{"daily": {"mean": 10, "peak": 31, "sharpness": 2}}"#,
            r#"{"daily": {"mean": 10, "peak": 20, "sharpness": 0}}"#,
            r#"{"daily": {"mean": 10, "peak": 20, "sharpness": 6}}"#,
            r#"{"replay": [[1, 1], [1, 2]]}"#,
            r#"{"ramp": {"from": 1, "to": 1000001, "seconds": 1}}"#,
        ] {
            assert!(read(json).unwrap().check().is_err(), "{json}");
        }
    }
}
