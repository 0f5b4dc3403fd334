//! Names and values of the expressions: a row for each that is mentioned or typed.

use super::ask_parts::edit;
use crate::ask::{Ask, typed_value};
use crate::playground::Playground;
use crate::ui::patch::{Deed, fill, truth};
use dynascope_engine::expression::mentioned_placeholders;
use dynascope_engine::sorted::SortedMap;

/// The id of a placeholder's field.
pub fn field_id(placeholder: &str) -> String {
    ["holder-", placeholder.get(1..).unwrap_or_default(), if placeholder.starts_with('#') { "-name" } else { "-value" }]
        .concat()
}

/// Mentioned ones in the order of the text, then typed ones; and of each whether it is mentioned.
fn rows(ask: &Ask) -> Vec<(String, bool)> {
    let (mut names, values) = mentioned_placeholders(&ask.filter);
    let (more, idle) = mentioned_placeholders(&ask.projection);
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut rows = Vec::new();
    add(&mut rows, names, &[], &ask.names);
    // A projection takes no values: one mentioned there has no row, unless something was typed for it.
    add(&mut rows, values, &idle, &ask.values);
    rows
}

fn add(rows: &mut Vec<(String, bool)>, mentioned: Vec<String>, mentioned_too: &[String], typed: &SortedMap<String>) {
    for name in mentioned {
        rows.push((name, true));
    }
    for name in typed.keys() {
        if !rows.iter().any(|(known, _)| known == name) {
            rows.push((name.clone(), mentioned_too.contains(name)));
        }
    }
}

/// The rows.
pub fn placeholders(ask: &Ask) -> String {
    let mut list = String::new();
    for (placeholder, is_mentioned) in rows(ask) {
        list.push_str(&holder(ask, &placeholder, is_mentioned));
    }
    fill("<ul class=\"holders\" aria-label=\"Names and values\">{!}</ul>", &[&list])
}

/// A row: the placeholder, its field, its type or that it has none, and what is wrong with a value.
fn holder(ask: &Ask, placeholder: &str, is_mentioned: bool) -> String {
    let is_name = placeholder.starts_with('#');
    let text = if is_name { &ask.names } else { &ask.values }.get(placeholder);
    let (tag, fault) = match text.filter(|_| !is_name).map(|text| typed_value(text)) {
        _ if text.is_none() => ("not defined", None),
        None => ("", None),
        Some(Ok(value)) => (value.value_type().name(), None),
        Some(Err(fault)) => ("?", Some(fault)),
    };
    let remove = if is_mentioned {
        ""
    } else {
        "<button type=\"button\" class=\"say note\" data-do=\"remove\" data-holder=\"{}\">not used, remove</button>"
    };
    let wrong = if fault.is_some() { "<p class=\"field-wrong\">{}</p>" } else { "" };
    let id = field_id(placeholder);
    fill(
        "<li class=\"holder{}\"><label class=\"mono\" for=\"{}\">{}</label><input id=\"{}\" type=\"text\" class=\"type\" \
         autocomplete=\"off\" autocapitalize=\"off\" spellcheck=\"false\" dir=\"auto\" aria-label=\"{}{}\" \
         aria-invalid=\"{}\" data-do=\"{}\" data-value=\"{}\"><span class=\"tag\">{}</span>{!}{!}</li>",
        &[
            if text.is_none() { " holder-undefined" } else { "" },
            &id,
            placeholder,
            &id,
            placeholder,
            if is_name { ", attribute name" } else { ", value" },
            truth(text.is_none() || fault.is_some()),
            placeholder,
            text.map_or("", String::as_str),
            tag,
            &fill(remove, &[placeholder]),
            &fill(wrong, &[&fault.unwrap_or_default()]),
        ],
    )
}

/// Removes the row of a button.
pub fn remove(playground: Playground, deed: &Deed) {
    let placeholder = deed.element.get_attribute("data-holder").unwrap_or_default();
    edit(playground, &mut |ask| {
        ask.names.remove(&placeholder);
        ask.values.remove(&placeholder);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_that_is_mentioned_or_typed() {
        let mut ask = Ask { filter: "#a = :b AND #a < :c".into(), projection: "#d".into(), ..Ask::default() };
        ask.values.insert(":left".into(), "over".into());
        let rows = rows(&ask);
        let names: Vec<_> = rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["#a", "#d", ":b", ":c", ":left"]);
        let unused: Vec<_> = rows.iter().filter(|row| !row.1).map(|(name, _)| name.as_str()).collect();
        assert_eq!(unused, [":left"]);
    }

    #[test]
    fn what_was_typed_stays_text() {
        let mut ask = Ask { filter: "a = :x AND b = :y".into(), ..Ask::default() };
        ask.values.insert(":x".into(), "\"<b>\"".into());
        let html = placeholders(&ask);
        assert!(html.contains("data-value=\"&quot;&lt;b&gt;&quot;\"><span class=\"tag\">S</span></li>"), "{html}");
        assert!(
            html.contains("<li class=\"holder holder-undefined\"><label class=\"mono\" for=\"holder-y-value\">:y<")
        );
    }
}
