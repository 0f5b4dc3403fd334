//! DynamoDB's number: up to 38 significant decimal digits, exact, magnitude 1E-130 to 9.99…E+125.
//!
//! Held as sign, coefficient and exponent. No rounding ever: what does not fit is refused, as the service
//! does. Rules: Developer Guide, "Naming rules and data types", section *Numbers*.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Most significant digits a number may have.
const MAX_DIGITS: u32 = 38;
/// Largest and smallest power of ten of the leading digit.
const MAX_MAGNITUDE: i32 = 125;
const MIN_MAGNITUDE: i32 = -130;

/// An exact decimal number. Canonical: no trailing zeros in the coefficient, one zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number {
    // Two halves rather than a u128, whose 16-byte alignment would make every attribute value larger.
    high: u64,
    low: u64,
    exponent: i16,
    negative: bool,
}

/// Why a text or a sum is not a DynamoDB number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFault {
    /// Not of the form `sign? digits (. digits)? (e sign? digits)?`.
    NotNumeric,
    /// More than 38 significant digits.
    TooManyDigits,
    /// Magnitude above 9.99…E+125.
    Overflow,
    /// Magnitude below 1E-130.
    Underflow,
}

impl NumberFault {
    /// The service's message; `text` is what was sent.
    pub fn message(self, text: &str) -> String {
        match self {
            Self::NotNumeric if text.is_empty() => "The parameter cannot be converted to a numeric value".into(),
            Self::NotNumeric => format!("The parameter cannot be converted to a numeric value: {text}"),
            Self::TooManyDigits => "Attempting to store more than 38 significant digits in a Number".into(),
            Self::Overflow => {
                "Number overflow. Attempting to store a number with magnitude larger than supported range".into()
            }
            Self::Underflow => {
                "Number underflow. Attempting to store a number with magnitude smaller than supported range".into()
            }
        }
    }
}

