//! Texts as people type and paste them.

use super::*;
use crate::value::item_from_json;
use serde_json::{Value as Json, json};

fn item(json: Json) -> Item {
    item_from_json(&json).unwrap()
}

fn read(text: &str) -> Document {
    read_item(text, Spelling::Auto, 10_000).unwrap_or_else(|complaints| panic!("{text}: {complaints:?}"))
}

/// The first complaint about the text, and the text that it marks.
fn check(spelling: Spelling, text: &str, message: &str, place: &str) {
    let complaints = read_item(text, spelling, 10_000).unwrap_err();
    assert_eq!(complaints[0].message, message, "{text}");
    assert_eq!(complaints[0].span.of(text), place, "{text}");
}

#[test]
fn plain_json_becomes_what_the_sdks_make_of_it() {
    let text = r#"{"s": "é\n\u00e9\ud83d\ude00\/", "n": -1.50e2, "t": true, "z": null, "l": [1, "a", []], "m": {"k": {}}, "": 1}"#;
    let complaints = read_item(text, Spelling::Auto, 1_000).unwrap_err();
    assert_eq!(complaints[0].message, "an attribute needs a name");
    let document = read(&text.replace(r#", "": 1"#, ""));
    assert_eq!(document.spelling, Spelling::Plain);
    let expected = json!({
        "s": {"S": "é\né😀/"}, "n": {"N": "-150"}, "t": {"BOOL": true}, "z": {"NULL": true},
        "l": {"L": [{"N": "1"}, {"S": "a"}, {"L": []}]}, "m": {"M": {"k": {"M": {}}}},
    });
    assert_eq!(document.item, item(expected));
    assert_eq!(read(" \u{FEFF}{}".trim_start()).item, Item::new());
}

#[test]
fn numbers_keep_all_their_digits() {
    let digits = "12345678901234567890123456789012345678";
    let document = read(&format!("{{\"n\": {digits}}}"));
    assert_eq!(document.item, item(json!({"n": {"N": digits}})));
    assert_eq!(read("{\"n\": 0.1}").item, item(json!({"n": {"N": "0.1"}})));
}

#[test]
fn typed_json_is_recognised_and_can_be_forced() {
    let typed = json!({
        "s": {"S": ""}, "n": {"N": "1"}, "b": {"B": "AAE="}, "t": {"BOOL": false}, "z": {"NULL": true},
        "l": {"L": [{"M": {"k": {"SS": ["a", "b"]}}}]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AA=="]},
    });
    let document = read(&typed.to_string());
    assert_eq!((document.spelling, document.item), (Spelling::DynamoDb, item(typed.clone())));
    assert_eq!(read(&json!({ "Item": typed }).to_string()).item, item(typed));
    // One attribute that is not typed makes the whole text plain.
    let mixed = r#"{"pk": {"S": "a"}, "n": 1}"#;
    assert_eq!(read(mixed).item, item(json!({"pk": {"M": {"S": {"S": "a"}}}, "n": {"N": "1"}})));
    check(Spelling::DynamoDb, mixed, "expected a value with its type here", "1");
    let forced = read_item(r#"{"pk": {"S": "a"}}"#, Spelling::Plain, 100).unwrap();
    assert_eq!(forced.item, item(json!({"pk": {"M": {"S": {"S": "a"}}}})));
}

#[test]
fn broken_json_is_pointed_at() {
    for (text, message, place) in [
        ("", "the text ends here; expected a value", ""),
        ("{\"a\" 1}", "expected `:` here", "1"),
        ("{\"a\": 1 \"b\": 2}", "expected `,` or `}` here", "\""),
        ("{\"a\": [1 2]}", "expected `,` or `]` here", "2"),
        ("{\"a\": 1,}", "expected a name in double quotes here", "}"),
        ("{\"a\": [1,]}", "expected a value here", "]"),
        ("{a: 1}", "expected a name in double quotes here", "a"),
        ("{'a': 1}", "expected a name in double quotes here", "'"),
        ("{\"a\": 'b'}", "expected a value here", "'"),
        ("{\"a\": }", "expected a value here", "}"),
        ("{\"a\": 1", "the text ends here; expected `,` or `}`", ""),
        ("{\"a\": [", "the text ends here; expected a value", ""),
        ("{\"a\": \"b", "the text ends inside this string; expected `\"`", "\"b"),
        ("{\"a\": \"b\nc\"}", "a string can not go over the end of a line", "\n"),
        ("{\"a\": \"\t\"}", "a control character in a string must be an escape", "\t"),
        ("{\"a\": \"\\é\"}", "`\\é` is no escape of JSON", "\\é"),
        ("{\"a\": \"\\u12\"}", "expected four hexadecimal digits after `\\u`", "\\u"),
        ("{\"a\": \"\\ud800x\"}", "`\\ud800` is half of a character", "\\ud800"),
        ("{\"a\": \"\\udc00\"}", "`\\udc00` is half of a character", "\\udc00"),
        ("{\"a\": 012}", "`012` is no number of JSON", "012"),
        ("{\"a\": 1.}", "`1.` is no number of JSON", "1."),
        ("{\"a\": 1_000}", "`1_000` is no number of JSON", "1_000"),
        ("{\"a\": -}", "`-` is no number of JSON", "-"),
        ("{\"a\": True}", "`True` is no value of JSON", "True"),
        ("{\"a\": NaN}", "`NaN` is no value of JSON", "NaN"),
        ("{\"a\": é}", "`é` is no value of JSON", "é"),
        ("{\"a\": .5}", "expected a value here", "."),
        ("{} {}", "expected the end of the text here", "{"),
        ("{\"a\": 1, \"b\": 2, \"a\": 3}", "`a` stands twice in this object", "\"a\""),
        ("{\"a\": {\"b\": 2, \"\\u0062\": 3}}", "`b` stands twice in this object", "\"\\u0062\""),
        ("[1]", "an item is an object, such as `{\"pk\": \"a\"}`", "[1]"),
    ] {
        check(Spelling::Auto, text, message, place);
    }
    // Every beginning of a text is answered, whatever it is cut off in.
    let text = "{\"a\": [1, -2.5e+3, {\"é\": \"\\ud83d\\ude00\"}, null, true], \"b\": {}}";
    for (end, _) in text.char_indices() {
        assert!(read_item(&text[..end], Spelling::Auto, 1_000).is_err());
    }
}

#[test]
fn values_are_refused_in_the_services_words() {
    let empty = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    for (text, message, place) in [
        (r#"{"a": {"X": "1"}}"#, empty, "\"X\""),
        (r#"{"a": {}}"#, empty, "{}"),
        (
            r#"{"a": {"S": "1", "N": "1"}}"#,
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
            "\"N\"",
        ),
        (
            r#"{"a": {"SS": []}}"#,
            "One or more parameter values were invalid: An string set  may not be empty",
            "{\"SS\": []}",
        ),
        (
            r#"{"a": {"SS": ["x", "x"]}}"#,
            "One or more parameter values were invalid: Input collection [x, x] contains duplicates.",
            "[\"x\", \"x\"]",
        ),
        (r#"{"a": {"N": 1}}"#, "NUMBER_VALUE cannot be converted to String", "1"),
        (r#"{"a": {"N": "1x"}}"#, "The parameter cannot be converted to a numeric value: 1x", "\"1x\""),
        (r#"{"a": {"B": "?"}}"#, "Invalid base64 encoded binary value", "\"?\""),
        (
            r#"{"a": {"L": [{"S": "ok"}, {"NULL": false}]}}"#,
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
            "false",
        ),
    ] {
        check(Spelling::DynamoDb, text, message, place);
    }
    let digits = "1".repeat(39);
    let message = "Attempting to store more than 38 significant digits in a Number";
    check(Spelling::Auto, &format!("{{\"a\": [{digits}]}}"), message, &digits);
    // All faults are shown, not only the first.
    let complaints = read_item(r#"{"a": {"N": "x"}, "b": {"S": 1}}"#, Spelling::Auto, 100).unwrap_err();
    assert_eq!(complaints.len(), 2);
}

#[test]
fn nesting_ends_at_32_levels_and_the_stack_holds() {
    let plain = |levels: usize| format!("{{\"a\": {}1{}}}", "[".repeat(levels), "]".repeat(levels));
    assert!(read_item(&plain(32), Spelling::Auto, 1_000).is_ok());
    check(Spelling::Auto, &plain(33), json::TOO_DEEP, "1");
    let typed =
        |levels: usize| format!("{{\"a\": {}{{\"S\": \"x\"}}{}}}", "{\"L\": [".repeat(levels), "]}".repeat(levels));
    assert!(read_item(&typed(32), Spelling::Auto, 1_000).is_ok());
    check(Spelling::Auto, &typed(33), json::TOO_DEEP, "{\"S\": \"x\"}");
    for open in ["[", "{\"a\":", "[[{\"a\":"] {
        assert_eq!(
            read_item(&open.repeat(100_000), Spelling::Auto, 10_000_000).unwrap_err()[0].message,
            json::TOO_DEEP
        );
    }
}

#[test]
fn size_is_refused_before_reading() {
    let text = "{\"a\": 1}";
    assert!(read_item(text, Spelling::Auto, text.len()).is_ok());
    let complaints = read_item(text, Spelling::Auto, text.len() - 1).unwrap_err();
    assert_eq!(complaints[0].message, "this text has 8 bytes; the limit is 7");
    assert_eq!(read_items(text, Spelling::Auto, 7).complaints, complaints);
}

#[test]
fn single_values() {
    let value = |text: &str| read_value(text, Spelling::Auto);
    assert_eq!(value(" 5 "), Ok(5.into()));
    assert_eq!(value("\"a\""), Ok("a".into()));
    assert_eq!(value("[1, 2]"), Ok(AttributeValue::L(vec![1.into(), 2.into()])));
    assert_eq!(value(r#"{"SS": ["a"]}"#), Ok(AttributeValue::Ss(["a".to_owned()].into())));
    let map = item(json!({"SS": {"L": [{"S": "a"}]}}));
    assert_eq!(read_value(r#"{"SS": ["a"]}"#, Spelling::Plain), Ok(AttributeValue::M(map)));
    let complaint = value("cancelled").unwrap_err();
    assert_eq!(complaint.message, "`cancelled` is no value of JSON");
    assert_eq!(complaint.help.as_deref(), Some("if it is text, put it in double quotes"));
    assert!(value("").is_err());
    assert!(value("1 2").is_err());
    assert!(value(&"9".repeat(39)).is_err());
}

fn pasted(text: &str) -> (Vec<String>, Vec<String>) {
    let read = read_items(text, Spelling::Auto, 10_000);
    let spans = read.items.iter().map(|item| item.span.of(text).to_owned()).collect();
    (spans, read.complaints.into_iter().map(|complaint| complaint.message).collect())
}

#[test]
fn pasted_items_come_in_many_shapes() {
    let (one, two) = (r#"{"pk": {"S": "a"}}"#, r#"{"pk": {"S": "b"}, "n": {"N": "1"}}"#);
    for text in [
        format!("[{one}, {two}]"),
        format!("{one}\n{two}\n"),
        format!("{one}\r\n\r\n{two}"),
        format!("{one}, {two},"),
        format!("{{\"Item\": {one}}}\n{{\"Item\": {two}}}"),
        format!("{{\"Items\": [{one}, {two}], \"Count\": 2, \"ScannedCount\": 2}}"),
        format!("{{\"Items\": [{one}, {two}]}}"),
        format!("{{\"T\": [{{\"PutRequest\": {{\"Item\": {one}}}}}, {{\"PutRequest\": {{\"Item\": {two}}}}}]}}"),
        format!(
            "{{\"RequestItems\": {{\"T\": [{{\"PutRequest\": {{\"Item\": {one}}}}}], \"U\": [{{\"PutRequest\": {{\"Item\": {two}}}}}]}}}}"
        ),
    ] {
        let read = read_items(&text, Spelling::Auto, 10_000);
        assert_eq!(read.complaints, [], "{text}");
        assert_eq!(read.spelling, Spelling::DynamoDb, "{text}");
        let spans: Vec<&str> = read.items.iter().map(|item| item.span.of(&text)).collect();
        assert_eq!(spans, [one, two], "{text}");
        assert_eq!(read.items[1].table.is_some(), text.contains("PutRequest"));
    }
    let plain = "[{\"pk\": 1}, {\"Items\": [1]}, {\"Item\": {\"a\": 1}}]";
    assert_eq!(pasted(plain).0.len(), 3, "plain items with such names are items");
    assert_eq!(pasted("{\"pk\": 1}").0, ["{\"pk\": 1}"]);
}

#[test]
fn what_can_be_understood_is() {
    let (items, complaints) = pasted("{\"pk\": 1}\n{\"pk\": }\n{\"pk\": 3}\n{\"pk\": 1");
    assert_eq!(items, ["{\"pk\": 1}", "{\"pk\": 3}"]);
    assert_eq!(complaints, ["expected a value here", "the text ends here; expected `,` or `}`"]);

    let (items, complaints) = pasted("[{\"pk\": 1}, 5, {\"pk\": {\"a\": 1}}]");
    assert_eq!((items.len(), complaints.len()), (2, 1));

    let (items, complaints) = pasted("[{\"pk\": {\"S\": \"a\"}}, {\"pk\": {\"S\": \"b\"}}, {\"pk\": {\"X\": \"c\"}}]");
    assert_eq!(items.len(), 2);
    assert_eq!(complaints, ["Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"]);

    let (items, complaints) =
        pasted("{\"T\": [{\"PutRequest\": {\"Item\": {\"pk\": 1}}}, {\"DeleteRequest\": {\"Key\": {}}}]}");
    assert_eq!(items, ["{\"pk\": 1}"]);
    assert_eq!(complaints, ["only `{\"PutRequest\": {\"Item\": {…}}}` can be read as an item"]);

    let many = format!("[{}]", vec!["1"; MAX_COMPLAINTS + 5].join(","));
    let read = read_items(&many, Spelling::Auto, 10_000);
    assert_eq!((read.complaints.len(), read.complaints_left_out), (MAX_COMPLAINTS, 5));
    assert_eq!(pasted("").1, ["the text ends here; expected a value"]);
}

#[test]
fn settings_are_json_with_whole_numbers() {
    let text = r#"{"a": [1, -2, "x", true, null], "b": {"c": {}}}"#;
    assert_eq!(super::read_settings(text), Ok(serde_json::from_str(text).unwrap()));
    let complaint = super::read_settings(r#"{"a": [1, 2.5]}"#).unwrap_err();
    assert_eq!((complaint.span.start, complaint.span.end), (10, 13));
    assert!(super::read_settings("{\"a\" 1}").is_err());
}
