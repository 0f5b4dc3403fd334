//! The playground and the embed.
#![forbid(unsafe_code)]
