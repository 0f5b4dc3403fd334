//! What conditions and projections say about items.

use super::{item, placeholders};
use crate::expression::{ExpressionKind, parse_condition, parse_projection};
use crate::value::{AttributeValue, Item};
use serde_json::{Value as Json, json};

fn holds(source: &str, item: &Item) -> bool {
    parse_condition(ExpressionKind::Filter, source, &mut placeholders())
        .unwrap_or_else(|failure| panic!("{source}: {}", failure.message))
        .matches(item)
}

fn check(json: Json, cases: &[(&str, bool)]) {
    let item = item(json);
    for (source, expected) in cases {
        assert_eq!(holds(source, &item), *expected, "{source}");
        // NOT turns everything round, and NOT NOT back.
        assert_eq!(holds(&format!("NOT ({source})"), &item), !expected, "NOT ({source})");
        assert_eq!(holds(&format!("NOT NOT ({source})"), &item), *expected, "NOT NOT ({source})");
    }
}

#[test]
fn missing_attributes_are_unequal_to_everything() {
    check(
        json!({"a": {"N": "1"}}),
        &[
            ("x = :n", false),
            ("x <> :n", true),
            ("x <> y", true),
            ("x = y", false),
            ("x < :n", false),
            ("x >= :n", false),
            (":n > x", false),
            ("x BETWEEN :n AND :m", false),
            ("a BETWEEN x AND :m", false),
            ("x IN (:n, y)", false),
            ("a IN (x, :n)", true),
            ("contains(x, :n)", false),
            ("begins_with(x, :s)", false),
            ("size(x) = :n", false),
            ("size(x) <> :n", true),
            ("attribute_exists(a)", true),
            ("attribute_exists(a.b)", false),
            ("attribute_not_exists(a[0])", true),
            ("attribute_type(x, :SS)", false),
        ],
    );
}

#[test]
fn types_never_mix() {
    check(
        json!({"str": {"S": "1"}, "num": {"N": "1"}, "bin": {"B": "YQ=="}, "flag": {"BOOL": true}}),
        &[
            ("str = :n", false),
            ("str <> :n", true),
            ("str <= :n", false),
            ("num = :n", true),
            ("num <= :n", true),
            ("num < :m", true),
            ("num = :five", false),
            ("flag < num", false),
            ("flag = :bool", true),
            ("bin >= :b", true),
            ("str < :s", true),
            ("num BETWEEN :zero AND :m", true),
            ("num BETWEEN :m AND :five", false),
            ("num BETWEEN :n AND :n", true),
            ("num BETWEEN :zero AND str", false),
            ("begins_with(num, :s)", false),
            ("contains(num, :n)", false),
        ],
    );
}

#[test]
fn documents_and_sets_compare_deeply() {
    check(
        json!({
            "lst": {"L": [{"S": "x"}]}, "dict": {"M": {"k": {"S": "v"}}}, "tags": {"SS": ["y", "x"]},
            "nums": {"NS": ["2.0", "1"]}, "doc": {"M": {"a": {"L": [{"N": "1"}, {"M": {"deep": {"S": "t"}}}]}}},
        }),
        &[
            ("lst = :l", true),
            ("dict = :map", true),
            ("tags = :ss", true),
            ("nums = :ns", true),
            ("nums <> :ss", true),
            ("lst IN (:map, :l)", true),
            ("doc.a[0] = :n", true),
            ("doc.a[1].deep = :t", true),
            ("(doc.a)[1].deep = :t", true),
            ("doc.a[2] = :n", false),
            ("doc.a.deep = :t", false),
            ("doc[0] = :t", false),
        ],
    );
}

