//! Drawing functions, generic over the backend of plotters, so that a canvas shows what a file could keep.
//!
//! A drawing function gets a drawing area, data and a [`Palette`]; [`canvas`] finds size, pixel ratio and colours
//! of an element of the page. Words stay in HTML, where they can be read, selected and enlarged.

pub mod canvas;
pub mod heat;
pub mod seconds;

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::{DrawingArea, DrawingBackend, PathElement};
use plotters::style::{Color, RGBColor, ShapeStyle};

/// The colours of a chart, read from the style sheet's tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Axes and ceilings.
    pub ink: RGBColor,
    /// Scale lines.
    pub line: RGBColor,
    /// Taken.
    pub kept: RGBColor,
    /// Refused.
    pub refused: RGBColor,
    /// Heat: of nothing, and of the whole ceiling.
    pub heat: (RGBColor, RGBColor),
}

/// A drawing's own measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Its colours.
    pub palette: Palette,
    /// Device pixels in a pixel of the style sheet.
    pub ratio: f64,
}

impl Look {
    /// A length of the style sheet in device pixels.
    pub fn px(&self, length: f64) -> u32 {
        (length * self.ratio).round().max(1.0) as u32
    }
}

/// A rectangle in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

/// Hatches a block: refused, for those who see no red too. The stripes of neighbouring blocks meet.
fn hatch<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    block: Block,
    step: f64,
    look: &Look,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    let Block { left, top, right, bottom } = block;
    let style = ShapeStyle { color: look.palette.refused.to_rgba(), filled: false, stroke_width: look.px(1.0) };
    let step = look.px(step) as i32;
    // On each stripe x + y is the same; it enters at the left or the bottom and leaves at the right or the top.
    let first = (left + top).div_euclid(step) * step;
    for sum in (first..=right + bottom).step_by(step as usize) {
        let (from, to) = (left.max(sum - bottom), right.min(sum - top));
        if from < to {
            area.draw(&PathElement::new([(from, sum - from), (to, sum - to)], style))?;
        }
    }
    Ok(())
}
