//! (being written)

use leptos::prelude::*;

/// (being written)
#[component]
pub fn TimeBar() -> impl IntoView {
    view! { <p>"TimeBar"</p> }
}
