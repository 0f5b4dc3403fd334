//! The read window: the range as one strip, drawn from its plan, with the grip that sets Limit.

use super::limit::set_limit;
use super::plan::{BRACKET_Y, Plan, plan, trail_y};
use super::twin::TextTwin;
use super::{Mark, MarkSign, ReadView, marks, words};
use crate::playground::Playground;
use crate::text::count;
use crate::ui::live::{click, maybe, part, words};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, KeyboardEvent, PointerEvent, ResizeObserver};

/// Keeps `width` at the width of a node.
pub fn measure(node: NodeRef<leptos::html::Div>, width: RwSignal<f64>) {
    node.on_load(move |element| {
        let target = element.clone();
        let callback = Closure::<dyn FnMut()>::new(move || {
            let now = f64::from(target.client_width());
            if now > 0.0 && (now - width.get_untracked()).abs() > 0.5 {
                width.set(now);
            }
        });
        if let Ok(observer) = ResizeObserver::new(callback.as_ref().unchecked_ref()) {
            observer.observe(&element);
            let owned = StoredValue::new_local((observer, callback));
            on_cleanup(move || owned.with_value(|(observer, _)| observer.disconnect()));
        } else {
            callback.forget();
        }
    });
}

/// The strip with its heading, or its twin in words.
#[component]
pub fn ReadWindow(width: RwSignal<f64>) -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let as_text = RwSignal::new(false);
    view! {
        <section class="window" aria-label="Read window">
            <div class="window-head">
                <Heading />
                <button type="button" class="say" aria-pressed=words(move || as_text.get().to_string()) on:click=click(move |_| as_text.update(|on| *on = !*on))>
                    "As text"
                </button>
            </div>
            {part(move || {
                if as_text.get() {
                    return view! { <TextTwin /> }.into_any();
                }
                let Some(figure) = view.figure() else { return ().into_any() };
                if figure.total == 0 {
                    return view! { <Empty scan=figure.operation == "Scan" /> }.into_any();
                }
                ().into_any()
            })}
            <Show when=move || !as_text.get() && view.figure().is_some_and(|figure| figure.total > 0)>
                <Drawing width=width />
            </Show>
        </section>
    }
}

#[component]
fn Heading() -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let read = move || {
        let figure = view.figure()?;
        let soon = figure.run.is_empty();
        let (read, shown) = if soon {
            figure.next.as_ref().map(|facts| (facts.read, facts.shown))?
        } else {
            (figure.sums().0, figure.sums().1)
        };
        let [read_, shown_, dropped] = [read, shown, read.saturating_sub(shown)].map(|number| count(number as u64));
        Some(view! {
            <p class="window-count">
                <strong>{read_}{if soon { " would be read: " } else { " evaluated: " }}</strong>
                <strong class="k">{shown_}" kept"</strong>
                ", "
                <strong class="f">{dropped}" filtered out"</strong>
            </p>
        })
    };
    let rest = move || {
        view.figure().map(|figure| {
            view! {
                <p class="window-rest">
                    {count(figure.not_reached() as u64)} " not reached" <MarkSign mark=Mark::Unread />
                </p>
            }
        })
    };
    view! { <h2 class="vh">"Read window"</h2> {read} {rest} }
}

#[component]
fn Empty(scan: bool) -> impl IntoView {
    let playground = Playground::expect();
    let clear = move |_| playground.edit_ask(|ask| ask.partition.clear());
    if scan {
        view! {
            <p class="window-empty">"Nothing is stored here. Add an item, paste some, or generate them: under Items."</p>
        }
        .into_any()
    } else {
        view! {
            <p class="window-empty">
                "No item has this partition key. "
                <button type="button" class="say" on:click=clear>"Scan everything"</button>
                " to see which keys there are."
            </p>
        }
        .into_any()
    }
}

#[component]
fn Drawing(width: RwSignal<f64>) -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let plan = Memo::new(move |_| view.figure().map(|figure| plan(&figure, width.get())).unwrap_or_default());
    let label = move || view.figure().map(|figure| words::strip_text(&figure)).unwrap_or_default();
    let more = move || {
        let figure = view.figure()?;
        let more = figure.total.checked_sub(figure.items.len()).filter(|more| *more > 0)?;
        Some(view! { <p class="note">{format!("and {} more that are not drawn", count(more as u64))}</p> })
    };
    view! {
        <div class="window-strip" style:height=words(move || format!("{}px", plan.with(|plan| plan.height)))>
            <svg width="100%" height="100%" role="img" aria-label=label>
                {part(move || plan.with(drawn))}
            </svg>
            <Show when=move || plan.with(|plan| plan.bracket.is_some())>
                <Grip plan=plan />
            </Show>
        </div>
        {more}
    }
}

