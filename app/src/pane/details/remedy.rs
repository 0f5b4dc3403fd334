//! Remedies for a refusal: one is tried by a button, its effect is told in figures, and it can be undone.
//!
//! Only those that fit are offered. One of them does not help, and says so: doubling what the table pays for when a
//! partition's ceiling refused.

use super::log::Line;
use crate::pane::partitions::template_keys;
use crate::playground::Playground;
use crate::text::{clock_text, count, percent, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::capacity::{Cause, Reason, Side};
use dynascope_engine::session::Session;
use dynascope_engine::sim::Stream;
use dynascope_engine::table::{Billing, Schema};
use dynascope_engine::time::SimTime;
use serde_json::json;

/// More keys than this share a load well enough without another suffix.
const FEW_KEYS: usize = 64;
/// A sort key that falls everywhere.
const SPREAD: &str = "{random 0..999999}";

/// What a remedy does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    /// Replaces the key template.
    Key(String),
    /// Replaces the sort key's.
    Sort(&'static str),
    /// Reads eventually.
    Eventual,
    /// Sets what is paid for.
    Provision(i64, i64),
    /// Pays on demand, with these maxima.
    OnDemand(Option<i64>, Option<i64>),
}

/// A remedy that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// On its button.
    name: &'static str,
    /// What to expect.
    note: String,
    act: Act,
}

/// A remedy that was tried, and what was before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    name: &'static str,
    at: SimTime,
    side: Side,
    /// Refused in the second of the line.
    before: u64,
    /// Whose: the table's, or an index's by its place.
    arm: usize,
    streams: Vec<Stream>,
    billing: Billing,
}

/// The remedies that fit what refused a line, best first.
fn fitting(session: &Session, table: &str, reason: Reason, keys: usize) -> Vec<Remedy> {
    let Some(stored) = session.database().get(table) else { return Vec::new() };
    let stream = session.streams().iter().map(|running| &running.stream);
    let stream = stream.filter(|stream| stream.table == table).find(|stream| stream.operation.side() == reason.side);
    let mut remedies = Vec::new();
    if let Some(stream) = stream {
        if reason.cause == Cause::KeyRangeThroughput && reason.side == Side::Write {
            remedies.extend(sharded(stream));
            remedies.extend(spread(session, stream, &stored.schema, keys));
        }
        if reason.side == Side::Read && stream.consistent {
            remedies.push(Remedy {
                name: "Read eventually",
                note: "Half a unit in the place of one, and perhaps an older answer.".into(),
                act: Act::Eventual,
            });
        }
    }
    remedies.extend(paid(stored.base().settings().billing, reason));
    remedies
}

/// Ten suffixes in the place of one key.
fn sharded(stream: &Stream) -> Option<Remedy> {
    if stream.key.is_empty() {
        return None;
    }
    // Two ranges that cycle would go in step.
    let suffix = if stream.key.contains("{0..") { "#{random 0..9}" } else { "#{0..9}" };
    let key = [&stream.key, suffix].concat();
    let from = template_keys(&stream.key).len();
    let note = match from {
        0 => "Ten keys in the place of each. Reading one back takes ten queries.".to_owned(),
        from if from > FEW_KEYS => return None,
        from => format!(
            "{} in the place of {}. Ten suffixes need not fall on ten partitions, and reading all back takes {} queries.",
            plural(from * 10),
            plural(from),
            from * 10
        ),
    };
    Some(Remedy { name: "Shard ×10", note, act: Act::Key(key) })
}

fn plural(keys: usize) -> String {
    crate::text::counted(keys as u64, "key", "keys")
}

/// Sort keys that fall everywhere, so that one collection can be cut.
fn spread(session: &Session, stream: &Stream, schema: &Schema, keys: usize) -> Option<Remedy> {
    let grows = stream.sort.as_deref().is_none_or(|sort| sort.contains("{seq}"));
    let is_divisible = schema.key.sort.is_some() && schema.local_indexes().next().is_none();
    if !(grows && is_divisible && keys <= FEW_KEYS) {
        return None;
    }
    let physics = session.physics();
    let seconds = |seconds| short_clock_text(SimTime::from_secs(seconds));
    let note = format!(
        "One partition key can be cut between sort keys, but not at once: after {} at {} of the ceiling a split is planned, and \
         done {} later.",
        seconds(physics.heat_window_seconds),
        percent(physics.heat_per_mille),
        seconds(physics.split_seconds)
    );
    Some(Remedy { name: "Spread the sort key", note, act: Act::Sort(SPREAD) })
}

