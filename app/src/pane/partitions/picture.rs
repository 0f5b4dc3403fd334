//! The geometry of the partition figure: every bar as a share of one scale.

use super::landing::Landing;
use super::measure::arrange;
use super::pins::{Pin, pins};
use super::seen::{Seen, SeenPartition};
use super::statement::{unit_name, units};
use super::whole::{Whole, whole};
use crate::text::{count, counted};
use dynascope_engine::partition::PartitionId;

/// Up to so many partitions each have a column.
pub const COLUMNS_MAX: usize = 16;
/// Beyond, only so many do: the hottest.
pub const HOTTEST: usize = 6;
/// A bar lower than this share of the scale has its number above it.
pub const NUMBER_FITS: f64 = 0.12;
/// Items drawn one by one.
pub const DOTS_MAX: u64 = 32;

/// One bar on the hash line.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Which partition.
    pub id: PartitionId,
    /// Where it begins and how wide it is, as shares of the line.
    pub place: (f64, f64),
    /// Share of the scale taken, and refused above that.
    pub bars: (f64, f64),
    /// Its figure.
    pub number: String,
    /// Does the figure fit into its bar?
    pub number_inside: bool,
    /// `4,000`, if it refused any.
    pub refused: Option<String>,
    /// Items in it, to draw.
    pub dots: u64,
    /// Items in it; `None` if the table has none at all.
    pub items: Option<u64>,
    /// The same for screen readers.
    pub spoken: String,
    /// Does the looked-up key land here?
    pub probed: bool,
}

/// What the figure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Units a second against ceilings.
    Capacity,
    /// Where items lie.
    Items,
}

/// Where the ceiling's words stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// Over the line, at its end.
    Right,
    /// Over the line, at its beginning.
    Left,
    /// Beside the line.
    Beside,
}

/// Everything the figure draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Traffic or items?
    pub about: About,
    /// Bars, in ring order; the hottest if there are too many.
    pub columns: Vec<Column>,
    /// Partitions without a column, and what they took.
    pub others: Option<String>,
    /// The table.
    pub whole: Whole,
    /// The ceiling as a share of the scale.
    pub ceiling: f64,
    /// `1,000`.
    pub ceiling_text: String,
    /// Does one partition alone refuse, with room beside its block?
    pub lonely: bool,
    /// Where its words stand beside the ceiling.
    pub words: Words,
    /// The reason in AWS's words, if anything was refused.
    pub reason: Option<String>,
    /// Below the hash line.
    pub pins: Vec<Pin>,
}

/// Draws up the figure.
pub fn picture(seen: &Seen, probe: &[Landing]) -> Picture {
    let about = if seen.traffic.is_none() && seen.refused == 0 { About::Items } else { About::Capacity };
    let scale = scale(seen);
    let share = |value: f64| value / scale;
    let shown = shown_places(seen);
    let all = shown.len() == seen.partitions.len();
    let columns = shown.iter().enumerate().map(|(slot, &at)| {
        let place = if all {
            let (start, end) = seen.partitions[at].range;
            (start, end - start)
        } else {
            (slot as f64 / shown.len() as f64, 1.0 / shown.len() as f64)
        };
        column(seen, at, place, scale, probe)
    });
    let columns: Vec<Column> = columns.collect();
    Picture {
        about,
        lonely: is_lonely(&columns),
        words: words_at(&columns),
        columns,
        others: (!all).then(|| others(seen, &shown)),
        whole: whole(seen, scale),
        ceiling: share(seen.ceiling as f64),
        ceiling_text: count(seen.ceiling as u64),
        reason: seen.cause.map(dynascope_engine::capacity::Reason::name),
        pins: if all { pins(seen, probe) } else { Vec::new() },
    }
}

/// The tallest thing to be drawn, in units a second. What the traffic is about to ask counts too, so that the
/// scale does not move while a second fills.
pub fn scale(seen: &Seen) -> f64 {
    let asked = |partition: &SeenPartition| partition.taken.to_f64() + seen.refused_units(partition.refused);
    let expected = seen.expected();
    let partitions = seen.partitions.iter().map(asked).chain(expected);
    let whole = if seen.is_table_limit() { seen.refused_units(seen.refused) } else { 0.0 } + seen.taken.to_f64();
    let paid = seen.provisioned.or(seen.maximum).unwrap_or(0) as f64;
    partitions.fold(1.0, f64::max).max(whole).max(paid).max(seen.ceiling as f64 * 1.2)
}

