//! The answer as it was read: kept rows bold, ghosts struck only at the value that failed.

use super::blame::{self, Reason};
use super::facts::Facts;
use super::figure::Figure;
use super::keys::{clipped, ending};
use super::marks::sign;
use super::{Mark, ReadView, value_text};
use crate::text::{count, counted};
use crate::ui::html::Html;
use crate::ui::patch::{fill, live};
use dynascope_engine::value::Item;
use leptos::prelude::*;
use std::sync::Arc;

/// Rows shown before asking for more.
const FIRST_ROWS: u32 = 100;
/// Letters of a key that fit.
const MOST_KEY: usize = 27;
/// Ghosts in a row that a narrow page folds.
const FOLD: usize = 3;
/// Below this width runs of ghosts are folded.
const NARROW: u32 = 560;

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    mark: Mark,
    /// Shared beginning of the key.
    prefix: String,
    /// What tells the key apart.
    key: String,
    /// The key in a word.
    short: String,
    value: String,
    reason: String,
}

fn row(figure: &Figure, item: &Arc<Item>, kept: bool, run: bool) -> Line {
    let text = figure.key_text(item);
    let cut = if text.is_char_boundary(figure.labels.prefix) { figure.labels.prefix.min(text.len()) } else { 0 };
    let (prefix, key) = text.split_at(cut);
    let (prefix, key) = fitting(prefix, key);
    let (mark, told) = match (&figure.filter, kept) {
        (Some(filter), false) => {
            (if run { Mark::Filtered } else { Mark::SoonFiltered }, blame::reason(filter, item).unwrap_or_default())
        }
        (Some(filter), true) => {
            let names: Vec<&str> = filter.top_level_attributes().map(|(name, _)| name).collect();
            (
                if run { Mark::Kept } else { Mark::SoonKept },
                Reason { value: values(item, &names), text: "matches".into() },
            )
        }
        (None, _) => {
            let own: Vec<&str> =
                item.names().map(|name| &**name).filter(|name| !is_key(figure, name)).take(2).collect();
            let text = counted(item.size_bytes() as u64, "byte", "bytes");
            (if run { Mark::Kept } else { Mark::SoonKept }, Reason { value: values(item, &own), text })
        }
    };
    let short = figure.labels.short(figure.key(), item);
    Line { mark, short, prefix, key, value: told.value, reason: told.text }
}

/// A key that fits its column: the end stays, since that is where keys differ.
fn fitting(prefix: &str, key: &str) -> (String, String) {
    let (before, own) = (prefix.chars().count(), key.chars().count());
    if before + own <= MOST_KEY {
        (prefix.to_owned(), key.to_owned())
    } else if own < MOST_KEY {
        (ending(prefix, MOST_KEY - own - 1), key.to_owned())
    } else {
        (String::new(), ending(key, MOST_KEY - 1))
    }
}

fn is_key(figure: &Figure, name: &str) -> bool {
    figure.schema.key.has(name) || figure.schema.indexes.iter().any(|index| index.key.has(name))
}

fn values(item: &Item, names: &[&str]) -> String {
    let values: Vec<String> =
        names.iter().filter_map(|name| item.get(name)).map(|value| clipped(&value_text(value), 24)).collect();
    values.join(", ")
}

/// Runs of ghosts with one reason become one row.
fn folded(lines: Vec<Line>) -> Vec<Line> {
    let mut result: Vec<Line> = Vec::new();
    let mut rest = lines.as_slice();
    while let Some(first) = rest.first() {
        let ghost =
            |line: &&Line| matches!(line.mark, Mark::Filtered | Mark::SoonFiltered) && line.reason == first.reason;
        let length = rest.iter().take_while(ghost).count();
        if length >= FOLD {
            let last = &rest[length - 1];
            result.push(Line {
                key: format!("…{} to {}", first.short, last.short),
                short: String::new(),
                prefix: String::new(),
                value: String::new(),
                reason: format!("{length} read, {}", first.reason),
                mark: first.mark,
            });
            rest = &rest[length..];
        } else {
            result.push(first.clone());
            rest = &rest[1..];
        }
    }
    result
}