/// What paying otherwise would do.
fn paid(billing: Billing, reason: Reason) -> Vec<Remedy> {
    let mut remedies = Vec::new();
    match billing {
        Billing::Provisioned { read, write } => {
            let note = if reason.cause == Cause::KeyRangeThroughput {
                "It will not help: the bill doubles, the partition’s ceiling stays where it is."
            } else {
                "It helps here, for twice the price: the table’s own limit refused."
            };
            let (read, write) = match reason.side {
                Side::Read => (read.saturating_mul(2), write),
                Side::Write => (read, write.saturating_mul(2)),
            };
            remedies.push(Remedy { name: "Double the table", note: note.to_owned(), act: Act::Provision(read, write) });
            if reason.cause == Cause::ProvisionedThroughput {
                remedies.push(Remedy {
                    name: "Go on-demand",
                    note: "The table’s line goes; each partition’s ceiling stays.".into(),
                    act: Act::OnDemand(None, None),
                });
            }
        }
        Billing::OnDemand { max_read, max_write } if reason.cause == Cause::MaxOnDemandThroughput => {
            let twice = |most: Option<i64>, side| {
                if side == reason.side { most.map(|most| most.saturating_mul(2)) } else { most }
            };
            remedies.push(Remedy {
                name: "Double the maximum",
                note: "It was set to cap the bill; the bill’s cap doubles with it.".into(),
                act: Act::OnDemand(twice(max_read, Side::Read), twice(max_write, Side::Write)),
            });
        }
        Billing::OnDemand { .. } => {}
    }
    remedies
}

fn remedies(playground: Playground, line: &Line) -> Vec<Remedy> {
    let Some((reason, _)) = line.reasons.first() else { return Vec::new() };
    // An index refuses by its own keys and its own capacity, which no remedy here reaches.
    if line.place.arm > 0 {
        return Vec::new();
    }
    let table = playground.table.get_untracked();
    playground.with(|session| fitting(session, &table, *reason, line.keys.len()))
}

/// The last step: what may be tried.
pub fn offered(playground: Playground, line: &Line) -> String {
    let mut buttons = String::new();
    for (at, remedy) in remedies(playground, line).iter().enumerate() {
        buttons.push_str(&fill(
            "<li><button type=\"button\" class=\"say\" data-do=\"try\" data-at=\"{}\">{}</button><p>{}</p></li>",
            &[&at.to_string(), remedy.name, &remedy.note],
        ));
    }
    if buttons.is_empty() {
        return "<li><h3>Try</h3><p>There is no button for this limit here. Where an index refuses, its key decides: look at the scene’s own remedies.</p></li>".to_owned();
    }
    fill("<li><h3>Try</h3><ul class=\"why-try\">{!}</ul></li>", &[&buttons])
}

/// Applies a remedy of a line; what was before, if it could be done.
pub fn apply(playground: Playground, line: &Line, at: usize) -> Option<Tried> {
    let (reason, _) = line.reasons.first()?;
    let remedy = remedies(playground, line).into_iter().nth(at)?;
    let table = playground.table.get_untracked();
    let (streams, billing) = playground.with(|session| {
        let streams: Vec<Stream> = session.streams().iter().map(|running| running.stream.clone()).collect();
        Some((streams, session.database().get(&table)?.base().settings().billing))
    })?;
    let tried = Tried {
        name: remedy.name,
        at: playground.now(),
        side: reason.side,
        before: line.count,
        arm: line.place.arm,
        streams: streams.clone(),
        billing,
    };
    let edit = |edit: &dyn Fn(&mut Stream)| {
        let mut streams = streams.clone();
        streams
            .iter_mut()
            .filter(|stream| stream.table == table && stream.operation.side() == reason.side)
            .for_each(edit);
        playground.flow(streams)
    };
    let done = match &remedy.act {
        Act::Key(key) => edit(&|stream| stream.key.clone_from(key)),
        Act::Sort(sort) => edit(&|stream| stream.sort = Some((*sort).to_owned())),
        Act::Eventual => edit(&|stream| stream.consistent = false),
        Act::Provision(read, write) => pay(playground, Billing::Provisioned { read: *read, write: *write }),
        Act::OnDemand(read, write) => pay(playground, Billing::OnDemand { max_read: *read, max_write: *write }),
    };
    done.then_some(tried)
}

