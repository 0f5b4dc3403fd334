//! What the read lens says: whole sentences, one template each, so that another language can order them its way.

use super::facts::Facts;
use super::figure::Figure;
use super::keys::clipped;
use crate::ask::{Ask, SortOperator};
use crate::text::{count, counted};
use dynascope_engine::capacity::{HalfUnits, READ_BLOCK_BYTES};
use dynascope_engine::expression::{TokenKind, tokens};
use dynascope_engine::partition::StopReason;
use dynascope_engine::table::Schema;
use dynascope_engine::value::Item;

/// Longest typed text that is repeated inside a sentence.
const MOST_QUOTED: usize = 44;

fn quoted(text: &str) -> String {
    let text: String = text.chars().map(|character| if character == '`' { '\'' } else { character }).collect();
    ["`", &clipped(if text.is_empty() { " " } else { &text }, MOST_QUOTED), "`"].concat()
}

/// The question in plain words.
pub fn summary(ask: &Ask, schema: &Schema) -> String {
    let index = ask.index_in(schema);
    let key = index.map_or(&schema.key, |index| &index.key);
    let source = match &ask.index {
        Some(index) => format!("the index **{index}**"),
        None => format!("the table **{}**", schema.name),
    };
    let what = if ask.partition.is_empty() {
        format!("**Scan** {source}: every item, in the order of the hash line.")
    } else {
        let pk = &key.partition.name;
        let value = quoted(&ask.partition);
        let order = if ask.descending { "last first" } else { "first to last" };
        match &key.sort {
            None => format!("**Query** {source} where {pk} is {value}."),
            Some(sort) => match sort_phrase(ask, &sort.name) {
                None => format!("**Query** {source} where {pk} is {value}, {order} by {}.", sort.name),
                Some(phrase) => format!("**Query** {source} where {pk} is {value} and {phrase}, {order}."),
            },
        }
    };
    let keep = if ask.filter.trim().is_empty() {
        "Keep all of it.".to_owned()
    } else {
        format!("Keep what has {}.", quoted(&filled_in(ask, ask.filter.trim())))
    };
    let consistency = if ask.consistent { "strongly consistent" } else { "eventually consistent" };
    let much = match ask.limit {
        Some(limit) => format!("Read at most **{limit}** at a time, {consistency}."),
        None => format!("Read as much as 1 MB holds, {consistency}."),
    };
    [what, keep, much].join(" ")
}

fn sort_phrase(ask: &Ask, name: &str) -> Option<String> {
    let (from, to) = (quoted(&ask.sort_from), quoted(&ask.sort_to));
    Some(match ask.sort {
        SortOperator::Any => return None,
        SortOperator::Equal => format!("{name} is {from}"),
        SortOperator::Less => format!("{name} is below {from}"),
        SortOperator::LessOrEqual => format!("{name} is at most {from}"),
        SortOperator::Greater => format!("{name} is above {from}"),
        SortOperator::GreaterOrEqual => format!("{name} is at least {from}"),
        SortOperator::Between => format!("{name} is between {from} and {to}"),
        SortOperator::BeginsWith => format!("{name} begins with {from}"),
    })
}

/// An expression with its placeholders replaced by what they stand for.
fn filled_in(ask: &Ask, source: &str) -> String {
    let mut text = String::new();
    let mut end = 0;
    for token in tokens(source) {
        text.push_str(source.get(end..token.span.start).unwrap_or_default());
        let word = token.span.of(source);
        let meaning = match token.kind {
            TokenKind::NamePlaceholder => ask.names.get(word),
            TokenKind::ValuePlaceholder => ask.values.get(word),
            _ => None,
        };
        text.push_str(meaning.map_or(word, String::as_str));
        end = token.span.end;
    }
    text
}

