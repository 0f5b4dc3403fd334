//! What is refused, in which words, and where the complaint points.

use super::placeholders;
use crate::diagnostic::{Failure, Fix};
use crate::expression::{ExpressionKind, parse_condition, parse_projection, parse_update};

fn parse(kind: ExpressionKind, source: &str) -> Result<(), Failure> {
    let all = &mut placeholders();
    match kind {
        ExpressionKind::Update => parse_update(source, all).map(|_| ()),
        ExpressionKind::Projection => parse_projection(source, all).map(|_| ()),
        _ => parse_condition(kind, source, all).map(|_| ()),
    }
}

/// `body` is the message behind the prefix; an empty one means that nothing is refused. `place` is the text
/// that the complaint marks.
fn check(kind: ExpressionKind, source: &str, body: &str, place: &str) {
    match parse(kind, source) {
        Ok(()) => assert_eq!(body, "", "{source} was accepted"),
        Err(failure) => {
            assert_eq!(failure.message, format!("Invalid {}: {body}", kind.member()), "{source}");
            assert_eq!(failure.labels[0].source, kind.member());
            assert_eq!(failure.labels[0].span.of(source), place, "{source}");
        }
    }
}

fn filters(cases: &[(&str, &str, &str)]) {
    for (source, body, place) in cases {
        check(ExpressionKind::Filter, source, body, place);
    }
}

fn updates(cases: &[(&str, &str, &str)]) {
    for (source, body, place) in cases {
        check(ExpressionKind::Update, source, body, place);
    }
}

#[test]
fn syntax_errors_name_the_token_and_its_neighbours() {
    use ExpressionKind::{Condition, Projection, Update};
    for (kind, source, token, near) in [
        (Update, "INVALID SYNTAX HERE", "INVALID", "INVALID SYNTAX"),
        (Projection, "!!!", "!", "!!"),
        (Update, "SET _123", "_", "SET _123"),
        (Update, "ADD hits : incr", ":", "hits : incr"),
        (Projection, "book-price", "-", "book-price"),
        (Condition, "a+:delta<b", "+", "a+:delta"),
        (Condition, "attribute_not_exists(", "<EOF>", "("),
        (Condition, "foo", "<EOF>", "foo"),
        (Condition, "things are not so", "are", "things are not"),
        (Condition, "a > 4", "4", "> 4"),
        (Condition, "a == :s", "=", "== :s"),
        (Condition, "a != :s", "!", "a !="),
        (Condition, "a = :s AND", "<EOF>", "AND"),
        (Condition, "a = :s)", ")", ":s)"),
        (Condition, "(a = :s", "<EOF>", ":s"),
        (Condition, "a = :s b = :s", "b", ":s b ="),
        (Condition, "a IN :s", ":s", "IN :s"),
        (Condition, "a IN (:s,)", ")", ",)"),
        (Condition, "a IN ()", ")", "()"),
        (Condition, "a BETWEEN :s OR :t", "OR", ":s OR :t"),
        (Condition, "a > between", "between", "> between"),
        (Condition, "a..b = :s", ".", "..b"),
        (Condition, "a[:n] > b", ":n", "[:n]"),
        (Condition, "a[4.5] > b", ".", "4.5"),
        (Condition, "size(a).b > :n", ".", ").b"),
        (Condition, "(size(a))[0] > :n", "[", ")[0"),
        (Condition, "a > :s.b", ".", ":s.b"),
        (Condition, "é > a", "é", "é >"),
        (Condition, "attribute_exists(\"a.b\")", "\"", "(\"a"),
        (Condition, "NOT", "<EOF>", "NOT"),
        (Projection, "a,,b", ",", ",,b"),
        (Projection, "a,", "<EOF>", ","),
        (Projection, ":s", ":s", ":s"),
        (Projection, "(a)", "(", "(a"),
        (Projection, "size(a)", "(", "size(a"),
        (Update, "set a", "<EOF>", "a"),
        (Update, "set a = set", "set", "= set"),
        (Update, "set :s = a", ":s", "set :s ="),
        (Update, "set a = b + c + d", "+", "c + d"),
        (Update, "set a = b * c", "*", "b * c"),
        (Update, "set a = 1", "1", "= 1"),
        (Update, "set a = (b.c).d + e", ".", ").d"),
        (Update, "set (a) = b", "(", "set (a"),
        (Update, "remove a = b", "=", "a = b"),
        (Update, "remove a b", "b", "a b"),
        (Update, "add a b", "b", "a b"),
        (Update, "delete a if_not_exists(b, c)", "if_not_exists", "a if_not_exists("),
        (Update, "set a = if_not_exists(b, 100)", "100", ", 100)"),
    ] {
        let failure = parse(kind, source).unwrap_err();
        let message = format!("Invalid {}: Syntax error; token: \"{token}\", near: \"{near}\"", kind.member());
        assert_eq!(failure.message, message, "{source}");
        let place = failure.labels[0].span.of(source);
        assert_eq!(place, if token == "<EOF>" { "" } else { token }, "{source}");
    }
}

