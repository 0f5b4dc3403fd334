//! From JSON that knows its place to attribute values: all faults are collected, not only the first.

use super::json::{Kind, Member, Node, TOO_DEEP};
use super::{Complaint, MAX_COMPLAINTS, Spelling};
use crate::sorted::sorted_places;
use crate::value::{AttributeValue, Item, MAX_NESTING_LEVELS, Number, NumberFault, ValueType, value_from_json};
use serde_json::{Map, Value as Json};

/// Is this an object with exactly one member, which is called like a type?
pub(super) fn is_typed_value(node: &Node) -> bool {
    matches!(&node.kind, Kind::Object(members) if members.len() == 1 && members.iter().all(is_type))
}

/// Is this an item in DynamoDB JSON: an object, not empty, of nothing but typed values?
pub(super) fn looks_typed(node: &Node) -> bool {
    matches!(&node.kind, Kind::Object(members) if !members.is_empty() && members.iter().all(|member| is_typed_value(&member.value)))
}

fn is_type(member: &Member) -> bool {
    ValueType::from_name(&member.name).is_some()
}

/// Turns nodes of one text into values and gathers what is wrong with them.
pub(super) struct Converter<'s> {
    source: &'s str,
    pub spelling: Spelling,
    pub complaints: Vec<Complaint>,
    /// How many complaints there were no room for.
    pub left_out: usize,
}

impl<'s> Converter<'s> {
    pub(super) fn new(source: &'s str, spelling: Spelling) -> Self {
        Self { source, spelling, complaints: Vec::new(), left_out: 0 }
    }

    pub(super) fn complain(&mut self, complaint: Complaint) {
        if self.complaints.len() < MAX_COMPLAINTS {
            self.complaints.push(complaint);
        } else {
            self.left_out += 1;
        }
    }

    fn refuse<T>(&mut self, complaint: Complaint) -> Option<T> {
        self.complain(complaint);
        None
    }

    /// An item; nothing if anything in it was complained about.
    pub(super) fn item(&mut self, node: &Node) -> Option<Item> {
        let Kind::Object(members) = &node.kind else {
            return self.refuse(Complaint::new(node.span, "an item is an object, such as `{\"pk\": \"a\"}`"));
        };
        if let Some(member) = members.iter().find(|member| member.name.is_empty()) {
            return self.refuse(Complaint::new(member.name_span, "an attribute needs a name"));
        }
        self.members(members, 0)
    }

    fn members(&mut self, members: &[Member], depth: usize) -> Option<Item> {
        let mut attributes = Vec::with_capacity(members.len());
        for member in members {
            attributes.push((member.name.as_str(), self.value(&member.value, depth)));
        }
        // Sorted first, since an item is, and adding in the middle would cost time over and over.
        let mut item = Item::default();
        for at in sorted_places(attributes.len(), &|a, b| members[a].name.cmp(&members[b].name)) {
            let (name, value) = &mut attributes[at];
            item.set(&**name, value.take()?);
        }
        Some(item)
    }

    fn elements(&mut self, elements: &[Node], depth: usize) -> Option<Vec<AttributeValue>> {
        let mut values = Vec::with_capacity(elements.len());
        for element in elements {
            values.push(self.value(element, depth));
        }
        values.into_iter().collect()
    }

    /// A value that lies `depth` levels inside an attribute.
    pub(super) fn value(&mut self, node: &Node, depth: usize) -> Option<AttributeValue> {
        if depth > MAX_NESTING_LEVELS {
            return self.refuse(Complaint::new(node.span, TOO_DEEP));
        }
        match self.spelling {
            Spelling::DynamoDb => self.typed(node, depth),
            Spelling::Plain | Spelling::Auto => self.plain(node, depth),
        }
    }

    fn plain(&mut self, node: &Node, depth: usize) -> Option<AttributeValue> {
        Some(match &node.kind {
            Kind::Null => AttributeValue::Null,
            Kind::Bool(flag) => AttributeValue::Bool(*flag),
            Kind::String(text) => AttributeValue::S(text.clone()),
            Kind::Number => {
                let digits = node.span.of(self.source);
                match digits.parse::<Number>() {
                    Ok(number) => AttributeValue::N(number),
                    Err(fault) => return self.refuse(number_complaint(node, fault, digits)),
                }
            }
            Kind::Array(elements) => AttributeValue::L(self.elements(elements, depth + 1)?),
            Kind::Object(members) => AttributeValue::M(self.members(members, depth + 1)?),
        })
    }

