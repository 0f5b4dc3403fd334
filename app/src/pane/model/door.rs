//! The way to the model: a line beside figures, which says in words whether they are scaled.

use super::figures::{Figure, figures};
use crate::chunk::{self, then};
use crate::pane::partitions::seen;
use crate::playground::Playground;
use crate::text::counted;
use crate::ui::live::part;
use crate::ui::patch::{Deed, fill, live};
use crate::ui::sheet;
use dynascope_engine::capacity::{Preset, Side};
use leptos::prelude::*;

/// The model's own rules.
const STYLE: &str = include_str!("../../../style/model.css");

/// How often the dialog was asked for.
pub type Asked = RwSignal<u32>;

type Dialog = fn(Playground, Asked) -> AnyView;

/// Fetches and opens the dialog.
#[derive(Clone, Copy)]
pub struct Door {
    playground: Playground,
    asked: Asked,
    fetched: RwSignal<Option<Dialog>>,
}

impl Door {
    /// Closed.
    pub fn new(playground: Playground) -> Self {
        Self { playground, asked: RwSignal::new(0), fetched: RwSignal::new(None) }
    }

    /// Opens for a control named `model`.
    pub fn act(self, deed: &Deed) {
        if deed.is() != ("click", "model") {
            return;
        }
        let open = move || self.asked.update(|asked| *asked += 1);
        if self.fetched.with_untracked(Option::is_some) {
            open();
        } else {
            then(self.playground, chunk::model_dialog(), move |dialog| {
                open();
                self.fetched.set(Some(dialog));
            });
        }
    }

    /// The dialog's place.
    pub fn dialog(self) -> AnyView {
        part(move || match self.fetched.get() {
            Some(dialog) => dialog(self.playground, self.asked),
            None => ().into_any(),
        })
        .into_any()
    }
}

/// The line beneath the picture.
pub fn door_line(playground: Playground) -> AnyView {
    let door = Door::new(playground);
    let line = live(move || line(playground), move |deed| door.act(deed));
    sheet::wear("model", STYLE);
    vec![line, door.dialog()].into_any()
}

fn line(playground: Playground) -> String {
    playground.version.track();
    let side = untrack(|| seen(playground)).map_or(Side::Write, |seen| seen.side);
    let said = playground.with(|session| {
        let (preset, own) = (session.scenario().physics, !session.scenario().constants.is_empty());
        let scaled: Vec<Figure> = figures(session.scenario()).into_iter().filter(Figure::is_scaled).collect();
        scaled_text(preset, own, &scaled, side)
    });
    fill(
        "<p class=\"model-line\" data-scaled=\"{}\">{} <button type=\"button\" class=\"say\" data-do=\"model\">Model</button></p>",
        &[
            if said.is_some() { "true" } else { "false" },
            said.as_deref().unwrap_or("A teaching model, with AWS’s figures."),
        ],
    )
}

/// What is scaled: the ceiling in view if it is, else the first figure that is.
fn scaled_text(preset: Preset, own: bool, scaled: &[Figure], side: Side) -> Option<String> {
    let ceiling = match side {
        Side::Read => "partition_read_units",
        Side::Write => "partition_write_units",
    };
    let first = scaled.iter().find(|figure| figure.constant.name == ceiling).or_else(|| scaled.first())?;
    let whose = match (preset, own) {
        (Preset::Classroom, false) => "Classroom figures",
        (Preset::Classroom, true) => "Classroom figures and some of your own",
        (Preset::Aws, _) => "figures of your own",
    };
    let others = scaled.len() as u64 - 1;
    let others = if others > 0 { format!(" So are {}.", counted(others, "other", "others")) } else { String::new() };
    Some(format!(
        "Scaled: {whose}. {}: {} here, AWS {}.{others}",
        first.constant.title,
        first.value_text(),
        first.aws_text()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynascope_engine::scenario::Scenario;

    fn said(scenario: &str, side: Side) -> Option<String> {
        let scenario: Scenario = serde_json::from_str(scenario).expect("a scenario");
        let scaled: Vec<Figure> = figures(&scenario).into_iter().filter(Figure::is_scaled).collect();
        scaled_text(scenario.physics, !scenario.constants.is_empty(), &scaled, side)
    }

    #[test]
    fn what_is_scaled_is_said_in_words() {
        assert_eq!(said(r#"{"version": 1}"#, Side::Write), None);
        let classroom = said(r#"{"version": 1, "physics": "classroom"}"#, Side::Write).unwrap_or_default();
        // How many others there are is the preset's business.
        let figures =
            "Scaled: Classroom figures. Writes of one partition: 10 write units a second here, AWS 1,000. So are ";
        assert!(classroom.starts_with(figures) && classroom.ends_with(" others."), "{classroom}");
        assert_eq!(
            said(r#"{"version": 1, "constants": {"burst_seconds": 60}}"#, Side::Read).as_deref(),
            Some("Scaled: figures of your own. Unused capacity kept: 60 seconds here, AWS 300.")
        );
    }
}