fn digit_count(coefficient: u128) -> u32 {
    match u64::try_from(coefficient) {
        // The common case; a logarithm of 128 bits is several times slower.
        Ok(short) => short.checked_ilog10().unwrap_or(0) + 1,
        Err(_) => coefficient.ilog10() + 1,
    }
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self { high: 0, low: 0, exponent: 0, negative: false };

    fn coefficient(self) -> u128 {
        (u128::from(self.high) << 64) | u128::from(self.low)
    }

    /// Brings any coefficient and exponent into canonical form, or says why it is no number.
    fn checked(negative: bool, mut coefficient: u128, mut exponent: i32) -> Result<Self, NumberFault> {
        if coefficient == 0 {
            return Ok(Self::ZERO);
        }
        while coefficient.is_multiple_of(10) {
            coefficient /= 10;
            exponent += 1;
        }
        let digits = digit_count(coefficient);
        if digits > MAX_DIGITS {
            return Err(NumberFault::TooManyDigits);
        }
        let magnitude = exponent + digits as i32 - 1;
        if magnitude > MAX_MAGNITUDE {
            return Err(NumberFault::Overflow);
        }
        if magnitude < MIN_MAGNITUDE {
            return Err(NumberFault::Underflow);
        }
        Ok(Self {
            high: (coefficient >> 64) as u64,
            low: coefficient as u64,
            exponent: i16::try_from(exponent).map_err(|_| NumberFault::Overflow)?,
            negative,
        })
    }

    /// Power of ten of the leading digit.
    fn magnitude(self) -> i32 {
        i32::from(self.exponent) + digit_count(self.coefficient()) as i32 - 1
    }

    /// Coefficient scaled to exactly 38 digits, so that equal magnitudes compare by it.
    fn aligned(self) -> u128 {
        let coefficient = self.coefficient();
        coefficient * 10u128.pow(MAX_DIGITS - digit_count(coefficient))
    }

    /// Is this zero?
    pub fn is_zero(self) -> bool {
        self.high == 0 && self.low == 0
    }

    /// The sum, exact; an error where 38 digits or the range do not hold it.
    pub fn checked_add(self, other: Self) -> Result<Self, NumberFault> {
        if self.is_zero() {
            return Ok(other);
        }
        if other.is_zero() {
            return Ok(self);
        }
        let (wide, narrow) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let shift = (i32::from(wide.exponent) - i32::from(narrow.exponent)) as u32;
        // A scaled coefficient beyond u128 leaves at least 39 digits whatever is added or taken away.
        let scaled = 10u128
            .checked_pow(shift)
            .and_then(|power| wide.coefficient().checked_mul(power))
            .ok_or(NumberFault::TooManyDigits)?;
        let small = narrow.coefficient();
        let exponent = i32::from(narrow.exponent);
        if wide.negative == narrow.negative {
            let sum = scaled.checked_add(small).ok_or(NumberFault::TooManyDigits)?;
            Self::checked(wide.negative, sum, exponent)
        } else if scaled >= small {
            Self::checked(wide.negative, scaled - small, exponent)
        } else {
            Self::checked(narrow.negative, small - scaled, exponent)
        }
    }

    /// The difference, exact; an error where 38 digits or the range do not hold it.
    pub fn checked_sub(self, other: Self) -> Result<Self, NumberFault> {
        self.checked_add(other.negated())
    }

    fn negated(self) -> Self {
        if self.is_zero() { self } else { Self { negative: !self.negative, ..self } }
    }

    /// Billed size in bytes: one, plus a byte for every two significant digits on each side of the decimal
    /// point (rounded up apart), plus one for a minus sign; zero is one byte.
    ///
    /// The guide says "approximately (length of attribute name) + (1 byte per two significant digits) + (1
    /// byte)"; the exact form was found by bisecting the 400 KB limit.
    pub fn size_bytes(self) -> usize {
        if self.is_zero() {
            return 1;
        }
        let digits = digit_count(self.coefficient()) as i32;
        let exponent = i32::from(self.exponent);
        // Significant digits on each side: zeros before the first or after the last nonzero digit are free.
        let (left, right) = if exponent >= 0 {
            (digits, 0)
        } else if digits + exponent <= 0 {
            (0, digits)
        } else {
            (digits + exponent, -exponent)
        };
        1 + (left as usize).div_ceil(2) + (right as usize).div_ceil(2) + usize::from(self.negative)
    }

    /// Nineteen bytes that sort as the numbers do.
    pub fn key_bytes(self) -> [u8; 19] {
        let mut bytes = [0; 19];
        if self.is_zero() {
            bytes[0] = 2;
            return bytes;
        }
        let magnitude = (self.magnitude() + 1000) as u16;
        bytes[1..3].copy_from_slice(&magnitude.to_be_bytes());
        bytes[3..].copy_from_slice(&self.aligned().to_be_bytes());
        if self.negative {
            for byte in &mut bytes[1..] {
                *byte = !*byte;
            }
            bytes[0] = 1;
        } else {
            bytes[0] = 3;
        }
        bytes
    }

    /// As an `f64` that prints as this number again: up to 15 digits, scaled by no more than 10²². `None` else.
    ///
    /// Both coefficient and power are exact then, so the one operation rounds correctly (Clinger, "How to read
    /// floating point numbers accurately", 1990). For showing only; never for a decision.
    pub fn to_f64(self) -> Option<f64> {
        let coefficient = self.coefficient();
        let power = i32::from(self.exponent);
        if digit_count(coefficient) > 15 || power.abs() > 22 {
            return None;
        }
        let scale = (0..power.abs()).fold(1.0, |scale, _| scale * 10.0);
        let size = if power < 0 { coefficient as f64 / scale } else { coefficient as f64 * scale };
        Some(if self.negative { -size } else { size })
    }

    /// As a whole number of `i64`, if it is one.
    pub fn to_i64(self) -> Option<i64> {
        let scale = u32::try_from(self.exponent).ok()?;
        let value = self.coefficient().checked_mul(10u128.checked_pow(scale)?)?;
        let value = i128::try_from(value).ok()?;
        i64::try_from(if self.negative { -value } else { value }).ok()
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::checked(value < 0, u128::from(value.unsigned_abs()), 0).unwrap_or(Self::ZERO)
    }
}

impl FromStr for Number {
    type Err = NumberFault;

