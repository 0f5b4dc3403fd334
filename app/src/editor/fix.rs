//! The one repair that a complaint offers, applied to the question.

use crate::ask::Ask;
use dynascope_engine::diagnostic::{Failure, Fix};
use dynascope_engine::expression::{ExpressionKind, tokens};

/// The button's text.
pub fn fix_label(fix: &Fix) -> String {
    match fix {
        Fix::AliasName { name } => "Use #".to_owned() + &alias_word(name),
        Fix::DefineValue { placeholder } | Fix::DefineName { placeholder } => "Add ".to_owned() + placeholder,
        Fix::RemovePlaceholder { placeholder } => "Remove ".to_owned() + placeholder,
    }
}

/// Letters, digits and low lines: what a placeholder may hold.
fn alias_word(name: &str) -> String {
    let word: String = name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    if word.is_empty() { "name".into() } else { word }
}

/// Repairs the question as the failure suggests; the placeholder whose field should be typed in next, if any.
pub fn apply(ask: &mut Ask, failure: &Failure) -> Option<String> {
    match failure.fix.as_ref()? {
        Fix::AliasName { name } => {
            let mut alias = "#".to_owned() + &alias_word(name);
            while ask.names.get(&alias).is_some_and(|meaning| meaning != name) {
                alias.push('_');
            }
            let projection =
                failure.labels.first().is_some_and(|label| label.source == ExpressionKind::Projection.member());
            let text = if projection { &mut ask.projection } else { &mut ask.filter };
            *text = aliased(text, name, &alias);
            ask.names.insert(alias, name.clone());
            None
        }
        Fix::DefineValue { placeholder } => {
            ask.values.add(placeholder, String::new);
            Some(placeholder.clone())
        }
        Fix::DefineName { placeholder } => {
            let word = placeholder.trim_start_matches('#').to_owned();
            ask.names.add(placeholder, || word);
            Some(placeholder.clone())
        }
        Fix::RemovePlaceholder { placeholder } => {
            ask.names.remove(placeholder);
            ask.values.remove(placeholder);
            None
        }
    }
}

/// The text with every bare `name` replaced.
fn aliased(source: &str, name: &str, alias: &str) -> String {
    let mut text = String::with_capacity(source.len() + alias.len());
    let mut end = 0;
    for token in tokens(source) {
        text.push_str(source.get(end..token.span.start).unwrap_or_default());
        let word = token.span.of(source);
        text.push_str(if word == name { alias } else { word });
        end = token.span.end;
    }
    text.push_str(source.get(end..).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(fix: Fix) -> Failure {
        Failure::validation("x").fixable(fix)
    }

    #[test]
    fn a_reserved_word_gets_its_alias_everywhere() {
        let mut ask = Ask { filter: "status = :a OR  status = :b".into(), ..Ask::default() };
        ask.names.insert("#status".into(), "other".into());
        assert_eq!(apply(&mut ask, &failure(Fix::AliasName { name: "status".into() })), None);
        assert_eq!(ask.filter, "#status_ = :a OR  #status_ = :b");
        assert_eq!(ask.names.get("#status_").unwrap(), "status");
    }

    #[test]
    fn a_missing_value_gets_a_field_and_keeps_what_is_there() {
        let mut ask = Ask::default();
        ask.values.insert(":x".into(), "typed".into());
        let fix = failure(Fix::DefineValue { placeholder: ":x".into() });
        assert_eq!(apply(&mut ask, &fix).as_deref(), Some(":x"));
        assert_eq!(ask.values.get(":x").unwrap(), "typed");
    }
}
