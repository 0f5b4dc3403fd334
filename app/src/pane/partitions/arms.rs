//! The table and its global indexes, to choose which one's partitions are seen: each has partitions of its own.

use super::statement::request_name;
use crate::playground::Playground;
use crate::text::count;
use crate::ui::patch::{Deed, fill, truth};
use dynascope_engine::capacity::Side;
use dynascope_engine::session::Session;

/// What an arm refused in the second shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Refused {
    reads: u64,
    writes: u64,
}

/// What the global indexes refused in a second: the table's writes that they held up, and their own reads.
fn refused(session: &Session, table: &str, second: u64) -> Vec<(String, Refused)> {
    let Some(slot) = session.database().slot(table) else { return Vec::new() };
    let indexes = session.database().table(slot).schema.global_indexes();
    let counts = |at: usize| {
        let second = session.metrics().arm(slot, at).map(|metrics| metrics.series.get(second)).unwrap_or_default();
        Refused { reads: second.refused(Side::Read), writes: second.refused(Side::Write) }
    };
    indexes.enumerate().map(|(at, index)| (index.name.clone(), counts(at + 1))).collect()
}

/// The index that held up most of the table's writes in a second, and how many all of them did.
pub fn holding_up(session: &Session, table: &str, second: u64) -> Option<(String, u64)> {
    let refused = refused(session, table, second);
    let all: u64 = refused.iter().map(|(_, refused)| refused.writes).sum();
    let most = refused.into_iter().max_by_key(|(_, refused)| refused.writes)?;
    (all > 0).then_some((most.0, all))
}

/// One button each, if the table has global indexes.
pub fn arms(playground: Playground, second: u64) -> String {
    let (table, chosen) = (playground.table.get(), playground.index.get());
    let indexes = playground.with(|session| refused(session, &table, second));
    if indexes.is_empty() {
        return String::new();
    }
    let button = |index: &str, kind: &str, name: &str, refused: &str, is_chosen: bool| {
        fill(
            "<button type=\"button\" data-do=\"arm\" data-index=\"{}\" aria-pressed=\"{}\"><small>{}</small> <code>{}</code>{!}\
             </button>",
            &[index, truth(is_chosen), kind, name, refused],
        )
    };
    let mut buttons = button("", "table", &table, "", chosen.is_none());
    for (name, refused) in &indexes {
        let cry = match *refused {
            Refused { reads: 0, writes: 0 } => String::new(),
            Refused { reads: 0, writes } => cry(writes, Side::Write),
            Refused { reads, .. } => cry(reads, Side::Read),
        };
        buttons.push_str(&button(name, "index", name, &cry, chosen.as_deref() == Some(name)));
    }
    fill("<div class=\"arms\" role=\"group\" aria-label=\"Whose partitions\">{!}</div>", &[&buttons])
}

fn cry(refused: u64, side: Side) -> String {
    fill("<span class=\"arms-cry\">refuses {} {}</span>", &[&count(refused), request_name(side)])
}

/// What its buttons do.
pub fn choose(deed: &Deed, playground: Playground) {
    if deed.is() == ("click", "arm") {
        let index = deed.element.get_attribute("data-index").filter(|index| !index.is_empty());
        playground.look_at(index);
    }
}
