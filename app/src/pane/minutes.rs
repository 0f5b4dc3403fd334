//! What CloudWatch would show: a minute's sum ÷ 60, beside which the single seconds tell another story.

use super::partitions::unit_name;
use crate::playground::Playground;
use crate::text::{count, percent, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::capacity::Side;
use dynascope_engine::metrics::MinuteMetrics;
use dynascope_engine::time::SimTime;

/// Minutes in the table.
const ROWS: usize = 4;
/// Minutes in the figure.
const POINTS: u64 = 6;
/// Width and height of the figure, in its own units.
const SIZE: (f64, f64) = (200.0, 100.0);

/// The names of a side's metrics: consumed, provisioned, throttled.
const fn names(side: Side) -> [&'static str; 3] {
    match side {
        Side::Read => ["ConsumedReadCapacityUnits", "ProvisionedReadCapacityUnits", "ReadThrottleEvents"],
        Side::Write => ["ConsumedWriteCapacityUnits", "ProvisionedWriteCapacityUnits", "WriteThrottleEvents"],
    }
}

/// The latest minutes that have ended, as a table.
pub fn minutes(playground: Playground, side: Side) -> String {
    let (table, index) = (playground.table.get(), playground.index.get());
    let minutes = playground.with(|session| session.cloudwatch(&table, index.as_deref())).unwrap_or_default();
    let rows: String = minutes.iter().rev().take(ROWS).map(|minute| row(minute, side)).collect();
    let [consumed, provisioned, throttled] = names(side);
    let body = if rows.is_empty() {
        let now = playground.telemetry.with(|telemetry| telemetry.as_ref().map_or(0, |t| t.now.second()));
        fill(
            "<p class=\"note\">A minute is published when it ends: the next is due at {}.</p>",
            &[&short_clock_text(SimTime::from_secs((now / 60 + 1) * 60))],
        )
    } else {
        fill(
            "<table class=\"minutes\"><caption class=\"vh\">Minutes that have ended, the latest first</caption><thead><tr>\
             <th scope=\"col\">minute</th><th scope=\"col\">units a second</th><th scope=\"col\">of table</th>\
             <th scope=\"col\">throttled</th></tr></thead><tbody>{!}</tbody></table>",
            &[&rows],
        )
    };
    fill(
        "<section class=\"details-part\" aria-label=\"CloudWatch\"><h2>CloudWatch <span class=\"quiet\">minute by minute</span></h2>\
         {!}<p class=\"note\"><code>{}</code>, the sum ÷ 60; <code>{}</code>; <code>{}</code>. Limits are per second, graphs per \
         minute.</p></section>",
        &[&body, consumed, provisioned, throttled],
    )
}

fn mean_text(minute: &MinuteMetrics, side: Side) -> String {
    let mean = minute.mean_thousandths(side);
    match mean {
        0..10_000 => format!("{}.{:02}", mean / 1000, mean % 1000 / 10),
        _ => count((mean.max(0) as u64 + 500) / 1000),
    }
}

fn row(minute: &MinuteMetrics, side: Side) -> String {
    let throttled = u64::from(minute.sums.throttle_events(side));
    fill(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td{!}>{}</td></tr>",
        &[
            &minute.sums.minute().to_string(),
            &mean_text(minute, side),
            &minute.used_per_mille(side).map_or_else(|| "–".to_owned(), percent),
            if throttled > 0 { " class=\"r\"" } else { "" },
            &count(throttled),
        ],
    )
}

/// The same beside the seconds and on their scale: a calm line, dashed up to the minute that is not due yet. `top` is the
/// scale's top and `paid` what is paid for, in units a second.
pub fn figure(playground: Playground, side: Side, top: f64, paid: Option<f64>) -> String {
    let (table, index) = (playground.table.get_untracked(), playground.index.get_untracked());
    let (all, now) =
        playground.with(|session| (session.cloudwatch(&table, index.as_deref()).unwrap_or_default(), session.now()));
    let minute = now.second() / 60;
    let first = (minute + 1).saturating_sub(POINTS);
    let shown: Vec<&MinuteMetrics> = all.iter().filter(|one| one.sums.minute() >= first).collect();
    let points: Vec<(f64, f64)> = (first..minute)
        .map(|at| {
            // A minute that is not there was quiet.
            let mean = shown.iter().find(|one| one.sums.minute() == at).map_or(0, |one| one.mean_thousandths(side));
            place(at - first, mean as f64 / 1000.0, top)
        })
        .collect();
    let due = short_clock_text(SimTime::from_secs((minute + 1) * 60));
    let said = match shown.last() {
        None => format!("No minute has ended; the first is due at {due}."),
        Some(last) => format!(
            "The last whole minute: {} {} a second{}, {} throttled. The next is due at {due}.",
            mean_text(last, side),
            unit_name(side),
            last.used_per_mille(side).map_or(String::new(), |used| format!(", {} of what is paid for", percent(used))),
            count(u64::from(last.sums.throttle_events(side))),
        ),
    };
    let paid = paid.map_or(String::new(), |paid| {
        let (_, y) = place(0, paid, top);
        fill("<path class=\"minute-paid\" d=\"M0 {}H{}\"/>", &[&length(y), &length(SIZE.0)])
    });
    fill(
        "<figure class=\"minute-figure\"><h3>CloudWatch <span class=\"quiet\">each minute</span></h3><svg viewBox=\"0 0 200 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\">\
         {!}{!}<path class=\"minute-axis\" d=\"M0 100H200\"/></svg><figcaption><span>{}</span><span>{}</span></figcaption></figure>",
        &[&said, &paid, &line(&points, minute - first), &axis(first), &["due at ", &due].concat()],
    )
}

/// The points, the line through them, and the dashes up to the one that is due.
fn line(points: &[(f64, f64)], running: u64) -> String {
    let mut path = String::new();
    let mut dots = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        path.push_str(&[if at == 0 { "M" } else { "L" }, &length(*x), " ", &length(*y)].concat());
        // Round whatever the stretch: a stroke without length.
        dots.push_str(&fill("<path class=\"minute-dot\" d=\"M{} {}h0\"/>", &[&length(*x), &length(*y)]));
    }
    let (to, _) = place(running, 0.0, 1.0);
    let due = match points.last() {
        Some((x, y)) => fill("<path class=\"minute-due\" d=\"M{} {}H{}\"/>", &[&length(*x), &length(*y), &length(to)]),
        None => fill("<path class=\"minute-due\" d=\"M0 99H{}\"/>", &[&length(to)]),
    };
    fill("<path class=\"minute-line\" d=\"{}\"/>{!}{!}", &[&path, &due, &dots])
}

/// Where a minute's point stands: at the end of its minute.
fn place(at: u64, units: f64, top: f64) -> (f64, f64) {
    let x = SIZE.0 * (at as f64 + 1.0) / (POINTS as f64 + 0.5);
    let y = SIZE.1 * (1.0 - (units / top.max(1.0)).min(1.0));
    (x, y)
}

fn length(length: f64) -> String {
    crate::ui::html::Html::new().tenths(length).finish()
}

fn axis(first: u64) -> String {
    short_clock_text(SimTime::from_secs(first * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_at_the_end_of_their_minute_and_the_next_is_dashed() {
        let height = |units| length(place(0, units, 1000.0).1);
        assert_eq!((height(500.0), height(5000.0)), ("50".into(), "0".into()));
        let drawn = line(&[(30.0, 50.0), (60.0, 40.0)], 2);
        assert!(drawn.contains("M30 50L60 40") && drawn.contains("class=\"minute-due\" d=\"M60 40H92.3\""), "{drawn}");
        assert!(line(&[], 0).contains("M0 99H30.8"));
    }
}
