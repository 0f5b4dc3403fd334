//! The strip on a narrow page: each page of the answer is a line of marks.

use super::facts::Mark;
use super::figure::Figure;
use super::plan::{Caret, Dot, Plan, Word, caret_page};
use dynascope_engine::partition::StopReason;

/// Room for `page 1` in front of a line.
const LINE_LABEL: f64 = 58.0;
const LINE_HEIGHT: f64 = 46.0;

/// A page is a line.
pub fn lines(figure: &Figure, width: f64, longest: usize) -> Plan {
    let step = ((width - LINE_LABEL - 14.0) / longest.max(1) as f64).min(27.0);
    let r = (step * 0.36).min(8.0);
    let marks = figure.marks();
    let mut plan = Plan { step, ..Plan::default() };
    let mut y = 26.0;
    let caret = caret_page(figure);
    for (number, page) in figure.pages.iter().enumerate() {
        let class = if page.run { "word-line word-run" } else { "word-line word-page" };
        plan.words.push(Word { x: 0.0, y: y + 4.0, text: format!("page {}", number + 1), class, anchor: "start" });
        for (at, mark) in marks.iter().enumerate().take(page.to).skip(page.from) {
            let x = LINE_LABEL + ((at - page.from) as f64 + 0.5) * step;
            plan.dots.push(Dot { x, y, r, mark: *mark });
            let kept = matches!(mark, Mark::Kept | Mark::SoonKept);
            let first = number == 0 && at == page.from;
            if kept || first {
                let text = figure.labels.short(figure.key(), &figure.items[at]);
                let class = if kept { "word-kept" } else { "word-key" };
                let room = text.chars().count() as f64 * 7.0;
                let near = plan.words.iter().any(|word| word.y < y && word.y > y - 20.0 && (word.x - x).abs() < room);
                if !near {
                    plan.words.push(Word { x, y: y - 13.0, text, class, anchor: "middle" });
                }
            }
        }
        let end = LINE_LABEL + (page.to - page.from) as f64 * step;
        if page.to == page.from {
            let text = "nothing to read; only this page says so".to_owned();
            plan.words.push(Word { x: LINE_LABEL, y: y + 4.0, text, class: "word-page", anchor: "start" });
        }
        let stands = caret
            .as_ref()
            .is_some_and(|(to, run, _)| *to == page.to && *run == page.run && page.stop != StopReason::EndOfData);
        if let Some((_, run, after)) = caret.as_ref().filter(|_| stands && plan.caret.is_none()) {
            plan.caret = Some(Caret { x: end + 4.0, top: y - 14.0, y: y + 18.0, run: *run });
            let text = format!("cursor after {after}");
            plan.words.push(Word { x: end - 8.0, y: y + 23.0, text, class: "word-cursor", anchor: "end" });
            y += 6.0;
        }
        y += LINE_HEIGHT;
    }
    plan.height = y - 14.0;
    plan
}
