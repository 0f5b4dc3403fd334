//! What the service says to malformed and impossible requests, word for word.
//!
//! Each line of the table is one request to a table with a global index `byG` (all attributes), `keys` (keys only)
//! and a local index `byD` (keys only), and the exception and text that must come back. Origins: texts recorded
//! against the service, and its API model.

use dynascope_engine::protocol::handle;
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use serde_json::{Value as Json, json};

fn open() -> Session {
    let index = |name: &str, hash: &str, range: Option<&str>, projection: &str| {
        let mut keys = vec![json!({"AttributeName": hash, "KeyType": "HASH"})];
        keys.extend(range.map(|range| json!({"AttributeName": range, "KeyType": "RANGE"})));
        json!({"IndexName": name, "KeySchema": keys, "Projection": {"ProjectionType": projection}})
    };
    let create = json!({
        "TableName": "Table", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "g", "AttributeType": "S"}, {"AttributeName": "d", "AttributeType": "N"},
        ],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [index("byG", "g", None, "ALL"), index("keys", "g", Some("d"), "KEYS_ONLY")],
        "LocalSecondaryIndexes": [index("byD", "pk", Some("d"), "KEYS_ONLY")],
    });
    let item = json!({
        "pk": {"S": "a"}, "sk": {"N": "1"}, "g": {"S": "x"}, "d": {"N": "1"}, "n": {"N": "5"},
        "things": {"L": [{"S": "one"}]}, "box": {"M": {"piece": {"N": "1"}}}, "letters": {"S": "t"}, "tags": {"SS": ["r"]},
    });
    let scenario = json!({"version": 1, "tables": [{"create": create, "items": [item]}]});
    let scenario: Scenario = serde_json::from_value(scenario).expect("a scenario");
    Session::new(scenario).expect("the table is taken")
}

