//! Legacy parameters, said with expressions: `Expected`, `AttributeUpdates`, `AttributesToGet`, `KeyConditions`,
//! `QueryFilter`, `ScanFilter` and `ConditionalOperator`. Developer Guide, "Legacy conditional parameters".
//!
//! A request is rewritten before its operation reads it, so that there is one way to check, to compare and to update. One
//! that mixes both kinds is left as it is: its operation refuses it, in its own order.

use super::input::{Input, Violations};
use crate::diagnostic::Failure;
use serde_json::{Map, Value as Json, json};

/// Where conditions of a legacy kind go, and what they are called in complaints.
const FILTERS: [(&str, &str); 3] =
    [("Expected", "ConditionExpression"), ("QueryFilter", "FilterExpression"), ("ScanFilter", "FilterExpression")];
/// All legacy members.
const LEGACY: [&str; 6] =
    ["AttributeUpdates", "AttributesToGet", "Expected", "KeyConditions", "QueryFilter", "ScanFilter"];
/// All expressions.
const EXPRESSIONS: [&str; 5] =
    ["ConditionExpression", "FilterExpression", "KeyConditionExpression", "ProjectionExpression", "UpdateExpression"];

/// A request without legacy parameters; `None` if there was nothing to do.
///
/// # Errors
/// What is wrong with a legacy parameter.
pub fn modern(operation: &str, body: &Json) -> Result<Option<Json>, Failure> {
    let Some(object) = body.as_object() else { return Ok(None) };
    if operation == "BatchGetItem" {
        return batch(object);
    }
    rewritten(object)
}

/// Each table of a BatchGetItem has parameters of its own.
fn batch(object: &Map<String, Json>) -> Result<Option<Json>, Failure> {
    let Some(tables) = object.get("RequestItems").and_then(Json::as_object) else { return Ok(None) };
    let mut changed = Map::new();
    let mut is_changed = false;
    for (name, table) in tables {
        let modern = table.as_object().map(rewritten).transpose()?.flatten();
        is_changed |= modern.is_some();
        changed.insert(name.clone(), modern.unwrap_or_else(|| table.clone()));
    }
    if !is_changed {
        return Ok(None);
    }
    let mut object = object.clone();
    object.insert("RequestItems".to_owned(), changed.into());
    Ok(Some(object.into()))
}

fn rewritten(object: &Map<String, Json>) -> Result<Option<Json>, Failure> {
    let has = |name: &str| object.get(name).is_some_and(|member| !member.is_null());
    if !LEGACY.iter().any(|name| has(name)) {
        return Ok(None);
    }
    // Mixed, or with placeholders that no expression of theirs could use: the operation says so.
    if EXPRESSIONS.iter().chain(&["ExpressionAttributeNames", "ExpressionAttributeValues"]).any(|name| has(name)) {
        return Ok(None);
    }
    let body = Json::Object(object.clone());
    let input = Input::new(&body)?;
    let mut words = Words::default();
    let mut modern = object.clone();
    let joint = joint(&input)?;
    if let Some(updates) = input.structure("AttributeUpdates")? {
        modern.insert("UpdateExpression".to_owned(), words.updates(&updates)?.into());
    }
    for (member, expression) in FILTERS {
        if let Some(conditions) = input.structure(member)?
            && let Some(text) = words.conditions(&conditions, joint)?
        {
            modern.insert(expression.to_owned(), text.into());
        }
    }
    if let Some(conditions) = input.structure("KeyConditions")?
        && let Some(text) = words.conditions(&conditions, " AND ")?
    {
        modern.insert("KeyConditionExpression".to_owned(), text.into());
    }
    if let Some(names) = input.texts("AttributesToGet")? {
        modern.insert("ProjectionExpression".to_owned(), words.projection(&names)?.into());
    }
    for name in LEGACY.iter().chain(&["ConditionalOperator"]) {
        modern.remove(*name);
    }
    words.place(&mut modern);
    Ok(Some(modern.into()))
}

