//! The expression parameters that several operations share.

use super::input::Input;
use crate::diagnostic::{Failure, Span};
use crate::expression::{ExpressionKind, Placeholders};
use crate::sorted::SortedMap;
use crate::table::Schema;
use crate::value::AttributeValue;
use serde::Serialize;

/// `ExpressionAttributeNames` and `ExpressionAttributeValues` as they were sent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct ExpressionAttributes {
    /// `#name` → attribute name.
    #[serde(rename = "ExpressionAttributeNames", skip_serializing_if = "Option::is_none")]
    pub names: Option<SortedMap<String>>,
    /// `:value` → value.
    #[serde(rename = "ExpressionAttributeValues", skip_serializing_if = "Option::is_none")]
    pub values: Option<SortedMap<AttributeValue>>,
}

impl ExpressionAttributes {
    /// Reads both members.
    pub fn read(input: &Input<'_>) -> Result<Self, Failure> {
        Ok(Self { names: input.names()?, values: input.values()? })
    }

    /// Placeholders for parsing. `expressions` are the request's expressions that may use values, by member
    /// name; `others` tells whether there is any further expression (a projection).
    pub fn placeholders(&self, expressions: &[(&str, bool)], others: bool) -> Result<Placeholders, Failure> {
        let any = expressions.iter().any(|(_, present)| *present);
        if self.names.is_some() && !any && !others {
            return Err(Failure::validation("ExpressionAttributeNames can only be specified when using expressions"));
        }
        if self.values.is_some() && !any {
            let names: Vec<&str> = expressions.iter().map(|(name, _)| *name).collect();
            let (verb, list) = match names.as_slice() {
                [] => {
                    return Err(Failure::validation(
                        "ExpressionAttributeValues can only be specified when using expressions",
                    ));
                }
                [one] => ("is", (*one).to_owned()),
                many => ("are", many.join(" and ")),
            };
            return Err(Failure::validation(format!(
                "ExpressionAttributeValues can only be specified when using expressions: {list} {verb} null"
            )));
        }
        Placeholders::new(self.names.clone(), self.values.clone())
    }
}

/// Keys are scalars, so no path goes below one: not of the table, not of an index.
pub fn check_scalar_keys<'a>(
    schema: &Schema,
    kind: ExpressionKind,
    mut nested: impl Iterator<Item = (&'a str, Span)>,
) -> Result<(), Failure> {
    let keyed = nested.find_map(|(name, span)| {
        let role = if schema.key.has(name) {
            "Key"
        } else if schema.indexes.iter().any(|index| index.key.has(name)) {
            "IndexKey"
        } else {
            return None;
        };
        Some((role, name, span))
    });
    match keyed {
        None => Ok(()),
        Some((role, name, span)) => Err(Failure::validation(format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {role}: {name}"
        ))
        .at(kind.member(), span)),
    }
}
