//! Commands for a session's neighbours: `cache …`, `region NAME …`, `regions …`. Requests behind the first word are
//! the same as without it; only the way they are sent differs.

use super::command::{Command, Draft, Options};
use super::print;
use super::runner::{ADVANCE_BUDGET, Output, Runner, Tally};
use super::shorthand::micros;
use crate::neighbour::{Cache, CacheSettings, GlobalTable, Source};
use crate::session::Outcome;
use crate::time::SimTime;
use goldenscript::{Argument, Context};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// Which way a request goes.
#[derive(Default)]
enum Way {
    #[default]
    Session,
    Cache,
    Region(String),
}

/// A cache and a global table beside the session of a script.
#[derive(Default)]
pub struct Neighbours {
    cache: Option<Cache>,
    global: Option<GlobalTable>,
    way: Way,
    /// Where the answers of the command at hand came from, how many, and the age of the latest hit.
    sources: BTreeMap<Source, u64>,
    age: Option<u64>,
}

impl Neighbours {
    fn global(&mut self) -> Result<&mut GlobalTable, String> {
        self.global.as_mut().ok_or_else(|| "there are no Regions; begin with `regions A B`".to_owned())
    }

    /// `hit, 12 s old: `, or `hit × 7, miss × 1: `
    fn told(&self) -> String {
        let one = self.sources.values().sum::<u64>() == 1;
        let named = self.sources.iter().map(|(source, count)| match self.age {
            Some(age) if one => format!("{source}, {} old", SimTime(age)),
            None if one => source.to_string(),
            _ => format!("{source} × {count}"),
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() { String::new() } else { named.join(", ") + ": " }
    }
}

impl Runner {
    /// Sends a request the way of the command at hand.
    pub fn send(&mut self, operation: &str, input: &Json) -> Outcome {
        match &self.neighbours.way {
            Way::Session => {}
            Way::Cache => {
                let cache = self.neighbours.cache.get_or_insert_with(|| Cache::new(CacheSettings::default()));
                let answer = cache.send(&mut self.session, operation, input);
                *self.neighbours.sources.entry(answer.source).or_default() += 1;
                self.neighbours.age = answer.age;
                return answer.outcome;
            }
            Way::Region(name) => {
                let global = self.neighbours.global.as_mut();
                if let Some(outcome) = global.and_then(|global| global.send(name, operation, input)) {
                    return outcome;
                }
            }
        }
        self.session.send(operation, input)
    }

    /// Runs a command that begins with a neighbour's name.
    pub fn neighbour(&mut self, command: &goldenscript::Command, context: &Context) -> Output {
        let mut rest = command.clone();
        let mut options = Options::default();
        let mut words = Vec::new();
        for argument in &command.args {
            match argument {
                Argument::Positional(word) => words.push(word.as_str()),
                Argument::KeyValue(name, value) => options.add(name, value),
                _ => {}
            }
        }
        match (command.name.as_str(), words.as_slice()) {
            ("cache", ["new"]) => self.new_cache(options),
            ("cache", ["stats"]) => {
                options.end()?;
                let stats = self.neighbours.cache.as_ref().map(Cache::stats).unwrap_or_default();
                Ok(print::cache_stats(&stats))
            }
            ("cache", [_, ..]) => {
                rest.name = take_word(&mut rest.args);
                self.run_on(Way::Cache, &rest, context)
            }
            ("region", [name, _, ..]) => {
                if !self.neighbours.global()?.names().any(|own| own == *name) {
                    return Err(format!("there is no Region {name}").into());
                }
                take_word(&mut rest.args);
                rest.name = take_word(&mut rest.args);
                self.run_on(Way::Region((*name).to_owned()), &rest, context)
            }
            ("regions", words) => self.regions(words, options),
            (name, _) => Err(format!("unknown command '{name}', or not enough words after it").into()),
        }
    }

    fn new_cache(&mut self, mut options: Options) -> Output {
        let mut settings = CacheSettings::default();
        for (option, ttl) in [("item-ttl", &mut settings.item_ttl), ("query-ttl", &mut settings.query_ttl)] {
            if let Some(length) = options.take(option) {
                *ttl = micros(&length)?;
            }
        }
        for (option, most) in [("items", &mut settings.max_items), ("results", &mut settings.max_results)] {
            *most = options.number(option)?.unwrap_or(*most);
        }
        options.end()?;
        self.neighbours.cache = Some(Cache::new(settings));
        Ok(String::new())
    }

    fn run_on(&mut self, way: Way, command: &goldenscript::Command, context: &Context) -> Output {
        let command = Command::try_from(command)?;
        match (&command, &way) {
            (Command::Telemetry(table, index), Way::Region(name)) => {
                let seen = self.neighbours.global()?.telemetry(name, table, index.as_deref());
                return Ok(print::telemetry(&seen.ok_or("no such table or index")?));
            }
            (
                Command::Send(..)
                | Command::Create(..)
                | Command::Put(..)
                | Command::Update(..)
                | Command::Delete(..)
                | Command::Get(..)
                | Command::Query(..)
                | Command::Scan(..),
                _,
            ) => {}
            _ => return Err("only requests can go this way".into()),
        }
        self.neighbours.way = way;
        let output = goldenscript::Runner::run(self, &command, context);
        self.neighbours.way = Way::Session;
        let told = self.neighbours.told();
        self.neighbours.sources.clear();
        self.neighbours.age = None;
        Ok(told + &output?)
    }

    fn regions(&mut self, words: &[&str], mut options: Options) -> Output {
        let lag = options.take("lag").map_or(Ok(SimTime::SECOND), |length| micros(&length))?;
        options.end()?;
        match words {
            ["advance", length] => {
                let global = self.neighbours.global()?;
                let arrived = global.advance(global.now() + micros(length)?);
                Ok(format!("replicated writes arrived: {arrived}, the clock stands at {}", global.now()))
            }
            ["pending"] => {
                let lines: Vec<String> = self.neighbours.global()?.pending().map(print::replication).collect();
                Ok(if lines.is_empty() { "nothing on its way".into() } else { lines.join("\n") })
            }
            ["stats"] => {
                let global = self.neighbours.global()?;
                let stats = |name: &str| global.stats(name).map(|stats| print::region_stats(name, &stats));
                Ok(global.names().filter_map(stats).collect::<Vec<_>>().join("\n"))
            }
            names => {
                // The tables and items the session's scenario began with, in each Region.
                let global = GlobalTable::new(self.session.scenario(), names, lag);
                self.neighbours.global = Some(global.map_err(|failure| failure.headline())?);
                Ok(String::new())
            }
        }
    }

    fn now(&mut self) -> SimTime {
        match (&self.neighbours.way, &self.neighbours.global) {
            (Way::Region(_), Some(global)) => global.now(),
            _ => self.session.now(),
        }
    }

    fn advance_to(&mut self, until: SimTime) {
        match (&self.neighbours.way, &mut self.neighbours.global) {
            (Way::Region(_), Some(global)) => {
                global.advance(until);
            }
            _ => {
                self.session.advance(until, ADVANCE_BUDGET);
            }
        }
    }

    /// The same GetItem `rate` times a second: request k at k·10⁶/rate µs. Afterwards the clock stands at the end.
    pub fn poll(&mut self, draft: Draft, rate: u64, length: &str) -> Output {
        let (start, length, input) = (self.now(), micros(length)?, draft.finish());
        let mut tally = Tally::default();
        let elapsed = |k: u64| k.saturating_mul(SimTime::SECOND) / rate.max(1);
        for k in (0..u64::MAX).take_while(|k| rate > 0 && elapsed(*k) < length) {
            self.advance_to(start + elapsed(k));
            tally.add(&self.send("GetItem", &input));
        }
        self.advance_to(start + length);
        Ok(tally.print("RCU"))
    }
}

/// Takes the first word that is no option.
fn take_word(arguments: &mut Vec<Argument>) -> String {
    let word = arguments.iter().position(|argument| matches!(argument, Argument::Positional(_)));
    match word.map(|at| arguments.remove(at)) {
        Some(Argument::Positional(word)) => word,
        _ => String::new(),
    }
}
