//! Where the pages run lie in the range, and where those that would follow would end.

use super::facts::Page;
use super::figure::Figure;
use dynascope_engine::partition::StopReason;
use dynascope_engine::value::Item;

/// Pages that are foreseen.
const MOST_FORESEEN: usize = 60;

/// Where in the range the pages run lie, and where those that would follow would end.
pub fn lay_out(figure: &Figure, page_bytes: u64) -> Vec<Page> {
    let mut pages: Vec<Page> = Vec::new();
    let same = |left: &Item, right: &Item| {
        left.get(&figure.schema.key.partition.name) == right.get(&figure.schema.key.partition.name)
            && figure.schema.key.sort.as_ref().is_none_or(|sort| left.get(&sort.name) == right.get(&sort.name))
    };
    for facts in &figure.run {
        let expected = pages.last().map_or(0, |page| page.to);
        let from = match facts.evaluated.first() {
            None => expected,
            Some(first) if figure.items.get(expected).is_some_and(|item| same(item, &first.item)) => expected,
            Some(first) => figure.items.iter().position(|item| same(item, &first.item)).unwrap_or(expected),
        };
        pages.push(Page { from, to: from + facts.read, kept: facts.shown, run: true, stop: facts.stop });
    }
    let mut at = pages.last().map_or(0, |page| page.to);
    let mut over = pages.last().is_some_and(|page| page.stop == StopReason::EndOfData);
    let whole = figure.total <= figure.items.len();
    while !over && pages.len() < figure.run.len() + MOST_FORESEEN {
        let page = foresee(figure, at, page_bytes);
        if !whole && page.stop == StopReason::EndOfData {
            break;
        }
        at = page.to;
        over = page.stop == StopReason::EndOfData;
        pages.push(page);
    }
    pages
}

fn foresee(figure: &Figure, from: usize, page_bytes: u64) -> Page {
    let mut page = Page { from, to: from, kept: 0, run: false, stop: StopReason::EndOfData };
    let mut bytes = 0;
    for (item, kept) in figure.items.iter().zip(&figure.kept).skip(from) {
        page.to += 1;
        page.kept += usize::from(*kept);
        bytes += item.size_bytes() as u64;
        if figure.limit.is_some_and(|limit| page.to - from >= limit.max(1) as usize) {
            page.stop = StopReason::Limit;
            break;
        }
        if bytes >= page_bytes {
            page.stop = StopReason::PageSize;
            break;
        }
    }
    page
}
