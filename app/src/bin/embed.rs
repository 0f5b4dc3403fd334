//! Entry of the embed: a build of its own, without charts and editor.
#![forbid(unsafe_code)]

use dynascope_app::embed::Embed;

fn main() {
    leptos::mount::mount_to_body(Embed);
}
