//! Entry of the full page.
#![forbid(unsafe_code)]

use dynascope_app::shell::Shell;

fn main() {
    leptos::mount::mount_to_body(Shell);
}
