//! Rows of the form: table or index, order, consistency, and the key condition.

use super::ask_form::Place;
use super::{Fault, ReadView};
use crate::ask::{Ask, SortOperator};
use crate::editor::complaint;
use crate::playground::Playground;
use crate::ui::html::Html;
use crate::ui::patch::{fill, truth};
use dynascope_engine::diagnostic::Span;
use dynascope_engine::table::{KeyAttribute, KeySchema, Schema};
use leptos::prelude::*;

/// What the form is drawn from.
pub struct Now {
    /// The question.
    pub ask: Ask,
    /// The definition of the table in focus.
    pub schema: Option<Schema>,
    /// What is wrong with the question, and where.
    fault: Option<(Place, Fault)>,
}

impl Now {
    /// As it stands, followed.
    pub fn of(playground: Playground, view: ReadView) -> Self {
        playground.version.track();
        playground.table.track();
        let ask = playground.ask.get();
        let fault = view.reading.with(|reading| reading.fault.clone());
        Self { fault: fault.map(|fault| (Place::of(&fault, &ask), fault)), schema: playground.schema(), ask }
    }

    fn fault_at(&self, place: Place) -> Option<&Fault> {
        self.fault.as_ref().filter(|(at, _)| *at == place).map(|(_, fault)| fault)
    }

    /// What is wrong at a place. It keeps its place among its neighbours when nothing is.
    pub fn complaint(&self, place: Place) -> String {
        let mut html = Html::new();
        html.open("div", "live");
        match self.fault_at(place) {
            Some(Fault::Field(fault)) => drop(html.element("p", "field-wrong", &fault.message)),
            Some(Fault::Service(failure)) => complaint(&mut html, failure, true),
            None => {}
        }
        html.close("div").finish()
    }

    /// What is to be underlined in the text of a member.
    pub fn spans(&self, member: &str) -> Vec<Span> {
        let mut spans = Vec::new();
        if let Some((_, Fault::Service(failure))) = &self.fault {
            for label in &failure.labels {
                if label.source == member {
                    spans.push(label.span);
                }
            }
        }
        spans
    }

    /// The key that is asked for.
    fn key(&self) -> Option<&KeySchema> {
        let schema = self.schema.as_ref()?;
        Some(self.ask.index_in(schema).map_or(&schema.key, |index| &index.key))
    }

