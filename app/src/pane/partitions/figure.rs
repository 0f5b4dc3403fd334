//! The partition figure: columns on the hash line, the whole table beside them on the same scale.
//!
//! HTML placed by custom properties, so that text keeps its size; where the figure is narrow the style sheet
//! turns it on its side.

use super::landing::Landing;
use super::measure::share_text as share;
use super::picture::{About, Column, Words, picture};
use super::pins::Pin;
use super::seen::Seen;
use super::whole::Whole;
use crate::text::count;
use crate::ui::patch::{fill, truth};

/// Partitions in the second shown, and where the keys of `probe` land.
pub fn figure(seen: &Seen, probe: &[Landing]) -> String {
    let drawn = picture(seen, probe);
    let reason = drawn.reason.as_deref().unwrap_or_default();
    let columns: String = drawn.columns.iter().map(|one| column(one, reason)).collect();
    let pins: String = drawn.pins.iter().map(pin).collect();
    let is_capacity = drawn.about == About::Capacity;
    let name = if seen.index.is_some() { "whole index" } else { "whole table" };
    let whole = if is_capacity { whole(&drawn.whole, name) } else { String::new() };
    fill(
        "<figure class=\"parts\" aria-label=\"Partitions\" data-about=\"{}\" data-dense=\"{}\" data-lonely=\"{}\" \
         data-words=\"{}\" style=\"--bar-ceil:{}\"><div class=\"parts-body\"><div class=\"parts-stage\">\
         <p class=\"parts-reason\">{}</p><p class=\"parts-ceiling\" aria-hidden=\"true\"><span class=\"parts-ceiling-text\">\
         ceiling <span>of each partition: </span>{}<span> a second</span></span></p><ol class=\"parts-line\">{!}</ol>\
         <ul class=\"parts-pins\" aria-hidden=\"true\">{!}</ul><p class=\"parts-axis\" data-long=\"{}\" aria-hidden=\"true\">{}</p></div>{!}\
         </div></figure>",
        &[
            if is_capacity { "capacity" } else { "items" },
            truth(drawn.columns.len() > 8),
            truth(drawn.lonely),
            match drawn.words {
                Words::Right => "right",
                Words::Left => "left",
                Words::Beside => "beside",
            },
            &share(drawn.ceiling),
            reason,
            &drawn.ceiling_text,
            &columns,
            &pins,
            truth(drawn.others.is_some()),
            drawn.others.as_deref().unwrap_or("hash"),
            &whole,
        ],
    )
}

fn column(column: &Column, reason: &str) -> String {
    let state = match (&column.refused, column.bars.0 > 0.0) {
        (Some(_), _) => "refusing",
        (None, true) => "busy",
        (None, false) => "idle",
    };
    let (items, noun) = match column.items {
        Some(items) => (count(items), if items == 1 { "item" } else { "items" }),
        None => (String::new(), ""),
    };
    fill(
        "<li class=\"part\" data-state=\"{}\" data-probed=\"{}\" data-inside=\"{}\" data-right=\"{}\" \
         style=\"--bar-from:{};--bar-span:{};--bar-taken:{};--bar-refused:{}\"><span class=\"vh\">{}</span>\
         <span class=\"part-name\" aria-hidden=\"true\"><b>{}</b><small>{}<span> {}</span></small></span>\
         <span class=\"part-bar\" aria-hidden=\"true\"><i class=\"part-room\"></i><i class=\"part-refused\"></i>\
         <i class=\"part-taken\"></i><span class=\"part-number\">{}</span><span class=\"part-cry\"><b>{}</b>\
         <span> refused</span><code>{}</code></span><span class=\"part-dots\">{!}</span></span></li>",
        &[
            state,
            truth(column.probed),
            truth(column.number_inside),
            truth(column.place.0 + column.place.1 / 2.0 > 0.55),
            &share(column.place.0),
            &share(column.place.1),
            &share(column.bars.0),
            &share(column.bars.1),
            &column.spoken,
            &column.id.to_string(),
            &items,
            noun,
            &column.number,
            column.refused.as_deref().unwrap_or_default(),
            reason,
            &"<i></i>".repeat(column.dots as usize),
        ],
    )
}

fn pin(pin: &Pin) -> String {
    // A long word at either end of the line is set inwards.
    let edge = match pin.at {
        at if at < 0.08 => "start",
        at if at > 0.92 => "end",
        _ => "none",
    };
    fill(
        "<li data-probed=\"{}\" data-edge=\"{}\" style=\"--bar-at:{}\"><i></i><code data-key=\"{}\">{}</code></li>",
        &[truth(pin.probed), edge, &share(pin.at), &pin.key, &pin.label],
    )
}

fn whole(whole: &Whole, name: &str) -> String {
    let cry = whole.refused.as_ref().map_or(String::new(), |refused| format!("{refused} refused"));
    fill(
        "<div class=\"whole\" data-paid=\"{}\" data-inside=\"{}\" data-over=\"{}\" \
         data-long=\"{}\" data-tight=\"{}\" style=\"--bar-taken:{};--bar-refused:{};--bar-paid:{}\"><span class=\"whole-name\">{}</span>\
         <span class=\"whole-bar\"><i class=\"whole-room\"></i><i class=\"part-refused\"></i><i class=\"part-taken\"></i>\
         <span class=\"part-number\">{}</span><span class=\"whole-rest\">{}</span><span class=\"whole-paid\">{}</span>\
         <span class=\"whole-cry\">{}</span></span></div>",
        &[
            truth(whole.paid.is_some()),
            truth(whole.number_inside),
            truth(whole.paid.is_some_and(|paid| paid < whole.bars.0)),
            truth(whole.bars.0 > 0.6),
            truth(whole.tight),
            &share(whole.bars.0),
            &share(whole.bars.1),
            // Without a line its words stand above what was taken.
            &share(whole.paid.unwrap_or(whole.bars.0)),
            name,
            &whole.number,
            &whole.rest,
            &whole.paid_text,
            &cry,
        ],
    )
}
