//! CreateTable: a table with its keys, indexes and throughput, ready at once. API reference, *CreateTable*.
//!
//! The real service takes seconds; here a table is ACTIVE at once, because waiting teaches nothing about it.

use super::describe_table::describe;
use super::input::{Input, Violations, is_resource_name};
use super::tags::read_tags;
use super::{Context, Operation, Response};
use crate::diagnostic::{ErrorKind, Failure};
use crate::partition::{Settings, Table};
use crate::table::{Billing, Index, IndexKind, KeyAttribute, KeySchema, Projection, Schema, WarmThroughput};
use crate::value::ValueType;
use serde::Serialize;
use serde_json::Value as Json;

/// One secondary index as asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexDefinition {
    /// The index, checked.
    pub index: Index,
    /// Its own throughput, for a global index.
    pub settings: Option<Settings>,
}

/// A CreateTable request, kept as it was sent and as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateTable {
    /// The definition.
    pub schema: Schema,
    /// The table's throughput.
    pub settings: Settings,
    /// Throughput of the global indexes, in the schema's order.
    pub index_settings: Vec<Settings>,
    /// Must protection be lifted before it can be deleted?
    is_protected: bool,
    source: Json,
}

impl Serialize for CreateTable {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.source.serialize(serializer)
    }
}

const INVALID: &str = "One or more parameter values were invalid:";

pub(super) fn invalid(text: impl std::fmt::Display) -> Failure {
    Failure::validation(format!("{INVALID} {text}"))
}

impl CreateTable {
    /// Reads a request body.
    ///
    /// # Errors
    /// `SerializationException`, or the `ValidationException` of a malformed value.
    pub fn from_json(input: &Json) -> Result<Self, Failure> {
        Self::read(&Input::new(input)?)
    }

    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let name = read_name(input)?;
        let mut violations = Violations::default();
        let definitions = read_definitions(input, &mut violations)?;
        let keys = read_keys(input, "keySchema", &mut violations)?;
        let globals = input.structures("GlobalSecondaryIndexes")?;
        let locals = input.structures("LocalSecondaryIndexes")?;
        let mode = input.text("BillingMode")?;
        violations.one_of(mode.as_ref(), "billingMode", &["PROVISIONED", "PAY_PER_REQUEST"]);
        violations.check()?;
        let on_demand = mode.as_deref() == Some("PAY_PER_REQUEST");
        let settings = read_settings(input, on_demand, None)?;
        if definitions.len() < keys.len() {
            return Err(Failure::validation("Invalid KeySchema: Some index key attribute have no definition"));
        }
        let key = resolve_key(&keys, &definitions)?;
        let global = read_indexes(globals, IndexKind::Global, &definitions, &key, on_demand)?;
        let local = read_indexes(locals, IndexKind::Local, &definitions, &key, on_demand)?;
        check_indexes(global.len(), local.len())?;
        check_names(&global, &local)?;
        let schema_keys = global.iter().chain(&local).flat_map(|definition| definition.index.key.attributes());
        check_definitions(&definitions, key.attributes().chain(schema_keys))?;
        let index_settings = global.iter().filter_map(|definition| definition.settings.clone()).collect();
        let indexes = global.into_iter().chain(local).map(|definition| definition.index).collect();
        let is_protected = input.flag("DeletionProtectionEnabled")?.unwrap_or(false);
        let source = input.to_json();
        Ok(Self { schema: Schema { name, key, indexes }, settings, index_settings, is_protected, source })
    }

    /// Creates the table, without describing it.
    ///
    /// # Errors
    /// `ResourceInUseException` if there is one of its name.
    pub fn create(&self, context: &mut Context<'_>) -> Result<(), Failure> {
        let name = &self.schema.name;
        if context.database.slot(name).is_some() {
            return Err(Failure::new(ErrorKind::ResourceInUse, format!("Table already exists: {name}")));
        }
        let with_burst =
            |settings: &Settings| Settings { saved_burst_seconds: context.saved_burst_seconds, ..settings.clone() };
        let indexes = self.index_settings.iter().map(with_burst).collect();
        let mut table =
            Table::new(self.schema.clone(), with_burst(&self.settings), indexes, context.physics, context.now);
        table.is_protected = self.is_protected;
        context.trace.table.clone_from(name);
        context.database.insert(table);
        Ok(())
    }
}