/// What came of the page, or would.
pub fn statement(figure: &Figure, facts: &Facts) -> String {
    let after = facts.cursor.as_ref().map(|cursor| after_text(figure, cursor)).unwrap_or_default();
    let read = counted(facts.read as u64, "item", "items");
    let at_the_end = figure.run.iter().map(|facts| facts.read).sum::<usize>() >= figure.total;
    if figure.total == 0 && facts.read == 0 {
        let whole = figure.operation == "Scan";
        return match (whole, facts.run) {
            (true, _) => {
                "Nothing is stored here yet. Looking still costs the smallest read of each partition.".to_owned()
            }
            (false, true) => "No item has this key. Looking still cost the smallest read.".to_owned(),
            (false, false) => "No item has this key. Looking would still cost the smallest read.".to_owned(),
        };
    }
    match (facts.run, &facts.cursor, facts.shown, facts.read) {
        (true, None, _, 0) => {
            "The cursor led to nothing. It stood after the last item, and only this page, which has none, says so."
                .to_owned()
        }
        (false, None, _, 0) => "Nothing is left to read, but only another page will say so.".to_owned(),
        (true, Some(_), 0, _) => {
            format!(
                "**Nothing to show, and still more to come.** {read} read and paid for; the cursor stands after {after}."
            )
        }
        (false, Some(_), 0, _) => {
            format!(
                "**Nothing to show, and still more to come.** {read} would be read and paid for; the cursor would stand after {after}."
            )
        }
        (true, None, 0, _) => format!("**Nothing matches.** {read} read, and none left: there is no cursor."),
        (false, None, 0, _) => format!("**Nothing matches.** {read} would be read, and none left."),
        (true, Some(_), ..) if facts.stop == StopReason::Limit && at_the_end => {
            format!(
                "**Limit** met the last item. DynamoDB stops before it looks further, so it still hands out a *cursor*, after {after}."
            )
        }
        (true, Some(_), ..) if facts.stop == StopReason::Limit => {
            format!("The page stopped at its **Limit**, not at the end: a *cursor* stands after {after}.")
        }
        (false, Some(_), ..) if facts.stop == StopReason::Limit => {
            format!("The page would stop at its **Limit**, not at the end: a *cursor* would stand after {after}.")
        }
        (true, Some(_), ..) => {
            format!("The page stopped at **1 MB**, not at the end: a *cursor* stands after {after}.")
        }
        (false, Some(_), ..) => {
            format!("The page would stop at **1 MB**, not at the end: a *cursor* would stand after {after}.")
        }
        (true, None, ..) => "This was **the end of the data**: no cursor came back, and only that says so.".to_owned(),
        (false, None, ..) => "The page would reach **the end of the data**: no cursor would come back.".to_owned(),
    }
}

/// How bytes became units.
pub fn why_units(figure: &Figure, facts: &Facts) -> String {
    let bytes = counted(facts.bytes, "byte", "bytes");
    let blocks = facts.bytes.div_ceil(READ_BLOCK_BYTES).max(1);
    let block_text = counted(blocks, "block of 4 KB", "blocks of 4 KB");
    let visited = facts.partitions.len() as u64;
    let per_block = if figure.consistent { 2 } else { 1 };
    // Each partition begins blocks of its own, so there are never more than both together.
    let fetched = facts.cost.0.unsigned_abs() > (blocks + visited) * per_block;
    let cost = units_text(facts.cost);
    match (visited > 1, figure.consistent) {
        _ if fetched => {
            format!(
                "{bytes} count as {block_text} of the index, and each item was fetched from the table too = {cost} RCU"
            )
        }
        (false, false) => {
            format!("{bytes} count as {block_text}, halved for an eventually consistent read = {cost} RCU")
        }
        (false, true) => format!("{bytes} count as {block_text}, in full for a strongly consistent read = {cost} RCU"),
        (true, false) => {
            format!("{bytes} count as {block_text}, at least one for each of {visited} partitions, halved = {cost} RCU")
        }
        (true, true) => {
            format!(
                "{bytes} count as {block_text}, at least one for each of {visited} partitions, in full = {cost} RCU"
            )
        }
    }
}

/// A stop reason as its lamp is labelled.
pub const fn stop_text(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Limit => "Limit",
        StopReason::PageSize => "1 MB",
        StopReason::EndOfData => "end of data",
    }
}

/// The strip in one sentence, for those who cannot see it.
pub fn strip_text(figure: &Figure) -> String {
    let (read, shown, _) = figure.sums();
    let total = counted(figure.total as u64, "item", "items");
    let unread = count(figure.not_reached() as u64);
    if figure.run.is_empty() {
        let (read, shown) = figure.next.as_ref().map_or((0, 0), |facts| (facts.read, facts.shown));
        let dropped = read - shown.min(read);
        return format!(
            "{total} in range; the first page would read {read}, show {shown} and drop {dropped}; {unread} not reached."
        );
    }
    let dropped = read - shown.min(read);
    format!("{total} in range; {read} read, {shown} shown, {dropped} dropped; {unread} not reached.")
}

/// A cursor in a word.
pub fn after_text(figure: &Figure, cursor: &Item) -> String {
    let short = figure.labels.short(figure.key(), cursor);
    if short.starts_with('…') { short } else { ["…", &short].concat() }
}

/// Units with thin groups: `3,000`, `128.5`.
pub fn units_text(cost: HalfUnits) -> String {
    let halves = cost.0.unsigned_abs();
    let whole = count(halves / 2);
    if halves.is_multiple_of(2) { whole } else { [whole.as_str(), ".5"].concat() }
}