/// Pages with their rows.
pub fn results(view: ReadView, width: RwSignal<u32>) -> AnyView {
    let most = RwSignal::new(FIRST_ROWS);
    let render = move || {
        let (mut rows, mut more) = (String::new(), String::new());
        if let Some(figure) = view.figure() {
            let most = most.get() as usize;
            rows = pages(&figure, most, width.get() < NARROW);
            let all: usize = shown(&figure).iter().map(|facts| facts.evaluated.len()).sum();
            if all > most {
                let hidden = count((all - most) as u64);
                more = fill("<button type=\"button\" class=\"say\" data-do=\"more\">{} more</button>", &[&hidden]);
            }
        }
        let template = "<section class=\"results\" aria-label=\"Result\"><div class=\"live\">{!}</div>{!}</section>";
        fill(template, &[&rows, &more])
    };
    live(render, move |deed| {
        if deed.is() == ("click", "more") {
            most.update(|most| *most += 400);
        }
    })
}

fn shown(figure: &Figure) -> &[Facts] {
    if figure.run.is_empty() { figure.next.as_slice() } else { &figure.run }
}

fn pages(figure: &Figure, mut left: usize, narrow: bool) -> String {
    let mut html = Html::new();
    for facts in shown(figure) {
        let take = facts.evaluated.len().min(left);
        left -= take;
        if take > 0 || facts.evaluated.is_empty() {
            let read = facts.evaluated[..take].iter();
            let lines = read.map(|read| row(figure, &read.item, read.kept, facts.run)).collect();
            page(&mut html, facts, &if narrow { folded(lines) } else { lines });
        }
    }
    html.finish()
}

fn page(html: &mut Html, facts: &Facts, lines: &[Line]) {
    html.open("h2", "results-head").raw("Page ").number(facts.number as i64);
    html.raw(if facts.run { ", as it was read " } else { ", as it would be read " });
    html.open("span", "quiet").text(&counted(facts.shown as u64, "item", "items")).raw(", ");
    html.text(&counted(facts.read.saturating_sub(facts.shown) as u64, "ghost", "ghosts")).raw("</span></h2>");
    if lines.is_empty() {
        html.element("p", "note", "Nothing was read.");
    }
    html.open("ol", "rows");
    for line in lines {
        line_html(html, line);
    }
    html.close("ol");
}

fn line_html(html: &mut Html, line: &Line) {
    let ghost = matches!(line.mark, Mark::Filtered | Mark::SoonFiltered);
    let soon = matches!(line.mark, Mark::SoonFiltered | Mark::SoonKept);
    html.raw("<li class=\"row ").raw(if ghost { "row-ghost" } else { "row-kept" });
    html.raw(if soon { " row-soon\">" } else { "\">" });
    sign(html, line.mark);
    html.raw("<span class=\"row-key mono\" dir=\"auto\">").element("span", "dim", &line.prefix).text(&line.key);
    html.raw("</span><span class=\"row-value\" dir=\"auto\">");
    html.element(if ghost { "s" } else { "span" }, "", &line.value);
    html.close("span").element("span", "row-why", &line.reason).close("li");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(mark: Mark, key: &str) -> Line {
        Line {
            mark,
            prefix: "p".into(),
            key: key.into(),
            short: key.into(),
            value: "v".into(),
            reason: "paid ≠ cancelled".into(),
        }
    }

    #[test]
    fn only_long_runs_of_ghosts_are_folded() {
        let ghosts = (1..5).map(|at| line(Mark::Filtered, &at.to_string()));
        let lines: Vec<Line> = ghosts.chain([line(Mark::Kept, "5"), line(Mark::Filtered, "6")]).collect();
        let folded = folded(lines);
        assert_eq!(folded.len(), 3);
        assert_eq!((folded[0].key.as_str(), folded[0].reason.as_str()), ("…1 to 4", "4 read, paid ≠ cancelled"));
    }
}
