//! Values as text for people: JSON written straight from the value, with every digit of a number.
//!
//! Nothing here goes through [`serde_json::Value`], which has no numbers of 38 digits.

use super::base64::{self, Alphabet};
use super::{AttributeValue, Item};

/// How a text is laid out and what a value looks like in it.
struct Writer {
    text: String,
    /// DynamoDB JSON, each value with its type?
    typed: bool,
}

/// A value as plain JSON on one line: `{"total": 12.50}` becomes `{"total":12.5}`. Sets are lists, binary is base64.
pub fn plain_text(value: &AttributeValue) -> String {
    let mut writer = Writer { text: String::new(), typed: false };
    writer.value(value);
    writer.text
}

/// An item or key as DynamoDB JSON, an attribute a line.
pub fn item_text(item: &Item) -> String {
    let mut writer = Writer { text: "{".to_owned(), typed: true };
    for (number, (name, value)) in item.iter().enumerate() {
        writer.text.push_str(if number == 0 { "\n  " } else { ",\n  " });
        writer.string(name);
        writer.text.push_str(": ");
        writer.value(value);
    }
    writer.text.push_str(if item.is_empty() { "}" } else { "\n}" });
    writer.text
}

impl Writer {
    fn value(&mut self, value: &AttributeValue) {
        if self.typed {
            self.text.push_str("{\"");
            self.text.push_str(value.value_type().name());
            self.text.push_str("\": ");
        }
        match value {
            AttributeValue::S(text) => self.string(text),
            AttributeValue::N(number) => self.number(&number.to_string()),
            AttributeValue::B(bytes) => self.string(&base64::encode(bytes, Alphabet::Standard)),
            AttributeValue::Bool(flag) => self.text.push_str(if *flag { "true" } else { "false" }),
            AttributeValue::Null => self.text.push_str(if self.typed { "true" } else { "null" }),
            AttributeValue::M(map) => self.map(map),
            AttributeValue::L(list) => self.list(list.iter(), Self::value),
            AttributeValue::Ss(set) => self.list(set.iter(), |writer, text| writer.string(text)),
            AttributeValue::Ns(set) => self.list(set.iter(), |writer, number| writer.number(&number.to_string())),
            AttributeValue::Bs(set) => {
                self.list(set.iter(), |writer, bytes| writer.string(&base64::encode(bytes, Alphabet::Standard)));
            }
        }
        if self.typed {
            self.text.push('}');
        }
    }

    fn map(&mut self, map: &Item) {
        self.text.push('{');
        for (number, (name, value)) in map.iter().enumerate() {
            if number > 0 {
                self.comma();
            }
            self.string(name);
            self.text.push_str(if self.typed { ": " } else { ":" });
            self.value(value);
        }
        self.text.push('}');
    }

    fn list<T>(&mut self, elements: impl Iterator<Item = T>, write: fn(&mut Self, T)) {
        self.text.push('[');
        for (number, element) in elements.enumerate() {
            if number > 0 {
                self.comma();
            }
            write(self, element);
        }
        self.text.push(']');
    }

    fn comma(&mut self) {
        self.text.push_str(if self.typed { ", " } else { "," });
    }

    fn number(&mut self, digits: &str) {
        if self.typed { self.string(digits) } else { self.text.push_str(digits) }
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        for letter in text.chars() {
            match letter {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\r' => self.text.push_str("\\r"),
                '\t' => self.text.push_str("\\t"),
                '\0'..='\x1f' => {
                    const HEX: &[u8; 16] = b"0123456789abcdef";
                    let code = letter as usize;
                    self.text.push_str("\\u00");
                    self.text.push(char::from(HEX[code >> 4]));
                    self.text.push(char::from(HEX[code & 15]));
                }
                _ => self.text.push(letter),
            }
        }
        self.text.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{item_from_json, item_to_json};
    use serde_json::{Value as Json, json};

    #[test]
    fn what_is_written_reads_back() {
        let item = json!({
            "s": {"S": "é \"q\" \\ \n \u{1}"}, "n": {"N": "12345678901234567890.5"}, "b": {"B": "AAE="}, "t": {"BOOL": true},
            "z": {"NULL": true}, "m": {"M": {"k": {"L": [{"N": "1"}, {"S": ""}]}}}, "ss": {"SS": ["a", "b"]},
            "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AA==", "AQ=="]},
        });
        let read = item_from_json(&item).unwrap();
        assert_eq!(serde_json::from_str::<Json>(&item_text(&read)).unwrap(), item_to_json(&read));
        let plain = plain_text(&AttributeValue::M(read));
        assert!(plain.contains("\"n\":12345678901234567890.5") && plain.contains("\"ss\":[\"a\",\"b\"]"), "{plain}");
        assert!(serde_json::from_str::<Json>(&plain).is_ok());
        assert_eq!(item_text(&Item::default()), "{}");
    }
}
