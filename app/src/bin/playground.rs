//! Entry of the full page.
#![forbid(unsafe_code)]

use dynascope_app::shell::Shell;

fn main() {
    leptos::mount::mount_to_body(Shell);
    // The still that stood here until now.
    if let Some(poster) =
        web_sys::window().and_then(|window| window.document()).and_then(|page| page.get_element_by_id("poster"))
    {
        poster.remove();
    }
}
