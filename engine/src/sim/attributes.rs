//! What a stream's items have besides their keys, and the entries that follow from it in indexes.
//!
//! An item has its keys, the attributes of the stream's templates and a `filler` that brings it up to `item_bytes`. So
//! it has an entry in each index whose key attributes are among them (an index is sparse), and the entry's size is
//! what the index carries of them: all of `item_bytes` with ALL, else keys and included attributes, the filler only
//! where it is included by name.

use super::keys::Source;
use super::template::Moment;
use crate::diagnostic::Failure;
use crate::partition::placement::{collection_prefix, ring_hash};
use crate::sorted::SortedMap;
use crate::table::{Index, IndexKind, KeyAttribute, MAX_PARTITION_KEY_BYTES, MAX_SORT_KEY_BYTES, Schema};
use crate::value::{AttributeValue, KeyBytes, Name, ValueType, append_key_value};

/// The attribute that fills an item up to its size.
pub(super) const FILLER: &str = "filler";
/// Attributes of a stream.
const MAX_ATTRIBUTES: usize = 50;

/// An attribute of its own.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: Name,
    source: Source,
    /// Keeps its draws apart from those of keys and other attributes.
    salt: u64,
}

impl Attribute {
    fn of(&self, of: Moment) -> Moment {
        Moment { seed: of.seed ^ self.salt, ..of }
    }

    pub(super) fn value(&self, of: Moment) -> AttributeValue {
        self.source.value(self.of(of))
    }

    fn size(&self, of: Moment) -> u64 {
        self.source.size(self.of(of)) + self.name.len() as u64
    }
}

/// Reads the templates of further attributes.
pub(super) fn attributes(templates: &SortedMap<String>, schema: &Schema) -> Result<Vec<Attribute>, Failure> {
    if templates.len() > MAX_ATTRIBUTES {
        return Err(Failure::validation(format!("a stream has at most {MAX_ATTRIBUTES} attributes")));
    }
    let mut attributes = Vec::new();
    for (name, text) in templates {
        if schema.key.has(name) {
            return Err(Failure::validation(format!(
                "`{name}` is part of the table's key: `key` and `sort` say what it is"
            )));
        }
        if name == FILLER || name.is_empty() {
            return Err(Failure::validation(format!(
                "`{name}` is no name for an attribute of traffic; `{FILLER}` brings items to their size"
            )));
        }
        let keyed = |role: fn(&Index) -> Option<&KeyAttribute>| {
            schema.indexes.iter().filter_map(role).find(|key| *key.name == **name)
        };
        let source = if let Some(key) = keyed(|index| Some(&index.key.partition)) {
            Source::of_key("attributes", text, key, MAX_PARTITION_KEY_BYTES)?
        } else if let Some(key) = keyed(|index| index.key.sort.as_ref()) {
            Source::of_key("attributes", text, key, MAX_SORT_KEY_BYTES)?
        } else {
            Source::parse("attributes", text, ValueType::S)?
        };
        let name: Name = name.as_str().into();
        attributes.push(Attribute { salt: ring_hash(&AttributeValue::from(&*name)), name, source });
    }
    Ok(attributes)
}

/// Where a value of an item comes from.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// The table's partition key.
    Partition,
    /// The table's sort key.
    Sort,
    /// An attribute, by its place.
    Attribute(usize),
}

/// What an index carries of an item.
#[derive(Clone, Debug)]
enum Carried {
    All,
    /// These.
    Only(Vec<Part>),
    /// The filler, and so all but these.
    AllBut(Vec<Part>),
}

/// How a stream's items stand in one index.
#[derive(Clone, Debug)]
pub struct EntryPlan {
    /// Place of a global index in `Table::arms`; 0 for a local one, whose entries the base table pays for.
    pub arm: usize,
    partition: Part,
    sort: Option<Part>,
    carried: Carried,
}

impl EntryPlan {
    /// Does an entry change when only the filler does?
    pub(super) const fn carries_filler(&self) -> bool {
        matches!(self.carried, Carried::All | Carried::AllBut(_))
    }
}

