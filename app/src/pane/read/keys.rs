//! Keys as text: what they share recedes, what tells them apart stands out.

use dynascope_engine::table::KeySchema;
use dynascope_engine::value::base64::{self, Alphabet};
use dynascope_engine::value::{AttributeValue, Item, plain_text};
use std::sync::Arc;

/// Keys that are looked at to find what they share.
const SAMPLE: usize = 400;
/// Where a shared prefix may end.
const BREAKS: [char; 8] = ['#', '/', '|', '_', ' ', ':', '-', '.'];
/// What sets the last part of a key apart.
const DELIMITERS: [char; 4] = ['#', '/', '|', ' '];

/// A value as a person reads it, without quotes round a string.
pub fn value_text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => base64::encode(bytes, Alphabet::Standard),
        other => plain_text(other),
    }
}

/// At most `most` characters of a text.
pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => [&text[..end], "…"].concat(),
        None => text.to_owned(),
    }
}

/// The last characters of a text, at most `most`: where keys differ.
pub fn ending(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    ["…", &text.chars().skip(count - most).collect::<String>()].concat()
}

/// The key of an item: with `sorted` only what orders it inside its collection, else partition and sort key.
pub fn key_text(key: &KeySchema, sorted: bool, item: &Item) -> String {
    let text = |name: &str| item.get(name).map(value_text).unwrap_or_default();
    let partition = || text(&key.partition.name);
    match &key.sort {
        Some(sort) if sorted => text(&sort.name),
        Some(sort) => [partition(), text(&sort.name)].join(" · "),
        None => partition(),
    }
}

/// Bytes of the prefix that all texts share, back to a delimiter so that no word is cut.
pub fn shared_prefix<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    let mut texts = texts.into_iter();
    let Some(first) = texts.next() else { return 0 };
    let mut length = first.len();
    let mut alone = true;
    for text in texts {
        alone = false;
        length = first.bytes().zip(text.bytes()).take(length).take_while(|(left, right)| left == right).count();
    }
    while !first.is_char_boundary(length) {
        length -= 1;
    }
    if alone {
        length = length.saturating_sub(1);
        while !first.is_char_boundary(length) {
            length -= 1;
        }
    }
    first[..length].rfind(BREAKS).map_or(0, |at| at + 1)
}

/// How the keys of a range are shortened to a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Bytes of the key that all keys share.
    pub prefix: usize,
    by_sort: bool,
    by_last_part: bool,
}

impl Labels {
    /// Looks at the first keys of a range.
    pub fn of(key: &KeySchema, sorted: bool, items: &[Arc<Item>]) -> Self {
        let sample = &items[..items.len().min(SAMPLE)];
        let texts: Vec<String> = sample.iter().map(|item| key_text(key, sorted, item)).collect();
        let prefix = shared_prefix(texts.iter().map(String::as_str));
        let distinct = |of: &dyn Fn(&Item) -> String| {
            let mut words: Vec<String> = Vec::new();
            for item in sample {
                let word = last_part(&of(item)).to_owned();
                if let Err(at) = words.binary_search(&word) {
                    words.insert(at, word);
                }
            }
            words.len() * 10 >= sample.len() * 8
        };
        let of_sort = |item: &Item| key_text(key, true, item);
        let of_partition = |item: &Item| item.get(&key.partition.name).map(value_text).unwrap_or_default();
        let by_sort = distinct(&of_sort);
        let by_partition = !sorted && distinct(&of_partition);
        Self { prefix, by_sort: by_sort || sorted, by_last_part: by_sort || by_partition }
    }

    /// A key in a word.
    pub fn short(&self, key: &KeySchema, item: &Item) -> String {
        let text = match &key.sort {
            Some(sort) if self.by_sort => item.get(&sort.name).map(value_text).unwrap_or_default(),
            _ => item.get(&key.partition.name).map(value_text).unwrap_or_default(),
        };
        if self.by_last_part {
            return ending(last_part(&text), 8);
        }
        let rest = text.get(self.prefix..).filter(|rest| !rest.is_empty()).unwrap_or(&text);
        clipped(rest, 10)
    }
}

fn last_part(text: &str) -> &str {
    let part = text.rsplit(DELIMITERS).next().unwrap_or(text);
    if part.is_empty() { text } else { part }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_ends_at_a_delimiter() {
        assert_eq!(shared_prefix(["TENANT#42#ORDER#901", "TENANT#42#ORDER#902"]), "TENANT#42#ORDER#".len());
        assert_eq!(shared_prefix(["ab", "ac"]), 0);
        assert_eq!(shared_prefix(["a#é", "a#è"]), 2);
        assert_eq!(shared_prefix(["T#42#ORDER#9"]), "T#42#ORDER#".len());
        assert_eq!(shared_prefix([]), 0);
    }

    #[test]
    fn long_texts_are_clipped_between_characters() {
        assert_eq!(clipped("éééé", 2), "éé…");
        assert_eq!(clipped("ab", 2), "ab");
    }

    #[test]
    fn the_last_part_is_the_word() {
        assert_eq!(last_part("2026-09-01T08:00Z#901"), "901");
        assert_eq!(last_part("META"), "META");
        assert_eq!(last_part("A#"), "A#");
    }
}
