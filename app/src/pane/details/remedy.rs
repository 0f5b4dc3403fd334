//! Remedies for a refusal: one is tried by a button, its effect is told in figures, and it can be undone.
//!
//! Only those that fit are offered. Doubling what is paid for says when it does not help. What was tried belongs to the
//! run in which it was: it is found there by its place in the journal, so a fork has it only if it was tried before, and
//! a run that begins again has it not.

use super::log::Line;
use crate::pane::partitions::template_keys;
use crate::playground::Playground;
use crate::text::{clock_text, count, percent, short_clock_text};
use crate::ui::patch::fill;
use dynascope_engine::capacity::{Cause, Reason, Side};
use dynascope_engine::partition::Table;
use dynascope_engine::scenario::Command;
use dynascope_engine::session::Session;
use dynascope_engine::sim::{RunningStream, Stream};
use dynascope_engine::table::Billing;
use dynascope_engine::time::SimTime;
use serde_json::json;

/// More keys than this share a load well enough without another suffix.
const FEW_KEYS: usize = 64;
/// A sort key that falls everywhere.
const SPREAD: &str = "{random 0..999999}";

/// What a remedy does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Act {
    /// Replaces the template of the partition key.
    Key(String),
    /// Replaces that of an attribute, the partition key of an index.
    Attribute(String, String),
    /// Replaces the sort key's.
    Sort,
    /// Reads eventually.
    Eventual,
    /// Sets what the table or index pays for.
    Pay(Billing),
}

impl Act {
    /// Does it to a stream.
    fn change(&self, stream: &mut Stream) {
        match self {
            Self::Key(template) => stream.key.clone_from(template),
            Self::Attribute(name, template) => {
                stream.attributes.get_or_insert_default().insert(name.clone(), template.clone());
            }
            Self::Sort => stream.sort = Some(SPREAD.to_owned()),
            Self::Eventual => stream.consistent = false,
            Self::Pay(_) => {}
        }
    }

    /// Takes it back, unless something else was put in its place since; was there anything to take back?
    fn take_back(&self, stream: &mut Stream, before: &Stream) -> bool {
        let now = stream.clone();
        self.change(stream);
        if *stream != now {
            *stream = now;
            return false;
        }
        match self {
            Self::Key(_) => stream.key.clone_from(&before.key),
            Self::Attribute(name, _) => {
                let template = before.attributes.as_ref().and_then(|attributes| attributes.get(name)).cloned();
                if let (Some(attributes), Some(template)) = (&mut stream.attributes, template) {
                    attributes.insert(name.clone(), template);
                }
            }
            Self::Sort => stream.sort.clone_from(&before.sort),
            Self::Eventual => stream.consistent = before.consistent,
            Self::Pay(_) => {}
        }
        *stream != now
    }
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
    act: Act,
    /// What the journal has of it, at which place among what was done, and when.
    done: Command,
    place: usize,
    at: SimTime,
    side: Side,
    /// The table, and which of its arms refused.
    table: String,
    arm: usize,
    /// The second that was explained, and what the table or index refused in it.
    before: (u64, u64),
    streams: Vec<Stream>,
    billing: Billing,
}

/// Does a stream flow to a table's arm, on the side that refused? Writes reach indexes through the table.
fn flows(running: &RunningStream, table: &str, arm: usize, side: Side) -> bool {
    running.stream.table == table
        && running.stream.operation.side() == side
        && (running.arm == arm || side == Side::Write && running.arm == 0)
}

/// Puts another template in the place of one: into the attribute of that name, or the key.
type Put = fn(&str, String) -> Act;

/// The template that an arm's partition key comes from, and what another one is put into.
fn template<'a>(running: &'a RunningStream, stored: &Table, arm: usize) -> Option<(&'a str, Put)> {
    let name = &*stored.key_of_arm(arm).partition.name;
    if running.arm == arm || *name == *stored.key_of_arm(0).partition.name {
        return Some((&running.stream.key, |_, template| Act::Key(template)));
    }
    let template = running.stream.attributes.as_ref()?.get(name)?;
    Some((template, |name, template| Act::Attribute(name.to_owned(), template)))
}

