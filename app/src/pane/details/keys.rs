//! The hottest keys, of this second and of the last minute. A click lights a key wherever it stands.

use crate::pane::partitions::{Seen, SeenKey, hottest_keys, key_text, landing_of, share_text, units};
use crate::playground::Playground;
use crate::text::{count, percent};
use crate::ui::patch::{Deed, fill, truth};
use dynascope_engine::metrics::{Contributor, TopKeys};
use leptos::prelude::*;

/// Hottest keys that are shown.
const KEYS: usize = 5;

/// The part of the column.
pub fn hottest(playground: Playground, seen: &Seen) -> String {
    let (table, index) = (playground.table.get(), playground.index.get());
    let keys = playground.with(|session| {
        let metrics = session.metrics().arm(session.database().slot(&table)?, playground.arm(session))?;
        Some(hottest_keys(metrics, &seen.partitions, seen.second, KEYS))
    });
    let asked = (seen.accepted + seen.refused).max(1);
    let mut rows = String::new();
    for SeenKey { key, requests } in keys.unwrap_or_default() {
        let per_mille = (requests * 1000 / asked).min(1000);
        rows.push_str(&fill(
            "<li>{!}<span class=\"n\">{} of {}</span>{!}</li>",
            &[&key_button(playground, &key), &percent(per_mille as i64), &count(asked), &share_bar(per_mille)],
        ));
    }
    let none = match (rows.is_empty(), seen.accepted + seen.refused) {
        (false, _) => "",
        (true, 0) => "<p class=\"note\">Nothing was asked for.</p>",
        (true, _) => "<p class=\"note\">No key stands out among the others.</p>",
    };
    let top = playground.with(|session| session.top_keys(&table, index.as_deref())).unwrap_or_default();
    fill(
        "<section class=\"details-part\" aria-label=\"Hottest keys\"><h2>Hottest keys <span class=\"quiet\">this second</span>\
         </h2><ol class=\"hot\">{!}</ol>{!}{!}{!}</section>",
        &[&rows, none, &lit(playground), &insights(playground, &top)],
    )
}

/// What the lit key is and where it lies: what the marks show, in words.
fn lit(playground: Playground) -> String {
    let Some(key) = playground.lit.get() else { return String::new() };
    let place = landing_of(playground, &key).map_or(String::new(), |landing| {
        let ten_thousandths = ((landing.at * 10_000.0).round() as u64).min(9_999);
        let table = playground.table.get_untracked();
        let id = playground.with(|session| {
            let table = session.database().get(&table)?;
            Some(table.arms[playground.arm(session)].partitions.iter().nth(landing.partition)?.id.to_string())
        });
        format!(" It stands at 0.{ten_thousandths:04} of the hash line, on {}.", id.unwrap_or_default())
    });
    fill("<p class=\"note\" role=\"status\"><code>{}</code> is marked wherever it shows.{}</p>", &[&key, &place])
}

/// The last minute, as contributor insights count it: most accessed by throughput, most throttled by refusals.
fn insights(playground: Playground, top: &TopKeys) -> String {
    if top.accessed.is_empty() && top.throttled.is_empty() {
        return String::new();
    }
    let units_of = |key: &Contributor| units(key.throughput);
    let accessed: u64 = top.accessed.iter().map(units_of).sum();
    let throttled: u64 = top.throttled.iter().map(|key| key.throttled).sum();
    let list = |keys: &[Contributor], all: u64, what: &dyn Fn(&Contributor) -> u64| -> String {
        let row = |key: &Contributor| {
            let per_mille = (what(key).saturating_mul(1000) / all.max(1)).min(1000);
            fill(
                "<li>{!}<span class=\"n\">{} · {}</span>{!}</li>",
                &[
                    &key_button(playground, &key_text(key.key.clone())),
                    &count(what(key)),
                    &percent(per_mille as i64),
                    &share_bar(per_mille),
                ],
            )
        };
        keys.iter().take(KEYS).map(row).collect()
    };
    let none = if top.throttled.is_empty() { "<li class=\"quiet\">None was refused.</li>" } else { "" };
    fill(
        "<details class=\"insights\"><summary>The last {} s, as Contributor Insights</summary>\
         <h3>Most accessed <span class=\"quiet\"><code>ConsumedThroughputUnits</code></span></h3><ol class=\"hot\">{!}</ol>\
         <h3>Most throttled <span class=\"quiet\"><code>ThrottleCount</code></span></h3><ol class=\"hot\">{!}{!}</ol>\
         <p class=\"note\">Throughput is 3 × write units + read units. At most 25 keys of each list are kept; shares are of \
         the keys listed.</p></details>",
        &[
            &(top.to - top.from).to_string(),
            &list(&top.accessed, accessed, &units_of),
            &list(&top.throttled, throttled, &|key| key.throttled),
            none,
        ],
    )
}

/// A key as a button that lights it.
pub fn key_button(playground: Playground, key: &str) -> String {
    let is_lit = playground.lit.with(|lit| lit.as_deref() == Some(key));
    fill(
        "<button type=\"button\" class=\"key\" aria-pressed=\"{}\" title=\"Mark this key wherever it shows\" data-do=\"lit\" \
         data-key=\"{}\"><code>{}</code></button>",
        &[truth(is_lit), key, key],
    )
}

/// A bar as long as a share is large.
pub fn share_bar(per_mille: u64) -> String {
    fill(
        "<i class=\"share\" aria-hidden=\"true\"><i style=\"width:{}\"></i></i>",
        &[&share_text(per_mille as f64 / 1000.0)],
    )
}

/// What its controls do.
pub fn act(deed: &Deed, playground: Playground) {
    if deed.is() != ("click", "lit") {
        return;
    }
    let key = deed.element.get_attribute("data-key").unwrap_or_default();
    let was_lit = playground.lit.with_untracked(|lit| lit.as_ref() == Some(&key));
    let lit = (!was_lit).then_some(key);
    mark(lit.as_deref());
    playground.lit.set(lit);
}

/// Marks what carries the key in `data-key`, on the whole page.
fn mark(key: Option<&str>) {
    const ID: &str = "lit-key";
    let document = document();
    let sheet = document.get_element_by_id(ID).or_else(|| {
        let sheet = document.create_element("style").ok()?;
        sheet.set_id(ID);
        document.head()?.append_child(&sheet).ok()?;
        Some(sheet)
    });
    if let Some(sheet) = sheet {
        sheet.set_text_content(key.map(rule).as_deref());
    }
}

/// The rule for one key, whatever it is made of.
fn rule(key: &str) -> String {
    let mut quoted = String::new();
    for letter in key.chars() {
        if letter.is_ascii_alphanumeric() {
            quoted.push(letter);
        } else {
            let code = format!("\\{:x} ", u32::from(letter));
            quoted.push_str(&code);
        }
    }
    format!(
        "[data-key=\"{quoted}\"]{{outline:1.5px solid var(--ink);outline-offset:2px;border-radius:2px;font-weight:700}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_holds_any_key() {
        assert!(rule("PENDING").starts_with("[data-key=\"PENDING\"]{"));
        assert!(rule("a\"#\n").starts_with("[data-key=\"a\\22 \\23 \\a \"]{"));
    }
}
