//! What a lesson can ask of the pages that were run: a closed list, decided by plain code.
//!
//! | check | settings |
//! |---|---|
//! | `result` | `count`, `scanned`: sums over the pages |
//! | `pages` | `equals`, `at_most` |
//! | `cursor` | `present` or `absent`, after the last page |
//! | `request` | `op`, `not_op`, `index`, `limit`, `consistent`: of every page |
//! | `cost` | `rcu_at_most`: the sum |

use super::parse::Check;
use crate::playground::PageRun;
use dynascope_engine::capacity::HalfUnits;
use std::sync::Arc;

/// What was run, summed up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Pages answered.
    pub pages: usize,
    /// Items shown.
    pub count: usize,
    /// Items read.
    pub scanned: usize,
    /// Units charged.
    pub cost: HalfUnits,
    /// Is a cursor left?
    pub cursor: bool,
    /// Query or Scan, of the first page.
    pub operation: String,
    /// The index asked, if one was.
    pub index: String,
    /// The Limit, if one was set.
    pub limit: String,
    /// Strongly consistent?
    pub consistent: bool,
}

impl Summary {
    /// Sums pages up; pages that were refused count for nothing.
    pub fn of(pages: &[Arc<PageRun>]) -> Self {
        let mut summary = Self::default();
        for page in pages {
            let Ok(response) = &page.outcome.result else { continue };
            let (count, scanned) = response.counts.unwrap_or_default();
            summary.pages += 1;
            summary.count += count;
            summary.scanned += scanned;
            summary.cost += page.outcome.trace.read.as_ref().map(|read| read.cost).unwrap_or_default();
            summary.cursor = response.last_evaluated_key.is_some();
            page.operation.clone_into(&mut summary.operation);
            page.request["IndexName"].as_str().unwrap_or_default().clone_into(&mut summary.index);
            summary.limit = page.request["Limit"].as_u64().map(|limit| limit.to_string()).unwrap_or_default();
            summary.consistent = page.request["ConsistentRead"].as_bool().unwrap_or(false);
        }
        summary
    }
}

const KNOWN: [(&str, &[&str]); 5] = [
    ("result", &["count", "scanned"]),
    ("pages", &["equals", "at_most"]),
    ("cursor", &["is"]),
    ("request", &["op", "not_op", "index", "limit", "consistent"]),
    ("cost", &["rcu_at_most"]),
];

/// Is it on the list, with settings of its own?
///
/// # Errors
/// What is not known, and what is.
pub fn known(check: &Check) -> Result<(), String> {
    let Some((_, settings)) = KNOWN.iter().find(|(subject, _)| *subject == check.subject) else {
        let subjects: Vec<&str> = KNOWN.iter().map(|(subject, _)| *subject).collect();
        return Err(format!("`{}` cannot be checked; known are {}", check.subject, subjects.join(", ")));
    };
    for (setting, value) in &check.settings {
        if !settings.contains(&setting.as_str()) {
            return Err(format!("`{}` has no setting `{setting}`; known are {}", check.subject, settings.join(", ")));
        }
        let numeric = matches!(setting.as_str(), "count" | "scanned" | "equals" | "at_most" | "limit" | "rcu_at_most");
        if numeric && half_units(value).is_none() {
            return Err(format!("`{value}` is no number"));
        }
        if setting == "is" && !matches!(value.as_str(), "present" | "absent") {
            return Err(format!("a cursor is `present` or `absent`, not `{value}`"));
        }
    }
    Ok(())
}

/// A number of units with at most one half, in half units.
fn half_units(text: &str) -> Option<i64> {
    match text.split_once('.') {
        None => text.parse::<i64>().ok().map(|units| units * 2),
        Some((whole, "5")) => whole.parse::<i64>().ok().map(|units| units * 2 + 1),
        Some((whole, "0")) => whole.parse::<i64>().ok().map(|units| units * 2),
        Some(_) => None,
    }
}

/// One line of a task's list: what must hold, how far it is, and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What must hold.
    pub wanted: String,
    /// What is there now.
    pub found: String,
    /// Does it hold?
    pub holds: bool,
}

/// Decides every setting of a check.
pub fn decide(check: &Check, summary: &Summary) -> Vec<Verdict> {
    check.settings.iter().map(|(setting, value)| decide_one(&check.subject, setting, value, summary)).collect()
}

