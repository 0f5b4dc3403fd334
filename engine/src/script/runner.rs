//! A session under a script: what each command does.

use super::command::{Command, Draft, Options, create_table};
use super::neighbour::Neighbours;
use super::print;
use super::shorthand::{micros, typed_item};
use crate::capacity::HalfUnits;
use crate::partition::placement::ring_hash;
use crate::protocol::outcome_response;
use crate::scenario::Scenario;
use crate::session::{Outcome, Session};
use crate::sim::mix;
use crate::time::SimTime;
use crate::value::{item_from_json, item_to_json};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

/// Plenty for a script: more generated requests than this in one `advance` are a mistake in it.
pub const ADVANCE_BUDGET: u64 = 50_000_000;
/// Pages that `all=true` follows before the cursor is taken to go in circles.
const MAX_PAGES: usize = 10_000;

pub type Output = Result<String, Box<dyn Error>>;

/// A session under a script.
pub struct Runner {
    pub session: Session,
    pub neighbours: Neighbours,
    /// The cursor of the latest page, as DynamoDB JSON.
    cursor: Option<Json>,
}

impl goldenscript::Runner for Runner {
    type Command = Command;

    fn run(&mut self, command: &Command, context: &goldenscript::Context) -> Output {
        match command {
            Command::Load(source) => self.load(source),
            Command::Send(operation, input) => {
                let input = serde_json::from_str(input).map_err(|error| format!("not JSON: {error}"))?;
                let answer = outcome_response(&self.send(operation, &input));
                Ok(format!("{} {}", answer.status, answer.body))
            }
            Command::Create(table, key, sort, options) => {
                let input = create_table(table, key, sort.as_deref(), options)?;
                let outcome = self.send("CreateTable", &input);
                Ok(outcome.result.map_or_else(|failure| print::failure(&failure), |_| String::new()))
            }
            Command::Put(table, item, options) => self.put(table, item, options.clone()),
            Command::Update(table, key, expression, options) => {
                let mut draft = Draft::new(table);
                draft.express("UpdateExpression", expression)?;
                self.write("UpdateItem", draft, key, options.clone())
            }
            Command::Delete(table, key, options) => self.write("DeleteItem", Draft::new(table), key, options.clone()),
            Command::Get(table, key, options) => self.get(table, key, options.clone()),
            Command::Query(table, condition, options) => {
                let mut draft = Draft::new(table);
                draft.express("KeyConditionExpression", condition)?;
                self.read("Query", draft, options.clone())
            }
            Command::Scan(table, options) => self.read("Scan", Draft::new(table), options.clone()),
            Command::Where(table, key) => self.place(table, key),
            Command::Advance(length) => self.advance(length),
            Command::Step => Ok(self.step()),
            Command::Traffic(streams) => {
                let streams = serde_json::from_str(streams).map_err(|error| format!("no traffic: {error}"))?;
                let answer = self.session.set_traffic(streams);
                Ok(answer.map_or_else(|failure| print::failure(&failure), |()| String::new()))
            }
            Command::Telemetry(table, index) => {
                let seen = self.session.telemetry(table, index.as_deref()).ok_or("no such table or index")?;
                Ok(print::telemetry(&seen))
            }
            Command::Count(table, index, options) => self.count(table, index.as_deref(), options.clone()),
            Command::Log(table, most) => {
                let entries = self.session.throttles(table).take(most.unwrap_or(usize::MAX));
                let lines: Vec<String> = entries.map(print::log_entry).collect();
                Ok(if lines.is_empty() { "nothing refused".into() } else { lines.join("\n") })
            }
            Command::Splits(table, index) => {
                let notes = self.session.splits(table, index.as_deref());
                let lines: Vec<String> = notes.iter().map(print::split_note).collect();
                Ok(if lines.is_empty() { "nothing split".into() } else { lines.join("\n") })
            }
            Command::Scaling(table, index) => self.scaling(table, index.as_deref()),
            Command::Cloudwatch(table, index, options) => self.cloudwatch(table, index.as_deref(), options.clone()),
            Command::Insights(table, index) => self.insights(table, index.as_deref()),
            Command::Price(table, prices) => self.price(table, prices.as_deref()),
            Command::Undo => Ok(if self.session.undo() { "undone" } else { "nothing to undo" }.into()),
            Command::Redo => Ok(if self.session.redo() { "redone" } else { "nothing to redo" }.into()),
            Command::Replay => self.replay(),
            Command::Neighbour(command) => self.neighbour(command, context),
        }
    }
}

impl Runner {
    /// Begins with no tables.
    pub fn new() -> Result<Self, String> {
        let session = Session::new(Scenario::default()).map_err(|failure| failure.headline())?;
        Ok(Self { session, neighbours: Neighbours::default(), cursor: None })
    }

    fn load(&mut self, source: &str) -> Output {
        let scenario = super::scenario(source)?;
        let title = scenario.title.clone();
        self.session = Session::new(scenario).map_err(|failure| failure.headline())?;
        self.cursor = None;
        self.neighbours = Neighbours::default();
        Ok(title)
    }