    fn typed(&mut self, node: &Node, depth: usize) -> Option<AttributeValue> {
        let Kind::Object(members) = &node.kind else {
            let help = ["this text is read as DynamoDB JSON; write ", typed_example(&node.kind)].concat();
            return self.refuse(Complaint::new(node.span, "expected a value with its type here").help(help));
        };
        let mut typed = members.iter().filter(|member| is_type(member) && !matches!(member.value.kind, Kind::Null));
        let Some(member) = typed.next() else { return self.refuse(untyped(node, members)) };
        if let Some(second) = typed.next() {
            let message = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
            return self.refuse(Complaint::new(second.name_span, message));
        }
        match (member.name.as_str(), &member.value.kind) {
            ("M", Kind::Object(members)) => Some(AttributeValue::M(self.members(members, depth + 1)?)),
            ("L", Kind::Array(elements)) => Some(AttributeValue::L(self.elements(elements, depth + 1)?)),
            _ => self.scalar(node, member),
        }
    }

    /// Everything but maps and lists: the wire's own reader knows the words for what can be wrong.
    fn scalar(&mut self, node: &Node, member: &Member) -> Option<AttributeValue> {
        let mut object = Map::new();
        object.insert(member.name.clone(), to_json(&member.value, self.source));
        match value_from_json(&Json::Object(object)) {
            Ok(value) => Some(value),
            Err(fault) => {
                let complaint = Complaint::new(member.value.span, fault.message());
                self.refuse(match (member.name.as_str(), &member.value.kind) {
                    ("N" | "NS", Kind::Number | Kind::Array(_))
                        if fault.message().contains("cannot be converted to String") =>
                    {
                        complaint.help("numbers stand in double quotes here")
                    }
                    ("NULL", Kind::Bool(false)) => {
                        complaint.help("leave the attribute out, or write `{\"NULL\": true}`")
                    }
                    ("M", _) => complaint.help("a map is an object of values with their types"),
                    ("L", _) => complaint.help("a list is an array of values with their types"),
                    ("B" | "BS", Kind::String(_) | Kind::Array(_)) if fault.message().contains("base64") => {
                        complaint.help("binary is written in base64, padded with `=`")
                    }
                    ("SS" | "NS" | "BS", Kind::Array(elements)) if elements.is_empty() => {
                        Complaint { span: node.span, ..complaint }.help("leave the attribute out instead")
                    }
                    _ => complaint,
                })
            }
        }
    }
}

fn number_complaint(node: &Node, fault: NumberFault, digits: &str) -> Complaint {
    let complaint = Complaint::new(node.span, fault.message(digits));
    match fault {
        NumberFault::TooManyDigits => complaint.help("put it in double quotes to keep it as text"),
        NumberFault::NotNumeric | NumberFault::Overflow | NumberFault::Underflow => complaint,
    }
}

fn untyped(node: &Node, members: &[Member]) -> Complaint {
    let message = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
    let Some(member) = members.first() else { return Complaint::new(node.span, message) };
    let shown: String = member.name.chars().take(40).collect();
    let help = ["`", &shown, "` is no type; the types are S, N, B, BOOL, NULL, M, L, SS, NS and BS"].concat();
    Complaint::new(member.name_span, message).help(help)
}

const fn typed_example(kind: &Kind) -> &'static str {
    match kind {
        Kind::Null => "`{\"NULL\": true}`",
        Kind::Bool(_) => "`{\"BOOL\": true}`",
        Kind::Number => "`{\"N\": \"1\"}`",
        Kind::String(_) => "`{\"S\": \"text\"}`",
        Kind::Array(_) => "`{\"L\": […]}`",
        Kind::Object(_) => "`{\"M\": {…}}`",
    }
}

/// The first number that is not whole, if there is one.
pub(super) fn first_fraction<'n>(node: &'n Node, source: &str) -> Option<&'n Node> {
    match &node.kind {
        Kind::Number if node.span.of(source).parse::<i64>().is_err() => Some(node),
        Kind::Array(elements) => elements.iter().find_map(|element| first_fraction(element, source)),
        Kind::Object(members) => members.iter().find_map(|member| first_fraction(&member.value, source)),
        _ => None,
    }
}

pub(super) fn to_json(node: &Node, source: &str) -> Json {
    match &node.kind {
        Kind::Null => Json::Null,
        Kind::Bool(flag) => Json::Bool(*flag),
        // Only whether it is whole matters: a bare number is refused in every place that this is called for.
        Kind::Number => node.span.of(source).parse::<i64>().map_or_else(|_| Json::from(0.5), Json::from),
        Kind::String(text) => Json::String(text.clone()),
        Kind::Array(elements) => elements.iter().map(|element| to_json(element, source)).collect(),
        Kind::Object(members) => {
            let mut object = Map::new();
            for member in members {
                object.insert(member.name.clone(), to_json(&member.value, source));
            }
            Json::Object(object)
        }
    }
}
