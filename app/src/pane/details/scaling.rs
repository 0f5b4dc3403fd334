//! What auto scaling decided, newest first, and why it did not.

use crate::playground::Playground;
use crate::text::{clock_text, count};
use crate::ui::patch::fill;
use dynascope_engine::background::{ScalingCause, ScalingNote, ScalingOutcome};
use dynascope_engine::capacity::Side;

/// Lines that are shown.
const LINES: usize = 5;

/// The part of the column; empty where nothing scales by itself.
pub fn scaling(playground: Playground) -> String {
    let (table, index) = (playground.table.get(), playground.index.get());
    let known = playground.with(|session| {
        let notes = session.scaling(&table, index.as_deref())?;
        Some((notes, session.physics().auto_scaling_seconds))
    });
    let Some((notes, seconds)) = known else { return String::new() };
    let mut rows: String = notes.iter().rev().take(LINES).map(row).collect();
    if rows.is_empty() {
        rows.push_str("<li><span></span><span>Nothing yet: it takes two whole minutes above the target.</span></li>");
    }
    fill(
        "<section class=\"details-part\" aria-label=\"Auto scaling\"><h2>Auto scaling</h2><ol class=\"log log-splits\">{!}</ol>\
         <p class=\"note\">It looks at whole minutes: two above the target and it asks for more, fifteen far below and it asks \
         for less. What it asks for is there {} s later.</p></section>",
        &[&rows, &count(seconds)],
    )
}

fn row(note: &ScalingNote) -> String {
    let what = if note.side == Side::Read { "read units" } else { "write units" };
    let units = |units: i64| count(units.max(0) as u64);
    // Half units of a minute ÷ 120.
    let mean = count(((note.minute.0 + 60) / 120).max(0) as u64);
    let why = match note.cause {
        ScalingCause::High => format!("two minutes above the target, {mean} a second in the last"),
        ScalingCause::Low => format!("fifteen low minutes, {mean} a second in the busiest"),
        ScalingCause::OutOfBounds => "what is provisioned is out of its bounds".to_owned(),
    };
    let told = match note.outcome {
        ScalingOutcome::Planned(at) => {
            format!("{} → {} {what}, from {} on: {why}", units(note.from), units(note.to), clock_text(at))
        }
        ScalingOutcome::Done => format!("{} {what} are there, {} before", units(note.to), units(note.from)),
        ScalingOutcome::Dropped => "not changed: the table is on demand by now".to_owned(),
        ScalingOutcome::AtMaximum => format!("stays at its maximum of {} {what}: {why}", units(note.from)),
        ScalingOutcome::NoDecreaseLeft => format!("stays at {} {what}: no decrease is left today", units(note.from)),
    };
    fill("<li><span>{}</span><span>{}</span></li>", &[&clock_text(note.at), &told])
}