    fn write(&mut self, operation: &str, mut draft: Draft, key: &str, mut options: Options) -> Output {
        draft.set_item("Key", key)?;
        draft.take_write(&mut options)?;
        options.end()?;
        Ok(print::written(&self.send(operation, &draft.finish())))
    }

    fn get(&mut self, table: &str, key: &str, mut options: Options) -> Output {
        let mut draft = Draft::new(table);
        draft.set_item("Key", key)?;
        draft.take_write(&mut options)?;
        let rate: Option<u64> = options.number("rate")?;
        let length = options.take("for").unwrap_or_else(|| "1s".into());
        options.end()?;
        if let Some(rate) = rate {
            return self.poll(draft, rate, &length);
        }
        let outcome = self.send("GetItem", &draft.finish());
        Ok(match &outcome.result {
            Err(failure) => print::failure(failure),
            Ok(response) => {
                let item = response.item.as_ref().map_or_else(|| "no item".into(), |item| print::item(item, None));
                format!("{item}, {}{}", print::cost(response.consumed.as_ref(), "RCU"), print::reader(&outcome))
            }
        })
    }

    fn put(&mut self, table: &str, item: &str, mut options: Options) -> Output {
        let size = options.number("size")?;
        let times: Option<u64> = options.number("times")?;
        let mut tally = Tally::default();
        for k in 0..times.unwrap_or(1) {
            let mut options = options.clone();
            let mut draft = Draft::new(table);
            let item = item.replace("<k>", &k.to_string()).replace("<uuid>", &uuid(k));
            draft.set("Item", padded(typed_item(&item)?, size)?);
            draft.take_write(&mut options)?;
            options.end()?;
            let outcome = self.send("PutItem", &draft.finish());
            if times.is_none() {
                return Ok(print::written(&outcome));
            }
            tally.add(&outcome);
        }
        Ok(tally.print("WCU"))
    }

    fn read(&mut self, operation: &str, mut draft: Draft, mut options: Options) -> Output {
        let show = options.take("show");
        let all = options.flag("all")?;
        let many = ReadMany::take(&mut options)?;
        draft.take_read(&mut options, self.cursor.as_ref())?;
        options.end()?;
        let mut input = draft.finish();
        if let Some(many) = many {
            return Ok(self.read_many(operation, input, &many));
        }
        let mut text = String::new();
        for page in 1..=MAX_PAGES {
            let outcome = self.send(operation, &input);
            let response = match &outcome.result {
                Ok(response) => response,
                Err(failure) => return Ok(text + &print::failure(failure)),
            };
            if all {
                let _ = write!(text, "page {page}: ");
            }
            text.push_str(&print::page(&outcome).unwrap_or_default());
            // Only what is asked for is listed: a page may hold a thousand items.
            for item in response.items.iter().flatten().filter(|_| show.as_deref() != Some("none")) {
                let _ = write!(text, "\n  {}", print::item(item, show.as_deref()));
            }
            self.cursor = response.last_evaluated_key.as_ref().map(item_to_json);
            let Some(key) = &response.last_evaluated_key else { return Ok(text) };
            if !all {
                let _ = write!(text, "\nLastEvaluatedKey {}", print::item(key, None));
                return Ok(text);
            }
            input["ExclusiveStartKey"] = item_to_json(key);
            text.push('\n');
        }
        Err("the cursors never end".into())
    }

    /// Many reads as one line.
    fn read_many(&mut self, operation: &str, mut input: Json, many: &ReadMany) -> String {
        let mut tally = Tally::default();
        let (mut returned, mut scanned) = (0, 0);
        for nth in 0..many.count {
            if nth > 0 && many.pause > 0 {
                self.session.advance(self.session.now() + many.pause, ADVANCE_BUDGET);
            }
            let outcome = self.send(operation, &input);
            tally.add(&outcome);
            let Ok(response) = &outcome.result else { continue };
            let counts = response.counts.unwrap_or_default();
            (returned, scanned) = (returned + counts.0, scanned + counts.1);
            if many.follow {
                let Some(key) = &response.last_evaluated_key else { break };
                input["ExclusiveStartKey"] = item_to_json(key);
            }
        }
        format!("Count {returned}, ScannedCount {scanned}, {}", tally.print("RCU"))
    }

    fn place(&self, table: &str, key: &str) -> Output {
        let stored = self.session.database().get(table).ok_or("no such table")?;
        let hash = ring_hash(&key.into());
        let at = stored.base().partitions.find(&hash.to_be_bytes());
        Ok(format!("{key} at {} in {}", print::ring(hash), stored.base().partitions.get(at).id))
    }

    fn advance(&mut self, length: &str) -> Output {
        let until = self.session.now() + micros(length)?;
        let progress = self.session.advance(until, ADVANCE_BUDGET);
        if !progress.reached {
            return Err(format!("more than {ADVANCE_BUDGET} generated requests").into());
        }
        Ok(format!("{} generated requests, the clock stands at {}", progress.events, self.session.now()))
    }

