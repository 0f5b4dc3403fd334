//! The way from the table to an index: what has been written and has not arrived yet.

use super::measure::share_text;
use crate::playground::Playground;
use crate::text::{count, counted};
use crate::ui::patch::fill;
use dynascope_engine::partition::OnTheWay;
use dynascope_engine::time::SimTime;

/// Parts that the way is drawn in; the changes in one are drawn as one.
const PARTS: usize = 24;

/// The way to the index in focus; nothing for the table itself.
pub fn queue(playground: Playground) -> String {
    let Some(index) = playground.index.get() else { return String::new() };
    let table = playground.table.get();
    let seen = playground.telemetry.with(|telemetry| telemetry.as_ref().map(|seen| (seen.now, seen.on_the_way)));
    let Some((now, Some(on_the_way))) = seen else { return String::new() };
    let (lag, parts) =
        playground.with(|session| (session.physics().index_lag_ms, session.on_the_way_in_parts(&table, &index, PARTS)));
    let most = parts.iter().copied().max().unwrap_or(0).max(1);
    let marks: String = parts
        .iter()
        .enumerate()
        .filter(|(_, changes)| **changes > 0)
        .map(|(at, changes)| {
            // What arrives soonest is nearest to the index.
            let place = 1.0 - (at as f64 + 0.5) / PARTS as f64;
            let height = 0.2 + 0.8 * (*changes as f64 / most as f64);
            fill("<i style=\"--at:{};--of:{}\"></i>", &[&share_text(place), &share_text(height)])
        })
        .collect();
    fill(
        "<section class=\"queue\" aria-label=\"On the way to the index\"><p class=\"queue-words\">{}</p>\
         <div class=\"queue-way\" aria-hidden=\"true\"><span>table</span><div class=\"queue-line\">{!}</div><span>index</span></div>\
         <p class=\"note\">{}</p></section>",
        &[&told(lag, &on_the_way, now), &marks, COST],
    )
}

const COST: &str = "An entry’s write units are taken when the item is written. What the index cannot pay is refused at once: \
    no change waits for capacity, only for its arrival.";

/// The same in words.
fn told(lag_ms: u64, on_the_way: &OnTheWay, now: SimTime) -> String {
    let takes = format!("{} s", seconds(lag_ms * 1000));
    match (lag_ms, on_the_way.changes, on_the_way.next) {
        (0, ..) => {
            "Entries arrive at once here. AWS says “within a fraction of a second”; the model has a setting for it."
                .to_owned()
        }
        (_, 0, _) => format!("Nothing is on its way. An entry takes {takes} from the table to the index."),
        (_, changes, next) => {
            let soon = next.map_or(0, |next| next.since(now));
            format!(
                "{} on the way, the next in {} s. Each takes {takes} from the table to the index; until then the index tells what was.",
                if changes < 1000 {
                    counted(changes, "change is", "changes are")
                } else {
                    format!("{} changes are", count(changes))
                },
                seconds(soon),
            )
        }
    }
}

/// Tenths and hundredths where they matter.
fn seconds(micros: u64) -> String {
    let hundredths = micros.div_ceil(10_000);
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) if rest % 10 == 0 => format!("{whole}.{}", rest / 10),
        (whole, rest) => format!("{whole}.{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_in_words() {
        let now = SimTime::from_millis(1_250);
        let some = OnTheWay { changes: 3, next: Some(SimTime::from_millis(1_600)), last: None };
        assert_eq!(
            told(800, &some, now),
            "3 changes are on the way, the next in 0.35 s. Each takes 0.8 s from the table to the index; until then the index tells what was."
        );
        assert!(told(800, &OnTheWay::default(), now).starts_with("Nothing is on its way. An entry takes 0.8 s"));
        assert!(told(0, &OnTheWay::default(), now).starts_with("Entries arrive at once"));
        assert_eq!((seconds(2_000_000), seconds(50_000), seconds(1)), ("2".into(), "0.05".into(), "0.01".into()));
    }
}
