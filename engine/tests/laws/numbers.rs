//! Numbers against another library's arbitrary precision.

use bigdecimal::{BigDecimal, Zero};
use dynascope_engine::value::{Number, NumberFault};
use proptest::prelude::*;
use std::str::FromStr;

/// Texts of numbers that the service takes, in all spellings.
fn text() -> impl Strategy<Value = String> {
    let digits = prop_oneof![
        4 => "[0-9]{1,20}(\\.[0-9]{0,18})?",
        1 => "[0-9]{0,4}\\.[0-9]{1,30}",
        1 => "0{0,5}[1-9]0{0,100}",
    ];
    let exponent = prop_oneof![3 => Just(String::new()), 2 => (-90i32..90).prop_map(|power| format!("e{power}"))];
    ("[+-]?", digits, exponent).prop_map(|(sign, digits, exponent)| format!("{sign}{digits}{exponent}"))
}

fn oracle(text: &str) -> BigDecimal {
    BigDecimal::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Significant digits and the power of ten of the first one.
fn shape(value: &BigDecimal) -> (u64, i64) {
    let normal = value.normalized();
    (normal.digits(), normal.digits() as i64 - normal.fractional_digit_count() - 1)
}

/// What the service says to this value.
fn expected(value: &BigDecimal) -> Result<BigDecimal, NumberFault> {
    if value.is_zero() {
        return Ok(value.clone());
    }
    match shape(value) {
        (digits, _) if digits > 38 => Err(NumberFault::TooManyDigits),
        (_, magnitude) if magnitude > 125 => Err(NumberFault::Overflow),
        (_, magnitude) if magnitude < -130 => Err(NumberFault::Underflow),
        _ => Ok(value.normalized()),
    }
}

fn as_decimal(number: Number) -> BigDecimal {
    oracle(&number.to_string()).normalized()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reading_and_writing_is_exact(text in text()) {
        let read: Result<Number, _> = text.parse();
        prop_assert_eq!(read.map(as_decimal), expected(&oracle(&text)).map(|value| value.normalized()));
        if let Ok(number) = read {
            let written = number.to_string();
            prop_assert_eq!(written.parse(), Ok(number), "what is written reads back");
            prop_assert!(!written.contains(['e', 'E', '+']), "{}", written);
        }
    }

    #[test]
    fn order_is_that_of_values_also_in_keys(left in text(), right in text()) {
        if let (Ok(a), Ok(b)) = (left.parse::<Number>(), right.parse::<Number>()) {
            let order = oracle(&left).cmp(&oracle(&right));
            prop_assert_eq!(a.cmp(&b), order);
            prop_assert_eq!(a.key_bytes().cmp(&b.key_bytes()), order);
            prop_assert_eq!(a == b, order.is_eq());
        }
    }

    #[test]
    fn sums_and_differences_are_exact_or_refused(left in text(), right in text()) {
        if let (Ok(a), Ok(b)) = (left.parse::<Number>(), right.parse::<Number>()) {
            let (x, y) = (oracle(&left), oracle(&right));
            prop_assert_eq!(a.checked_add(b).map(as_decimal), expected(&(&x + &y)).map(|value| value.normalized()));
            prop_assert_eq!(a.checked_sub(b).map(as_decimal), expected(&(&x - &y)).map(|value| value.normalized()));
        }
    }

    /// A byte, one for each two digits on either side of the point, and one for a minus sign.
    #[test]
    fn size_follows_from_the_plain_spelling(text in text()) {
        if let Ok(number) = text.parse::<Number>() {
            let plain = number.to_string();
            let (whole, fraction) = plain.trim_start_matches('-').split_once('.').unwrap_or((plain.trim_start_matches('-'), ""));
            let whole = whole.trim_start_matches('0');
            // Zeros next to the point count only if there is something beyond them.
            let left = if fraction.is_empty() { whole.trim_end_matches('0') } else { whole }.len();
            let right = if whole.is_empty() { fraction.trim_start_matches('0') } else { fraction }.len();
            let size = 1 + left.div_ceil(2) + right.div_ceil(2) + usize::from(plain.starts_with('-'));
            prop_assert_eq!(number.size_bytes(), if plain == "0" { 1 } else { size }, "{}", plain);
        }
    }
}
