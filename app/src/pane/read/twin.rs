//! The strip as text: a sentence and a table with the same facts.

use super::facts::Page;
use super::figure::Figure;
use super::{ReadView, words};
use crate::playground::Playground;
use crate::text::count;
use leptos::prelude::*;

/// Most pages that get a line.
const MOST_LINES: usize = 60;

struct Line {
    page: String,
    read: String,
    shown: String,
    cost: String,
    stop: &'static str,
    range: String,
}

fn line(figure: &Figure, at: usize, page: &Page) -> Line {
    let facts = figure.run.get(at).filter(|_| page.run);
    let key = |at: usize| figure.items.get(at).map(|item| figure.labels.short(figure.key(), item));
    let range = match (key(page.from), page.to.checked_sub(1).and_then(key)) {
        (Some(from), Some(to)) if page.to > page.from => format!("{from} … {to}"),
        _ => "nothing".to_owned(),
    };
    Line {
        page: format!("{} {}", at + 1, if page.run { "run" } else { "foreseen" }),
        read: count((page.to - page.from) as u64),
        shown: count(page.kept as u64),
        cost: facts.map_or_else(|| "not charged".to_owned(), |facts| facts.cost.to_string()),
        stop: words::stop_text(page.stop),
        range,
    }
}

/// Sentence and table.
#[component]
pub fn TextTwin() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    move || {
        view.figure().map(|figure| {
            let rows = figure.pages.iter().enumerate().take(MOST_LINES).map(|(at, page)| {
                let line = line(&figure, at, page);
                view! {
                    <tr>
                        <th scope="row">{line.page}</th>
                        <td>{line.read}</td>
                        <td>{line.shown}</td>
                        <td>{line.cost}</td>
                        <td>{line.stop}</td>
                        <td class="mono">{line.range}</td>
                    </tr>
                }
            });
            view! {
                <div class="window-twin">
                    <p class="window-twin-said">{words::strip_text(&figure)}</p>
                    <div class="window-twin-scroll" tabindex="0" role="region" aria-label="Pages, table">
                        <table>
                            <thead>
                                <tr>
                                    <th scope="col">"page"</th>
                                    <th scope="col">"read"</th>
                                    <th scope="col">"shown"</th>
                                    <th scope="col">"RCU"</th>
                                    <th scope="col">"stopped at"</th>
                                    <th scope="col">"keys"</th>
                                </tr>
                            </thead>
                            <tbody>{rows.collect_view()}</tbody>
                        </table>
                    </div>
                </div>
            }
        })
    }
}