    /// What came of the requests of the latest whole seconds, by default one.
    fn count(&self, table: &str, index: Option<&str>, mut options: Options) -> Output {
        let over = options.take("over").map_or(Ok(SimTime::SECOND), |length| micros(&length))? / SimTime::SECOND;
        options.end()?;
        let slot = self.session.database().slot(table).ok_or("no such table")?;
        let arm = self.session.database().table(slot).arm_at(index);
        let end = self.session.shown_second() + 1;
        let seconds = end.saturating_sub(over.max(1))..end;
        let counts = self.session.metrics().arm(slot, arm.ok_or("no such index")?);
        let sum = counts.map(|counts| counts.series.sum(seconds.clone())).unwrap_or_default();
        Ok(print::counted(&sum, &seconds))
    }

    fn step(&mut self) -> String {
        match self.session.step() {
            Some(arrival) => format!("request {} at {}", arrival.number, arrival.at),
            None => "no request to come".into(),
        }
    }

    /// Does everything again, by way of JSON, and compares figures and items.
    fn replay(&self) -> Output {
        let text = serde_json::to_string(&self.session.recording())?;
        let recording = serde_json::from_str(&text)?;
        let (again, outcomes) = Session::replay(&recording).map_err(|failure| failure.headline())?;
        if serde_json::to_string(&self.session.report())? != serde_json::to_string(&again.report())? {
            return Err("the replay came to other figures".into());
        }
        for (mine, theirs) in self.session.database().iter().zip(again.database().iter()) {
            if mine.arms.iter().zip(&theirs.arms).any(|(mine, theirs)| mine.entries != theirs.entries) {
                return Err(format!("the replay stored other items in {}", mine.schema.name).into());
            }
        }
        Ok(format!("the same after {} commands, {} of them requests", recording.journal.len(), outcomes.len()))
    }
}

/// Number `k` of a fixed row of random UUIDs.
fn uuid(k: u64) -> String {
    let (high, low) = (mix(0, 0, k), mix(0, 1, k));
    let (first, second, third) = (high >> 32, high >> 16 & 0xFFFF, high & 0xFFF | 0x4000);
    let (fourth, fifth) = (low >> 48 & 0xFFF | 0x8000, low & 0xFFFF_FFFF_FFFF);
    format!("{first:08x}-{second:04x}-{third:04x}-{fourth:04x}-{fifth:012x}")
}

/// Fills an item up to `size` billed bytes with an attribute `filler`.
fn padded(mut item: Json, size: Option<usize>) -> Result<Json, String> {
    let Some(size) = size else { return Ok(item) };
    let bare = item_from_json(&item).map_err(|fault| fault.message().to_owned())?.size_bytes() + "filler".len();
    let pad = size.checked_sub(bare).ok_or_else(|| format!("the item is larger than {size} bytes without padding"))?;
    item["filler"] = json!({"S": "x".repeat(pad)});
    Ok(item)
}

/// How a read is repeated: `times=N` sends the same one, `pages=N` follows its cursors; with `pause=500ms` the clock
/// moves in between.
struct ReadMany {
    count: u64,
    follow: bool,
    /// Microseconds.
    pause: u64,
}

impl ReadMany {
    fn take(options: &mut Options) -> Result<Option<Self>, String> {
        let (times, pages) = (options.number("times")?, options.number("pages")?);
        let pause = options.take("pause").map_or(Ok(0), |pause| micros(&pause))?;
        Ok(times.or(pages).map(|count| Self { count, follow: times.is_none(), pause }))
    }
}

/// Many requests as one line.
#[derive(Default)]
pub struct Tally {
    accepted: u64,
    cost: HalfUnits,
    partitions: BTreeMap<String, u64>,
    refusals: BTreeMap<String, u64>,
}

impl Tally {
    pub fn add(&mut self, outcome: &Outcome) {
        match &outcome.result {
            Ok(_) => {
                self.accepted += 1;
                self.cost += outcome.trace.charges.iter().map(|charge| charge.cost).sum();
                if let Some(route) = outcome.trace.routes.first() {
                    *self.partitions.entry(route.partition.to_string()).or_default() += 1;
                }
            }
            Err(failure) => *self.refusals.entry(failure.kind.name().to_owned()).or_default() += 1,
        }
    }

    pub fn print(&self, unit: &str) -> String {
        let listed = |map: &BTreeMap<String, u64>| {
            map.iter().map(|(name, count)| format!("{name} × {count}")).collect::<Vec<_>>().join(", ")
        };
        let mut text = format!("accepted {}, {} {unit} in all", self.accepted, self.cost);
        if !self.partitions.is_empty() {
            let _ = write!(text, ": {}", listed(&self.partitions));
        }
        if !self.refusals.is_empty() {
            let _ = write!(text, "; refused: {}", listed(&self.refusals));
        }
        text
    }
}
