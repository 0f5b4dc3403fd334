//! The lesson in the left column: one step at a time, predict, do, see it checked. No modal.

use super::check::{Summary, Verdict, decide};
use super::parse::{Lesson, Part, Predict, Task};
use super::{LessonState, Progress};
use crate::playground::Playground;
use crate::scene::Scene;
use crate::ui::patch::{Deed, disabled, fill, live, prose, truth};
use leptos::prelude::*;

/// The lesson that was asked for, in the place of the scene's text.
pub fn reading(playground: Playground) -> AnyView {
    let state = LessonState::expect();
    state.load(playground);
    let reading = Reading::new(playground, state);
    let render = move || fill("<article class=\"story\" aria-label=\"Text\">{!}</article>", &[&reading.html()]);
    live(render, move |deed| reading.act(deed))
}

/// The open lesson, and which help was taken in its step.
#[derive(Clone, Copy)]
struct Reading {
    playground: Playground,
    state: LessonState,
    /// For a task of the step shown, by its place: hints shown, and is the solution?
    help: RwSignal<Vec<(usize, usize, bool)>>,
}

impl Reading {
    /// Nothing helped yet. Progress is kept as soon as the machine agrees.
    fn new(playground: Playground, state: LessonState) -> Self {
        let reading = Self { playground, state, help: RwSignal::new(Vec::new()) };
        // Progress is kept outside the page, in storage; the mark itself is derived.
        Effect::new(move || {
            let passed = reading.passed();
            let is_new = |id: &String| state.progress.with_untracked(|progress| !progress.done.contains(id));
            for id in passed.into_iter().filter(is_new) {
                state.advance(|progress| progress.done.push(id));
            }
        });
        reading
    }

    fn step(self, lesson: &Lesson) -> usize {
        self.state.progress.with(|progress| progress.step.min(lesson.steps.len() - 1))
    }

    /// Tasks of the step shown that hold now.
    fn passed(self) -> Vec<String> {
        let Some(lesson) = self.state.lesson.get() else { return Vec::new() };
        let mut passed = Vec::new();
        for part in &lesson.steps[self.step(&lesson)].parts {
            if let Part::Task(task) = part
                && self.verdicts(task).iter().all(|verdict| verdict.holds)
            {
                passed.push(task.id.clone());
            }
        }
        passed
    }

    fn verdicts(self, task: &Task) -> Vec<Verdict> {
        let summary = self.playground.pages.with(|pages| Summary::of(pages));
        task.checks.iter().flat_map(|check| decide(check, &summary)).collect()
    }

    /// The open lesson, or why it is not here.
    fn html(self) -> String {
        match (self.state.lesson.get(), self.state.fault.get()) {
            (Some(lesson), _) => self.steps(&lesson),
            (None, Some(fault)) => fill(
                "<h1>This lesson cannot be opened</h1><p>{}</p><p><button type=\"button\" class=\"say\" \
                 data-do=\"lesson-close\">Back to the scene</button></p>",
                &[&fault],
            ),
            (None, None) => "<p class=\"quiet\" aria-live=\"polite\">The lesson is on its way.</p>".to_owned(),
        }
    }

    fn steps(self, lesson: &Lesson) -> String {
        let at = self.step(lesson);
        let (first, last) = (disabled(at == 0), disabled(at + 1 == lesson.steps.len()));
        let step = &lesson.steps[at];
        let mut parts = String::new();
        for (place, part) in step.parts.iter().enumerate() {
            parts.push_str(&match part {
                Part::Prose(text) => fill("<p>{!}</p>", &[&prose(text)]),
                Part::Predict(predict) => self.predict(place, predict),
                Part::Task(task) => self.task(place, task),
            });
        }
        fill(
            "<nav class=\"story-kicker\" aria-label=\"Lesson\"><span>{}</span><span class=\"lesson-steps\">\
             <button type=\"button\" aria-label=\"Previous step\" data-do=\"lesson-back\"{!}>‹</button>\
             <span>step {} of {}</span>\
             <button type=\"button\" aria-label=\"Next step\" data-do=\"lesson-on\"{!}>›</button></span></nav>\
             <h1>{}</h1>{!}<p class=\"lesson-feet\"><button type=\"button\" class=\"do\" data-do=\"lesson-on\"{!}>Next step\
             </button><button type=\"button\" class=\"say\" data-do=\"lesson-reset\">Reset lesson</button>\
             <button type=\"button\" class=\"say\" data-do=\"lesson-close\">Close</button></p>",
            &[
                &lesson.title,
                first,
                &(at + 1).to_string(),
                &lesson.steps.len().to_string(),
                last,
                &step.title,
                &parts,
                last,
            ],
        )
    }

    /// Answers are buttons until one is chosen; then each shows its reason, and a wrong choice is struck.
    fn predict(self, place: usize, predict: &Predict) -> String {
        let chosen = self.state.progress.with(|progress| progress.answers.get(&predict.id).copied());
        let mut options = String::new();
        for (at, option) in predict.options.iter().enumerate() {
            let own = chosen == Some(at);
            let (class, mark) = match (chosen, option.correct, own) {
                (None, ..) => ("", ""),
                (_, true, true) => (" right", "Your answer, and right. "),
                (_, true, false) => (" right", "Right: "),
                (_, false, true) => (" wrong", "Your answer. "),
                (_, false, false) => (" other", ""),
            };
            options.push_str(&fill(
                "<div class=\"lesson-option{}\"><button type=\"button\" data-do=\"answer\" data-part=\"{}\" data-at=\"{}\"\
                 {!}>{}</button><p{!}>{}{!}</p></div>",
                &[
                    class,
                    &place.to_string(),
                    &at.to_string(),
                    disabled(chosen.is_some()),
                    &option.answer,
                    if chosen.is_some() { "" } else { " hidden" },
                    mark,
                    &prose(&option.reason),
                ],
            ));
        }
        let question = prose(&predict.question);
        fill("<fieldset class=\"lesson-predict\"><legend>{!}</legend>{!}</fieldset>", &[&question, &options])
    }

