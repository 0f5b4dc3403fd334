//! Why a row was dropped, in a few characters: `paid ≠ cancelled`.

use super::keys::{clipped, value_text};
use dynascope_engine::expression::{Blame, Condition};
use dynascope_engine::value::{AttributeValue, Item};

/// The value that failed and the reason, as a row shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason {
    /// The value that decided, to be struck out.
    pub value: String,
    /// The reason.
    pub text: String,
}

const MOST: usize = 22;

fn short(value: &AttributeValue) -> String {
    clipped(&value_text(value), MOST)
}

/// Why the filter dropped an item; `None` if it did not.
pub fn reason(filter: &Condition, item: &Item) -> Option<Reason> {
    filter.blame(item).map(|blame| told(&blame))
}

fn told(blame: &Blame) -> Reason {
    let path = blame.path.clone().unwrap_or_default();
    let expected: Vec<String> = blame.expected.iter().map(short).collect();
    let expected = match (blame.operator, expected.as_slice()) {
        ("BETWEEN", [low, high]) => [low, " to ", high].concat(),
        _ => clipped(&expected.join(", "), 2 * MOST),
    };
    let Some(actual) = blame.actual.as_ref().map(short) else {
        let wanted = blame.operator == "attribute_not_exists";
        let text = path + if wanted { " is missing, NOT wants it" } else { " is missing" };
        return Reason { value: String::new(), text };
    };
    let symbol = sign(blame.operator, blame.holds);
    let text = match blame.operator {
        "attribute_exists" | "attribute_not_exists" => path + " is there",
        _ => [actual.as_str(), symbol, expected.as_str()].join(" "),
    };
    Reason { value: actual, text }
}

/// What is true of the value: the operator itself where a NOT turned it, else its contrary.
fn sign(operator: &str, holds: bool) -> &'static str {
    match (operator, holds) {
        ("=", false) | ("<>", true) => "≠",
        ("=", true) | ("<>", false) => "=",
        ("<", false) | (">=", true) => "≥",
        ("<", true) | (">=", false) => "<",
        ("<=", false) | (">", true) => ">",
        ("<=", true) | (">", false) => "≤",
        ("BETWEEN", false) => "not between",
        ("BETWEEN", true) => "between",
        ("IN", false) => "not in",
        ("IN", true) => "in",
        ("begins_with", false) => "does not begin with",
        ("begins_with", true) => "begins with",
        ("contains", false) => "does not contain",
        ("contains", true) => "contains",
        ("attribute_type", false) => "is not of type",
        ("attribute_type", true) => "is of type",
        _ => "fails",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynascope_engine::expression::{ExpressionKind, Placeholders, parse_condition};

    fn why(source: &str) -> String {
        let mut item = Item::new();
        item.set("shade", "paid".into());
        let values = [(":v".to_owned(), "cancelled".into()), (":p".to_owned(), "paid".into())].into_iter().collect();
        let mut placeholders = Placeholders::new(None, Some(values)).unwrap();
        let filter = parse_condition(ExpressionKind::Filter, source, &mut placeholders).unwrap();
        reason(&filter, &item).unwrap().text
    }

    #[test]
    fn the_contrary_is_told() {
        assert_eq!(why("shade = :v AND :p = :p"), "paid ≠ cancelled");
        assert_eq!(why("NOT shade = :p AND shade <> :v"), "paid = paid");
        assert_eq!(why("begins_with(shade, :v) AND shade = :p"), "paid does not begin with cancelled");
        assert_eq!(why("price > :v OR price = :p OR :p = :v"), "paid ≠ cancelled");
    }
}
