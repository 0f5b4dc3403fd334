//! DeleteTable: a table with its items and indexes, gone at once. API reference, *DeleteTable*.

use super::describe_table::{describe, read_table_name, table_slot};
use super::input::Input;
use super::{Context, Operation, Response};
use crate::diagnostic::Failure;
use crate::trace::Reshaped;
use serde::Serialize;

/// A DeleteTable request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct DeleteTable {
    pub table_name: String,
}

impl DeleteTable {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        Ok(Self { table_name: read_table_name(input)? })
    }
}

impl Operation for DeleteTable {
    fn name(&self) -> &'static str {
        "DeleteTable"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let slot = table_slot(context, &self.table_name)?;
        let table = context.database.table(slot);
        if table.is_protected {
            return Err(Failure::validation(
                "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.",
            ));
        }
        let mut description = describe(table, context);
        if let Some(members) = description.as_object_mut() {
            members.insert("TableStatus".to_owned(), "DELETING".into());
            // What is on its way out has no keys to show any more.
            for member in ["KeySchema", "AttributeDefinitions", "CreationDateTime"] {
                members.remove(member);
            }
        }
        context.database.remove(&self.table_name);
        context.trace.table.clone_from(&self.table_name);
        context.trace.reshaped = Some(Reshaped::Removed(slot));
        Ok(Response { table: Some(description), ..Response::default() })
    }
}
