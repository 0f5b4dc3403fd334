//! Virtual time: whole microseconds since the scenario began. Nothing in the engine reads a clock.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// A moment, or a length of time, in microseconds of simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SimTime(pub u64);

impl SimTime {
    /// The beginning.
    pub const ZERO: Self = Self(0);
    /// Later than everything.
    pub const MAX: Self = Self(u64::MAX);
    /// Microseconds in a second.
    pub const SECOND: u64 = 1_000_000;

    /// `seconds` after the beginning.
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(Self::SECOND))
    }

    /// `milliseconds` after the beginning.
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds.saturating_mul(1000))
    }

    /// The whole second this moment belongs to.
    pub const fn second(self) -> u64 {
        self.0 / Self::SECOND
    }

    /// How long since `earlier`; zero if that lies ahead.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<u64> for SimTime {
    type Output = Self;

    /// Adds microseconds, stopping at the end of time rather than wrapping.
    fn add(self, micros: u64) -> Self {
        Self(self.0.saturating_add(micros))
    }
}

impl Sub<u64> for SimTime {
    type Output = Self;

    fn sub(self, micros: u64) -> Self {
        Self(self.0.saturating_sub(micros))
    }
}

impl fmt::Display for SimTime {
    /// Seconds with as many decimals as the moment needs: `0.25 s`, `60 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, micros) = (self.0 / Self::SECOND, self.0 % Self::SECOND);
        if micros == 0 {
            write!(f, "{seconds} s")
        } else {
            let fraction = format!("{micros:06}");
            write!(f, "{seconds}.{} s", fraction.trim_end_matches('0'))
        }
    }
}
