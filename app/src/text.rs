//! Words of the page that are not part of a lens: typed keys, one place, so that a second language is one file.

use dynascope_engine::time::SimTime;

/// Label of the middle column.
pub const FIGURE: &str = "Figure";
/// Label of the right column.
pub const APPARATUS: &str = "Table and details";
/// Label of the phone's tabs.
pub const TABS: &str = "Panels";
/// Phone tab.
pub const TAB_ITEMS: &str = "Items";
/// Phone tab.
pub const TAB_ASK: &str = "Ask";
/// Phone tab.
pub const TAB_PARTITIONS: &str = "Partitions";
/// Phone tab.
pub const TAB_STORY: &str = "Text";
/// The same while a lesson is open.
pub const TAB_LESSON: &str = "Lesson";
/// A chunk did not come.
pub const NOT_FETCHED: &str = "A part of this page could not be fetched. Try again, or reload the page.";
/// Closes the notice.
pub const DISMISS: &str = "Dismiss";
/// Where local storage is blocked.
pub const NOT_KEPT: &str =
    "This browser keeps nothing here: settings and progress last until the tab closes. Share makes a link or a file.";
/// Name of the read lens.
pub const LENS_READ: &str = "Read window";
/// Name of the partition lens.
pub const LENS_PARTITIONS: &str = "Partitions";

/// Why a link could not be opened.
pub fn link_refused(message: &str) -> String {
    format!("This link could not be opened: {message}")
}

/// A count with thin groups: `287,000`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// An address names a scene that is none.
pub fn no_scene(slug: &str) -> String {
    ["There is no scene called ", slug, "; this is the first one."].concat()
}

/// Where a part first stands in a text, in bytes. For short texts: the standard library's search is quicker, and
/// larger than its use here.
pub fn place(text: &str, part: &str) -> Option<usize> {
    text.as_bytes().windows(part.len().max(1)).position(|window| window == part.as_bytes())
}

/// Does a text hold a part?
pub fn holds(text: &str, part: &str) -> bool {
    place(text, part).is_some()
}

/// A count with its noun: `1 item`, `34 items`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// Per mille as a percentage: `30 %`, `2.5 %`.
pub fn percent(per_mille: i64) -> String {
    if per_mille % 10 == 0 || per_mille >= 100 {
        let whole = (per_mille + 5) / 10;
        if whole < 0 { format!("{whole} %") } else { format!("{} %", count(whole as u64)) }
    } else {
        format!("{}.{} %", per_mille / 10, per_mille % 10)
    }
}

/// A moment as a clock shows it: `4.2 s`, `1 min 04 s`, `21 h 15 min`, `3 d 04 h`.
pub fn clock_text(now: SimTime) -> String {
    let tenths = now.0 / 100_000;
    let seconds = tenths / 10;
    if seconds < 60 {
        format!("{seconds}.{} s", tenths % 10)
    } else if seconds < 3_600 {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    } else if seconds < 86_400 {
        format!("{} h {:02} min", seconds / 3_600, seconds / 60 % 60)
    } else {
        format!("{} d {:02} h", seconds / 86_400, seconds / 3_600 % 24)
    }
}

/// The same without a tenth that is none: `30 s`.
pub fn short_clock_text(moment: SimTime) -> String {
    clock_text(moment).replace(".0 s", " s")
}

/// A moment to the hundredth of a second; to the ten-thousandth in the first second, where requests are told apart.
pub fn moment_text(at: SimTime) -> String {
    let step = if at.second() == 0 { 100 } else { 10_000 };
    SimTime(at.0 / step * step).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_reads_well() {
        assert_eq!(clock_text(SimTime(4_250_000)), "4.2 s");
        assert_eq!(clock_text(SimTime::from_secs(64)), "1 min 04 s");
        assert_eq!(clock_text(SimTime::from_secs(76_505)), "21 h 15 min");
        assert_eq!(clock_text(SimTime::from_secs(3 * 86_400 + 4 * 3_600)), "3 d 04 h");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(count(287_000), "287,000");
        assert_eq!(count(7), "7");
        assert_eq!(counted(1, "item", "items"), "1 item");
        assert!(holds("KeyConditionExpression", "Condition") && !holds("a", "Condition"));
        assert_eq!((place("a](b", "]("), place("", "x")), (Some(1), None));
        assert_eq!(percent(300), "30 %");
        assert_eq!(percent(25), "2.5 %");
        assert_eq!(percent(1050), "105 %");
    }
}
