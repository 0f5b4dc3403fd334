//! (being written)

use leptos::prelude::*;

/// (being written)
#[component]
pub fn PartitionDetails() -> impl IntoView {
    view! { <p>"PartitionDetails"</p> }
}
