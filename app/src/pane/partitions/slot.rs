//! A number inside a sentence: typed, or stepped along 1, 2, 5, 10.

use crate::playground::Playground;
use crate::ui::patch::{Deed, fill, set_value};
use wasm_bindgen::JsCast;
use web_sys::KeyboardEvent;

/// How a number is written and read, and how far it may go.
#[derive(Clone, Copy)]
pub struct Reading {
    /// As it stands in the sentence.
    pub write: fn(u64) -> String,
    /// What a person typed; `None` if it is no number.
    pub read: fn(&str) -> Option<u64>,
    /// Smallest and largest.
    pub bounds: (u64, u64),
    /// The next one up or down.
    pub step: fn(u64, bool) -> u64,
}

/// A whole number: `5,000`.
pub const fn whole(bounds: (u64, u64)) -> Reading {
    Reading { write: crate::text::count, read: read_whole, bounds, step: ladder }
}

/// A size in bytes: `1 KB`, `3.5 KB`, `400 B`.
pub const fn size(bounds: (u64, u64)) -> Reading {
    Reading { write: write_size, read: read_size, bounds, step: double }
}

/// 1, 2, 5, 10, 20, 50 …: the next above or below.
pub fn ladder(from: u64, up: bool) -> u64 {
    let mut rungs = (0..19).flat_map(|power| [1, 2, 5].map(|digit| digit * 10u64.pow(power)));
    if up {
        rungs.find(|rung| *rung > from).unwrap_or(from)
    } else {
        rungs.take_while(|rung| *rung < from).last().unwrap_or(0)
    }
}

fn double(from: u64, up: bool) -> u64 {
    if up { from.saturating_mul(2) } else { from / 2 }
}

fn read_whole(text: &str) -> Option<u64> {
    let digits: String = text.chars().filter(|letter| !matches!(letter, ',' | ' ' | '_' | '\u{a0}')).collect();
    digits.parse().ok()
}

fn write_size(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let tenths = (bytes * 10 + 512) / 1024;
    if tenths.is_multiple_of(10) {
        format!("{} KB", crate::text::count(tenths / 10))
    } else {
        format!("{}.{} KB", tenths / 10, tenths % 10)
    }
}

fn read_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let (number, unit) = match text.strip_suffix('b').unwrap_or(&text).strip_suffix('k') {
        Some(kilobytes) => (kilobytes, 1024),
        None if text.ends_with('b') => (&text[..text.len() - 1], 1),
        None => (text.as_str(), 1024),
    };
    let (whole, fraction) = number.trim().split_once('.').unwrap_or((number.trim(), "0"));
    // Tenths are enough for a size in a sentence.
    let tenths = fraction.get(..1).unwrap_or("0").parse::<u64>().ok()?;
    Some(whole.parse::<u64>().ok()?.checked_mul(unit)? + tenths * unit / 10)
}

/// A number with steps on either side. Arrow keys step too.
pub fn slot(name: &str, label: &str, value: u64, reading: Reading) -> String {
    let shown = (reading.write)(value);
    let width = (shown.chars().count() + 1).to_string();
    fill(
        "<span class=\"slot\"><button type=\"button\" aria-label=\"{}: less\" data-do=\"{}\" data-up=\"0\">−</button>\
         <input type=\"text\" inputmode=\"numeric\" autocomplete=\"off\" aria-label=\"{}\" data-do=\"{}\" \
         data-value=\"{}\" style=\"width:{}ch\"><button type=\"button\" aria-label=\"{}: more\" data-do=\"{}\" \
         data-up=\"1\">+</button></span>",
        &[label, name, label, name, &shown, &width, label, name],
    )
}

/// The number that a deed makes of a slot's number, if it is another one. One beyond the bounds is brought back to them,
/// and said to be.
pub fn slid(deed: &Deed, playground: Playground, value: u64, reading: Reading) -> Option<u64> {
    let number = match deed.kind.as_str() {
        "click" if deed.element.has_attribute("data-up") => (reading.step)(value, deed.number("data-up") == 1),
        "keydown" => {
            let key = deed.event.dyn_ref::<KeyboardEvent>()?.key();
            if key != "ArrowUp" && key != "ArrowDown" {
                return None;
            }
            deed.event.prevent_default();
            (reading.step)(value, key == "ArrowUp")
        }
        "change" => {
            let typed = deed.value();
            let number = (reading.read)(&typed);
            if number.is_none() {
                playground.complain(format!("“{}” is not a number that can stand here.", typed.trim()));
            }
            // It shows what is the case until something else is.
            set_value(&deed.element, &(reading.write)(value));
            number?
        }
        _ => return None,
    };
    let (least, most) = reading.bounds;
    if deed.kind == "change" && !(least..=most).contains(&number) {
        let write = reading.write;
        playground.complain(format!("It goes from {} to {}; {} was typed.", write(least), write(most), write(number)));
    }
    let number = number.clamp(least, most);
    (number != value).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_sizes() {
        assert_eq!((ladder(3_333, true), ladder(3_333, false), ladder(1, false)), (5_000, 2_000, 0));
        assert_eq!((ladder(5_000, true), ladder(5_000, false)), (10_000, 2_000));
        assert_eq!((read_size("3.5 KB"), read_size("2"), read_size("400 b")), (Some(3584), Some(2048), Some(400)));
        assert_eq!(
            (write_size(1024), write_size(3584), write_size(400)),
            ("1 KB".into(), "3.5 KB".into(), "400 B".into())
        );
        assert_eq!((read_whole("5,000"), read_whole("many")), (Some(5000), None));
    }
}
