//! The embed: one scene, one control.
