//! The whole table's bar, beside the partitions and on their scale.

use super::picture::NUMBER_FITS;
use super::seen::Seen;
use super::statement::units;
use crate::text::{count, percent};

/// The whole table, on the same scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Whole {
    /// Share of the scale taken, and refused by the table's own limit above that.
    pub bars: (f64, f64),
    /// Share of the scale paid for.
    pub paid: Option<f64>,
    /// `30 %`, or the units on demand.
    pub number: String,
    /// Does it fit into its bar?
    pub number_inside: bool,
    /// Is the line so near to it that number and line would cover each other?
    pub tight: bool,
    /// `3,333 paid for`.
    pub paid_text: String,
    /// `2,333 unused`, `on saved burst`.
    pub rest: String,
    /// `1,500`, if the table's own limit refused any.
    pub refused: Option<String>,
}

/// Draws up the table's bar.
pub fn whole(seen: &Seen, scale: f64) -> Whole {
    let taken = units(seen.taken);
    let refused = if seen.is_table_limit() { seen.refused } else { 0 };
    let limit = seen.provisioned.or(seen.maximum).map(|units| units.max(0) as u64);
    let height = seen.taken.to_f64() / scale;
    let is_inside = height >= NUMBER_FITS;
    let paid = limit.map(|units| units as f64 / scale);
    let tight = !is_inside && paid.is_none_or(|paid| paid < height + 3.0 * NUMBER_FITS);
    let is_narrow = paid.is_some_and(|paid| paid > height && paid < height + NUMBER_FITS);
    let number = match seen.used_per_mille() {
        Some(share) => percent(share),
        None => count(taken),
    };
    Whole {
        bars: (height, seen.refused_units(refused) / scale),
        paid,
        number,
        number_inside: is_inside,
        tight,
        paid_text: match (limit, seen.provisioned.is_some()) {
            (Some(limit), true) => format!("{} paid for", count(limit)),
            (Some(limit), false) => format!("{} at most", count(limit)),
            (None, _) => "on demand: no line".to_owned(),
        },
        rest: match limit {
            // The stripes stand there.
            _ if refused > 0 => String::new(),
            // The number stands there.
            _ if tight || is_narrow => String::new(),
            Some(limit) if limit > taken => format!("{} unused", count(limit - taken)),
            Some(limit) if taken > limit => "on saved burst".to_owned(),
            _ => String::new(),
        },
        refused: (refused > 0).then(|| count(refused)),
    }
}
