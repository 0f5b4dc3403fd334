//! Looking at a Query or Scan without sending it.

use super::Session;
use crate::diagnostic::Failure;
use crate::operation::{Operation, ReadJob, Response};
use crate::trace::Trace;
use crate::value::Item;
use std::sync::Arc;

impl Session {
    /// What a Query or Scan would answer and cost: nothing is charged, counted or noted.
    ///
    /// # Errors
    /// What the request itself would be refused with (never a throttle), or that only reads have a preview.
    pub fn preview(&self, request: &dyn Operation) -> Result<(Response, Trace), Failure> {
        Ok(self.prepare(request)?.preview(&self.state.database, self.state.now))
    }

    /// All items in the range of a Query or Scan, in reading order, at most `most` of them, and how many there
    /// are.
    ///
    /// # Errors
    /// As [`Session::preview`].
    pub fn window(&self, request: &dyn Operation, most: usize) -> Result<(Vec<Arc<Item>>, usize), Failure> {
        Ok(self.prepare(request)?.window(&self.state.database, most))
    }

    /// Checks a Query or Scan.
    ///
    /// # Errors
    /// As [`Session::preview`].
    pub fn prepare(&self, request: &dyn Operation) -> Result<ReadJob, Failure> {
        request.prepare(&self.state.database, self.physics.page_bytes)
    }
}
