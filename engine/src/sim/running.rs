//! A stream at work: compiled for its table, with the number of its next request and what its client waits for.

use super::client::{Attempt, Client, Retries};
use super::keys::{Keys, Source};
use super::profile::{Pace, Profile, check_rate};
use super::stream::{Stream, StreamOperation};
use super::template::Moment;
use crate::capacity::{HalfUnits, Side};
use crate::diagnostic::Failure;
use crate::partition::Table;
use crate::table::{IndexKind, KeySchema};
use crate::time::SimTime;
use crate::value::{AttributeValue, MAX_ITEM_BYTES};
use std::sync::Arc;

/// Largest page of a Query: Developer Guide, "Paginating table query results".
const MAX_PAGE_BYTES: u64 = 1 << 20;
/// Keys that one read may ask.
const MAX_FAN_OUT: u32 = 1000;

/// What does not change while it works; copies of a state share it.
#[derive(Debug)]
struct Plan {
    keys: Keys,
    sort: Option<Source>,
    client: Client,
    fan_out: u32,
    side: Side,
    cost: HalfUnits,
}

/// A stream at work.
#[derive(Clone, Debug)]
pub struct RunningStream {
    /// As it was set.
    pub stream: Stream,
    /// Place of its table in the database.
    pub slot: usize,
    /// Place in the table of the arm it goes to: 0 for the table, or a global index.
    pub arm: usize,
    plan: Arc<Plan>,
    start: SimTime,
    next: u64,
    /// When request `next` arrives; the end of time if it does not.
    due: SimTime,
    /// Where a profile other than the constant rate stands.
    pace: Option<Pace>,
    retries: Retries,
}

/// One attempt of one request, at one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The request's number in the stream.
    pub number: u64,
    /// Which key of a fan-out.
    pub part: u32,
    /// Attempts before this one.
    pub before: u32,
    /// The request and its random numbers, for its key.
    of: Moment,
}

impl Ask {
    const fn of(seed: u64, stream: u64, attempt: Attempt) -> Self {
        let Attempt { number, part, before, second, .. } = attempt;
        Self { number, part, before, of: Moment { seed, stream, number, second } }
    }
}

impl RunningStream {
    /// Compiles a stream for its table.
    ///
    /// # Errors
    /// A template, profile, rate, size or key the table could not take, in words for the person who typed it.
    pub fn new(stream: Stream, slot: usize, table: &Table, now: SimTime) -> Result<Self, Failure> {
        check_rate(stream.rate_per_second)?;
        stream.profile.check()?;
        let is_query = stream.operation == StreamOperation::Query;
        if stream.item_bytes > if is_query { MAX_PAGE_BYTES } else { MAX_ITEM_BYTES as u64 } {
            return Err(Failure::validation("Item size has exceeded the maximum allowed size"));
        }
        let (arm, key, is_whole) = target(&stream, table)?;
        let keys = Keys::new(&stream.key, &stream.keys, &key.partition)?;
        check_fan_out(&stream, &keys)?;
        let sort = match (&stream.sort, &key.sort) {
            (None, _) => None,
            (Some(text), Some(key)) => Some(Source::sort(text, key)?).filter(|_| !is_whole),
            (Some(_), None) => {
                let what = stream.index.as_ref().unwrap_or(&stream.table);
                return Err(Failure::validation(format!("{what} has no sort key, so its traffic has no `sort`")));
            }
        };
        let (side, cost) = stream.cost();
        let plan = Plan { keys, sort, client: stream.client, fan_out: stream.fan_out, side, cost };
        let mut running = Self {
            slot,
            arm,
            plan: Arc::new(plan),
            start: stream.start.max(now),
            next: 0,
            due: SimTime::MAX,
            pace: if stream.profile.is_constant() { None } else { Pace::first(&stream.profile) },
            retries: Retries::default(),
            stream,
        };
        running.schedule();
        Ok(running)
    }

    /// Sets when request `next` arrives.
    fn schedule(&mut self) {
        let offset = match &self.stream.profile {
            Profile::Constant => constant_offset(self.next, self.stream.rate_per_second),
            _ => self.pace.as_ref().and_then(Pace::offset),
        };
        let at = offset.map_or(SimTime::MAX, |offset| self.start + offset);
        self.due = if self.stream.end.is_none_or(|end| at < end) { at } else { SimTime::MAX };
    }

    /// When its next attempt is made, if there is one: an arriving request, or one that is tried again.
    pub fn next_arrival(&self) -> Option<SimTime> {
        let at = self.retries.next().map_or(self.due, |attempt| attempt.at.min(self.due));
        (at < SimTime::MAX).then_some(at)
    }

    /// The number of the request that is asked next.
    pub fn next_number(&self) -> u64 {
        self.retries.next().filter(|attempt| attempt.at <= self.due).map_or(self.next, |attempt| attempt.number)
    }

    /// Which budget its requests draw on, and what one costs.
    pub fn cost(&self) -> (Side, HalfUnits) {
        (self.plan.side, self.plan.cost)
    }

