//! What updates make of items.

use super::{item, placeholders};
use crate::expression::{Update, parse_update};
use crate::value::Item;
use serde_json::{Value as Json, json};

fn parse(source: &str) -> Update {
    parse_update(source, &mut placeholders()).unwrap_or_else(|failure| panic!("{source}: {}", failure.message))
}

fn old() -> Item {
    item(json!({
        "pk": {"S": "k"}, "n": {"N": "3"}, "l": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}]}, "tags": {"SS": ["x", "z"]},
        "m": {"M": {"p": {"M": {"q": {"N": "1"}}}, "l": {"L": [{"M": {"k": {"S": "v"}}}]}}}, "txt": {"S": "t"},
    }))
}

/// `changes` are top-level attributes after the update; null means the attribute is gone.
fn check(source: &str, changes: Json) {
    let mut expected = old();
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            expected.remove(name);
        } else {
            let changed = item(json!({ "x": value }));
            expected.set(name.as_str(), changed.get("x").unwrap().clone());
        }
    }
    assert_eq!(parse(source).apply(&old()), Ok(expected), "{source}");
}

fn refused(source: &str, old: &Item, message: &str, place: &str) {
    let failure = parse(source).apply(old).unwrap_err();
    assert_eq!(failure.message, message, "{source}");
    assert_eq!(failure.labels[0].span.of(source), place, "{source}");
}

#[test]
fn set_reads_the_item_as_it_was() {
    check("SET n = :five, w = n", json!({"n": {"N": "5"}, "w": {"N": "3"}}));
    check("SET n = txt, txt = n", json!({"n": {"S": "t"}, "txt": {"N": "3"}}));
    check("SET n = n + :m", json!({"n": {"N": "5"}}));
    check("SET n = (:m - n)", json!({"n": {"N": "-1"}}));
    check("SET n = if_not_exists(n, :zero) + :n", json!({"n": {"N": "4"}}));
    check("SET v = if_not_exists(v, :zero) + :n", json!({"v": {"N": "1"}}));
    check("SET v = if_not_exists(v, if_not_exists(w, txt))", json!({"v": {"S": "t"}}));
    check("SET l = list_append(l, :l)", json!({"l": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}, {"S": "x"}]}}));
    check("SET v = list_append(if_not_exists(v, :l), :l)", json!({"v": {"L": [{"S": "x"}, {"S": "x"}]}}));
    check("SET #dot = :s", json!({"a.b": {"S": "s"}}));
}

#[test]
fn places_in_documents() {
    check("SET l[1] = :s", json!({"l": {"L": [{"S": "a"}, {"S": "s"}, {"S": "c"}]}}));
    check(
        "SET l[10] = :s, l[7] = :t",
        json!({"l": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}, {"S": "t"}, {"S": "s"}]}}),
    );
    check("REMOVE l[0], l[2]", json!({"l": {"L": [{"S": "b"}]}}));
    check("REMOVE l[5]", json!({}));
    check("SET l[9] = :s REMOVE l[3], l[0]", json!({"l": {"L": [{"S": "b"}, {"S": "c"}, {"S": "s"}]}}));
    check("SET l[1] = l[0] REMOVE l[0]", json!({"l": {"L": [{"S": "a"}, {"S": "c"}]}}));
    check(
        "SET m.p.q = m.p.q + :n, m.l[0].k = :s, m.l[1] = :t REMOVE m.nothing",
        json!({"m": {"M": {"p": {"M": {"q": {"N": "2"}}}, "l": {"L": [{"M": {"k": {"S": "s"}}}, {"S": "t"}]}}}}),
    );
    check("REMOVE txt, nothing, m.p", json!({"txt": null, "m": {"M": {"l": {"L": [{"M": {"k": {"S": "v"}}}]}}}}));
}

#[test]
fn add_and_delete() {
    check("ADD n :five, v :n", json!({"n": {"N": "8"}, "v": {"N": "1"}}));
    check("ADD tags :ss, s2 :ns", json!({"tags": {"SS": ["x", "y", "z"]}, "s2": {"NS": ["1", "2"]}}));
    check("ADD m.p.q :m", json!({"m": {"M": {"p": {"M": {"q": {"N": "3"}}}, "l": {"L": [{"M": {"k": {"S": "v"}}}]}}}}));
    check("DELETE tags :ss", json!({"tags": {"SS": ["z"]}}));
    check("DELETE nothing :ss", json!({}));
    let lone = item(json!({"pk": {"S": "k"}, "tags": {"SS": ["x", "y"]}}));
    assert_eq!(parse("DELETE tags :ss").apply(&lone), Ok(item(json!({"pk": {"S": "k"}}))));
}

