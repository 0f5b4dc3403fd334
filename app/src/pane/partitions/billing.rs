//! What the table pays for: units a second, or each request.

use super::slot::{Reading, slid, slot, whole};
use super::statement::unit_name;
use super::traffic::first;
use crate::playground::Playground;
use crate::ui::patch::{Deed, fill};
use dynascope_engine::capacity::Side;
use leptos::prelude::*;

/// Units that a table gets when it goes back from on-demand: reads and writes.
pub const PROVISIONED_FIRST: (i64, i64) = (100, 3_333);
/// What a table may pay for without asking AWS.
const READING: Reading = whole((1, 40_000));

/// The end of the traffic's sentence.
pub fn billing(playground: Playground) -> String {
    let provisioned = provisioned(playground);
    let options = fill(
        "<select class=\"pick\" aria-label=\"Billing mode\" data-do=\"billing\" data-value=\"{}\">\
         <option value=\"provisioned\">pays for</option><option value=\"on-demand\">pays on demand</option></select>",
        &[if provisioned.is_some() { "provisioned" } else { "on-demand" }],
    );
    let Some(units) = provisioned else { return options };
    let side = side(playground);
    let slot = slot("units", "Provisioned units", units_of(units, side), READING);
    fill("{!} {!} {}", &[&options, &slot, unit_name(side)])
}

/// What its controls do; `last` is what the table paid for before it went on-demand.
pub fn bill(deed: &Deed, playground: Playground, last: StoredValue<(i64, i64)>) {
    let provisioned = untrack(|| provisioned(playground));
    let outcome = match (deed.is(), provisioned) {
        (("change", "billing"), Some(units)) if deed.value() == "on-demand" => {
            last.set_value(units);
            playground.set_on_demand()
        }
        (("change", "billing"), None) if deed.value() == "provisioned" => {
            let (read, write) = last.get_value();
            playground.set_provisioned(read, write)
        }
        ((_, "units"), Some((read, write))) => {
            let side = untrack(|| side(playground));
            match (slid(deed, playground, units_of((read, write), side), READING), side) {
                (None, _) => return,
                (Some(units), Side::Read) => playground.set_provisioned(units as i64, write),
                (Some(units), Side::Write) => playground.set_provisioned(read, units as i64),
            }
        }
        _ => return,
    };
    if let Err(failure) = outcome.result {
        playground.complain(failure.headline());
    }
}

/// What the table in focus pays for: read and write units a second; `None` on demand. Tracked.
pub fn provisioned(playground: Playground) -> Option<(i64, i64)> {
    // Of the table, whichever of its indexes is looked at.
    let table = playground.telemetry.with(|telemetry| Some(telemetry.as_ref()?.table.clone()))?;
    playground.with(|session| session.database().get(&table)?.base().settings().billing.provisioned())
}

fn side(playground: Playground) -> Side {
    first(playground).map_or(Side::Write, |stream| super::seen::side_of(&stream))
}

const fn units_of((read, write): (i64, i64), side: Side) -> u64 {
    match side {
        Side::Read => read as u64,
        Side::Write => write as u64,
    }
}
