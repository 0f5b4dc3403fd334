//! Units taken and refused in each second, against what is paid for.

use super::{Block, Look, hatch};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// One second: units taken, and units that were refused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bar {
    /// Taken.
    pub taken: f64,
    /// Refused.
    pub refused: f64,
}

/// A stretch of seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seconds {
    /// The first second.
    pub first: u64,
    /// One after the other.
    pub bars: Vec<Bar>,
    /// Seconds that the axis has room for.
    pub room: usize,
    /// Top of the scale.
    pub top: f64,
    /// The dashed line.
    pub paid: Option<f64>,
}

type Plot<'a, DB> = ChartContext<'a, DB, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Draws them.
///
/// # Errors
/// What the backend could not draw.
pub fn draw<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    data: &Seconds,
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let mut plot = ChartBuilder::on(area).build_cartesian_2d(0.0..data.room as f64, 0.0..data.top.max(1.0))?;
    let runs = runs(&data.bars);
    plot.draw_series(
        runs.iter()
            .filter(|(_, bar)| bar.taken > 0.0)
            .map(|(span, bar)| Rectangle::new([(span.0, 0.0), (span.1, bar.taken)], look.palette.kept.filled())),
    )?;
    for (span, bar) in runs.iter().filter(|(_, bar)| bar.refused > 0.0) {
        refused(area, &plot, *span, (bar.taken, bar.taken + bar.refused), look)?;
    }
    let ink = ShapeStyle { color: look.palette.ink.to_rgba(), filled: false, stroke_width: look.px(1.2) };
    if let Some(paid) = data.paid {
        let (left, y) = plot.backend_coord(&(0.0, paid));
        let (right, _) = plot.backend_coord(&(data.room as f64, paid));
        let (dash, gap) = (look.px(5.0) as usize, look.px(4.0) as usize);
        for x in (left..right).step_by(dash + gap) {
            area.draw(&PathElement::new([(x, y), ((x + dash as i32).min(right), y)], ink))?;
        }
    }
    let line = ShapeStyle { color: look.palette.line.to_rgba(), filled: false, stroke_width: look.px(1.0) };
    plot.draw_series([PathElement::new([(0.0, 0.0), (data.room as f64, 0.0)], line)])?;
    area.present()
}

/// Neighbouring seconds with the same figures are one shape: `((from, to), bar)`.
fn runs(bars: &[Bar]) -> Vec<((f64, f64), Bar)> {
    let mut runs: Vec<((f64, f64), Bar)> = Vec::new();
    for (at, bar) in bars.iter().enumerate() {
        match runs.last_mut() {
            Some((span, last)) if last == bar => span.1 = (at + 1) as f64,
            _ => runs.push(((at as f64, (at + 1) as f64), *bar)),
        }
    }
    runs
}

/// An outlined, hatched block.
fn refused<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    plot: &Plot<'_, DB>,
    span: (f64, f64),
    heights: (f64, f64),
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let (left, bottom) = plot.backend_coord(&(span.0, heights.0));
    let (right, top) = plot.backend_coord(&(span.1, heights.1));
    hatch(area, Block { left, top, right, bottom }, 6.0, look)?;
    let edge = ShapeStyle { color: look.palette.refused.to_rgba(), filled: false, stroke_width: look.px(1.2) };
    area.draw(&PathElement::new([(left, bottom), (left, top), (right, top), (right, bottom)], edge))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_seconds_are_one_shape() {
        let bar = |taken| Bar { taken, refused: 0.0 };
        let runs = runs(&[bar(2.0), bar(1.0), bar(1.0)]);
        assert_eq!(runs, [((0.0, 1.0), bar(2.0)), ((1.0, 3.0), bar(1.0))]);
    }
}
