//! A stream at work: compiled for its table, with the number of its next request and what its client waits for.

use super::arrivals::{Arrivals, Chance};
use super::attributes::{Attribute, EntryPlan, ItemParts, attributes, entry_plans};
use super::client::{Attempt, Client, Retries};
use super::keys::{Keys, Source};
use super::profile::{Pace, Profile, check_rate};
use super::scanning::{Answer, PageCursor, Worker, check_members, gap, workers};
use super::stream::{Stream, StreamOperation};
use super::template::Moment;
use crate::capacity::{HalfUnits, Side, write_cost};
use crate::diagnostic::Failure;
use crate::partition::Table;
use crate::table::{IndexKind, KeyAttribute, KeySchema};
use crate::time::SimTime;
use crate::value::{AttributeValue, MAX_ITEM_BYTES, Name, ValueType};
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
    /// Of the item or page alone.
    cost: HalfUnits,
    /// Names of the key that it asks by.
    names: (Name, Option<Name>),
    attributes: Vec<Attribute>,
    /// Entries that a write changes: in global indexes, and in local ones.
    globals: Vec<EntryPlan>,
    locals: Vec<EntryPlan>,
}

/// Thinks a stream through for a table; which of its arms it goes to.
type Compile = fn(&Stream, &Table) -> Result<(usize, Plan), Failure>;

/// Where a stream stands that is not at a constant rate.
#[derive(Clone, Copy, Debug)]
enum Course {
    Constant,
    Paced(Pace),
    Chance(Chance),
    /// No further request arrives.
    Ended,
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
    /// How it was thought through. Held as a pointer, so that who only lets tables change need not carry it.
    compile: Compile,
    start: SimTime,
    next: u64,
    /// When request `next` arrives; the end of time if it does not.
    due: SimTime,
    course: Course,
    /// Of a Scan; none otherwise.
    workers: Vec<Worker>,
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
    /// When the request arrived.
    arrived: SimTime,
    /// The request and its random numbers, for its key.
    of: Moment,
}

impl Ask {
    const fn of(seed: u64, stream: u64, attempt: Attempt) -> Self {
        let Attempt { number, part, before, arrived, .. } = attempt;
        Self { number, part, before, arrived, of: Moment { seed, stream, number, second: arrived.second() } }
    }
}

impl RunningStream {
    /// Compiles a stream for its table. `lane` are the session's seed and the stream's number.
    ///
    /// # Errors
    /// A template, profile, rate, size or key the table could not take, in words for the person who typed it.
    pub fn new(stream: Stream, slot: usize, table: &Table, now: SimTime, lane: (u64, u64)) -> Result<Self, Failure> {
        let (arm, plan) = compile(&stream, table)?;
        let start = stream.start.max(now);
        let first = Moment { seed: lane.0, stream: lane.1, ..Moment::default() };
        let course = match (stream.arrivals, &stream.profile) {
            (Arrivals::Even, Profile::Constant) => Course::Constant,
            (Arrivals::Even, profile) => Pace::first(profile).map_or(Course::Ended, Course::Paced),
            (Arrivals::Poisson, profile) => {
                Chance::first(profile, stream.rate_per_second, first).map_or(Course::Ended, Course::Chance)
            }
        };
        let mut running = Self {
            slot,
            arm,
            plan: Arc::new(plan),
            compile,
            start,
            next: 0,
            due: SimTime::MAX,
            course,
            workers: workers(&stream, start),
            retries: Retries::default(),
            stream,
        };
        running.schedule();
        Ok(running)
    }

    /// Thinks it through again for a table whose indexes are not what they were. Where it stands stays.
    ///
    /// # Errors
    /// What the table can no longer take.
    pub fn recompile(&mut self, table: &Table) -> Result<(), Failure> {
        let (arm, plan) = (self.compile)(&self.stream, table)?;
        self.arm = arm;
        self.plan = Arc::new(plan);
        Ok(())
    }

    /// Sets when request `next` arrives.
    fn schedule(&mut self) {
        let at = if self.stream.operation == StreamOperation::Scan {
            self.workers.iter().map(|worker| worker.due).min().unwrap_or(SimTime::MAX)
        } else {
            let offset = match &self.course {
                Course::Constant => constant_offset(self.next, self.stream.rate_per_second),
                Course::Paced(pace) => pace.offset(),
                Course::Chance(chance) => chance.offset(),
                Course::Ended => None,
            };
            offset.map_or(SimTime::MAX, |offset| self.start + offset)
        };
        self.due = if self.stream.end.is_none_or(|end| at < end) { at } else { SimTime::MAX };
    }

