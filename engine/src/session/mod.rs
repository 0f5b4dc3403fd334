//! A session: tables, clock, randomness, traffic and journal. The one door for everything outside the engine.
//!
//! ```
//! use dynascope_engine::{scenario::Scenario, session::Session};
//! use serde_json::json;
//!
//! let mut session = Session::new(Scenario::default()).unwrap();
//! session.send("CreateTable", &json!({
//!     "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
//!     "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
//!     "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
//! }));
//! let outcome = session.send("PutItem", &json!({"TableName": "app", "Item": {"PK": {"S": "a"}}}));
//! assert!(outcome.result.is_ok());
//! assert_eq!(outcome.trace.charges[0].cost.to_string(), "1"); // WCU
//! ```

mod beginning;
mod burst;
mod generate;
mod history;
mod preview;
mod reshape;
mod scaling;
mod seek;
mod snapshots;
mod telemetry;
mod walk;
mod watch;

pub use burst::{BurstLevel, Saved};
pub use telemetry::{PartitionTelemetry, Report, Telemetry};
pub use watch::{ArmPrice, TablePrice};

use crate::background::Scaler;
use crate::capacity::Physics;
use crate::diagnostic::Failure;
use crate::metrics::Metrics;
use crate::operation::{
    Context, CreateTable, Envelope, Operation, Reader, Request, Response, read_any, read_request, table_not_found,
};
use crate::partition::placement::table_position;
use crate::partition::{Arrival as Arrives, Database};
use crate::scenario::{Command, Recording, SCENARIO_VERSION, Scenario};
use crate::sim::{RunningStream, Stream};
use crate::time::SimTime;
use crate::trace::Trace;
use crate::value::Item;
use history::Step;
use scaling::{Span, settle_arm};
use serde_json::Value as Json;
use snapshots::Snapshots;
use std::sync::Arc;

/// What came of a request.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer, or the refusal.
    pub result: Result<Response, Failure>,
    /// How it came about.
    pub trace: Trace,
}

/// How far an advance came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Generated requests answered.
    pub events: u64,
    /// Was the moment reached, or did the budget run out first?
    pub reached: bool,
}

/// Everything that changes.
#[derive(Clone, Debug, Default)]
struct State {
    database: Database,
    now: SimTime,
    streams: Vec<RunningStream>,
    scalers: Vec<Scaler>,
    metrics: Metrics,
    /// The second up to which partitions have been looked after.
    settled: u64,
}

/// A generated request that was answered: for showing the last few.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrival {
    /// When.
    pub at: SimTime,
    /// Which stream.
    pub stream: usize,
    /// Its number in the stream.
    pub number: u64,
}

/// A running simulation.
///
/// A clone is a fork: it has the same past, shares with it what is large (items, snapshots, states to undo to), and goes
/// its own way from there. See [`Session::at`] for forks of the past.
#[derive(Clone, Debug)]
pub struct Session {
    scenario: Arc<Scenario>,
    physics: Physics,
    state: State,
    journal: Vec<Command>,
    undo: Vec<Step>,
    redo: Vec<Step>,
    snapshots: Snapshots,
}

impl Default for Session {
    /// No tables, the figures AWS documents.
    fn default() -> Self {
        let scenario = Scenario::default();
        Self::empty(Physics::preset(scenario.physics), scenario)
    }
}

impl Session {
    fn empty(physics: Physics, scenario: Scenario) -> Self {
        Self {
            scenario: Arc::new(scenario),
            physics,
            state: State::default(),
            journal: Vec::new(),
            undo: Vec::new(),
            redo: Vec::new(),
            snapshots: Snapshots::default(),
        }
    }

    /// Changes the scenario of a session that is being built, which nobody shares yet.
    fn complete_scenario(&mut self, complete: impl FnOnce(&mut Scenario)) {
        if let Some(scenario) = Arc::get_mut(&mut self.scenario) {
            complete(scenario);
        }
    }

