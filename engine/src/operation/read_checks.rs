//! What a Query or Scan must satisfy once table and index are known: filter, projection, cursor.

use super::read::{Narrowed, Select};
use crate::diagnostic::Failure;
use crate::expression::{Condition, ExpressionKind, Projection};
use crate::partition::Table;
use crate::partition::placement::{index_position, table_position};
use crate::table::{Index, IndexKind};
use crate::value::{Item, KeyBytes};

/// A Query's filter may not speak of the keys it queries by, nor of what the index does not carry.
pub(super) fn check_filter(table: &Table, index: Option<&Index>, filter: &Condition) -> Result<(), Failure> {
    let key = index.map_or(&table.schema.key, |index| &index.key);
    let source = ExpressionKind::Filter.member();
    for (name, span) in filter.top_level_attributes() {
        if key.has(name) {
            return Err(Failure::validation(format!(
                "Filter Expression can only contain non-primary key attributes: Primary key attribute: {name}"
            ))
            .at(source, span));
        }
    }
    let Some(index) = index else { return Ok(()) };
    for (name, span) in filter.top_level_attributes() {
        if !table.schema.projects(index, name) {
            return Err(Failure::validation(format!(
                "One or more parameter values were invalid: Secondary index {} does not project one or more filter \
                 attributes: [{name}]",
                index.name
            ))
            .at(source, span));
        }
    }
    Ok(())
}

/// Checks what is asked of an index against what it carries; true if items must be fetched from the table.
pub(super) fn check_projection(
    table: &Table,
    index: &Index,
    select: Option<Select>,
    projection: Option<&Projection>,
) -> Result<bool, Failure> {
    let carries_all = index.projection == crate::table::Projection::All;
    let missing =
        projection.and_then(|p| p.top_level_attributes().find(|(name, _)| !table.schema.projects(index, name)));
    match index.kind {
        IndexKind::Local => Ok(!carries_all && (select == Some(Select::AllAttributes) || missing.is_some())),
        IndexKind::Global => {
            if select == Some(Select::AllAttributes) && !carries_all {
                return Err(Failure::validation(format!(
                    "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global \
                     secondary index {} because its projection type is not ALL",
                    index.name
                )));
            }
            match missing {
                None => Ok(false),
                Some((name, span)) => Err(Failure::validation(format!(
                    "One or more parameter values were invalid: Global secondary index {} does not project [{name}]",
                    index.name
                ))
                .at(ExpressionKind::Projection.member(), span)),
            }
        }
    }
}

/// The position an ExclusiveStartKey stands for, after the checks a tampered cursor must not pass.
pub(super) fn start_position(
    table: &Table,
    index: Option<&Index>,
    key: &Item,
    narrowed: &Narrowed<'_>,
) -> Result<KeyBytes, Failure> {
    table.schema.check_start_key(index, key)?;
    let own = index.map_or(&table.schema.key, |index| &index.key);
    if let Some(query) = narrowed.query {
        if key.get(&own.partition.name) != Some(&query.partition) {
            return Err(Failure::validation(
                "The provided starting key is outside query boundaries based on provided conditions",
            ));
        }
        let sort = own.sort.as_ref().and_then(|sort| key.get(&sort.name));
        if let (Some(condition), Some(value)) = (&query.sort, sort)
            && !condition.matches(value)
        {
            return Err(Failure::validation("The provided starting key does not match the range key predicate"));
        }
        if own.sort.is_none() && index.is_none() {
            return Err(Failure::validation("The query can return at most one row and cannot be restarted"));
        }
    }
    let position = match index {
        None => table_position(&table.schema.key, key),
        Some(index) => index_position(&table.schema.key, index, key),
    };
    position.ok_or_else(|| Failure::validation("The provided starting key is invalid"))
}
