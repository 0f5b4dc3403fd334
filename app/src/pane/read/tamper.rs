//! A cursor of one's own, sent to see what the service says.

use super::ReadView;
use super::cursor::{cursor_of, json_text};
use crate::editor::{Entry, Field, Heard, Keystroke, Language, complaint};
use crate::playground::{PageRun, Playground};
use crate::ui::html::Html;
use crate::ui::patch::{Deed, disabled, drawn, fill};
use leptos::prelude::*;
use serde_json::Value as Json;
use std::sync::Arc;

const FIELD: Field =
    Field { label: "Cursor as JSON", hint: "{\"PK\": {\"S\": \"…\"}}", language: Language::Json, most: 100_000 };

/// A cursor that is being forged, and what came of it.
#[derive(Clone, Copy)]
struct Forgery {
    playground: Playground,
    entry: Entry,
    draft: RwSignal<String>,
    answer: RwSignal<String>,
}

/// The form.
pub fn tamper(playground: Playground) -> AnyView {
    let view = ReadView::of(playground);
    let cursor = view.reading.with_untracked(|reading| reading.figure.as_deref().and_then(cursor_of));
    let forgery = Forgery {
        playground,
        entry: Entry::new(FIELD),
        draft: RwSignal::new(cursor.as_ref().map(json_text).unwrap_or_default()),
        answer: RwSignal::new(String::new()),
    };
    let show = move |block: &_| forgery.draft.with(|draft| forgery.entry.show(block, draft));
    drawn(move || forgery.html(), move |deed| forgery.act(deed), show)
}

impl Forgery {
    fn parsed(self) -> Result<Json, serde_json::Error> {
        self.draft.with(|draft| serde_json::from_str(draft))
    }

    fn html(self) -> String {
        let fault = self.parsed().err();
        let broken = fault.as_ref().map(|fault| fill("<p class=\"field-wrong\">{}</p>", &[&fault.to_string()]));
        fill(
            "<div class=\"cursor-tamper\">{!}<div class=\"live\">{!}</div><button type=\"button\" class=\"say\" data-do=\"send\"\
             {!}>Send it as ExclusiveStartKey</button><div role=\"status\">{!}</div></div>",
            &[
                &self.draft.with(|draft| self.entry.html(draft, &[])),
                &broken.unwrap_or_default(),
                disabled(fault.is_some()),
                &self.answer.get(),
            ],
        )
    }

    fn act(self, deed: &Deed) {
        match self.entry.hear(deed, &move || self.draft.get()) {
            Some(Heard::Typed(text)) => self.draft.set(text),
            Some(Heard::Key(Keystroke::Run)) => self.send(),
            Some(Heard::Key(Keystroke::Fix)) => {}
            None if deed.is() == ("click", "send") => self.send(),
            None => {}
        }
    }

    fn send(self) {
        if let Ok(cursor) = untrack(|| self.parsed()) {
            self.answer.set(send(self.playground, &cursor).unwrap_or_default());
        }
    }
}

/// Sends it, and says what came of it.
fn send(playground: Playground, cursor: &Json) -> Option<String> {
    let ask = playground.ask.get_untracked();
    let request = ask.request(&playground.schema()?, Some(cursor)).ok()?;
    let operation = ask.operation();
    let outcome = playground.send_read(operation, &request);
    let mut html = Html::new();
    match &outcome.result {
        Ok(response) => {
            let (shown, read) = response.counts.unwrap_or_default();
            let text = format!(
                "Taken as it is: {read} read, {shown} shown. DynamoDB signs nothing; a cursor handed to strangers should be."
            );
            html.element("p", "cursor-said", &text);
            playground.pages.update(|pages| pages.push(Arc::new(PageRun { request, operation, outcome })));
        }
        Err(failure) => complaint(&mut html, failure, false),
    }
    Some(html.finish())
}