#[test]
fn contains_means_part_member_or_element() {
    check(
        json!({
            "txt": {"S": "a nest"}, "bin": {"B": "eGF5"}, "lst": {"L": [{"S": "s"}, {"SS": ["x", "y"]}]},
            "tags": {"SS": ["s", "u"]}, "nums": {"NS": ["1", "7"]}, "bins": {"BS": ["YQ=="]}, "dict": {"M": {"s": {"S": "s"}}},
        }),
        &[
            ("contains(txt, :s)", true),
            ("contains(txt, :empty)", true),
            ("contains(txt, :n)", false),
            ("contains(bin, :b)", true),
            ("contains(lst, :s)", true),
            ("contains(lst, :ss)", true),
            ("contains(lst, :t)", false),
            ("contains(tags, :s)", true),
            ("contains(tags, :t)", false),
            ("contains(tags, :n)", false),
            ("contains(nums, :n)", true),
            ("contains(bins, :b)", true),
            ("contains(dict, :s)", false),
            ("contains(:ss, txt)", false),
            ("begins_with(txt, :empty)", true),
            ("begins_with(txt, :s)", false),
            ("size(txt) > :five", true),
            ("size(lst) = :m", true),
            ("size(:ss) = :m", true),
            ("contains(nums, size(bins))", true),
            ("size(dict) BETWEEN :n AND :m", true),
            ("attribute_type(tags, :SS)", true),
            ("attribute_type(lst, :SS)", false),
        ],
    );
}

#[test]
fn precedence_is_not_before_and_before_or() {
    let item = item(json!({"t": {"N": "1"}, "f": {"N": "2"}}));
    let (yes, no) = ("t = :n", "f = :n");
    for (source, expected) in [
        (format!("{yes} OR {no} AND {no}"), true),
        (format!("({yes} OR {no}) AND {no}"), false),
        (format!("NOT {yes} OR {yes}"), true),
        (format!("NOT {no} AND {no}"), false),
        (format!("NOT ({no} AND {no})"), true),
        (format!("{no} AND {no} OR {yes}"), true),
        (format!("{no} OR {yes} AND NOT {no}"), true),
        (format!("{yes} AND {yes} AND {no}"), false),
        (format!("{yes} and ({no} oR (noT {no}))"), true),
        (format!("t BETWEEN :n AND :n AND {yes}"), true),
        (format!("NOT t BETWEEN :n AND :n AND {yes} OR {yes}"), true),
    ] {
        assert_eq!(holds(&source, &item), expected, "{source}");
    }
}

/// A random formula over `b0` to `b3`, as text and as plain logic. A parenthesis stands round every part
/// that is no leaf.
type Formula = (String, Box<dyn Fn(u32) -> bool>);

fn formula(seed: &mut u32, depth: u32) -> Formula {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    let kind = if depth == 0 { 0 } else { (*seed >> 16) & 3 };
    let mut part = || {
        let (source, logic) = formula(seed, depth - 1);
        let leaf = !source.contains(' ') || source.matches(' ').count() == 2;
        (if leaf { source } else { format!("({source})") }, logic)
    };
    match kind {
        0 => {
            let bit = (*seed >> 20) & 3;
            (format!("b{bit} = :n"), Box::new(move |bits| (bits >> bit) & 1 == 1))
        }
        1 => {
            let (source, logic) = part();
            (format!("NOT {source}"), Box::new(move |bits| !logic(bits)))
        }
        kind => {
            let ((left, one), (right, two)) = (part(), part());
            let and = kind == 2;
            let source = format!("{left} {} {right}", if and { "AND" } else { "OR" });
            (source, Box::new(move |bits| if and { one(bits) && two(bits) } else { one(bits) || two(bits) }))
        }
    }
}

#[test]
fn jumps_agree_with_plain_logic() {
    let mut seed = 7;
    for _ in 0..500 {
        let (source, logic) = formula(&mut seed, 5);
        let condition = parse_condition(ExpressionKind::Filter, &source, &mut placeholders())
            .unwrap_or_else(|failure| panic!("{source}: {}", failure.message));
        for bits in 0..16 {
            let mut item = Item::new();
            for bit in 0..4 {
                item.set(format!("b{bit}"), AttributeValue::from(i64::from((bits >> bit) & 1)));
            }
            assert_eq!(condition.matches(&item), logic(bits), "{source} of {bits:04b}");
            assert_eq!(condition.blame(&item).is_none(), logic(bits), "{source} of {bits:04b}");
        }
    }
}

