//! Many items on their way in: BatchWriteItem by BatchWriteItem, a slice a turn, so that the page stays alive.

use crate::pane::read::units_text;
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::html::Html;
use dynascope_engine::capacity::{HalfUnits, Reason};
use dynascope_engine::table::Schema;
use dynascope_engine::trace::Trace;
use dynascope_engine::value::{Item, item_from_json, item_to_json};
use leptos::prelude::*;
use serde_json::{Value as Json, json};
use std::time::Duration;

/// Most puts of one batch; the service's own limit.
const MOST_IN_BATCH: usize = 25;
/// Batches of one turn.
const BATCHES_A_TURN: usize = 8;
/// Simulated seconds that are waited for capacity before giving up.
const MOST_WAITED_SECONDS: u64 = 60;

/// `1.5 WCU`
pub fn cost_text(trace: &Trace) -> String {
    let cost: HalfUnits = trace.charges.iter().map(|charge| charge.cost).sum();
    format!("{} WCU", units_text(cost))
}

/// How far an import has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Items in all.
    pub total: usize,
    /// Items tried.
    pub tried: usize,
    /// Items stored.
    pub stored: usize,
    /// What was paid.
    pub cost: HalfUnits,
    /// Refusals, each once with its number.
    pub refused: Vec<(String, usize)>,
    /// Simulated seconds waited for capacity.
    pub waited: u64,
    /// The latest reason to wait.
    pub reason: Option<String>,
}

impl Progress {
    /// Is there nothing left to try?
    pub fn is_over(&self) -> bool {
        self.tried >= self.total
    }

    fn refuse(&mut self, why: String, number: usize) {
        match self.refused.iter_mut().find(|(known, _)| *known == why) {
            Some((_, so_far)) => *so_far += number,
            None => self.refused.push((why, number)),
        }
    }

    /// In one sentence.
    pub fn text(&self) -> String {
        let stored = counted(self.stored as u64, "item", "items");
        let (tried, total) = (count(self.tried as u64), count(self.total as u64));
        if !self.is_over() {
            return format!("{tried} of {total} tried, {stored} stored …");
        }
        let cost = units_text(self.cost);
        match &self.reason {
            None => format!("{stored} of {total} stored, {cost} WCU."),
            Some(reason) => {
                let seconds = counted(self.waited, "simulated second", "simulated seconds");
                format!(
                    "{stored} of {total} stored, {cost} WCU. Throttled on the way ({reason}): waited {seconds} and sent the rest again."
                )
            }
        }
    }
}

/// Items in batches: at most 25, and no key twice in one, which the service would refuse.
fn batches(schema: &Schema, items: Vec<Item>) -> Vec<Vec<Item>> {
    let mut batches: Vec<Vec<Item>> = Vec::new();
    let mut keys: Vec<Item> = Vec::new();
    for item in items {
        let key = schema.key_of(&item);
        let full = batches.last().is_none_or(|batch| batch.len() == MOST_IN_BATCH);
        if full || keys.contains(&key) {
            batches.push(Vec::new());
            keys.clear();
        }
        keys.push(key);
        if let Some(batch) = batches.last_mut() {
            batch.push(item);
        }
    }
    batches
}

/// What a batch left undone for want of capacity.
fn unprocessed(json: Option<&Json>) -> Vec<Item> {
    let tables = json.and_then(Json::as_object).into_iter().flat_map(|tables| tables.values());
    tables
        .filter_map(Json::as_array)
        .flatten()
        .filter_map(|request| item_from_json(request.pointer("/PutRequest/Item")?).ok())
        .collect()
}