#[test]
fn limits_hold_at_the_limit_and_break_one_past_it() {
    let long = |bytes: usize| format!("attribute_exists(a{})", "b".repeat(bytes - 19));
    check(ExpressionKind::Filter, &long(4096), "", "");
    let body = "Expression size has exceeded the maximum allowed size; expression size: 4097";
    check(ExpressionKind::Filter, &long(4097), body, &long(4097));

    let nots = |count: usize| format!("{}a = :n", "NOT ".repeat(count));
    check(ExpressionKind::Filter, &nots(299), "", "");
    let body = "The expression contains too many operators; operator count: 301";
    check(ExpressionKind::Filter, &nots(300), body, "=");
    check(ExpressionKind::Filter, &nots(400), body, "NOT");

    let candidates = |count: usize| format!("a IN ({})", vec![":n"; count].join(", "));
    check(ExpressionKind::Filter, &candidates(100), "", "");
    let body = "The IN operator is provided with too many operands; number of operands: 101";
    check(ExpressionKind::Filter, &candidates(101), body, &candidates(101));

    let path = |elements: usize| vec!["a"; elements].join(".");
    for kind in [ExpressionKind::Projection, ExpressionKind::Update, ExpressionKind::Filter] {
        let source = |elements: usize| match kind {
            ExpressionKind::Projection => path(elements),
            ExpressionKind::Update => format!("REMOVE {}", path(elements)),
            _ => format!("attribute_exists({})", path(elements)),
        };
        check(kind, &source(32), "", "");
        let body = "The document path has too many nesting levels; nesting levels: 33";
        check(kind, &source(33), body, &path(33));
    }
}

/// With a quarter of the stack that the browser gives.
#[test]
fn the_stack_holds_whatever_is_piled_up() {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(pile_up);
    thread.unwrap().join().unwrap();
}

fn pile_up() {
    for source in [
        "(".repeat(4096),
        "NOT ".repeat(1024),
        format!("a = {}", "(".repeat(4000)),
        "a(".repeat(2048),
        format!("{}a{}", "(".repeat(2000), ")".repeat(2000)),
        format!("{}a = :n{}", "(".repeat(2000), ")".repeat(2000)),
        format!("{}a{} = :n", "(".repeat(2000), ")".repeat(2000)),
        format!("{}a > :n", "size(".repeat(800)),
        "a = :n AND (".repeat(341),
        "a[".repeat(2048),
        "a.".repeat(2048),
    ] {
        assert!(parse(ExpressionKind::Filter, &source).is_err());
    }
    for source in [
        format!("SET a = {}", "(".repeat(4000)),
        format!("SET a = {}", "list_append(".repeat(340)),
        format!("SET a = {}b{}", "(".repeat(2000), ")".repeat(2000)),
    ] {
        assert!(parse(ExpressionKind::Update, &source).is_err());
    }
    let deep = format!("{}a = :n{}", "(a=:n OR ".repeat(140), ")".repeat(140));
    check(ExpressionKind::Filter, &deep, "", "");
    let deep = |levels: usize| format!("SET a = {}b{}", "if_not_exists(c, ".repeat(levels), ")".repeat(levels));
    check(ExpressionKind::Update, &deep(64), "", "");
    let body = "The expression contains too many operators; operator count: 301";
    check(ExpressionKind::Update, &deep(65), body, "if_not_exists");
}

