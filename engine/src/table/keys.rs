//! Checks of key values, in the order and the words of the service.

use super::{Index, KeyAttribute, KeySchema, Schema};
use crate::diagnostic::Failure;
use crate::value::{AttributeValue, Item};

/// Largest partition key value, in bytes. Developer Guide, "Quotas".
pub const MAX_PARTITION_KEY_BYTES: usize = 2048;
/// Largest sort key value, in bytes. Same page.
pub const MAX_SORT_KEY_BYTES: usize = 1024;

fn empty_kind(value: &AttributeValue) -> Option<&'static str> {
    match value {
        AttributeValue::S(text) if text.is_empty() => Some("string"),
        AttributeValue::B(bytes) if bytes.is_empty() => Some("binary"),
        _ => None,
    }
}

/// Bytes of a key value that count against its limit; numbers have none.
pub fn key_length(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::B(bytes) => bytes.len(),
        _ => 0,
    }
}

/// Checks that key values are not too long. Reads are held to it as writes are.
pub fn check_key_lengths(partition: usize, sort: usize) -> Result<(), Failure> {
    if partition > MAX_PARTITION_KEY_BYTES {
        // The missing space is the service's.
        return Err(Failure::validation(
            "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes",
        ));
    }
    if sort > MAX_SORT_KEY_BYTES {
        return Err(Failure::validation(
            "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes",
        ));
    }
    Ok(())
}

fn check_sizes(key: &KeySchema, item: &Item) -> Result<(), Failure> {
    let length = |attribute: &KeyAttribute| item.get(&attribute.name).map_or(0, key_length);
    check_key_lengths(length(&key.partition), key.sort.as_ref().map_or(0, length))
}

fn check_empty(key: &KeySchema, item: &Item) -> Result<(), Failure> {
    for attribute in key.attributes() {
        if let Some(kind) = item.get(&attribute.name).and_then(empty_kind) {
            return Err(Failure::validation(format!(
                "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an \
                 empty {kind} value. Key: {}",
                attribute.name
            )));
        }
    }
    Ok(())
}

impl Schema {
    /// Checks the key attributes of an item about to be stored.
    pub fn check_item_key(&self, item: &Item) -> Result<(), Failure> {
        self.check_item_types(item)?;
        check_empty(&self.key, item)?;
        check_sizes(&self.key, item)
    }

    /// The part of [`Schema::check_item_key`] that asks for the key attributes and their types.
    pub fn check_item_types(&self, item: &Item) -> Result<(), Failure> {
        for attribute in self.key.attributes() {
            let Some(value) = item.get(&attribute.name) else {
                return Err(Failure::validation(format!(
                    "One or more parameter values were invalid: Missing the key {} in the item",
                    attribute.name
                )));
            };
            if value.value_type() != attribute.value_type {
                return Err(Failure::validation(format!(
                    "One or more parameter values were invalid: Type mismatch for key {} expected: {} actual: {}",
                    attribute.name,
                    attribute.value_type.name(),
                    value.value_type().name()
                )));
            }
        }
        Ok(())
    }

    /// Checks a `Key` parameter: exactly the key attributes, of the right types, not empty, not too long.
    pub fn check_key(&self, key: &Item) -> Result<(), Failure> {
        self.check_key_types(key)?;
        check_empty(&self.key, key)?;
        check_sizes(&self.key, key)
    }

    /// The part of [`Schema::check_key`] that asks for the key attributes and their types.
    pub fn check_key_types(&self, key: &Item) -> Result<(), Failure> {
        if !Self::matches(&self.key, key) || key.len() != self.key.attributes().count() {
            return Err(Failure::validation("The provided key element does not match the schema"));
        }
        Ok(())
    }

    fn matches(schema: &KeySchema, key: &Item) -> bool {
        schema
            .attributes()
            .all(|attribute| key.get(&attribute.name).is_some_and(|v| v.value_type() == attribute.value_type))
    }

    /// Checks an `ExclusiveStartKey` on the table or on `index`: exactly its keys and the table's.
    pub fn check_start_key(&self, index: Option<&Index>, key: &Item) -> Result<(), Failure> {
        let expected = key.names().filter(|name| self.key.has(name) || index.is_some_and(|i| i.key.has(name))).count();
        let count = {
            let own = index.iter().flat_map(|index| index.key.attributes()).filter(|a| !self.key.has(&a.name)).count();
            self.key.attributes().count() + own
        };
        if expected != count || key.len() != count {
            // The service words the wrong set of attributes differently on tables and on indexes.
            return Err(Failure::validation(if index.is_some() {
                "The provided starting key is invalid"
            } else {
                "The provided starting key is invalid: The provided key element does not match the schema"
            }));
        }
        let typed = Self::matches(&self.key, key) && index.is_none_or(|index| Self::matches(&index.key, key));
        if !typed {
            return Err(Failure::validation(
                "The provided starting key is invalid: The provided key element does not match the schema",
            ));
        }
        let prefixed = |failure: Failure| {
            Failure::validation(format!("The provided starting key is invalid: {}", failure.message))
        };
        check_empty(&self.key, key).map_err(prefixed)?;
        check_sizes(&self.key, key).map_err(prefixed)
    }

    /// Checks the values an item about to be stored has for the keys of secondary indexes. A missing one only
    /// keeps the item out of the index; a wrong type or an empty value is refused.
    pub fn check_index_keys(&self, item: &Item) -> Result<(), Failure> {
        for index in &self.indexes {
            for attribute in index.key.attributes() {
                let Some(value) = item.get(&attribute.name) else { continue };
                if value.value_type() != attribute.value_type {
                    return Err(Failure::validation(format!(
                        "One or more parameter values were invalid: Type mismatch for Index Key {} Expected: {} Actual: \
                         {} IndexName: {}",
                        attribute.name,
                        attribute.value_type.name(),
                        value.value_type().name(),
                        index.name
                    )));
                }
                if let Some(kind) = empty_kind(value) {
                    return Err(Failure::validation(format!(
                        "One or more parameter values are not valid. A value specified for a secondary index key is not \
                         supported. The AttributeValue for a key attribute cannot contain an empty {kind} value. \
                         IndexName: {}, IndexKey: {}",
                        index.name, attribute.name
                    )));
                }
            }
            check_sizes(&index.key, item)?;
        }
        Ok(())
    }
}
