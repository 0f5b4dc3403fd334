//! TagResource, UntagResource, ListTagsOfResource: names and values on a table. API reference, *Tag*; Developer Guide,
//! "Tagging restrictions".

use super::input::{Input, Violations};
use super::{Context, Operation, Response};
use crate::diagnostic::{ErrorKind, Failure};
use crate::sorted::SortedMap;
use crate::table::TABLE_ARN;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// Tags of one table, at most.
const MOST: usize = 50;
/// Tags of one page.
const PAGE: usize = 10;

/// One tag of a request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct Tag {
    pub key: String,
    pub value: String,
}

/// A TagResource request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct TagResource {
    pub resource_arn: String,
    pub tags: Vec<Tag>,
}

/// An UntagResource request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct UntagResource {
    pub resource_arn: String,
    pub tag_keys: Vec<String>,
}

/// A ListTagsOfResource request.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs, reason = "members of the API, documented there")]
pub struct ListTagsOfResource {
    pub resource_arn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_token: Option<String>,
}

fn read_list(input: &Input<'_>, violations: &mut Violations) -> Result<Vec<Tag>, Failure> {
    let mut tags = Vec::new();
    for (at, tag) in input.structures("Tags")?.unwrap_or_default().iter().enumerate() {
        let path = |member: &str| format!("tags.{}.member.{member}", at + 1);
        let (key, value) = (tag.text("Key")?, tag.text("Value")?);
        for (member, text, most) in [("key", &key, 128), ("value", &value, 256)] {
            match text {
                None => violations.missing(&path(member)),
                Some(text) if text.chars().count() > most => violations.add(
                    &format!("'{text}'"),
                    &path(member),
                    &format!("Member must have length less than or equal to {most}"),
                ),
                Some(text) if text.is_empty() && member == "key" => {
                    violations.add("''", &path(member), "Member must have length greater than or equal to 1");
                }
                Some(_) => {}
            }
        }
        tags.push(Tag { key: key.unwrap_or_default(), value: value.unwrap_or_default() });
    }
    Ok(tags)
}

/// `Tags` of a new table.
pub fn read_tags(input: &Input<'_>) -> Result<SortedMap<String>, Failure> {
    let mut violations = Violations::default();
    let list = read_list(input, &mut violations)?;
    violations.check()?;
    let mut tags = SortedMap::new();
    for Tag { key, value } in list {
        check_key(&key)?;
        tags.insert(key, value);
    }
    check_number(&tags)?;
    Ok(tags)
}

/// The same of a CreateTable body.
///
/// # Errors
/// As CreateTable's.
pub fn tags_of(create: &Json) -> Result<SortedMap<String>, Failure> {
    read_tags(&Input::new(create)?)
}

fn check_key(key: &str) -> Result<(), Failure> {
    if key.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("aws:")) {
        return Err(Failure::validation(
            "One or more parameter values were invalid: Tag keys starting with \"aws:\" are reserved for system use",
        ));
    }
    Ok(())
}

fn check_number(tags: &SortedMap<String>) -> Result<(), Failure> {
    if tags.len() > MOST {
        return Err(Failure::validation("One or more parameter values were invalid: Too many tags: the limit is 50"));
    }
    Ok(())
}

fn read_arn(input: &Input<'_>, violations: &mut Violations) -> Result<String, Failure> {
    let arn = input.text("ResourceArn")?;
    if arn.is_none() {
        violations.missing("resourceArn");
    }
    Ok(arn.unwrap_or_default())
}

/// The table that an ARN names, for an operation. One that is not there is refused as another account's would be: whether
/// it exists is not told.
fn slot_of_arn(context: &Context<'_>, arn: &str, operation: &str) -> Result<usize, Failure> {
    let named = arn.split_once(":table/").filter(|(start, name)| start.starts_with("arn:") && name.len() >= 3);
    let Some((_, name)) = named else {
        return Err(Failure::validation(format!("Invalid TableArn: Invalid ResourceArn provided as input {arn}")));
    };
    context.database.slot(name).filter(|_| arn.starts_with(TABLE_ARN)).ok_or_else(|| {
        Failure::new(
            ErrorKind::AccessDenied,
            format!(
                "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:{operation} on resource: {arn}"
            ),
        )
    })
}

impl TagResource {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let resource_arn = read_arn(input, &mut violations)?;
        if !input.has("Tags") {
            violations.missing("tags");
        }
        let tags = read_list(input, &mut violations)?;
        violations.check()?;
        Ok(Self { resource_arn, tags })
    }
}

impl Operation for TagResource {
    fn name(&self) -> &'static str {
        "TagResource"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let slot = slot_of_arn(context, &self.resource_arn, self.name())?;
        if self.tags.is_empty() {
            return Err(Failure::validation("Atleast one Tag needs to be provided as Input."));
        }
        let mut tags = context.database.table(slot).tags.clone();
        for Tag { key, value } in &self.tags {
            check_key(key)?;
            tags.insert(key.clone(), value.clone());
        }
        check_number(&tags)?;
        context.database.table_mut(slot).tags = tags;
        Ok(Response::default())
    }
}

impl UntagResource {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let resource_arn = read_arn(input, &mut violations)?;
        let tag_keys = input.texts("TagKeys")?;
        if tag_keys.is_none() {
            violations.missing("tagKeys");
        }
        violations.check()?;
        Ok(Self { resource_arn, tag_keys: tag_keys.unwrap_or_default() })
    }
}

impl Operation for UntagResource {
    fn name(&self) -> &'static str {
        "UntagResource"
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let slot = slot_of_arn(context, &self.resource_arn, self.name())?;
        if self.tag_keys.is_empty() {
            return Err(Failure::validation("Atleast one Tag Key needs to be provided as Input."));
        }
        let table = context.database.table_mut(slot);
        for key in &self.tag_keys {
            table.tags.remove(key);
        }
        Ok(Response::default())
    }
}

impl ListTagsOfResource {
    pub(super) fn read(input: &Input<'_>) -> Result<Self, Failure> {
        let mut violations = Violations::default();
        let resource_arn = read_arn(input, &mut violations)?;
        violations.check()?;
        Ok(Self { resource_arn, next_token: input.text("NextToken")? })
    }
}

impl Operation for ListTagsOfResource {
    fn name(&self) -> &'static str {
        "ListTagsOfResource"
    }

    fn is_write(&self) -> bool {
        false
    }

    fn run(&self, context: &mut Context<'_>) -> Result<Response, Failure> {
        let slot = slot_of_arn(context, &self.resource_arn, self.name())?;
        let after = self.next_token.as_deref().unwrap_or_default();
        let mut tags = context.database.table(slot).tags.iter().filter(|(key, _)| key.as_str() > after);
        let page: Vec<&(String, String)> = tags.by_ref().take(PAGE).collect();
        let next = page.last().filter(|_| tags.next().is_some()).map(|(key, _)| key.as_str().into());
        let list: Vec<Json> = page.iter().map(|(key, value)| json!({"Key": key, "Value": value})).collect();
        let mut response = Response::of("Tags", list.into());
        if let Some(next) = next {
            response.members.insert("NextToken".to_owned(), next);
        }
        Ok(response)
    }
}
