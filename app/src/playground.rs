//! The only file that owns an engine session. After each command or frame it publishes a few plain views.
//!
//! The engine is never a signal: panes read views, and call the methods here to change anything.

use crate::ask::Ask;
use crate::chunk::{self, then};
use crate::pane::time::{Extras, Full};
use crate::scene::{Lens, Scene};
use crate::text::clock_text;
use crate::ui::watched::Watched;
use dynascope_engine::diagnostic::Failure;
use dynascope_engine::metrics::LogEntry;
use dynascope_engine::operation::{Reader, read_any, read_change, read_request};
use dynascope_engine::scenario::{Command, Recording, Scenario};
use dynascope_engine::session::{Outcome, Session, Telemetry};
use dynascope_engine::sim::Stream;
use dynascope_engine::time::SimTime;
use leptos::prelude::*;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// Speeds of the time bar, in hundredths: 1 is a hundredth of real time.
pub const SPEEDS: [u32; 7] = [1, 10, 100, 1000, 6000, 60_000, 1_000_000];

/// Why the clock stands although nobody pressed pause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Holds {
    /// The tab is hidden.
    pub hidden: bool,
    /// The embed is out of sight.
    pub off_screen: bool,
}

/// One page that was run: the request, and what came of it.
#[derive(Clone, Debug)]
pub struct PageRun {
    /// The request body.
    pub request: Json,
    /// Query or Scan.
    pub operation: &'static str,
    /// Response or refusal, with the trace.
    pub outcome: Outcome,
}

/// A sentence for the notice line, and whether it reports a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// What happened.
    pub text: String,
    /// Is it bad news?
    pub failed: bool,
}

