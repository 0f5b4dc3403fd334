//! The road of the request in one line, from its trace.

use super::facts::Facts;
use super::figure::Figure;
use super::keys::clipped;
use super::{ReadView, value_text, words};
use crate::text::count;
use crate::ui::html::Html;
use crate::ui::patch::shown;
use dynascope_engine::capacity::READ_BLOCK_BYTES;
use leptos::prelude::*;

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

/// A step: what it is, and what it came to.
fn step(html: &mut Html, what: &str, came: &str) {
    html.raw("<li>").element("span", "xray-what", what).raw("<span class=\"mono\" dir=\"auto\">").text(came);
    html.raw("</span></li>");
}

fn steps(html: &mut Html, figure: &Figure, facts: &Facts) {
    if let Some(route) = facts.trace.routes.first() {
        let hex = format!("{:016x}", route.hash);
        step(html, "key", &tail(&value_text(&route.key), 14));
        step(html, "hash", &[&hex[..5], "…"].concat());
        step(html, "partition", &route.partition.to_string());
    } else {
        let ids: Vec<String> = facts.partitions.iter().take(6).map(ToString::to_string).collect();
        let more = facts.partitions.len().checked_sub(6).filter(|more| *more > 0);
        let ids = more.map_or_else(|| ids.join(" "), |more| format!("{} and {more} more", ids.join(" ")));
        step(html, "no key", "Scan");
        step(html, "partition", &ids);
    }
    let first = facts.evaluated.first().map(|read| clipped(&figure.key_text(&read.item), 10));
    step(html, "seek", first.as_deref().unwrap_or("nothing there"));
    let kilobytes = facts.bytes.div_ceil(READ_BLOCK_BYTES).max(1) * 4;
    let halved = if figure.consistent { "" } else { " ÷ 2" };
    let (read, bytes) = (count(facts.read as u64), count(facts.bytes));
    step(html, "read", &format!("{read} items, {bytes} B → {kilobytes} KB{halved}"));
    step(html, "charge", &format!("{} RCU", facts.cost));
    if facts.trace.reader.replica > 0 {
        step(html, "replica", &["follower ", &facts.trace.reader.replica.to_string()].concat());
    }
    let pass = figure.filter.as_ref().map(|_| count(facts.shown as u64) + " pass");
    step(html, "filter", pass.as_deref().unwrap_or("none"));
    step(html, "stop", words::stop_text(facts.stop));
}

/// key › hash › partition › seek › read › charge › filter › stop.
pub fn xray(view: ReadView) -> AnyView {
    shown(move || {
        let Some(figure) = view.figure() else { return String::new() };
        let Some(facts) = figure.shown() else { return String::new() };
        let mut html = Html::new();
        html.raw("<section class=\"xray\" aria-label=\"The request's road\"><ol>");
        steps(&mut html, &figure, facts);
        html.raw("</ol></section>").finish()
    })
}