#[test]
fn parentheses_are_redundant_only_when_doubled() {
    let redundant = "The expression has redundant parentheses;";
    filters(&[
        ("", "The expression can not be empty;", ""),
        ("(a = :s)", "", ""),
        ("(a = :s) AND (b = :s)", "", ""),
        ("(a = :s AND (b = :s))", "", ""),
        ("(NOT (a = :s))", "", ""),
        ("(a) = (:s)", "", ""),
        ("((a).b).c = :s", "", ""),
        ("attribute_exists((a))", "", ""),
        ("a IN ((:s), :t)", "", ""),
        ("(a)between(:n)and(:m)", "", ""),
        ("((a = :s))", redundant, "((a = :s))"),
        ("a = :s and b > ((c))", redundant, "((c))"),
        ("((a)) = :s", redundant, "((a))"),
        ("((a = :s AND b = :s)) OR c = :s", redundant, "((a = :s AND b = :s))"),
        ("size(((a))) > :n", redundant, "((a))"),
    ]);
    updates(&[
        ("SET a = (b)", "", ""),
        ("SET a = (b + c)", "", ""),
        ("SET a = ((b.c)+(d))", "", ""),
        ("SET a = ((b))", redundant, "((b))"),
        ("SET a = ((b + c))", redundant, "((b + c))"),
    ]);
}

#[test]
fn functions_must_exist_and_fit_their_place() {
    let misused = |function: &str| {
        format!("The function is not allowed to be used this way in an expression; function: {function}")
    };
    filters(&[
        ("a = :s AND whatever(:s) > b", "Invalid function name; function: whatever", "whatever"),
        ("Attribute_exists(a)", "Invalid function name; function: Attribute_exists", "Attribute_exists"),
        (
            "if_not_exists(a, b) = :s",
            "The function is not allowed in a condition expression; function: if_not_exists",
            "if_not_exists",
        ),
        ("size(a)", &misused("size"), "size"),
        ("NOT size(a)", &misused("size"), "size"),
        ("attribute_exists(a) = :bool", &misused("attribute_exists"), "attribute_exists"),
        ("size(contains(a, b)) > c", &misused("contains"), "contains"),
        ("a BETWEEN b AND attribute_exists(c)", &misused("attribute_exists"), "attribute_exists"),
        ("a IN (b, contains(c, d))", &misused("contains"), "contains"),
    ]);
    updates(&[
        ("SET a = whatever(b)", "Invalid function name; function: whatever", "whatever"),
        ("SET a = size(b)", "The function is not allowed in an update expression; function: size", "size"),
    ]);
}

#[test]
fn words_and_placeholders() {
    let reserved = "Attribute name is a reserved keyword; reserved keyword: ";
    let no_name = "An expression attribute name used in the document path is not defined; attribute name: #x";
    let no_value = "An expression attribute value used in expression is not defined; attribute value: :x";
    filters(&[
        ("a = :s AND nAme = :s", &format!("{reserved}nAme"), "nAme"),
        ("a.Status = :s", &format!("{reserved}Status"), "Status"),
        ("attribute_exists(abort, #x)", &format!("{reserved}abort"), "abort"),
        ("a.#x = :s", no_name, "#x"),
        ("a = :x", no_value, ":x"),
        ("#x = :x", no_name, "#x"),
        (":x = #x", no_value, ":x"),
        ("attribute_exists(#x, :s)", no_name, "#x"),
        ("a[2147483647] = :s", "", ""),
        ("a[2147483648] = :s", "List index is not within the allowable range; index: [2147483648]", "2147483648"),
    ]);
    updates(&[
        ("SET a = :s, name = :s", &format!("{reserved}name"), "name"),
        ("SET #x = :x", no_name, "#x"),
        ("SET a = :x, #x = :s", no_name, "#x"),
        ("ADD a :x", no_value, ":x"),
        ("SET a.and = :s", &format!("{reserved}and"), "and"),
    ]);
    let fix = |source: &str| parse(ExpressionKind::Filter, source).unwrap_err().fix.clone();
    assert_eq!(fix("Hash = :s"), Some(Fix::AliasName { name: "Hash".into() }));
    assert_eq!(fix("#x = :s"), Some(Fix::DefineName { placeholder: "#x".into() }));
    assert_eq!(fix("a = :x"), Some(Fix::DefineValue { placeholder: ":x".into() }));
}