/// The remedies that fit what refused at an arm of a table, best first.
fn fitting(session: &Session, table: &str, (reason, arm): (Reason, usize), keys: usize) -> Vec<Remedy> {
    let Some(stored) = session.database().get(table) else { return Vec::new() };
    let Some(settings) = stored.arms.get(arm).map(dynascope_engine::partition::Arm::settings) else {
        return Vec::new();
    };
    let running = session.streams().iter().find(|running| flows(running, table, arm, reason.side));
    let source = running.and_then(|running| template(running, stored, arm));
    let mut remedies = Vec::new();
    if let Some(running) = running {
        if reason.cause == Cause::KeyRangeThroughput
            && reason.side == Side::Write
            && let Some((key, act)) = source
        {
            let name = &*stored.key_of_arm(arm).partition.name;
            remedies.extend(sharded(key, &|template| act(name, template)));
            remedies.extend(spread(session, &running.stream, (stored, arm), keys));
        }
        if reason.side == Side::Read && running.stream.consistent {
            remedies.push(Remedy {
                name: "Read eventually",
                note: "Half a unit in the place of one, and perhaps an older answer.".into(),
                act: Act::Eventual,
            });
        }
    }
    let is_one_key = source.is_some_and(|(key, _)| template_keys(key).len() == 1);
    remedies.extend(paid(settings.billing, (reason, arm), &|twice| {
        twice_as_much(session, (stored, arm), twice).filter(|_| !is_one_key)
    }));
    remedies
}

/// Partitions now and with other capacity, if they become more.
fn twice_as_much(
    session: &Session,
    (stored, arm): (&Table, usize),
    (read, write): (i64, i64),
) -> Option<(usize, usize)> {
    let arm = stored.arms.get(arm)?;
    let (now, then) = (arm.partitions.len(), session.physics().provisioned_partitions(read, write, arm.bytes));
    (then > now).then_some((now, then))
}

/// Ten suffixes in the place of one key.
fn sharded(key: &str, act: &dyn Fn(String) -> Act) -> Option<Remedy> {
    if key.is_empty() {
        return None;
    }
    // Two ranges that cycle would go in step.
    let suffix = if key.contains("{0..") { "#{random 0..9}" } else { "#{0..9}" };
    let from = template_keys(key).len();
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
    Some(Remedy { name: "Shard ×10", note, act: act([key, suffix].concat()) })
}

fn plural(keys: usize) -> String {
    crate::text::counted(keys as u64, "key", "keys")
}

/// Sort keys that fall everywhere, so that one collection can be cut.
fn spread(session: &Session, stream: &Stream, (stored, arm): (&Table, usize), keys: usize) -> Option<Remedy> {
    let schema = &stored.schema;
    let grows = stream.sort.as_deref().is_none_or(|sort| sort.contains("{seq}"));
    let is_divisible = arm == 0 && schema.key.sort.is_some() && schema.local_indexes().next().is_none();
    if !(grows && is_divisible && keys <= FEW_KEYS) {
        return None;
    }
    let physics = session.physics();
    let seconds = |seconds| short_clock_text(SimTime::from_secs(seconds));
    let note = format!(
        "One partition key can be cut between sort keys, but not at once: once {} took {} of what they could at the ceiling, a \
         split is planned, and done {} later.",
        seconds(physics.heat_window_seconds),
        percent(physics.heat_per_mille),
        seconds(physics.split_seconds)
    );
    Some(Remedy { name: "Spread the sort key", note, act: Act::Sort })
}

