//! What partitions did by themselves, newest first, and why one did not.

use crate::playground::Playground;
use crate::text::{clock_text, percent, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::partition::{Helpless, SplitCause, SplitNote, SplitOutcome};
use dynascope_engine::time::SimTime;

/// Lines that are shown.
const LINES: usize = 5;

/// The part of the column; empty as long as nothing happened.
pub fn splits(playground: Playground) -> String {
    let table = playground.table.get();
    let index = playground.index.get();
    let (notes, rule) = playground.with(|session| {
        let physics = session.physics();
        let seconds = |seconds| short_clock_text(SimTime::from_secs(seconds));
        let rule = format!(
            "When AWS splits is not public; here once the last {} took {} of what they could at the ceiling, and it takes {}.",
            seconds(physics.heat_window_seconds),
            percent(physics.heat_per_mille),
            seconds(physics.split_seconds),
        );
        (session.splits(&table, index.as_deref()), rule)
    });
    let rows: String = notes.iter().rev().take(LINES).map(split).collect();
    if rows.is_empty() {
        return String::new();
    }
    fill(
        "<section class=\"details-part\"><h2>Splits</h2><ol class=\"log log-splits\">{!}</ol>\
         <p class=\"note\">Partitions are split and never merged. {}</p></section>",
        &[&rows, &rule],
    )
}

fn split(note: &SplitNote) -> String {
    let cause = match note.cause {
        SplitCause::Heat => "for heat",
        SplitCause::Size => "for size",
        SplitCause::Growth => "for more throughput",
    };
    let (outcome, why) = match note.outcome {
        SplitOutcome::Planned(at) => (format!("will be split at {}", clock_text(at)), ""),
        SplitOutcome::Done(low, high) => (format!("became {low} and {high}"), ""),
        SplitOutcome::Refused(Helpless::OneHotItem) => {
            ("is not split".to_owned(), ": nearly all of it is one item, which has no middle")
        }
        SplitOutcome::Refused(Helpless::EverIncreasingSortKey) => {
            ("is not split".to_owned(), ": the sort key only grows, so the upper half would be as hot")
        }
        SplitOutcome::Refused(Helpless::LocalIndex) => {
            ("is not split".to_owned(), ": with a local index an item collection stays together")
        }
    };
    fill(
        "<li><span>{}</span><span>{} {}, {}{}</span></li>",
        &[&clock_text(note.at), &note.partition.to_string(), &outcome, cause, why],
    )
}