fn heat(seen: &Seen, at: usize) -> u64 {
    let partition = &seen.partitions[at];
    units(partition.taken) + partition.refused
}

/// The partitions that are drawn, by place in ring order.
pub fn shown_places(seen: &Seen) -> Vec<usize> {
    let mut places: Vec<usize> = (0..seen.partitions.len()).collect();
    if places.len() > COLUMNS_MAX {
        let order = |at: usize| (heat(seen, at), seen.partitions[at].keys, seen.partitions[at].items);
        arrange(&mut places, |&a, &b| order(a) > order(b));
        places.truncate(HOTTEST);
        arrange(&mut places, |a, b| a < b);
    }
    places
}

fn others(seen: &Seen, shown: &[usize]) -> String {
    let rest = (0..seen.partitions.len()).filter(|at| !shown.contains(at));
    let (number, taken) =
        rest.fold((0, 0), |(number, taken), at| (number + 1, taken + units(seen.partitions[at].taken)));
    format!("the hottest six; {} others took {}", count(number), count(taken))
}

fn column(seen: &Seen, at: usize, place: (f64, f64), scale: f64, probe: &[Landing]) -> Column {
    let partition = &seen.partitions[at];
    let refused = if seen.is_table_limit() { 0 } else { partition.refused };
    let taken = partition.taken.to_f64() / scale;
    Column {
        id: partition.id,
        place,
        bars: (taken, seen.refused_units(refused) / scale),
        number: count(units(partition.taken)),
        number_inside: taken >= NUMBER_FITS,
        refused: (refused > 0).then(|| count(refused)),
        dots: partition.items.min(DOTS_MAX),
        items: (seen.items() > 0).then_some(partition.items),
        spoken: spoken(seen, partition),
        probed: probe.iter().any(|landing| landing.partition == at),
    }
}

/// Where there is no block of a refusal in the way of the ceiling's words.
fn words_at(columns: &[Column]) -> Words {
    let mut middles =
        columns.iter().filter(|column| column.refused.is_some()).map(|column| column.place.0 + column.place.1 / 2.0);
    if columns.iter().all(|column| column.place.0 + column.place.1 <= 0.5 || column.refused.is_none()) {
        Words::Right
    } else if middles.all(|middle| middle > 0.35) {
        Words::Left
    } else {
        Words::Beside
    }
}

/// One block refuses, and all others end below the words beside it.
fn is_lonely(columns: &[Column]) -> bool {
    const WORDS: f64 = 0.26;
    let top = |column: &Column| column.bars.0 + column.bars.1;
    let mut refusing = columns.iter().filter(|column| column.refused.is_some());
    match (refusing.next(), refusing.next()) {
        (Some(one), None) => columns.iter().all(|other| other.id == one.id || top(other) < top(one) - WORDS),
        _ => false,
    }
}

fn spoken(seen: &Seen, partition: &SeenPartition) -> String {
    let mut text = format!(
        "{}: {} of {} {} taken, {} refused, {}",
        partition.id,
        count(units(partition.taken)),
        count(seen.ceiling as u64),
        unit_name(seen.side),
        count(partition.refused),
        counted(partition.items, "item", "items"),
    );
    if let Some(key) = &partition.hottest {
        text.push_str(", hottest key ");
        text.push_str(key);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::seen::tests::queue_after;
    use super::*;

    #[test]
    fn the_paradox_is_the_picture() {
        let picture = picture(&queue_after(3_000, None, false), &[]);
        assert_eq!(picture.columns[0].bars, (0.2, 0.8));
        assert!((picture.columns[0].bars.0 - picture.whole.bars.0).abs() < 1e-9, "same height, 100 % and 30 %");
        assert_eq!(picture.whole.rest, "2,333 unused");
        assert_eq!(picture.pins[0].label, "PENDING");
    }

    #[test]
    fn the_scale_stands_still_while_the_first_second_fills() {
        let before = picture(&queue_after(0, None, true), &[]).ceiling;
        assert!((before - picture(&queue_after(300, None, true), &[]).ceiling).abs() < 1e-9);
    }
}
