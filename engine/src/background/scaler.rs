//! Auto scaling at work: target tracking, as Application Auto Scaling does it for DynamoDB.
//!
//! At the end of each minute, for reads and writes apart:
//!
//! - **Up** when the last 2 minutes each used more than the target of what is provisioned, to the last minute's mean ÷
//!   target. **Down** when the last 15 minutes each used no more than the target − 20 points, to the busiest one's mean
//!   ÷ target. Rounded up, within `min` and `max`. Developer Guide, "DynamoDB auto scaling" (2 and 15 minutes; Application
//!   Auto Scaling sees what was consumed, not what was refused); AWS re:Post, "How do I troubleshoot DynamoDB auto
//!   scaling?" (20 points). Which minutes decide on how much, and that all are held against what is provisioned now, is
//!   ours.
//! - What is outside of the bounds is brought to them.
//! - The change is in force [`Physics::auto_scaling_seconds`] later, and until then nothing more is decided.
//! - It goes down only as often as the quota allows; up whenever needed. An UpdateTable that somebody sends is no decrease
//!   here, and what it sets is scaled on from. On demand nothing is scaled.
//! - A minute in which nothing was consumed is a low one. The guide once excepted it and no longer does.

use super::auto_scaling::{AutoScaling, Tracking};
use super::decreases::Decreases;
use crate::capacity::{HalfUnits, Physics, Side};
use crate::partition::{Arm, Settings};
use crate::table::Billing;
use crate::time::SimTime;
use serde::Serialize;
use std::collections::VecDeque;

/// Minutes above the target before it goes up.
const HIGH_MINUTES: usize = 2;
/// Minutes below before it goes down.
const LOW_MINUTES: usize = 15;
/// So many points below the target is low.
const LOW_POINTS: i64 = 20;
/// Notes kept, the latest.
const NOTES: usize = 64;
const MINUTE: u64 = 60 * SimTime::SECOND;
/// Half units in a minute of one unit a second.
const MINUTE_HALVES: i64 = 120;
const SIDES: [Side; 2] = [Side::Read, Side::Write];

/// Why throughput is to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScalingCause {
    /// Two minutes above the target.
    High,
    /// Fifteen minutes far below it.
    Low,
    /// Less is provisioned than `min`, or more than `max`.
    OutOfBounds,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScalingOutcome {
    /// It will be in force at that moment.
    Planned(SimTime),
    /// It is in force.
    Done,
    /// The table has been switched to on demand meanwhile.
    Dropped,
    /// It stays: there is no more than `max`.
    AtMaximum,
    /// It stays: there were too many decreases today or in the last hour.
    NoDecreaseLeft,
}

/// One line of the history of auto scaling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScalingNote {
    /// When.
    pub at: SimTime,
    /// Reads or writes.
    pub side: Side,
    /// Units a second then.
    pub from: i64,
    /// Units a second that it comes to, or would have.
    pub to: i64,
    /// What the minute consumed that decided on `to`.
    pub minute: HalfUnits,
    /// Why.
    pub cause: ScalingCause,
    /// What became of it.
    pub outcome: ScalingOutcome,
}

/// A side that is scaled.
#[derive(Clone, Debug)]
struct Tracked {
    side: Side,
    tracking: Tracking,
    /// What the last minutes consumed, in half units, the latest last.
    minutes: VecDeque<i64>,
    /// What is on its way, a note that says when it arrives.
    pending: Option<(SimTime, ScalingNote)>,
    /// Why nothing was done last, so that it is noted once.
    held: Option<ScalingOutcome>,
}

/// The auto scaling of a table or global index.
#[derive(Clone, Debug)]
pub struct Scaler {
    /// Place of the table in the database.
    pub slot: usize,
    /// Place of the arm in the table.
    pub arm: usize,
    tracked: Vec<Tracked>,
    decreases: Decreases,
    /// Minutes that have been looked at.
    looked: u64,
    notes: VecDeque<ScalingNote>,
}

impl Scaler {
    /// Begins to watch an arm at the beginning of a scenario.
    pub fn new(scaling: &AutoScaling, slot: usize, arm: usize) -> Self {
        let tracked = SIDES.into_iter().filter_map(|side| {
            let tracking = *scaling.tracking(side)?;
            Some(Tracked { side, tracking, minutes: VecDeque::new(), pending: None, held: None })
        });
        let (tracked, decreases) = (tracked.collect(), Decreases::default());
        Self { slot, arm, tracked, decreases, looked: 0, notes: VecDeque::new() }
    }

