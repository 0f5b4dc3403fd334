//! The operations, one file each: request type, checks in the service's order, run.
//!
//! A new operation is a file here, and the arms the compiler then asks for. Order of checks: shape of the
//! request, expressions, unused placeholders, then the table, then keys (facts gathered from the service).

mod batch_get_item;
mod batch_write_item;
mod collection;
mod consumed;
mod create_table;
mod delete_item;
mod delete_table;
mod describe_table;
mod expressions;
mod get_item;
mod index_changes;
mod input;
mod legacy;
mod limits;
mod list_tables;
mod put_item;
mod query;
mod read;
mod read_checks;
mod read_one;
mod scan;
mod tags;
mod transact_get_items;
mod transact_write_items;
mod transaction;
mod update_item;
mod update_table;
mod write;

pub use batch_get_item::{BatchGetItem, KeysAndAttributes};
pub use batch_write_item::{BatchWrite, BatchWriteItem};
pub use collection::ReturnItemCollectionMetrics;
pub use consumed::{ConsumedCapacity, ReturnConsumedCapacity};
pub use create_table::{CreateTable, IndexDefinition};
pub use delete_item::DeleteItem;
pub use delete_table::DeleteTable;
pub use describe_table::{DescribeTable, create_input};
pub use expressions::ExpressionAttributes;
pub use get_item::GetItem;
pub use limits::{DescribeEndpoints, DescribeLimits};
pub use list_tables::ListTables;
pub use put_item::PutItem;
pub use query::Query;
pub use read::{ReadJob, ReadParameters, Select};
pub use scan::Scan;
pub use tags::{ListTagsOfResource, Tag, TagResource, UntagResource, tags_of};
pub use transact_get_items::TransactGetItems;
pub use transact_write_items::{TransactAction, TransactWriteItems};
pub use update_item::{ReturnValues, UpdateItem};
use update_table::PayTable;
pub use update_table::UpdateTable;

use crate::capacity::Physics;
use crate::diagnostic::{ErrorKind, Failure};
use crate::partition::Database;
use crate::time::SimTime;
use crate::trace::Trace;
use crate::value::{Item, item_to_json};
use input::Input;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use std::sync::Arc;

/// What an operation works on.
pub struct Context<'a> {
    /// All tables.
    pub database: &'a mut Database,
    /// The constants.
    pub physics: &'a Physics,
    /// The moment of the request.
    pub now: SimTime,
    /// Seconds of burst in store on tables created now; `None` = full.
    pub saved_burst_seconds: Option<u64>,
    /// Seconds since 1970 at which the clock stood at 0.
    pub epoch: u64,
    /// Filled as the request goes.
    pub trace: &'a mut Trace,
}

/// A request as typed data. Callers that hold one operation need not carry the code of all of them: a page that
/// only asks links only what asking takes.
pub trait Operation {
    /// Its name in the API.
    fn name(&self) -> &'static str;

    /// Can it change anything?
    fn is_write(&self) -> bool {
        true
    }

    /// Runs it.
    ///
    /// # Errors
    /// Every refusal of the service, typed, with its text.
    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure>;

    /// Checks a Query or Scan, to look at what it would read.
    ///
    /// # Errors
    /// What the request would be refused with (never a throttle), or that only reads have a preview.
    fn prepare(&self, _database: &Database, _page_bytes: u64) -> Result<ReadJob, Failure> {
        Err(Failure::validation("only Query and Scan can be previewed"))
    }
}

/// A request of any operation, checked only for its JSON shape.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "named as the operations of the API")]
pub enum Request {
    BatchGetItem(BatchGetItem),
    BatchWriteItem(BatchWriteItem),
    CreateTable(CreateTable),
    DeleteItem(DeleteItem),
    DeleteTable(DeleteTable),
    DescribeEndpoints(DescribeEndpoints),
    DescribeLimits(DescribeLimits),
    DescribeTable(DescribeTable),
    GetItem(GetItem),
    ListTables(ListTables),
    ListTagsOfResource(ListTagsOfResource),
    PutItem(PutItem),
    Query(Query),
    Scan(Scan),
    TagResource(TagResource),
    TransactGetItems(TransactGetItems),
    TransactWriteItems(TransactWriteItems),
    UntagResource(UntagResource),
    UpdateItem(UpdateItem),
    UpdateTable(UpdateTable),
}

