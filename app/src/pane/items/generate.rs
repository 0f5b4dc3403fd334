//! Items by template: a count, a template for each key attribute, and attributes that all of them have.

use super::dialog::Frame;
use super::import::{Progress, import_report, start};
use crate::pane::partitions::{Reading, slid};
use crate::pane::read::value_text;
use crate::playground::Playground;
use crate::text::counted;
use crate::ui::patch::{Deed, disabled, fill, live};
use dynascope_engine::sim::Template;
use dynascope_engine::table::{KeyAttribute, Schema};
use dynascope_engine::value::document::{Spelling, read_item};
use dynascope_engine::value::{AttributeValue, Item, ValueType};
use leptos::prelude::*;

/// Most items in one go.
const MOST: u64 = 20_000;
/// Longest text of the other attributes.
const MOST_BYTES: usize = 100_000;

/// How the number of items is read and stepped.
const NUMBER: Reading = Reading {
    write: |number| number.to_string(),
    read: |text| text.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok(),
    bounds: (1, MOST),
    step: |now, up| if up { now * 2 } else { now / 2 },
};

const FORM: &str = "<div class=\"generate\"><p class=\"ask-limit\">How many<span class=\"stepper\">\
    <button type=\"button\" aria-label=\"How many items: less\" data-do=\"number\" data-up=\"0\">−</button>\
    <input type=\"text\" inputmode=\"numeric\" class=\"type\" aria-label=\"How many items\" data-do=\"number\" \
    data-value=\"{}\"><button type=\"button\" aria-label=\"How many items: more\" data-do=\"number\" \
    data-up=\"1\">+</button></span></p>{!}<p class=\"note\">{}</p>{!}</div>{!}<div class=\"dialog-row\">\
    <button type=\"button\" class=\"do\" data-do=\"write\"{!}>Write {}</button>\
    <button type=\"button\" class=\"say\" data-do=\"close\">Close</button></div>";
const TEMPLATES: &str = "{0..9} goes round, {random 0..99} draws, {seq} counts up. Templates make strings; a number key \
    takes digits only.";

fn key_value(attribute: &KeyAttribute, text: String) -> Result<AttributeValue, String> {
    match attribute.value_type {
        ValueType::N => text.parse().map(AttributeValue::N).map_err(|fault: dynascope_engine::value::NumberFault| {
            format!("{}: {}", attribute.name, fault.message(&text))
        }),
        ValueType::B => Ok(AttributeValue::B(text.into_bytes())),
        _ => Ok(AttributeValue::S(text)),
    }
}

/// The item of a number, or why there is none.
struct Recipe {
    keys: Vec<(KeyAttribute, Template)>,
    others: Item,
}

impl Recipe {
    fn new(schema: &Schema, templates: [&str; 2], others: &str) -> Result<Self, String> {
        let mut keys = Vec::new();
        for (attribute, source) in schema.key.attributes().zip(templates) {
            let template = Template::parse(source).map_err(|fault| format!("{}: {}", attribute.name, fault.message))?;
            keys.push((attribute.clone(), template));
        }
        let others = if others.trim().is_empty() { "{}" } else { others };
        let others = read_item(others, Spelling::Auto, MOST_BYTES).map_err(|faults| {
            faults.into_iter().next().map(|fault| format!("attributes: {}", fault.message)).unwrap_or_default()
        })?;
        Ok(Self { keys, others: others.item })
    }

    fn item(&self, number: u64) -> Result<Item, String> {
        let mut item = self.others.clone();
        for (stream, (attribute, template)) in self.keys.iter().enumerate() {
            item.set(attribute.name.clone(), key_value(attribute, template.expand(7, stream as u64, number))?);
        }
        Ok(item)
    }
    /// The first three keys.
    fn sample(&self) -> Result<String, String> {
        let mut sample = String::new();
        for number in 0..3 {
            let item = self.item(number)?;
            for (place, (attribute, _)) in self.keys.iter().enumerate() {
                sample.push_str(match (number, place) {
                    (0, 0) => "",
                    (_, 0) => ",  ",
                    _ => " · ",
                });
                sample.push_str(&item.get(&attribute.name).map(value_text).unwrap_or_default());
            }
        }
        sample.push_str(", …");
        Ok(sample)
    }
}

