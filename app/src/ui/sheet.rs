//! Stylesheets that come with the chunk which needs them, so that the first look does not pay for them.

use leptos::prelude::document;

/// Puts a stylesheet behind all others of the page, once.
pub fn wear(name: &str, sheet: &str) {
    let place = ["style[data-of=\"", name, "\"]"].concat();
    let Some(head) = document().head() else { return };
    if head.query_selector(&place).ok().flatten().is_none() {
        let text = ["<style data-of=\"", name, "\">", sheet, "</style>"].concat();
        // A page that lets no style in shows the content all the same.
        let _ = head.insert_adjacent_html("beforeend", &text);
    }
}