/// Does an operation of this name only look at things, whatever its body says?
pub fn is_read(operation: &str) -> bool {
    matches!(
        operation,
        "BatchGetItem"
            | "DescribeEndpoints"
            | "DescribeLimits"
            | "DescribeTable"
            | "GetItem"
            | "ListTables"
            | "ListTagsOfResource"
            | "Query"
            | "Scan"
            | "TransactGetItems"
    )
}

/// The failure of a table operation, or of traffic, that names a table which is not there.
pub fn table_not_found(name: &str) -> Failure {
    Failure::new(ErrorKind::ResourceNotFound, format!("Requested resource not found: Table: {name} not found"))
}

/// A journal's or script's spelling of a request: the operation and its DynamoDB JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// `PutItem`, `Query` …
    pub operation: String,
    /// The request body.
    pub input: Json,
}

impl Request {
    /// The operations this engine answers, by name.
    pub const OPERATIONS: [&'static str; 20] = [
        "BatchGetItem",
        "BatchWriteItem",
        "CreateTable",
        "DeleteItem",
        "DeleteTable",
        "DescribeEndpoints",
        "DescribeLimits",
        "DescribeTable",
        "GetItem",
        "ListTables",
        "ListTagsOfResource",
        "PutItem",
        "Query",
        "Scan",
        "TagResource",
        "TransactGetItems",
        "TransactWriteItems",
        "UntagResource",
        "UpdateItem",
        "UpdateTable",
    ];

    /// Reads a request body.
    ///
    /// # Errors
    /// `UnknownOperationException`, `SerializationException`, or the `ValidationException` of a malformed value.
    pub fn from_json(operation: &str, input: &Json) -> Result<Self, Failure> {
        let modern = legacy::modern(operation, input)?;
        let input = Input::new(modern.as_ref().unwrap_or(input))?;
        Ok(match operation {
            "BatchGetItem" => Self::BatchGetItem(BatchGetItem::read(&input)?),
            "BatchWriteItem" => Self::BatchWriteItem(BatchWriteItem::read(&input)?),
            "CreateTable" => Self::CreateTable(CreateTable::read(&input)?),
            "DeleteItem" => Self::DeleteItem(DeleteItem::read(&input)?),
            "DeleteTable" => Self::DeleteTable(DeleteTable::read(&input)?),
            "DescribeEndpoints" => Self::DescribeEndpoints(DescribeEndpoints {}),
            "DescribeLimits" => Self::DescribeLimits(DescribeLimits {}),
            "DescribeTable" => Self::DescribeTable(DescribeTable::read(&input)?),
            "GetItem" => Self::GetItem(GetItem::read(&input)?),
            "ListTables" => Self::ListTables(ListTables::read(&input)?),
            "ListTagsOfResource" => Self::ListTagsOfResource(ListTagsOfResource::read(&input)?),
            "PutItem" => Self::PutItem(PutItem::read(&input)?),
            "Query" => Self::Query(Query::read(&input)?),
            "Scan" => Self::Scan(Scan::read(&input)?),
            "TagResource" => Self::TagResource(TagResource::read(&input)?),
            "TransactGetItems" => Self::TransactGetItems(TransactGetItems::read(&input)?),
            "TransactWriteItems" => Self::TransactWriteItems(TransactWriteItems::read(&input)?),
            "UntagResource" => Self::UntagResource(UntagResource::read(&input)?),
            "UpdateItem" => Self::UpdateItem(UpdateItem::read(&input)?),
            "UpdateTable" => Self::UpdateTable(UpdateTable::read(&input)?),
            _ => return Err(Failure::new(ErrorKind::UnknownOperation, "")),
        })
    }

