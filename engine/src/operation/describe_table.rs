//! DescribeTable, and the `TableDescription` of all table operations. API reference, *DescribeTable*, *TableDescription*.

use super::input::{Input, Violations};
use super::{Context, Operation, Response, table_not_found};
use crate::diagnostic::Failure;
use crate::partition::{Arm, Table};
use crate::table::{Billing, Index, IndexKind, KeyAttribute, KeySchema, Projection};
use crate::time::SimTime;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use xxhash_rust::xxh3::xxh3_128;

/// A DescribeTable request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct DescribeTable {
    pub table_name: String,
}

impl DescribeTable {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        Ok(Self { table_name: read_table_name(input)? })
    }
}

impl Operation for DescribeTable {
    fn name(&self) -> &'static str {
        "DescribeTable"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let slot = table_slot(context, &self.table_name)?;
        let description = describe(context.database.table(slot), context);
        Ok(Response::of("Table", description))
    }
}

/// `TableName` of a table operation, or the name out of an ARN.
pub fn read_table_name(input: &Input<'_>) -> Result<String, Failure> {
    let Some(name) = input.text("TableName")? else {
        return Err(Failure::validation("The parameter 'TableName' is required but was not present in the request"));
    };
    if let Some((_, name)) = name.split_once(":table/") {
        return Ok(name.split('/').next().unwrap_or_default().to_owned());
    }
    let mut violations = Violations::default();
    super::create_table::check_name(&name, "tableName", &mut violations);
    violations.check()?;
    Ok(name)
}

/// The place of a table that a table operation names.
pub fn table_slot(context: &Context<'_>, name: &str) -> Result<usize, Failure> {
    context.database.slot(name).ok_or_else(|| table_not_found(name))
}

/// A moment as seconds since 1970, with milliseconds.
pub fn date(context: &Context<'_>, moment: SimTime) -> Json {
    let millis = context.epoch.saturating_mul(1_000).saturating_add(moment.0 / 1_000);
    (millis as f64 / 1_000.0).into()
}

fn keys_json(key: &KeySchema) -> Json {
    key.attributes()
        .zip(["HASH", "RANGE"])
        .map(|(attribute, role)| json!({"AttributeName": *attribute.name, "KeyType": role}))
        .collect()
}

/// The attributes of all keys, by name.
fn definitions_json(table: &Table) -> Json {
    let schema = &table.schema;
    let mut attributes: Vec<&KeyAttribute> = Vec::new();
    for attribute in schema.key.attributes().chain(schema.indexes.iter().flat_map(|index| index.key.attributes())) {
        if !attributes.contains(&attribute) {
            let at = attributes.iter().take_while(|other| other.name < attribute.name).count();
            attributes.insert(at, attribute);
        }
    }
    attributes
        .iter()
        .map(|attribute| json!({"AttributeName": *attribute.name, "AttributeType": attribute.value_type.name()}))
        .collect()
}

fn throughput_json(billing: Billing) -> Json {
    let (read, write) = billing.provisioned().unwrap_or_default();
    json!({"NumberOfDecreasesToday": 0, "ReadCapacityUnits": read, "WriteCapacityUnits": write})
}

fn projection_json(projection: &Projection) -> Json {
    match projection {
        Projection::All => json!({"ProjectionType": "ALL"}),
        Projection::KeysOnly => json!({"ProjectionType": "KEYS_ONLY"}),
        Projection::Include(names) => json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names}),
    }
}

/// The CreateTable input that makes a table as it is, without its items.
pub fn create_input(table: &Table) -> Json {
    let schema = &table.schema;
    let paid = |object: &mut Map<String, Json>, arm: &Arm| {
        if let Some((read, write)) = arm.settings().billing.provisioned() {
            let units = json!({"ReadCapacityUnits": read, "WriteCapacityUnits": write});
            object.insert("ProvisionedThroughput".into(), units);
        }
        settings_json(object, arm);
    };
    let index = |index: &Index| {
        let mut object = Map::new();
        object.insert("IndexName".into(), index.name.as_str().into());
        object.insert("KeySchema".into(), keys_json(&index.key));
        object.insert("Projection".into(), projection_json(&index.projection));
        object
    };
    let mut object = Map::new();
    let is_on_demand = table.base().settings().billing.provisioned().is_none();
    object.insert("TableName".into(), schema.name.as_str().into());
    object.insert("AttributeDefinitions".into(), definitions_json(table));
    object.insert("KeySchema".into(), keys_json(&schema.key));
    object.insert("BillingMode".into(), if is_on_demand { "PAY_PER_REQUEST" } else { "PROVISIONED" }.into());
    paid(&mut object, table.base());
    let global = schema.global_indexes().zip(table.arms.iter().skip(1)).map(|(global, arm)| {
        let mut object = index(global);
        paid(&mut object, arm);
        object
    });
    let lists: [(&str, Vec<Map<String, Json>>); 2] = [
        ("GlobalSecondaryIndexes", global.collect()),
        ("LocalSecondaryIndexes", schema.local_indexes().map(index).collect()),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            object.insert(name.into(), list.into_iter().map(Json::Object).collect());
        }
    }
    if !table.tags.is_empty() {
        let tags = table.tags.iter().map(|(key, value)| json!({"Key": key, "Value": value})).collect();
        object.insert("Tags".into(), tags);
    }
    if table.is_protected {
        object.insert("DeletionProtectionEnabled".into(), true.into());
    }
    object.into()
}

