//! What the table costs a month, and the dated prices that this is reckoned from: each can be changed.

use crate::playground::Playground;
use crate::ui::patch::{Deed, fill, set_value, truth};
use dynascope_engine::capacity::price::{MicroDollars, Prices, is_month};
use dynascope_engine::session::Session;
use leptos::prelude::*;
use serde_json::{Map, Value as Json};

/// Millionths in a dollar.
const MICROS: u64 = 1_000_000;
/// No unit costs a million dollars; larger figures could not be reckoned with.
const MOST: u64 = MICROS * MICROS;

/// What was typed and could not be taken: the field, the text and what is wrong with it.
#[derive(Clone, Copy)]
pub struct Editing(RwSignal<Option<(String, String, &'static str)>>);

impl Default for Editing {
    fn default() -> Self {
        Self(RwSignal::new(None))
    }
}

/// A price: its name in `data-do`, its name for people, its unit, and its place.
struct Field {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    get: fn(&Prices) -> String,
    set: fn(&mut Prices, &str) -> Result<(), &'static str>,
}

macro_rules! dollars {
    ($name:literal, $title:literal, $unit:literal, $place:ident) => {
        Field {
            name: $name,
            title: $title,
            unit: $unit,
            get: |prices| written(prices.$place),
            set: |prices, text| read_dollars(text).map(|price| prices.$place = price),
        }
    };
}

static FIELDS: [Field; 8] = [
    Field {
        name: "price-region",
        title: "Region",
        unit: "",
        get: |prices| prices.region.clone(),
        set: |prices, text| {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
            if text.is_empty() || text.len() > 30 || !text.chars().all(is_name) {
                return Err("a Region is written like us-east-1");
            }
            text.clone_into(&mut prices.region);
            Ok(())
        },
    },
    Field {
        name: "price-date",
        title: "Since",
        unit: "month",
        get: |prices| prices.as_of.clone(),
        set: |prices, text| {
            if !is_month(text) {
                return Err("a month is written like 2024-11");
            }
            text.clone_into(&mut prices.as_of);
            Ok(())
        },
    },
    dollars!("price-write-hour", "Write unit, provisioned", "$ an hour", write_unit_hour),
    dollars!("price-read-hour", "Read unit, provisioned", "$ an hour", read_unit_hour),
    dollars!("price-writes", "A million write units, on demand", "$", million_write_requests),
    dollars!("price-reads", "A million read units, on demand", "$", million_read_requests),
    dollars!("price-gigabyte", "A GB stored", "$ a month", gigabyte_month),
    Field {
        name: "price-free",
        title: "Stored without charge",
        unit: "GB",
        get: |prices| prices.free_gigabytes.to_string(),
        set: |prices, text| match text.parse() {
            Ok(gigabytes) if gigabytes <= MOST => {
                prices.free_gigabytes = gigabytes;
                Ok(())
            }
            _ => Err("a whole number of GB"),
        },
    },
];

/// Millionths of a dollar as dollars: `0.00065`, `0.25`.
fn written(micros: u64) -> String {
    let (whole, rest) = (micros / MICROS, micros % MICROS);
    let decimals = format!("{rest:06}");
    let decimals = decimals.trim_end_matches('0');
    format!("{whole}.{decimals:0<2}")
}

/// Dollars with up to six decimals.
fn read_dollars(text: &str) -> Result<u64, &'static str> {
    const WRONG: &str = "dollars, with at most six decimals, such as 0.00065";
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|letter| letter.is_ascii_digit());
    if whole.len() + decimals.len() == 0 || decimals.len() > 6 || !digits(whole) || !digits(decimals) {
        return Err(WRONG);
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| WRONG)? };
    let rest: u64 = format!("{decimals:0<6}").parse().map_err(|_| WRONG)?;
    let micros = whole.checked_mul(MICROS).and_then(|micros| micros.checked_add(rest));
    micros.filter(|micros| *micros <= MOST).ok_or("that is more than any price")
}

