//! Every constant as a row: its figure in a field, AWS's if that is another, its source and its evidence.

use super::begin::{with_constant, with_none, with_preset};
use super::figures::{Figure, bytes_text, figures, read};
use crate::playground::Playground;
use crate::ui::patch::{Deed, fill, set_value, truth};
use dynascope_engine::capacity::Preset;
use dynascope_engine::capacity::fidelity::Part;
use leptos::prelude::*;

/// A figure that was typed and could not be taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Wrong {
    /// Of which constant.
    name: String,
    /// What was typed.
    typed: String,
    /// What is wrong with it.
    complaint: String,
}

/// What is being typed.
#[derive(Clone, Copy)]
pub struct Editing(RwSignal<Option<Wrong>>);

impl Default for Editing {
    fn default() -> Self {
        Self(RwSignal::new(None))
    }
}

/// The list.
pub fn constants(playground: Playground, editing: Editing) -> String {
    playground.version.track();
    let (preset, all) = playground.with(|session| (session.scenario().physics, figures(session.scenario())));
    let wrong = editing.0.get();
    let mut parts = String::new();
    for part in Part::ALL {
        let of_part = all.iter().filter(|figure| figure.constant.part == part);
        let rows: String = of_part.map(|figure| row(figure, wrong.as_ref())).collect();
        if !rows.is_empty() {
            parts.push_str(&fill("<h3>{}</h3><ul class=\"constants\">{!}</ul>", &[part.title(), &rows]));
        }
    }
    let own = all.iter().any(Figure::is_own);
    let scaled = all.iter().filter(|figure| figure.is_scaled()).count();
    let said = match scaled {
        0 => "All figures are AWS’s, or the defaults where AWS publishes none.".to_owned(),
        1 => "One figure is scaled.".to_owned(),
        many => format!("{many} figures are scaled."),
    };
    fill(
        "<p class=\"note model-warning\"><b>A change begins the scene again at 0 s.</b> Its tables, items and traffic stay as they \
         are now; links and files keep the change. Of two runs both begin again.</p>\
         <p class=\"model-preset\"><label>Figures <select class=\"pick\" aria-label=\"Preset\" data-do=\"preset\" data-value=\"{}\">\
         <option value=\"aws\">AWS</option><option value=\"classroom\">Classroom</option></select></label>\
         <span role=\"status\">{}</span><button type=\"button\" class=\"say\" data-do=\"reset-all\"{!}>Reset all</button></p>{!}",
        &[
            match preset {
                Preset::Aws => "aws",
                Preset::Classroom => "classroom",
            },
            &said,
            crate::ui::patch::disabled(!own),
            &parts,
        ],
    )
}

fn row(figure: &Figure, wrong: Option<&Wrong>) -> String {
    let constant = figure.constant;
    let wrong = wrong.filter(|wrong| wrong.name == constant.name);
    let value = wrong.map_or_else(|| figure.field_text(), |wrong| wrong.typed.clone());
    let field = if figure.is_switch() {
        fill(
            "<select class=\"pick\" aria-label=\"{}\" data-do=\"constant\" data-name=\"{}\" data-value=\"{}\">\
             <option value=\"on\">on</option><option value=\"off\">off</option></select>",
            &[constant.title, constant.name, &value],
        )
    } else {
        fill(
            "<input class=\"type\" type=\"text\" inputmode=\"numeric\" autocomplete=\"off\" aria-label=\"{}\" \
             aria-invalid=\"{}\" data-do=\"constant\" data-name=\"{}\" data-value=\"{}\">",
            &[constant.title, truth(wrong.is_some()), constant.name, &value],
        )
    };
    let unit = match (constant.unit, figure.value.as_u64()) {
        ("bytes", Some(bytes)) => ["bytes, ", &bytes_text(bytes)].concat(),
        (unit, _) => unit.to_owned(),
    };
    let scaled = if figure.is_scaled() {
        fill("<b class=\"constant-scaled\">scaled: AWS {}</b>", &[&figure.aws_text()])
    } else {
        String::new()
    };
    let reset = if figure.is_own() {
        fill(
            "<button type=\"button\" class=\"say\" aria-label=\"Reset {}\" data-do=\"reset\" data-name=\"{}\">Reset</button>",
            &[constant.title, constant.name],
        )
    } else {
        String::new()
    };
    let complaint = wrong.map_or("", |wrong| wrong.complaint.as_str());
    let source = if constant.source == constant.standing.word() {
        String::new()
    } else {
        fill("<cite>{}</cite>", &[constant.source])
    };
    fill(
        "<li><p class=\"constant-name\">{} <code>{}</code></p><p class=\"constant-value\">{!} <span>{}</span> {!} {!}</p>\
         <p class=\"constant-wrong\" role=\"status\">{}</p><p class=\"constant-why\"><i>{}</i> {} {!}</p></li>",
        &[
            constant.title,
            constant.name,
            &field,
            &unit,
            &scaled,
            &reset,
            complaint,
            constant.standing.word(),
            constant.evidence,
            &source,
        ],
    )
}

/// What its controls do.
pub fn act(deed: &Deed, playground: Playground, editing: Editing) {
    let name = deed.element.get_attribute("data-name").unwrap_or_default();
    let find = || playground.with(|session| figures(session.scenario()).into_iter().find(|f| f.constant.name == name));
    let begun = match deed.is() {
        ("change", "preset") => {
            let preset = if deed.value() == "classroom" { Preset::Classroom } else { Preset::Aws };
            with_preset(playground, preset)
        }
        ("click", "reset-all") => with_none(playground),
        ("click", "reset") => match find() {
            Some(figure) => with_constant(playground, &name, figure.preset),
            None => return,
        },
        ("change", "constant") => {
            let Some(figure) = find() else { return };
            match read(&figure, &deed.value()) {
                Ok(value) if value == figure.value => {
                    set_value(&deed.element, &figure.field_text());
                    Ok(())
                }
                Ok(value) => with_constant(playground, &name, value),
                Err(complaint) => Err(complaint),
            }
        }
        _ => return,
    };
    match begun {
        Ok(()) => editing.0.set(None),
        Err(complaint) if deed.name == "constant" => {
            editing.0.set(Some(Wrong { name, typed: deed.value(), complaint }));
        }
        Err(complaint) => playground.complain(complaint),
    }
}
