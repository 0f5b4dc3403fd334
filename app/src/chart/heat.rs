//! One row a partition, one cell a second: bright is near the partition's own ceiling, striped is over it.
//!
//! Brightness is a share of the ceiling and not of what is in view, so that a calm table looks calm.

use super::{Block, Look, hatch};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Steps of brightness.
pub const LEVELS: u8 = 5;

/// One second of one partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Share of the ceiling, in steps.
    pub level: u8,
    /// Did it refuse any?
    pub refused: bool,
}

impl Cell {
    /// The cell of so much out of so much; a little is never nothing.
    pub fn new(taken: f64, ceiling: f64, refused: bool) -> Self {
        let level = (taken / ceiling.max(1.0) * f64::from(LEVELS)).ceil().clamp(0.0, f64::from(LEVELS));
        Self { level: level as u8, refused }
    }
}

/// Rows of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heat {
    /// From top to bottom.
    pub rows: Vec<Vec<Cell>>,
    /// Seconds that the axis has room for.
    pub room: usize,
}

/// Draws them.
///
/// # Errors
/// What the backend could not draw.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    data: &Heat,
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let (width, height) = area.dim_in_pixel();
    let rows = data.rows.len().max(1) as f64;
    let gap = look.px(2.0) as i32;
    let x = |second: usize| (f64::from(width) * second as f64 / data.room.max(1) as f64).round() as i32;
    let y = |row: usize| (f64::from(height) * row as f64 / rows).round() as i32;
    for (row, cells) in data.rows.iter().enumerate() {
        let (top, bottom) = (y(row), y(row + 1) - gap);
        let blank = Block { left: 0, top, right: width as i32, bottom };
        fill(area, blank, shade(look, 0))?;
        for (from, to, cell) in runs(cells) {
            let block = Block { left: x(from), top, right: x(to), bottom };
            fill(area, block, shade(look, cell.level))?;
            if cell.refused {
                let band = Block { bottom: top + (bottom - top) * 2 / 5, ..block };
                fill(area, band, shade(look, 0))?;
                hatch(area, band, 4.0, look)?;
            }
        }
    }
    area.present()
}

fn fill<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    block: Block,
    colour: RGBColor,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    area.draw(&Rectangle::new([(block.left, block.top), (block.right, block.bottom)], colour.filled()))
}

/// A step between the two ends of the heat scale.
fn shade(look: &Look, level: u8) -> RGBColor {
    let (cold, hot) = look.palette.heat;
    let share = f64::from(level) / f64::from(LEVELS);
    let mix = |cold: u8, hot: u8| (f64::from(cold) + (f64::from(hot) - f64::from(cold)) * share).round() as u8;
    RGBColor(mix(cold.0, hot.0), mix(cold.1, hot.1), mix(cold.2, hot.2))
}

/// Neighbouring equal cells are one block.
fn runs(cells: &[Cell]) -> Vec<(usize, usize, Cell)> {
    let mut runs: Vec<(usize, usize, Cell)> = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        match runs.last_mut() {
            Some((_, to, last)) if last == cell => *to = at + 1,
            _ => runs.push((at, at + 1, *cell)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_is_not_nothing_and_a_full_bucket_is_not_more_than_all() {
        assert_eq!(Cell::new(1.0, 1000.0, false).level, 1);
        assert_eq!(Cell::new(2000.0, 1000.0, true).level, LEVELS);
        assert_eq!(Cell::new(0.0, 0.0, false).level, 0);
        assert_eq!(runs(&[Cell::default(), Cell::default()]), [(0, 2, Cell::default())]);
    }
}
