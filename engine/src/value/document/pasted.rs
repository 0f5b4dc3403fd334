//! Many items at once, in the shapes in which people have them: an array, one item a line, the answer of a
//! Scan, the request of a BatchWriteItem.

use super::convert::{Converter, looks_typed};
use super::json::{Kind, Member, Node, Reader};
use super::{Complaint, Spelling, check_size};
use crate::diagnostic::Span;
use crate::value::Item;

/// One item of a pasted text.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemRead {
    /// The item.
    pub item: Item,
    /// Where it stands.
    pub span: Span,
    /// The table that the text names for it, if it names one.
    pub table: Option<String>,
}

/// What was understood of a pasted text, and what was not.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemsRead {
    /// Items in the order of the text.
    pub items: Vec<ItemRead>,
    /// What was not understood; an item that is complained about is not among the items.
    pub complaints: Vec<Complaint>,
    /// How many complaints were left out for being too many.
    pub complaints_left_out: usize,
    /// `Plain` or `DynamoDb`, whichever the items were read as.
    pub spelling: Spelling,
}

/// Reads an array of items, items one a line or one after the other, a Scan's answer (`{"Items": […]}`), or a
/// BatchWriteItem's request. A text of more than `limit_bytes` is refused unread.
pub fn read_items(text: &str, spelling: Spelling, limit_bytes: usize) -> ItemsRead {
    if let Err(complaint) = check_size(text, limit_bytes) {
        return ItemsRead { items: Vec::new(), complaints: vec![complaint], complaints_left_out: 0, spelling };
    }
    let mut nodes = Vec::new();
    let faults = if is_lines(text) { read_lines(text, &mut nodes) } else { read_sequence(text, &mut nodes) };
    let mut candidates = Vec::new();
    let mut converter = Converter::new(text, Spelling::Plain);
    for fault in faults {
        converter.complain(fault);
    }
    for node in &nodes {
        gather(node, &mut candidates, &mut converter);
    }
    let spelling = match spelling {
        Spelling::Auto => guess(&candidates),
        chosen => chosen,
    };
    converter.spelling = spelling;
    let mut items = Vec::with_capacity(candidates.len());
    for (node, table) in candidates {
        if let Some(item) = converter.item(node) {
            items.push(ItemRead { item, span: node.span, table: table.map(str::to_owned) });
        }
    }
    converter.complaints.sort_by_key(|complaint| complaint.span.start);
    ItemsRead { items, complaints: converter.complaints, complaints_left_out: converter.left_out, spelling }
}

/// The item inside `{"Item": {…}}`, as GetItem answers and exports to S3 have it; or what was given.
pub(super) fn unwrapped(node: &Node) -> &Node {
    match only_member(node) {
        Some(member) if member.name == "Item" && looks_typed(&member.value) => &member.value,
        _ => node,
    }
}

fn only_member(node: &Node) -> Option<&Member> {
    match &node.kind {
        Kind::Object(members) => members.first().filter(|_| members.len() == 1),
        _ => None,
    }
}

/// Does every line begin an object, and are there several?
fn is_lines(text: &str) -> bool {
    let mut lines = 0;
    for line in text.lines().map(str::trim_start).filter(|line| !line.is_empty()) {
        if !line.starts_with('{') {
            return false;
        }
        lines += 1;
    }
    lines > 1
}

/// Each line by itself, so that a broken one spoils no other.
fn read_lines(text: &str, nodes: &mut Vec<Node>) -> Vec<Complaint> {
    let mut faults = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        // Places are counted from the beginning of the whole text.
        if let Some(text) = text.get(..end)
            && !line.trim().is_empty()
        {
            faults.extend(read_from(text, start, nodes));
        }
        start = end;
    }
    faults
}

fn read_sequence(text: &str, nodes: &mut Vec<Node>) -> Vec<Complaint> {
    read_from(text, 0, nodes).into_iter().collect()
}

/// Values one after the other, commas between them or not, up to the first fault.
fn read_from(text: &str, start: usize, nodes: &mut Vec<Node>) -> Option<Complaint> {
    let mut reader = Reader::new(text, start);
    loop {
        match reader.value() {
            Ok(node) => nodes.push(node),
            Err(complaint) => return Some(complaint),
        }
        reader.eat(b',');
        if reader.at_end() {
            return None;
        }
    }
}

type Candidates<'n> = Vec<(&'n Node, Option<&'n str>)>;

/// Finds the items in one value of the text.
fn gather<'n>(node: &'n Node, candidates: &mut Candidates<'n>, converter: &mut Converter) {
    if let Some(batch) = batch(node) {
        for table in batch {
            if let Kind::Array(requests) = &table.value.kind {
                for request in requests {
                    gather_request(request, Some(table.name.as_str()), candidates, converter);
                }
            }
        }
        return;
    }
    let elements = match &node.kind {
        Kind::Array(elements) => elements,
        _ => match answered_items(node) {
            Some(elements) => elements,
            None => return gather_request(node, None, candidates, converter),
        },
    };
    for element in elements {
        gather_request(element, None, candidates, converter);
    }
}

/// `{"PutRequest": {"Item": {…}}}`, `{"Item": {…}}`, or the item itself.
fn gather_request<'n>(
    node: &'n Node,
    table: Option<&'n str>,
    candidates: &mut Candidates<'n>,
    converter: &mut Converter,
) {
    match only_member(node) {
        Some(member) if is_request(member) => match only_member(&member.value) {
            Some(item) if member.name == "PutRequest" && item.name == "Item" => candidates.push((&item.value, table)),
            _ => converter.complain(
                Complaint::new(node.span, "only `{\"PutRequest\": {\"Item\": {…}}}` can be read as an item")
                    .help("take requests that delete away"),
            ),
        },
        _ => candidates.push((unwrapped(node), table)),
    }
}

fn is_request(member: &Member) -> bool {
    matches!(member.name.as_str(), "PutRequest" | "DeleteRequest")
}

/// The tables of a BatchWriteItem's request, with or without `RequestItems` round them.
fn batch(node: &Node) -> Option<&[Member]> {
    let node = match only_member(node) {
        Some(member) if member.name == "RequestItems" => &member.value,
        _ => node,
    };
    let Kind::Object(tables) = &node.kind else { return None };
    let requests = |table: &Member| match &table.value.kind {
        Kind::Array(requests) => {
            !requests.is_empty() && requests.iter().all(|request| only_member(request).is_some_and(is_request))
        }
        _ => false,
    };
    (!tables.is_empty() && tables.iter().all(requests)).then_some(tables)
}

/// The items in the answer of a Query or Scan: `Items` beside a `Count`, or items that are clearly typed.
fn answered_items(node: &Node) -> Option<&[Node]> {
    let Kind::Object(members) = &node.kind else { return None };
    let items = members.iter().find(|member| member.name == "Items")?;
    let Kind::Array(elements) = &items.value.kind else { return None };
    let counted = members.iter().any(|member| member.name == "Count");
    let typed = members.len() == 1 && !elements.is_empty() && elements.iter().all(looks_typed);
    (counted || typed).then_some(elements)
}

/// DynamoDB JSON if most items look like it, so that one bad item does not change how the others are read.
fn guess(candidates: &Candidates) -> Spelling {
    let objects = candidates
        .iter()
        .filter(|(node, _)| matches!(&node.kind, Kind::Object(members) if !members.is_empty()))
        .count();
    let typed = candidates.iter().filter(|(node, _)| looks_typed(node)).count();
    if typed * 2 > objects { Spelling::DynamoDb } else { Spelling::Plain }
}
