//! Copying text. Where the browser does not allow it, the caller shows the text to copy by hand.

use wasm_bindgen_futures::JsFuture;

/// Copies; false if the browser refused.
pub async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else { return false };
    // The clipboard is missing in insecure and sandboxed frames; asking it then would throw.
    let navigator = window.navigator();
    let present =
        js_sys::Reflect::get(navigator.as_ref(), &"clipboard".into()).is_ok_and(|found| !found.is_undefined());
    present && JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}