#[test]
fn operand_counts_and_distinctness() {
    let count = |function: &str, count: usize| {
        format!(
            "Incorrect number of operands for operator or function; operator or function: {function}, number of operands: {count}"
        )
    };
    let distinct = |operator: &str, path: &str| {
        format!(
            "The first operand must be distinct from the remaining operands for this operator or function; operator: {operator}, first operand: {path}"
        )
    };
    filters(&[
        ("attribute_exists(a, b)", &count("attribute_exists", 2), "attribute_exists(a, b)"),
        ("begins_with(a)", &count("begins_with", 1), "begins_with(a)"),
        ("begins_with(a, size(b), c)", &count("begins_with", 3), "begins_with(a, size(b), c)"),
        ("size(a, b) > :n", &count("size", 2), "size(a, b)"),
        ("a = #a", &distinct("=", "[a]"), "#a"),
        ("a.b[1] <> a.#b[1]", &distinct("<>", "[a, b, [1]]"), "a.#b[1]"),
        ("contains(a, a)", &distinct("contains", "[a]"), "a"),
        ("a BETWEEN :n AND a", &distinct("BETWEEN", "[a]"), "a"),
        ("a IN (:n, a)", &distinct("IN", "[a]"), "a"),
        (":s = :s", "", ""),
        ("a = a.b", "", ""),
        ("#dot = a.b", "", ""),
    ]);
    updates(&[
        ("SET a = if_not_exists(b)", &count("if_not_exists", 1), "if_not_exists(b)"),
        ("SET a = list_append(b, c, d)", &count("list_append", 3), "list_append(b, c, d)"),
    ]);
}

#[test]
fn operand_types() {
    let wrong = |operator: &str, ty: &str| {
        format!("Incorrect operand type for operator or function; operator or function: {operator}, operand type: {ty}")
    };
    let path =
        |operator: &str| format!("Operator or function requires a document path; operator or function: {operator}");
    filters(&[
        ("begins_with(a, :n)", &wrong("begins_with", "N"), ":n"),
        ("begins_with(:bool, a)", &wrong("begins_with", "BOOL"), ":bool"),
        ("begins_with(a, size(b))", &wrong("begins_with", "N"), "size(b)"),
        ("begins_with(a, :b)", "", ""),
        ("size(:null) > :n", &wrong("size", "NULL"), ":null"),
        ("size(size(a)) > :n", &wrong("size", "N"), "size(a)"),
        ("attribute_not_exists(size(:n))", &wrong("size", "N"), ":n"),
        ("attribute_not_exists(size(:s))", &path("attribute_not_exists"), "size(:s)"),
        ("attribute_exists(:s)", &path("attribute_exists"), ":s"),
        ("attribute_type(a, :SS)", "", ""),
        ("attribute_type(a, :n)", &wrong("attribute_type", "N"), ":n"),
        ("attribute_type(a, b)", &wrong("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"), "b"),
        (
            "attribute_type(a, :s)",
            "Invalid attribute type name found; type: s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
            ":s",
        ),
        ("a < :bool", &wrong("<", "BOOL"), ":bool"),
        (":map >= a", &wrong(">=", "M"), ":map"),
        ("a = :bool", "", ""),
        ("a BETWEEN :l AND :l", &wrong("BETWEEN", "L"), ":l"),
        (
            "a BETWEEN :n AND :s",
            "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:s}",
            ":n AND :s",
        ),
        (
            "a BETWEEN :t AND :s",
            "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:t}, upper bound operand: AttributeValue: {S:s}",
            ":t AND :s",
        ),
        ("a BETWEEN :n AND :n", "", ""),
        ("a BETWEEN :t AND b", "", ""),
    ]);
    let kinds = [(":s", "S"), (":b", "B"), (":bool", "BOOL"), (":null", "NULL"), (":ss", "SS"), (":map", "M")];
    for (value, ty) in kinds {
        check(ExpressionKind::Update, &format!("SET a = b + {value}"), &wrong("+", ty), value);
        check(ExpressionKind::Update, &format!("SET a = {value} - b"), &wrong("-", ty), value);
        check(ExpressionKind::Update, &format!("SET a = list_append({value}, b)"), &wrong("list_append", ty), value);
    }
    updates(&[
        ("SET a = if_not_exists(:s, b)", &path("if_not_exists"), ":s"),
        ("SET a = if_not_exists(if_not_exists(a, b), c)", &path("if_not_exists"), "if_not_exists(a, b)"),
        ("SET a = list_append(list_append(b, :n), :n)", &wrong("list_append", "N"), ":n"),
    ]);
    for (operator, value, long) in [
        ("ADD", ":s", "STRING"),
        ("ADD", ":l", "LIST"),
        ("ADD", ":bool", "BOOLEAN"),
        ("DELETE", ":n", "NUMBER"),
        ("DELETE", ":map", "MAP"),
        ("DELETE", ":b", "BINARY"),
    ] {
        let body = format!(
            "Incorrect operand type for operator or function; operator: {operator}, operand type: {long}, typeSet: ALLOWED_FOR_{operator}_OPERAND"
        );
        check(ExpressionKind::Update, &format!("{operator} a.b {value}"), &body, value);
    }
}