/// What paying otherwise would do. `partitions` are those there are and those that other capacity makes of them.
fn paid(
    billing: Billing,
    (reason, arm): (Reason, usize),
    partitions: &dyn Fn((i64, i64)) -> Option<(usize, usize)>,
) -> Vec<Remedy> {
    let mut remedies = Vec::new();
    match billing {
        Billing::Provisioned { read, write } => {
            let twice = match reason.side {
                Side::Read => (read.saturating_mul(2), write),
                Side::Write => (read, write.saturating_mul(2)),
            };
            let note = match partitions(twice) {
                _ if reason.cause != Cause::KeyRangeThroughput => {
                    "It helps here, for twice the price: its own limit refused.".to_owned()
                }
                Some((now, then)) => format!(
                    "It makes {then} of {} and the bill doubles. Keys that share one may part; each keeps its ceiling.",
                    crate::text::counted(now as u64, "partition", "partitions")
                ),
                None => "It will not help: the bill doubles, the partition’s ceiling stays where it is.".to_owned(),
            };
            let act = Act::Pay(Billing::Provisioned { read: twice.0, write: twice.1 });
            remedies.push(Remedy { name: if arm == 0 { "Double the table" } else { "Double the index" }, note, act });
            if reason.cause == Cause::ProvisionedThroughput && arm == 0 {
                remedies.push(Remedy {
                    name: "Go on-demand",
                    note: "The table’s line goes; each partition’s ceiling stays.".into(),
                    act: Act::Pay(Billing::OnDemand { max_read: None, max_write: None }),
                });
            }
        }
        Billing::OnDemand { max_read, max_write } if reason.cause == Cause::MaxOnDemandThroughput && arm == 0 => {
            let twice = |most: Option<i64>, side| {
                if side == reason.side { most.map(|most| most.saturating_mul(2)) } else { most }
            };
            remedies.push(Remedy {
                name: "Double the maximum",
                note: "It was set to cap the bill; the bill’s cap doubles with it.".into(),
                act: Act::Pay(Billing::OnDemand {
                    max_read: twice(max_read, Side::Read),
                    max_write: twice(max_write, Side::Write),
                }),
            });
        }
        Billing::OnDemand { .. } => {}
    }
    remedies
}

fn remedies(playground: Playground, line: &Line) -> Vec<Remedy> {
    let Some((reason, _)) = line.reasons.first() else { return Vec::new() };
    let table = playground.table.get_untracked();
    playground.with(|session| fitting(session, &table, (*reason, line.place.arm), line.keys.len()))
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
        return "<li><h3>Try</h3><p>There is no button for this limit here.</p></li>".to_owned();
    }
    fill("<li><h3>Try</h3><ul class=\"why-try\">{!}</ul></li>", &[&buttons])
}

/// Applies a remedy of a line; what was before, if it could be done.
pub fn apply(playground: Playground, line: &Line, at: usize) -> Option<Tried> {
    let (reason, _) = line.reasons.first()?;
    let remedy = remedies(playground, line).into_iter().nth(at)?;
    let (table, arm, side) = (playground.table.get_untracked(), line.place.arm, reason.side);
    let (before, billing, after) = playground.with(|session| {
        let before = session.traffic();
        let mut after = before.clone();
        for (stream, running) in after.iter_mut().zip(session.streams()) {
            if flows(running, &table, arm, side) {
                remedy.act.change(stream);
            }
        }
        Some((before, session.database().get(&table)?.arms.get(arm)?.settings().billing, after))
    })?;
    let refused = refused_in(playground, (&table, arm), side, line.place.second);
    let done = match &remedy.act {
        Act::Pay(billing) => pay(playground, arm, *billing),
        _ => playground.flow(after),
    };
    if !done {
        return None;
    }
    playground.with(|session| {
        let (place, (at, command)) = session.edits().enumerate().last()?;
        Some(Tried {
            name: remedy.name,
            act: remedy.act,
            done: command.clone(),
            place,
            at,
            side,
            table,
            arm,
            before: (line.place.second, refused.unwrap_or(line.count)),
            streams: before,
            billing,
        })
    })
}

/// What an arm refused in a second.
fn refused_in(playground: Playground, (table, arm): (&str, usize), side: Side, second: u64) -> Option<u64> {
    playground.with(|session| {
        let metrics = session.metrics().arm(session.database().slot(table)?, arm)?;
        Some(metrics.series.get(second).refused(side))
    })
}

/// The traffic without what was tried, if that still flows, and whether it is still paid for.
fn standing(session: &Session, tried: &Tried) -> (Option<Vec<Stream>>, bool) {
    let mut streams = session.traffic();
    let mut flows = false;
    for (stream, before) in streams.iter_mut().zip(&tried.streams) {
        flows |= tried.act.take_back(stream, before);
    }
    let arm = session.database().get(&tried.table).and_then(|table| table.arms.get(tried.arm));
    let is_paid = arm.is_some_and(|arm| tried.act == Act::Pay(arm.settings().billing));
    (Some(streams).filter(|_| flows), is_paid)
}

