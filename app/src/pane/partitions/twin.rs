//! The figure as text: the same partitions in a table.

use super::seen::Seen;
use super::statement::{unit_name, units};
use crate::text::count;
use leptos::prelude::*;

/// A row for each partition, in ring order.
#[component]
pub fn PartitionTable(#[prop(into)] seen: Signal<Option<Seen>>) -> impl IntoView {
    let unit = move || seen.with(|seen| seen.as_ref().map_or("", |seen| unit_name(seen.side)));
    let caption = move || {
        seen.with(|seen| {
            seen.as_ref().map_or(String::new(), |seen| {
                let so_far = if seen.running { ", so far" } else { "" };
                format!(
                    "Partitions in second {}{so_far}; each may take {} {} a second",
                    seen.second,
                    count(seen.ceiling as u64),
                    unit_name(seen.side)
                )
            })
        })
    };
    view! {
        <div class="twin">
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Partition"</th>
                        <th scope="col">"Hash range"</th>
                        <th scope="col" class="n">"Taken, " {unit}</th>
                        <th scope="col" class="n">"Refused"</th>
                        <th scope="col" class="n">"Items"</th>
                        <th scope="col">"Hottest key"</th>
                    </tr>
                </thead>
                <tbody>{move || seen.with(|seen| seen.as_ref().map(rows))}</tbody>
                <tfoot>{move || seen.with(|seen| seen.as_ref().map(total))}</tfoot>
            </table>
        </div>
    }
}

fn rows(seen: &Seen) -> impl IntoView + use<> {
    seen.partitions
        .iter()
        .map(|partition| {
            view! {
                <tr>
                    <th scope="row">{partition.id.to_string()}</th>
                    <td class="mono">{range_text(partition.range)}</td>
                    <td class="n">{count(units(partition.taken))}</td>
                    <td class="n">{count(partition.refused)}</td>
                    <td class="n">{count(partition.items)}</td>
                    <td class="mono">{partition.hottest.clone().unwrap_or_else(|| "–".to_owned())}</td>
                </tr>
            }
        })
        .collect_view()
}

fn total(seen: &Seen) -> impl IntoView + use<> {
    view! {
        <tr>
            <th scope="row">"Whole table"</th>
            <td></td>
            <td class="n">{count(units(seen.taken))}</td>
            <td class="n">{count(seen.refused)}</td>
            <td class="n">{count(seen.items())}</td>
            <td></td>
        </tr>
    }
}

/// The first four digits of the first and last hash: `0000 … 3fff`.
fn range_text((start, end): (f64, f64)) -> String {
    const STEPS: f64 = 65_536.0;
    format!("{:04x} … {:04x}", (start * STEPS) as u32, ((end * STEPS) as u32).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_meet() {
        assert_eq!(range_text((0.0, 0.25)), "0000 … 3fff");
        assert_eq!(range_text((0.25, 1.0)), "4000 … ffff");
    }
}
