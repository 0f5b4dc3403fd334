//! The commands of golden scripts, and the requests that the short ones stand for.

use super::shorthand::{Literals, typed_item};
use serde_json::{Map, Value as Json, json};

/// A command as it stands in a script. The room's own page says what each does.
#[derive(goldenscript::Command)]
pub enum Command {
    Load(String),
    Create(String, String, Option<String>, #[arg(key, many, optional)] Options),
    Send(String, String),
    Put(String, String, #[arg(key, many, optional)] Options),
    Update(String, String, String, #[arg(key, many, optional)] Options),
    Delete(String, String, #[arg(key, many, optional)] Options),
    Get(String, String, #[arg(key, many, optional)] Options),
    Query(String, String, #[arg(key, many, optional)] Options),
    Scan(String, #[arg(key, many, optional)] Options),
    Where(String, String),
    Advance(String),
    Step,
    Traffic(String),
    Telemetry(String, Option<String>),
    Count(String, Option<String>, #[arg(key, many, optional)] Options),
    Log(String, Option<usize>),
    Splits(String, Option<String>),
    Scaling(String, Option<String>),
    Cloudwatch(String, Option<String>, #[arg(key, many, optional)] Options),
    Insights(String, Option<String>),
    Price(String, Option<String>),
    Undo,
    Redo,
    Replay,
    /// Begins with a neighbour: `cache`, `region`, `regions`.
    #[command(other)]
    Neighbour(goldenscript::Command),
}

/// `key=value` arguments that were not taken yet. What nobody takes is a mistake in the script.
#[derive(Clone, Default)]
pub struct Options(Vec<(String, String)>);

impl FromIterator<(String, String)> for Options {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(options: I) -> Self {
        Self(options.into_iter().collect())
    }
}

impl Options {
    /// Adds an option.
    pub fn add(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    /// Takes an option out.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(at).1)
    }

    /// Takes a number out.
    pub fn number<T: std::str::FromStr>(&mut self, name: &str) -> Result<Option<T>, String> {
        self.take(name).map(|text| text.parse().map_err(|_| format!("{name}={text} is no number"))).transpose()
    }

    /// Takes `true` or `false` out; `false` if it is not there.
    pub fn flag(&mut self, name: &str) -> Result<bool, String> {
        self.take(name)
            .map_or(Ok(false), |text| text.parse().map_err(|_| format!("{name}={text} is not true or false")))
    }

    /// Complains of options that are left.
    pub fn end(self) -> Result<(), String> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!("there is no option `{name}` here")),
        }
    }
}

/// A request that grows: members, and the placeholders of its expressions.
#[derive(Default)]
pub struct Draft {
    input: Map<String, Json>,
    literals: Literals,
}

impl Draft {
    /// A request to a table that answers with its cost.
    pub fn new(table: &str) -> Self {
        let mut draft = Self::default();
        draft.set("TableName", table);
        draft.set("ReturnConsumedCapacity", "INDEXES");
        draft
    }

    /// Sets a member.
    pub fn set(&mut self, member: &str, value: impl Into<Json>) {
        self.input.insert(member.to_owned(), value.into());
    }

    /// Sets a member to an item or key in plain JSON.
    pub fn set_item(&mut self, member: &str, plain: &str) -> Result<(), String> {
        self.set(member, typed_item(plain)?);
        Ok(())
    }

    /// Sets a member to an expression, its literals replaced by placeholders.
    pub fn express(&mut self, member: &str, expression: &str) -> Result<(), String> {
        let written = self.literals.rewrite(expression)?;
        self.set(member, written);
        Ok(())
    }

    /// Takes the options that a write or GetItem may have.
    pub fn take_write(&mut self, options: &mut Options) -> Result<(), String> {
        if let Some(condition) = options.take("if") {
            self.express("ConditionExpression", &condition)?;
        }
        if let Some(returned) = options.take("return") {
            self.set("ReturnValues", returned);
        }
        if options.flag("explain")? {
            self.set("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
        }
        if options.flag("consistent")? {
            self.set("ConsistentRead", true);
        }
        Ok(())
    }

    /// Takes the options that a Query or Scan may have. `last` is the cursor that `after=last` means.
    pub fn take_read(&mut self, options: &mut Options, last: Option<&Json>) -> Result<(), String> {
        if let Some(filter) = options.take("filter") {
            self.express("FilterExpression", &filter)?;
        }
        for (option, member) in [("index", "IndexName"), ("select", "Select")] {
            if let Some(text) = options.take(option) {
                self.set(member, text);
            }
        }
        if let Some(projection) = options.take("projection") {
            self.express("ProjectionExpression", &projection)?;
        }
        for (option, member) in [("limit", "Limit"), ("segment", "Segment"), ("segments", "TotalSegments")] {
            if let Some(number) = options.number::<i64>(option)? {
                self.set(member, number);
            }
        }
        if options.flag("reverse")? {
            self.set("ScanIndexForward", false);
        }
        if options.flag("consistent")? {
            self.set("ConsistentRead", true);
        }
        match options.take("after").as_deref() {
            None => {}
            Some("last") => self.set("ExclusiveStartKey", last.cloned().ok_or("the latest page had no cursor")?),
            Some(key) => self.set_item("ExclusiveStartKey", key)?,
        }
        Ok(())
    }

    /// The request's body.
    pub fn finish(mut self) -> Json {
        self.literals.add_to(&mut self.input);
        self.input.into()
    }
}

/// A CreateTable body. Keys are strings; provisioned if `read` or `write` is given.
pub fn create_table(table: &str, key: &str, sort: Option<&str>, options: &Options) -> Result<Json, String> {
    let mut options = options.clone();
    let names: Vec<&str> = std::iter::once(key).chain(sort).collect();
    let definitions: Vec<Json> =
        names.iter().map(|name| json!({"AttributeName": name, "AttributeType": "S"})).collect();
    let keys: Vec<Json> = names
        .iter()
        .zip(["HASH", "RANGE"])
        .map(|(name, role)| json!({"AttributeName": name, "KeyType": role}))
        .collect();
    let mut input = json!({"TableName": table, "AttributeDefinitions": definitions, "KeySchema": keys});
    match (options.number::<i64>("read")?, options.number::<i64>("write")?) {
        (None, None) => input["BillingMode"] = "PAY_PER_REQUEST".into(),
        (read, write) => {
            input["ProvisionedThroughput"] =
                json!({"ReadCapacityUnits": read.unwrap_or(1), "WriteCapacityUnits": write.unwrap_or(1)});
        }
    }
    if let Some(write) = options.number::<i64>("warm")? {
        input["WarmThroughput"] = json!({"ReadUnitsPerSecond": 12_000, "WriteUnitsPerSecond": write});
    }
    options.end()?;
    Ok(input)
}
