//! Local storage that may not be there: in some frames even naming it throws. Then memory serves, and the page
//! says so.

use std::cell::RefCell;
use std::collections::BTreeMap;

thread_local! {
    static MEMORY: RefCell<BTreeMap<String, String>> = const { RefCell::new(BTreeMap::new()) };
}

const PREFIX: &str = "dynascope.";

fn store() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

/// What is kept under `key`.
pub fn get(key: &str) -> Option<String> {
    let key = format!("{PREFIX}{key}");
    store()
        .and_then(|store| store.get_item(&key).ok().flatten())
        .or_else(|| MEMORY.with_borrow(|memory| memory.get(&key).cloned()))
}

/// Keeps `value` under `key`; false if it lasts only until the tab closes.
pub fn set(key: &str, value: &str) -> bool {
    let key = format!("{PREFIX}{key}");
    let kept = store().is_some_and(|store| store.set_item(&key, value).is_ok());
    if !kept {
        MEMORY.with_borrow_mut(|memory| memory.insert(key, value.to_owned()));
    }
    kept
}
