//! Is an answer's body what a case expects? The rules of `cases/README.md`.

use dynascope_engine::value::Number;
use serde_json::Value as Json;

/// Every member of `expected` must be in `actual`, with that value.
pub fn check(expected: &Json, actual: &Json) -> Result<(), String> {
    compare("", expected, actual)
}

/// What stands at a dotted path: dots go into objects, a number picks an element of an array.
pub fn at_path<'a>(body: &'a Json, path: &str) -> Option<&'a Json> {
    path.split('.').try_fold(body, |json, step| match json {
        Json::Array(list) => list.get(step.parse::<usize>().ok()?),
        _ => json.get(step),
    })
}

fn compare(path: &str, expected: &Json, actual: &Json) -> Result<(), String> {
    let differs = || Err(format!("{path}: {actual}, expected {expected}"));
    match (expected, actual) {
        (Json::String(text), _) if text == "non-empty array" => match actual.as_array() {
            Some(list) if !list.is_empty() => Ok(()),
            _ => differs(),
        },
        (Json::Object(members), Json::Object(found)) => members.iter().try_for_each(|(name, expected)| {
            let path = format!("{path}.{name}");
            match (name.as_str(), found.get(name)) {
                (_, None) => Err(format!("{path} is missing, expected {expected}")),
                ("SS" | "NS" | "BS", Some(actual)) => compare_sets(&path, name, expected, actual),
                ("N", Some(actual)) if number(expected).is_some() && number(expected) == number(actual) => Ok(()),
                (_, Some(actual)) => compare(&path, expected, actual),
            }
        }),
        (Json::Array(list), Json::Array(found)) if list.len() == found.len() => list
            .iter()
            .zip(found)
            .enumerate()
            .try_for_each(|(at, (expected, actual))| compare(&format!("{path}.{at}"), expected, actual)),
        (Json::Number(expected), Json::Number(actual)) if expected.as_f64() == actual.as_f64() => Ok(()),
        _ if expected == actual => Ok(()),
        _ => differs(),
    }
}

fn number(json: &Json) -> Option<Number> {
    json.as_str()?.parse().ok()
}

fn compare_sets(path: &str, name: &str, expected: &Json, actual: &Json) -> Result<(), String> {
    let sorted = |json: &Json| {
        let mut texts: Vec<String> = json.as_array()?.iter().map(|text| canonical(name, text)).collect();
        texts.sort();
        Some(texts)
    };
    match (sorted(expected), sorted(actual)) {
        (Some(expected), Some(actual)) if expected == actual => Ok(()),
        // An attribute may be called SS too.
        _ if expected.is_object() => compare(path, expected, actual),
        _ => Err(format!("{path}: {actual}, expected {expected} in any order")),
    }
}

fn canonical(name: &str, text: &Json) -> String {
    match number(text).filter(|_| name == "NS") {
        Some(number) => number.to_string(),
        None => text.to_string(),
    }
}