/// Items being thought up.
#[derive(Clone, Copy)]
struct Generating {
    playground: Playground,
    schema: StoredValue<Option<Schema>>,
    number: RwSignal<u64>,
    /// A template for the partition key and one for the sort key, and the other attributes.
    texts: [RwSignal<String>; 3],
    progress: RwSignal<Option<Progress>>,
    frame: Frame,
}

impl Generating {
    fn new(playground: Playground, frame: Frame) -> Self {
        let texts = ["USER#{0..9}", "ORDER#{seq}", "{\"status\": \"open\"}"];
        Self {
            playground,
            schema: StoredValue::new(playground.schema()),
            number: RwSignal::new(100),
            texts: texts.map(|text| RwSignal::new(text.to_owned())),
            progress: RwSignal::new(None),
            frame,
        }
    }

    fn recipe(self) -> Result<Recipe, String> {
        let [partition, sort, others] = self.texts.map(|text| text.get());
        self.schema.with_value(|schema| match schema {
            Some(schema) => Recipe::new(schema, [&partition, &sort], &others),
            None => Err("there is no table".to_owned()),
        })
    }

    fn html(self) -> String {
        let recipe = self.recipe();
        let off = disabled(recipe.is_err());
        let told = match recipe.and_then(|recipe| recipe.sample()) {
            Ok(sample) => fill("<p class=\"items-verdict mono\">{}</p>", &[&sample]),
            Err(fault) => fill("<p class=\"field-wrong\">{}</p>", &[&fault]),
        };
        let number = self.number.get();
        let many = counted(number, "item", "items");
        let report = import_report(self.progress);
        fill(FORM, &[&number.to_string(), &self.fields(), TEMPLATES, &told, &report, off, &many])
    }

    fn fields(self) -> String {
        let mut fields = String::new();
        self.schema.with_value(|schema| {
            for (at, attribute) in schema.iter().flat_map(|schema| schema.key.attributes()).enumerate() {
                fields.push_str(&self.field(at, &attribute.name, " template"));
            }
        });
        fields + &self.field(2, "Other attributes, as JSON", "")
    }

    fn field(self, at: usize, name: &str, what: &str) -> String {
        fill(
            "<label class=\"generate-field\">{}{}<input type=\"text\" class=\"type\" autocomplete=\"off\" \
             spellcheck=\"false\" data-do=\"text\" data-at=\"{}\" data-value=\"{}\"></label>",
            &[name, what, &at.to_string(), &self.texts[at].get()],
        )
    }

    fn act(self, deed: &Deed) {
        match deed.is() {
            (_, "number") => {
                if let Some(number) = slid(deed, self.playground, self.number.get_untracked(), NUMBER) {
                    self.number.set(number);
                }
            }
            ("input", "text") => {
                if let Some(text) = self.texts.get(deed.number("data-at")) {
                    text.set(deed.value());
                }
            }
            ("click", "write") => self.write(),
            ("click", "stop") => self.progress.set(None),
            ("click", "close") => self.frame.close(),
            _ => {}
        }
    }

    fn write(self) {
        let Ok(recipe) = untrack(|| self.recipe()) else { return };
        let mut items = Vec::new();
        for number in 0..self.number.get_untracked() {
            match recipe.item(number) {
                Ok(item) => items.push(item),
                Err(fault) => return self.playground.complain(fault),
            }
        }
        start(self.playground, items, self.progress);
    }
}

/// The form.
pub fn generate_form(playground: Playground, frame: Frame) -> AnyView {
    let generating = Generating::new(playground, frame);
    live(move || generating.html(), move |deed| generating.act(deed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_shows_templates_and_what_comes_of_them() {
        let owner = Owner::new();
        owner.set();
        let playground = crate::pane::items::orders();
        let generating = Generating::new(playground, Frame::default());
        let html = untrack(|| generating.html());
        assert!(html.contains(">USER#0 · ORDER#000000000000,  USER#1 · ORDER#000000000001,  USER#2"), "{html}");
        assert!(html.contains("PK template<input") && html.contains("data-value=\"{&quot;status"), "{html}");
        assert!(html.contains("{0..9} goes round") && html.contains("data-do=\"write\">Write 100 items<"), "{html}");
        generating.texts[2].set("{".to_owned());
        let html = untrack(|| generating.html());
        assert!(html.contains("<p class=\"field-wrong\">attributes: "), "{html}");
        assert!(html.contains("data-do=\"write\" disabled>"), "{html}");
    }
}
