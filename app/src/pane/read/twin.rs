//! The strip as text: a sentence and a table with the same facts.

use super::facts::Page;
use super::figure::Figure;
use super::words;
use crate::text::count;
use crate::ui::html::Html;

/// Most pages that get a line.
const MOST_LINES: usize = 60;

/// What writes the strip as text.
pub type Twin = fn(&Figure) -> String;

/// Sentence and table.
pub fn text_twin(figure: &Figure) -> String {
    let mut html = Html::new();
    html.open("div", "window-twin").element("p", "window-twin-said", &words::strip_text(figure));
    html.raw("<div class=\"window-twin-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages, table\">");
    html.raw("<table><thead><tr>");
    for head in ["page", "read", "shown", "RCU", "stopped at", "keys"] {
        html.raw("<th scope=\"col\">").raw(head).close("th");
    }
    html.raw("</tr></thead><tbody>");
    for (at, page) in figure.pages.iter().enumerate().take(MOST_LINES) {
        line(&mut html, figure, at, page);
    }
    html.raw("</tbody></table></div></div>").finish()
}

fn line(html: &mut Html, figure: &Figure, at: usize, page: &Page) {
    let facts = figure.run.get(at).filter(|_| page.run);
    let key = |at: usize| figure.items.get(at).map(|item| figure.labels.short(figure.key(), item));
    let range = match (key(page.from), page.to.checked_sub(1).and_then(key)) {
        (Some(from), Some(to)) if page.to > page.from => [&from, " … ", &to].concat(),
        _ => "nothing".to_owned(),
    };
    html.raw("<tr><th scope=\"row\">").number(at as i64 + 1);
    html.raw(if page.run { " run" } else { " foreseen" }).close("th");
    html.element("td", "", &count((page.to - page.from) as u64)).element("td", "", &count(page.kept as u64));
    html.element("td", "", &facts.map_or_else(|| "not charged".to_owned(), |facts| facts.cost.to_string()));
    html.element("td", "", words::stop_text(page.stop)).element("td", "mono", &range).close("tr");
}
