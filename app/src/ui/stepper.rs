//! A number with − and + beside it, typed or stepped.

use leptos::prelude::*;

/// A whole number between `least` and `most`. Arrow keys step too, as in any number field.
#[component]
pub fn Stepper(
    /// What the number is, for screen readers.
    #[prop(into)]
    label: String,
    /// The number.
    #[prop(into)]
    value: Signal<u64>,
    /// Called with each new number, already within its bounds.
    #[prop(into)]
    on_change: Callback<u64>,
    /// Smallest and largest.
    bounds: (u64, u64),
    /// The next number up or down from one; doubling and halving suits rates better than adding.
    #[prop(into)]
    step: Callback<(u64, bool), u64>,
) -> impl IntoView {
    let (least, most) = bounds;
    let set = move |number: u64| on_change.run(number.clamp(least, most));
    let (less, more) = (format!("{label}: less"), format!("{label}: more"));
    view! {
        <span class="stepper">
            <button type="button" aria-label=less on:click=move |_| set(step.run((value.get_untracked(), false)))>
                "−"
            </button>
            <input
                type="text"
                inputmode="numeric"
                class="type"
                aria-label=label
                prop:value=move || value.get().to_string()
                on:change=move |event| {
                    let text: String = event_target_value(&event).chars().filter(char::is_ascii_digit).collect();
                    set(text.parse().unwrap_or_else(|_| value.get_untracked()));
                }
                on:keydown=move |event| {
                    let up = match event.key().as_str() {
                        "ArrowUp" => true,
                        "ArrowDown" => false,
                        _ => return,
                    };
                    event.prevent_default();
                    set(step.run((value.get_untracked(), up)));
                }
            />
            <button type="button" aria-label=more on:click=move |_| set(step.run((value.get_untracked(), true)))>
                "+"
            </button>
        </span>
    }
}