/// The session and its views, in context for every pane: a handle as wide as a pointer, since hundreds of closures
/// carry one. What it points to lives as long as the page.
#[derive(Clone, Copy)]
pub struct Playground(&'static Views);

impl std::ops::Deref for Playground {
    type Target = Views;

    fn deref(&self) -> &Views {
        self.0
    }
}

/// What a [`Playground`] points to.
pub struct Views {
    session: StoredValue<Session, LocalStorage>,
    /// The scene it started from; `None` for a link or an import of its own.
    pub scene: Watched<Option<Scene>>,
    /// The table in focus.
    pub table: Watched<String>,
    /// The global index whose partitions are looked at, in place of the table's.
    pub index: Watched<Option<String>>,
    /// The lens in the middle.
    pub lens: Watched<Lens>,
    /// The question.
    pub ask: Watched<Ask>,
    /// Pages run for the question as it stands, oldest first.
    pub pages: Watched<Vec<Arc<PageRun>>>,
    /// Counts up when tables, items or settings change.
    pub version: Watched<u64>,
    /// The table in focus, measured.
    pub telemetry: Watched<Option<Telemetry>>,
    /// Its throttle log, newest first, the latest lines.
    pub throttles: Watched<Vec<LogEntry>>,
    /// The traffic as it is set.
    pub traffic: Watched<Vec<Stream>>,
    /// Does time run?
    pub playing: Watched<bool>,
    /// Reasons to stand still all the same.
    pub holds: Watched<Holds>,
    /// Look at the second that is still running: set while single requests are stepped.
    pub close: Watched<bool>,
    /// Speed in hundredths of real time.
    pub speed: Watched<u32>,
    /// Simulated against real time in the last second, in hundredths; below `speed` when the machine is slow.
    pub achieved: Watched<u32>,
    /// Can a write be undone, can an undo be taken back?
    pub history: Watched<(bool, bool)>,
    /// Slug of the lesson, once it was asked for.
    pub lesson: Watched<Option<String>>,
    /// The latest notice.
    pub notice: Watched<Option<Notice>>,
    /// Parts of the time bar, once what moves time is here.
    pub extras: Watched<Option<Extras>>,
    /// Is a scene on its way that has to be fetched?
    pub awaits: Watched<bool>,
    /// May time begin to run without being asked?
    pub starts_alone: Watched<bool>,
    /// Does the session begin otherwise than its scene does?
    pub differs: Watched<bool>,
    /// The key that is marked wherever it shows.
    pub lit: Watched<Option<String>>,
}

impl Playground {
    /// A playground that is about to show a scene: see [`Playground::load_scene`].
    pub fn new(scene: Scene) -> Self {
        Self(Box::leak(Box::new(Views {
            session: StoredValue::new_local(Session::default()),
            table: Watched::new(scene.table.to_owned()),
            index: Watched::new(None),
            lens: Watched::new(scene.lens),
            ask: Watched::new(scene.ask()),
            scene: Watched::new(Some(scene)),
            pages: Watched::new(Vec::new()),
            version: Watched::new(0),
            telemetry: Watched::new(None),
            throttles: Watched::new(Vec::new()),
            traffic: Watched::new(Vec::new()),
            playing: Watched::new(false),
            holds: Watched::new(Holds::default()),
            close: Watched::new(false),
            speed: Watched::new(100),
            achieved: Watched::new(100),
            history: Watched::new((false, false)),
            lesson: Watched::new(None),
            notice: Watched::new(None),
            extras: Watched::new(None),
            awaits: Watched::new(false),
            starts_alone: Watched::new(true),
            differs: Watched::new(false),
            lit: Watched::new(None),
        })))
    }

    /// Its views, which live as long as the page.
    pub const fn views(self) -> &'static Views {
        self.0
    }

    /// The playground of the page.
    ///
    /// # Panics
    /// Outside the page's own component tree, which would be a fault of ours.
    pub fn expect() -> Self {
        use_context::<Self>().expect("every pane is mounted inside the shell, which provides the playground")
    }

    /// Looks at the session. Not tracked: read a view or `version` to be called again.
    pub fn with<T>(self, look: impl FnOnce(&Session) -> T) -> T {
        self.session.with_value(look)
    }

    /// Changes the session, and publishes nothing.
    pub fn change<T>(self, change: impl FnOnce(&mut Session) -> T) -> T {
        let mut result = None;
        self.session.update_value(|session| result = Some(change(session)));
        result.expect("update_value runs its closure once")
    }

    /// Puts another session in its place. What was known of the old one is forgotten.
    fn replace(self, session: Session) {
        self.session.set_value(session);
        if let Some(full) = self.full() {
            (full.forget)(self);
        }
    }

    /// Seeking and a second run, once they are here.
    pub fn full(self) -> Option<&'static Full> {
        self.extras.get_untracked().and_then(|extras| extras.full)
    }

    /// Publishes the views that move with time, once what moves time is here.
    pub fn publish(self) {
        if let Some(extras) = self.extras.get_untracked() {
            (extras.publish)(self);
        }
    }

    /// Looks at a global index's partitions, or at the table's own.
    pub fn look_at(self, index: Option<String>) {
        self.index.set(index);
        self.publish();
    }

    /// The place in its table of what is looked at: 0 for the table itself.
    pub fn arm(self, session: &Session) -> usize {
        let (table, index) = (self.table.get_untracked(), self.index.get_untracked());
        let table = session.database().get(&table);
        table.and_then(|table| table.arm_at(index.as_deref())).unwrap_or(0)
    }

    /// Publishes everything.
    pub fn publish_all(self) {
        self.publish();
        self.history.set(self.with(|session| (session.can_undo(), session.can_redo())));
        self.version.update(|version| *version += 1);
    }

    /// Sends a request. Pages shown stay as they are; views that depend on items are told.
    pub fn send(self, operation: &str, input: &Json) -> Outcome {
        self.send_by(read_any, operation, input)
    }

    /// The same for those who know which operations they send.
    fn send_by(self, read: Reader, operation: &str, input: &Json) -> Outcome {
        let outcome = self.change(|session| session.send_by(read, operation, input));
        self.publish_all();
        outcome
    }

    /// Sends a Query or Scan.
    pub fn send_read(self, operation: &str, input: &Json) -> Outcome {
        let outcome = self.change(|session| session.send_read(operation, input));
        self.publish_all();
        outcome
    }

    /// Sends several PutItems as one step of undo, publishing once; their outcomes in order.
    pub fn put_all(self, requests: &[(&str, Json)]) -> Vec<Outcome> {
        let outcomes = self.change(|session| session.send_all(read_change, requests));
        self.publish_all();
        outcomes
    }

    /// Forgets the pages that were run: the question has changed.
    pub fn forget_pages(self) {
        if self.pages.with_untracked(|pages| !pages.is_empty()) {
            self.pages.set(Vec::new());
        }
    }

    /// Changes the question; pages of the old one are forgotten.
    pub fn edit_ask(self, edit: impl FnOnce(&mut Ask)) {
        let mut ask = self.ask.get_untracked();
        edit(&mut ask);
        if self.ask.with_untracked(|old| *old != ask) {
            self.forget_pages();
            self.ask.set(ask);
        }
    }

    /// The body of the next page's request: the first page, or on from the last page's cursor.
    ///
    /// # Errors
    /// A field that cannot be understood, in its own words.
    pub fn next_request(self) -> Result<(&'static str, Json), crate::ask::AskFault> {
        let ask = self.ask.get_untracked();
        let cursor =
            self.pages.with_untracked(|pages| {
                // A refused page is asked for again: the cursor is that of the last one that came.
                pages.iter().rev().find_map(|page| page.outcome.result.as_ref().ok()).and_then(|response| {
                    response.last_evaluated_key.as_ref().map(dynascope_engine::value::item_to_json)
                })
            });
        let schema = self.schema().ok_or_else(|| crate::ask::AskFault {
            field: "table".into(),
            message: "there is no table to ask".into(),
        })?;
        Ok((ask.operation(), ask.request(&schema, cursor.as_ref())?))
    }

    /// Runs a page. With `first` the question is asked from the start, else on from the cursor.
    pub fn run_page(self, first: bool) -> Option<Arc<PageRun>> {
        if first {
            self.forget_pages();
        }
        let (operation, request) = self.next_request().ok()?;
        let outcome = self.send_read(operation, &request);
        let page = Arc::new(PageRun { request, operation, outcome });
        self.pages.update(|pages| pages.push(page.clone()));
        Some(page)
    }

    /// Previews a read: nothing is charged.
    ///
    /// # Errors
    /// What the request would be refused with.
    pub fn preview(
        self,
        operation: &str,
        input: &Json,
    ) -> Result<(dynascope_engine::operation::Response, dynascope_engine::trace::Trace), Failure> {
        let request = read_request(operation, input)?;
        self.with(|session| session.preview(&*request))
    }

    /// The definition of the table in focus.
    pub fn schema(self) -> Option<dynascope_engine::table::Schema> {
        let name = self.table.get_untracked();
        self.with(|session| session.database().get(&name).map(|table| table.schema.clone()))
    }

    /// Replaces the traffic.
    ///
    /// # Errors
    /// What is wrong with it; nothing changes then.
    pub fn set_traffic(self, streams: Vec<Stream>) -> Result<(), Failure> {
        self.change(|session| session.set_traffic(streams))?;
        self.publish_all();
        Ok(())
    }

    /// Replaces the traffic, or says why it cannot be; was it?
    pub fn flow(self, streams: Vec<Stream>) -> bool {
        let refused = self.set_traffic(streams).err();
        if let Some(failure) = &refused {
            self.complain(failure.message.clone());
        }
        refused.is_none()
    }

    /// Replaces the prices, which the scenario keeps.
    ///
    /// # Errors
    /// What is wrong with them; nothing changes then.
    pub fn set_prices(self, prices: Map<String, Json>) -> Result<(), Failure> {
        self.change(|session| session.set_prices(prices.clone()))?;
        // Prices are the world's, not a run's or a moment's. Taken once, they are taken again.
        if let Some(full) = self.full() {
            (full.all)(self, &mut |session| drop(session.set_prices(prices.clone())));
        }
        self.differs.set(true);
        self.publish_all();
        Ok(())
    }

    /// Sets what the table in focus pays for, in units a second.
    pub fn set_provisioned(self, read: i64, write: i64) -> Outcome {
        let table = self.table.get_untracked();
        self.send_by(
            read_change,
            "UpdateTable",
            &json!({
                "TableName": table, "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write},
            }),
        )
    }

    /// Switches the table in focus to on-demand.
    pub fn set_on_demand(self) -> Outcome {
        let table = self.table.get_untracked();
        self.send_by(read_change, "UpdateTable", &json!({"TableName": table, "BillingMode": "PAY_PER_REQUEST"}))
    }

    /// Moves the clock towards `until`, at most `budget` generated requests; true if it got there. Publishes
    /// nothing: the frame loop does, a few times a second.
    pub fn advance(self, until: SimTime, budget: u64) -> bool {
        self.change(|session| session.advance(until, budget)).reached
    }

    /// Moves to the next whole second.
    pub fn step_second(self) {
        self.change(|session| {
            let until = SimTime::from_secs(session.now().second() + 1);
            session.advance(until, u64::MAX);
        });
        self.publish();
    }

    /// The clock, untracked.
    pub fn now(self) -> SimTime {
        self.with(Session::now)
    }

    /// Undoes the latest write.
    pub fn undo(self) {
        self.go(Session::undo, "back");
    }

    /// Takes the latest undo back.
    pub fn redo(self) {
        self.go(Session::redo, "on");
    }

    /// Goes to another state of the session, and says so if more than a write changed with it.
    fn go(self, there: fn(&mut Session) -> bool, way: &str) {
        let (now, streams) = self.with(|session| (session.now(), session.traffic()));
        if !self.change(there) {
            return;
        }
        self.forget_pages();
        self.publish_all();
        let (then, other) = self.with(|session| (session.now(), session.traffic()));
        let traffic = if other == streams { "" } else { ", with the traffic of then" };
        if then != now || other != streams {
            self.say(format!("The clock went {way} to {}{traffic}.", clock_text(then)));
        }
    }

    /// Scenario and journal, for links and exports.
    pub fn recording(self) -> Recording {
        self.with(Session::recording)
    }

    /// Starts a scene over. One with traffic stands as soon as what moves traffic has been fetched.
    pub fn load_scene(self, scene: Scene) {
        self.playing.set(false);
        // The words beside it stay as they are when a scene begins again.
        if self.scene.get_untracked() != Some(scene) {
            self.scene.set(Some(scene));
        }
        let own = scene.own_source().map(Scenario::read_without_traffic);
        if let Some(Ok((scenario, None))) = own {
            if let Ok(session) = Session::without_traffic(scenario) {
                self.begin(&scene, session);
            }
        } else {
            // Nothing of the old scene under the new one's name, however long it takes.
            self.awaits.set(true);
            self.replace(Session::default());
            self.table.set(scene.table.to_owned());
            self.pages.set(Vec::new());
            self.ask.set(scene.ask());
            self.publish_all();
            then(self, chunk::start_scene(), move |start| start(self, scene));
        }
    }

    /// Shows a scene's session from its beginning.
    pub fn begin(self, scene: &Scene, session: Session) {
        self.replace(session);
        self.awaits.set(false);
        self.table.set(scene.table.to_owned());
        self.pages.set(Vec::new());
        self.ask.set(scene.ask());
        self.close.set(false);
        self.differs.set(false);
        self.speed.set(scene.speed);
        self.publish_all();
    }

    /// Lets time run if there is traffic to watch and the reader has not asked for less motion.
    pub fn play_if_moving(self) {
        let calm = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten().is_some_and(|m| m.matches());
        if !calm && self.starts_alone.get_untracked() && self.traffic.with_untracked(|streams| !streams.is_empty()) {
            self.playing.set(true);
        }
    }

    /// Replays a recording in place of the session. The last `pages` reads of its journal become the pages of
    /// the question.
    ///
    /// # Errors
    /// Why the recording cannot be replayed; nothing changes then.
    pub fn load_recording(self, recording: &Recording, table: &str, ask: Ask, pages: usize) -> Result<(), Failure> {
        let (session, outcomes) = Session::replay(recording)?;
        let sends = recording.journal.iter().filter_map(|command| match command {
            Command::Send(envelope) => Some(envelope),
            Command::Advance { .. } | Command::Traffic(_) => None,
        });
        let mut runs: Vec<Arc<PageRun>> = sends
            .zip(outcomes)
            .filter_map(|(envelope, outcome)| {
                let operation = match envelope.operation.as_str() {
                    "Query" => "Query",
                    "Scan" => "Scan",
                    _ => return None,
                };
                Some(Arc::new(PageRun { request: envelope.input.clone(), operation, outcome }))
            })
            .collect();
        let runs = runs.split_off(runs.len().saturating_sub(pages));
        let known = session.database().get(table).map(|table| table.schema.name.clone());
        let first = session.database().iter().next().map(|table| table.schema.name.clone());
        self.playing.set(false);
        self.awaits.set(false);
        self.differs.set(true);
        self.replace(session);
        self.table.set(known.or(first).unwrap_or_default());
        self.ask.set(ask);
        self.pages.set(runs);
        self.publish_all();
        Ok(())
    }

    /// Says something in the notice line.
    pub fn say(self, text: impl Into<String>) {
        self.notice.set(Some(Notice { text: text.into(), failed: false }));
    }

    /// Says in the notice line that something failed.
    pub fn complain(self, text: impl Into<String>) {
        self.notice.set(Some(Notice { text: text.into(), failed: true }));
    }
}
