//! The table of the difference: what A did, what B did, B against A, and which of the two is better there.

use super::Run;
use crate::pane::partitions::units;
use crate::text::{count, percent};
use crate::ui::patch::fill;
use dynascope_engine::capacity::Side;
use dynascope_engine::capacity::price::MicroDollars;

/// How a figure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A number of things.
    Count,
    /// A share, per mille.
    Share,
    /// Microseconds.
    Wait,
    /// Millionths of a dollar.
    Money,
}

/// What makes a figure the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Better {
    More,
    Less,
    /// Neither is better than the other.
    Neither,
}

/// A figure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    name: &'static str,
    kind: Kind,
    better: Better,
    /// Unknown where it does not apply.
    value: Option<i64>,
    /// What stands in place of an unknown one.
    none: &'static str,
}

/// The figures of a run in the second shown.
pub fn facts(run: &Run) -> Vec<Fact> {
    let seen = &run.seen;
    let fullest = seen.partitions.iter().map(|partition| partition.taken.0).max().unwrap_or(0);
    let fact = |name, kind, better, value, none| Fact { name, kind, better, value, none };
    let whole = |number: u64| Some(i64::try_from(number).unwrap_or(i64::MAX));
    let queries = (!seen.keys.is_empty()).then_some(seen.keys.len() as i64);
    let mut facts = vec![
        fact(
            if seen.side == Side::Read { "Taken, read units" } else { "Taken, write units" },
            Kind::Count,
            Better::More,
            whole(units(seen.taken)),
            "",
        ),
        fact("Refused", Kind::Count, Better::Less, whole(seen.refused_in_all()), ""),
        fact("Of the table used", Kind::Share, Better::Neither, seen.used_per_mille(), "on demand"),
        fact(
            "Fullest partition",
            Kind::Share,
            Better::Less,
            (seen.ceiling > 0).then(|| fullest * 500 / seen.ceiling),
            "–",
        ),
    ];
    if run.failed.is_some() {
        facts.push(fact("Failed after retries, so far", Kind::Count, Better::Less, run.failed.and_then(whole), "–"));
        // Of those accepted: where more fail, those that waited longest are not among them.
        facts.push(fact("Wait of 99 in 100, so far", Kind::Wait, Better::Less, run.wait.and_then(whole), "–"));
    }
    facts.push(fact("Requests to read all of it back", Kind::Count, Better::Less, queries, "many"));
    facts.push(fact("Price of a month", Kind::Money, Better::Less, run.month.map(|month| month.0), "–"));
    facts
}

/// The table.
pub fn difference(a: &[Fact], b: &[Fact]) -> String {
    let mut rows = String::new();
    for fact in a {
        // One of the two may know a figure that the other has not.
        if let Some(other) = b.iter().find(|other| other.name == fact.name) {
            rows.push_str(&row(fact, other));
        }
    }
    fill(
        "<table class=\"cmp-table\"><caption class=\"vh\">The difference between A and B</caption><thead><tr><td></td>\
         <th scope=\"col\" class=\"n\">A</th><th scope=\"col\" class=\"n\">B</th><th scope=\"col\" class=\"n\">B against A</th>\
         <th scope=\"col\">better</th></tr></thead><tbody>{!}</tbody></table>",
        &[&rows],
    )
}

fn row(a: &Fact, b: &Fact) -> String {
    let (difference, winner) = match (a.value, b.value) {
        (Some(x), Some(y)) if x == y => ("the same".to_owned(), ""),
        (Some(x), Some(y)) => (signed(a.kind, y - x), winner(a.better, x, y)),
        _ => ("–".to_owned(), ""),
    };
    let cell = |fact: &Fact, letter: &str| {
        let template = if letter == winner { "<td class=\"n\"><b>{}</b></td>" } else { "<td class=\"n\">{}</td>" };
        fill(template, &[&shown(fact)])
    };
    let better = if winner.is_empty() { String::new() } else { fill("<b>{}</b>", &[winner]) };
    fill(
        "<tr><th scope=\"row\">{}</th>{!}{!}<td class=\"n cmp-by\">{}</td><td class=\"cmp-better\">{!}</td></tr>",
        &[a.name, &cell(a, "A"), &cell(b, "B"), &difference, &better],
    )
}

