//! The run so far on one line: how far it came, where it refused, when that began.

use crate::pane::partitions::share_text;
use crate::playground::Playground;
use crate::text::{moment_text, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::metrics::{ArmMetrics, Second};
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;

/// Stretches of the ruler that are looked at.
const MARKS: u64 = 600;

/// The run so far as shares of the ruler: where it refused, where that began.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The ruler's length in seconds.
    pub end: u64,
    spans: Vec<(f64, f64)>,
    /// Where it first refused, in words too.
    pub first: Option<(f64, String)>,
}

impl Run {
    /// A moment as a share of the ruler.
    pub fn share(&self, moment: SimTime) -> f64 {
        (moment.0 as f64 / 1e6 / self.end.max(1) as f64).min(1.0)
    }
}

/// The ruler's length: the next round one.
pub fn ruler_end(now: SimTime) -> u64 {
    const ROUND: [u64; 9] = [30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];
    let second = now.second() + 1;
    ROUND.into_iter().find(|end| second < *end).unwrap_or(second * 2)
}

/// What is counted of a table and its indexes: an index that refuses refuses the table's writes.
fn counted<'a>(session: &'a Session, table: &str) -> Vec<&'a ArmMetrics> {
    let Some(slot) = session.database().slot(table) else { return Vec::new() };
    let arms = session.database().table(slot).arms.len();
    (0..arms).filter_map(|at| session.metrics().arm(slot, at)).collect()
}

fn first_of(counted: &[&ArmMetrics]) -> Option<SimTime> {
    counted.iter().filter_map(|metrics| metrics.first_refusal).min()
}

/// Requests that a table and its indexes have refused.
pub fn total_refused(session: &Session, table: &str) -> u64 {
    counted(session, table).iter().map(|metrics| metrics.total.refused_reads + metrics.total.refused_writes).sum()
}

/// When a table or one of its indexes first refused.
pub fn first_refusal(session: &Session, table: &str) -> Option<SimTime> {
    first_of(&counted(session, table))
}

/// The run of a session.
pub fn run_of(session: &Session, table: &str) -> Run {
    let now = session.now();
    let mut run = Run { end: ruler_end(now), ..Run::default() };
    let counted = counted(session, table);
    let Some(first) = first_of(&counted) else { return run };
    // No more marks than can be told apart.
    let step = run.end.div_ceil(MARKS);
    let mut spans: Vec<(u64, u64)> = Vec::new();
    for from in (first.second()..=now.second()).step_by(step as usize) {
        let refused = |counts: Second| counts.refused_reads + counts.refused_writes;
        if counted.iter().all(|metrics| refused(metrics.series.sum(from..from + step)) == 0) {
            continue;
        }
        match spans.last_mut() {
            Some(span) if span.1 == from => span.1 = from + step,
            _ => spans.push((from, from + step)),
        }
    }
    let share = |second: u64| run.share(SimTime::from_secs(second).min(now));
    run.spans = spans.iter().map(|&(from, to)| (share(from), share(to))).collect();
    run.first = Some((run.share(first), format!("{} first refusal", moment_text(first))));
    run
}

/// Where it refused.
pub fn spans(run: &Run) -> String {
    let span = |&(from, to): &(f64, f64)| {
        let (from, width) = (share_text(from), share_text(to - from));
        fill("<i class=\"ruler-refused\" style=\"left:{};width:{}\"></i>", &[&from, &width])
    };
    run.spans.iter().map(span).collect()
}

/// The run so far, to be looked at only.
pub fn ruler(playground: Playground) -> String {
    let table = playground.table.get();
    let now = playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(SimTime::ZERO, |t| t.now));
    let run = playground.with(|session| run_of(session, &table));
    let at = share_text(run.share(now));
    let start = if run.first.is_none() { "0 s" } else { "" };
    let spans = spans(&run);
    let (first_at, first) = run.first.unwrap_or_default();
    fill(
        "<div class=\"ruler\" aria-hidden=\"true\"><div class=\"ruler-line\"><i class=\"ruler-past\" style=\"width:{}\"></i>{!}\
         <i class=\"ruler-head\" style=\"left:{}\"></i></div><div class=\"ruler-words\"><span>{}</span>\
         <span class=\"ruler-first\" style=\"left:{}\">{}</span><span>{}</span></div></div>",
        &[&at, &spans, &at, start, &share_text(first_at), &first, &short_clock_text(SimTime::from_secs(run.end))],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ruler_ends_at_a_round_moment() {
        assert_eq!((ruler_end(SimTime::ZERO), ruler_end(SimTime::from_secs(72))), (30, 120));
    }
}
