//! The lesson in the left column: one step at a time, predict, do, see it checked. No modal.

use super::LessonState;
use super::check::{Summary, Verdict, decide};
use super::parse::{Lesson, Part, Predict, Task};
use crate::playground::Playground;
use crate::scene::Scene;
use crate::ui::Prose;
use leptos::prelude::*;
use std::sync::Arc;

/// The open lesson, or why it is not here.
#[component]
pub fn LessonPane() -> impl IntoView {
    let state = LessonState::expect();
    move || match (state.lesson.get(), state.fault.get()) {
        (Some(lesson), _) => view! { <Steps lesson=lesson /> }.into_any(),
        (None, Some(fault)) => view! {
            <h1>"This lesson cannot be opened"</h1>
            <p>{fault}</p>
            <p><button type="button" class="say" on:click=move |_| state.close()>"Back to the scene"</button></p>
        }
        .into_any(),
        (None, None) => view! { <p class="quiet" aria-live="polite">"The lesson is on its way."</p> }.into_any(),
    }
}

#[component]
fn Steps(lesson: Arc<Lesson>) -> impl IntoView {
    let state = LessonState::expect();
    let count = lesson.steps.len();
    let at = Memo::new(move |_| state.progress.with(|progress| progress.step.min(count - 1)));
    let title = lesson.title.clone();
    let steps = lesson.clone();
    let go = move |to: usize| state.advance(|progress| progress.step = to);
    view! {
        <nav class="story-kicker" aria-label="Lesson">
            <span>{title}</span>
            <span class="lesson-steps">
                <button type="button" aria-label="Previous step" disabled=move || at.get() == 0 on:click=move |_| go(at.get_untracked().saturating_sub(1))>"‹"</button>
                <span>{move || format!("step {} of {count}", at.get() + 1)}</span>
                <button type="button" aria-label="Next step" disabled=move || at.get() + 1 == count on:click=move |_| go(at.get_untracked() + 1)>"›"</button>
            </span>
        </nav>
        {move || {
            let step = steps.steps[at.get()].clone();
            view! {
                <h1>{step.title}</h1>
                {step.parts.into_iter().map(|part| view! { <PartView part=part /> }).collect_view()}
            }
        }}
        <p class="lesson-feet">
            <button type="button" class="do" disabled=move || at.get() + 1 == count on:click=move |_| go(at.get_untracked() + 1)>"Next step"</button>
            <button type="button" class="say" on:click=move |_| reset(state)>"Reset lesson"</button>
            <button type="button" class="say" on:click=move |_| state.close()>"Close"</button>
        </p>
    }
}

fn reset(state: LessonState) {
    state.advance(|progress| *progress = super::Progress::default());
    let scene = state.lesson.with_untracked(|lesson| lesson.as_ref().and_then(|lesson| Scene::find(&lesson.scene)));
    if let Some(scene) = scene {
        Playground::expect().load_scene(scene);
    }
}

#[component]
fn PartView(part: Part) -> impl IntoView {
    match part {
        Part::Prose(text) => view! { <p><Prose source=text /></p> }.into_any(),
        Part::Predict(predict) => view! { <PredictView predict=predict /> }.into_any(),
        Part::Task(task) => view! { <TaskView task=task /> }.into_any(),
    }
}

/// Answers are buttons until one is chosen; then each shows its reason, and a wrong choice is struck.
#[component]
fn PredictView(predict: Predict) -> impl IntoView {
    let state = LessonState::expect();
    let id = predict.id.clone();
    let chosen = Memo::new(move |_| state.progress.with(|progress| progress.answers.get(&id).copied()));
    view! {
        <fieldset class="lesson-predict">
            <legend><Prose source=predict.question.clone() /></legend>
            {predict
                .options
                .into_iter()
                .enumerate()
                .map(|(at, option)| {
                    let id = predict.id.clone();
                    let choose = move |_| {
                        let id = id.clone();
                        state.advance(|progress| {
                            progress.answers.insert(id, at);
                        });
                    };
                    let class = move || match chosen.get() {
                        None => "lesson-option",
                        Some(_) if option.correct => "lesson-option right",
                        Some(own) if own == at => "lesson-option wrong",
                        Some(_) => "lesson-option other",
                    };
                    let mark = move || match chosen.get() {
                        Some(own) if own == at && option.correct => "Your answer, and right. ",
                        Some(own) if own == at => "Your answer. ",
                        Some(_) if option.correct => "Right: ",
                        _ => "",
                    };
                    view! {
                        <div class=class>
                            <button type="button" disabled=move || chosen.get().is_some() on:click=choose>{option.answer}</button>
                            <p hidden=move || chosen.get().is_none()>{mark}<Prose source=option.reason /></p>
                        </div>
                    }
                })
                .collect_view()}
        </fieldset>
    }
}