fn decide_one(subject: &str, setting: &str, value: &str, summary: &Summary) -> Verdict {
    let ran = summary.pages > 0;
    let number = |found: usize| (found.to_string() == value, found);
    let verdict = |wanted: String, found: String, holds: bool| Verdict { wanted, found, holds: holds && ran };
    match (subject, setting) {
        ("result", "count") => {
            let (holds, found) = number(summary.count);
            verdict(format!("{value} shown"), format!("{found} so far"), holds)
        }
        ("result", _) => {
            let (holds, found) = number(summary.scanned);
            verdict(format!("{value} read"), format!("{found} so far"), holds)
        }
        ("pages", "equals") => {
            let (holds, found) = number(summary.pages);
            let wanted = if value == "1" { "in one page".to_owned() } else { format!("in {value} pages") };
            verdict(wanted, format!("{found} so far"), holds)
        }
        ("pages", _) => {
            let holds = value.parse().is_ok_and(|most: usize| summary.pages <= most);
            verdict(format!("in at most {value} pages"), format!("{} so far", summary.pages), holds)
        }
        ("cursor", _) => {
            let wanted = if value == "present" { "a cursor left" } else { "no cursor left" };
            let found = match (ran, summary.cursor) {
                (false, _) => "not run yet",
                (true, true) => "there is one",
                (true, false) => "there is none",
            };
            verdict(wanted.into(), found.into(), summary.cursor == (value == "present"))
        }
        ("cost", _) => {
            let holds = half_units(value).is_some_and(|most| summary.cost.0 <= most);
            verdict(format!("at most {value} RCU"), format!("{} spent", summary.cost), holds)
        }
        (_, "op") => verdict(format!("a {value}"), summary.operation.clone(), summary.operation == value),
        (_, "not_op") => verdict(format!("no {value}"), summary.operation.clone(), summary.operation != value),
        (_, "index") => verdict(format!("on {value}"), summary.index.clone(), summary.index == value),
        (_, "limit") => verdict(format!("Limit {value}"), summary.limit.clone(), summary.limit == value),
        _ => {
            let wanted = if value == "true" { "strongly consistent" } else { "eventually consistent" };
            verdict(wanted.into(), String::new(), summary.consistent == (value == "true"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::{Part, parse};
    use super::*;
    use crate::ask::Ask;
    use crate::scene::Scene;
    use dynascope_engine::session::Session;
    use dynascope_engine::sorted::SortedMap;

    fn run(ask: &Ask, session: &mut Session, all: bool) -> Vec<Arc<PageRun>> {
        let schema = session.database().get("app").unwrap().schema.clone();
        let mut pages: Vec<Arc<PageRun>> = Vec::new();
        let mut cursor = None;
        loop {
            let request = ask.request(&schema, cursor.as_ref()).unwrap();
            let outcome = session.send(ask.operation(), &request);
            let key = outcome.result.as_ref().unwrap().last_evaluated_key.clone();
            pages.push(Arc::new(PageRun { request, operation: ask.operation(), outcome }));
            match key.filter(|_| all) {
                Some(key) => cursor = Some(dynascope_engine::value::item_to_json(&key)),
                None => return pages,
            }
        }
    }

    /// Every task of the shipped lesson fails before anything is run and holds after its solution.
    #[test]
    fn the_shipped_lessons_solutions_solve_it() {
        let lesson = parse(include_str!("../../../public/lessons/limit-filter-cursor/en.md")).unwrap();
        let scene = Scene::find(&lesson.scene).unwrap();
        let mut session = Session::new(scene.recording().scenario).unwrap();
        let ask = scene.ask();
        let small = Ask { limit: Some(3), ..ask.clone() };
        let mut bare = Ask { limit: None, filter: String::new(), ..ask.clone() };
        bare.names = SortedMap::new();
        bare.values = SortedMap::new();
        let solutions = [
            run(&ask, &mut session, false),
            run(&small, &mut session, false),
            run(&ask, &mut session, true),
            run(&bare, &mut session, true),
        ];
        let tasks = lesson.steps.iter().flat_map(|step| &step.parts).filter_map(|part| match part {
            Part::Task(task) => Some(task),
            Part::Prose(_) | Part::Predict(_) => None,
        });
        for (task, pages) in tasks.zip(&solutions) {
            let verdicts = |pages: &[Arc<PageRun>]| {
                let summary = Summary::of(pages);
                task.checks.iter().flat_map(|check| decide(check, &summary)).collect::<Vec<_>>()
            };
            assert!(verdicts(&[]).iter().any(|verdict| !verdict.holds), "{} holds from the start", task.id);
            for verdict in verdicts(pages) {
                assert!(verdict.holds, "{}: wanted {}, {}", task.id, verdict.wanted, verdict.found);
            }
        }
    }
}
