//! The road of the request in one line, from its trace.

use super::facts::Facts;
use super::figure::Figure;
use super::keys::clipped;
use super::{ReadView, value_text, words};
use crate::text::count;
use crate::ui::html::{Html, contents};
use dynascope_engine::capacity::READ_BLOCK_BYTES;
use leptos::prelude::*;

/// A step: what it is, and what it came to.
type Step = (String, String);

/// The end of a text, where keys differ.
fn tail(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let rest: String = text.chars().skip(count - most).collect();
    let rest = rest.find('#').map_or(rest.as_str(), |at| &rest[at + 1..]);
    ["…", rest].concat()
}

fn steps(figure: &Figure, facts: &Facts) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let place = "partition".to_owned();
    if let Some(route) = facts.trace.routes.first() {
        let hex = format!("{:016x}", route.hash);
        steps.push(("key".into(), tail(&value_text(&route.key), 14)));
        steps.push(("hash".into(), format!("{}…", &hex[..5])));
        steps.push((place, route.partition.to_string()));
    } else {
        let ids: Vec<String> = facts.partitions.iter().take(6).map(ToString::to_string).collect();
        let more = facts.partitions.len().checked_sub(6).filter(|more| *more > 0);
        let ids = more.map_or_else(|| ids.join(" "), |more| format!("{} and {more} more", ids.join(" ")));
        steps.push(("no key".into(), "Scan".into()));
        steps.push((place, ids));
    }
    let first = facts
        .evaluated
        .first()
        .map_or_else(|| "nothing there".to_owned(), |read| clipped(&figure.key_text(&read.item), 10));
    let blocks = facts.bytes.div_ceil(READ_BLOCK_BYTES).max(1);
    let halved = if figure.consistent { "" } else { " ÷ 2" };
    steps.push(("seek".into(), first));
    steps.push((
        "read".into(),
        format!("{} items, {} B → {} KB{halved}", count(facts.read as u64), count(facts.bytes), blocks * 4),
    ));
    steps.push(("charge".into(), format!("{} RCU", facts.cost)));
    let filter =
        if figure.filter.is_some() { format!("{} pass", count(facts.shown as u64)) } else { "none".to_owned() };
    steps.push(("filter".into(), filter));
    steps.push(("stop".into(), words::stop_text(facts.stop).into()));
    steps
}

/// key › hash › partition › seek › read › charge › filter › stop.
pub fn xray(view: ReadView) -> AnyView {
    contents(move || {
        let Some(figure) = view.figure() else { return String::new() };
        let Some(facts) = figure.shown() else { return String::new() };
        let mut html = Html::new();
        html.raw("<section class=\"xray\" aria-label=\"The request's road\"><ol>");
        for (what, came) in steps(&figure, facts) {
            html.raw("<li>").element("span", "xray-what", &what);
            html.raw("<span class=\"mono\" dir=\"auto\">").text(&came).raw("</span></li>");
        }
        html.raw("</ol></section>").finish()
    })
}
