//! Markup written as text: for what is only looked at and read aloud.
//!
//! A part of the page without fields or state of its own is cheapest as one string, set whenever it changes. What a
//! person typed goes through [`Html::text`] or [`Html::attr`] and never through [`Html::raw`].

use super::{Inline, inline};

/// Markup that grows from left to right.
#[derive(Clone, Debug, Default)]
pub struct Html(String);

impl Html {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Markup written in this program.
    pub fn raw(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text, whatever it contains.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for letter in text.chars() {
            match letter {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                _ => self.0.push(letter),
            }
        }
        self
    }

    /// A whole number.
    pub fn number(&mut self, number: i64) -> &mut Self {
        if number < 0 {
            self.0.push('-');
        }
        self.digits(number.unsigned_abs());
        self
    }

    /// A length with one decimal, as drawings need it.
    pub fn tenths(&mut self, length: f64) -> &mut Self {
        let tenths = (length * 10.0 + if length < 0.0 { -0.5 } else { 0.5 }) as i64;
        if tenths < 0 {
            self.0.push('-');
        }
        self.digits(tenths.unsigned_abs() / 10);
        if tenths % 10 != 0 {
            self.0.push('.');
            self.digits(tenths.unsigned_abs() % 10);
        }
        self
    }

    /// An attribute of the tag that stands open: ` name="value"`.
    pub fn attr(&mut self, name: &str, value: &str) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// An attribute that is a length: ` x="12.5"`.
    pub fn at(&mut self, name: &str, length: f64) -> &mut Self {
        self.raw(" ").raw(name).raw("=\"").tenths(length).raw("\"")
    }

    /// A whole element with a class (or none) and a text: `<tag class="class">text</tag>`.
    pub fn element(&mut self, tag: &str, class: &str, text: &str) -> &mut Self {
        self.open(tag, class).text(text).close(tag)
    }

    /// `<tag class="class">`, to be closed with [`Html::close`].
    pub fn open(&mut self, tag: &str, class: &str) -> &mut Self {
        self.raw("<").raw(tag);
        if !class.is_empty() {
            self.attr("class", class);
        }
        self.raw(">")
    }

    /// `</tag>`.
    pub fn close(&mut self, tag: &str) -> &mut Self {
        self.raw("</").raw(tag).raw(">")
    }

    /// A paragraph's text with its marks, as [`super::Prose`] shows it.
    pub fn prose(&mut self, source: &str) -> &mut Self {
        for part in inline(source) {
            match part {
                Inline::Text(text) => self.text(&text),
                Inline::Code(text) => self.element("code", "", &text),
                Inline::Strong(text) => self.element("strong", "", &text),
                Inline::Emphasis(text) => self.element("em", "", &text),
                Inline::Link(text, address) => self.raw("<a").attr("href", &address).raw(">").text(&text).close("a"),
            };
        }
        self
    }

    /// A picker's option.
    pub fn option(&mut self, value: &str, text: &str, chosen: bool) -> &mut Self {
        self.raw("<option").attr("value", value).raw(if chosen { " selected>" } else { ">" });
        self.text(text).close("option")
    }

    /// The markup.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.0)
    }

    fn digits(&mut self, number: u64) {
        if number > 9 {
            self.digits(number / 10);
        }
        self.0.push(char::from(b'0' + (number % 10) as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_typed_stays_text() {
        let mut html = Html::new();
        html.open("p", "note").raw("<b").attr("title", "\"'&").raw(">").text("<i>&").close("b").close("p");
        assert_eq!(html.finish(), "<p class=\"note\"><b title=\"&quot;&#39;&amp;\">&lt;i&gt;&amp;</b></p>");
        assert_eq!(Html::new().element("td", "", "é").finish(), "<td>é</td>");
    }

    #[test]
    fn numbers_without_the_machinery_of_floats() {
        let written = |length: f64| Html::new().tenths(length).finish();
        let lengths = [12.34, 7.0, 0.05, -3.26, -0.01, 0.0];
        assert_eq!(lengths.map(written), ["12.3", "7", "0.1", "-3.3", "0", "0"]);
        assert_eq!(Html::new().at("x", 1.5).raw("|").number(-120).finish(), " x=\"1.5\"|-120");
    }
}