    /// The request body, such that reading it again gives this request.
    pub fn to_json(&self) -> Json {
        let json = match self {
            Self::BatchGetItem(request) => serde_json::to_value(request),
            Self::BatchWriteItem(request) => serde_json::to_value(request),
            Self::CreateTable(request) => serde_json::to_value(request),
            Self::DeleteItem(request) => serde_json::to_value(request),
            Self::DeleteTable(request) => serde_json::to_value(request),
            Self::DescribeEndpoints(request) => serde_json::to_value(request),
            Self::DescribeLimits(request) => serde_json::to_value(request),
            Self::DescribeTable(request) => serde_json::to_value(request),
            Self::GetItem(request) => serde_json::to_value(request),
            Self::ListTables(request) => serde_json::to_value(request),
            Self::ListTagsOfResource(request) => serde_json::to_value(request),
            Self::PutItem(request) => serde_json::to_value(request),
            Self::Query(request) => serde_json::to_value(request),
            Self::Scan(request) => serde_json::to_value(request),
            Self::TagResource(request) => serde_json::to_value(request),
            Self::TransactGetItems(request) => serde_json::to_value(request),
            Self::TransactWriteItems(request) => serde_json::to_value(request),
            Self::UntagResource(request) => serde_json::to_value(request),
            Self::UpdateItem(request) => serde_json::to_value(request),
            Self::UpdateTable(request) => serde_json::to_value(request),
        };
        json.unwrap_or(Json::Null)
    }

    /// The operation in it.
    fn inner(&self) -> &dyn Operation {
        match self {
            Self::BatchGetItem(request) => request,
            Self::BatchWriteItem(request) => request,
            Self::CreateTable(request) => request,
            Self::DeleteItem(request) => request,
            Self::DeleteTable(request) => request,
            Self::DescribeEndpoints(request) => request,
            Self::DescribeLimits(request) => request,
            Self::DescribeTable(request) => request,
            Self::GetItem(request) => request,
            Self::ListTables(request) => request,
            Self::ListTagsOfResource(request) => request,
            Self::PutItem(request) => request,
            Self::Query(request) => request,
            Self::Scan(request) => request,
            Self::TagResource(request) => request,
            Self::TransactGetItems(request) => request,
            Self::TransactWriteItems(request) => request,
            Self::UntagResource(request) => request,
            Self::UpdateItem(request) => request,
            Self::UpdateTable(request) => request,
        }
    }
}

/// Reads a request body, if it knows the operation. Who sends few of them links no more than those.
pub type Reader = fn(&str, &Json) -> Result<Box<dyn Operation>, Failure>;

/// A [`Reader`] of all operations.
///
/// # Errors
/// As [`Request::from_json`].
pub fn read_any(operation: &str, input: &Json) -> Result<Box<dyn Operation>, Failure> {
    Ok(Box::new(Request::from_json(operation, input)?))
}

/// A [`Reader`] of PutItem and UpdateTable, of the latter only what the table itself pays: what a figure needs that lets one
/// write and pay.
///
/// # Errors
/// As [`Request::from_json`]; any other operation is unknown here.
pub fn read_change(operation: &str, input: &Json) -> Result<Box<dyn Operation>, Failure> {
    let body = Input::new(input)?;
    match operation {
        "PutItem" => Ok(Box::new(PutItem::read(&body)?)),
        "UpdateTable" => Ok(Box::new(PayTable(UpdateTable::read(&body)?))),
        _ => Err(Failure::new(ErrorKind::UnknownOperation, "")),
    }
}

/// A [`Reader`] of Query and Scan.
///
/// # Errors
/// As [`Request::from_json`]; any other operation is unknown here.
pub fn read_request(operation: &str, input: &Json) -> Result<Box<dyn Operation>, Failure> {
    match operation {
        "Query" => Ok(Box::new(Query::from_json(input)?)),
        "Scan" => Ok(Box::new(Scan::from_json(input)?)),
        _ => Err(Failure::new(ErrorKind::UnknownOperation, "")),
    }
}

impl Operation for Request {
    fn name(&self) -> &'static str {
        self.inner().name()
    }

    fn is_write(&self) -> bool {
        self.inner().is_write()
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        self.inner().run(context)
    }

    fn prepare(&self, database: &Database, page_bytes: u64) -> Result<ReadJob, Failure> {
        self.inner().prepare(database, page_bytes)
    }
}