impl Operation for CreateTable {
    fn name(&self) -> &'static str {
        "CreateTable"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let tags = read_tags(&Input::new(&self.source)?)?;
        self.create(context)?;
        if let Some(slot) = context.database.slot(&self.schema.name) {
            context.database.table_mut(slot).tags = tags;
        }
        let table = context.database.get(&self.schema.name).map(|table| describe(table, context));
        Ok(Response { table, ..Response::default() })
    }
}

fn read_name(input: &Input<'_>) -> Result<String, Failure> {
    let Some(name) = input.text("TableName")? else {
        return Err(Failure::validation("The parameter 'TableName' is required but was not present in the request"));
    };
    let mut violations = Violations::default();
    check_name(&name, "tableName", &mut violations);
    violations.check()?;
    Ok(name)
}

pub(super) fn check_name(name: &str, path: &str, violations: &mut Violations) {
    let quoted = format!("'{name}'");
    if name.len() < 3 {
        violations.add(&quoted, path, "Member must have length greater than or equal to 3");
    }
    if name.len() > 255 {
        violations.add(&quoted, path, "Member must have length less than or equal to 255");
    }
    if !is_resource_name(name) {
        violations.add(&quoted, path, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
    }
}

pub(super) fn read_definitions(input: &Input<'_>, violations: &mut Violations) -> Result<Vec<KeyAttribute>, Failure> {
    let Some(list) = input.structures("AttributeDefinitions")? else {
        violations.missing("attributeDefinitions");
        return Ok(Vec::new());
    };
    let mut definitions = Vec::new();
    for (at, definition) in list.iter().enumerate() {
        let path = |member: &str| format!("attributeDefinitions.{}.member.{member}", at + 1);
        let Some(name) = definition.text("AttributeName")? else {
            violations.missing(&path("attributeName"));
            continue;
        };
        let value_type = definition.text("AttributeType")?;
        if value_type.is_none() {
            violations.missing(&path("attributeType"));
        }
        violations.one_of(value_type.as_ref(), &path("attributeType"), &["B", "N", "S"]);
        if let Some(value_type) = value_type.as_deref().and_then(ValueType::from_name) {
            definitions.push(KeyAttribute { name: name.as_str().into(), value_type });
        }
    }
    Ok(definitions)
}

/// Attribute names of a KeySchema, partition key first, with their roles as sent.
fn read_keys(input: &Input<'_>, path: &str, violations: &mut Violations) -> Result<Vec<(String, String)>, Failure> {
    let Some(list) = input.structures("KeySchema")? else {
        violations.missing(path);
        return Ok(Vec::new());
    };
    if list.is_empty() {
        violations.add("'[]'", path, "Member must have length greater than or equal to 1");
    }
    let mut keys = Vec::new();
    for (at, element) in list.iter().enumerate() {
        let member = |member: &str| format!("{path}.{}.member.{member}", at + 1);
        let name = element.text("AttributeName")?;
        let role = element.text("KeyType")?;
        if name.is_none() {
            violations.missing(&member("attributeName"));
        }
        if role.is_none() {
            violations.missing(&member("keyType"));
        }
        violations.one_of(role.as_ref(), &member("keyType"), &["HASH", "RANGE"]);
        keys.push((name.unwrap_or_default(), role.unwrap_or_default()));
    }
    if keys.len() > 2 {
        let dump = |(name, role): &(String, String)| format!("KeySchemaElement(attributeName={name}, keyType={role})");
        let dumps: Vec<String> = keys.iter().map(dump).collect();
        let quoted = format!("'[{}]'", dumps.join(", "));
        violations.add(&quoted, path, "Member must have length less than or equal to 2");
    }
    Ok(keys)
}

fn resolve_key(keys: &[(String, String)], definitions: &[KeyAttribute]) -> Result<KeySchema, Failure> {
    let attribute = |name: &str| {
        definitions.iter().find(|definition| &*definition.name == name).cloned().ok_or_else(|| {
            let defined: Vec<&str> = definitions.iter().map(|definition| &*definition.name).collect();
            invalid(format!(
                "Some index key attributes are not defined in AttributeDefinitions. Keys: [{name}], AttributeDefinitions: [{}]",
                defined.join(", ")
            ))
        })
    };
    let (partition, rest) = match keys.split_first() {
        Some((first, rest)) if first.1 == "HASH" => (first, rest),
        _ => return Err(Failure::validation("Invalid KeySchema: The first KeySchemaElement is not a HASH key type")),
    };
    let sort = match rest.first() {
        None => None,
        Some((name, _)) if *name == partition.0 => {
            return Err(Failure::validation(
                "Both the Hash Key and the Range Key element in the KeySchema have the same name",
            ));
        }
        Some((_, role)) if role != "RANGE" => {
            return Err(Failure::validation("Invalid KeySchema: The second KeySchemaElement is not a RANGE key type"));
        }
        Some((name, _)) => Some(attribute(name)?),
    };
    Ok(KeySchema { partition: attribute(&partition.0)?, sort })
}

fn check_definitions<'a>(
    definitions: &[KeyAttribute],
    used: impl Iterator<Item = &'a KeyAttribute>,
) -> Result<(), Failure> {
    let mut names: Vec<&str> = Vec::new();
    for attribute in used {
        if !names.contains(&&*attribute.name) {
            names.push(&attribute.name);
        }
    }
    if names.len() != definitions.len() {
        return Err(invalid(
            "Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions",
        ));
    }
    Ok(())
}

