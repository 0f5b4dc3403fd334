//! A session under a script: what each command does.

use super::command::{Command, Draft, Options, create_table};
use super::print;
use super::shorthand::{micros, typed_item};
use crate::capacity::HalfUnits;
use crate::partition::placement::ring_hash;
use crate::protocol::outcome_response;
use crate::scenario::Scenario;
use crate::session::{Outcome, Session};
use crate::value::{item_from_json, item_to_json};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

/// Plenty for a script: more generated requests than this in one `advance` are a mistake in it.
const ADVANCE_BUDGET: u64 = 50_000_000;
/// Pages that `all=true` follows before the cursor is taken to go in circles.
const MAX_PAGES: usize = 10_000;

type Output = Result<String, Box<dyn Error>>;

/// A session under a script.
pub struct Runner {
    session: Session,
    /// The cursor of the latest page, as DynamoDB JSON.
    cursor: Option<Json>,
}

impl goldenscript::Runner for Runner {
    type Command = Command;

    fn run(&mut self, command: &Command, _context: &goldenscript::Context) -> Output {
        match command {
            Command::Load(source) => self.load(source),
            Command::Send(operation, input) => {
                let input = serde_json::from_str(input).map_err(|error| format!("not JSON: {error}"))?;
                let answer = outcome_response(&self.session.send(operation, &input));
                Ok(format!("{} {}", answer.status, answer.body))
            }
            Command::Create(table, key, sort, options) => {
                let input = create_table(table, key, sort.as_deref(), options)?;
                let outcome = self.session.send("CreateTable", &input);
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
            Command::Log(table, most) => {
                let entries = self.session.throttles(table).take(most.unwrap_or(usize::MAX));
                let lines: Vec<String> = entries.map(print::log_entry).collect();
                Ok(if lines.is_empty() { "nothing refused".into() } else { lines.join("\n") })
            }
            Command::Undo => Ok(if self.session.undo() { "undone" } else { "nothing to undo" }.into()),
            Command::Redo => Ok(if self.session.redo() { "redone" } else { "nothing to redo" }.into()),
            Command::Replay => self.replay(),
        }
    }
}

impl Runner {
    /// Begins with no tables.
    pub fn new() -> Result<Self, String> {
        let session = Session::new(Scenario::default()).map_err(|failure| failure.headline())?;
        Ok(Self { session, cursor: None })
    }

    fn load(&mut self, source: &str) -> Output {
        let scenario = super::scenario(source)?;
        let title = scenario.title.clone();
        self.session = Session::new(scenario).map_err(|failure| failure.headline())?;
        self.cursor = None;
        Ok(title)
    }

    fn write(&mut self, operation: &str, mut draft: Draft, key: &str, mut options: Options) -> Output {
        draft.set_item("Key", key)?;
        draft.take_write(&mut options)?;
        options.end()?;
        Ok(print::written(&self.session.send(operation, &draft.finish())))
    }

    fn get(&mut self, table: &str, key: &str, mut options: Options) -> Output {
        let mut draft = Draft::new(table);
        draft.set_item("Key", key)?;
        draft.take_write(&mut options)?;
        options.end()?;
        let outcome = self.session.send("GetItem", &draft.finish());
        Ok(match &outcome.result {
            Err(failure) => print::failure(failure),
            Ok(response) => {
                let item = response.item.as_ref().map_or_else(|| "no item".into(), |item| print::item(item, None));
                format!("{item}, {}", print::cost(response.consumed.as_ref(), "RCU"))
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
            draft.set("Item", padded(typed_item(&item.replace("<k>", &k.to_string()))?, size)?);
            draft.take_write(&mut options)?;
            options.end()?;
            let outcome = self.session.send("PutItem", &draft.finish());
            if times.is_none() {
                return Ok(print::written(&outcome));
            }
            tally.add(&outcome);
        }
        Ok(tally.print())
    }

    fn read(&mut self, operation: &str, mut draft: Draft, mut options: Options) -> Output {
        let show = options.take("show");
        let all = options.flag("all")?;
        draft.take_read(&mut options, self.cursor.as_ref())?;
        options.end()?;
        let mut input = draft.finish();
        let mut text = String::new();
        for page in 1..=MAX_PAGES {
            let outcome = self.session.send(operation, &input);
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

/// Fills an item up to `size` billed bytes with an attribute `filler`.
fn padded(mut item: Json, size: Option<usize>) -> Result<Json, String> {
    let Some(size) = size else { return Ok(item) };
    let bare = item_from_json(&item).map_err(|fault| fault.message().to_owned())?.size_bytes() + "filler".len();
    let pad = size.checked_sub(bare).ok_or_else(|| format!("the item is larger than {size} bytes without padding"))?;
    item["filler"] = json!({"S": "x".repeat(pad)});
    Ok(item)
}

/// Many writes as one line.
#[derive(Default)]
struct Tally {
    accepted: u64,
    cost: HalfUnits,
    partitions: BTreeMap<String, u64>,
    refusals: BTreeMap<String, u64>,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        match &outcome.result {
            Ok(_) => {
                self.accepted += 1;
                self.cost += outcome.trace.charges.iter().map(|charge| charge.cost).sum();
                let partition = outcome.trace.routes.first().map(|route| route.partition.to_string());
                *self.partitions.entry(partition.unwrap_or_default()).or_default() += 1;
            }
            Err(failure) => *self.refusals.entry(failure.kind.name().to_owned()).or_default() += 1,
        }
    }

    fn print(&self) -> String {
        let listed = |map: &BTreeMap<String, u64>| {
            map.iter().map(|(name, count)| format!("{name} × {count}")).collect::<Vec<_>>().join(", ")
        };
        let mut text = format!("accepted {}, {} WCU in all: {}", self.accepted, self.cost, listed(&self.partitions));
        if !self.refusals.is_empty() {
            let _ = write!(text, "; refused: {}", listed(&self.refusals));
        }
        text
    }
}
