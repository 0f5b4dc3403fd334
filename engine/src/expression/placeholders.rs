//! ExpressionAttributeNames and ExpressionAttributeValues: checked keys, and who was used.
//!
//! One [`Placeholders`] serves all expressions of a request, because a placeholder must be used by *some*
//! expression of it. Messages: API reference and recorded answers of the service.

use super::{ExpressionKind, text};
use crate::diagnostic::{Failure, Fix, Span};
use crate::sorted::SortedMap;
use crate::value::{AttributeValue, Name};
use std::sync::Arc;

/// Longest `#name`, its sigil included. Developer Guide, "Quotas", *Expression parameters*.
const MAX_NAME_PLACEHOLDER_BYTES: usize = 255;

#[derive(Clone, Debug)]
struct Entry<T> {
    content: T,
    used: bool,
}

/// The names and values that a request gives to its expressions.
#[derive(Clone, Debug, Default)]
pub struct Placeholders {
    names: SortedMap<Entry<Name>>,
    values: SortedMap<Entry<Arc<AttributeValue>>>,
}

impl Placeholders {
    /// Takes both maps as sent; `None` is an absent member, an empty map is refused.
    pub fn new(names: Option<SortedMap<String>>, values: Option<SortedMap<AttributeValue>>) -> Result<Self, Failure> {
        let names = checked(NAMES, names, |name| Name::from(name.as_str()))?;
        if let Some((placeholder, _)) = names.iter().find(|(_, entry)| entry.content.is_empty()) {
            return Err(Failure::validation(text(&[
                NAMES,
                " contains invalid value: Empty attribute name for key ",
                placeholder,
            ])));
        }
        Ok(Self { names, values: checked(VALUES, values, Arc::new)? })
    }

    /// The attribute name behind `#name`.
    pub(super) fn name(&mut self, kind: ExpressionKind, placeholder: &str, span: Span) -> Result<Name, Failure> {
        if let Some(entry) = self.names.get_mut(placeholder) {
            entry.used = true;
            return Ok(entry.content.clone());
        }
        let body = text(&[
            "An expression attribute name used in the document path is not defined; attribute name: ",
            placeholder,
        ]);
        Err(kind.refuse(&body, span).fixable(Fix::DefineName { placeholder: placeholder.to_owned() }))
    }

    /// The value behind `:value`.
    pub(super) fn value(
        &mut self,
        kind: ExpressionKind,
        placeholder: &str,
        span: Span,
    ) -> Result<Arc<AttributeValue>, Failure> {
        if let Some(entry) = self.values.get_mut(placeholder) {
            entry.used = true;
            return Ok(entry.content.clone());
        }
        let body =
            text(&["An expression attribute value used in expression is not defined; attribute value: ", placeholder]);
        Err(kind.refuse(&body, span).fixable(Fix::DefineValue { placeholder: placeholder.to_owned() }))
    }

    /// Refuses what no expression has used: names first, then values. Call it after all were parsed.
    pub fn check_all_used(&self) -> Result<(), Failure> {
        check_used(NAMES, &self.names)?;
        check_used(VALUES, &self.values)
    }
}

const NAMES: &str = "ExpressionAttributeNames";
const VALUES: &str = "ExpressionAttributeValues";

fn checked<V, T>(
    member: &str,
    map: Option<SortedMap<V>>,
    convert: impl Fn(V) -> T,
) -> Result<SortedMap<Entry<T>>, Failure> {
    let Some(map) = map else { return Ok(SortedMap::new()) };
    if map.is_empty() {
        return Err(Failure::validation(text(&[member, " must not be empty"])));
    }
    for key in map.keys() {
        check_key(member, key)?;
    }
    let mut entries = SortedMap::new();
    for (key, value) in map {
        entries.insert(key, Entry { content: convert(value), used: false });
    }
    Ok(entries)
}

fn check_key(member: &str, key: &str) -> Result<(), Failure> {
    if member == NAMES && key.len() > MAX_NAME_PLACEHOLDER_BYTES {
        return Err(Failure::validation(text(&[
            member,
            " contains invalid key: The expression attribute map contains a key that is too long; size of key: ",
            &key.len().to_string(),
        ])));
    }
    let sigil = if member == NAMES { '#' } else { ':' };
    let word = key.strip_prefix(sigil).unwrap_or_default();
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Err(Failure::validation(text(&[member, " contains invalid key: Syntax error; key: \"", key, "\""])));
    }
    Ok(())
}

fn check_used<T>(member: &str, entries: &SortedMap<Entry<T>>) -> Result<(), Failure> {
    let unused: Vec<&str> = entries.iter().filter(|(_, entry)| !entry.used).map(|(key, _)| key.as_str()).collect();
    let Some(first) = unused.first() else { return Ok(()) };
    let message = text(&["Value provided in ", member, " unused in expressions: keys: {", &unused.join(", "), "}"]);
    Err(Failure::validation(message).fixable(Fix::RemovePlaceholder { placeholder: (*first).to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pairs: &[(&str, &str)]) -> SortedMap<String> {
        pairs.iter().map(|(key, name)| ((*key).to_owned(), (*name).to_owned())).collect()
    }

    fn values(keys: &[&str]) -> SortedMap<AttributeValue> {
        keys.iter().map(|key| ((*key).to_owned(), "x".into())).collect()
    }

    fn check(names: Option<SortedMap<String>>, values: Option<SortedMap<AttributeValue>>, message: &str) {
        let failure = Placeholders::new(names, values).and_then(|all| all.check_all_used()).unwrap_err();
        assert_eq!(failure.message, message);
    }

    #[test]
    fn keys_are_checked() {
        check(Some(names(&[])), None, "ExpressionAttributeNames must not be empty");
        check(None, Some(values(&[])), "ExpressionAttributeValues must not be empty");
        check(
            Some(names(&[("a", "a")])),
            None,
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"",
        );
        check(
            Some(names(&[("#", "a")])),
            None,
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\"",
        );
        check(None, Some(values(&["b"])), "ExpressionAttributeValues contains invalid key: Syntax error; key: \"b\"");
        check(
            None,
            Some(values(&[":a-b"])),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \":a-b\"",
        );
        let longest = format!("#{}", "a".repeat(254));
        assert!(Placeholders::new(Some(names(&[(&longest, "a")])), None).is_ok());
        check(
            Some(names(&[(&format!("{longest}a"), "a")])),
            None,
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains a key that is too long; size of key: 256",
        );
    }

    #[test]
    fn leftovers_are_named_names_first() {
        check(
            Some(names(&[("#b", "b"), ("#a", "a")])),
            Some(values(&[":x"])),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}",
        );
        let mut all = Placeholders::new(Some(names(&[("#a", "a")])), Some(values(&[":x"]))).unwrap();
        all.name(ExpressionKind::Filter, "#a", Span::new(0, 2)).unwrap();
        let failure = all.check_all_used().unwrap_err();
        assert_eq!(failure.message, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}");
        assert_eq!(failure.fix, Some(Fix::RemovePlaceholder { placeholder: ":x".into() }));
    }
}