#[test]
fn paths_that_get_in_each_others_way() {
    let overlap = |one: &str, two: &str| {
        format!(
            "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: {one}, path two: {two}"
        )
    };
    let conflict = |one: &str, two: &str| {
        format!(
            "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: {one}, path two: {two}"
        )
    };
    updates(&[
        ("SET a = :s REMOVE a.b", &overlap("[a]", "[a, b]"), "a.b"),
        ("SET a[3].#3 = :s, a[3] = :s", &overlap("[a, [3], [3]]", "[a, [3]]"), "a[3]"),
        ("SET #a = :s, a = :s", &overlap("[a]", "[a]"), "a"),
        ("REMOVE a.b SET a[1] = :s", &conflict("[a, b]", "[a, [1]]"), "a[1]"),
        ("SET a[1] = :s, a.b = :s, a.b.c = :s", &overlap("[a, b]", "[a, b, c]"), "a.b.c"),
        ("SET a.b = a, a.c = a.b", "", ""),
        ("SET #dot = :s, a.b = :s", "", ""),
        ("SET a = :s SET b = :s", "The \"SET\" section can only be used once in an update expression;", "SET"),
        (
            "remove a add b :n Remove c",
            "The \"REMOVE\" section can only be used once in an update expression;",
            "Remove",
        ),
    ]);
    for (source, body, place) in [
        ("a, a[1]", overlap("[a]", "[a, [1]]"), "a[1]"),
        ("b[1], b.a, #a.b, a", overlap("[a, b]", "[a]"), "a"),
        ("a.b, #a[1]", conflict("[a, b]", "[a, [1]]"), "#a[1]"),
        ("a, b, c.d, c.e[0], c.e[1]", String::new(), ""),
    ] {
        check(ExpressionKind::Projection, source, &body, place);
    }
}

#[test]
fn the_first_complaint_is_the_services() {
    filters(&[
        ("((a = :x)) AND foo(b) = name", "The expression has redundant parentheses;", "((a = :x))"),
        ("size(a) AND foo(b) = name", "Invalid function name; function: foo", "foo"),
        (
            "name = :x AND size(a)",
            "The function is not allowed to be used this way in an expression; function: size",
            "size",
        ),
        ("a = #a AND name = :x", "Attribute name is a reserved keyword; reserved keyword: name", "name"),
        (
            "begins_with(a) AND b = :x",
            "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1",
            "begins_with(a)",
        ),
        (
            "begins_with(:x)",
            "An expression attribute value used in expression is not defined; attribute value: :x",
            ":x",
        ),
    ]);
    updates(&[
        ("SET a = foo(:x) SET name = :s", "Attribute name is a reserved keyword; reserved keyword: name", "name"),
        ("SET a = foo(:x) SET b = :s", "Invalid function name; function: foo", "foo"),
        ("SET a = :x SET b = :s", "The \"SET\" section can only be used once in an update expression;", "SET"),
    ]);
}