fn drawn(plan: &Plan) -> impl IntoView + use<> {
    let bars = plan.bars.iter().map(|(class, path)| view! { <path class=*class d=path.clone() /> }).collect_view();
    let dots = plan.dots.iter().map(|dot| marks::shape(dot.mark, dot.x, dot.y, dot.r)).collect_view();
    let words = plan.words.iter().map(|word| {
        view! { <text class=word.class x=word.x y=word.y text-anchor=word.anchor>{word.text.clone()}</text> }
    });
    let trail = plan.trail.iter().map(|trail| {
        let class = if trail.run { "trail trail-run" } else { "trail" };
        view! { <line class=class x1=trail.x1 x2=trail.x2 y1=trail_y() y2=trail_y() /> }
    });
    let caret = plan.caret.as_ref().map(|caret| {
        let (x, y) = (caret.x, caret.y);
        let class = if caret.run { "caret" } else { "caret caret-soon" };
        view! {
            <g class=class>
                <line x1=x x2=x y1=caret.top y2=y />
                <path d=format!("M{x:.1} {:.1}l6.5 12h-13z", y - 6.0) />
            </g>
        }
    });
    let bracket = plan.bracket.map(|end| {
        view! { <path class="bracket" d=format!("M0.5 {:.1}V{BRACKET_Y}H{end:.1}V{:.1}", BRACKET_Y + 9.0, BRACKET_Y + 9.0) /> }
    });
    (bars, dots, trail.collect_view(), caret, bracket, words.collect_view())
}

/// The grip at the bracket's end.
#[component]
fn Grip(plan: Memo<Plan>) -> impl IntoView {
    let playground = Playground::expect();
    let view = ReadView::of(playground);
    let held = StoredValue::new(None::<f64>);
    let limit = Memo::new(move |_| playground.ask.with(|ask| ask.limit));
    let most = move || view.figure().map_or(1, |figure| figure.items.len().max(1)) as u32;
    let now = move || limit.get().unwrap_or_else(most);
    let to = move |limit: u32| set_limit(playground, Some(limit.clamp(1, most())));
    let pressed = move |event: PointerEvent| {
        let Some(grip) = event.current_target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) else {
            return;
        };
        // A pointer that is gone already cannot be captured, nor dragged.
        if grip.set_pointer_capture(event.pointer_id()).is_ok() {
            let end = plan.with_untracked(|plan| plan.bracket.unwrap_or_default());
            held.set_value(Some(f64::from(event.client_x()) - end));
        }
    };
    let moved = move |event: PointerEvent| {
        if let Some(offset) = held.get_value() {
            let step = plan.with_untracked(|plan| plan.step).max(0.01);
            to(((f64::from(event.client_x()) - offset) / step).round().max(1.0) as u32);
        }
    };
    let keyed = move |event: KeyboardEvent| {
        let now = now();
        let next = match event.key().as_str() {
            "ArrowRight" | "ArrowUp" => now.saturating_add(1),
            "ArrowLeft" | "ArrowDown" => now.saturating_sub(1),
            "PageUp" => now.saturating_add(10),
            "PageDown" => now.saturating_sub(10),
            "Home" => 1,
            "End" => most(),
            _ => return,
        };
        event.prevent_default();
        to(next);
    };
    let left = move || format!("{}px", plan.with(|plan| plan.bracket.unwrap_or_default()));
    let label =
        move || limit.get().map_or_else(|| "no Limit".to_owned(), |limit| format!("Limit {}", count(limit.into())));
    let flips = move || view.figure().is_some_and(|figure| now() as usize * 3 > figure.items.len() * 2);
    view! {
        <div class="grip" style:left=left data-flip=maybe(move || flips().then_some(""))>
            <span
                class="grip-knob"
                role="slider"
                tabindex="0"
                aria-label="Drag Limit"
                aria-valuemin="1"
                aria-valuemax=most
                aria-valuenow=words(move || now().min(most()).to_string())
                aria-valuetext=label
                on:pointerdown=pressed
                on:pointermove=moved
                on:pointerup=move |_| held.set_value(None)
                on:pointercancel=move |_| held.set_value(None)
                on:keydown=keyed
            ></span>
            <span class="grip-label"><strong>{label}</strong> <span class="note">" drag"</span></span>
        </div>
    }
}