    /// Why something has no say, if the question is a Scan.
    fn idle(&self, why: &'static str) -> &'static str {
        if self.ask.partition.is_empty() { why } else { "" }
    }
}

/// Changes the question. Behind one type, for each closure would bring a copy of the whole.
pub fn edit(playground: Playground, edit: &mut dyn FnMut(&mut Ask)) {
    playground.edit_ask(|ask| edit(ask));
}

/// Takes over what was typed or chosen in the control of that name; placeholders have their own.
pub fn put(ask: &mut Ask, name: &str, text: &str) {
    let owned = text.to_owned();
    match name {
        "source" => ask.index = (!text.is_empty()).then_some(owned),
        "order" => ask.descending = text == "down",
        "consistency" => ask.consistent = text == "strong",
        "operator" => ask.sort = SortOperator::from_slug(text),
        "partition" => ask.partition = owned,
        "sort-from" => ask.sort_from = owned,
        "sort-to" => ask.sort_to = owned,
        "FilterExpression" => ask.filter = owned,
        "ProjectionExpression" => ask.projection = owned,
        _ if name.starts_with('#') => drop(ask.names.insert(name.to_owned(), owned)),
        _ if name.starts_with(':') => drop(ask.values.insert(name.to_owned(), owned)),
        _ => {}
    }
}

/// A labelled row: the plain word and the member of the API together.
pub fn row(plain: &str, api: &str, parts: &str) -> String {
    fill(
        "<div class=\"ask-row\"><p class=\"ask-label\">{}<code>{}</code></p><div class=\"ask-field\">{!}</div></div>",
        &[plain, api, parts],
    )
}

/// A picker. With a reason to be idle it cannot be used.
fn pick(name: &str, label: &str, value: &str, options: &str, idle: &str) -> String {
    let off = if idle.is_empty() { "" } else { " disabled title=\"{}\"" };
    fill(
        "<select class=\"pick\" aria-label=\"{}\" data-do=\"{}\" data-value=\"{}\"{!}>{!}</select>",
        &[label, name, value, &fill(off, &[idle]), options],
    )
}

fn option(value: &str, text: &str) -> String {
    fill("<option value=\"{}\">{}</option>", &[value, text])
}

/// Tables have one option, each index has another; so has one that the question names and the table lacks.
fn sources(now: &Now) -> String {
    let Some(schema) = &now.schema else { return String::new() };
    let mut options = option("", &["table ", &schema.name].concat());
    for index in &schema.indexes {
        options.push_str(&option(&index.name, &["index ", &index.name].concat()));
    }
    if let (Some(unknown), None) = (&now.ask.index, now.ask.index_in(schema)) {
        options.push_str(&option(unknown, unknown));
    }
    options
}

const ORDERS: &str = "<option value=\"up\">ascending</option><option value=\"down\">descending</option>";
const CONSISTENCIES: &str = "<option value=\"eventual\">eventually consistent</option>\
    <option value=\"strong\">strongly consistent</option>";

/// Table or index, order, consistency; and whether the row of attributes is open.
pub fn index_row(now: &Now, more: bool) -> String {
    let ask = &now.ask;
    let (order, consistency) =
        (if ask.descending { "down" } else { "up" }, if ask.consistent { "strong" } else { "eventual" });
    let parts = fill(
        "<div class=\"ask-line\">{!}{!}{!}\
         <button type=\"button\" class=\"say\" aria-expanded=\"{}\" data-do=\"attributes\">attributes</button></div>{!}{!}",
        &[
            &pick("source", "Table or index", ask.index.as_deref().unwrap_or_default(), &sources(now), ""),
            &pick("order", "Order", order, ORDERS, now.idle("A Scan reads in the order of the hash line")),
            &pick("consistency", "Consistency", consistency, CONSISTENCIES, ""),
            truth(more),
            &now.complaint(Place::Source),
            &now.complaint(Place::Consistency),
        ],
    );
    row("From, order, freshness", "IndexName …", &parts)
}

/// The key condition: partition key value, sort key operator and values.
pub fn key_row(now: &Now) -> String {
    let mut parts = String::new();
    if let Some(key) = now.key() {
        parts = fill(
            "<div class=\"ask-line\">{!}<span class=\"mono\">=</span>{!}</div>{!}",
            &[&key_name(&key.partition), &key_value(now, "partition"), &now.complaint(Place::Partition)],
        );
        if let Some(sort) = &key.sort {
            parts.push_str(&sort_line(now, sort));
        }
    }
    row("Key condition", "KeyConditionExpression", &parts)
}

fn key_name(attribute: &KeyAttribute) -> String {
    fill(
        "<span class=\"ask-key mono\">{}<span class=\"tag\" title=\"The key's type\">{}</span></span>",
        &[&attribute.name, attribute.value_type.name()],
    )
}

fn sort_line(now: &Now, sort: &KeyAttribute) -> String {
    let mut options = String::new();
    for operator in SortOperator::ALL {
        options.push_str(&option(operator.slug(), operator.label()));
    }
    let (operator, idle) = (now.ask.sort, now.idle("Only a Query narrows the sort key"));
    let from = if operator == SortOperator::Any { String::new() } else { key_value(now, "sort-from") };
    let to = if operator == SortOperator::Between {
        "<span class=\"ask-note\">and</span>".to_owned() + &key_value(now, "sort-to")
    } else {
        String::new()
    };
    fill(
        "<div class=\"ask-line\">{!}{!}{!}{!}</div>{!}",
        &[
            &key_name(sort),
            &pick("operator", "Sort key operator", operator.slug(), &options, idle),
            &from,
            &to,
            &now.complaint(Place::Sort),
        ],
    )
}

fn key_value(now: &Now, name: &str) -> String {
    let ask = &now.ask;
    let (label, hint, place, text) = match name {
        "partition" => ("Partition key value", "none: Scan", Place::Partition, &ask.partition),
        "sort-from" => ("Sort key value", "", Place::Sort, &ask.sort_from),
        _ => ("Sort key upper value", "", Place::Sort, &ask.sort_to),
    };
    fill(
        "<input type=\"text\" class=\"type ask-value\" autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\" \
         dir=\"auto\" aria-label=\"{}\" placeholder=\"{}\" aria-invalid=\"{}\" data-do=\"{}\" data-value=\"{}\">",
        &[label, hint, truth(now.fault_at(place).is_some()), name, text],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_changes_its_own_part_of_the_question() {
        let mut ask = Ask::default();
        for (name, text) in [("source", "by-day"), ("operator", "between"), ("sort-to", "9"), ("#n", "a"), (":v", "b")]
        {
            put(&mut ask, name, text);
        }
        assert_eq!(
            (ask.index.as_deref(), ask.sort, ask.sort_to.as_str()),
            (Some("by-day"), SortOperator::Between, "9")
        );
        assert_eq!((ask.names.get("#n").unwrap().as_str(), ask.values.get(":v").unwrap().as_str()), ("a", "b"));
        put(&mut ask, "source", "");
        put(&mut ask, "no such control", "x");
        assert_eq!(ask.index, None);
    }

    #[test]
    fn a_scan_has_no_order_and_says_why() {
        let mut now = Now { ask: Ask::default(), schema: None, fault: None };
        let idle = "disabled title=\"A Scan reads in the order of the hash line\">";
        assert!(index_row(&now, false).contains(idle));
        now.ask.partition = "<a>".into();
        assert!(!index_row(&now, false).contains(idle));
        assert!(
            key_value(&now, "partition")
                .contains("aria-invalid=\"false\" data-do=\"partition\" data-value=\"&lt;a&gt;\">")
        );
    }
}
