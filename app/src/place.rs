//! Where the page stands, from its address: the query says how it looks, the fragment what it is.

use crate::theme::Theme;
use web_sys::UrlSearchParams;

/// The address, read once at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// `?scene=`
    pub scene: Option<String>,
    /// `?lesson=`
    pub lesson: Option<String>,
    /// `?theme=`
    pub theme: Option<Theme>,
    /// `?run=`: `view` (default), `click`, `load`, `never`. For embeds.
    pub run: Option<String>,
    /// `?bg=transparent`
    pub transparent: bool,
    /// `?ref=`: echoed in messages to the host.
    pub reference: Option<String>,
    /// `#s=`: a shared state.
    pub state: Option<String>,
}

impl Place {
    /// Reads the window's address.
    pub fn of_window() -> Self {
        let Some(location) = web_sys::window().map(|window| window.location()) else { return Self::default() };
        Self::parse(&location.search().unwrap_or_default(), &location.hash().unwrap_or_default())
    }

    fn parse(search: &str, hash: &str) -> Self {
        let Ok(query) = UrlSearchParams::new_with_str(search) else { return Self::default() };
        let get = |name: &str| query.get(name).filter(|value| !value.is_empty());
        Self {
            scene: get("scene"),
            lesson: get("lesson"),
            theme: get("theme").and_then(|slug| Theme::from_slug(&slug)),
            run: get("run"),
            transparent: get("bg").as_deref() == Some("transparent"),
            reference: get("ref"),
            state: hash.trim_start_matches('#').split('&').find_map(|part| part.strip_prefix("s=")).map(str::to_owned),
        }
    }
}

/// Is the page inside another one?
pub fn is_framed() -> bool {
    web_sys::window().is_some_and(|window| {
        let parent = window.parent().ok().flatten();
        parent.is_some_and(|parent| parent != window)
    })
}

/// Replaces query and fragment without a new history entry. Never in a frame, and quietly not where the browser
/// refuses.
pub fn replace(query: &str, fragment: &str) {
    if is_framed() {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    let path = window.location().pathname().unwrap_or_default();
    let address = format!("{path}{query}{fragment}");
    let replaced = window
        .history()
        .and_then(|history| history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address)));
    drop(replaced);
}

/// Adds a history entry, for what a person would want to come back from. Never in a frame.
pub fn push(query: &str) {
    if is_framed() {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    let path = window.location().pathname().unwrap_or_default();
    let pushed = window.history().and_then(|history| {
        history.push_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&format!("{path}{query}")))
    });
    drop(pushed);
}

/// The address of this page without query and fragment.
pub fn base_address() -> String {
    let Some(location) = web_sys::window().map(|window| window.location()) else { return String::new() };
    format!("{}{}", location.origin().unwrap_or_default(), location.pathname().unwrap_or_default())
}
