//! The part of `wasm-streams` that Leptos's server functions are compiled against, without anything behind it.
//!
//! The real crate exports its classes to JavaScript, and an export keeps its code: some 20 KB that no page here ever
//! calls, since no function here runs on a server. A stream that is made from here is empty.
#![forbid(unsafe_code)]

use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use wasm_bindgen::JsValue;

/// A stream of the browser.
#[derive(Clone, Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Takes one of the browser's streams.
    pub const fn from_raw(stream: web_sys::ReadableStream) -> Self {
        Self(stream)
    }

    /// An empty stream, whatever it is given.
    ///
    /// # Panics
    /// Where the browser has no streams.
    pub fn from_stream<S>(_stream: S) -> Self
    where
        S: Stream<Item = Result<JsValue, JsValue>> + 'static,
    {
        Self(web_sys::ReadableStream::new().expect("browsers that run WebAssembly have streams"))
    }

    /// The browser's stream.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// What is read from it: nothing.
    pub fn into_stream(self) -> Nothing {
        Nothing
    }
}

/// A stream that is at its end.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Stream for Nothing {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(None)
    }
}