fn joint(input: &Input<'_>) -> Result<&'static str, Failure> {
    let operator = input.text("ConditionalOperator")?;
    let mut violations = Violations::default();
    violations.one_of(operator.as_ref(), "conditionalOperator", &["OR", "AND"]);
    violations.check()?;
    Ok(if operator.as_deref() == Some("OR") { " OR " } else { " AND " })
}

/// The placeholders of the expressions that are written.
#[derive(Default)]
struct Words {
    names: Map<String, Json>,
    values: Map<String, Json>,
}

fn invalid(text: impl std::fmt::Display) -> Failure {
    Failure::validation(format!("One or more parameter values were invalid: {text}"))
}

impl Words {
    fn name(&mut self, attribute: &str) -> String {
        let placeholder = format!("#n{}", self.names.len());
        self.names.insert(placeholder.clone(), attribute.into());
        placeholder
    }

    fn value(&mut self, value: &Json) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value.clone());
        placeholder
    }

    fn place(self, body: &mut Map<String, Json>) {
        for (member, words) in [("ExpressionAttributeNames", self.names), ("ExpressionAttributeValues", self.values)] {
            if !words.is_empty() {
                body.insert(member.to_owned(), words.into());
            }
        }
    }

    fn projection(&mut self, names: &[String]) -> Result<String, Failure> {
        let mut parts = Vec::new();
        for (at, name) in names.iter().enumerate() {
            if names.iter().take(at).any(|other| other == name) {
                return Err(invalid(format!("Duplicate value in attribute name: {name}")));
            }
            parts.push(self.name(name));
        }
        if parts.is_empty() {
            let mut violations = Violations::default();
            violations.add("'[]'", "attributesToGet", "Member must have length greater than or equal to 1");
            violations.check()?;
        }
        Ok(parts.join(", "))
    }

    fn updates(&mut self, updates: &Input<'_>) -> Result<String, Failure> {
        let (mut set, mut remove, mut add, mut delete) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (attribute, _) in updates.entries() {
            let Some(update) = updates.structure(attribute)? else { continue };
            let action = update.text("Action")?;
            let mut violations = Violations::default();
            let path = format!("attributeUpdates.{attribute}.member.action");
            violations.one_of(action.as_ref(), &path, &["ADD", "DELETE", "PUT"]);
            violations.check()?;
            let name = self.name(attribute);
            let value = update.raw("Value").map(|value| (self.value(value), value));
            match (action.as_deref().unwrap_or("PUT"), value) {
                ("DELETE", None) => remove.push(name),
                ("DELETE", Some((placeholder, value))) => {
                    check_type(value, &["SS", "NS", "BS"], "DELETE")?;
                    delete.push(format!("{name} {placeholder}"));
                }
                (action, None) => {
                    return Err(invalid(format!(
                        "Only DELETE action is allowed when no attribute value is specified: {action}"
                    )));
                }
                ("ADD", Some((placeholder, value))) => {
                    check_type(value, &["N", "SS", "NS", "BS", "L"], "ADD")?;
                    if value.get("L").is_some() {
                        let none = self.value(&json!({"L": []}));
                        set.push(format!("{name} = list_append(if_not_exists({name}, {none}), {placeholder})"));
                    } else {
                        add.push(format!("{name} {placeholder}"));
                    }
                }
                (_, Some((placeholder, _))) => set.push(format!("{name} = {placeholder}")),
            }
        }
        let sections = [("SET", set), ("REMOVE", remove), ("ADD", add), ("DELETE", delete)];
        let sections = sections.iter().filter(|(_, parts)| !parts.is_empty());
        Ok(sections.map(|(word, parts)| format!("{word} {}", parts.join(", "))).collect::<Vec<_>>().join(" "))
    }

    /// Conditions on attributes, joined; `None` if there are none.
    fn conditions(&mut self, conditions: &Input<'_>, joint: &str) -> Result<Option<String>, Failure> {
        let mut parts = Vec::new();
        for (attribute, _) in conditions.entries() {
            if let Some(condition) = conditions.structure(attribute)? {
                parts.push(self.condition(attribute, &condition)?);
            }
        }
        Ok((!parts.is_empty()).then(|| parts.join(joint)))
    }

    fn condition(&mut self, attribute: &str, condition: &Input<'_>) -> Result<String, Failure> {
        let name = self.name(attribute);
        let operator = condition.text("ComparisonOperator")?;
        let list = condition.list("AttributeValueList")?;
        let Some(operator) = operator else {
            return self.expected(attribute, &name, condition, list.is_some());
        };
        if condition.has("Exists") || condition.has("Value") {
            let member = if condition.has("Exists") { "Exists" } else { "Value" };
            return Err(invalid(format!(
                "{member} and ComparisonOperator cannot be used together for Attribute: {attribute}"
            )));
        }
        let mut violations = Violations::default();
        let set = [
            "IN",
            "NULL",
            "BETWEEN",
            "LT",
            "NOT_CONTAINS",
            "EQ",
            "GT",
            "NOT_NULL",
            "NE",
            "LE",
            "BEGINS_WITH",
            "GE",
            "CONTAINS",
        ];
        violations.one_of(Some(&operator), "comparisonOperator", &set);
        violations.check()?;
        let list = list.unwrap_or_default();
        let fits = match operator.as_str() {
            "NULL" | "NOT_NULL" => list.is_empty(),
            "BETWEEN" => list.len() == 2,
            "IN" => !list.is_empty(),
            _ => list.len() == 1,
        };
        if !fits {
            return Err(invalid(format!("Invalid number of argument(s) for the {operator} ComparisonOperator")));
        }
        let values: Vec<String> = list.iter().map(|value| self.value(value)).collect();
        let first = values.first().cloned().unwrap_or_default();
        let compare = |sign: &str| format!("{name} {sign} {first}");
        Ok(match operator.as_str() {
            "EQ" => compare("="),
            "NE" => compare("<>"),
            "LT" => compare("<"),
            "LE" => compare("<="),
            "GT" => compare(">"),
            "GE" => compare(">="),
            "NULL" => format!("attribute_not_exists({name})"),
            "NOT_NULL" => format!("attribute_exists({name})"),
            "CONTAINS" => format!("contains({name}, {first})"),
            "NOT_CONTAINS" => format!("NOT contains({name}, {first})"),
            "BEGINS_WITH" => format!("begins_with({name}, {first})"),
            "BETWEEN" => format!("{name} BETWEEN {first} AND {}", values.get(1).map_or("", String::as_str)),
            _ => format!("{name} IN ({})", values.join(", ")),
        })
    }

    /// `Exists` and `Value` of `Expected`.
    fn expected(
        &mut self,
        attribute: &str,
        name: &str,
        condition: &Input<'_>,
        has_list: bool,
    ) -> Result<String, Failure> {
        if has_list {
            return Err(invalid(format!(
                "AttributeValueList can only be used with a ComparisonOperator for Attribute: {attribute}"
            )));
        }
        match (condition.flag("Exists")?, condition.raw("Value")) {
            (Some(false), None) => Ok(format!("attribute_not_exists({name})")),
            (Some(false), Some(_)) => {
                Err(invalid(format!("Value cannot be used when Exists is false for Attribute: {attribute}")))
            }
            (Some(true) | None, Some(value)) => Ok(format!("{name} = {}", self.value(value))),
            (exists, None) => Err(invalid(format!(
                "Value must be provided when Exists is {} for Attribute: {attribute}",
                if exists.is_some() { "true" } else { "null" }
            ))),
        }
    }
}

