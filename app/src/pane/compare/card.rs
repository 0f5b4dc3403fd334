//! One of two runs: its design in words, a small figure of its partitions, its statement.

use super::Run;
use crate::pane::partitions::{
    COLUMNS_MAX, Seen, number_word, share_text, shown_places, statement, twin, unit_name, units,
};
use crate::text::{count, counted};
use crate::ui::patch::fill;

/// A design as a list of what was chosen.
pub fn design(seen: &Seen) -> [(bool, String); 4] {
    let key = seen.traffic.as_ref().map_or_else(String::new, |stream| stream.key.clone());
    let attributes =
        seen.traffic.as_ref().and_then(|stream| stream.attributes.as_ref()).map_or_else(String::new, |all| {
            all.iter().map(|(name, template)| format!("{name}: {template}")).collect::<Vec<_>>().join(", ")
        });
    let spread = match seen.keys.len() {
        0 => "many keys".to_owned(),
        1 => "one key".to_owned(),
        keys => format!("{} keys", number_word(keys as u64)),
    };
    let billing = match (seen.provisioned, seen.maximum) {
        (Some(paid), _) => format!("provisioned, {} {} a second", count(paid.max(0) as u64), unit_name(seen.side)),
        (None, Some(most)) => {
            format!("on demand, at most {} {} a second", count(most.max(0) as u64), unit_name(seen.side))
        }
        (None, None) => "on demand".to_owned(),
    };
    [(true, key), (true, attributes), (false, spread), (false, billing)]
}

/// The run; what differs from the other one's design is strong.
pub fn card(run: &Run, own: &[(bool, String); 4], other: &[(bool, String); 4], scale: f64, as_text: bool) -> String {
    let mut words = String::new();
    for ((is_code, text), (_, beside)) in own.iter().zip(other).filter(|((_, text), _)| !text.is_empty()) {
        let template = match (is_code, text == beside) {
            (true, true) => "<code>{}</code> ",
            (true, false) => "<b><code>{}</code></b> ",
            (false, true) => "<span>{}</span> ",
            (false, false) => "<b>{}</b> ",
        };
        words.push_str(&fill(template, &[text]));
    }
    let figure = if as_text { twin(&run.seen) } else { bars(run, scale) };
    fill(
        "<article class=\"cmp-run\" aria-label=\"{}\"><h3><b class=\"cmp-letter\">{}</b><span class=\"cmp-design\">{!}</span></h3>\
         {!}<p class=\"cmp-state\">{!}</p></article>",
        &[run.letter.text(), run.letter.text(), &words, &figure, &statement(&run.seen).what.html()],
    )
}

/// The partitions on one scale with those of the other run.
fn bars(run: &Run, scale: f64) -> String {
    let seen = &run.seen;
    let places = shown_places(seen);
    let mut columns = String::new();
    for &at in &places {
        let partition = &seen.partitions[at];
        let refused = if seen.is_table_limit() { 0 } else { partition.refused };
        columns.push_str(&fill(
            "<span class=\"cmp-column\" style=\"--bar-taken:{};--bar-refused:{}\"><i class=\"cmp-refused\"></i>\
             <i class=\"cmp-taken\"></i><small>{}</small></span>",
            &[
                &share_text(partition.taken.to_f64() / scale),
                &share_text(seen.refused_units(refused) / scale),
                &partition.id.to_string(),
            ],
        ));
    }
    let others = if places.len() < seen.partitions.len() {
        format!("the hottest of {}", counted(seen.partitions.len() as u64, "partition", "partitions"))
    } else {
        String::new()
    };
    let dense = if places.len() > COLUMNS_MAX / 2 { "true" } else { "false" };
    fill(
        "<div class=\"cmp-figure\" role=\"img\" aria-label=\"Partitions of {}: {}\" data-dense=\"{}\" style=\"--bar-ceil:{}\">\
         <div class=\"cmp-plot\">{!}<p class=\"cmp-ceiling\">{} each</p></div><p class=\"cmp-others\">{}</p></div>",
        &[
            run.letter.text(),
            &spoken(seen, &places),
            dense,
            &share_text(seen.ceiling as f64 / scale),
            &columns,
            &count(seen.ceiling as u64),
            &others,
        ],
    )
}

fn spoken(seen: &Seen, places: &[usize]) -> String {
    let mut words = Vec::new();
    for &at in places {
        let partition = &seen.partitions[at];
        words.push(format!(
            "{} took {} of {}, refused {}",
            partition.id,
            count(units(partition.taken)),
            count(seen.ceiling as u64),
            count(partition.refused)
        ));
    }
    words.join("; ")
}
