//! The one control of a partition embed.

use crate::pane::partitions::{Landing, Lookup, edit_traffic, template_keys, way_text};
use crate::playground::Playground;
use crate::ui::patch::{Deed, disabled, fill};
use leptos::prelude::*;

/// Stops of the slider.
const STOPS: [u64; 5] = [1, 2, 5, 10, 20];
/// What a message may ask for.
const SUFFIXES_MAX: u64 = 64;
const KEY: &str = "PENDING";

/// How many keys the traffic is spread over.
pub fn suffixes(playground: Playground) -> u64 {
    playground
        .traffic
        .with(|streams| streams.first().map_or(1, |stream| template_keys(&stream.key).len().max(1) as u64))
}

/// Spreads the traffic over so many suffixes; one means none.
pub fn spread(playground: Playground, over: u64) {
    let over = over.clamp(1, SUFFIXES_MAX);
    let key = if over == 1 { KEY.to_owned() } else { format!("{KEY}#{{0..{}}}", over - 1) };
    edit_traffic(playground, |stream| stream.key = key);
}

/// Spread the key over − 1 + suffixes.
pub fn spread_html(playground: Playground) -> String {
    let number = suffixes(playground);
    let stop = STOPS.iter().rposition(|stop| *stop <= number).unwrap_or(0).to_string();
    let number = number.to_string();
    let noun = if number == "1" { "suffix" } else { "suffixes" };
    let stops: String = STOPS.iter().map(|stop| fill("<span>{}</span>", &[&stop.to_string()])).collect();
    fill(
        "<div class=\"spread\" role=\"group\" aria-label=\"Spread the key\"><span class=\"spread-ask\">Spread the key over\
         </span><button type=\"button\" aria-label=\"Fewer suffixes\" data-do=\"fewer\">−</button>\
         <span class=\"spread-track\"><input type=\"range\" min=\"0\" max=\"4\" step=\"1\" aria-label=\"Suffixes\" \
         aria-valuetext=\"{} {}\" data-do=\"suffixes\" data-value=\"{}\"><span class=\"spread-stops\" aria-hidden=\"true\">\
         {!}</span></span><button type=\"button\" aria-label=\"More suffixes\" data-do=\"more\">+</button>\
         <output class=\"spread-ask\"><b>{}</b> {}</output></div>",
        &[&number, noun, &stop, &stops, &number, noun],
    )
}

/// What its controls do.
pub fn act(deed: &Deed, playground: Playground) {
    let now = untrack(|| suffixes(playground));
    let to = match deed.is() {
        ("click", "more") => STOPS.iter().find(|stop| **stop > now),
        ("click", "fewer") => STOPS.iter().rev().find(|stop| **stop < now),
        ("input", "suffixes") => deed.value().parse::<usize>().ok().and_then(|stop| STOPS.get(stop)),
        _ => None,
    };
    if let Some(to) = to {
        spread(playground, *to);
    }
}

/// A key, where it leads, and two ways to write it.
pub fn write_html(playground: Playground, lookup: Lookup, landings: &[Landing]) -> String {
    let way = way_text(playground, landings).map_or(String::new(), |(hash, place)| format!("{hash}{place}"));
    let off = disabled(landings.is_empty());
    fill(
        "<form class=\"write\" aria-label=\"Write a key\" data-do=\"write\"><input class=\"type\" type=\"text\" \
         spellcheck=\"false\" autocomplete=\"off\" autocapitalize=\"off\" aria-label=\"Partition key\" data-do=\"lookup\" \
         data-value=\"{}\"><button type=\"submit\" class=\"do\"{!}>Write it</button><button type=\"button\" class=\"say\" \
         data-do=\"write-many\"{!}>8 times</button><p class=\"write-way\" role=\"status\">{}</p></form>",
        &[&lookup.text.get(), off, off, &way],
    )
}
