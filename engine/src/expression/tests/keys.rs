//! Key conditions: their shape, and how they meet a schema.

use super::placeholders;
use crate::diagnostic::Failure;
use crate::expression::{KeyQuery, SortCondition, parse_key_condition};
use crate::value::{AttributeValue, ValueType};

fn resolve(source: &str) -> Result<KeyQuery, Failure> {
    let condition = parse_key_condition(source, &mut placeholders())?;
    condition.check()?;
    condition.resolve(("pk", ValueType::S), Some(("sk", ValueType::N)))
}

fn check(source: &str, message: &str, place: &str) {
    let failure = resolve(source).unwrap_err();
    assert_eq!(failure.message, message, "{source}");
    assert_eq!(failure.labels[0].source, "KeyConditionExpression");
    assert_eq!(failure.labels[0].span.of(source), place, "{source}");
}

#[test]
fn the_shape_of_a_key_condition() {
    let prefix = "Invalid condition in KeyConditionExpression: ";
    for (source, operator, place) in [
        ("pk = :s OR pk = :t", "OR", "OR"),
        ("pk = :s AND sk > :n or sk < :n", "OR", "or"),
        ("not pk = :s", "NOT", "not"),
        ("pk = :s AND sk <> :n", "<>", "<>"),
        ("pk IN (:s)", "IN", "IN"),
        ("pk = :s AND contains(sk, :n)", "contains", "contains"),
        ("attribute_exists(pk)", "attribute_exists", "attribute_exists"),
        ("attribute_type(pk, :SS)", "attribute_type", "attribute_type"),
    ] {
        check(source, &format!("Invalid operator used in KeyConditionExpression: {operator}"), place);
    }
    let nested = "KeyConditionExpressions cannot contain nested operations";
    check("size(pk) > :n AND pk.b > :n", nested, "size(pk) > :n");
    check("pk BETWEEN size(b) AND :n", nested, "pk BETWEEN size(b) AND :n");
    let multiple = format!("{prefix}Multiple attribute names used in one condition");
    check("pk = sk", &multiple, "sk");
    check("pk BETWEEN b AND size(c)", &multiple, "b");
    check("begins_with(pk, sk)", &multiple, "sk");
    check("pk.a = :s", "KeyConditionExpressions cannot have conditions on nested attributes", "pk.a");
    check(":s = :t AND pk = :s", &format!("{prefix}No key attribute specified"), ":s = :t");
    let first = " operator must have the key attribute as its first operand";
    check(":n BETWEEN size(a) AND b", &format!("{prefix}BETWEEN{first}"), ":n BETWEEN size(a) AND b");
    check("begins_with(:s, pk)", &format!("{prefix}begins_with{first}"), "begins_with(:s, pk)");
    check("pk = :s AND pk = :t", "KeyConditionExpressions must only contain one condition per key", "pk = :t");
    check("pk = :s AND (sk = :n AND x = :s)", "Conditions can be of length 1 or 2 only", "x = :s");
}

#[test]
fn keys_must_be_met_in_name_kind_and_type() {
    check("x = :s", "Query condition missed key schema element: pk", "x = :s");
    check("sk = :n", "Query condition missed key schema element: pk", "sk = :n");
    check("pk = :s AND x = :n", "Query condition missed key schema element: sk", "pk = :s AND x = :n");
    check("pk > :s", "Query key condition not supported", "pk > :s");
    check("begins_with(pk, :s)", "Query key condition not supported", "begins_with(pk, :s)");
    let wrong = "One or more parameter values were invalid: Condition parameter type does not match schema type";
    check("pk = :n", wrong, "pk = :n");
    check("pk > :n", wrong, "pk > :n");
    check("pk = :s AND sk = :s", wrong, "sk = :s");
    check("pk = :s AND begins_with(sk, :s)", wrong, "begins_with(sk, :s)");
    check(
        "pk = :empty",
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        "pk = :empty",
    );
    check(
        "pk = :s AND sk BETWEEN :m AND :n",
        "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}",
        ":m AND :n",
    );
    let condition = parse_key_condition("pk = :s AND x = :n", &mut placeholders()).unwrap();
    let failure = condition.resolve(("pk", ValueType::S), None).unwrap_err();
    assert_eq!(failure.message, "Query key condition not supported");
}

#[test]
fn values_may_stand_on_either_side() {
    let one = || AttributeValue::from(1);
    for (source, sort) in [
        ("pk = :s", None),
        (":s = pk", None),
        ("(pk = :s)", None),
        ("pk = :s AND sk = :n", Some(SortCondition::Equal(one()))),
        ("sk < :n AND pk = :s", Some(SortCondition::Less(one()))),
        ("pk = :s AND :n < sk", Some(SortCondition::Greater(one()))),
        ("pk = :s AND :n >= sk", Some(SortCondition::LessOrEqual(one()))),
        ("(pk = :s AND (sk >= :n))", Some(SortCondition::GreaterOrEqual(one()))),
        ("(pk = :s) and (sk between :n and :m)", Some(SortCondition::Between(one(), 2.into()))),
    ] {
        let query = resolve(source).unwrap_or_else(|failure| panic!("{source}: {}", failure.message));
        assert_eq!(query, KeyQuery { partition: "s".into(), sort }, "{source}");
    }
}

#[test]
fn sort_conditions_match_keys() {
    let number = AttributeValue::from;
    for (condition, matching, other) in [
        (SortCondition::Equal(number(2)), number(2), number(3)),
        (SortCondition::Less(number(9)), number(8), number(10)),
        (SortCondition::LessOrEqual(number(9)), number(9), number(10)),
        (SortCondition::Greater(number(9)), number(10), number(9)),
        (SortCondition::GreaterOrEqual(number(9)), number(9), number(8)),
        (SortCondition::Between(number(1), number(3)), number(3), number(4)),
        (SortCondition::BeginsWith("ab".into()), "abc".into(), "aab".into()),
    ] {
        assert!(condition.matches(&matching), "{condition:?}");
        assert!(!condition.matches(&other), "{condition:?}");
    }
}
