//! The five signs. Shape first, colour second.

use super::Mark;
use crate::ui::live::part;
use leptos::prelude::*;

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
pub fn shape(mark: Mark, x: f64, y: f64, radius: f64) -> impl IntoView {
    let barred = matches!(mark, Mark::Filtered | Mark::SoonFiltered);
    view! {
        <g class=mark.class()>
            <circle cx=x cy=y r=radius />
            {barred.then(|| view! { <line x1=x - radius y1=y x2=x + radius y2=y /> })}
        </g>
    }
}

/// A sign in a line of text; the words beside it say the same.
#[component]
pub fn MarkSign(#[prop(into)] mark: Signal<Mark>) -> impl IntoView {
    view! {
        <svg class="sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            {part(move || shape(mark.get(), 8.0, 8.0, 6.0))}
        </svg>
    }
}