    fn task(self, place: usize, task: &Task) -> String {
        let verdicts = self.verdicts(task);
        let text: String = task.text.iter().map(|text| fill("<p>{!}</p>", &[&prose(text)])).collect();
        let checks: String = verdicts.iter().map(check_line).collect();
        let passed = if verdicts.iter().all(|verdict| verdict.holds) {
            "Done. The machine agrees."
        } else if self.state.progress.with(|progress| progress.done.contains(&task.id)) {
            "Done before."
        } else {
            ""
        };
        let (hints, solved) = self.helped(place);
        let all = task.hints.len().to_string();
        let mut help = String::new();
        for (at, hint) in task.hints.iter().take(hints).enumerate() {
            let number = (at + 1).to_string();
            let template = "<p class=\"lesson-hint\"><strong>Hint {} of {}. </strong>{!}</p>";
            help.push_str(&fill(template, &[&number, &all, &prose(hint)]));
        }
        if solved {
            let solution = prose(&task.solution);
            help.push_str(&fill("<p class=\"lesson-hint\"><strong>Solution. </strong>{!}</p>", &[&solution]));
        }
        let place = place.to_string();
        fill(
            "<section class=\"lesson-task\" aria-label=\"Task\">{!}<ul class=\"lesson-checks\">{!}</ul>\
             <p class=\"lesson-passed k\" role=\"status\">{}</p>{!}<p class=\"lesson-help\">\
             <button type=\"button\" class=\"say\" data-do=\"hint\" data-part=\"{}\"{!}>{}</button>\
             <button type=\"button\" class=\"say\" data-do=\"solution\" data-part=\"{}\"{!}>Solution</button>\
             <button type=\"button\" class=\"say\" data-do=\"step-reset\">Reset step</button></p></section>",
            &[
                &text,
                &checks,
                passed,
                &help,
                &place,
                disabled(hints >= task.hints.len()),
                if hints == 0 { "Hint" } else { "Next hint" },
                &place,
                disabled(solved),
            ],
        )
    }

    fn helped(self, place: usize) -> (usize, bool) {
        let found = self.help.with(|help| help.iter().find(|(at, ..)| *at == place).copied());
        found.map_or((0, false), |(_, hints, solved)| (hints, solved))
    }

    fn help(self, place: usize, change: impl FnOnce(&mut (usize, usize, bool))) {
        let (hints, solved) = untrack(|| self.helped(place));
        let mut helped = (place, hints, solved);
        change(&mut helped);
        self.help.update(|help| {
            help.retain(|(at, ..)| *at != place);
            help.push(helped);
        });
    }

    /// What its controls do.
    fn act(self, deed: &Deed) {
        if deed.kind != "click" {
            return;
        }
        let part = deed.number("data-part");
        match deed.name.as_str() {
            "lesson-back" => self.go(-1),
            "lesson-on" => self.go(1),
            "lesson-reset" => self.reset(),
            "lesson-close" => self.state.close(),
            "step-reset" => self.playground.forget_pages(),
            "hint" => self.help(part, |helped| helped.1 += 1),
            "solution" => self.help(part, |helped| helped.2 = true),
            "answer" => self.answer(part, deed.number("data-at")),
            _ => {}
        }
    }

    fn go(self, by: isize) {
        let Some(lesson) = self.state.lesson.get_untracked() else { return };
        let to = untrack(|| self.step(&lesson)).saturating_add_signed(by);
        self.help.set(Vec::new());
        self.state.advance(|progress| progress.step = to);
        // The new step begins where the old one was read to.
        request_animation_frame(|| {
            if let Some(column) = document().query_selector(".story").ok().flatten() {
                column.set_scroll_top(0);
            }
        });
    }

    fn reset(self) {
        self.help.set(Vec::new());
        self.state.advance(|progress| *progress = Progress::default());
        let scene = self.state.lesson.with_untracked(|lesson| Scene::find(&lesson.as_ref()?.scene));
        if let Some(scene) = scene {
            self.playground.load_scene(scene);
        }
    }

    fn answer(self, part: usize, at: usize) {
        let Some(lesson) = self.state.lesson.get_untracked() else { return };
        if let Some(Part::Predict(predict)) = lesson.steps[untrack(|| self.step(&lesson))].parts.get(part) {
            self.state.advance(|progress| {
                progress.answers.insert(predict.id.clone(), at);
            });
        }
    }
}

fn check_line(verdict: &Verdict) -> String {
    fill(
        "<li data-holds=\"{}\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><rect x=\"1\" y=\"1\" width=\"14\" \
         height=\"14\" rx=\"3\"/><path d=\"m4.5 8.2 2.4 2.4 4.8-5\"/></svg><span>{}<span class=\"vh\">{}</span></span>\
         <span class=\"quiet\">{}</span></li>",
        &[truth(verdict.holds), &verdict.wanted, if verdict.holds { ", done" } else { ", not yet" }, &verdict.found],
    )
}