    /// Takes the next attempt, and how many keys it asks, from [`Ask::part`] on. At the same instant a request that is
    /// tried again goes before one that arrives.
    pub fn take(&mut self, seed: u64, stream: u64) -> (Ask, u32) {
        if self.retries.next().is_some_and(|attempt| attempt.at <= self.due)
            && let Some(attempt) = self.retries.pop()
        {
            return (Ask::of(seed, stream, attempt), 1);
        }
        let attempt = Attempt { at: self.due, number: self.next, part: 0, before: 0, second: self.due.second() };
        self.next += 1;
        if let Some(pace) = self.pace {
            self.pace = pace.after(&self.stream.profile);
        }
        self.schedule();
        (Ask::of(seed, stream, attempt), self.plan.fan_out)
    }

    fn moment(&self, ask: &Ask) -> Moment {
        // The keys of a fan-out follow each other.
        let number = ask.number * u64::from(self.plan.fan_out) + u64::from(ask.part);
        Moment { number, ..ask.of }
    }

    /// The hash of the partition key asked for.
    pub fn hash_of(&self, ask: &Ask) -> u64 {
        self.plan.keys.hash(self.moment(ask))
    }

    /// The partition key asked for.
    pub fn key_of(&self, ask: &Ask) -> AttributeValue {
        self.plan.keys.value(self.moment(ask))
    }

    /// The sort key asked for, if the stream has a template for it and it can matter.
    pub fn sort_of(&self, ask: &Ask) -> Option<AttributeValue> {
        let of = Moment { seed: !ask.of.seed, ..self.moment(ask) };
        Some(self.plan.sort.as_ref()?.value(of))
    }

    /// Tells the client what came of an attempt at `now`.
    pub fn answer(&mut self, ask: &Ask, accepted: bool, now: SimTime) {
        let client = self.plan.client;
        if accepted {
            self.retries.succeed(client, ask.before);
        } else {
            let Ask { number, part, before, of } = *ask;
            self.retries.refuse(client, Attempt { at: now, number, part, before, second: of.second }, of.lane());
        }
    }

    /// How many requests have arrived. A read over several keys is one.
    pub const fn arrived(&self) -> u64 {
        self.next
    }

    /// How many requests the service was meant to answer: those that arrived, times the keys each asks.
    pub fn requests(&self) -> u64 {
        self.next * u64::from(self.plan.fan_out)
    }

    /// How often the service was asked, retries included.
    pub const fn attempts(&self) -> u64 {
        self.retries.attempts
    }

    /// Attempts that were not the first of their request.
    pub fn retries(&self) -> u64 {
        self.retries.attempts - self.requests()
    }

    /// Requests that were accepted at last.
    pub const fn succeeded(&self) -> u64 {
        self.retries.succeeded
    }

    /// Requests that ran out of attempts.
    pub const fn failed(&self) -> u64 {
        self.retries.failed
    }

    /// Requests that were refused and will be tried again.
    pub fn waiting(&self) -> u64 {
        self.retries.waiting()
    }
}

/// ⌊k·10⁶/rate⌋; `None` at rate 0.
fn constant_offset(k: u64, rate: u64) -> Option<u64> {
    if let Some(micros) = k.checked_mul(SimTime::SECOND) {
        return micros.checked_div(rate);
    }
    let micros = (u128::from(k) * u128::from(SimTime::SECOND)).checked_div(u128::from(rate))?;
    Some(u64::try_from(micros).unwrap_or(u64::MAX))
}

/// The arm a stream goes to, the key it is asked by, and whether its collections are never cut.
fn target<'a>(stream: &Stream, table: &'a Table) -> Result<(usize, &'a KeySchema, bool), Failure> {
    let Some(name) = &stream.index else { return Ok((0, &table.schema.key, false)) };
    if stream.operation != StreamOperation::Query {
        return Err(Failure::validation("only a Query names an `index`; writes reach indexes through the table"));
    }
    // In the words that a Query gets from the service.
    let index = table
        .schema
        .index(name)
        .ok_or_else(|| Failure::validation(format!("The table does not have the specified index: {name}")))?;
    if index.kind == IndexKind::Local {
        return Ok((0, &index.key, true));
    }
    if stream.consistent {
        return Err(Failure::validation("Consistent reads are not supported on global secondary indexes"));
    }
    Ok((table.arm_of(name).unwrap_or(0), &index.key, false))
}

fn check_fan_out(stream: &Stream, keys: &Keys) -> Result<(), Failure> {
    let fan_out = stream.fan_out;
    if fan_out == 1 {
        return Ok(());
    }
    if !(1..=MAX_FAN_OUT).contains(&fan_out) {
        return Err(Failure::validation(format!("`fan_out` is from 1 to {MAX_FAN_OUT}, and {fan_out} is not")));
    }
    if stream.operation.side() == Side::Write {
        return Err(Failure::validation("only reads have a `fan_out`"));
    }
    match keys.period() {
        Some(period) if period == u64::from(fan_out) => Ok(()),
        Some(period) => Err(Failure::validation(format!(
            "a `fan_out` of {fan_out} asks all keys of the template, and `{}` has {period}",
            stream.key
        ))),
        None => Err(Failure::validation(format!(
            "a `fan_out` asks all keys of a template that cycles, such as `{{0..{}}}`",
            fan_out - 1
        ))),
    }
}
