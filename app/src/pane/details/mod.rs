//! Beside the partition lens: which limit was hit, the refusals one by one and why, the hottest keys, what was saved,
//! what CloudWatch shows, what it costs.
//!
//! Each part is a function from the session to markup in a file of its own; this one puts them together and hands on
//! what their controls do.

mod keys;
mod lamps;
mod log;
mod prices;
mod remedy;
mod scaling;
mod splits;
mod tank;
mod why;

use super::minutes::minutes;
use super::model::Door;
use super::partitions::seen;
use crate::playground::Playground;
use crate::ui::patch::{fill, live};
use crate::ui::sheet;
use leptos::prelude::*;

/// The column's own rules, which nothing before it needs.
const STYLE: &str = include_str!("../../../style/details.css");

/// The column.
pub fn details(playground: Playground) -> AnyView {
    let log = log::Log::default();
    let prices = prices::Editing::default();
    let door = Door::new(playground);
    let render = move || {
        let Some(seen) = seen(playground) else { return String::new() };
        fill(
            "<div class=\"details\"><p class=\"details-head\"><button type=\"button\" class=\"say\" data-do=\"model\">Model: what \
             is true, and every constant</button></p>{!}{!}{!}{!}{!}{!}{!}{!}</div>",
            &[
                &lamps::lamp_list(&seen),
                &log.refusals(playground),
                &keys::hottest(playground, &seen),
                &tank::tank(playground, seen.side),
                &scaling::scaling(playground),
                &splits::splits(playground),
                &minutes(playground, seen.side),
                &prices::price(playground, prices),
            ],
        )
    };
    let column = live(render, move |deed| {
        door.act(deed);
        log.act(deed, playground);
        keys::act(deed, playground);
        prices::act(deed, playground, prices);
    });
    sheet::wear("details", STYLE);
    vec![column, door.dialog()].into_any()
}
