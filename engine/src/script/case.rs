//! Recorded cases: a problem that people really had, as requests and the right answer.
//!
//! [`run`] plays a case and returns what came of it; who runs it compares. A case with a `load` sends its
//! request at a rate on the virtual clock, through the same dispatch as any other request.

use crate::diagnostic::Failure;
use crate::operation::Request;
use crate::protocol::{WireResponse, handle, outcome_response};
use crate::scenario::Scenario;
use crate::session::Session;
use crate::sim::mix;
use crate::time::SimTime;
use serde::Deserialize;
use serde_json::Value as Json;
use std::fmt::Write as _;

/// A recorded case. What it expects is left as it is.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// For people.
    pub name: String,
    /// Requests to send first, each of which must be answered with 200.
    pub setup: Vec<CaseRequest>,
    /// The request under test.
    pub request: CaseRequest,
    /// How often it is sent; once if absent.
    pub load: Option<Load>,
    /// What the answer must be like.
    pub expect: Json,
}

/// A request as it is sent.
#[derive(Clone, Debug, Deserialize)]
pub struct CaseRequest {
    /// `X-Amz-Target`.
    pub target: String,
    /// The body. In a load `{seq}` and `{random}` in it stand for generated values.
    pub body: Json,
}

/// A request sent many times.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Load {
    /// Requests a second; request k at k·10⁶/rate µs.
    #[serde(default)]
    pub rate_per_second: u64,
    /// Seconds of them.
    #[serde(default)]
    pub seconds: u64,
    /// Seconds before the first.
    #[serde(default)]
    pub idle_seconds_before: u64,
    /// Requests accepted in each second from the second one on.
    pub expect_accepted_per_second: Option<u64>,
    /// Requests accepted in all.
    pub expect_accepted_total: Option<u64>,
    /// The second, counted from the first request, in which one is refused first.
    pub expect_first_throttle_second: Option<u64>,
    /// Requests of one concurrent group; not simulated yet.
    pub concurrent: Option<u64>,
    /// `no burst credit saved` empties the provisioned buckets at the start.
    #[serde(default)]
    pub note: String,
}

/// What came of a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The answer under test: of a load the first refusal, or the last answer if nothing was refused.
    pub answer: WireResponse,
    /// Of a load: requests accepted in each second.
    pub accepted: Vec<u64>,
    /// Of a load: the second in which a request was refused first.
    pub first_refused_second: Option<u64>,
}

impl Report {
    /// The report as text, each figure on its line; runs of equal seconds are joined.
    pub fn to_text(&self) -> String {
        let mut text = format!("{} {}\n", self.answer.status, self.answer.body);
        let mut second = 0;
        for run in self.accepted.chunk_by(|a, b| a == b) {
            let _ = writeln!(text, "seconds {second} to {}: {} accepted", second + run.len() - 1, run[0]);
            second += run.len();
        }
        if let Some(second) = self.first_refused_second {
            let _ = writeln!(text, "first refused in second {second}");
        }
        text
    }
}

/// Plays a case.
///
/// # Errors
/// In words: a setup request that is not answered with 200, or a load with a body that is no request.
pub fn run(case: &Case) -> Result<Report, String> {
    let unsaved = case.load.as_ref().is_some_and(|load| load.note.to_lowercase().contains("no burst credit saved"));
    let scenario = Scenario { saved_burst_seconds: unsaved.then_some(0), ..Scenario::default() };
    let mut session = Session::new(scenario).map_err(|failure| failure.headline())?;
    for request in &case.setup {
        let answer = handle(&mut session, &request.target, &request.body.to_string());
        if answer.status != 200 {
            return Err(format!("the setup's {} was answered with {}", request.target, answer.body));
        }
    }
    match &case.load {
        None => Ok(Report {
            answer: handle(&mut session, &case.request.target, &case.request.body.to_string()),
            accepted: Vec::new(),
            first_refused_second: None,
        }),
        Some(load) => run_load(&mut session, &case.request, load).map_err(|failure| failure.headline()),
    }
}

fn run_load(session: &mut Session, request: &CaseRequest, load: &Load) -> Result<Report, Failure> {
    let operation = request.target.rsplit('.').next().unwrap_or_default();
    let template = request.body.to_string();
    let start = session.now() + load.idle_seconds_before.saturating_mul(SimTime::SECOND);
    let mut report = Report {
        answer: WireResponse { status: 200, body: Json::Null },
        accepted: vec![0; load.seconds as usize],
        first_refused_second: None,
    };
    for k in 0..load.rate_per_second.saturating_mul(load.seconds) {
        let elapsed = k * SimTime::SECOND / load.rate_per_second;
        session.advance(start + elapsed, 0);
        let random = format!("{:016x}", mix(session.scenario().seed, 0, k));
        let body = template.replace("{seq}", &format!("{k:012}")).replace("{random}", &random);
        let body = serde_json::from_str(&body).unwrap_or(Json::Null);
        let outcome = session.run(&Request::from_json(operation, &body)?);
        let second = elapsed / SimTime::SECOND;
        if outcome.result.is_ok() {
            report.accepted[second as usize] += 1;
        }
        if report.first_refused_second.is_none() {
            report.answer = outcome_response(&outcome);
            report.first_refused_second = outcome.result.is_err().then_some(second);
        }
    }
    Ok(report)
}
