//! The saved burst as a tank: how full, of how much, and whether it is drawn upon. With even shares, one for each
//! partition.

use crate::pane::partitions::{share_text, unit_name, units};
use crate::playground::Playground;
use crate::text::{count, counted, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::capacity::Side;
use dynascope_engine::session::{BurstLevel, Saved};
use dynascope_engine::time::SimTime;

/// Partitions whose own tanks are drawn.
const SHARES: usize = 16;

/// The part of the column; empty on demand, where nothing is saved.
pub fn tank(playground: Playground, side: Side) -> String {
    let table = playground.table.get();
    let Some(level) = playground.with(|session| session.burst(&table, None, side)) else { return String::new() };
    let state = if level.is_full() {
        "full"
    } else if level.gain.0 < 0 {
        "falling"
    } else {
        "filling"
    };
    let drawn = if level.shares.is_empty() {
        fill("<span class=\"tank\" data-state=\"{}\" aria-hidden=\"true\">{!}</span>", &[state, &vessel(level.whole)])
    } else {
        let vessels: String = level.shares.iter().take(SHARES).map(|(_, share)| vessel(*share)).collect();
        fill("<span class=\"tank tank-shares\" data-state=\"{}\" aria-hidden=\"true\">{!}</span>", &[state, &vessels])
    };
    fill(
        "<section class=\"details-part\" aria-label=\"Saved burst\"><h2>Saved burst <span class=\"quiet\">{}</span></h2>\
         <div class=\"tank-row\">{!}<div><p class=\"tank-figure\"><b>{}</b> of {} s</p><p class=\"quiet\">{} of {} units</p>\
         <p>{}</p></div></div>{!}<p class=\"note\">{} No partition may use it above its ceiling.</p></section>",
        &[
            unit_name(side),
            &drawn,
            &count(level.seconds),
            &count(level.most_seconds),
            &count(units(level.whole.level)),
            &count(units(level.whole.cap)),
            &goes(&level),
            &shares(&level),
            if level.shares.is_empty() {
                "What the table pays for and does not use is kept."
            } else {
                "Shares are even: each partition keeps its own, and none can lend."
            },
        ],
    )
}

fn vessel(saved: Saved) -> String {
    let height = share_text(saved.per_mille() as f64 / 1000.0);
    fill("<span class=\"tank-vessel\"><i style=\"height:{}\"></i></span>", &[&height])
}

/// Whether it grows or falls, and for how long.
fn goes(level: &BurstLevel) -> String {
    let gain = units(dynascope_engine::capacity::HalfUnits(level.gain.0.abs()));
    match level.seconds_left() {
        Some(0) => format!("Empty: {} a second more are taken than paid for.", count(gain)),
        Some(left) => {
            let left = short_clock_text(SimTime::from_secs(left));
            format!("Falls by {} a second: empty in {left}.", count(gain))
        }
        None if level.is_full() => "Full: nothing more is saved.".to_owned(),
        None if gain == 0 => "Stands still.".to_owned(),
        None => format!("Grows by {} a second.", count(gain)),
    }
}

/// Each partition's own, in words: what the small tanks show.
fn shares(level: &BurstLevel) -> String {
    if level.shares.is_empty() {
        return String::new();
    }
    let words: Vec<String> = level
        .shares
        .iter()
        .take(SHARES)
        .map(|(id, share)| format!("{id} {} of {}", count(units(share.level)), count(units(share.cap))))
        .collect();
    let rest = level.shares.len().saturating_sub(SHARES) as u64;
    let rest = if rest > 0 { format!(" and {}", counted(rest, "other", "others")) } else { String::new() };
    fill("<p class=\"quiet\">{}{}</p>", &[&words.join(", "), &rest])
}
