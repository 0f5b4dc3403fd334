//! DynamoDB's wire protocol, JSON 1.0: a target and a body in, a status and a body out. Thin: everything that
//! decides lies behind [`Session::send`].
//!
//! ```
//! use dynascope_engine::{protocol, scenario::Scenario, session::Session};
//!
//! let mut session = Session::new(Scenario::default()).unwrap();
//! let answer = protocol::handle(&mut session, "DynamoDB_20120810.GetItem", r#"{"TableName": "app", "Key": {}}"#);
//! assert_eq!(answer.status, 400);
//! assert_eq!(answer.body["__type"], "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException");
//! ```
//!
//! Rules: Developer Guide, "DynamoDB low-level API" and "Error handling with DynamoDB".

use crate::diagnostic::{ErrorKind, Failure};
use crate::metrics::{LogEntry, Second};
use crate::operation::{Request, table_not_found};
use crate::session::{Outcome, Session};
use crate::time::SimTime;
use serde_json::{Map, Value as Json, json};

/// What stands before the operation's name in the `X-Amz-Target` header.
const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// An answer ready to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct WireResponse {
    /// HTTP status: 200, 400 or 500.
    pub status: u16,
    /// The answer, or `__type`, message and further members of an exception.
    pub body: Json,
}

/// Answers one request as the service's endpoint does. `target` is the `X-Amz-Target` header.
///
/// Nothing is refused by way of `Result`: an unknown operation and a body that is not JSON are answers too. A
/// body nested deeper than 128 levels is taken for one that is not JSON.
pub fn handle(session: &mut Session, target: &str, body: &str) -> WireResponse {
    match read(target, body.as_bytes()) {
        Ok((operation, input)) => outcome_response(&session.send(operation, &input)),
        Err(failure) => failure_response(&failure),
    }
}

/// The operation and the body of a request.
fn read(target: &str, body: &[u8]) -> Result<(&'static str, Json), Failure> {
    let operation = known_operation(target).ok_or_else(|| Failure::new(ErrorKind::UnknownOperation, ""))?;
    // The service says no more than this about a body it cannot read.
    let input = serde_json::from_slice(body).map_err(|_| Failure::new(ErrorKind::Serialization, ""))?;
    Ok((operation, input))
}

/// The same for a server: nothing is noted in a journal, which would grow with every request, and no write can be undone.
pub fn answer(session: &mut Session, target: &str, body: &[u8]) -> WireResponse {
    match read(target, body).and_then(|(operation, input)| Request::from_json(operation, &input)) {
        Ok(request) => outcome_response(&session.run(&request)),
        Err(failure) => failure_response(&failure),
    }
}

/// What stands before the names of requests to the model itself.
const CONTROL_PREFIX: &str = "Dynascope_1.";

/// Answers a request to the model, where its clock is moved by hand; `None` if it is none.
///
/// - `Advance {"Milliseconds": n}` moves the clock; answers `{"Now": ms}`.
/// - `Telemetry {"TableName": t}` tells how a table and its indexes stand: partitions with range, items, bytes and what
///   is left in their buckets, the last seconds, the throttle log.
/// - `Reset {}` begins with an empty account again, at 0.
pub fn control(session: &mut Session, target: &str, body: &[u8]) -> Option<WireResponse> {
    let name = target.strip_prefix(CONTROL_PREFIX)?;
    let input = serde_json::from_slice::<Json>(body).unwrap_or_default();
    let answered = match name {
        "Advance" => advance(session, &input),
        "Telemetry" => telemetry(session, &input),
        "Reset" => Session::new(session.scenario().clone()).map(|begun| {
            *session = begun;
            now_json(session)
        }),
        _ => Err(Failure::new(ErrorKind::UnknownOperation, "")),
    };
    Some(match answered {
        Ok(body) => WireResponse { status: 200, body },
        Err(failure) => failure_response(&failure),
    })
}

fn now_json(session: &Session) -> Json {
    json!({"Now": session.now().0 / 1_000})
}

fn advance(session: &mut Session, input: &Json) -> Result<Json, Failure> {
    let milliseconds = input.get("Milliseconds").and_then(Json::as_u64);
    let until = milliseconds.and_then(|ms| ms.checked_mul(1_000)?.checked_add(session.now().0)).ok_or_else(|| {
        Failure::validation("Milliseconds is a whole number, zero or more: how far the clock is to be moved")
    })?;
    session.advance(SimTime(until), u64::MAX);
    Ok(now_json(session))
}

/// Seconds of the series that are told.
const SECONDS_TOLD: u64 = 300;

fn telemetry(session: &Session, input: &Json) -> Result<Json, Failure> {
    let name = input.get("TableName").and_then(Json::as_str).unwrap_or_default();
    let slot = session.database().slot(name).ok_or_else(|| table_not_found(name))?;
    let table = session.database().table(slot);
    let names = std::iter::once(None).chain(table.schema.global_indexes().map(|index| Some(&*index.name)));
    let mut arms = Vec::new();
    for (at, index) in names.enumerate() {
        let mut arm = json!(session.telemetry(name, index));
        let now = session.now().second();
        let metrics = session.metrics().arm(slot, at);
        let seconds: Vec<Json> = (now.saturating_sub(SECONDS_TOLD)..=now)
            .filter_map(|second| {
                let counts = metrics?.series.get(second);
                (counts != Second::default()).then(|| json!({"second": second, "counts": counts}))
            })
            .collect();
        arm["seconds"] = seconds.into();
        arms.push(arm);
    }
    let throttles: Vec<&LogEntry> = session.throttles(name).collect();
    Ok(json!({"Now": session.now().0 / 1_000, "Arms": arms, "Throttles": throttles}))
}

/// The id of a request by its number, in the form of the service's: 52 letters and digits.
pub fn request_id(number: u64) -> String {
    let digits = format!("{number:X}");
    format!("DYNASCOPE{digits:0>43}")
}

/// The operation a target names, if this engine answers it.
fn known_operation(target: &str) -> Option<&'static str> {
    let name = target.strip_prefix(TARGET_PREFIX)?;
    Request::OPERATIONS.into_iter().find(|operation| *operation == name)
}

/// The wire form of an outcome.
pub fn outcome_response(outcome: &Outcome) -> WireResponse {
    match &outcome.result {
        Ok(response) => WireResponse { status: 200, body: response.to_json() },
        Err(failure) => failure_response(failure),
    }
}

/// The wire form of a failure: `__type`, then the message if there is one, then the exception's own members.
pub fn failure_response(failure: &Failure) -> WireResponse {
    let kind = failure.kind;
    let mut body = Map::new();
    body.insert("__type".into(), format!("{}#{}", kind.wire_prefix(), kind.name()).into());
    if !failure.message.is_empty() {
        body.insert(kind.message_member().into(), failure.message.as_str().into());
    }
    body.extend(failure.members.iter().map(|(name, value)| (name.clone(), value.clone())));
    WireResponse { status: kind.status(), body: Json::Object(body) }
}
