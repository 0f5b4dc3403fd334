//! Light, dark, or as the system says.

use crate::storage;
use leptos::prelude::*;

/// A theme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// In links and storage.
    pub const fn slug(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of a slug.
    pub fn from_slug(slug: &str) -> Option<Self> {
        [Self::Auto, Self::Light, Self::Dark].into_iter().find(|theme| theme.slug() == slug)
    }

    /// The theme kept from last time.
    pub fn kept() -> Self {
        storage::get("theme").and_then(|slug| Self::from_slug(&slug)).unwrap_or_default()
    }

    /// Keeps it for next time; false if that is not to be had here.
    pub fn keep(self) -> bool {
        storage::set("theme", self.slug())
    }

    /// Puts it on the page.
    pub fn apply(self) {
        let Some(root) = document().document_element() else { return };
        let result = match self {
            Self::Auto => root.remove_attribute("data-theme"),
            Self::Light | Self::Dark => root.set_attribute("data-theme", self.slug()),
        };
        // Setting an attribute on the root element cannot fail for these names.
        drop(result);
    }

    /// What a press of the button leads to.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Auto => Self::Dark,
            Self::Dark => Self::Light,
            Self::Light => Self::Auto,
        }
    }
}