fn check_type(value: &Json, types: &[&str], action: &str) -> Result<(), Failure> {
    let name = value.as_object().and_then(|value| value.keys().next());
    match name {
        Some(name) if !types.contains(&name.as_str()) => {
            Err(invalid(format!("{action} action is not supported for the type {name}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(operation: &str, body: Json) -> Json {
        modern(operation, &body).unwrap().unwrap()
    }

    #[test]
    fn conditions_become_one_expression() {
        let body = json!({"TableName": "t", "ConditionalOperator": "OR", "Expected": {
            "a": {"Exists": false}, "b": {"Value": {"S": "x"}},
            "c": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"N": "1"}, {"N": "2"}]},
        }});
        assert_eq!(
            said("PutItem", body),
            json!({
                "TableName": "t",
                "ConditionExpression": "attribute_not_exists(#n0) OR #n1 = :v0 OR #n2 BETWEEN :v1 AND :v2",
                "ExpressionAttributeNames": {"#n0": "a", "#n1": "b", "#n2": "c"},
                "ExpressionAttributeValues": {":v0": {"S": "x"}, ":v1": {"N": "1"}, ":v2": {"N": "2"}},
            })
        );
    }

    #[test]
    fn updates_become_sections() {
        let body = json!({"AttributeUpdates": {
            "a": {"Value": {"S": "x"}}, "b": {"Action": "ADD", "Value": {"N": "1"}}, "c": {"Action": "DELETE"},
            "d": {"Action": "DELETE", "Value": {"SS": ["y"]}},
        }});
        let modern = said("UpdateItem", body);
        assert_eq!(modern["UpdateExpression"], "SET #n0 = :v0 REMOVE #n2 ADD #n1 :v1 DELETE #n3 :v2");
        let wrong = modern_error(json!({"AttributeUpdates": {"a": {"Action": "PUT"}}}));
        assert!(wrong.contains("Only DELETE action is allowed when no attribute value is specified"), "{wrong}");
    }

    fn modern_error(body: Json) -> String {
        modern("UpdateItem", &body).unwrap_err().message.clone()
    }

    #[test]
    fn what_is_mixed_or_modern_stays_as_it_is() {
        let mixed = json!({"Expected": {}, "ConditionExpression": "a = :a"});
        assert_eq!(modern("PutItem", &mixed).unwrap(), None);
        assert_eq!(modern("PutItem", &json!({"TableName": "t"})).unwrap(), None);
        let batch = json!({"RequestItems": {"t": {"Keys": [], "AttributesToGet": ["a", "b"]}}});
        assert_eq!(said("BatchGetItem", batch)["RequestItems"]["t"]["ProjectionExpression"], "#n0, #n1");
    }
}
