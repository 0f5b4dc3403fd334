//! The throttle log: a line for each second and partition, which opens into the steps that explain it.

use super::remedy::{self, Tried};
use super::why::{Step, steps};
use crate::pane::partitions::key_text;
use crate::pane::time::{first_refusal, total_refused};
use crate::playground::Playground;
use crate::text::{count, moment_text, short_clock_text};
use crate::ui::patch::{Deed, fill, focus_soon, truth};
use dynascope_engine::capacity::Reason;
use dynascope_engine::metrics::LogEntry;
use dynascope_engine::partition::PartitionId;
use dynascope_engine::time::SimTime;
use leptos::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Lines that are shown.
const LINES: usize = 5;

/// Which line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The second.
    pub second: u64,
    /// The table, or one of its indexes, by place.
    pub arm: usize,
    /// The partition.
    pub partition: PartitionId,
}

/// Refusals of one second at one partition.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Where.
    pub place: Place,
    /// Keys and how often each was refused, most first.
    pub keys: Vec<(String, u64)>,
    /// Reasons and how often each was given, most first.
    pub reasons: Vec<(Reason, u64)>,
    /// All together.
    pub count: u64,
}

/// The log as it is looked at.
#[derive(Clone, Copy)]
pub struct Log {
    /// The open line.
    open: RwSignal<Option<Place>>,
    /// Did time run when it was opened?
    ran: RwSignal<bool>,
    /// The remedies that were tried, oldest first.
    tried: RwSignal<Vec<Tried>>,
}

/// Remedies that are remembered.
const REMEDIES: usize = 8;
/// The remedies that were tried on this page: the pane comes and goes.
static TRIED: Mutex<Vec<Tried>> = Mutex::new(Vec::new());

impl Default for Log {
    fn default() -> Self {
        let tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self { open: RwSignal::new(None), ran: RwSignal::new(false), tried: RwSignal::new(tried) }
    }
}

/// The log by second and partition, newest first: the latest lines, and the open one wherever it stands.
pub fn lines(log: &[LogEntry], open: Option<Place>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for entry in log {
        let place = Place { second: entry.at.second(), arm: entry.arm, partition: entry.partition };
        let at = lines.iter().position(|line| line.place == place).unwrap_or_else(|| {
            lines.push(Line { place, keys: Vec::new(), reasons: Vec::new(), count: 0 });
            lines.len() - 1
        });
        let line = &mut lines[at];
        line.count += entry.count;
        // One key may be refused for several reasons within a second.
        add(&mut line.keys, entry.key.clone().map_or_else(String::new, key_text), entry.count);
        add(&mut line.reasons, entry.reason, entry.count);
    }
    let mut at = 0;
    lines.retain(|line| {
        at += 1;
        at <= LINES || open == Some(line.place)
    });
    lines
}

/// The log keeps the latest lines only: of a second with many keys the partition's own count is the whole one.
fn recount(playground: Playground, line: &mut Line) {
    let Some(side) = line.reasons.first().map(|(reason, _)| reason.side) else { return };
    let table = playground.table.get_untracked();
    let refused = playground.with(|session| {
        let metrics = session.metrics().arm(session.database().slot(&table)?, line.place.arm)?;
        Some(metrics.partition(line.place.partition)?.series.get(line.place.second).refused(side))
    });
    line.count = line.count.max(refused.unwrap_or_default());
}

/// Adds to a list of sums, most first.
fn add<T: PartialEq>(sums: &mut Vec<(T, u64)>, what: T, many: u64) {
    let mut at = sums.iter().position(|(known, _)| *known == what).unwrap_or_else(|| {
        sums.push((what, 0));
        sums.len() - 1
    });
    sums[at].1 += many;
    while at > 0 && sums[at - 1].1 < sums[at].1 {
        sums.swap(at - 1, at);
        at -= 1;
    }
}

impl Log {
    /// The part of the column.
    pub fn refusals(self, playground: Playground) -> String {
        let table = playground.table.get();
        // The log is that of the table with its indexes, whichever is looked at.
        playground.telemetry.track();
        let (total, first) =
            playground.with(|session| (total_refused(session, &table), first_refusal(session, &table)));
        let open = self.open.get();
        let mut lines = playground.throttles.with(|log| lines(log, open));
        for line in &mut lines {
            recount(playground, line);
        }
        let rows: String = lines.iter().map(|line| row(playground, line, open == Some(line.place))).collect();
        let head = lines.first().map(|line| head(playground, line)).unwrap_or_default();
        let first = first.map_or(String::new(), |at| {
            fill("<li class=\"log-first\"><span>…</span><span>first refusal at {}</span></li>", &[&moment_text(at)])
        });
        let hint = if lines.is_empty() { "" } else { "<p class=\"note\">Open a line to see why.</p>" };
        let tried: String = self
            .tried
            .with(|tried| tried.iter().enumerate().map(|(at, tried)| remedy::told(playground, tried, at)).collect());
        fill(
            "<section class=\"details-part\" aria-label=\"Refusals\"><h2>Refusals <span class=\"quiet\">{} so far</span></h2>{!}\
             <ol class=\"log\">{!}{!}</ol>{!}{!}</section>",
            &[&count(total), &head, &rows, &first, hint, &tried],
        )
    }