#[test]
fn blame_falls_on_the_predicate_that_decided() {
    let item = item(json!({"status": {"S": "paid"}, "n": {"N": "3"}, "lst": {"L": []}}));
    for (source, place, path, operator, actual) in [
        ("#s = :s", "#s = :s", Some("status"), "=", Some("paid".into())),
        ("attribute_exists(n) AND #s = :s", "#s = :s", Some("status"), "=", Some("paid".into())),
        ("n = :n OR #s = :s", "#s = :s", Some("status"), "=", Some("paid".into())),
        ("(n = :n OR n = :m) AND #s = :s", "n = :m", Some("n"), "=", Some(AttributeValue::from(3))),
        (":n > n", ":n > n", Some("n"), "<", Some(AttributeValue::from(3))),
        ("NOT attribute_exists(n)", "attribute_exists(n)", Some("n"), "attribute_exists", Some(3.into())),
        ("lst[0] = :s", "lst[0] = :s", Some("lst[0]"), "=", None),
        ("size(lst) > :n", "size(lst) > :n", Some("size(lst)"), ">", Some(AttributeValue::from(0))),
        (":n = :m", ":n = :m", None, "=", Some(AttributeValue::from(1))),
        ("n IN (:n, :m)", "n IN (:n, :m)", Some("n"), "IN", Some(AttributeValue::from(3))),
    ] {
        let condition = parse_condition(ExpressionKind::Filter, source, &mut placeholders()).unwrap();
        let blame = condition.blame(&item).unwrap();
        assert_eq!(blame.span.of(source), place, "{source}");
        assert_eq!(blame.path.as_deref(), path, "{source}");
        assert_eq!(blame.operator, operator, "{source}");
        assert_eq!(blame.actual, actual, "{source}");
        assert_eq!(blame.holds, source.starts_with("NOT"), "{source}");
        assert!(!condition.matches(&item));
    }
    let condition = parse_condition(ExpressionKind::Filter, "n IN (:n, lst, x)", &mut placeholders()).unwrap();
    let expected = vec![AttributeValue::from(1), AttributeValue::L(Vec::new())];
    assert_eq!(condition.blame(&item).unwrap().expected, expected, "what is missing is not listed");
    let condition = parse_condition(ExpressionKind::Filter, "n <> :n", &mut placeholders()).unwrap();
    assert_eq!(condition.blame(&item), None);
}

#[test]
fn mentions_come_once_with_their_first_place() {
    let source = "b.c = :s AND size(#a) > :n AND a IN (c, :s)";
    let condition = parse_condition(ExpressionKind::Filter, source, &mut placeholders()).unwrap();
    let mentions: Vec<_> = condition.top_level_attributes().map(|(name, span)| (name, span.of(source))).collect();
    assert_eq!(mentions, [("b", "b.c"), ("a", "#a"), ("c", "c")]);
    let nested: Vec<_> = condition.nested_attributes().map(|(name, span)| (name, span.of(source))).collect();
    assert_eq!(nested, [("b", "b.c")]);
    assert_eq!(condition.span().of(source), source);
    assert_eq!(condition.predicate_spans().count(), 3);
}

#[test]
fn projections_keep_parts_and_close_up_lists() {
    let item = item(json!({
        "a": {"L": [{"N": "0"}, {"N": "1"}, {"M": {"x": {"S": "u"}, "y": {"S": "v"}}}]}, "b": {"S": "t"},
        "m": {"M": {"p": {"M": {"q": {"N": "1"}, "r": {"N": "2"}}}, "o": {"S": ""}}}, "a.b": {"S": "dotted"},
    }));
    for (source, expected) in [
        ("b", json!({"b": {"S": "t"}})),
        ("b, nothing, m.nothing, a[7], m.o.x, m.p[0]", json!({"b": {"S": "t"}})),
        ("nothing", json!({})),
        ("a[2].y, a[0]", json!({"a": {"L": [{"N": "0"}, {"M": {"y": {"S": "v"}}}]}})),
        ("a[1], a[9]", json!({"a": {"L": [{"N": "1"}]}})),
        ("m.p.q, m.o", json!({"m": {"M": {"p": {"M": {"q": {"N": "1"}}}, "o": {"S": ""}}}})),
        ("#dot", json!({"a.b": {"S": "dotted"}})),
        ("a.b", json!({})),
    ] {
        let projection = parse_projection(source, &mut placeholders()).unwrap();
        assert_eq!(projection.apply(&item), super::item(expected), "{source}");
    }
    let source = "m.p, b, m.o";
    let projection = parse_projection(source, &mut placeholders()).unwrap();
    let names: Vec<_> = projection.top_level_attributes().map(|(name, span)| (name, span.of(source))).collect();
    assert_eq!(names, [("m", "m.p"), ("b", "b")]);
}