fn units(input: &Input<'_>, member: &str) -> Result<i64, Failure> {
    let value = input.integer(member)?.unwrap_or(0);
    if value < 1 {
        let mut violations = Violations::default();
        let path = format!("provisionedThroughput.{}{}", member[..1].to_ascii_lowercase(), &member[1..]);
        violations.add(&format!("'{value}'"), &path, "Member must have value greater than or equal to 1");
        violations.check()?;
    }
    if value > 1_000_000_000_000 {
        return Err(Failure::validation(format!("Given value {value} for {member} is out of bounds")));
    }
    Ok(value)
}

/// Throughput of the table (`index` is `None`) or of a global index.
pub(super) fn read_settings(input: &Input<'_>, on_demand: bool, index: Option<&str>) -> Result<Settings, Failure> {
    let provisioned = input.structure("ProvisionedThroughput")?;
    let billing = match (on_demand, provisioned) {
        (true, Some(_)) => {
            return Err(match index {
                None => invalid(
                    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
                ),
                Some(index) => invalid(format!(
                    "ProvisionedThroughput should not be specified for index: {index} when BillingMode is PAY_PER_REQUEST"
                )),
            });
        }
        (true, None) => {
            let maximum = input.structure("OnDemandThroughput")?;
            let limit = |member: &str| -> Result<Option<i64>, Failure> {
                let value = maximum.as_ref().map(|maximum| maximum.integer(member)).transpose()?.flatten();
                Ok(value.filter(|units| *units != -1))
            };
            let (max_read, max_write) = (limit("MaxReadRequestUnits")?, limit("MaxWriteRequestUnits")?);
            for (member, value) in [("MaxReadRequestUnits", max_read), ("MaxWriteRequestUnits", max_write)] {
                if value.is_some_and(|units| units < 1) {
                    return Err(invalid(format!(
                        "Requested {member} for OnDemandThroughput for table is outside of valid range"
                    )));
                }
            }
            Billing::OnDemand { max_read, max_write }
        }
        (false, None) => {
            return Err(match index {
                None => invalid(
                    "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED",
                ),
                Some(index) => invalid(format!("ProvisionedThroughput must be specified for index: {index}")),
            });
        }
        (false, Some(throughput)) => Billing::Provisioned {
            read: units(&throughput, "ReadCapacityUnits")?,
            write: units(&throughput, "WriteCapacityUnits")?,
        },
    };
    Ok(Settings { billing, warm: read_warm(input)?, saved_burst_seconds: None })
}

/// Warm throughput, 0 where none is given.
pub(super) fn read_warm(input: &Input<'_>) -> Result<WarmThroughput, Failure> {
    let warm = input.structure("WarmThroughput")?;
    let units = |member: &str| -> Result<i64, Failure> {
        Ok(warm.as_ref().map(|warm| warm.integer(member)).transpose()?.flatten().unwrap_or(0))
    };
    Ok(WarmThroughput { read: units("ReadUnitsPerSecond")?, write: units("WriteUnitsPerSecond")? })
}

