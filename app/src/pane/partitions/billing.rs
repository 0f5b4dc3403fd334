//! What the table pays for: units a second, or each request.

use super::slot::{Slot, whole};
use super::traffic::first;
use crate::playground::Playground;
use dynascope_engine::capacity::Side;
use leptos::prelude::*;

/// Units that a table gets when it goes back from on-demand: reads and writes.
const PROVISIONED_FIRST: (i64, i64) = (100, 3_333);
/// What a table may pay for without asking AWS.
const UNITS_MAX: u64 = 40_000;

/// The end of the traffic's sentence.
#[component]
pub fn BillingSlot() -> impl IntoView {
    let playground = Playground::expect();
    let provisioned = Memo::new(move |_| playground.telemetry.with(|telemetry| telemetry.as_ref()?.provisioned));
    let side = Memo::new(move |_| first(playground).map_or(Side::Write, |stream| super::seen::side_of(&stream)));
    let last = StoredValue::new(PROVISIONED_FIRST);
    let report = move |outcome: dynascope_engine::session::Outcome| {
        if let Err(failure) = outcome.result {
            playground.complain(failure.headline());
        }
    };
    let choose = move |event| {
        if event_target_value(&event) == "on-demand" {
            if let Some(units) = provisioned.get_untracked() {
                last.set_value(units);
            }
            report(playground.set_on_demand());
        } else {
            let (read, write) = last.get_value();
            report(playground.set_provisioned(read, write));
        }
    };
    let units = Memo::new(move |_| {
        let (read, write) = provisioned.get().unwrap_or(PROVISIONED_FIRST);
        if side.get() == Side::Read { read as u64 } else { write as u64 }
    });
    let change = move |units: u64| {
        let (read, write) = provisioned.get_untracked().unwrap_or(PROVISIONED_FIRST);
        report(match side.get_untracked() {
            Side::Read => playground.set_provisioned(units as i64, write),
            Side::Write => playground.set_provisioned(read, units as i64),
        });
    };
    let on_demand = move || provisioned.get().is_none();
    view! {
        <select class="pick" aria-label="Billing mode" on:change=choose prop:value=move || if on_demand() { "on-demand" } else { "provisioned" }>
            <option value="provisioned" selected=move || !on_demand()>"pays for"</option>
            <option value="on-demand" selected=on_demand>"pays on demand"</option>
        </select>
        <Show when=move || !on_demand()>
            " "
            <Slot label="Provisioned units" value=units reading=whole((1, UNITS_MAX)) on_change=change />
            " "
            {move || super::statement::unit_name(side.get())}
        </Show>
    }
}
