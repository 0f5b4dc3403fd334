//! The playground: one engine session, a handful of published views, and lenses that draw them.
//!
//! Data flow: a click or keystroke changes [`ask::Ask`] or calls [`playground::Playground`], which owns the engine session;
//! after each command or frame it publishes plain views into signals; panes derive everything else. The engine is
//! never a signal, and no effect writes one.
#![forbid(unsafe_code)]

pub mod ask;
pub mod chart;
pub mod chunk;
pub mod clipboard;
pub mod editor;
pub mod embed;
pub mod frame;
pub mod lesson;
pub mod pane;
pub mod place;
pub mod playground;
pub mod scene;
pub mod share;
pub mod shell;
pub mod storage;
pub mod text;
pub mod theme;
pub mod ui;