/// A successful answer. Items are shared with the store, not copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Response {
    /// `Item` of GetItem.
    pub item: Option<Arc<Item>>,
    /// `Attributes` of a write with ReturnValues.
    pub attributes: Option<Arc<Item>>,
    /// `Items` of a Query or Scan; `None` with Select COUNT.
    pub items: Option<Vec<Arc<Item>>>,
    /// `Count` and `ScannedCount`.
    pub counts: Option<(usize, usize)>,
    /// `LastEvaluatedKey`: absent only at the end of the data.
    pub last_evaluated_key: Option<Item>,
    /// `UnprocessedItems` of a batch, as the request spelled them.
    pub unprocessed: Option<Json>,
    /// `ConsumedCapacity`, ready for the wire.
    pub consumed: Option<Json>,
    /// `TableDescription` of a table operation.
    pub table: Option<Json>,
    /// `ItemCollectionMetrics`, ready for the wire.
    pub collections: Option<Json>,
    /// Further members, ready for the wire.
    pub members: Map<String, Json>,
}

impl Response {
    /// An answer of one member.
    fn of(member: &str, value: Json) -> Self {
        let mut response = Self::default();
        response.members.insert(member.to_owned(), value);
        response
    }

    /// The wire form.
    pub fn to_json(&self) -> Json {
        let mut object = Map::new();
        let mut put = |name: &str, value: Json| {
            object.insert(name.to_owned(), value);
        };
        if let Some(item) = &self.item {
            put("Item", item_to_json(item));
        }
        if let Some(attributes) = &self.attributes {
            put("Attributes", item_to_json(attributes));
        }
        if let Some(items) = &self.items {
            put("Items", items.iter().map(|item| item_to_json(item)).collect());
        }
        if let Some((count, scanned)) = self.counts {
            put("Count", count.into());
            put("ScannedCount", scanned.into());
        }
        if let Some(key) = &self.last_evaluated_key {
            put("LastEvaluatedKey", item_to_json(key));
        }
        if let Some(unprocessed) = &self.unprocessed {
            put("UnprocessedItems", unprocessed.clone());
        }
        if let Some(consumed) = &self.consumed {
            put("ConsumedCapacity", consumed.clone());
        }
        if let Some(table) = &self.table {
            put("TableDescription", table.clone());
        }
        if let Some(collections) = &self.collections {
            put("ItemCollectionMetrics", collections.clone());
        }
        for (name, value) in &self.members {
            put(name, value.clone());
        }
        Json::Object(object)
    }
}

/// The place of a table in the database.
fn slot_of(context: &Context<'_>, name: &str) -> Result<usize, Failure> {
    context.database.slot(name).ok_or_else(resource_not_found)
}

fn resource_not_found() -> Failure {
    Failure::new(ErrorKind::ResourceNotFound, "Requested resource not found")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_read_is_what_is_no_write() {
        let key = || json!({"PK": {"S": "a"}});
        let create = json!({
            "TableName": "app", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        });
        for operation in Request::OPERATIONS {
            let body = match operation {
                "BatchGetItem" => json!({"RequestItems": {"app": {"Keys": [key()]}}}),
                "BatchWriteItem" => json!({"RequestItems": {"app": [{"DeleteRequest": {"Key": key()}}]}}),
                "CreateTable" => create.clone(),
                "PutItem" => json!({"TableName": "app", "Item": key()}),
                "Query" => json!({"TableName": "app", "KeyConditionExpression": "PK = :a"}),
                "TransactGetItems" => json!({"TransactItems": [{"Get": {"TableName": "app", "Key": key()}}]}),
                "TransactWriteItems" => json!({"TransactItems": [{"Delete": {"TableName": "app", "Key": key()}}]}),
                "UpdateTable" => json!({"TableName": "app", "BillingMode": "PAY_PER_REQUEST"}),
                _ => json!({"TableName": "app", "Key": key(), "ResourceArn": "arn", "Tags": [], "TagKeys": []}),
            };
            let request = Request::from_json(operation, &body).expect(operation);
            assert_eq!(is_read(operation), !request.is_write(), "{operation}");
        }
    }
}
