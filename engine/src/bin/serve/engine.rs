//! The session, and the time it is at.

use crate::options::Options;
use dynascope_engine::diagnostic::Failure;
use dynascope_engine::protocol::{self, WireResponse};
use dynascope_engine::scenario::Scenario;
use dynascope_engine::session::Session;
use dynascope_engine::time::SimTime;
#[expect(clippy::disallowed_types, reason = "the one place where time is real")]
use std::time::Instant;

pub struct Engine {
    session: Session,
    /// When it began; nothing where the clock is moved by requests.
    #[expect(clippy::disallowed_types, reason = "the one place where time is real")]
    began: Option<Instant>,
}

impl Engine {
    /// An empty account.
    pub fn new(options: &Options) -> Result<Self, String> {
        let scenario = Scenario {
            seed: options.seed,
            physics: options.physics,
            saved_burst_seconds: options.saved_burst_seconds,
            ..Scenario::default()
        };
        let session = Session::new(scenario).map_err(|failure: Failure| failure.headline())?;
        #[expect(clippy::disallowed_types, reason = "the one place where time is real")]
        let began = (!options.is_manual).then(Instant::now);
        Ok(Self { session, began })
    }

    /// Answers a request, at the moment it arrives.
    pub fn answer(&mut self, target: &str, body: &[u8]) -> WireResponse {
        if let Some(began) = self.began {
            let now = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.session.advance(SimTime(now), u64::MAX);
        } else if let Some(answer) = protocol::control(&mut self.session, target, body) {
            return answer;
        }
        protocol::answer(&mut self.session, target, body)
    }
}
