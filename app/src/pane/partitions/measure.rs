//! Shares and orders without the standard library's float printing and sorting, which are large for what is needed
//! here: this page is downloaded.

/// A share as a length of the style sheet: `20.00%`.
pub fn share_text(share: f64) -> String {
    let hundredths = (share * 10_000.0).round() as i64;
    let sign = if hundredths < 0 { "-" } else { "" };
    let hundredths = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}%", hundredths / 100, hundredths % 100)
}

/// Puts a short list in order; equal ones keep theirs.
pub fn arrange<T>(list: &mut [T], before: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_orders() {
        assert_eq!(
            (share_text(0.2), share_text(-0.0007), share_text(1.0)),
            ("20.00%".into(), "-0.07%".into(), "100.00%".into())
        );
        let mut list = [3, 1, 2, 1];
        arrange(&mut list, |a, b| a < b);
        assert_eq!(list, [1, 1, 2, 3]);
    }
}