fn read_projection(input: &Input<'_>) -> Result<Projection, Failure> {
    let projection = input.structure("Projection")?;
    let kind = projection.as_ref().map(|projection| projection.text("ProjectionType")).transpose()?.flatten();
    let names = projection.as_ref().map(|projection| projection.texts("NonKeyAttributes")).transpose()?.flatten();
    let unwanted = |kind: &str| {
        if names.is_some() {
            Err(invalid(format!("ProjectionType is {kind}, but NonKeyAttributes is specified")))
        } else {
            Ok(())
        }
    };
    match kind.as_deref() {
        Some("ALL") => unwanted("ALL").map(|()| Projection::All),
        Some("KEYS_ONLY") => unwanted("KEYS_ONLY").map(|()| Projection::KeysOnly),
        Some("INCLUDE") => match names {
            Some(names) => Ok(Projection::Include(names)),
            None => Err(invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified")),
        },
        Some(other) => {
            let mut violations = Violations::default();
            violations.one_of(Some(&other.to_owned()), "projection.projectionType", &["ALL", "INCLUDE", "KEYS_ONLY"]);
            violations.check()?;
            Ok(Projection::All)
        }
        None => Err(invalid("Unknown ProjectionType: null")),
    }
}

pub(super) fn read_indexes(
    list: Option<Vec<Input<'_>>>,
    kind: IndexKind,
    definitions: &[KeyAttribute],
    table_key: &KeySchema,
    on_demand: bool,
) -> Result<Vec<IndexDefinition>, Failure> {
    let (word, path) = match kind {
        IndexKind::Global => ("Global", "globalSecondaryIndexes"),
        IndexKind::Local => ("Local", "localSecondaryIndexes"),
    };
    let Some(list) = list else { return Ok(Vec::new()) };
    if list.is_empty() {
        return Err(invalid(format!("List of {word}SecondaryIndexes is empty")));
    }
    let mut indexes = Vec::new();
    for (at, input) in list.iter().enumerate() {
        let mut violations = Violations::default();
        let path = format!("{path}.{}.member", at + 1);
        let name = input.text("IndexName")?;
        match &name {
            Some(name) => check_name(name, &format!("{path}.indexName"), &mut violations),
            None => violations.missing(&format!("{path}.indexName")),
        }
        let keys = read_keys(input, &format!("{path}.keySchema"), &mut violations)?;
        violations.check()?;
        let name = name.unwrap_or_default();
        let key = resolve_key(&keys, definitions)?;
        if kind == IndexKind::Local {
            check_local(&name, &key, table_key)?;
        }
        let settings = match kind {
            IndexKind::Global => Some(read_settings(input, on_demand, Some(&name))?),
            IndexKind::Local => None,
        };
        let index = Index { name, kind, key, projection: read_projection(input)? };
        let definition = IndexDefinition { index, settings };
        // Kept by name; there are at most twenty.
        let at = indexes.iter().take_while(|other: &&IndexDefinition| other.index.name < definition.index.name).count();
        indexes.insert(at, definition);
    }
    Ok(indexes)
}

fn check_local(name: &str, key: &KeySchema, table: &KeySchema) -> Result<(), Failure> {
    if table.sort.is_none() {
        return Err(invalid(
            "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
        ));
    }
    if key.sort.is_none() {
        return Err(invalid(format!("Index KeySchema does not have a range key for index: {name}")));
    }
    if key.partition != table.partition {
        return Err(invalid(format!(
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: {name}. index hash \
             key: {}, table hash key: {}",
            key.partition.name, table.partition.name
        )));
    }
    Ok(())
}

/// A table has so many indexes, at most.
pub(super) fn check_indexes(global: usize, local: usize) -> Result<(), Failure> {
    if global > 20 {
        return Err(invalid("GlobalSecondaryIndex count exceeds the per-table limit of 20"));
    }
    if local > 5 {
        return Err(invalid("Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
    }
    Ok(())
}

fn check_names(global: &[IndexDefinition], local: &[IndexDefinition]) -> Result<(), Failure> {
    let names = || global.iter().chain(local).map(|definition| definition.index.name.as_str());
    let doubled = names().enumerate().find(|(at, name)| names().take(*at).any(|earlier| earlier == *name));
    match doubled {
        Some((_, name)) => Err(invalid(format!("Duplicate index name: {name}"))),
        None => Ok(()),
    }
}