/// Merges `more` into a request that is good without it; `null` takes a member out.
fn request(operation: &str, more: &Json) -> Json {
    let mut body = match operation {
        "PutItem" => json!({"TableName": "Table", "Item": {"pk": {"S": "a"}, "sk": {"N": "1"}}}),
        "Query" => json!({
            "TableName": "Table", "KeyConditionExpression": "pk = :pk", "ExpressionAttributeValues": {":pk": {"S": "a"}},
        }),
        "Scan" | "BatchWriteItem" | "CreateTable" => json!({"TableName": "Table"}),
        _ => json!({"TableName": "Table", "Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}}),
    };
    for (name, value) in more.as_object().into_iter().flatten() {
        match (value, &mut body[name]) {
            (Json::Object(members), Json::Object(own)) => own.extend(members.clone()),
            (value, own) => *own = value.clone(),
        }
    }
    body
}

fn check(table: &[(&str, Json, &str)]) {
    let mut complaints = Vec::new();
    for (operation, more, expected) in table {
        let body = request(operation, more);
        let answer = handle(&mut open(), &format!("DynamoDB_20120810.{operation}"), &body.to_string());
        let name = answer.body["__type"].as_str().and_then(|name| name.split('#').nth(1)).unwrap_or("OK");
        let message = answer.body["message"].as_str().or(answer.body["Message"].as_str()).unwrap_or_default();
        let said = if name == "ValidationException" { message.to_owned() } else { format!("{name}: {message}") };
        if said != *expected {
            complaints.push(format!("{operation} {more}\n  said      {said}\n  should be {expected}"));
        }
    }
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn shapes() {
    check(&[
        (
            "PutItem",
            json!({"TableName": null}),
            "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
        ),
        (
            "PutItem",
            json!({"TableName": ""}),
            "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1",
        ),
        (
            "GetItem",
            json!({"TableName": "bad table!"}),
            "1 validation error detected: Value 'bad table!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        ),
        (
            "GetItem",
            json!({"ReturnConsumedCapacity": "ALL"}),
            "1 validation error detected: Value 'ALL' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]",
        ),
        (
            "PutItem",
            json!({"ReturnValues": "WHAT"}),
            "1 validation error detected: Value 'WHAT' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
        ),
        ("PutItem", json!({"ReturnValues": "ALL_NEW"}), "ReturnValues can only be ALL_OLD or NONE"),
        ("DeleteItem", json!({"ReturnValues": "UPDATED_OLD"}), "ReturnValues can only be ALL_OLD or NONE"),
        (
            "Query",
            json!({"Select": "SOME"}),
            "1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
        ),
        ("GetItem", json!({"TableName": "Elsewhere"}), "ResourceNotFoundException: Requested resource not found"),
        (
            "PutItem",
            json!({"Item": {"x": {"N": 5}}}),
            "SerializationException: NUMBER_VALUE cannot be converted to String",
        ),
        (
            "PutItem",
            json!({"Item": {"x": {"S": true}}}),
            "SerializationException: TRUE_VALUE cannot be converted to String",
        ),
        ("Query", json!({"Limit": "5"}), "SerializationException: STRING_VALUE cannot be converted to Integer"),
        (
            "Query",
            json!({"Limit": 0}),
            "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
        ),
        (
            "Scan",
            json!({"Limit": 0}),
            "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
        ),
        ("BatchWriteItem", json!({"RequestItems": {}}), "The requestItems parameter is required for BatchWriteItem"),
        (
            "BatchWriteItem",
            json!({"RequestItems": {"Table": [
                {"DeleteRequest": {"Key": {"pk": {"S": "a"}, "sk": {"N": "1"}}}},
                {"PutRequest": {"Item": {"pk": {"S": "a"}, "sk": {"N": "1.0"}}}},
            ]}}),
            "Provided list of item keys contains duplicates",
        ),
        (
            "CreateTable",
            json!({"TableName": null}),
            "The parameter 'TableName' is required but was not present in the request",
        ),
    ]);
}

#[test]
fn values() {
    let put = |value: Json| json!({"Item": {"x": value}});
    let nested = |levels: usize| (0..levels).fold(json!({"S": "deep"}), |inner, _| json!({"L": [inner]}));
    check(&[
        (
            "PutItem",
            put(json!({})),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
        (
            "PutItem",
            put(json!({"S": "a", "N": "1"})),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
        ),
        (
            "PutItem",
            put(json!({"SS": []})),
            "One or more parameter values were invalid: An string set  may not be empty",
        ),
        (
            "PutItem",
            put(json!({"NS": []})),
            "One or more parameter values were invalid: An number set  may not be empty",
        ),
        (
            "PutItem",
            put(json!({"BS": []})),
            "One or more parameter values were invalid: Binary sets should not be empty",
        ),
        (
            "PutItem",
            put(json!({"L": [{"SS": []}]})),
            "One or more parameter values were invalid: An string set  may not be empty",
        ),
        (
            "PutItem",
            put(json!({"SS": ["a", "a"]})),
            "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
        ),
        (
            "PutItem",
            put(json!({"NS": ["1", "1.0"]})),
            "One or more parameter values were invalid: Input collection contains duplicates",
        ),
        (
            "PutItem",
            put(json!({"BS": ["Yg==", "Yg=="]})),
            "One or more parameter values were invalid: Input collection [Yg==, Yg==]of type BS contains duplicates.",
        ),
        (
            "PutItem",
            put(json!({"NULL": false})),
            "One or more parameter values were invalid: Null attribute value types must have the value of true",
        ),
        ("PutItem", put(json!({"N": "abc"})), "The parameter cannot be converted to a numeric value: abc"),
        ("PutItem", put(json!({"N": ""})), "The parameter cannot be converted to a numeric value"),
        ("PutItem", put(json!({"N": " 1"})), "The parameter cannot be converted to a numeric value:  1"),
        ("PutItem", put(json!({"N": "NaN"})), "The parameter cannot be converted to a numeric value: NaN"),
        (
            "PutItem",
            put(json!({"N": "1".repeat(39)})),
            "Attempting to store more than 38 significant digits in a Number",
        ),
        (
            "PutItem",
            put(json!({"N": "1e126"})),
            "Number overflow. Attempting to store a number with magnitude larger than supported range",
        ),
        (
            "PutItem",
            put(json!({"N": "-1e126"})),
            "Number overflow. Attempting to store a number with magnitude larger than supported range",
        ),
        (
            "PutItem",
            put(json!({"N": "1e-131"})),
            "Number underflow. Attempting to store a number with magnitude smaller than supported range",
        ),
        ("PutItem", put(nested(32)), "OK: "),
        (
            "PutItem",
            put(nested(33)),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit",
        ),
        ("PutItem", put(json!({"S": ""})), "OK: "),
        ("PutItem", put(json!({"B": ""})), "OK: "),
        ("PutItem", put(json!({"L": []})), "OK: "),
        ("PutItem", put(json!({"M": {"": {"S": ""}}})), "OK: "),
        ("PutItem", put(json!({"SS": ["", "a"]})), "OK: "),
        (
            "Query",
            json!({"ExpressionAttributeValues": {":pk": {"N": "x"}}}),
            "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :pk",
        ),
        (
            "Query",
            json!({"ExpressionAttributeValues": {":pk": {"SS": []}}}),
            "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :pk",
        ),
        (
            "Query",
            json!({"ExclusiveStartKey": {"pk": {"NULL": false}}}),
            "The provided starting key is invalid: One or more parameter values were invalid: Null attribute value types must have the value of true",
        ),
    ]);
}

#[test]
fn keys() {
    check(&[
        (
            "PutItem",
            json!({"Item": {"pk": {"N": "1"}}}),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: N",
        ),
        (
            "PutItem",
            json!({"Item": {"pk": {"NULL": true}}}),
            "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: NULL",
        ),
        (
            "PutItem",
            json!({"Item": {"pk": {"S": ""}}}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        ),
        (
            "PutItem",
            json!({"Item": null}),
            "1 validation error detected: Value null at 'item' failed to satisfy constraint: Member must not be null",
        ),
        ("PutItem", json!({"Item": {"pk": {"S": "p".repeat(2048)}}}), "OK: "),
        (
            "PutItem",
            json!({"Item": {"pk": {"S": "p".repeat(2049)}}}),
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
        ),
        (
            "GetItem",
            json!({"Key": {"pk": {"S": "p".repeat(2049)}}}),
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
        ),
        ("GetItem", json!({"Key": {"more": {"S": "x"}}}), "The provided key element does not match the schema"),
        ("DeleteItem", json!({"Key": {"sk": {"S": "1"}}}), "The provided key element does not match the schema"),
        (
            "UpdateItem",
            json!({"Key": {"pk": {"S": ""}}}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        ),
        (
            "PutItem",
            json!({"Item": {"g": {"N": "1"}}}),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: N IndexName: byG",
        ),
        (
            "PutItem",
            json!({"Item": {"g": {"NULL": true}}}),
            "One or more parameter values were invalid: Type mismatch for Index Key g Expected: S Actual: NULL IndexName: byG",
        ),
        (
            "PutItem",
            json!({"Item": {"g": {"S": ""}}}),
            "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: byG, IndexKey: g",
        ),
        (
            "UpdateItem",
            json!({"UpdateExpression": "SET g = :g", "ExpressionAttributeValues": {":g": {"N": "1"}}}),
            "The update expression attempted to update the secondary index key to unsupported type",
        ),
        (
            "UpdateItem",
            json!({"UpdateExpression": "SET g = :g", "ExpressionAttributeValues": {":g": {"S": "g".repeat(2049)}}}),
            "The update expression attempted to update the secondary index key beyond allowed size limits",
        ),
        (
            "UpdateItem",
            json!({"UpdateExpression": "SET pk = :g", "ExpressionAttributeValues": {":g": {"S": "b"}}}),
            "One or more parameter values were invalid: Cannot update attribute pk. This attribute is part of the key",
        ),
        (
            "UpdateItem",
            json!({"UpdateExpression": "REMOVE sk"}),
            "One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key",
        ),
    ]);
}

#[test]
fn placeholders() {
    let value = json!({":v": {"N": "1"}});
    check(&[
        (
            "GetItem",
            json!({"ExpressionAttributeNames": {"#a": "a"}}),
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        (
            "PutItem",
            json!({"ExpressionAttributeValues": value}),
            "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
        ),
        (
            "UpdateItem",
            json!({"ExpressionAttributeValues": value}),
            "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null",
        ),
        (
            "Scan",
            json!({"ExpressionAttributeValues": value}),
            "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null",
        ),
        (
            "GetItem",
            json!({"ProjectionExpression": "a", "ExpressionAttributeNames": {}}),
            "ExpressionAttributeNames must not be empty",
        ),
        (
            "Scan",
            json!({"FilterExpression": "a = b", "ExpressionAttributeValues": {}}),
            "ExpressionAttributeValues must not be empty",
        ),
        (
            "GetItem",
            json!({"ProjectionExpression": "a", "ExpressionAttributeNames": {"a": "b"}}),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"",
        ),
        (
            "Scan",
            json!({"FilterExpression": "a = b", "ExpressionAttributeValues": {"b": {"S": "x"}}}),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \"b\"",
        ),
        (
            "Scan",
            json!({"FilterExpression": "a = :v", "ExpressionAttributeValues": {":v": {"S": "x"}, ":unused": {"S": "x"}}}),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}",
        ),
        (
            "GetItem",
            json!({"ProjectionExpression": "a", "ExpressionAttributeNames": {"#a": "x", "#b": "y"}}),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}",
        ),
        (
            "Scan",
            json!({"FilterExpression": "a = :missing"}),
            "Invalid FilterExpression: An expression attribute value used in expression is not defined; attribute value: :missing",
        ),
        (
            "Scan",
            json!({"FilterExpression": "#missing = a"}),
            "Invalid FilterExpression: An expression attribute name used in the document path is not defined; attribute name: #missing",
        ),
        (
            "PutItem",
            json!({"Expected": {"a": {"Exists": false}}, "ConditionExpression": "attribute_exists(a)"}),
            "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
        ),
        // An unused value is noticed before a table that does not exist.
        (
            "Scan",
            json!({"TableName": "Elsewhere", "FilterExpression": "a = a1", "ExpressionAttributeValues": value}),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
        ),
    ]);
}

#[test]
fn conditions() {
    let scan = |filter: &str| json!({"FilterExpression": filter});
    let with = |filter: &str, values: Json| json!({"FilterExpression": filter, "ExpressionAttributeValues": values});
    let n = || json!({":n": {"N": "1"}});
    check(&[
        ("Scan", scan(""), "Invalid FilterExpression: The expression can not be empty;"),
        ("Scan", scan("a"), "Invalid FilterExpression: Syntax error; token: \"<EOF>\", near: \"a\""),
        ("Scan", scan("book-price = a"), "Invalid FilterExpression: Syntax error; token: \"-\", near: \"book-price\""),
        (
            "Scan",
            scan("name = a"),
            "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: name",
        ),
        (
            "Scan",
            scan("Status = a"),
            "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: Status",
        ),
        ("Scan", scan("foo(a)"), "Invalid FilterExpression: Invalid function name; function: foo"),
        (
            "Scan",
            scan("size(a)"),
            "Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size",
        ),
        (
            "Scan",
            with("begins_with(a, :n)", n()),
            "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
        ),
        (
            "Scan",
            scan("begins_with(a)"),
            "Invalid FilterExpression: Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1",
        ),
        (
            "Scan",
            with("attribute_exists(:n)", n()),
            "Invalid FilterExpression: Operator or function requires a document path; operator or function: attribute_exists",
        ),
        (
            "Scan",
            scan("contains(a, a)"),
            "Invalid FilterExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [a]",
        ),
        ("Scan", scan("((a = b))"), "Invalid FilterExpression: The expression has redundant parentheses;"),
        (
            "Scan",
            with("a BETWEEN :b AND :a", json!({":a": {"S": "a"}, ":b": {"S": "b"}})),
            "Invalid FilterExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}",
        ),
        (
            "Scan",
            with("a BETWEEN :n AND :a", json!({":a": {"S": "a"}, ":n": {"N": "1"}})),
            "Invalid FilterExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}",
        ),
        (
            "Scan",
            with("a < :l", json!({":l": {"BOOL": true}})),
            "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL",
        ),
        (
            "Scan",
            scan(&"a = b ".repeat(700)),
            "Invalid FilterExpression: Expression size has exceeded the maximum allowed size; expression size: 4200",
        ),
        (
            "PutItem",
            json!({"ConditionExpression": "attribute_not_exists(pk)"}),
            "ConditionalCheckFailedException: The conditional request failed",
        ),
        (
            "GetItem",
            json!({"ProjectionExpression": "a, a.b"}),
            "Invalid ProjectionExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            "GetItem",
            json!({"ProjectionExpression": "a.b, a[1]"}),
            "Invalid ProjectionExpression: Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path two: [a, [1]]",
        ),
        (
            "GetItem",
            json!({"ProjectionExpression": ""}),
            "Invalid ProjectionExpression: The expression can not be empty;",
        ),
    ]);
}

#[test]
fn updates() {
    let set =
        |expression: &str, values: Json| json!({"UpdateExpression": expression, "ExpressionAttributeValues": values});
    let n = || json!({":v": {"N": "1"}});
    check(&[
        ("UpdateItem", json!({"UpdateExpression": ""}), "Invalid UpdateExpression: The expression can not be empty;"),
        (
            "UpdateItem",
            set("SET a = :v SET b = :v", n()),
            "Invalid UpdateExpression: The \"SET\" section can only be used once in an update expression;",
        ),
        (
            "UpdateItem",
            set("SET a = :v, a.b = :v", n()),
            "Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]",
        ),
        (
            "UpdateItem",
            set("SET absent.piece = :v", n()),
            "The document path provided in the update expression is invalid for update",
        ),
        (
            "UpdateItem",
            set("SET letters.piece = :v", n()),
            "The document path provided in the update expression is invalid for update",
        ),
        ("UpdateItem", set("SET box.fresh = :v", n()), "OK: "),
        ("UpdateItem", set("SET things[9] = :v", n()), "OK: "),
        (
            "UpdateItem",
            set("SET a = absent + :v", n()),
            "The provided expression refers to an attribute that does not exist in the item",
        ),
        (
            "UpdateItem",
            set("SET a = letters + :v", n()),
            "An operand in the update expression has an incorrect data type",
        ),
        (
            "UpdateItem",
            set("SET n = n + :v", json!({":v": {"S": "1"}})),
            "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: +, operand type: S",
        ),
        (
            "UpdateItem",
            set("SET things = list_append(things, :v)", n()),
            "Invalid UpdateExpression: Incorrect operand type for operator or function; operator or function: list_append, operand type: N",
        ),
        ("UpdateItem", set("SET a = list_append(if_not_exists(a, :v), :v)", json!({":v": {"L": []}})), "OK: "),
        (
            "UpdateItem",
            set("ADD n :v", json!({":v": {"S": "1"}})),
            "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND",
        ),
        ("UpdateItem", set("ADD letters :v", n()), "An operand in the update expression has an incorrect data type"),
        ("UpdateItem", set("ADD fresh :v", n()), "OK: "),
        (
            "UpdateItem",
            set("DELETE tags :v", n()),
            "Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND",
        ),
        ("UpdateItem", set("DELETE tags :v", json!({":v": {"SS": ["r"]}})), "OK: "),
        (
            "UpdateItem",
            json!({"UpdateExpression": "REMOVE absent.piece"}),
            "The document path provided in the update expression is invalid for update",
        ),
        ("UpdateItem", json!({"UpdateExpression": "REMOVE absent, things[7]"}), "OK: "),
        (
            "UpdateItem",
            json!({"UpdateExpression": "SET a = b c"}),
            "Invalid UpdateExpression: Syntax error; token: \"c\", near: \"b c\"",
        ),
        (
            "UpdateItem",
            set("SET n = n + :v", json!({":v": {"N": "1e50"}})),
            "Attempting to store more than 38 significant digits in a Number",
        ),
    ]);
}

#[test]
fn queries() {
    let query = |condition: &str| json!({"KeyConditionExpression": condition});
    let with = |condition: &str, value: Json| json!({"KeyConditionExpression": condition, "ExpressionAttributeValues": {":v": value}});
    let on = |index: &str, more: Json| {
        let mut body = json!({"IndexName": index, "KeyConditionExpression": "g = :pk"});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        body
    };
    check(&[
        (
            "Query",
            json!({"KeyConditionExpression": null, "ExpressionAttributeValues": null}),
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
        ),
        ("Query", query("elsewhere = :pk"), "Query condition missed key schema element: pk"),
        ("Query", query("pk > :pk"), "Query key condition not supported"),
        ("Query", query("begins_with(pk, :pk)"), "Query key condition not supported"),
        ("Query", query("pk = :pk OR pk = :pk"), "Invalid operator used in KeyConditionExpression: OR"),
        ("Query", query("pk = :pk AND contains(sk, :pk)"), "Invalid operator used in KeyConditionExpression: contains"),
        ("Query", query("pk <> :pk"), "Invalid operator used in KeyConditionExpression: <>"),
        ("Query", query("pk = :pk AND pk = :pk"), "KeyConditionExpressions must only contain one condition per key"),
        ("Query", query("pk.piece = :pk"), "KeyConditionExpressions cannot have conditions on nested attributes"),
        (
            "Query",
            with("pk = :pk AND sk = :v", json!({"S": "1"})),
            "One or more parameter values were invalid: Condition parameter type does not match schema type",
        ),
        (
            "Query",
            with("pk = :pk AND begins_with(sk, :v)", json!({"N": "1"})),
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N",
        ),
        (
            "Query",
            with("pk = :pk AND elsewhere = :v", json!({"N": "1"})),
            "Query condition missed key schema element: sk",
        ),
        (
            "Query",
            json!({"ExpressionAttributeValues": {":pk": {"S": ""}}}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        ),
        (
            "Query",
            json!({"FilterExpression": "attribute_exists(pk)"}),
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk",
        ),
        (
            "Query",
            json!({"FilterExpression": "sk > pk"}),
            "Filter Expression can only contain non-primary key attributes: Primary key attribute: sk",
        ),
        ("Scan", json!({"FilterExpression": "attribute_exists(pk)"}), "OK: "),
        ("Query", json!({"IndexName": "nowhere"}), "The table does not have the specified index: nowhere"),
        (
            "Query",
            on("byG", json!({"ConsistentRead": true})),
            "Consistent reads are not supported on global secondary indexes",
        ),
        (
            "Scan",
            json!({"IndexName": "byG", "ConsistentRead": true}),
            "Consistent reads are not supported on global secondary indexes",
        ),
        ("Query", json!({"IndexName": "byD", "ConsistentRead": true}), "OK: "),
        (
            "Query",
            on("keys", json!({"Select": "ALL_ATTRIBUTES"})),
            "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index keys because its projection type is not ALL",
        ),
        (
            "Query",
            on("keys", json!({"ProjectionExpression": "n"})),
            "One or more parameter values were invalid: Global secondary index keys does not project [n]",
        ),
        (
            "Query",
            on("keys", json!({"FilterExpression": "attribute_exists(n)"})),
            "One or more parameter values were invalid: Secondary index keys does not project one or more filter attributes: [n]",
        ),
        ("Query", json!({"IndexName": "byD", "Select": "ALL_ATTRIBUTES"}), "OK: "),
        (
            "Query",
            json!({"Select": "ALL_PROJECTED_ATTRIBUTES"}),
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            "Query",
            json!({"Select": "COUNT", "ProjectionExpression": "n"}),
            "Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
        (
            "Query",
            json!({"Select": "ALL_ATTRIBUTES", "ProjectionExpression": "n"}),
            "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
        ),
        (
            "Query",
            json!({"Select": "SPECIFIC_ATTRIBUTES"}),
            "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
        (
            "Scan",
            json!({"Select": "SPECIFIC_ATTRIBUTES"}),
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
        (
            "Query",
            json!({"ExclusiveStartKey": {"pk": {"S": "a"}}}),
            "The provided starting key is invalid: The provided key element does not match the schema",
        ),
        (
            "Query",
            json!({"ExclusiveStartKey": {"pk": {"S": "b"}, "sk": {"N": "1"}}}),
            "The provided starting key is outside query boundaries based on provided conditions",
        ),
        (
            "Scan",
            json!({"Segment": 0}),
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
        ),
        (
            "Scan",
            json!({"TotalSegments": 4}),
            "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
        ),
        (
            "Scan",
            json!({"Segment": 4, "TotalSegments": 4}),
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 4 is not less than TotalSegments: 4",
        ),
        (
            "Scan",
            json!({"Segment": -1, "TotalSegments": 4}),
            "1 validation error detected: Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater than or equal to 0",
        ),
    ]);
}