/// What the table costs a month, what the same requests would cost paid one by one, and the prices.
pub fn price(playground: Playground, editing: Editing) -> String {
    let table = playground.table.get();
    playground.version.track();
    let prices = playground.with(Session::prices);
    let Some(price) = playground.with(|session| session.price(&table, &prices)) else { return String::new() };
    let with = if price.arms.len() > 1 { ", its indexes included" } else { "" };
    let line = |what: &str, month: MicroDollars| {
        if month.0 > 0 {
            fill("<p>{}{}: <b>{}</b> a month.</p>", &[what, with, &month.to_string()])
        } else {
            String::new()
        }
    };
    let is_provisioned = price.arms.first().is_some_and(|arm| arm.provisioned.is_some());
    let provisioned = price.sum(|arm| arm.provisioned_month);
    let paid = if is_provisioned { line("Provisioned as it is", provisioned) } else { String::new() };
    let taken = line("What was taken, going on like this and paid on demand", price.sum(|arm| arm.on_demand_month));
    let own = if prices == Prices::default() {
        String::new()
    } else {
        "<button type=\"button\" class=\"say\" data-do=\"price-reset\">As they were</button>".to_owned()
    };
    let wrong = editing.0.get();
    let rows: String = FIELDS.iter().map(|field| row(field, &prices, wrong.as_ref())).collect();
    fill(
        "<section class=\"details-part\" aria-label=\"Price\"><h2>Price <span class=\"quiet\">{}, since {}</span></h2>{!}{!}\
         <div class=\"prices\">{!}</div><p class=\"note\">Change any of them. Taken from pages that agree, not from AWS’s own \
         tables. Storage is apart; refused requests cost nothing. {!}</p></section>",
        &[&prices.region, &prices.as_of, &paid, &taken, &rows, &own],
    )
}

fn row(field: &Field, prices: &Prices, wrong: Option<&(String, String, &'static str)>) -> String {
    let wrong = wrong.filter(|(name, ..)| name == field.name);
    let value = wrong.map_or_else(|| (field.get)(prices), |(_, text, _)| text.clone());
    let complaint = wrong.map_or("", |(.., complaint)| complaint);
    fill(
        "<label><span>{}</span><span class=\"prices-value\"><input class=\"type\" type=\"text\" autocomplete=\"off\" \
         spellcheck=\"false\" aria-invalid=\"{}\" data-do=\"{}\" data-value=\"{}\"><small>{}</small></span></label>\
         <p class=\"prices-wrong\" role=\"status\">{}</p>",
        &[field.title, truth(wrong.is_some()), field.name, &value, field.unit, complaint],
    )
}

/// What its controls do.
pub fn act(deed: &Deed, playground: Playground, editing: Editing) {
    if deed.is() == ("click", "price-reset") {
        editing.0.set(None);
        set(playground, &Prices::default());
        return;
    }
    let field = FIELDS.iter().find(|field| field.name == deed.name);
    let (Some(field), "change") = (field, deed.kind.as_str()) else { return };
    let typed = deed.value();
    let mut prices = playground.with(Session::prices);
    match (field.set)(&mut prices, typed.trim().trim_start_matches('$').trim()) {
        Ok(()) => {
            set_value(&deed.element, &(field.get)(&prices));
            editing.0.set(None);
            set(playground, &prices);
        }
        Err(complaint) => editing.0.set(Some((field.name.to_owned(), typed, complaint))),
    }
}

/// Puts prices into the scenario: those that differ from the built-in ones, and since when they hold.
fn set(playground: Playground, prices: &Prices) {
    let members = |prices: &Prices| match serde_json::to_value(prices) {
        Ok(Json::Object(members)) => members,
        _ => Map::new(),
    };
    let mut own = members(prices);
    if *prices == Prices::default() {
        own.clear();
    } else {
        let known = members(&Prices::default());
        own.retain(|name, price| name == "as_of" || known.get(name) != Some(price));
    }
    if let Err(failure) = playground.set_prices(own) {
        playground.complain(failure.message.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_read_and_written_to_the_millionth() {
        for (text, micros) in [("0.00065", 650), ("0.25", 250_000), ("1.50", 1_500_000), ("3.00", 3_000_000)] {
            assert_eq!((read_dollars(text), written(micros).as_str()), (Ok(micros), text));
        }
        assert_eq!((read_dollars("7"), read_dollars(".5")), (Ok(7_000_000), Ok(500_000)));
        for wrong in ["", ".", "-1", "0.0000001", "1,5", "1e3", "99999999999999999999", "1000001"] {
            assert!(read_dollars(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_field_takes_what_it_shows() {
        for field in &FIELDS {
            let mut prices = Prices::default();
            assert_eq!((field.set)(&mut prices, &(field.get)(&Prices::default())), Ok(()), "{}", field.name);
            assert_eq!(prices, Prices::default());
            assert!((field.set)(&mut prices, "?").is_err(), "{}", field.name);
        }
    }
}
