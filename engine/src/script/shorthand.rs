//! Short spellings in scripts: plain JSON for items, literals in expressions, times with a unit.

use serde_json::{Map, Value as Json, json};

/// An item or key in plain JSON, as DynamoDB JSON.
pub fn typed_item(text: &str) -> Result<Json, String> {
    match serde_json::from_str(text) {
        Ok(Json::Object(members)) => Ok(typed_map(members)),
        Ok(_) => Err(format!("not an item: {text}")),
        Err(error) => Err(format!("not JSON: {error} in {text}")),
    }
}

fn typed_map(members: Map<String, Json>) -> Json {
    members.into_iter().map(|(name, value)| (name, typed(value))).collect::<Map<_, _>>().into()
}

fn typed(plain: Json) -> Json {
    match plain {
        Json::Null => json!({"NULL": true}),
        Json::Bool(flag) => json!({"BOOL": flag}),
        Json::Number(number) => json!({"N": number.to_string()}),
        Json::String(text) => json!({"S": text}),
        Json::Array(list) => json!({"L": list.into_iter().map(typed).collect::<Vec<_>>()}),
        Json::Object(members) => json!({"M": typed_map(members)}),
    }
}

/// Gathers the placeholders of a request's expressions while it rewrites their literals.
#[derive(Default)]
pub struct Literals {
    names: Map<String, Json>,
    values: Map<String, Json>,
}

impl Literals {
    /// Rewrites `'text'` and bare numbers to `:v0`, `:v1` … and remembers what `#word` stands for.
    pub fn rewrite(&mut self, expression: &str) -> Result<String, String> {
        let mut written = String::new();
        let mut rest = expression;
        while let Some(first) = rest.chars().next() {
            if first == '\'' {
                let (text, after) = rest[1..].split_once('\'').ok_or_else(|| format!("open quote in {expression}"))?;
                written.push_str(&self.value(json!({"S": text})));
                rest = after;
                continue;
            }
            // A whole word at once, so that the digits of `v1`, `:v1` and `a[0]` are no numbers.
            let word_end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, after) = rest.split_at(word_end);
            if first.is_ascii_digit() && !written.ends_with('[') {
                written.push_str(&self.value(json!({"N": word})));
            } else {
                if let Some(name) = word.strip_prefix('#') {
                    self.names.insert(word.to_owned(), name.into());
                }
                written.push_str(word);
            }
            rest = after;
        }
        Ok(written)
    }

    fn value(&mut self, value: Json) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// Puts the placeholders into the request.
    pub fn add_to(self, input: &mut Map<String, Json>) {
        for (member, map) in [("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)] {
            if !map.is_empty() {
                input.insert(member.into(), map.into());
            }
        }
    }
}

const fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | ':')
}

/// `250ms`, `60s` or `15min`, as microseconds.
pub fn micros(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit {
        "us" => 1,
        "ms" => 1_000,
        "s" => 1_000_000,
        "min" => 60_000_000,
        _ => return Err(format!("`{text}` is no length of time; write 250ms, 60s or 15min")),
    };
    let number: u64 = number.parse().map_err(|_| format!("`{text}` begins with no number"))?;
    number.checked_mul(unit).ok_or_else(|| format!("`{text}` is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_become_placeholders_and_nothing_else_does() {
        let mut literals = Literals::default();
        let written = literals.rewrite("#status = 'it is open' AND list[0] > 10 AND v1 = :x").unwrap();
        assert_eq!(written, "#status = :v0 AND list[0] > :v1 AND v1 = :x");
        let mut input = Map::new();
        literals.add_to(&mut input);
        assert_eq!(input["ExpressionAttributeNames"], json!({"#status": "status"}));
        assert_eq!(input["ExpressionAttributeValues"], json!({":v0": {"S": "it is open"}, ":v1": {"N": "10"}}));
        assert!(Literals::default().rewrite("a = 'open").is_err());
    }

    #[test]
    fn times_have_a_unit() {
        assert_eq!(micros("250ms"), Ok(250_000));
        assert_eq!(micros("15min"), Ok(900_000_000));
        assert!(micros("60").is_err());
        assert!(micros("s").is_err());
        assert!(micros("18446744073709551615min").is_err());
    }
}
