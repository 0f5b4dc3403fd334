//! The five signs. Shape first, colour second.

use super::Mark;
use crate::ui::html::Html;

impl Mark {
    /// The class that gives it its colour.
    pub const fn class(self) -> &'static str {
        match self {
            Self::Kept => "mark mark-kept",
            Self::Filtered => "mark mark-filtered",
            Self::SoonKept => "mark mark-kept mark-soon",
            Self::SoonFiltered => "mark mark-filtered mark-soon",
            Self::Unread => "mark mark-unread",
        }
    }

    /// In words.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Kept => "shown",
            Self::Filtered => "read, dropped",
            Self::SoonKept => "would be shown",
            Self::SoonFiltered => "would be read and dropped",
            Self::Unread => "not reached",
        }
    }
}

/// A sign inside a drawing.
pub fn shape(html: &mut Html, mark: Mark, x: f64, y: f64, radius: f64) {
    html.open("g", mark.class()).raw("<circle").at("cx", x).at("cy", y).at("r", radius).raw("></circle>");
    if matches!(mark, Mark::Filtered | Mark::SoonFiltered) {
        html.raw("<line").at("x1", x - radius).at("y1", y).at("x2", x + radius).at("y2", y).raw("></line>");
    }
    html.close("g");
}

/// A sign in a line of text; the words beside it say the same.
pub fn sign(html: &mut Html, mark: Mark) {
    html.raw("<svg class=\"sign\" viewBox=\"0 0 16 16\" width=\"16\" height=\"16\" aria-hidden=\"true\">");
    shape(html, mark, 8.0, 8.0, 6.0);
    html.close("svg");
}

/// A sign as markup of its own.
pub fn signed(mark: Mark) -> String {
    let mut html = Html::new();
    sign(&mut html, mark);
    html.finish()
}
