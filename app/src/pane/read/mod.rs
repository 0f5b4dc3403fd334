//! The read lens: ask, see what is read, kept, dropped and not reached, and where the cursor stands.
//!
//! [`figure`] works everything out from the question; the other files draw a part of it each.

mod actions;
mod ask_form;
mod ask_parts;
mod bars;
mod blame;
mod cursor;
mod facts;
mod figure;
mod foresee;
mod grip;
mod keys;
mod limit;
mod lines;
mod marks;
mod money;
mod placeholders;
mod plan;
mod request;
mod results;
mod strip;
mod tamper;
mod twin;
mod words;
mod xray;

pub use facts::{Facts, Mark};
pub use figure::{Fault, Figure};
pub use keys::{clipped, shared_prefix, value_text};
pub use marks::sign;
pub use money::docked_cost;
pub use request::request;
pub use tamper::tamper;
pub use twin::{Twin, text_twin};
pub use words::units_text;

use crate::playground::Playground;
use crate::ui::patch::{around, region, shown};
use dynascope_engine::diagnostic::Failure;
use leptos::prelude::*;
use std::sync::Arc;

/// The figure, and what is wrong with the question if something is.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The latest figure that could be worked out.
    pub figure: Option<Arc<Figure>>,
    /// Why the question as it stands has none of its own.
    pub fault: Option<Fault>,
}

impl PartialEq for Reading {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.figure, &other.figure) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            (None, None) => true,
            _ => false,
        };
        same && self.fault == other.fault
    }
}

/// What the read lens and the items beside it look at, in context.
#[derive(Clone, Copy)]
pub struct ReadView {
    /// Worked out anew whenever the question, its pages or the items change.
    pub reading: Memo<Reading>,
}

impl ReadView {
    /// Follows a playground.
    pub fn new(playground: Playground) -> Self {
        let reading = Memo::new(move |before: Option<&Reading>| {
            playground.version.track();
            playground.ask.track();
            let table = playground.table.get();
            let pages = playground.pages.get();
            match figure::look(playground, &pages) {
                Ok(figure) => Reading { figure: Some(Arc::new(figure)), fault: None },
                Err(fault) => {
                    let last = before.and_then(|before| before.figure.clone());
                    Reading { figure: last.filter(|figure| figure.schema.name == table), fault: Some(fault) }
                }
            }
        });
        Self { reading }
    }

    /// The one in context, or a new one.
    pub fn of(playground: Playground) -> Self {
        use_context::<Self>().unwrap_or_else(|| {
            let view = Self::new(playground);
            provide_context(view);
            view
        })
    }

    /// The figure, if there has ever been one.
    pub fn figure(self) -> Option<Arc<Figure>> {
        self.reading.with(|reading| reading.figure.clone())
    }

    /// Does the figure belong to an earlier state of the question?
    pub fn is_stale(self) -> bool {
        self.reading.with(|reading| reading.fault.is_some())
    }
}

/// Why the last page run was refused, if it was.
pub fn refusal(playground: Playground) -> Option<Failure> {
    playground.pages.with(|pages| pages.last().and_then(|page| page.outcome.result.as_ref().err().cloned()))
}

/// The lens.
pub fn read_lens(playground: Playground) -> AnyView {
    let view = ReadView::of(playground);
    let width = RwSignal::new(684);
    let detail = vec![results::results(view, width), cursor::cursor_panel(playground, view)];
    let result =
        vec![strip::read_window(playground, view, width), around("read-detail", "", "", detail), xray::xray(view)];
    let parts = vec![
        shown(|| "<h1 class=\"vh\">Read window</h1>".to_owned()),
        ask_form::ask_panel(view),
        region("read-result", "What was read", result),
    ];
    around("read", "", "", parts)
}
