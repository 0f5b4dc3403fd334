//! What the caller does with a refusal: gives up, or tries again as an AWS SDK would.
//!
//! Source: botocore 1.44.8, `retries/standard.py` (backoff and quota) and `retryhandler.py` with `data/_retry.json` (the
//! legacy mode). Throttles are the only errors here: what the quota takes for others, 14 tokens, never comes up.

use super::prng::mix;
use super::waits::Waits;
use crate::time::SimTime;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Tokens of the standard mode's retry quota.
const QUOTA: u64 = 500;
/// Tokens of one retry after a throttle.
const RETRY_COST: u64 = 5;
/// Tokens that a success at the first attempt gives back.
const SUCCESS_GAIN: u64 = 1;
/// Requests that may wait for their next attempt at a time; further ones fail. Ours: a client has so many threads only.
const MAX_WAITING: usize = 1 << 18;

/// What the caller does with a refusal. A stream is one client with one retry quota.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Client {
    /// Gives up at once.
    #[default]
    None,
    /// The SDKs' standard mode: 4 attempts in all; before retry `i` a wait of up to 1 s · 2^`i`, at most 20 s, evenly
    /// drawn; 5 tokens of 500 a retry, no retry without. A success gives back what its last retry took, or 1 without one.
    SdkStandard,
    /// The older legacy mode: 10 attempts in all, before retry `i` a wait of 50 ms · 2^`i`, no quota.
    SdkLegacy,
}

impl Client {
    /// Is every refusal final?
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// Attempts in all.
    pub const fn attempts(self) -> u32 {
        match self {
            Self::None => 1,
            Self::SdkStandard => 4,
            Self::SdkLegacy => 10,
        }
    }

    /// Microseconds before retry `i`, counted from 0. `drawn` is a random number.
    fn delay(self, i: u32, drawn: u64) -> u64 {
        match self {
            Self::None => 0,
            Self::SdkStandard => {
                let most = (SimTime::SECOND << i).min(20 * SimTime::SECOND);
                ((u128::from(drawn) * u128::from(most)) >> 64) as u64
            }
            Self::SdkLegacy => 50_000 << i,
        }
    }
}

/// One attempt to come: ordered by time, then by request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Attempt {
    /// When.
    pub at: SimTime,
    /// The request's number.
    pub number: u64,
    /// Which of a fan-out's keys.
    pub part: u32,
    /// Attempts before it.
    pub before: u32,
    /// When the request arrived.
    pub arrived: SimTime,
}

/// What a stream's client waits for and what became of its requests.
#[derive(Clone, Debug)]
pub(super) struct Retries {
    tokens: u64,
    waiting: BinaryHeap<Reverse<Attempt>>,
    pub attempts: u64,
    pub failed: u64,
    pub succeeded: u64,
    pub waits: Waits,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            tokens: QUOTA,
            waiting: BinaryHeap::new(),
            attempts: 0,
            failed: 0,
            succeeded: 0,
            waits: Waits::default(),
        }
    }
}

impl Retries {
    /// The next attempt to come.
    pub(super) fn next(&self) -> Option<&Attempt> {
        self.waiting.peek().map(|Reverse(attempt)| attempt)
    }

    /// Takes the next attempt out.
    pub(super) fn pop(&mut self) -> Option<Attempt> {
        self.waiting.pop().map(|Reverse(attempt)| attempt)
    }