    fn from_str(text: &str) -> Result<Self, NumberFault> {
        let bytes = text.as_bytes();
        let (negative, mut at) = match bytes.first() {
            Some(b'-') => (true, 1),
            Some(b'+') => (false, 1),
            _ => (false, 0),
        };
        let mut digits = Digits::default();
        let mut seen = false;
        while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
            digits.push(digit - b'0', false);
            seen = true;
            at += 1;
        }
        if bytes.get(at) == Some(&b'.') {
            at += 1;
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                digits.push(digit - b'0', true);
                seen = true;
                at += 1;
            }
        }
        if !seen {
            return Err(NumberFault::NotNumeric);
        }
        let mut power: i64 = 0;
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            at += 1;
            let minus = match bytes.get(at) {
                Some(b'-') => {
                    at += 1;
                    true
                }
                Some(b'+') => {
                    at += 1;
                    false
                }
                _ => false,
            };
            let start = at;
            while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
                power = (power * 10 + i64::from(digit - b'0')).min(1_000_000_000);
                at += 1;
            }
            if at == start {
                return Err(NumberFault::NotNumeric);
            }
            if minus {
                power = -power;
            }
        }
        if at != bytes.len() {
            return Err(NumberFault::NotNumeric);
        }
        digits.finish(negative, power)
    }
}

/// Digits as they are read: at most 38 significant ones are kept, zeros between them are counted.
#[derive(Default)]
struct Digits {
    coefficient: u128,
    kept: u32,
    pending_zeros: u64,
    exponent: i64,
    too_many: bool,
}

impl Digits {
    fn push(&mut self, digit: u8, fraction: bool) {
        if fraction {
            self.exponent -= 1;
        }
        if digit == 0 {
            // A zero counts only if a later digit is not one; before the first digit it never does.
            if self.kept > 0 {
                self.pending_zeros += 1;
            }
            return;
        }
        let width = self.pending_zeros + 1;
        if u64::from(self.kept) + width > u64::from(MAX_DIGITS) {
            self.too_many = true;
            return;
        }
        let width = width as u32;
        self.coefficient = self.coefficient * 10u128.pow(width) + u128::from(digit);
        self.kept += width;
        self.pending_zeros = 0;
    }

