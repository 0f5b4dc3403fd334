//! Entry of the embed.
use leptos::prelude::*;

fn main() {
    leptos::mount::mount_to_body(|| view! { <h1>"Dynascope embed"</h1> });
}