    /// Builds the tables of a scenario and puts its items in.
    ///
    /// # Errors
    /// An unknown version, a constant or auto scaling that is none, or whatever the service would say to the first table or item it
    /// could not take.
    pub fn new(mut scenario: Scenario) -> Result<Self, Failure> {
        let traffic = std::mem::take(&mut scenario.traffic);
        scenario.own_prices()?;
        let mut session = Self::build(scenario.figures()?, scenario)?;
        session.set_scaling()?;
        session.set_tags()?;
        session.set_streams(&traffic)?;
        session.complete_scenario(|scenario| scenario.traffic = traffic);
        Ok(session)
    }

    /// The same for a scenario without traffic, auto scaling, constants and prices of its own, which are left out if it
    /// has any.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn without_traffic(mut scenario: Scenario) -> Result<Self, Failure> {
        scenario.traffic.clear();
        scenario.constants.clear();
        scenario.prices.clear();
        scenario.auto_scaling.clear();
        Self::build(Physics::preset(scenario.physics), scenario)
    }

    /// A session with the tables of a scenario that has no traffic (yet).
    fn build(physics: Physics, mut scenario: Scenario) -> Result<Self, Failure> {
        if scenario.version != SCENARIO_VERSION {
            return Err(Failure::validation(format!(
                "this scenario has version {}, and version {SCENARIO_VERSION} is the one understood here",
                scenario.version
            )));
        }
        let tables = std::mem::take(&mut scenario.tables);
        let mut session = Self::empty(physics, scenario);
        for setup in &tables {
            let create = CreateTable::from_json(&setup.create)?;
            session.in_context(|context| create.create(context)).0?;
            let slot = session.state.database.len() - 1;
            for item in &setup.items {
                session.load_item(slot, item.clone())?;
            }
        }
        session.complete_scenario(|scenario| scenario.tables = tables);
        Ok(session)
    }

    /// Begins a recording and does everything in it again.
    ///
    /// # Errors
    /// As [`Session::new`], and for traffic that a table cannot take.
    pub fn replay(recording: &Recording) -> Result<(Self, Vec<Outcome>), Failure> {
        let mut session = Self::new(recording.scenario.clone())?;
        let mut outcomes = Vec::new();
        for command in &recording.journal {
            outcomes.extend(session.apply(command)?);
        }
        Ok((session, outcomes))
    }

    /// Puts an item where it belongs without capacity, as at the start of a scenario.
    fn load_item(&mut self, slot: usize, mut item: Item) -> Result<(), Failure> {
        let now = self.state.now;
        let table = self.state.database.table_mut(slot);
        table.schema.check_item_key(&item)?;
        table.schema.check_index_keys(&item)?;
        table.intern(&mut item);
        let Some(position) = table_position(&table.schema.key, &item) else { return Ok(()) };
        let change = crate::partition::ItemChange {
            old: table.base().entries.get(&position).cloned(),
            new: Some(Arc::new(item)),
            position,
        };
        let plan = table.plan_write(change);
        // What a scenario begins with has arrived everywhere.
        table.commit(plan, now, Arrives { indexes: now, followers: now });
        Ok(())
    }

    /// The data it began with.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Everything done since.
    pub fn journal(&self) -> &[Command] {
        &self.journal
    }

    /// Scenario and journal together.
    pub fn recording(&self) -> Recording {
        Recording { scenario: self.scenario().clone(), journal: self.journal.clone() }
    }

    /// The constants in force.
    pub const fn physics(&self) -> &Physics {
        &self.physics
    }

    /// The clock.
    pub const fn now(&self) -> SimTime {
        self.state.now
    }

    /// All tables.
    pub const fn database(&self) -> &Database {
        &self.state.database
    }

    /// All counts.
    pub const fn metrics(&self) -> &Metrics {
        &self.state.metrics
    }

    /// The traffic as it was set.
    pub fn traffic(&self) -> Vec<Stream> {
        self.state.streams.iter().map(|running| running.stream.clone()).collect()
    }

    /// The traffic as it is now.
    pub fn streams(&self) -> &[RunningStream] {
        &self.state.streams
    }

    /// Does a command again.
    ///
    /// # Errors
    /// Traffic that a table cannot take; refused requests are outcomes, not errors.
    pub fn apply(&mut self, command: &Command) -> Result<Option<Outcome>, Failure> {
        match command {
            Command::Send(envelope) => Ok(Some(self.send(&envelope.operation, &envelope.input))),
            Command::Advance { events, to } => {
                self.advance_again(*events, *to);
                Ok(None)
            }
            Command::Traffic(streams) => self.set_traffic(streams.clone()).map(|()| None),
        }
    }

    /// Goes a noted way again: so many generated requests, and then the clock stands at `to`.
    fn advance_again(&mut self, events: u64, to: SimTime) {
        let done = self.run_events(events, SimTime::MAX);
        self.stand_at(to);
        self.note_advance(done);
    }

    /// Answers a request given as DynamoDB JSON. What fails is an outcome like any other and stands in the journal
    /// too, since it may have been charged.
    pub fn send(&mut self, operation: &str, input: &Json) -> Outcome {
        self.send_by(read_any, operation, input)
    }

    /// The same for callers that know which operations they send.
    pub fn send_by(&mut self, read: Reader, operation: &str, input: &Json) -> Outcome {
        match read(operation, input) {
            Ok(request) => self.dispatch_as(&*request, input.clone()),
            Err(failure) => self.refused(failure),
        }
    }

    /// The same for a Query or Scan, for callers that send nothing else.
    pub fn send_read(&mut self, operation: &str, input: &Json) -> Outcome {
        match read_request(operation, input) {
            // Reads leave nothing to undo, and no reason for a snapshot.
            Ok(request) => {
                let outcome = self.run_counted(&*request);
                self.note(&*request, input.clone());
                outcome
            }
            Err(failure) => self.refused(failure),
        }
    }

    /// Answers several requests, which are undone in one step; their outcomes in order.
    pub fn send_all(&mut self, read: Reader, requests: &[(&str, Json)]) -> Vec<Outcome> {
        let saved = self.save_undo();
        let mut changed = false;
        let mut outcomes = Vec::with_capacity(requests.len());
        for (operation, input) in requests {
            let outcome = match read(operation, input) {
                Ok(request) => {
                    self.count_typed();
                    self.run_noted(&*request, input.clone())
                }
                Err(failure) => self.refused(failure),
            };
            changed |= outcome.result.is_ok();
            outcomes.push(outcome);
        }
        if saved && !changed {
            self.forget_undo();
        }
        outcomes
    }

    /// Answers a request. The journal notes it as DynamoDB JSON.
    pub fn dispatch(&mut self, request: &Request) -> Outcome {
        self.dispatch_as(request, request.to_json())
    }

    fn dispatch_as(&mut self, request: &dyn Operation, input: Json) -> Outcome {
        let saved = request.is_write() && self.save_undo();
        self.count_typed();
        let outcome = self.run_noted(request, input);
        if saved && outcome.result.is_err() {
            // A refused write leaves nothing to undo.
            self.forget_undo();
        }
        outcome
    }

    fn run_noted(&mut self, request: &dyn Operation, input: Json) -> Outcome {
        let outcome = self.run_any(request);
        self.note(request, input);
        outcome
    }

    fn note(&mut self, request: &dyn Operation, input: Json) {
        self.push(Command::Send(Envelope { operation: request.name().to_owned(), input }));
    }

    /// What comes of a request that could not even be read.
    fn refused(&self, failure: Failure) -> Outcome {
        Outcome { result: Err(failure), trace: Trace { at: self.state.now, ..Trace::default() } }
    }

    /// Answers a request and counts it, but keeps no journal: for measuring and for bulk work that nobody
    /// replays.
    pub fn run(&mut self, request: &dyn Operation) -> Outcome {
        self.snapshots.stop();
        self.run_any(request)
    }

    fn run_counted(&mut self, request: &dyn Operation) -> Outcome {
        let (result, trace) = self.in_context(|context| request.run(context));
        self.state.metrics.record(&trace);
        Outcome { result, trace }
    }

    fn in_context<T>(&mut self, act: impl FnOnce(&mut Context<'_>) -> T) -> (T, Trace) {
        let mut trace = Trace { at: self.state.now, ..Trace::default() };
        let result = act(&mut Context {
            database: &mut self.state.database,
            physics: &self.physics,
            now: self.state.now,
            saved_burst_seconds: self.scenario.saved_burst_seconds,
            epoch: self.scenario.epoch,
            trace: &mut trace,
        });
        (result, trace)
    }

    /// Replaces the traffic from now on.
    ///
    /// # Errors
    /// An unknown table, a template that is none, a rate, size or key the table could not take. Nothing is
    /// changed then.
    pub fn set_traffic(&mut self, streams: Vec<Stream>) -> Result<(), Failure> {
        self.set_streams(&streams)?;
        self.push(Command::Traffic(streams));
        Ok(())
    }

    fn set_streams(&mut self, streams: &[Stream]) -> Result<(), Failure> {
        let mut running = Vec::new();
        for (at, stream) in streams.iter().enumerate() {
            let slot = self.state.database.slot(&stream.table).ok_or_else(|| table_not_found(&stream.table))?;
            let table = self.state.database.table(slot);
            let lane = (self.scenario.seed, at as u64);
            running.push(RunningStream::new(stream.clone(), slot, table, self.state.now, lane)?);
        }
        self.state.streams = running;
        Ok(())
    }

    /// Moves the clock to `until`, answering the generated requests that arrive before it, at most `budget` of
    /// them. Called again it goes on; how the way is sliced changes nothing.
    pub fn advance(&mut self, until: SimTime, budget: u64) -> Progress {
        let events = self.run_events(budget, until);
        let reached = self.next_arrival().is_none_or(|(at, _)| at >= until);
        if reached {
            self.stand_at(until);
        }
        self.note_advance(events);
        Progress { events, reached }
    }

    /// Sets the clock; it does not go back.
    fn stand_at(&mut self, moment: SimTime) {
        self.state.now = self.state.now.max(moment);
        self.settle();
    }

    /// Does what happens by itself, up to now.
    fn settle(&mut self) {
        let now = self.state.now;
        while let Some(due) = self.state.database.next_arrival().filter(|due| *due <= now) {
            // An entry that arrives may make a partition too large. That is looked at on whole seconds, however the way
            // here was sliced: those before it first.
            self.look_after_arms(SimTime::from_secs((due.0 - 1) / SimTime::SECOND));
            self.state.database.arrive(SimTime::from_secs(due.0.div_ceil(SimTime::SECOND)).min(now));
        }
        self.look_after_arms(now);
    }

    /// Does what partitions and auto scaling do by themselves. Once a second is enough: all of it is on whole seconds.
    fn look_after_arms(&mut self, now: SimTime) {
        let State { database, settled, metrics, scalers, .. } = &mut self.state;
        if now.second() <= *settled {
            return;
        }
        let span = Span { before: *settled, now };
        *settled = now.second();
        for slot in 0..database.len() {
            let table = database.table_mut(slot);
            let has_local = !table.locals.is_empty();
            for (at, arm) in table.arms.iter_mut().enumerate() {
                let beside = (&mut **scalers, &mut *metrics, &self.physics);
                settle_arm((slot, at), span, (arm, has_local && at == 0), beside);
            }
        }
    }

    /// Answers exactly the next generated request and stops the clock at it.
    pub fn step(&mut self) -> Option<Arrival> {
        let (at, stream) = self.next_arrival()?;
        let number = self.state.streams[stream].next_number();
        let events = self.run_events(1, SimTime::MAX);
        self.note_advance(events);
        Some(Arrival { at, stream, number })
    }

    /// Notes how far the clock and the generated requests have come; neighbouring notes become one.
    fn note_advance(&mut self, events: u64) {
        let now = self.state.now;
        match self.journal.last_mut() {
            Some(Command::Advance { events: sum, to }) => {
                *sum += events;
                *to = now;
            }
            last => {
                let unmoved = events == 0 && now == SimTime::ZERO && last.is_none();
                if !unmoved {
                    self.journal.push(Command::Advance { events, to: now });
                }
            }
        }
        self.redo.clear();
    }
}
