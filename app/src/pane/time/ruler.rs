//! The run so far on one line: how far it came, where it refused, when that began.

use crate::pane::partitions::share_text;
use crate::playground::Playground;
use crate::text::clock_text;
use crate::ui::patch::fill;
use dynascope_engine::time::SimTime;

/// The run so far as shares of the ruler: where it stands, where it refused, where that began.
#[derive(Clone, Debug, Default, PartialEq)]
struct Run {
    end: u64,
    at: f64,
    spans: Vec<(f64, f64)>,
    first: Option<(f64, String)>,
}

/// The ruler's length: the next round one.
fn ruler_end(now: SimTime) -> u64 {
    const ROUND: [u64; 9] = [30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400];
    let second = now.second() + 1;
    ROUND.into_iter().find(|end| second < *end).unwrap_or(second * 2)
}

fn run(playground: Playground) -> Option<Run> {
    let table = playground.table.get();
    playground.telemetry.with(|telemetry| {
        let telemetry = telemetry.as_ref()?;
        let end = ruler_end(telemetry.now);
        let share = |second: f64| (second / end as f64).min(1.0);
        let mut spans: Vec<(u64, u64)> = Vec::new();
        playground.with(|session| {
            let metrics =
                session.database().slot(&table).and_then(|slot| session.metrics().arm(slot, playground.arm(session)));
            let Some(first) = telemetry.first_refusal else { return };
            for second in first.second()..=telemetry.now.second() {
                let counts = metrics.map(|metrics| metrics.series.get(second)).unwrap_or_default();
                if counts.refused_reads + counts.refused_writes == 0 {
                    continue;
                }
                match spans.last_mut() {
                    Some(span) if span.1 == second => span.1 = second + 1,
                    _ => spans.push((second, second + 1)),
                }
            }
        });
        let now = telemetry.now.0 as f64 / 1e6;
        Some(Run {
            end,
            at: share(now),
            spans: spans.iter().map(|&(from, to)| (share(from as f64), share((to as f64).min(now)))).collect(),
            first: telemetry.first_refusal.map(|at| (share(at.0 as f64 / 1e6), format!("{at} first refusal"))),
        })
    })
}

/// The run so far.
pub fn ruler(playground: Playground) -> String {
    let run = run(playground).unwrap_or_default();
    let span = |&(from, to): &(f64, f64)| {
        let (from, width) = (share_text(from), share_text(to - from));
        fill("<i class=\"ruler-refused\" style=\"left:{};width:{}\"></i>", &[&from, &width])
    };
    let spans: String = run.spans.iter().map(span).collect();
    let at = share_text(run.at);
    let start = if run.first.is_none() { "0 s" } else { "" };
    let (first_at, first) = run.first.unwrap_or_default();
    fill(
        "<div class=\"ruler\" aria-hidden=\"true\"><div class=\"ruler-line\"><i class=\"ruler-past\" style=\"width:{}\"></i>{!}\
         <i class=\"ruler-head\" style=\"left:{}\"></i></div><div class=\"ruler-words\"><span>{}</span>\
         <span class=\"ruler-first\" style=\"left:{}\">{}</span><span>{}</span></div></div>",
        &[
            &at,
            &spans,
            &at,
            start,
            &share_text(first_at),
            &first,
            &clock_text(SimTime::from_secs(run.end)).replace(".0 s", " s"),
        ],
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