#[test]
fn run_time_refusals_have_no_prefix() {
    let path = "The document path provided in the update expression is invalid for update";
    let missing = "The provided expression refers to an attribute that does not exist in the item";
    let wrong = "An operand in the update expression has an incorrect data type";
    for (source, message, place) in [
        ("SET v.x = :s", path, "v.x"),
        ("SET m.v.x = :s", path, "m.v.x"),
        ("SET txt.x = :s", path, "txt.x"),
        ("SET m[0] = :s", path, "m[0]"),
        ("SET l.x = :s", path, "l.x"),
        ("SET l[4].x = :s", path, "l[4].x"),
        ("ADD v.x :n", path, "v.x"),
        ("REMOVE v.x", path, "v.x"),
        ("REMOVE l.x", path, "l.x"),
        ("DELETE v.x :ss", path, "v.x"),
        ("SET n = v", missing, "v"),
        ("SET n = n + m.v", missing, "m.v"),
        ("SET n = txt + :n", wrong, "txt + :n"),
        ("SET n = list_append(n, l)", wrong, "list_append(n, l)"),
        ("SET n = list_append(if_not_exists(v, :n), l)", wrong, "list_append(if_not_exists(v, :n), l)"),
        ("ADD txt :n", wrong, "txt"),
        ("ADD tags :ns", wrong, "tags"),
        ("DELETE n :ns", wrong, "n"),
        ("SET n = n + :tiny", "Attempting to store more than 38 significant digits in a Number", "n + :tiny"),
    ] {
        refused(source, &old(), message, place);
    }
}

#[test]
fn a_missing_item_is_an_empty_one() {
    let none = Item::new();
    assert_eq!(parse("REMOVE a.b, c[1]").apply(&none), Ok(Item::new()));
    assert_eq!(parse("SET a = :s ADD n :n").apply(&none), Ok(item(json!({"a": {"S": "s"}, "n": {"N": "1"}}))));
    refused("SET a.b = :s", &none, "The document path provided in the update expression is invalid for update", "a.b");
}

#[test]
fn results_stay_within_what_can_be_stored() {
    let deep = |levels: usize| (0..levels).fold(json!({"S": "x"}), |inner, _| json!({"M": {"k": inner}}));
    let from = |levels: usize| item(json!({"pk": {"S": "k"}, "d": deep(levels), "m": {"M": {}}}));
    assert!(parse("SET m.d = d").apply(&from(31)).is_ok());
    let message = "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";
    refused("SET m.d = d", &from(32), message, "m.d");

    let big = item(json!({"pk": {"S": "k"}, "l": {"L": [{"S": "x".repeat(300_000)}]}}));
    let doubling = "list_append(l, ".repeat(50) + "l" + &")".repeat(50);
    let failure = parse(&format!("SET l = {doubling}")).apply(&big).unwrap_err();
    assert_eq!(failure.message, "Item size to update has exceeded the maximum allowed size");
}

#[test]
fn answers_with_fragments() {
    for (source, before, after) in [
        ("SET n = :five", json!({"n": {"N": "3"}}), json!({"n": {"N": "5"}})),
        ("SET v = :s", json!({}), json!({"v": {"S": "s"}})),
        (
            "SET m.p.q = :five",
            json!({"m": {"M": {"p": {"M": {"q": {"N": "1"}}}}}}),
            json!({"m": {"M": {"p": {"M": {"q": {"N": "5"}}}}}}),
        ),
        ("REMOVE txt", json!({"txt": {"S": "t"}}), json!({})),
        ("REMOVE l[0]", json!({"l": {"L": [{"S": "a"}]}}), json!({})),
        ("SET l[9] = :s", json!({}), json!({"l": {"L": [{"S": "s"}]}})),
        (
            "SET l[2] = :s, l[1] = :t REMOVE l[0]",
            json!({"l": {"L": [{"S": "a"}, {"S": "b"}, {"S": "c"}]}}),
            json!({"l": {"L": [{"S": "t"}, {"S": "s"}]}}),
        ),
        ("ADD tags :ss", json!({"tags": {"SS": ["x", "z"]}}), json!({"tags": {"SS": ["x", "y", "z"]}})),
        ("DELETE tags :ss, nothing :ss", json!({"tags": {"SS": ["x", "z"]}}), json!({"tags": {"SS": ["z"]}})),
    ] {
        let update = parse(source);
        assert_eq!(update.touched_old(&old()), item(before), "old of {source}");
        assert_eq!(update.touched_new(&old()), item(after), "new of {source}");
    }
    let source = "SET m.p = :s, m.l = :s REMOVE txt";
    let update = parse(source);
    let targets: Vec<_> = update.target_attributes().map(|(name, span)| (name, span.of(source))).collect();
    assert_eq!(targets, [("m", "m.p"), ("txt", "txt")]);
}

#[test]
fn paths_into_attributes_are_listed_wherever_they_stand() {
    let source = "SET n = list_append(if_not_exists(m.p, l[0]), tags), l = m, v.x = :s";
    let update = parse(source);
    let nested: Vec<_> = update.nested_attributes().map(|(name, span)| (name, span.of(source))).collect();
    assert_eq!(nested, [("m", "m.p"), ("l", "l[0]"), ("v", "v.x")]);
}
