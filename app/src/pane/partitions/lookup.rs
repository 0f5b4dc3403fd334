//! Where does this key land? A key is typed; its hash, its place and its partition follow each letter, and it can
//! be written.

use super::landing::{Landing, land, template_keys};
use super::measure::arrange;
use super::sentence::{listed, number_word_first};
use crate::playground::Playground;
use crate::ui::patch::{Deed, disabled, fill};
use dynascope_engine::sim::Template;
use dynascope_engine::table::{KeyAttribute, Schema};
use dynascope_engine::value::ValueType;
use leptos::prelude::*;
use serde_json::{Map, Value as Json, json};

/// Items written by the second button.
const MANY: u64 = 8;

/// The looked-up key, in context: the figure shows its pin.
#[derive(Clone, Copy)]
pub struct Lookup {
    /// As typed.
    pub text: RwSignal<String>,
    /// Items written so far, for fresh sort keys.
    written: StoredValue<u64>,
}

impl Lookup {
    /// Starts with a key.
    pub fn new(text: &str) -> Self {
        Self { text: RwSignal::new(text.to_owned()), written: StoredValue::new(0) }
    }

    /// Where the keys land that are typed: one, or as many as the template stands for. Tracked.
    pub fn landings(self, playground: Playground) -> Vec<Landing> {
        playground.version.track();
        let text = self.text.get();
        let mut keys = template_keys(&text);
        if keys.is_empty() {
            keys.push(Template::parse(&text).map_or(text, |template| template.expand(0, 0, 0)));
        }
        playground.index.track();
        let table = playground.table.get();
        playground.with(|session| {
            let Some(table) = session.database().get(&table) else { return Vec::new() };
            let at = playground.arm(session);
            let (key_type, partitions) = (table.key_of_arm(at).partition.value_type, &table.arms[at].partitions);
            let lands = |key: &String| land(key, key_type, partitions);
            keys.iter().filter(|key| !key.is_empty()).filter_map(lands).collect()
        })
    }

    /// Puts `many` items under the key or keys that are typed.
    pub fn write(self, playground: Playground, many: u64) {
        let text = self.text.get_untracked();
        let Some(schema) = playground.schema() else { return };
        let template = Template::parse(&text).ok();
        let first = self.written.get_value();
        let requests: Vec<(&str, Json)> = (0..many)
            .map(|k| {
                let key = template.as_ref().map_or_else(|| text.clone(), |template| template.expand(0, 0, k));
                ("PutItem", put(&schema, &key, first + k + 1))
            })
            .collect();
        self.written.set_value(first + many);
        let failed = playground.put_all(&requests).into_iter().find_map(|outcome| outcome.result.err());
        if let Some(failure) = failed {
            playground.complain(failure.headline());
        }
    }
}

fn put(schema: &Schema, key: &str, number: u64) -> Json {
    let value = |attribute: &KeyAttribute, text: String| match attribute.value_type {
        ValueType::N => json!({"N": text}),
        ValueType::B => {
            json!({"B": dynascope_engine::value::base64::encode(text.as_bytes(), dynascope_engine::value::base64::Alphabet::Standard)})
        }
        _ => json!({"S": text}),
    };
    let mut item = Map::new();
    item.insert(schema.key.partition.name.to_string(), value(&schema.key.partition, key.to_owned()));
    if let Some(sort) = &schema.key.sort {
        let fresh = if sort.value_type == ValueType::N { number.to_string() } else { format!("{number:06}") };
        item.insert(sort.name.to_string(), value(sort, fresh));
    }
    json!({"TableName": schema.name, "Item": item})
}

/// What the typed key or keys lead to, in words.
pub fn way_text(playground: Playground, landings: &[Landing]) -> Option<(String, String)> {
    let names = |at: usize| {
        playground.telemetry.with(|telemetry| {
            telemetry
                .as_ref()
                .and_then(|telemetry| telemetry.partitions.get(at))
                .map_or(String::new(), |p| p.id.to_string())
        })
    };
    match landings {
        [] => None,
        [one] => Some((
            format!("{:016x}", one.hash),
            format!(" stands at 0.{:04} of the hash line, on {}", (one.at * 10_000.0) as u64, names(one.partition)),
        )),
        many => {
            let mut places: Vec<usize> = many.iter().map(|landing| landing.partition).collect();
            arrange(&mut places, |a, b| a < b);
            places.dedup();
            let places: Vec<String> = places.into_iter().map(names).collect();
            Some((String::new(), format!("{} keys, on {}", number_word_first(many.len() as u64), listed(&places))))
        }
    }
}

/// The field, what the key leads to, and the two ways to write it.
pub fn lookup_form(lookup: Lookup, playground: Playground) -> String {
    let landings = lookup.landings(playground);
    // An item is written to the table; what its entries are called there depends on more than this key.
    let off = disabled(landings.is_empty() || playground.index.with(Option::is_some));
    let way = way_text(playground, &landings)
        .map_or(String::new(), |(hash, place)| fill("<code class=\"lookup-hash\">{}</code>{}", &[&hash, &place]));
    fill(
        "<form class=\"lookup\" aria-label=\"Where does this key land?\" data-do=\"write\"><label class=\"lookup-ask\">\
         Where does <input class=\"type\" type=\"text\" spellcheck=\"false\" autocomplete=\"off\" autocapitalize=\"off\" \
         aria-label=\"Partition key\" data-do=\"lookup\" data-value=\"{}\"> land?</label>\
         <p class=\"lookup-way\" role=\"status\">{!}</p><div class=\"lookup-do\"><button type=\"submit\" class=\"do\"{!}>\
         Write it</button><button type=\"button\" class=\"say\" data-do=\"write-many\"{!}>Write it 8 times</button></div></form>",
        &[&lookup.text.get(), &way, off, off],
    )
}

/// What its controls do.
pub fn look_up(deed: &Deed, lookup: Lookup, playground: Playground) {
    match deed.is() {
        ("submit", "write") => {
            deed.event.prevent_default();
            if !untrack(|| lookup.landings(playground)).is_empty() {
                lookup.write(playground, 1);
            }
        }
        ("click", "write-many") => lookup.write(playground, MANY),
        ("input", "lookup") => lookup.text.set(deed.value()),
        _ => {}
    }
}
