//! Where everything in the strip stands: plain geometry, in pixels.
//!
//! Marks up to forty items, bars up to two hundred, bins of several items beyond; on a narrow page a page of the
//! answer is a line of marks.

use super::bars::bars;
use super::bars::within;
use super::facts::Mark;
use super::figure::Figure;
use super::lines::lines;
use super::words;

/// Most items that are drawn as marks.
const MOST_MARKS: usize = 40;
/// Widest step from mark to mark.
const WIDEST_STEP: f64 = 34.0;
/// Below this width a page is a line.
const NARROW: f64 = 500.0;
/// Width of a letter of a label, a little generous.
const LETTER: f64 = 6.6;

/// Heights of the wide strip.
pub const BRACKET_Y: f64 = 14.0;
const LABEL_Y: f64 = 50.0;
const MARK_Y: f64 = 68.0;
const CARET_Y: f64 = 92.0;
const TRAIL_Y: f64 = 122.0;

/// A sign.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Centre.
    pub x: f64,
    /// Centre.
    pub y: f64,
    /// Radius.
    pub r: f64,
    /// Which.
    pub mark: Mark,
}

/// A word at its thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// Anchor.
    pub x: f64,
    /// Baseline.
    pub y: f64,
    /// The text.
    pub text: String,
    /// Its class.
    pub class: &'static str,
    /// `start`, `middle` or `end`.
    pub anchor: &'static str,
}

/// A line of the page trail.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    /// From.
    pub x1: f64,
    /// To.
    pub x2: f64,
    /// Was the page run?
    pub run: bool,
}

/// The caret.
#[derive(Clone, Debug, PartialEq)]
pub struct Caret {
    /// Exactly between two items.
    pub x: f64,
    /// Top of the stem.
    pub top: f64,
    /// Tip of the triangle.
    pub y: f64,
    /// Did a page leave it there, or would one?
    pub run: bool,
}

/// The whole drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// Height of the drawing.
    pub height: f64,
    /// Signs.
    pub dots: Vec<Dot>,
    /// Paths of bars, by class.
    pub bars: Vec<(&'static str, String)>,
    /// Words.
    pub words: Vec<Word>,
    /// Pages.
    pub trail: Vec<Trail>,
    /// The cursor.
    pub caret: Option<Caret>,
    /// Where the bracket ends; `None` where there is none.
    pub bracket: Option<f64>,
    /// Pixels for one item.
    pub step: f64,
}

/// Lays a figure out over a width.
pub fn plan(figure: &Figure, width: f64) -> Plan {
    let longest = figure.pages.iter().map(|page| page.to - page.from).max().unwrap_or(0);
    if width < NARROW && figure.total <= 100 && longest <= 24 && figure.pages.len() <= 12 {
        lines(figure, width, longest)
    } else {
        strip(figure, width)
    }
}

fn strip(figure: &Figure, width: f64) -> Plan {
    let count = figure.items.len();
    let step = if count == 0 { WIDEST_STEP } else { (width / count as f64).min(WIDEST_STEP) };
    let mut plan = Plan { height: 150.0, step, ..Plan::default() };
    let marks = figure.marks();
    if count <= MOST_MARKS && step >= 11.0 {
        let r = (step * 0.38).min(8.0);
        plan.dots = marks
            .iter()
            .enumerate()
            .map(|(at, mark)| Dot { x: (at as f64 + 0.5) * step, y: MARK_Y, r, mark: *mark })
            .collect();
    } else {
        plan.bars = bars(&marks, width);
    }
    let extent = step * count as f64;
    plan.words = key_words(figure, &marks, step, extent);
    let limit = figure.limit.map_or(count, |limit| (limit as usize).min(count));
    plan.bracket = (count > 0).then_some(limit as f64 * step);
    add_caret(figure, &mut plan, extent, width);
    add_trail(figure, &mut plan, extent);
    plan
}