#[component]
fn TaskView(task: Task) -> impl IntoView {
    let playground = Playground::expect();
    let state = LessonState::expect();
    let hints_shown = RwSignal::new(0_usize);
    let solution_shown = RwSignal::new(false);
    let checks = task.checks.clone();
    let verdicts = Memo::new(move |_| {
        let summary = playground.pages.with(|pages| Summary::of(pages));
        checks.iter().flat_map(|check| decide(check, &summary)).collect::<Vec<Verdict>>()
    });
    let id = task.id.clone();
    let passes = move || verdicts.with(|verdicts| verdicts.iter().all(|verdict| verdict.holds));
    let kept = id.clone();
    let was_done = Memo::new(move |_| state.progress.with(|progress| progress.done.contains(&kept)));
    // Progress is kept outside the page, in storage; the mark itself is derived.
    Effect::new(move |_| {
        if passes() && !state.progress.with_untracked(|progress| progress.done.contains(&id)) {
            let id = id.clone();
            state.advance(|progress| progress.done.push(id));
        }
    });
    let (hints, solution) = (task.hints.clone(), task.solution.clone());
    let hint_count = hints.len();
    view! {
        <section class="lesson-task" aria-label="Task">
            {task.text.into_iter().map(|text| view! { <p><Prose source=text /></p> }).collect_view()}
            <ul class="lesson-checks">
                {move || verdicts.get().into_iter().map(|verdict| view! { <CheckLine verdict=verdict /> }).collect_view()}
            </ul>
            <p class="lesson-passed k" role="status">
                {move || {
                    if passes() {
                        "Done. The machine agrees."
                    } else if was_done.get() {
                        "Done before."
                    } else {
                        ""
                    }
                }}
            </p>
            {move || hints.iter().take(hints_shown.get()).enumerate().map(|(at, hint)| {
                view! { <p class="lesson-hint"><strong>{format!("Hint {} of {hint_count}. ", at + 1)}</strong><Prose source=hint.clone() /></p> }
            }).collect_view()}
            {move || solution_shown.get().then(|| view! { <p class="lesson-hint"><strong>"Solution. "</strong><Prose source=solution.clone() /></p> })}
            <p class="lesson-help">
                <button type="button" class="say" disabled=move || { hints_shown.get() >= hint_count } on:click=move |_| hints_shown.update(|shown| *shown += 1)>
                    {move || if hints_shown.get() == 0 { "Hint" } else { "Next hint" }}
                </button>
                <button type="button" class="say" disabled=move || solution_shown.get() on:click=move |_| solution_shown.set(true)>"Solution"</button>
                <button type="button" class="say" on:click=move |_| playground.forget_pages()>"Reset step"</button>
            </p>
        </section>
    }
}

#[component]
fn CheckLine(verdict: Verdict) -> impl IntoView {
    let holds = verdict.holds;
    view! {
        <li data-holds=holds.to_string()>
            <svg viewBox="0 0 16 16" aria-hidden="true">
                <rect x="1" y="1" width="14" height="14" rx="3" />
                <path d="m4.5 8.2 2.4 2.4 4.8-5" />
            </svg>
            <span>{verdict.wanted} <span class="vh">{if holds { ", done" } else { ", not yet" }}</span></span>
            <span class="quiet">{verdict.found}</span>
        </li>
    }
}