/// Puts traffic and capacity back to what they were. Partitions that were added stay: they never become fewer.
pub fn undo(playground: Playground, tried: &Tried) {
    let table = playground.table.get_untracked();
    let (streams, billing) = playground.with(|session| {
        let streams: Vec<Stream> = session.streams().iter().map(|running| running.stream.clone()).collect();
        (streams, session.database().get(&table).map(|table| table.base().settings().billing))
    });
    if streams != tried.streams {
        playground.flow(tried.streams.clone());
    }
    if billing != Some(tried.billing) {
        pay(playground, tried.billing);
    }
}

fn pay(playground: Playground, billing: Billing) -> bool {
    let outcome = match billing {
        Billing::Provisioned { read, write } => playground.set_provisioned(read, write),
        Billing::OnDemand { max_read, max_write } => {
            let table = playground.table.get_untracked();
            // −1 is the service's word for none.
            let (read, write) = (max_read.unwrap_or(-1), max_write.unwrap_or(-1));
            playground.send(
                "UpdateTable",
                &json!({
                    "TableName": table, "BillingMode": "PAY_PER_REQUEST",
                    "OnDemandThroughput": {"MaxReadRequestUnits": read, "MaxWriteRequestUnits": write},
                }),
            )
        }
    };
    match outcome.result {
        Ok(_) => true,
        Err(failure) => {
            playground.complain(failure.headline());
            false
        }
    }
}

/// What was tried and what came of it, with the way back.
pub fn told(playground: Playground, tried: &Tried) -> String {
    let table = playground.table.get();
    let after = playground.with(|session| {
        // The first second that is whole since then.
        let first = tried.at.0.div_ceil(SimTime::SECOND);
        let last = session.now().second().checked_sub(1).filter(|last| *last >= first)?;
        let metrics = session.metrics().arm(session.database().slot(&table)?, tried.arm)?;
        Some(metrics.series.get(last).refused(tried.side))
    });
    let came = match after {
        None => "Play, or step a second, to see what it does.".to_owned(),
        Some(after) if after == tried.before => {
            format!("Refused in a second: {} before, {} now. It changed nothing.", count(tried.before), count(after))
        }
        Some(after) => format!("Refused in a second: {} before, {} now.", count(tried.before), count(after)),
    };
    fill(
        "<p class=\"tried\"><b>{}</b>, tried at {}. {} <button type=\"button\" class=\"say\" \
         data-do=\"untry\">Undo it</button></p>",
        &[tried.name, &clock_text(tried.at), &came],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pane::partitions::tests::queue;
    use dynascope_engine::capacity::Resource;

    const fn reason(cause: Cause) -> Reason {
        Reason { resource: Resource::Table, side: Side::Write, cause }
    }

    fn names(session: &Session, cause: Cause) -> Vec<&'static str> {
        fitting(session, "jobs", reason(cause), 1).iter().map(|remedy| remedy.name).collect()
    }

    #[test]
    fn only_what_fits_is_offered() {
        let session = queue(None);
        assert_eq!(
            names(&session, Cause::KeyRangeThroughput),
            ["Shard ×10", "Spread the sort key", "Double the table"]
        );
        assert_eq!(names(&session, Cause::ProvisionedThroughput), ["Double the table", "Go on-demand"]);
        let mut on_demand = queue(None);
        on_demand.send("UpdateTable", &json!({"TableName": "jobs", "BillingMode": "PAY_PER_REQUEST"}));
        assert_eq!(names(&on_demand, Cause::KeyRangeThroughput), ["Shard ×10", "Spread the sort key"]);
        assert!(names(&on_demand, Cause::AccountLimit).is_empty());
    }

    #[test]
    fn a_second_suffix_does_not_go_in_step_with_the_first() {
        let session = queue(Some("PENDING#{0..9}"));
        let remedies = fitting(&session, "jobs", reason(Cause::KeyRangeThroughput), 7);
        assert_eq!(remedies[0].act, Act::Key("PENDING#{0..9}#{random 0..9}".into()));
        assert!(remedies[0].note.starts_with("100 keys in the place of 10 keys."), "{}", remedies[0].note);
        let many = queue(Some("JOB#{seq}"));
        assert_eq!(fitting(&many, "jobs", reason(Cause::KeyRangeThroughput), 60)[0].name, "Shard ×10");
    }
}
