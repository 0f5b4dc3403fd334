//! The requests of a stream that stores: what a program would send to the service.

use super::attributes::FILLER;
use super::running::{Ask, RunningStream};
use super::scanning::PageCursor;
use super::stream::StreamOperation;
use crate::operation::{
    DeleteItem, ExpressionAttributes, GetItem, Operation, PutItem, Query, ReadParameters, Scan, Select, UpdateItem,
};
use crate::sorted::SortedMap;
use crate::value::{AttributeValue, Item};

impl RunningStream {
    /// The request that an attempt makes.
    pub fn request(&self, ask: &Ask) -> Box<dyn Operation> {
        let table_name = self.stream.table.clone();
        match self.stream.operation {
            StreamOperation::PutItem => {
                let item = self.whole_item(ask);
                Box::new(PutItem { table_name, item, ..PutItem::default() })
            }
            StreamOperation::UpdateItem => {
                // Another text of the same length; the number tells one update from the next.
                let whole = self.whole_item(ask);
                let length = whole.get(FILLER).map_or(0, AttributeValue::size_bytes);
                let mut digits = format!("{:012}", ask.number);
                digits = digits.split_off(digits.len().saturating_sub(length));
                let filler = format!("{digits:x<length$}");
                Box::new(UpdateItem {
                    table_name,
                    key: self.key_item(ask),
                    update_expression: Some("SET #filler = :filler".to_owned()),
                    attributes: ExpressionAttributes {
                        names: Some([("#filler".to_owned(), FILLER.to_owned())].into_iter().collect()),
                        values: Some([(":filler".to_owned(), AttributeValue::S(filler))].into_iter().collect()),
                    },
                    ..UpdateItem::default()
                })
            }
            StreamOperation::DeleteItem => {
                Box::new(DeleteItem { table_name, key: self.key_item(ask), ..DeleteItem::default() })
            }
            StreamOperation::GetItem => Box::new(GetItem {
                table_name,
                key: self.key_item(ask),
                consistent_read: self.stream.consistent,
                ..GetItem::default()
            }),
            StreamOperation::Query => Box::new(self.query(ask)),
            StreamOperation::Scan => Box::new(self.scan(ask)),
        }
    }

    /// The key, with its names.
    fn key_item(&self, ask: &Ask) -> Item {
        let (partition, sort) = self.key_names();
        let mut item = Item::new();
        item.set(partition.clone(), self.key_of(ask));
        if let (Some(name), Some(value)) = (sort, self.sort_of(ask)) {
            item.set(name.clone(), value);
        }
        item
    }

    /// The item with everything, as large as it is to be if that is possible.
    fn whole_item(&self, ask: &Ask) -> Item {
        let mut item = self.key_item(ask);
        let of = self.moment(ask);
        for attribute in self.attributes() {
            item.set(attribute.name.clone(), attribute.value(of));
        }
        let bare = (item.size_bytes() + FILLER.len()) as u64;
        if let Some(missing) = self.stream.item_bytes.checked_sub(bare) {
            item.set(FILLER, AttributeValue::S("x".repeat(missing as usize)));
        }
        item
    }

    fn read_parameters(&self) -> ReadParameters {
        ReadParameters {
            table_name: self.stream.table.clone(),
            index_name: self.stream.index.clone(),
            limit: self.stream.limit.map(i64::from),
            // Nobody looks at the items.
            select: Some(Select::Count),
            consistent_read: self.stream.consistent,
            ..ReadParameters::default()
        }
    }

    fn query(&self, ask: &Ask) -> Query {
        let (partition, sort) = self.key_names();
        let mut names: SortedMap<String> = [("#key".to_owned(), partition.to_string())].into_iter().collect();
        let mut values: SortedMap<AttributeValue> = [(":key".to_owned(), self.key_of(ask))].into_iter().collect();
        let mut condition = "#key = :key".to_owned();
        if let (Some(name), Some(value)) = (sort, self.sort_of(ask)) {
            condition.push_str(" AND #sort >= :sort");
            names.insert("#sort".to_owned(), name.to_string());
            values.insert(":sort".to_owned(), value);
        }
        Query {
            parameters: ReadParameters {
                attributes: ExpressionAttributes { names: Some(names), values: Some(values) },
                ..self.read_parameters()
            },
            key_condition_expression: Some(condition),
            ..Query::default()
        }
    }

    fn scan(&self, ask: &Ask) -> Scan {
        let start = match self.cursor(ask) {
            PageCursor::Key(key) => Some(key.clone()),
            PageCursor::Beginning | PageCursor::Ring(_) => None,
        };
        let parallel = self.stream.segments > 1;
        Scan {
            parameters: ReadParameters { exclusive_start_key: start, ..self.read_parameters() },
            segment: parallel.then_some(i64::from(ask.part)),
            total_segments: parallel.then_some(i64::from(self.stream.segments)),
        }
    }
}
