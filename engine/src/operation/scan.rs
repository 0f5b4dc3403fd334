//! Scan: every item of a table or index in hash order, a page at a time, or one segment of it. API reference,
//! *Scan*.

use super::input::{Input, Violations, refuse_legacy};
use super::read::{Narrowed, ReadJob, ReadParameters, find};
use super::{Context, Operation, Response};
use crate::diagnostic::Failure;
use crate::partition::placement::{ring_hash, table_position};
use crate::partition::{Bounds, Database};
use serde::Serialize;
use serde_json::Value as Json;

/// A Scan request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct Scan {
    #[serde(flatten)]
    pub parameters: ReadParameters,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segment: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_segments: Option<i64>,
}

/// Most segments of a parallel Scan.
const MAX_SEGMENTS: i64 = 1_000_000;

impl Scan {
    /// Reads a request body.
    ///
    /// # Errors
    /// `SerializationException`, or the `ValidationException` of a malformed value.
    pub fn from_json(input: &Json) -> Result<Self, Failure> {
        Self::read(&Input::new(input)?)
    }

    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let parameters = ReadParameters::read(input, &mut violations)?;
        let segment = input.integer("Segment")?;
        let total_segments = input.integer("TotalSegments")?;
        check_number(&mut violations, parameters.limit, "limit", 1, None);
        check_number(&mut violations, segment, "segment", 0, Some(MAX_SEGMENTS - 1));
        check_number(&mut violations, total_segments, "totalSegments", 1, Some(MAX_SEGMENTS));
        violations.check()?;
        refuse_legacy(
            input,
            &["ScanFilter", "AttributesToGet", "ConditionalOperator"],
            &["FilterExpression", "ProjectionExpression"],
        )?;
        Ok(Self { parameters, segment, total_segments })
    }

    fn check_segments(&self) -> Result<Option<(u64, u64)>, Failure> {
        match (self.segment, self.total_segments) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(Failure::validation(
                "The TotalSegments parameter is required but was not present in the request when Segment parameter is present",
            )),
            (None, Some(_)) => Err(Failure::validation(
                "The Segment parameter is required but was not present in the request when parameter TotalSegments is present",
            )),
            (Some(segment), Some(total)) if segment >= total => Err(Failure::validation(format!(
                "The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: {segment} is \
                 not less than TotalSegments: {total}"
            ))),
            (Some(segment), Some(total)) => Ok(Some((segment.unsigned_abs(), total.unsigned_abs()))),
        }
    }

    /// A start key must lie in the segment that is read on.
    fn check_start_segment(
        &self,
        key: &crate::table::KeySchema,
        bounds: &Bounds,
        index: Option<&crate::table::Index>,
    ) -> Result<(), Failure> {
        let (Some(start), Some(segment), Some(total)) =
            (&self.parameters.exclusive_start_key, self.segment, self.total_segments)
        else {
            return Ok(());
        };
        let position = match index {
            None => table_position(key, start).map(|position| position.to_vec()),
            Some(index) => start.get(&index.key.partition.name).map(|value| ring_hash(value).to_be_bytes().to_vec()),
        };
        if position.is_some_and(|position| !bounds.holds(&position)) {
            return Err(Failure::validation(format!(
                "The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with \
                 correct Segment. TotalSegments: {total} Segment: {segment}"
            )));
        }
        Ok(())
    }
}

impl Operation for Scan {
    fn name(&self) -> &'static str {
        "Scan"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        context.trace.table.clone_from(&self.parameters.table_name);
        self.prepare(context.database, context.physics.page_bytes)?.run(context)
    }

    fn prepare(&self, database: &Database, page_bytes: u64) -> Result<ReadJob, Failure> {
        let parameters = &self.parameters;
        let mut placeholders = parameters.attributes.placeholders(
            &[("FilterExpression", parameters.filter_expression.is_some())],
            parameters.projection_expression.is_some(),
        )?;
        let parsed = parameters.parse(&mut placeholders)?;
        placeholders.check_all_used()?;
        parameters.check_select("")?;
        let segments = self.check_segments()?;
        let found = find(database, parameters)?;
        let bounds = match segments {
            None => Bounds::all(),
            Some((segment, total)) => Bounds::segment(segment, total),
        };
        self.check_start_segment(&found.1.schema.key, &bounds, found.2)?;
        ReadJob::prepare(parameters, found, parsed, Narrowed { query: None, bounds, forward: true }, page_bytes)
    }
}

fn check_number(violations: &mut Violations, value: Option<i64>, path: &str, least: i64, most: Option<i64>) {
    let Some(value) = value else { return };
    if value < least {
        let constraint = format!("Member must have value greater than or equal to {least}");
        violations.add(&format!("'{value}'"), path, &constraint);
    } else if let Some(most) = most.filter(|most| value > *most) {
        let constraint = format!("Member must have value less than or equal to {most}");
        violations.add(&format!("'{value}'"), path, &constraint);
    }
}
