//! The left column: the lesson if one is open, else the scene's own text and its remedies.

use crate::chunk::{self, later, then};
use crate::lesson::LessonState;
use crate::pane::partitions::provisioned;
use crate::pane::time::{Letter, selected};
use crate::playground::Playground;
use crate::scene::{ORDERS, Remedy, RemedyAction, SCENES, Scene, Words, words};
use crate::ui::live::part;
use crate::ui::patch::{fill, live, prose, shown};
use dynascope_engine::session::Session;
use dynascope_engine::sim::Stream;
use dynascope_engine::table::Billing;
use leptos::prelude::*;

/// Scene text or lesson.
pub fn story(playground: Playground, lesson: LessonState) -> AnyView {
    part(move || match playground.scene.get() {
        _ if lesson.is_open() => later(playground, || Box::pin(chunk::lesson())),
        None => shown(|| article(FROM_A_LINK)),
        Some(scene) => match scene.own_words() {
            Some(words) => told(playground, words),
            None => later(playground, || Box::pin(chunk::scene_text())),
        },
    })
    .into_any()
}

/// The text of a scene whose words are fetched.
pub fn scene_text(playground: Playground) -> AnyView {
    told(playground, playground.scene.with_untracked(|scene| words(scene.as_ref().map_or("", |scene| scene.slug))))
}

const FROM_A_LINK: &str = "<p class=\"story-kicker\">From a link</p><h1>A state of its own</h1><p>This page was opened from a \
    link or changed beyond its scene. Everything in it can be edited and shared again.</p>";

fn article(text: &str) -> String {
    fill("<article class=\"story\" aria-label=\"Text\">{!}</article>", &[text])
}

fn told(playground: Playground, words: &'static Words) -> AnyView {
    let lesson = LessonState::expect();
    live(
        move || article(&worded(words)),
        move |deed| match deed.is() {
            ("click", "lesson") => lesson.open("limit-filter-cursor".to_owned()),
            ("click", "remedy") => {
                if let Some(&Remedy { action, .. }) = words.remedies.get(deed.number("data-at")) {
                    then(playground, chunk::remedy(), move |apply| apply(playground, action));
                }
            }
            _ => {}
        },
    )
}

fn worded(words: &Words) -> String {
    let paragraphs: String = words.prose.iter().map(|text| fill("<p>{!}</p>", &[&prose(text)])).collect();
    let lesson = if *words == ORDERS {
        "<p><button type=\"button\" class=\"do\" data-do=\"lesson\">Take the lesson</button></p>"
    } else {
        ""
    };
    let remedy = |(at, remedy): (usize, &Remedy)| {
        fill(
            "<li><button type=\"button\" class=\"say\" data-do=\"remedy\" data-at=\"{}\">{}</button><p>{}</p></li>",
            &[&at.to_string(), remedy.name, remedy.note],
        )
    };
    let mut remedies: String = words.remedies.iter().enumerate().map(remedy).collect();
    if !remedies.is_empty() {
        remedies = fill("<h2>Try a remedy</h2><ul class=\"story-remedies\">{!}</ul>", &[&remedies]);
    }
    fill(
        "<p class=\"story-kicker\">Scene</p><h1>{}</h1>{!}{!}{!}<p class=\"note\">A teaching model: even ranges of the hash \
         line, the xxh3 hash. AWS publishes neither its hash nor your partitions.</p>",
        &[words.heading, &paragraphs, lesson, &remedies],
    )
}

/// Changes all traffic.
fn flow(playground: Playground, change: impl Fn(&mut Stream)) {
    let mut streams = playground.traffic.get_untracked();
    streams.iter_mut().for_each(change);
    playground.flow(streams);
}

/// Does what a remedy says, and says what came of it if it could not.
pub fn apply(playground: Playground, action: RemedyAction) {
    match action {
        RemedyAction::Key(template) => flow(playground, |stream| template.clone_into(&mut stream.key)),
        RemedyAction::Eventual => flow(playground, |stream| stream.consistent = false),
        RemedyAction::Rate(rate) => flow(playground, |stream| stream.rate_per_second = rate),
        RemedyAction::Attribute(name, template) => flow(playground, |stream| {
            stream.attributes.get_or_insert_default().insert(name.to_owned(), template.to_owned());
        }),
        RemedyAction::Double => match untrack(|| provisioned(playground)) {
            Some((read, write)) => {
                let outcome = playground.set_provisioned(read, write.saturating_mul(2));
                if let Err(failure) = outcome.result {
                    playground.complain(failure.headline());
                }
            }
            None => playground.complain("An on-demand table pays for each request; there is nothing to double."),
        },
        RemedyAction::OnDemand => {
            if let Err(failure) = playground.set_on_demand().result {
                playground.complain(failure.headline());
            }
        }
        RemedyAction::Reset => {
            let slug = playground.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.slug));
            let scene = slug.and_then(Scene::find).unwrap_or_else(|| SCENES[0]);
            match selected(playground) {
                None => playground.load_scene(scene),
                Some(letter) => as_it_was(playground, &scene, letter),
            }
        }
    }
}

/// Gives one of two runs the scene's own traffic and capacity. Beginning the scene again would end the comparison.
fn as_it_was(playground: Playground, scene: &Scene, letter: Letter) {
    let Ok(fresh) = Session::new(scene.recording().scenario) else { return };
    let billing = |session: &Session| Some(session.database().get(scene.table)?.base().settings().billing);
    if playground.with(Session::traffic) != fresh.traffic() && !playground.flow(fresh.traffic()) {
        return;
    }
    let was = billing(&fresh).filter(|was| playground.with(billing) != Some(*was));
    match was.map(Billing::provisioned) {
        Some(Some((read, write))) => drop(playground.set_provisioned(read, write)),
        Some(None) => drop(playground.set_on_demand()),
        None => {}
    }
    playground.say(format!("{} has the scene’s own traffic and capacity again.", letter.text()));
}
