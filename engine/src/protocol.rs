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
use crate::operation::Request;
use crate::session::{Outcome, Session};
use serde_json::{Map, Value as Json};

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
    let Some(operation) = known_operation(target) else {
        return failure_response(&Failure::new(ErrorKind::UnknownOperation, ""));
    };
    match serde_json::from_str::<Json>(body) {
        Ok(input) => outcome_response(&session.send(operation, &input)),
        // The service says no more than this about a body it cannot read.
        Err(_) => failure_response(&Failure::new(ErrorKind::Serialization, "")),
    }
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