/// The plans of all indexes in which the items have an entry, global ones by their arms, local ones with arm 0.
pub(super) fn entry_plans(schema: &Schema, attributes: &[Attribute], has_sort: bool) -> Vec<EntryPlan> {
    let part = |name: &str| {
        if *schema.key.partition.name == *name {
            return Some(Part::Partition);
        }
        if schema.key.sort.as_ref().is_some_and(|sort| *sort.name == *name) {
            return Some(Part::Sort).filter(|_| has_sort);
        }
        attributes.iter().position(|attribute| *attribute.name == *name).map(Part::Attribute)
    };
    let all: Vec<(&str, Part)> = schema
        .key
        .attributes()
        .map(|key| &*key.name)
        .chain(attributes.iter().map(|attribute| &*attribute.name))
        .filter_map(|name| Some((name, part(name)?)))
        .collect();
    let mut plans = Vec::new();
    let mut arm = 0;
    for index in &schema.indexes {
        let is_global = index.kind == IndexKind::Global;
        arm += usize::from(is_global);
        let Some(partition) = part(&index.key.partition.name) else { continue };
        let sort = index.key.sort.as_ref().map(|sort| part(&sort.name));
        if sort.is_some_and(|sort| sort.is_none()) {
            continue;
        }
        let chosen = |keep: bool| {
            all.iter().filter(|(name, _)| schema.projects(index, name) == keep).map(|(_, part)| *part).collect()
        };
        let carried = match index.projection {
            crate::table::Projection::All => Carried::All,
            _ if schema.projects(index, FILLER) => Carried::AllBut(chosen(false)),
            _ => Carried::Only(chosen(true)),
        };
        plans.push(EntryPlan { arm: if is_global { arm } else { 0 }, partition, sort: sort.flatten(), carried });
    }
    plans
}

/// An item of a stream: the values its entries in indexes are made of.
pub struct ItemParts<'a> {
    pub(super) names: &'a (Name, Option<Name>),
    pub(super) partition: AttributeValue,
    pub(super) sort: Option<AttributeValue>,
    pub(super) attributes: &'a [Attribute],
    pub(super) of: Moment,
    /// Size of the whole item.
    pub(super) bytes: u64,
}

impl ItemParts<'_> {
    fn value(&self, part: Part) -> AttributeValue {
        match part {
            Part::Partition => self.partition.clone(),
            // A plan speaks of a sort key only where there is one.
            Part::Sort => self.sort.clone().unwrap_or(AttributeValue::Null),
            Part::Attribute(at) => self.attributes[at].value(self.of),
        }
    }

    fn size(&self, part: Part) -> u64 {
        let keyed = |name: Option<&Name>, value: Option<&AttributeValue>| {
            (name.map_or(0, |name| name.len()) + value.map_or(0, AttributeValue::size_bytes)) as u64
        };
        match part {
            Part::Partition => keyed(Some(&self.names.0), Some(&self.partition)),
            Part::Sort => keyed(self.names.1.as_ref(), self.sort.as_ref()),
            Part::Attribute(at) => self.attributes[at].size(self.of),
        }
    }

    /// The partition key of the entry.
    pub fn entry_key(&self, plan: &EntryPlan) -> AttributeValue {
        self.value(plan.partition)
    }

    /// Billed bytes of the entry.
    pub fn entry_bytes(&self, plan: &EntryPlan) -> u64 {
        let sum = |parts: &[Part]| parts.iter().map(|part| self.size(*part)).sum::<u64>();
        match &plan.carried {
            Carried::All => self.bytes,
            Carried::Only(parts) => sum(parts),
            Carried::AllBut(parts) => self.bytes.saturating_sub(sum(parts)),
        }
    }

    /// Where in the index the entry lies: its key, then the table's.
    pub fn entry_position(&self, plan: &EntryPlan) -> KeyBytes {
        let mut bytes = collection_prefix(&self.value(plan.partition));
        if let Some(sort) = plan.sort {
            append_key_value(&mut bytes, &self.value(sort));
        }
        append_key_value(&mut bytes, &self.partition);
        if let Some(sort) = &self.sort {
            append_key_value(&mut bytes, sort);
        }
        KeyBytes::new(bytes)
    }
}
