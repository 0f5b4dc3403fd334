//! The lenses and panels, one file or folder each. Each reads the playground's views and calls its methods.

pub mod compare;
pub mod details;
pub mod header;
pub mod items;
mod minutes;
pub mod model;
pub mod partitions;
pub mod read;
pub mod share;
pub mod story;
pub mod time;