    /// When its next attempt is made, if there is one: an arriving request, or one that is tried again.
    pub fn next_arrival(&self) -> Option<SimTime> {
        let at = self.retries.next().map_or(self.due, |attempt| attempt.at.min(self.due));
        (at < SimTime::MAX).then_some(at)
    }

    /// Requests that arrive in the second that begins at `now`, by its rate and profile: what a person is told of it.
    pub fn rate_at(&self, now: SimTime) -> u64 {
        if self.stream.end.is_some_and(|end| now >= end) {
            return 0;
        }
        self.stream.profile.rate_at(self.stream.rate_per_second, now.since(self.start) / SimTime::SECOND)
    }

    /// The number of the request that is asked next.
    pub fn next_number(&self) -> u64 {
        self.retries.next().filter(|attempt| attempt.at <= self.due).map_or(self.next, |attempt| attempt.number)
    }

    /// Which budget its requests draw on, and what the table (or the index it reads) charges for one.
    pub fn cost(&self, ask: &Ask) -> (Side, HalfUnits) {
        let plan = &*self.plan;
        if plan.locals.is_empty() {
            return (plan.side, plan.cost);
        }
        let item = self.item(ask);
        let locals = plan.locals.iter().map(|entry| write_cost(item.entry_bytes(entry))).sum();
        (plan.side, plan.cost + locals)
    }

    /// The entries in global indexes that a metered write of it changes.
    pub fn entries(&self) -> &[EntryPlan] {
        &self.plan.globals
    }

