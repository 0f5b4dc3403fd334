//! (being written)

use leptos::prelude::*;

/// (being written)
#[component]
pub fn ReadLens() -> impl IntoView {
    view! { <p>"ReadLens"</p> }
}
