//! Entry of the embed: a build of its own, without charts and editor.
#![forbid(unsafe_code)]

use dynascope_app::embed::Embed;
use leptos::prelude::document;

fn main() {
    leptos::mount::mount_to_body(Embed);
    // The still picture has stood in until now.
    if let Some(poster) = document().get_element_by_id("poster") {
        poster.remove();
    }
}
