//! More than forty items: bars, then bins of several items. Tall = read, filled = shown, low = not reached.

use super::facts::Mark;
use crate::ui::html::Html;

/// Narrowest bar, gap included.
const LEAST_BAR: f64 = 3.4;

/// Bars of one class become one path, so that six thousand items cost no more than six.
pub fn bars(marks: &[Mark], width: f64) -> Vec<(&'static str, String)> {
    let bins = marks.len().min((width / LEAST_BAR) as usize).max(1);
    let step = width / bins as f64;
    let mut paths = ["bar-unread", "bar-read", "bar-kept", "bar-read bar-soon", "bar-kept bar-soon"]
        .map(|class| (class, Html::new()));
    for bin in 0..bins {
        let (from, to) = (bin * marks.len() / bins, (bin + 1) * marks.len() / bins);
        let Some(members) = marks.get(from..to.max(from + 1)) else { continue };
        let of = |wanted: &[Mark]| members.iter().filter(|mark| wanted.contains(mark)).count();
        let (run, soon) = (of(&[Mark::Kept, Mark::Filtered]), of(&[Mark::SoonKept, Mark::SoonFiltered]));
        let kept = of(&[Mark::Kept, Mark::SoonKept]);
        let (x, wide) = (bin as f64 * step, within(step * 0.66, 1.0, 14.0));
        let rectangle = |path: &mut Html, height: f64| {
            path.raw("M").tenths(x).raw(" ").tenths(84.0 - height).raw("h").tenths(wide);
            path.raw("v").tenths(height).raw("h").tenths(-wide).raw("z");
        };
        if run + soon == 0 {
            rectangle(&mut paths[0].1, 7.0);
            continue;
        }
        let class = if run >= soon { 1 } else { 3 };
        rectangle(&mut paths[class].1, 32.0);
        if kept > 0 {
            let share = kept as f64 / (run + soon) as f64;
            rectangle(&mut paths[class + 1].1, (32.0 * share).max(9.0));
        }
    }
    let finished = paths.into_iter().map(|(class, mut path)| (class, path.finish()));
    finished.filter(|(_, path)| !path.is_empty()).collect()
}

/// The nearest number between two. The library's `clamp` complains about disordered ends, and with that complaint comes
/// all that prints floating point.
#[allow(clippy::manual_clamp, reason = "see above")]
pub fn within(number: f64, least: f64, most: f64) -> f64 {
    number.min(most).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_thousand_items_are_a_few_paths() {
        let mut marks = vec![Mark::Unread; 6_000];
        marks[..100].fill(Mark::Filtered);
        marks[50] = Mark::Kept;
        let paths = bars(&marks, 680.0);
        let classes: Vec<&str> = paths.iter().map(|(class, _)| *class).collect();
        assert_eq!(classes, ["bar-unread", "bar-read", "bar-kept"]);
        let count = |at: usize| paths[at].1.matches('M').count();
        assert_eq!(count(0) + count(1), 200);
    }
}