/// Puts back what the remedy changed, and nothing else. Partitions that were added stay: they never become fewer.
pub fn undo(playground: Playground, tried: &Tried) {
    let (streams, is_paid) = playground.with(|session| standing(session, tried));
    if let Some(streams) = streams {
        playground.flow(streams);
    }
    if is_paid {
        pay(playground, tried.arm, tried.billing);
    }
}

fn pay(playground: Playground, arm: usize, billing: Billing) -> bool {
    let table = playground.table.get_untracked();
    let index = playground.with(|session| Some(session.database().get(&table)?.index_of(arm)?.name.clone()));
    let outcome = match (billing, index) {
        (Billing::Provisioned { read, write }, None) => playground.set_provisioned(read, write),
        (Billing::Provisioned { read, write }, Some(index)) => playground.send(
            "UpdateTable",
            &json!({
                "TableName": table,
                "GlobalSecondaryIndexUpdates": [{"Update": {
                    "IndexName": index,
                    "ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write},
                }}],
            }),
        ),
        (Billing::OnDemand { max_read, max_write }, _) => {
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

/// What a run has of a remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Around {
    /// Was something else changed after the second that was explained, and before the remedy?
    is_mixed: bool,
    /// When something else was changed after it.
    until: Option<SimTime>,
}

/// Was it tried in this run, and is it in the past?
fn around(session: &Session, tried: &Tried) -> Option<Around> {
    let explained = SimTime::from_secs(tried.before.0);
    let mut edits = session.edits();
    let earlier = edits.by_ref().take(tried.place).filter(|(at, command)| *at > explained && command.is_change());
    let is_mixed = earlier.count() > 0;
    edits.next().filter(|(at, done)| *at == tried.at && **done == tried.done)?;
    Some(Around { is_mixed, until: edits.find(|(_, command)| command.is_change()).map(|(at, _)| at) })
}

/// What was tried in this run and what came of it, with the way back; nothing once it does not stand any more. `place` is
/// its place among those that were tried.
pub fn told(playground: Playground, tried: &Tried, place: usize) -> String {
    let of_run = playground.with(|session| {
        let (streams, is_paid) = standing(session, tried);
        around(session, tried).filter(|_| streams.is_some() || is_paid)
    });
    let Some(around) = of_run.filter(|_| playground.table.get() == tried.table) else { return String::new() };
    // The seconds that are whole since then.
    let first = tried.at.0.div_ceil(SimTime::SECOND);
    let end = around.until.unwrap_or_else(|| playground.now()).second();
    let last = end.checked_sub(1).filter(|last| *last >= first);
    let after =
        last.and_then(|last| Some((last, refused_in(playground, (&tried.table, tried.arm), tried.side, last)?)));
    let index = playground.with(|session| {
        let index = session.database().get(&tried.table)?.index_of(tried.arm)?;
        Some(index.name.clone())
    });
    let whose = index.map_or_else(|| "The table".to_owned(), |index| format!("The index {index}"));
    let (second, before) = tried.before;
    let (before, until) = (count(before), around.until.is_some());
    let came = match after {
        None if until => "Something else was changed before a whole second had passed.".to_owned(),
        None => "Play, or step a second, to see what it does.".to_owned(),
        Some((last, after)) if around.is_mixed => format!(
            "{whose} refused {before} in second {second} and {} in second {last}, but not by this alone: something else was \
             changed between them.",
            count(after)
        ),
        Some((last, after)) => format!(
            "{whose} refused {before} in second {second}, and {} in second {last}{}.{}",
            count(after),
            if until { ", the last before something else was changed" } else { "" },
            if after == tried.before.1 { " It changed nothing." } else { "" }
        ),
    };
    let full = match (&tried.act, &tried.billing) {
        (Act::Pay(Billing::OnDemand { .. }), Billing::Provisioned { .. }) => {
            " A table that pays by the second again has its burst full."
        }
        _ => "",
    };
    fill(
        "<p class=\"tried\"><b>{}</b>, tried at {}. {} <button type=\"button\" class=\"say\" data-do=\"untry\" \
         data-at=\"{}\">Undo it</button>{}</p>",
        &[tried.name, &clock_text(tried.at), &came, &place.to_string(), full],
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
        fitting(session, "jobs", (reason(cause), 0), 1).iter().map(|remedy| remedy.name).collect()
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
    fn doubling_helps_where_it_makes_partitions_for_several_keys() {
        let note = |key: Option<&str>| {
            let session = queue(key);
            let remedies = fitting(&session, "jobs", (reason(Cause::KeyRangeThroughput), 0), 1);
            remedies.into_iter().find(|remedy| remedy.name == "Double the table").map(|remedy| remedy.note)
        };
        assert!(note(None).unwrap_or_default().starts_with("It will not help"));
        // 6,666 write units and 100 read units: 6.7 partitions' worth.
        assert!(note(Some("PENDING#{0..9}")).unwrap_or_default().starts_with("It makes 7 of 4 partitions"));
    }

    #[test]
    fn an_index_that_refuses_is_sharded_by_its_own_key() {
        let scenario = crate::scene::Scene::find("outbox").expect("built in").recording().scenario;
        let session = Session::new(scenario).expect("valid");
        let table = session.database().iter().next().expect("a table").schema.name.clone();
        let reason = Reason { resource: Resource::Index, side: Side::Write, cause: Cause::KeyRangeThroughput };
        let remedies = fitting(&session, &table, (reason, 1), 1);
        assert!(
            matches!(&remedies[0].act, Act::Attribute(_, template) if template.ends_with("#{0..9}")),
            "{remedies:?}"
        );
        let before = session.streams()[0].stream.clone();
        let mut stream = before.clone();
        remedies[0].act.change(&mut stream);
        assert!(stream != before);
        stream.rate_per_second += 1;
        assert!(remedies[0].act.take_back(&mut stream, &before), "what was changed since stays");
        assert_eq!(stream, Stream { rate_per_second: before.rate_per_second + 1, ..before.clone() });
        assert!(!remedies[0].act.take_back(&mut stream, &before), "there is nothing left to take back");
    }

    #[test]
    fn what_was_tried_belongs_to_its_run_until_something_else_is_changed() {
        let mut session = queue(None);
        session.advance(SimTime::from_secs(3), u64::MAX);
        let fork = session.clone();
        let mut streams = session.traffic();
        let act = Act::Key("PENDING#{0..9}".into());
        let before = streams.clone();
        act.change(&mut streams[0]);
        session.set_traffic(streams).expect("a template");
        let (place, (at, done)) = session.edits().enumerate().last().expect("the traffic");
        let tried = Tried {
            name: "Shard ×10",
            act,
            done: done.clone(),
            place,
            at,
            side: Side::Write,
            table: "jobs".into(),
            arm: 0,
            before: (2, 4_000),
            streams: before.clone(),
            billing: Billing::Provisioned { read: 100, write: 3_333 },
        };
        let free = Around { is_mixed: false, until: None };
        assert_eq!(around(&session, &tried), Some(free));
        assert_eq!(around(&fork, &tried), None);
        assert_eq!(around(&session, &Tried { place: place + 1, ..tried.clone() }), None);
        session.advance(SimTime::from_secs(5), u64::MAX);
        assert_eq!(around(&session.at(SimTime::from_secs(2)).expect("earlier"), &tried), None);
        assert_eq!(standing(&session, &tried).0, Some(before));
        session.set_traffic(Vec::new()).expect("no traffic");
        assert_eq!(around(&session, &tried), Some(Around { until: Some(SimTime::from_secs(5)), ..free }));
        assert_eq!(standing(&session, &tried).0, None);
    }

    #[test]
    fn a_second_suffix_does_not_go_in_step_with_the_first() {
        let session = queue(Some("PENDING#{0..9}"));
        let remedies = fitting(&session, "jobs", (reason(Cause::KeyRangeThroughput), 0), 7);
        assert_eq!(remedies[0].act, Act::Key("PENDING#{0..9}#{random 0..9}".into()));
        assert!(remedies[0].note.starts_with("100 keys in the place of 10 keys."), "{}", remedies[0].note);
        let many = queue(Some("JOB#{seq}"));
        assert_eq!(fitting(&many, "jobs", (reason(Cause::KeyRangeThroughput), 0), 60)[0].name, "Shard ×10");
    }
}