/// `WarmThroughput` and `OnDemandThroughput`, where they say anything.
fn settings_json(object: &mut Map<String, Json>, arm: &Arm) {
    let settings = arm.settings();
    if settings.warm.read > 0 || settings.warm.write > 0 {
        let warm = json!({
            "ReadUnitsPerSecond": settings.warm.read, "WriteUnitsPerSecond": settings.warm.write, "Status": "ACTIVE",
        });
        object.insert("WarmThroughput".into(), warm);
    }
    if let Billing::OnDemand { max_read, max_write } = settings.billing
        && (max_read.is_some() || max_write.is_some())
    {
        let most = json!({
            "MaxReadRequestUnits": max_read.unwrap_or(-1), "MaxWriteRequestUnits": max_write.unwrap_or(-1),
        });
        object.insert("OnDemandThroughput".into(), most);
    }
}

fn index_json(table: &Table, index: &Index, (items, bytes): (usize, u64), arm: Option<&Arm>) -> Json {
    let mut object = Map::new();
    let mut put = |name: &str, value: Json| {
        object.insert(name.to_owned(), value);
    };
    put("IndexName", index.name.as_str().into());
    put("IndexArn", table.schema.arn(Some(&index.name)).into());
    put("KeySchema", keys_json(&index.key));
    put("Projection", projection_json(&index.projection));
    put("IndexSizeBytes", bytes.into());
    put("ItemCount", items.into());
    if let Some(arm) = arm {
        put("IndexStatus", "ACTIVE".into());
        put("ProvisionedThroughput", throughput_json(arm.settings().billing));
        settings_json(&mut object, arm);
    }
    object.into()
}

/// An id in the form of the service's, from name and date of birth.
fn id_of(table: &Table) -> String {
    let hash = xxh3_128(format!("{} {}", table.schema.name, table.created.0).as_bytes());
    let digits = format!("{hash:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

/// The table as `TableDescription` tells of it.
pub fn describe(table: &Table, context: &Context<'_>) -> Json {
    let schema = &table.schema;
    let base = table.base();
    let mut object = Map::new();
    let mut put = |name: &str, value: Json| {
        object.insert(name.to_owned(), value);
    };
    put("TableName", schema.name.as_str().into());
    put("TableArn", schema.arn(None).into());
    put("TableId", id_of(table).into());
    put("TableStatus", "ACTIVE".into());
    put("CreationDateTime", date(context, table.created));
    put("KeySchema", keys_json(&schema.key));
    put("AttributeDefinitions", definitions_json(table));
    put("ProvisionedThroughput", throughput_json(base.settings().billing));
    put("ItemCount", base.entries.len().into());
    put("TableSizeBytes", base.bytes.into());
    put("DeletionProtectionEnabled", table.is_protected.into());
    if base.settings().billing.provisioned().is_none() {
        put("BillingModeSummary", json!({"BillingMode": "PAY_PER_REQUEST"}));
    }
    let global = schema.global_indexes().zip(table.arms.iter().skip(1));
    let globals: Vec<Json> =
        global.map(|(index, arm)| index_json(table, index, (arm.entries.len(), arm.bytes), Some(arm))).collect();
    if !globals.is_empty() {
        put("GlobalSecondaryIndexes", globals.into());
    }
    let locals: Vec<Json> = table
        .locals()
        .filter(|(index, _)| index.kind == IndexKind::Local)
        .map(|(index, entries)| {
            let bytes = entries.values().map(|item| item.size_bytes() as u64).sum();
            index_json(table, index, (entries.len(), bytes), None)
        })
        .collect();
    if !locals.is_empty() {
        put("LocalSecondaryIndexes", locals.into());
    }
    settings_json(&mut object, base);
    object.into()
}
