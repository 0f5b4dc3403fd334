//! DescribeLimits and DescribeEndpoints: what an account may have, and where it is answered. API reference.

use super::{Context, Operation, Response};
use crate::diagnostic::Failure;
use serde::Serialize;
use serde_json::json;

/// A DescribeLimits request, which has no members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DescribeLimits {}

impl Operation for DescribeLimits {
    fn name(&self) -> &'static str {
        "DescribeLimits"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let table = context.physics.account_units;
        // An account may have twice a table's share, by default (Developer Guide, "Quotas").
        let mut response = Response::of("AccountMaxReadCapacityUnits", (table * 2).into());
        for (name, units) in [
            ("AccountMaxWriteCapacityUnits", table * 2),
            ("TableMaxReadCapacityUnits", table),
            ("TableMaxWriteCapacityUnits", table),
        ] {
            response.members.insert(name.to_owned(), units.into());
        }
        Ok(response)
    }
}

/// A DescribeEndpoints request, which has no members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DescribeEndpoints {}

impl Operation for DescribeEndpoints {
    fn name(&self) -> &'static str {
        "DescribeEndpoints"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, _context: &mut Context<'_>) -> Result<Response, Failure> {
        let endpoint = json!({"Address": "dynamodb.us-east-1.amazonaws.com", "CachePeriodInMinutes": 1440});
        Ok(Response::of("Endpoints", vec![endpoint].into()))
    }
}
