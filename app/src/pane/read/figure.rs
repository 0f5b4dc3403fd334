//! What the read lens draws, as plain data: the range, what the filter keeps of it, pages run and pages foreseen.
//!
//! Everything here follows from the question, the pages run and the session; nothing is drawn here.

use super::facts::{Facts, Mark, Page};
use super::foresee::lay_out;
use super::keys::{Labels, key_text};
use crate::ask::AskFault;
use crate::playground::{PageRun, Playground};
use dynascope_engine::capacity::HalfUnits;
use dynascope_engine::diagnostic::Failure;
use dynascope_engine::expression::Condition;
use dynascope_engine::operation::read_request;
use dynascope_engine::table::{Index, KeySchema, Schema};
use dynascope_engine::value::Item;
use serde_json::Value as Json;
use std::sync::Arc;

/// Items of a range that are drawn; of the rest only the number is told.
const MOST_ITEMS: usize = 6_000;

/// What is wrong with a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// A field that is no value of its type.
    Field(AskFault),
    /// The service would refuse it.
    Service(Failure),
}

impl Fault {
    /// In one line, for the field or below the form.
    pub fn message(&self) -> String {
        match self {
            Self::Field(fault) => fault.message.clone(),
            Self::Service(failure) => failure.headline(),
        }
    }
}

/// Everything at one moment.
#[derive(Debug)]
pub struct Figure {
    /// Query or Scan.
    pub operation: &'static str,
    /// The body of the first page's request.
    pub request: Json,
    /// The table.
    pub schema: Schema,
    /// The index asked.
    pub index: Option<Index>,
    /// Strongly consistent?
    pub consistent: bool,
    /// Limit.
    pub limit: Option<u32>,
    /// The filter.
    pub filter: Option<Condition>,
    /// The range in reading order, its beginning.
    pub items: Vec<Arc<Item>>,
    /// Which of them pass the filter.
    pub kept: Vec<bool>,
    /// How many there are.
    pub total: usize,
    /// Pages run, then pages foreseen.
    pub pages: Vec<Page>,
    /// The figures of each page run.
    pub run: Vec<Facts>,
    /// The figures of the page that would come next.
    pub next: Option<Facts>,
    /// How keys are shortened.
    pub labels: Labels,
}

impl Figure {
    /// The key that orders the range.
    pub fn key(&self) -> &KeySchema {
        self.index.as_ref().map_or(&self.schema.key, |index| &index.key)
    }

    /// The page whose figures are shown: the last one run, else the one that would be.
    pub fn shown(&self) -> Option<&Facts> {
        self.run.last().or(self.next.as_ref())
    }

    /// Is there a page to fetch after those run?
    pub fn has_next(&self) -> bool {
        self.run.last().is_some_and(|facts| facts.cursor.is_some())
    }

    /// Sums of the pages run: read, shown, cost.
    pub fn sums(&self) -> (usize, usize, HalfUnits) {
        self.run.iter().fold((0, 0, HalfUnits::ZERO), |(read, shown, cost), facts| {
            (read + facts.read, shown + facts.shown, cost + facts.cost)
        })
    }

    /// What has become of each item.
    pub fn marks(&self) -> Vec<Mark> {
        let mut marks = vec![Mark::Unread; self.items.len()];
        let soon = self.pages.iter().position(|page| !page.run);
        for (at, page) in self.pages.iter().enumerate() {
            if !page.run && Some(at) != soon {
                continue;
            }
            for position in page.from..page.to.min(marks.len()) {
                marks[position] = match (page.run, self.kept[position]) {
                    (true, true) => Mark::Kept,
                    (true, false) => Mark::Filtered,
                    (false, true) => Mark::SoonKept,
                    (false, false) => Mark::SoonFiltered,
                };
            }
        }
        marks
    }

    /// How many items lie outside every page run.
    pub fn not_reached(&self) -> usize {
        let reached: usize = if self.run.is_empty() {
            self.next.as_ref().map_or(0, |facts| facts.read)
        } else {
            self.run.iter().map(|facts| facts.read).sum()
        };
        self.total.saturating_sub(reached)
    }

    /// An item's own key as it is told in the figure.
    pub fn key_text(&self, item: &Item) -> String {
        key_text(self.key(), self.operation == "Query", item)
    }
}

/// Works everything out.
pub fn look(playground: Playground, pages: &[Arc<PageRun>]) -> Result<Figure, Fault> {
    let ask = playground.ask.get_untracked();
    let no_table = || Fault::Field(AskFault { field: "table".into(), message: "there is no table to ask".into() });
    let schema = playground.schema().ok_or_else(no_table)?;
    let operation = ask.operation();
    let body = ask.request(&schema, None).map_err(Fault::Field)?;
    let request = read_request(operation, &body).map_err(Fault::Service)?;
    let (filter, items, total, page_bytes) = playground
        .with(|session| {
            let job = session.prepare(&*request)?;
            let (items, total) = job.window(session.database(), MOST_ITEMS);
            Ok((job.filter, items, total, session.physics().page_bytes))
        })
        .map_err(Fault::Service)?;
    let kept = items.iter().map(|item| filter.as_ref().is_none_or(|filter| filter.matches(item))).collect();
    let run: Vec<Facts> = pages
        .iter()
        .filter_map(|page| page.outcome.result.as_ref().ok().map(|response| (response, &page.outcome.trace)))
        .enumerate()
        .filter_map(|(at, (response, trace))| Facts::new(at + 1, true, response, trace))
        .collect();
    let next = if run.last().is_some_and(|facts| facts.cursor.is_none()) {
        None
    } else {
        let (operation, body) = playground.next_request().map_err(Fault::Field)?;
        let (response, trace) = playground.preview(operation, &body).map_err(Fault::Service)?;
        Facts::new(run.len() + 1, false, &response, &trace)
    };
    let index = ask.index_in(&schema).cloned();
    let key = index.as_ref().map_or(&schema.key, |index| &index.key);
    let labels = Labels::of(key, operation == "Query", &items);
    let mut figure = Figure {
        operation,
        request: body,
        index,
        consistent: ask.consistent,
        limit: ask.limit,
        filter,
        items,
        kept,
        total,
        pages: Vec::new(),
        run,
        next,
        labels,
        schema,
    };
    figure.pages = lay_out(&figure, page_bytes);
    Ok(figure)
}