    /// Requests between two attempts.
    pub(super) fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }

    /// An attempt went through, `waited` microseconds after its request had arrived.
    pub(super) fn succeed(&mut self, client: Client, before: u32, waited: u64) {
        self.attempts += 1;
        self.succeeded += 1;
        if before > 0 {
            self.waits.count(waited);
        }
        if client == Client::SdkStandard {
            self.tokens = QUOTA.min(self.tokens + if before > 0 { RETRY_COST } else { SUCCESS_GAIN });
        }
    }

    /// An attempt failed for another reason than want of capacity: nobody tries it again.
    pub(super) const fn fail(&mut self) {
        self.attempts += 1;
        self.failed += 1;
    }

    /// An attempt at `at` was refused; will it be made again? `lane` is the random number of its request.
    pub(super) fn refuse(&mut self, client: Client, attempt: Attempt, lane: u64) -> bool {
        /// Keeps the waits apart from the draws of keys.
        const JITTER: u64 = 1 << 33;
        self.attempts += 1;
        let may_retry = attempt.before + 1 < client.attempts() && self.waiting.len() < MAX_WAITING;
        let has_tokens = client != Client::SdkStandard || self.tokens >= RETRY_COST;
        if !(may_retry && has_tokens) {
            self.failed += 1;
            return false;
        }
        if client == Client::SdkStandard {
            self.tokens -= RETRY_COST;
        }
        let drawn = mix(lane, JITTER + u64::from(attempt.part), u64::from(attempt.before));
        let at = attempt.at + client.delay(attempt.before, drawn);
        self.waiting.push(Reverse(Attempt { at, before: attempt.before + 1, ..attempt }));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(number: u64) -> Attempt {
        Attempt { at: SimTime::ZERO, number, part: 0, before: 0, arrived: SimTime::ZERO }
    }

    /// Refuses everything; when each attempt was, by request and attempt.
    fn refuse_all(client: Client, requests: u64) -> (Retries, Vec<Attempt>) {
        let mut retries = Retries::default();
        let mut made = Vec::new();
        for number in 0..requests {
            retries.refuse(client, attempt(number), number);
        }
        while let Some(attempt) = retries.pop() {
            made.push(attempt);
            retries.refuse(client, attempt, attempt.number);
        }
        (retries, made)
    }

    #[test]
    fn legacy_doubles_from_50_ms_and_makes_ten_attempts() {
        let (retries, made) = refuse_all(Client::SdkLegacy, 1);
        let at: Vec<u64> = made.iter().map(|attempt| attempt.at.0 / 1000).collect();
        assert_eq!(at, [50, 150, 350, 750, 1_550, 3_150, 6_350, 12_750, 25_550]);
        assert_eq!((retries.attempts, retries.failed), (10, 1));
    }

    #[test]
    fn standard_waits_up_to_a_second_then_two_then_four() {
        for number in 0..100 {
            let mut retries = Retries::default();
            let mut at = SimTime::ZERO;
            retries.refuse(Client::SdkStandard, attempt(number), number);
            for most in [1, 2, 4] {
                let next = retries.pop().unwrap();
                assert!(next.at.since(at) < most * SimTime::SECOND);
                at = next.at;
                retries.refuse(Client::SdkStandard, next, number);
            }
            assert_eq!((retries.attempts, retries.failed, retries.waiting()), (4, 1, 0));
        }
        assert_eq!(Client::SdkStandard.delay(5, u64::MAX), 19_999_999, "never more than 20 s");
        assert_eq!(Client::SdkStandard.delay(0, 1 << 63), 500_000, "half of a second");
    }

    /// 500 tokens are 100 retries, however many requests there are.
    #[test]
    fn the_standard_modes_quota_ends_a_storm() {
        let (retries, made) = refuse_all(Client::SdkStandard, 300);
        assert_eq!((made.len(), retries.attempts, retries.failed), (100, 400, 300));
        let (retries, made) = refuse_all(Client::SdkLegacy, 300);
        assert_eq!((made.len(), retries.attempts, retries.failed), (2_700, 3_000, 300));
    }

    #[test]
    fn a_success_gives_tokens_back() {
        let (mut retries, _) = refuse_all(Client::SdkStandard, 300);
        assert_eq!(retries.tokens, 0);
        retries.succeed(Client::SdkStandard, 0, 0);
        assert_eq!(retries.tokens, 1);
        retries.succeed(Client::SdkStandard, 2, 1);
        assert_eq!(retries.tokens, 6);
        for _ in 0..1000 {
            retries.succeed(Client::SdkStandard, 0, 0);
        }
        assert_eq!(retries.tokens, 500);
    }

    #[test]
    fn only_so_many_wait() {
        let mut retries = Retries::default();
        for number in 0..MAX_WAITING as u64 + 3 {
            retries.refuse(Client::SdkLegacy, attempt(number), 0);
        }
        assert_eq!((retries.waiting(), retries.failed), (MAX_WAITING as u64, 3));
    }
}