/// Sends a batch; what is to be sent again because capacity was wanting.
fn send_batch(playground: Playground, table: &str, batch: Vec<Item>, progress: &mut Progress) -> Vec<Item> {
    let puts: Vec<Json> = batch.iter().map(|item| json!({"PutRequest": {"Item": item_to_json(item)}})).collect();
    let outcome = playground.send("BatchWriteItem", &json!({"RequestItems": {table: puts}}));
    progress.cost += outcome.trace.charges.iter().map(|charge| charge.cost).sum();
    let reason = outcome.trace.refusals.first().and_then(|part| part.refusal.first()).map(Reason::name);
    let left = match outcome.result {
        Ok(response) => {
            let left = unprocessed(response.unprocessed.as_ref());
            progress.stored += batch.len() - left.len();
            progress.tried += batch.len() - left.len();
            left
        }
        Err(failure) if failure.kind.is_throttle() => batch,
        // One bad item refuses its whole batch: the others are given another chance, each alone.
        Err(_) if batch.len() > 1 => {
            return batch.into_iter().flat_map(|item| send_batch(playground, table, vec![item], progress)).collect();
        }
        Err(failure) => {
            progress.tried += batch.len();
            progress.refuse(failure.headline(), batch.len());
            Vec::new()
        }
    };
    if !left.is_empty() {
        progress.reason = reason.or(progress.reason.take());
    }
    left
}

/// Starts an import; `progress` tells how it goes, and setting it to `None` ends it.
pub fn start(playground: Playground, items: Vec<Item>, progress: RwSignal<Option<Progress>>) {
    let Some(schema) = playground.schema() else { return };
    let total = items.len();
    let mut batches = batches(&schema, items);
    batches.reverse();
    progress.set(Some(Progress { total, ..Progress::default() }));
    turn(playground, schema.name, batches, progress);
}

fn turn(playground: Playground, table: String, mut batches: Vec<Vec<Item>>, progress: RwSignal<Option<Progress>>) {
    let Some(mut now) = progress.try_get_untracked().flatten() else { return };
    for batch in (0..BATCHES_A_TURN).map_while(|_| batches.pop()) {
        let left = send_batch(playground, &table, batch, &mut now);
        if left.is_empty() {
            continue;
        }
        if now.waited == MOST_WAITED_SECONDS {
            let rest = left.len() + batches.drain(..).map(|batch| batch.len()).sum::<usize>();
            now.tried += rest;
            now.refuse("given up, still throttled".to_owned(), rest);
            break;
        }
        // As an SDK would: wait, then send what is left. The clock of the simulation moves, not the reader's.
        batches.push(left);
        now.waited += 1;
        playground.step_second();
        break;
    }
    let over = batches.is_empty();
    progress.set(Some(now));
    if !over {
        set_timeout(move || turn(playground, table, batches, progress), Duration::ZERO);
    }
}

/// Is an import on its way? Tracked.
pub fn runs(progress: RwSignal<Option<Progress>>) -> bool {
    progress.with(|now| now.as_ref().is_some_and(|now| !now.is_over()))
}

/// How it went, or goes, with a way to stop (`stop`): one element without a box, so that what stands after it keeps its
/// place.
pub fn import_report(progress: RwSignal<Option<Progress>>) -> String {
    progress.with(|now| {
        let Some(now) = now else { return "<div class=\"live\"></div>".to_owned() };
        let mut html = Html::new();
        html.raw("<div class=\"live\"><div class=\"import\" role=\"status\"><div class=\"live\">");
        html.element("p", "import-said", &now.text());
        for (text, number) in now.refused.iter().take(6) {
            html.open("p", "field-wrong").text(&count(*number as u64)).raw(" × ").text(text).close("p");
        }
        html.close("div");
        if !now.is_over() {
            html.raw("<button type=\"button\" class=\"say\" data-do=\"stop\">Stop</button>");
        }
        html.close("div").close("div").finish()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use dynascope_engine::session::Session;

    #[test]
    fn no_batch_is_too_long_or_names_a_key_twice() {
        let session = Session::new(Scene::find("orders").unwrap().recording().scenario).unwrap();
        let schema = session.database().get("app").unwrap().schema.clone();
        let item = |number: usize| {
            [("PK", format!("p{number}")), ("SK", "s".to_owned())]
                .into_iter()
                .map(|(name, value)| (name.into(), value.as_str().into()))
                .collect::<Item>()
        };
        let items = (0..60).map(item).chain([item(59), item(3)]).collect();
        let sizes: Vec<usize> = batches(&schema, items).iter().map(Vec::len).collect();
        assert_eq!(sizes, [25, 25, 10, 2]);
    }
}
