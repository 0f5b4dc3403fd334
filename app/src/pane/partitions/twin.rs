//! The figure as text: the same partitions in a table.

use super::seen::Seen;
use super::statement::{name, unit_name, units};
use crate::text::count;
use crate::ui::patch::fill;

/// A row for each partition, in ring order.
pub fn twin(seen: &Seen) -> String {
    let so_far = if seen.running { ", so far" } else { "" };
    let unit = unit_name(seen.side);
    let mut rows = String::new();
    for partition in &seen.partitions {
        rows.push_str(&fill(
            "<tr><th scope=\"row\">{}</th><td class=\"mono\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{}</td><td class=\"mono\"><span data-key=\"{}\">{}</span></td></tr>",
            &[
                &name(partition),
                &range_text(partition.range),
                &count(units(partition.taken)),
                &count(partition.refused),
                &count(partition.items),
                partition.hottest.as_deref().unwrap_or_default(),
                partition.hottest.as_deref().unwrap_or("–"),
            ],
        ));
    }
    fill(
        "<div class=\"twin\"><table><caption>Partitions in second {}{}; each may take {} {} a second</caption><thead><tr>\
         <th scope=\"col\">Partition</th><th scope=\"col\">Hash range</th><th scope=\"col\" class=\"n\">Taken, {}</th>\
         <th scope=\"col\" class=\"n\">Refused</th><th scope=\"col\" class=\"n\">Items</th>\
         <th scope=\"col\">Hottest key</th></tr></thead><tbody>{!}</tbody><tfoot><tr><th scope=\"row\">Whole {}</th>\
         <td></td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td></td></tr></tfoot></table></div>",
        &[
            &seen.second.to_string(),
            so_far,
            &count(seen.ceiling as u64),
            unit,
            unit,
            &rows,
            if seen.index.is_some() { "index" } else { "table" },
            &count(units(seen.taken)),
            &count(seen.refused),
            &count(seen.items()),
        ],
    )
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