    /// What happened, oldest first.
    pub fn notes(&self) -> impl Iterator<Item = &ScalingNote> {
        self.notes.iter()
    }

    /// When the next change arrives that is on its way.
    pub fn next(&self) -> Option<SimTime> {
        self.tracked.iter().filter_map(|tracked| tracked.pending.map(|(at, _)| at)).min()
    }

    /// When the next minute ends that is to be looked at; `None` at the end of time.
    fn minute_end(&self) -> Option<SimTime> {
        (self.looked + 1).checked_mul(MINUTE).map(SimTime)
    }

    /// When it has something to do next, up to `now`: a change arrives, or a minute ends.
    pub fn due(&self, now: SimTime) -> Option<SimTime> {
        self.next().into_iter().chain(self.minute_end()).min().filter(|due| *due <= now)
    }

    /// Does what is due at `due`, which is not after `now`. `consumed` tells what a minute of the arm took, and nothing
    /// has been taken since the beginning of the second of `now`.
    pub fn act(
        &mut self,
        (due, now): (SimTime, SimTime),
        arm: &mut Arm,
        physics: &Physics,
        consumed: &dyn Fn(u64, Side) -> HalfUnits,
    ) {
        self.arrive(due, arm, physics);
        if self.minute_end() != Some(due) {
            return;
        }
        let mut is_quiet = true;
        for at in 0..self.tracked.len() {
            let tracked = &mut self.tracked[at];
            if tracked.minutes.len() == LOW_MINUTES {
                tracked.minutes.pop_front();
            }
            tracked.minutes.push_back(consumed(self.looked, tracked.side).0);
            self.decide(at, due, arm, physics);
            is_quiet &= self.tracked[at].is_quiet();
        }
        self.looked += 1;
        if is_quiet {
            // Long silence: all minutes that have ended are as the last ones, and nothing comes of them. Minutes in
            // which something was consumed were looked at when they ended.
            self.looked = self.looked.max(now.0 / MINUTE);
        }
    }

    fn note(&mut self, note: ScalingNote) {
        if self.notes.len() == NOTES {
            self.notes.pop_front();
        }
        self.notes.push_back(note);
    }

    /// Changes what has arrived at `now`.
    fn arrive(&mut self, now: SimTime, arm: &mut Arm, physics: &Physics) {
        for at in 0..self.tracked.len() {
            let Some((_, planned)) = self.tracked[at].pending.take_if(|(at, _)| *at <= now) else { continue };
            let settings = arm.settings().clone();
            let note = match settings.billing.provisioned() {
                None => ScalingNote { at: now, outcome: ScalingOutcome::Dropped, ..planned },
                Some((read, write)) => {
                    let (from, billing) = match planned.side {
                        Side::Read => (read, Billing::Provisioned { read: planned.to, write }),
                        Side::Write => (write, Billing::Provisioned { read, write: planned.to }),
                    };
                    arm.reconfigure(Settings { billing, ..settings }, physics, now);
                    ScalingNote { at: now, from, outcome: ScalingOutcome::Done, ..planned }
                }
            };
            self.note(note);
        }
    }

    /// Looks at the minutes of one side that end at `now`.
    fn decide(&mut self, at: usize, now: SimTime, arm: &Arm, physics: &Physics) {
        let tracked = &mut self.tracked[at];
        let Some((read, write)) = arm.settings().billing.provisioned() else {
            tracked.held = None;
            return;
        };
        if tracked.pending.is_some() {
            return;
        }
        let from = if tracked.side == Side::Read { read } else { write };
        let Some((cause, to, minute)) = tracked.wanted(from) else {
            tracked.held = None;
            return;
        };
        let outcome = if to == from {
            ScalingOutcome::AtMaximum
        } else if to < from && !self.decreases.are_left(now) {
            ScalingOutcome::NoDecreaseLeft
        } else {
            ScalingOutcome::Planned(now + physics.auto_scaling_seconds * SimTime::SECOND)
        };
        let note = ScalingNote { at: now, side: tracked.side, from, to, minute: HalfUnits(minute), cause, outcome };
        if let ScalingOutcome::Planned(arrival) = outcome {
            tracked.pending = Some((arrival, note));
            tracked.held = None;
            if to < from {
                self.decreases.count(now);
            }
        } else if tracked.held.replace(outcome) == Some(outcome) {
            return;
        }
        self.note(note);
    }
}

