//! A refusal beside the text it speaks of: the service's words, one plain sentence, one repair.

use super::fix_label;
use crate::text::{holds, place};
use crate::ui::html::Html;
use dynascope_engine::diagnostic::{ErrorKind, Failure, Fix};

/// One plain sentence about a refusal, where there is more to say than the service does.
fn explanation(failure: &Failure) -> Option<String> {
    let text = &failure.message;
    let (sentence, word) = match &failure.fix {
        Some(Fix::AliasName { name }) => {
            ("DynamoDB keeps the word `{}` for itself. Give it an alias; the name is filled in for you.", name.as_str())
        }
        Some(Fix::DefineValue { placeholder }) => {
            ("The expression mentions `{}`, and nothing says what it stands for.", placeholder.as_str())
        }
        Some(Fix::DefineName { placeholder }) => {
            ("The expression mentions `{}`, and nothing says which attribute it is.", placeholder.as_str())
        }
        Some(Fix::RemovePlaceholder { placeholder }) => {
            ("Nothing mentions `{}` any more, and DynamoDB refuses what is not used.", placeholder.as_str())
        }
        None => (unrepaired(failure.kind, text)?, ""),
    };
    let at = place(sentence, "{}").unwrap_or(sentence.len());
    Some([&sentence[..at], word, sentence.get(at + 2..).unwrap_or_default()].concat())
}

fn unrepaired(kind: ErrorKind, text: &str) -> Option<&'static str> {
    Some(if text.starts_with("Consistent reads are not supported") {
        "An index is filled a moment after its table, so it cannot promise the latest write. Ask the table, or read \
         eventually consistent."
    } else if text.starts_with("Filter Expression can only contain non-primary key") {
        "Keys decide what is read; a filter only looks at what has been read. Put the key into the key condition."
    } else if holds(text, "does not project") {
        "The index carries only some attributes of each item, and this one stayed in the table."
    } else if kind.is_throttle() {
        "Turned away for want of capacity; nothing was charged. An SDK would wait and try again."
    } else if kind == ErrorKind::ConditionalCheckFailed {
        "An item with this key is there already, and the condition forbids to replace it."
    } else {
        return None;
    })
}

/// The reasons of a throttle, as the service lists them.
fn reasons(failure: &Failure) -> Vec<String> {
    let members = failure.members.iter().filter(|(name, _)| name.eq_ignore_ascii_case("ThrottlingReasons"));
    members
        .filter_map(|(_, list)| list.as_array())
        .flatten()
        .filter_map(|reason| reason.get("reason").and_then(serde_json::Value::as_str))
        .map(str::to_owned)
        .collect()
}

/// A refusal in full. With `fixable` its repair has a button, known by the name `fix`.
pub fn complaint(html: &mut Html, failure: &Failure, fixable: bool) {
    html.open("div", "complaint").element("p", "complaint-said", &failure.headline());
    let reasons = reasons(failure);
    if !reasons.is_empty() {
        html.element("p", "complaint-said", &reasons.join(", "));
    }
    if let Some(sentence) = explanation(failure) {
        html.open("p", "complaint-plain").prose(&sentence).close("p");
    }
    if let Some(fix) = failure.fix.as_ref().filter(|_| fixable) {
        html.raw("<p class=\"complaint-fix\"><button type=\"button\" class=\"do\" data-do=\"fix\">");
        html.text(&fix_label(fix)).raw("</button><span class=\"note\">Ctrl and the full stop</span></p>");
    }
    html.close("div");
}
