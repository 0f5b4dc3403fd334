//! Sentences made from whole templates: `{name}` is a slot, filled with a text that has a tone.
//!
//! A language orders its slots as it likes, so no sentence is glued from fragments.

use crate::ui::patch::fill;

/// What a filled slot means, and so the colour of its mark in the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// No colour.
    Plain,
    /// No colour, but it is what the sentence is about.
    Strong,
    /// Taken.
    Kept,
    /// Read and dropped.
    Filtered,
    /// Refused.
    Refused,
    /// Where the cursor stands.
    Cursor,
}

/// A stretch of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The words.
    pub text: String,
    /// Their meaning.
    pub tone: Tone,
}

/// A sentence with its slots filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(pub Vec<Part>);

/// A slot's name and what fills it.
pub type Slot<'a> = (&'a str, Tone, String);

impl Sentence {
    /// Fills a template. A slot that nothing fills stays empty.
    pub fn fill(template: &str, slots: &[Slot<'_>]) -> Self {
        let mut parts = Vec::new();
        let mut push = |text: &str, tone| {
            if !text.is_empty() {
                parts.push(Part { text: text.to_owned(), tone });
            }
        };
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            push(before, Tone::Plain);
            if let Some((_, tone, text)) = slots.iter().find(|(slot, ..)| *slot == name) {
                push(text, *tone);
            }
            rest = after;
        }
        push(rest, Tone::Plain);
        Self(parts)
    }

    /// Says the same of something else: a word of the template in the place of another. What fills slots stays.
    pub fn speak_of(&mut self, old: &str, new: &str) {
        for part in self.0.iter_mut().filter(|part| part.tone == Tone::Plain) {
            part.text = part.text.replace(old, new);
        }
    }

    /// The words alone, for screen readers and tests.
    pub fn text(&self) -> String {
        self.0.iter().map(|part| part.text.as_str()).collect()
    }

    /// Markup: each slot in the colour of its mark in the figure.
    pub fn html(&self) -> String {
        let mut html = String::new();
        for Part { text, tone } in &self.0 {
            let class = match tone {
                Tone::Plain => {
                    html.push_str(&fill("{}", &[text]));
                    continue;
                }
                Tone::Strong => "",
                Tone::Kept => "k",
                Tone::Filtered => "f",
                Tone::Refused => "r",
                Tone::Cursor => "c",
            };
            html.push_str(&fill("<b class=\"{}\">{}</b>", &[class, text]));
        }
        html
    }
}

/// `three`, from one to twelve; figures beyond.
pub fn number_word(number: u64) -> String {
    const WORDS: [&str; 13] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.get(number as usize).map_or_else(|| crate::text::count(number), |word| (*word).to_owned())
}

/// The same at the beginning of a sentence.
pub fn number_word_first(number: u64) -> String {
    let mut word = number_word(number);
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

/// `P0`, `P0 and P2`, `P0, P2 and P3`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_filled_wherever_they_stand() {
        let sentence = Sentence::fill(
            "{p} took {n}.",
            &[("n", Tone::Kept, "5".into()), ("p", Tone::Plain, "P0".into()), ("x", Tone::Plain, "?".into())],
        );
        assert_eq!(sentence.text(), "P0 took 5.");
        assert_eq!(sentence.0[2].tone, Tone::Kept);
        assert_eq!(Sentence::fill("a {", &[]).text(), "a ");
    }

    #[test]
    fn words_for_numbers_and_lists() {
        assert_eq!((number_word(3).as_str(), number_word(1300).as_str()), ("three", "1,300"));
        assert_eq!(number_word_first(8), "Eight");
        assert_eq!(listed(&["P0".into(), "P2".into(), "P3".into()]), "P0, P2 and P3");
    }
}