const fn winner(better: Better, a: i64, b: i64) -> &'static str {
    match better {
        Better::Neither => "",
        Better::More if b > a => "B",
        Better::Less if b < a => "B",
        Better::More | Better::Less => "A",
    }
}

fn shown(fact: &Fact) -> String {
    fact.value.map_or_else(|| fact.none.to_owned(), |value| plain(fact.kind, value))
}

fn plain(kind: Kind, value: i64) -> String {
    match kind {
        Kind::Count => count(value.unsigned_abs()),
        Kind::Share => percent(value),
        Kind::Wait if value < 1_000_000 => format!("{} ms", value / 1_000),
        Kind::Wait => format!("{}.{} s", value / 1_000_000, value % 1_000_000 / 100_000),
        // Cents are of no use beside hundreds.
        Kind::Money if value >= 100_000_000 => ["$", &count((value.unsigned_abs() + 500_000) / 1_000_000)].concat(),
        Kind::Money => MicroDollars(value).to_string(),
    }
}

fn signed(kind: Kind, by: i64) -> String {
    let sign = if by < 0 { "−" } else { "+" };
    let size = i64::try_from(by.unsigned_abs()).unwrap_or(i64::MAX);
    let text = match kind {
        // A difference of shares is one of points.
        Kind::Share => percent(size).replace(" %", " points"),
        _ => plain(kind, size),
    };
    [sign, &text].concat()
}

/// Who refuses more, in words.
pub fn refusals(a: u64, b: u64) -> String {
    match (a, b) {
        (0, 0) => "Neither A nor B refuses any.".to_owned(),
        (a, b) if a == b => format!("A and B both refuse {} in this second.", count(a)),
        (a, 0) => format!("A refuses {} in this second, B none.", count(a)),
        (0, b) => format!("B refuses {} in this second, A none.", count(b)),
        (a, b) => format!("A refuses {} in this second, B {}.", count(a), count(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Run;
    use super::*;
    use crate::pane::partitions::tests::{look_at, queue, queue_after};
    use crate::pane::time::Letter;
    use dynascope_engine::time::SimTime;
    use serde_json::json;

    fn run(letter: Letter, key: Option<&str>) -> Run {
        let mut session = queue(key);
        session.advance(SimTime(4_000_000), u64::MAX);
        Run::of(letter, queue_after(4_000, key, false).into(), &session, "jobs")
    }

    fn texts(a: &Run, b: &Run) -> Vec<String> {
        let text = |(a, b): (&Fact, &Fact)| {
            let row = row(a, b);
            let words = row.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
            words.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" | ")
        };
        facts(a).iter().zip(&facts(b)).map(text).collect()
    }

    #[test]
    fn ten_suffixes_take_more_and_are_dearer_to_read() {
        let rows = texts(&run(Letter::A, None), &run(Letter::B, Some("PENDING#{0..9}")));
        assert_eq!(
            rows,
            [
                "Taken, write units | 1,000 | 3,500 | +2,500 | B",
                "Refused | 4,000 | 1,500 | −2,500 | B",
                "Of the table used | 30 % | 105 % | +75 points",
                "Fullest partition | 100 % | 100 % | the same",
                "Requests to read all of it back | 1 | 10 | +9 | A",
                "Price of a month | $1,591 | $1,591 | the same",
            ]
        );
    }

    #[test]
    fn twice_the_capacity_costs_twice_and_changes_no_refusal() {
        let mut session = queue(None);
        let update = json!({
            "TableName": "jobs", "ProvisionedThroughput": {"ReadCapacityUnits": 100, "WriteCapacityUnits": 6_666},
        });
        session.send("UpdateTable", &update).result.expect("a larger table");
        session.advance(SimTime(4_000_000), u64::MAX);
        let b = Run::of(Letter::B, look_at(&session, false).into(), &session, "jobs");
        let rows = texts(&run(Letter::A, None), &b);
        assert_eq!(rows[1], "Refused | 4,000 | 4,000 | the same");
        assert_eq!(rows[2], "Of the table used | 30 % | 15 % | −15 points");
        // 730 hours: 100 × $0.00013 + 3,333 or 6,666 × $0.00065.
        assert_eq!(rows[5], "Price of a month | $1,591 | $3,173 | +$1,582 | A");
        assert_eq!(refusals(4000, 4000), "A and B both refuse 4,000 in this second.");
        assert_eq!(refusals(4000, 0), "A refuses 4,000 in this second, B none.");
    }
}
