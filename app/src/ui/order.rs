//! Sorting without the standard library's sorts, which are compiled anew, at five kilobytes, for every type.

/// The numbers below `count` in the order that `before` sets; equals stay in theirs.
pub fn order(count: usize, before: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..count).collect();
    let mut other = sorted.clone();
    let mut run = 1;
    while run < count {
        for start in (0..count).step_by(2 * run) {
            let (middle, end) = ((start + run).min(count), (start + 2 * run).min(count));
            let (mut left, mut right) = (start, middle);
            for slot in &mut other[start..end] {
                let takes_right = left == middle || (right < end && before(sorted[right], sorted[left]));
                let from = if takes_right { &mut right } else { &mut left };
                *slot = sorted[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut sorted, &mut other);
        run *= 2;
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_and_keeps_equals_in_place() {
        let keys = [5, 1, 4, 1, 3, 5, 0];
        assert_eq!(order(keys.len(), &|left, right| keys[left] < keys[right]), [6, 1, 3, 4, 2, 0, 5]);
        assert!(order(0, &|_, _| false).is_empty());
        assert_eq!(order(1, &|_, _| false), [0]);
    }
}
