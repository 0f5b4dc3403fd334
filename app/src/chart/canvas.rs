//! A canvas of the page as a drawing area: sized to its element and the device's pixels, in the theme's colours.
//!
//! The style sheet gives each canvas its colours as `color`, `border-*-color` and `outline-color`, since custom
//! properties are not computed to colours.

use super::{Look, Palette};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::style::RGBColor;
use plotters_canvas::CanvasBackend;
use web_sys::{CssStyleDeclaration, HtmlCanvasElement};

/// Clears a canvas and draws on it; nothing if it has no size yet or cannot be drawn on.
pub fn redraw(canvas: &HtmlCanvasElement, draw: impl FnOnce(&DrawingArea<CanvasBackend, Shift>, &Look)) {
    let Some(window) = web_sys::window() else { return };
    let Ok(Some(style)) = window.get_computed_style(canvas) else { return };
    let ratio = window.device_pixel_ratio().clamp(1.0, 4.0);
    let size = |length: i32| (f64::from(length) * ratio).round() as u32;
    let (width, height) = (size(canvas.client_width()), size(canvas.client_height()));
    if width == 0 || height == 0 {
        return;
    }
    // Setting the size clears the canvas, even to the same size.
    canvas.set_width(width);
    canvas.set_height(height);
    let palette = Palette {
        ink: colour(&style, "color"),
        line: colour(&style, "outline-color"),
        kept: colour(&style, "border-top-color"),
        refused: colour(&style, "border-bottom-color"),
        heat: (colour(&style, "border-left-color"), colour(&style, "border-right-color")),
    };
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return };
    draw(&backend.into_drawing_area(), &Look { palette, ratio });
}

/// `rgb(11, 107, 87)`, as browsers compute it.
fn colour(style: &CssStyleDeclaration, property: &str) -> RGBColor {
    let text = style.get_property_value(property).unwrap_or_default();
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|number| number.parse().ok());
    let mut next = || numbers.next().unwrap_or_default();
    RGBColor(next(), next(), next())
}