    /// The item asked for.
    pub fn item(&self, ask: &Ask) -> ItemParts<'_> {
        ItemParts {
            names: &self.plan.names,
            partition: self.key_of(ask),
            sort: self.sort_of(ask),
            attributes: &self.plan.attributes,
            of: self.moment(ask),
            bytes: self.stream.item_bytes,
        }
    }

    /// Takes the next attempt, and how many keys it asks, from [`Ask::part`] on. At the same instant a request that is
    /// tried again goes before one that arrives.
    pub fn take(&mut self, seed: u64, stream: u64) -> (Ask, u32) {
        if self.retries.next().is_some_and(|attempt| attempt.at <= self.due)
            && let Some(attempt) = self.retries.pop()
        {
            return (Ask::of(seed, stream, attempt), 1);
        }
        let mut attempt = Attempt { at: self.due, number: self.next, part: 0, before: 0, arrived: self.due };
        if let Some(worker) = self.workers.iter().position(|worker| worker.due == self.due) {
            attempt.part = worker as u32;
            self.workers[worker].due = SimTime::MAX;
        }
        self.next += 1;
        let Stream { profile, rate_per_second, .. } = &self.stream;
        self.course = match self.course {
            Course::Constant => Course::Constant,
            Course::Paced(pace) => pace.after(profile).map_or(Course::Ended, Course::Paced),
            Course::Chance(chance) => {
                let of = Moment { seed, stream, number: self.next, second: 0 };
                chance.after(profile, *rate_per_second, of).map_or(Course::Ended, Course::Chance)
            }
            Course::Ended => Course::Ended,
        };
        self.schedule();
        (Ask::of(seed, stream, attempt), self.plan.fan_out)
    }

    /// What the key and the attributes of the item asked for are drawn from.
    pub(super) fn moment(&self, ask: &Ask) -> Moment {
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
    pub fn answer(&mut self, ask: &Ask, answer: Answer, now: SimTime) {
        let client = self.plan.client;
        let Ask { number, part, before, arrived, of } = *ask;
        match answer {
            Answer::Accepted(_) => self.retries.succeed(client, before, now.since(arrived)),
            Answer::Refused => {
                let attempt = Attempt { at: now, number, part, before, arrived };
                if self.retries.refuse(client, attempt, of.lane()) {
                    return;
                }
            }
            Answer::Failed => self.retries.fail(),
        }
        if !self.workers.is_empty() {
            self.turn_page(part, answer, now);
        }
    }

    /// What the worker of a Scan does after an answer: the next page, the same one again, the first one, or nothing more.
    fn turn_page(&mut self, worker: u32, answer: Answer, now: SimTime) {
        let (gap, repeat) = (gap(&self.stream), self.stream.repeat);
        if let Some(worker) = self.workers.get_mut(worker as usize) {
            worker.due = now + gap;
            if let Answer::Accepted(next) = answer {
                if next.is_none() && !repeat {
                    worker.due = SimTime::MAX;
                }
                worker.cursor = next.unwrap_or_default();
            }
        }
        self.schedule();
    }

    /// Up to where the worker of a Scan has read.
    pub fn cursor(&self, ask: &Ask) -> &PageCursor {
        self.workers.get(ask.part as usize).map_or(&PageCursor::Beginning, |worker| &worker.cursor)
    }

    /// Attributes besides the key.
    pub(super) fn attributes(&self) -> &[Attribute] {
        &self.plan.attributes
    }

    /// Names of the key it asks by.
    pub(super) fn key_names(&self) -> &(Name, Option<Name>) {
        &self.plan.names
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

    /// Microseconds that all but one in a hundred of the requests accepted so far did not wait longer than, from their
    /// arrival to the attempt that was accepted, an eighth too much at most; 0 where 99 in 100 were accepted at once,
    /// `None` where none was accepted. Requests that gave up are not among them.
    pub fn wait_p99(&self) -> Option<u64> {
        self.retries.waits.percentile(self.retries.succeeded, 99)
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

/// Checks a stream and thinks it through for its table; which of its arms it goes to.
fn compile(stream: &Stream, table: &Table) -> Result<(usize, Plan), Failure> {
    check_rate(stream.rate_per_second)?;
    stream.profile.check()?;
    check_members(stream)?;
    let reads_pages = matches!(stream.operation, StreamOperation::Query | StreamOperation::Scan);
    if stream.item_bytes > if reads_pages { MAX_PAGE_BYTES } else { MAX_ITEM_BYTES as u64 } {
        return Err(Failure::validation("Item size has exceeded the maximum allowed size"));
    }
    let (arm, key, is_whole) = target(stream, table)?;
    let keys = if stream.operation == StreamOperation::Scan {
        // It asks for no key, and nobody looks at this one.
        let any = KeyAttribute { name: "scan".into(), value_type: ValueType::S };
        Keys::new("scan", &[], &any)?
    } else {
        Keys::new(&stream.key, &stream.keys, &key.partition)?
    };
    check_fan_out(stream, &keys)?;
    let sort = match (&stream.sort, &key.sort) {
        (None, _) => None,
        (Some(text), Some(key)) => Some(Source::sort(text, key)?).filter(|_| !is_whole || stream.store),
        (Some(_), None) => {
            let what = stream.index.as_ref().unwrap_or(&stream.table);
            return Err(Failure::validation(format!("{what} has no sort key, so its traffic has no `sort`")));
        }
    };
    let (side, cost) = stream.cost();
    let is_write = side == Side::Write;
    if stream.attributes.is_some() && !is_write {
        return Err(Failure::validation("only writes have `attributes`"));
    }
    if stream.store && sort.is_none() && key.sort.is_some() && !reads_pages {
        return Err(Failure::validation(format!("the key of {} has a sort key: `sort` says which", stream.table)));
    }
    let schema = &table.schema;
    let attributes = stream.attributes.as_ref().map_or_else(|| Ok(Vec::new()), |all| attributes(all, schema))?;
    let mut plans = Vec::new();
    if is_write && stream.attributes.is_some() {
        plans = entry_plans(schema, &attributes, sort.is_some());
        // An update keeps keys and attributes and changes the rest.
        plans.retain(|plan| stream.operation != StreamOperation::UpdateItem || plan.carries_filler());
    }
    let (locals, globals) = plans.into_iter().partition(|plan| plan.arm == 0);
    let names = (key.partition.name.clone(), key.sort.as_ref().map(|sort| sort.name.clone()));
    let plan = Plan {
        keys,
        sort,
        client: stream.client,
        fan_out: stream.fan_out,
        side,
        cost,
        names,
        attributes,
        globals,
        locals,
    };
    Ok((arm, plan))
}

/// The arm a stream goes to, the key it is asked by, and whether its collections are never cut.
fn target<'a>(stream: &Stream, table: &'a Table) -> Result<(usize, &'a KeySchema, bool), Failure> {
    let Some(name) = &stream.index else { return Ok((0, &table.schema.key, false)) };
    if !matches!(stream.operation, StreamOperation::Query | StreamOperation::Scan) {
        return Err(Failure::validation(
            "only a Query or Scan names an `index`; writes reach indexes through the table",
        ));
    }
    // In the words that a Query gets from the service.
    let index = table
        .schema
        .index(name)
        .ok_or_else(|| Failure::validation(format!("The table does not have the specified index: {name}")))?;
    if index.kind == IndexKind::Local {
        if stream.operation == StreamOperation::Scan && !stream.store {
            return Err(Failure::validation(
                "a metered Scan reads a table or a global index: a local one has no bytes of its own",
            ));
        }
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
