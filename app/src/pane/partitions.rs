//! (being written)

use leptos::prelude::*;

/// (being written)
#[component]
pub fn PartitionsLens() -> impl IntoView {
    view! { <p>"PartitionsLens"</p> }
}
