//! ListTables: the tables by name, a page at a time. API reference, *ListTables*.

use super::input::{Input, Violations};
use super::{Context, Operation, Response};
use crate::diagnostic::Failure;
use serde::Serialize;

/// Names of one page, at most.
const MOST: usize = 100;

/// A ListTables request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct ListTables {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exclusive_start_table_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

impl ListTables {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let start = input.text("ExclusiveStartTableName")?;
        if let Some(name) = &start {
            super::create_table::check_name(name, "exclusiveStartTableName", &mut violations);
        }
        let limit = input.integer("Limit")?;
        if let Some(limit) = limit {
            let quoted = format!("'{limit}'");
            if limit < 1 {
                violations.add(&quoted, "limit", "Member must have value greater than or equal to 1");
            }
            if limit > MOST as i64 {
                violations.add(&quoted, "limit", "Member must have value less than or equal to 100");
            }
        }
        violations.check()?;
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Ok(Self { exclusive_start_table_name: start, limit })
    }
}

impl Operation for ListTables {
    fn name(&self) -> &'static str {
        "ListTables"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let start = self.exclusive_start_table_name.as_deref().unwrap_or_default();
        let mut names = context.database.iter().map(|table| table.schema.name.as_str()).filter(|name| *name > start);
        let page: Vec<&str> = names.by_ref().take(self.limit.unwrap_or(MOST)).collect();
        let last = page.last().filter(|_| names.next().is_some()).map(|name| (*name).into());
        let mut response = Response::of("TableNames", page.into());
        if let Some(last) = last {
            response.members.insert("LastEvaluatedTableName".to_owned(), last);
        }
        Ok(response)
    }
}
