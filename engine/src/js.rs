//! The engine for JavaScript: one small class over a session, and the runners of scripts and cases.
//!
//! Plain objects in, plain objects out. A whole number that JavaScript could not hold exactly (a hash) arrives
//! as a string of its digits; everything else is what `JSON.parse` would give. A request that the service would
//! refuse is an answer; an exception is thrown only where an argument is not what it should be.

use crate::protocol::outcome_response;
use crate::scenario::Scenario;
use crate::script::{self, case};
use crate::session;
use crate::time::SimTime;
use serde::Serialize;
use serde_json::{Value as Json, json};
use wasm_bindgen::prelude::{JsError, JsValue, wasm_bindgen};

/// Generated requests answered in one `advance`, about a second's work; the caller calls again for the rest.
const ADVANCE_BUDGET: u64 = 1_000_000;
/// Above this not every whole number is a JavaScript number.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// A running simulation.
#[wasm_bindgen]
pub struct Session {
    inner: session::Session,
}

#[wasm_bindgen]
impl Session {
    /// Begins a scenario; with nothing given, one without tables.
    ///
    /// # Errors
    /// What is no scenario, or one with tables or items that the service would refuse.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: JsValue) -> Result<Session, JsError> {
        let scenario = match from_js(scenario)? {
            Json::Null => Scenario::default(),
            json => serde_json::from_value(json).map_err(|error| JsError::new(&error.to_string()))?,
        };
        let inner = session::Session::new(scenario).map_err(|failure| JsError::new(&failure.headline()))?;
        Ok(Self { inner })
    }

    /// Answers a request: `{status, body, trace}`. `operation` is its name, as `PutItem`; `input` its DynamoDB
    /// JSON.
    ///
    /// # Errors
    /// An input that has no form in JSON.
    pub fn send(&mut self, operation: &str, input: JsValue) -> Result<JsValue, JsError> {
        let outcome = self.inner.send(operation, &from_js(input)?);
        let answer = outcome_response(&outcome);
        to_js(&json!({"status": answer.status, "body": answer.body, "trace": outcome.trace}))
    }

    /// Moves the clock on: `{events, reached, now}`, with `now` in microseconds. After a million generated requests
    /// it stops where it is; `reached` is false then, and a further call with what is left goes on.
    ///
    /// # Errors
    /// Milliseconds that are negative or no number.
    pub fn advance(&mut self, milliseconds: f64) -> Result<JsValue, JsError> {
        if !(0.0..=9.0e12).contains(&milliseconds) {
            return Err(JsError::new("`advance` takes milliseconds, zero or more"));
        }
        let until = self.inner.now() + (milliseconds * 1000.0) as u64;
        let progress = self.inner.advance(until, ADVANCE_BUDGET);
        to_js(&json!({"events": progress.events, "reached": progress.reached, "now": self.inner.now()}))
    }

    /// A table, or one of its global indexes, as it stands now; `null` if there is no such thing.
    ///
    /// # Errors
    /// None that a caller could cause.
    pub fn telemetry(&self, table: &str, index: Option<String>) -> Result<JsValue, JsError> {
        to_js(&self.inner.telemetry(table, index.as_deref()))
    }

    /// Scenario and journal: enough to do everything again.
    ///
    /// # Errors
    /// None that a caller could cause.
    pub fn recording(&self) -> Result<JsValue, JsError> {
        to_js(&self.inner.recording())
    }

    /// The clock, in microseconds since the scenario began.
    #[wasm_bindgen(getter)]
    pub fn now(&self) -> f64 {
        let SimTime(micros) = self.inner.now();
        micros as f64
    }
}

/// Runs a golden script and returns it with its outputs filled in.
///
/// # Errors
/// What is wrong with the script itself.
#[wasm_bindgen(js_name = runScript)]
pub fn run_script(text: &str) -> Result<String, JsError> {
    script::run(text).map_err(|error| JsError::new(&error))
}

/// Plays a recorded case, given as JSON text, and returns what came of it as text.
///
/// # Errors
/// What is no case, or one whose setup fails.
#[wasm_bindgen(js_name = runCase)]
pub fn run_case(text: &str) -> Result<String, JsError> {
    let case: case::Case = serde_json::from_str(text).map_err(|error| JsError::new(&error.to_string()))?;
    let report = case::run(&case).map_err(|error| JsError::new(&error))?;
    Ok(report.to_text())
}

fn from_js(value: JsValue) -> Result<Json, JsError> {
    if value.is_undefined() {
        return Ok(Json::Null);
    }
    serde_wasm_bindgen::from_value(value).map_err(|error| JsError::new(&error.to_string()))
}

fn to_js(value: &impl Serialize) -> Result<JsValue, JsError> {
    let mut json = serde_json::to_value(value).map_err(|error| JsError::new(&error.to_string()))?;
    spell_large_integers(&mut json);
    let serializer = serde_wasm_bindgen::Serializer::json_compatible();
    json.serialize(&serializer).map_err(|error| JsError::new(&error.to_string()))
}

fn spell_large_integers(json: &mut Json) {
    match json {
        Json::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            if size.is_some_and(|size| size > MAX_SAFE_INTEGER) {
                *json = Json::String(number.to_string());
            }
        }
        Json::Array(list) => list.iter_mut().for_each(spell_large_integers),
        Json::Object(members) => members.values_mut().for_each(spell_large_integers),
        Json::Null | Json::Bool(_) | Json::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_that_javascript_cannot_hold_become_text() {
        let mut json = json!({"a": [MAX_SAFE_INTEGER, MAX_SAFE_INTEGER + 1, u64::MAX, i64::MIN, 0.5]});
        spell_large_integers(&mut json);
        let expected = json!({
            "a": [MAX_SAFE_INTEGER, "9007199254740992", "18446744073709551615", "-9223372036854775808", 0.5],
        });
        assert_eq!(json, expected);
    }
}