impl Tracked {
    /// The units that should be provisioned in place of `from`, and the minute they follow from; `None` if all is well.
    fn wanted(&self, from: i64) -> Option<(ScalingCause, i64, i64)> {
        let Tracking { min, max, target_percent } = self.tracking;
        let last = self.minutes.back().copied().unwrap_or(0);
        if !(min..=max).contains(&from) {
            return Some((ScalingCause::OutOfBounds, from.clamp(min, max), last));
        }
        // A hundred times what a minute of `from` units may consume at so many percent.
        let line = |percent: i64| i128::from(from) * i128::from(percent * MINUTE_HALVES);
        let is_high = |minute: &i64| i128::from(*minute) * 100 > line(target_percent);
        let is_low = |minute: &i64| i128::from(*minute) * 100 <= line(target_percent - LOW_POINTS);
        let fitting = |minute: i64| {
            let (taken, whole) = (i128::from(minute) * 100, i128::from(MINUTE_HALVES * target_percent));
            i64::try_from((taken + whole - 1) / whole).unwrap_or(max).clamp(min, max)
        };
        let recent = |count: usize| self.minutes.iter().rev().take(count);
        if recent(HIGH_MINUTES).filter(|minute| is_high(minute)).count() == HIGH_MINUTES {
            return Some((ScalingCause::High, fitting(last), last));
        }
        if recent(LOW_MINUTES).filter(|minute| is_low(minute)).count() == LOW_MINUTES {
            let busiest = recent(LOW_MINUTES).copied().max().unwrap_or(0);
            return Some((ScalingCause::Low, fitting(busiest), busiest)).filter(|(_, to, _)| *to < from);
        }
        None
    }

    /// Would further minutes without anything change nothing?
    fn is_quiet(&self) -> bool {
        let is_silent = self.minutes.len() == LOW_MINUTES && self.minutes.iter().all(|minute| *minute == 0);
        is_silent && self.pending.is_none() && self.held.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a side with 100 units wants, whose last minutes used so many units a second, in halves.
    fn wanted(target_percent: i64, halves: &[i64]) -> Option<(ScalingCause, i64)> {
        let minutes = halves.iter().map(|halves| halves * 60).collect();
        let tracking = Tracking { min: 10, max: 250, target_percent };
        let tracked = Tracked { side: Side::Write, tracking, minutes, pending: None, held: None };
        tracked.wanted(100).map(|(cause, to, _)| (cause, to))
    }

    #[test]
    fn two_minutes_above_the_target_and_not_at_it() {
        assert_eq!(wanted(70, &[141, 140]), None);
        assert_eq!(wanted(70, &[140, 141]), None);
        assert_eq!(wanted(70, &[141]), None);
        // 70.5 ÷ 0.7 = 100.7; the last minute decides: 140 ÷ 0.7 = 200.
        assert_eq!(wanted(70, &[141, 141]), Some((ScalingCause::High, 101)));
        assert_eq!(wanted(70, &[600, 280]), Some((ScalingCause::High, 200)));
        assert_eq!(wanted(70, &[600, 600]), Some((ScalingCause::High, 250)), "no more than the maximum");
        assert_eq!(wanted(90, &[180, 180]), None);
    }

    #[test]
    fn fifteen_minutes_twenty_points_below_it() {
        assert_eq!(wanted(70, &[100; 14]), None);
        assert_eq!(wanted(70, &[100; 15]), Some((ScalingCause::Low, 72)), "50 of 100; 50 ÷ 0.7 = 71.4");
        let mut minutes = [40; 15];
        minutes[3] = 101;
        assert_eq!(wanted(70, &minutes), None);
        minutes[3] = 60;
        assert_eq!(wanted(70, &minutes), Some((ScalingCause::Low, 43)), "the busiest decides: 30 ÷ 0.7 = 42.9");
        assert_eq!(wanted(70, &[0; 15]), Some((ScalingCause::Low, 10)), "no less than the minimum");
        assert_eq!(wanted(20, &[1; 15]), None, "20 points below 20 % is nothing at all");
    }

    #[test]
    fn very_large_figures_do_not_overflow() {
        let tracking = Tracking { min: 1, max: 1_000_000_000_000, target_percent: 20 };
        let minutes = [i64::MAX; 15].into();
        let tracked = Tracked { side: Side::Read, tracking, minutes, pending: None, held: None };
        assert_eq!(tracked.wanted(1), Some((ScalingCause::High, 1_000_000_000_000, i64::MAX)));
    }
}
