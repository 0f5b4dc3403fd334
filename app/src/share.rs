//! A whole state as the fragment of a link: `#s=1.<payload>`, version first and in clear, then the state's JSON,
//! deflated by the browser and written in base64url without padding.
//!
//! Only letters, digits, `.`, `-` and `_`, so that chat tools leave it alone. It never reaches a server. A state
//! is unfolded with a cap: a few kilobytes could otherwise become gigabytes.

use crate::ask::Ask;
use crate::playground::{Playground, SPEEDS};
use crate::scene::Lens;
use dynascope_engine::scenario::Recording;
use dynascope_engine::time::SimTime;
use dynascope_engine::value::base64::{self, Alphabet};
use js_sys::{Reflect, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

/// Longer links than this are cut by some chat tools; the dialog warns.
pub const LONG_LINK: usize = 2_000;
/// Longer links than this are not offered: a file is.
pub const LONGEST_LINK: usize = 60_000;
/// A state that unfolds to more than this is refused.
pub const MAX_STATE_BYTES: u32 = 8 << 20;

/// Everything that is needed to show the same picture again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SharedState {
    /// Slug of the scene it started from, for its words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// The engine's state.
    pub recording: Recording,
    /// The table in focus.
    #[serde(default)]
    pub table: String,
    /// The lens.
    #[serde(default)]
    pub lens: Lens,
    /// The question.
    #[serde(default)]
    pub ask: Ask,
    /// Pages of it that had been run.
    #[serde(default)]
    pub pages: usize,
    /// The run beside it, if two are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherRun>,
    /// The moment that is looked at, where the run had come further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<SimTime>,
    /// The global index whose partitions are looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// The speed, in hundredths of real time; the page's own without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<u32>,
    /// Is the running second looked at?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub close: bool,
}

/// One of two runs that are compared: the one that is not worked on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherRun {
    /// Its beginning and what was done since, also beyond the moment that is looked at, which is the same for both.
    pub recording: Recording,
    /// Is the one that is worked on B? Else it is A.
    #[serde(default)]
    pub selected_is_b: bool,
}

impl SharedState {
    /// The state as it stands.
    pub fn of(playground: Playground) -> Self {
        let full = playground.full();
        let whole = full.and_then(|full| (full.whole)(playground));
        let now = playground.now();
        Self {
            at: whole.is_some().then_some(now),
            index: playground.index.get_untracked(),
            speed: Some(playground.speed.get_untracked()),
            close: playground.close.get_untracked(),
            scene: playground.scene.with_untracked(|scene| scene.as_ref().map(|scene| scene.slug.to_owned())),
            recording: whole.unwrap_or_else(|| playground.recording()),
            table: playground.table.get_untracked(),
            lens: playground.lens.get_untracked(),
            ask: playground.ask.get_untracked(),
            pages: playground.pages.with_untracked(Vec::len),
            other: full.and_then(|full| (full.other)(playground)),
        }
    }

    /// Puts what is looked at in its place, once the recording stands.
    pub fn look(&self, playground: Playground) {
        if let Some(speed) = self.speed.filter(|speed| SPEEDS.contains(speed)) {
            playground.speed.set(speed);
        }
        playground.close.set(self.close);
        playground.look_at(self.index.clone());
    }
}

/// Packs a state; `None` where the browser has no compression.
pub async fn encode(state: &SharedState) -> Option<String> {
    let json = serde_json::to_string(state).ok()?;
    let packed = through("CompressionStream", json.as_bytes(), u32::MAX).await.ok()?;
    Some(format!("1.{}", base64::encode(&packed, Alphabet::UrlSafe)))
}

/// Reads a state from its JSON: the one place that does.
///
/// # Errors
/// What is wrong with the JSON, in the words of its reader.
pub fn read(json: &str) -> Result<SharedState, serde_json::Error> {
    serde_json::from_str(json)
}

/// Unpacks a state.
///
/// # Errors
/// A sentence for the person who followed the link.
pub async fn decode(payload: &str) -> Result<SharedState, String> {
    let (version, packed) =
        payload.split_once('.').ok_or("This link carries no readable state; it may have been cut short.")?;
    if version != "1" {
        return Err(format!(
            "This link has version {version}, and this page reads version 1. A newer page may open it."
        ));
    }
    let damaged = || "This link is damaged; it may have been cut short on its way.".to_owned();
    if packed.len() > 2 * LONGEST_LINK {
        return Err("This link is longer than any this page makes.".into());
    }
    // Some sites percent-encode what they do not know, or add an equals sign.
    let packed = packed.split(['%', '=', '&']).next().unwrap_or_default();
    let bytes = base64::decode(packed, Alphabet::UrlSafe).ok_or_else(damaged)?;
    let json = through("DecompressionStream", &bytes, MAX_STATE_BYTES).await.map_err(|oversized| {
        if oversized { "This link unfolds to more than 8 MB and was not opened.".into() } else { damaged() }
    })?;
    let json = String::from_utf8(json).map_err(|_| damaged())?;
    read(&json).map_err(|_| damaged())
}

/// Sends bytes through one of the browser's (de)compression streams. The error tells whether the cap was hit.
async fn through(stream: &str, bytes: &[u8], cap: u32) -> Result<Vec<u8>, bool> {
    let fault = |_: JsValue| false;
    let window = web_sys::window().ok_or(false)?;
    let class: js_sys::Function = Reflect::get(&window, &stream.into()).map_err(fault)?.dyn_into().map_err(fault)?;
    let transform = Reflect::construct(&class, &js_sys::Array::of1(&"deflate-raw".into())).map_err(fault)?;
    let source = web_sys::Response::new_with_opt_js_u8_array(Some(&Uint8Array::from(bytes))).map_err(fault)?;
    let readable = source.body().ok_or(false)?;
    let pair: &web_sys::ReadableWritablePair = transform.unchecked_ref();
    let reader = readable.pipe_through(pair).get_reader();
    let read: js_sys::Function = Reflect::get(&reader, &"read".into()).map_err(fault)?.dyn_into().map_err(fault)?;
    let mut result = Vec::new();
    loop {
        let promise: js_sys::Promise = read.call0(&reader).map_err(fault)?.dyn_into().map_err(fault)?;
        let chunk = JsFuture::from(promise).await.map_err(fault)?;
        if Reflect::get(&chunk, &"done".into()).is_ok_and(|done| done.is_truthy()) {
            return Ok(result);
        }
        let value: Uint8Array = Reflect::get(&chunk, &"value".into()).map_err(fault)?.dyn_into().map_err(fault)?;
        if u32::try_from(result.len()).unwrap_or(u32::MAX).saturating_add(value.length()) > cap {
            return Err(true);
        }
        result.extend(value.to_vec());
    }
}
