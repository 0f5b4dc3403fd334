//! The fidelity card of a scene: what of the parts it uses is modelled as documented, simplified, or not public.
//!
//! Made from the engine's table, so that it cannot say other than the model does.

use super::figures::figures;
use crate::playground::Playground;
use crate::scene::Lens;
use crate::text::holds;
use crate::ui::patch::fill;
use dynascope_engine::capacity::fidelity::{Part, STATEMENTS, Standing};
use dynascope_engine::session::Session;
use dynascope_engine::sim::Client;

/// What the picture must admit, whatever the scene.
const ADMITTED: &str = "The picture is a teaching model: a hash, even ranges at first, hard ceilings, counters. AWS has published a \
    measurement in which one hot key on an on-demand table served some 9,000 eventually consistent queries a second before any \
    split, since copies on three nodes answer. The real hash, the number of partitions and the time of a split are not public.";

/// The parts of the model that a session uses.
fn parts(session: &Session, lens: Lens) -> Vec<Part> {
    let streams: Vec<_> = session.streams().iter().map(|running| &running.stream).collect();
    let settings =
        || session.database().iter().flat_map(|table| &table.arms).map(|arm| arm.settings().billing.provisioned());
    let reads = streams.iter().any(|stream| stream.operation.side() == dynascope_engine::capacity::Side::Read);
    let uses = |part: &Part| match part {
        Part::Placement | Part::Admission | Part::Metrics => true,
        Part::Burst => settings().any(|units| units.is_some()),
        Part::OnDemand => settings().any(|units| units.is_none()),
        Part::Splits | Part::Traffic | Part::Prices => !streams.is_empty(),
        Part::Replicas => reads || lens == Lens::Read,
        Part::Indexes => session.database().iter().any(|table| table.schema.global_indexes().next().is_some()),
        Part::Scaling => !session.scenario().auto_scaling.is_empty(),
        Part::Retries => streams.iter().any(|stream| stream.client != Client::None),
        // A session stands alone; what stands beside it is for scripts.
        Part::Neighbours => false,
        Part::Pages => lens == Lens::Read,
    };
    Part::ALL.into_iter().filter(uses).collect()
}

/// A line of the card: the statement, and where it is from.
struct Line {
    part: Part,
    standing: Standing,
    text: String,
    source: &'static str,
}

fn lines(session: &Session, parts: &[Part]) -> Vec<Line> {
    let constants = figures(session.scenario()).into_iter().map(|figure| {
        let scaled = if figure.is_scaled() { format!(" (scaled: AWS {})", figure.aws_text()) } else { String::new() };
        let constant = figure.constant;
        let text = format!("{}: {}{scaled}. {}", constant.title, figure.value_text(), constant.evidence);
        Line { part: constant.part, standing: constant.standing, text, source: constant.source }
    });
    let statements = STATEMENTS.iter().map(|statement| Line {
        part: statement.part,
        standing: statement.standing,
        text: statement.text.to_owned(),
        source: statement.source,
    });
    statements.chain(constants).filter(|line| parts.contains(&line.part)).collect()
}

/// The card.
pub fn card(playground: Playground) -> String {
    playground.version.track();
    playground.traffic.track();
    let lens = playground.lens.get();
    let scene = playground.scene.with(|scene| scene.as_ref().map_or("This state", |scene| scene.name));
    let (parts, lines) = playground.with(|session| {
        let parts = parts(session, lens);
        let lines = lines(session, &parts);
        (parts, lines)
    });
    let names = |wanted: bool| {
        let names: Vec<&str> =
            Part::ALL.iter().filter(|part| parts.contains(part) == wanted).map(|part| part.title()).collect();
        names.join(", ").to_lowercase()
    };
    let mut sections = String::new();
    for standing in Standing::ALL {
        let mut rows = String::new();
        for part in &parts {
            let of_part: String = lines
                .iter()
                .filter(|line| line.standing == standing && line.part == *part)
                .map(|line| fill("<li>{} <cite>{}</cite></li>", &[&line.text, line.source]))
                .collect();
            if !of_part.is_empty() {
                rows.push_str(&fill("<dt>{}</dt><dd><ul>{!}</ul></dd>", &[part.title(), &of_part]));
            }
        }
        if !rows.is_empty() {
            sections.push_str(&fill(
                "<h3 data-standing=\"{}\">{}</h3><dl class=\"card\">{!}</dl>",
                &[standing.word(), standing.title(), &rows],
            ));
        }
    }
    let unused = names(false);
    let unused = if holds(&unused, " ") {
        fill("<p class=\"note\">Not in this scene: {}.</p>", &[&unused])
    } else {
        String::new()
    };
    fill(
        "<h3 class=\"card-title\">{}</h3><p class=\"serif card-admits\">{}</p><p>It uses: {}.</p>{!}{!}<p class=\"card-print\">\
         <button type=\"button\" class=\"say\" data-do=\"print\">Print this card</button></p>",
        &[scene, ADMITTED, &names(true), &sections, &unused],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pane::partitions::tests::queue;

    #[test]
    fn the_job_queue_uses_burst_and_splits_and_no_retries() {
        let session = queue(None);
        let used = parts(&session, Lens::Partitions);
        for part in [Part::Admission, Part::Burst, Part::Splits, Part::Traffic, Part::Metrics] {
            assert!(used.contains(&part), "{part:?}");
        }
        for part in [Part::OnDemand, Part::Retries, Part::Indexes, Part::Replicas, Part::Pages] {
            assert!(!used.contains(&part), "{part:?}");
        }
        let lines = lines(&session, &used);
        assert!(Standing::ALL.iter().all(|standing| lines.iter().any(|line| line.standing == *standing)));
        let ceiling = lines.iter().find(|line| line.text.starts_with("Writes of one partition"));
        assert!(ceiling.is_some_and(|line| line.text.contains(": 1,000 write units a second. ")));
    }
}