    fn finish(self, negative: bool, power: i64) -> Result<Number, NumberFault> {
        if self.too_many {
            return Err(NumberFault::TooManyDigits);
        }
        if self.coefficient == 0 {
            // Zero with an exponent out of range is refused all the same; the service does so too.
            return if power > i64::from(MAX_MAGNITUDE) { Err(NumberFault::Overflow) } else { Ok(Number::ZERO) };
        }
        let exponent = self.exponent + self.pending_zeros as i64 + power;
        let exponent = exponent.clamp(-1_000_000, 1_000_000) as i32;
        Number::checked(negative, self.coefficient, exponent)
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| {
            if number.is_zero() {
                0
            } else if number.negative {
                -1
            } else {
                1
            }
        };
        let (mine, theirs) = (sign(self), sign(other));
        if mine != theirs || mine == 0 {
            return mine.cmp(&theirs);
        }
        let magnitude = self.magnitude().cmp(&other.magnitude()).then_with(|| self.aligned().cmp(&other.aligned()));
        if mine < 0 { magnitude.reverse() } else { magnitude }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Number {
    /// Plain decimal without exponent, as the service reads numbers back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.negative {
            f.write_str("-")?;
        }
        let digits = self.coefficient().to_string();
        if self.exponent >= 0 {
            f.write_str(&digits)?;
            return (0..self.exponent).try_for_each(|_| f.write_str("0"));
        }
        let places = usize::from(self.exponent.unsigned_abs());
        if places < digits.len() {
            let (whole, fraction) = digits.split_at(digits.len() - places);
            write!(f, "{whole}.{fraction}")
        } else {
            f.write_str("0.")?;
            (digits.len()..places).try_for_each(|_| f.write_str("0"))?;
            f.write_str(&digits)
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
    }

    #[test]
    fn reads_back_in_plain_decimal() {
        for (text, canonical) in [
            ("0", "0"),
            ("-0", "0"),
            ("+5", "5"),
            ("5.", "5"),
            (".5", "0.5"),
            ("007", "7"),
            ("1.50", "1.5"),
            ("1.5E2", "150"),
            ("100", "100"),
            ("1e2", "100"),
            ("-1.2e-3", "-0.0012"),
            ("1000.5", "1000.5"),
            ("00.0100", "0.01"),
        ] {
            assert_eq!(number(text).to_string(), canonical, "{text}");
        }
        assert_eq!(number("1e125").to_string().len(), 126);
        assert_eq!(number("100"), number("1E2"));
    }

    #[test]
    fn refuses_what_the_service_refuses() {
        for text in ["", " 1", "1 ", "NaN", "Infinity", "1_000", ".", "-", "1e", "1e+", "--1", "1.2.3", "0x10"] {
            assert_eq!(text.parse::<Number>(), Err(NumberFault::NotNumeric), "{text:?}");
        }
        let nines = "9".repeat(38);
        assert!(nines.parse::<Number>().is_ok());
        assert_eq!("9".repeat(39).parse::<Number>(), Err(NumberFault::TooManyDigits));
        assert!(format!("{nines}{}", "0".repeat(87)).parse::<Number>().is_ok(), "trailing zeros are free");
        assert_eq!("1e126".parse::<Number>(), Err(NumberFault::Overflow));
        assert_eq!("0e126".parse::<Number>(), Err(NumberFault::Overflow));
        assert_eq!("1e-131".parse::<Number>(), Err(NumberFault::Underflow));
        assert!("1e-130".parse::<Number>().is_ok());
        assert_eq!("1e999999999999999999999".parse::<Number>(), Err(NumberFault::Overflow));
        assert!(format!("0.{}1", "0".repeat(129)).parse::<Number>().is_ok());
    }

    #[test]
    fn sizes_match_the_measured_vectors() {
        for (text, size) in [
            ("0", 1),
            ("1", 2),
            ("12", 2),
            ("123", 3),
            ("12345", 4),
            ("100", 2),
            ("1010", 3),
            ("1.5", 3),
            ("1.234", 4),
            ("3.14159", 5),
            ("100.5", 4),
            ("0.15", 2),
            ("0.0000001", 2),
            ("1E125", 2),
            ("-42", 3),
            ("-12345", 5),
            ("-0.15", 3),
            ("-1E125", 3),
            ("1.005", 4),
        ] {
            assert_eq!(number(text).size_bytes(), size, "{text}");
        }
        assert_eq!(number(&"9".repeat(38)).size_bytes(), 20);
    }

    #[test]
    fn arithmetic_is_exact_or_refused() {
        let add = |a: &str, b: &str| number(a).checked_add(number(b)).map(|sum| sum.to_string());
        assert_eq!(add("0.1", "0.2"), Ok("0.3".into()));
        assert_eq!(add("10", "-10"), Ok("0".into()));
        assert_eq!(add("-1", "0.25"), Ok("-0.75".into()));
        assert_eq!(add("1e38", "-1"), Ok("9".repeat(38)));
        assert_eq!(add("1e50", "1"), Err(NumberFault::TooManyDigits));
        assert_eq!(add("9e125", "9e125"), Err(NumberFault::Overflow));
        assert_eq!(number("5").checked_sub(number("7")).map(|n| n.to_string()), Ok("-2".into()));
    }

    #[test]
    fn what_becomes_a_float_prints_as_it_was() {
        for text in ["0", "0.1", "-1.5", "123456789.012345", "99999999999999e-22", "1e22"] {
            let shown = number(text).to_f64().map(|real| real.to_string());
            assert_eq!(shown, Some(number(text).to_string()), "{text}");
        }
        assert_eq!(number("1234567890123456").to_f64(), None);
        assert_eq!(number("1e-30").to_f64(), None);
    }

    #[test]
    fn order_and_key_bytes_agree() {
        let ascending = [
            "-9e125", "-100", "-10.5", "-10", "-1", "-0.5", "-1e-130", "0", "1e-130", "0.5", "0.51", "1", "9", "10",
            "99", "100", "1e38", "9e125",
        ];
        for pair in ascending.windows(2) {
            let (low, high) = (number(pair[0]), number(pair[1]));
            assert!(low < high, "{pair:?}");
            assert!(low.key_bytes() < high.key_bytes(), "{pair:?}");
        }
    }
}
