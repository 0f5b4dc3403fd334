//! (being written)

use leptos::prelude::*;

/// (being written)
#[component]
pub fn ItemsPane() -> impl IntoView {
    view! { <p>"ItemsPane"</p> }
}