/// Kept items and landmarks get their word; what would overlap goes without.
fn key_words(figure: &Figure, marks: &[Mark], step: f64, extent: f64) -> Vec<Word> {
    let count = marks.len();
    let kept = (0..count).filter(|at| matches!(marks[*at], Mark::Kept | Mark::SoonKept));
    let ends = [0, count.saturating_sub(1)].into_iter().filter(|_| count > 0);
    let tens = (9..count).step_by(10);
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let mut words = Vec::new();
    let y = if marks.len() <= MOST_MARKS { LABEL_Y } else { LABEL_Y - 5.0 };
    let candidates =
        kept.take(60).map(|at| (at, "word-kept")).chain(ends.chain(tens.take(30)).map(|at| (at, "word-key")));
    for (at, class) in candidates {
        let Some(item) = figure.items.get(at) else { continue };
        let text = figure.labels.short(figure.key(), item);
        let half = text.chars().count() as f64 * LETTER / 2.0 + 4.0;
        let centre = within((at as f64 + 0.5) * step, half - 4.0, extent - half + 4.0);
        if taken.iter().any(|(from, to)| centre - half < *to && centre + half > *from) {
            continue;
        }
        taken.push((centre - half, centre + half));
        words.push(Word { x: centre, y, text, class, anchor: "middle" });
    }
    words
}

/// Where the cursor stands: after the last page run, or after the page that would be.
pub fn caret_page(figure: &Figure) -> Option<(usize, bool, String)> {
    let facts = figure.shown()?;
    let cursor = facts.cursor.as_ref()?;
    let page = if facts.run {
        figure.pages.iter().rev().find(|page| page.run)?
    } else {
        figure.pages.iter().find(|page| !page.run)?
    };
    Some((page.to, facts.run, words::after_text(figure, cursor)))
}

fn add_caret(figure: &Figure, plan: &mut Plan, extent: f64, width: f64) {
    let Some((to, run, after)) = caret_page(figure) else { return };
    let x = (to as f64 * plan.step).min(extent);
    plan.caret = Some(Caret { x, top: MARK_Y - 16.0, y: CARET_Y, run });
    let text = if run { format!("cursor after {after}") } else { format!("cursor would stand after {after}") };
    let room = text.chars().count() as f64 * LETTER + 12.0;
    let flip = x + room > width;
    let (x, anchor) = if flip { (x - 12.0, "end") } else { (x + 12.0, "start") };
    plan.words.push(Word { x, y: CARET_Y + 4.0, text, class: "word-cursor", anchor });
}

/// A page's label in the trail, the longest that fits first.
fn trail_texts(figure: &Figure, at: usize) -> Vec<String> {
    let page = &figure.pages[at];
    let number = at + 1;
    let short = [format!("page {number}"), number.to_string()];
    let long = match (figure.run.get(at).filter(|_| page.run), page.to - page.from) {
        (Some(facts), _) => format!("page {number}: {} shown, {} RCU", facts.shown, facts.cost),
        (None, 0) => format!("page {number}, empty"),
        (None, 1) => format!("page {number}, one item"),
        (None, _) => format!("page {number}, {} to show", page.kept),
    };
    std::iter::once(long).chain(short).collect()
}

fn add_trail(figure: &Figure, plan: &mut Plan, extent: f64) {
    let mut end = 0.0_f64;
    let last = figure.pages.len().saturating_sub(1);
    for (at, page) in figure.pages.iter().enumerate() {
        let from = page.from as f64 * plan.step;
        let to = (page.to as f64 * plan.step).min(extent);
        if to > from {
            plan.trail.push(Trail { x1: from, x2: (to - 4.0).max(from + 1.0), run: page.run });
        }
        let room = if at == last { extent.max(to) - end } else { to - from };
        let fits = |text: &String| text.chars().count() as f64 * LETTER <= room;
        let Some(text) = trail_texts(figure, at).into_iter().find(fits) else { continue };
        let wide = text.chars().count() as f64 * LETTER;
        let x = from.max(end).min((extent - wide).max(end));
        end = x + wide + 6.0;
        let class = if page.run { "word-run" } else { "word-page" };
        plan.words.push(Word { x, y: TRAIL_Y + 18.0, text, class, anchor: "start" });
    }
}

/// Height of the trail's line.
pub const fn trail_y() -> f64 {
    TRAIL_Y
}