    /// What its controls do.
    pub fn act(self, deed: &Deed, playground: Playground) {
        match deed.is() {
            ("click", "why") => {
                let place = Place {
                    second: deed.number("data-second") as u64,
                    arm: deed.number("data-arm"),
                    partition: PartitionId(u32::try_from(deed.number("data-partition")).unwrap_or_default()),
                };
                let was_open = self.open.get_untracked();
                let now_open = (was_open != Some(place)).then_some(place);
                if now_open.is_some() && was_open.is_none() {
                    // One moment is explained; it must not run away.
                    self.ran.set(playground.playing.get_untracked());
                    playground.playing.set(false);
                } else if now_open.is_none() && self.ran.get_untracked() {
                    playground.playing.set(true);
                }
                self.open.set(now_open);
            }
            ("click", "try") => {
                let Some(open) = self.open.get_untracked() else { return };
                let line = playground
                    .throttles
                    .with_untracked(|log| lines(log, Some(open)).into_iter().find(|line| line.place == open));
                let Some(mut line) = line else { return };
                recount(playground, &mut line);
                if let Some(tried) = remedy::apply(playground, &line, deed.number("data-at")) {
                    self.tried.update(|all| {
                        all.push(tried);
                        all.drain(..all.len().saturating_sub(REMEDIES));
                        TRIED.lock().unwrap_or_else(PoisonError::into_inner).clone_from(all);
                    });
                    self.open.set(None);
                    // The button is gone; the focus goes on to the way back.
                    focus_soon("[data-do=untry]");
                    if self.ran.get_untracked() {
                        playground.playing.set(true);
                    }
                }
            }
            ("click", "untry") => {
                let tried = self.tried.with_untracked(|all| all.get(deed.number("data-at")).cloned());
                if let Some(tried) = tried {
                    remedy::undo(playground, &tried);
                }
            }
            _ => {}
        }
    }
}

/// The latest refusal's reason, and what a client and an operator see of it.
fn head(playground: Playground, line: &Line) -> String {
    let Some((reason, _)) = line.reasons.first() else { return String::new() };
    let (_, client) = super::why::client(playground, line);
    fill(
        "<p class=\"mono r details-reason\">{}</p><p class=\"serif\">{}</p><dl class=\"details-names\">\
         <dt>Error the client gets</dt><dd class=\"mono\">{}</dd><dt>CloudWatch metric that counts it</dt>\
         <dd class=\"mono\">{}</dd></dl>",
        &[&reason.name(), super::why::plain_words(*reason), &client, &reason.metric()],
    )
}

fn row(playground: Playground, line: &Line, is_open: bool) -> String {
    let Place { second, arm, partition } = line.place;
    let what = match line.keys.as_slice() {
        [(key, _)] => key.clone(),
        keys => format!("{} keys", count(keys.len() as u64)),
    };
    let only = if line.keys.len() == 1 { what.as_str() } else { "" };
    let when = short_clock_text(SimTime::from_secs(second));
    let body = if is_open { explained(playground, line) } else { String::new() };
    fill(
        "<li class=\"log-line\"><button type=\"button\" class=\"log-why\" aria-expanded=\"{}\" data-do=\"why\" \
         data-second=\"{}\" data-arm=\"{}\" data-partition=\"{}\"><span>{}</span><span class=\"log-key\">{}, \
         <span data-key=\"{}\">{}</span></span><b class=\"r n\">{}<span class=\"vh\"> refused: why?</span></b></button>{!}</li>",
        &[
            truth(is_open),
            &second.to_string(),
            &arm.to_string(),
            &partition.0.to_string(),
            &when,
            &name_of(playground, line.place),
            only,
            &what,
            &count(line.count),
            &body,
        ],
    )
}

/// `P0`, or `ByStatus P0` of an index.
pub fn name_of(playground: Playground, place: Place) -> String {
    let table = playground.table.get_untracked();
    let index = playground.with(|session| {
        let table = session.database().get(&table)?;
        Some(table.index_of(place.arm)?.name.clone())
    });
    index.map_or_else(|| place.partition.to_string(), |index| format!("{index} {}", place.partition))
}

fn explained(playground: Playground, line: &Line) -> String {
    let mut items = String::new();
    for Step { title, body } in steps(playground, line) {
        items.push_str(&fill("<li><h3>{}</h3>{!}</li>", &[title, &body]));
    }
    items.push_str(&remedy::offered(playground, line));
    fill("<ol class=\"why-steps\" aria-label=\"Why it was refused\">{!}</ol>", &[&items])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pane::partitions::tests::queue;

    #[test]
    fn lines_are_sums_by_second_and_partition_and_the_open_one_stays() {
        let mut session = queue(Some("PENDING#{0..9}"));
        session.advance(SimTime::from_secs(20), u64::MAX);
        let log: Vec<LogEntry> = session.throttles("jobs").cloned().collect();
        let shown = lines(&log, None);
        assert_eq!(shown.len(), LINES);
        // Three of ten keys on P2 ask for 1,500, four on P3 for 2,000; each may take 1,000.
        assert_eq!(shown.iter().map(|line| line.count).max(), Some(1_000));
        // Keys come in step with the refill: one of P2's three is refused each time, and two of P3's four.
        assert_eq!(shown[0].keys.len() + shown[1].keys.len(), 3);
        assert!(shown[0].keys.windows(2).all(|pair| pair[0].1 >= pair[1].1), "most first");
        let old = lines(&log, Some(Place { second: 12, ..shown[0].place }));
        assert_eq!((old.len(), old[LINES].place.second), (LINES + 1, 12));
    }
}
