//! The built-in scenes: a recording to start from, the words beside it, and how it is first looked at.

mod source;
mod words;

pub use words::{ORDERS, Remedy, RemedyAction, Words, words};

use self::source::source;
use crate::ask::{Ask, SortOperator};
use dynascope_engine::scenario::{Recording, Scenario};
use serde::{Deserialize, Serialize};

/// What the middle of the page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lens {
    /// Ask a question, see what is read.
    #[default]
    Read,
    /// Send traffic, see where it lands.
    Partitions,
}

/// A scene: what the picker and an address need of it. Its [`Words`] come with what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scene {
    /// In links: `?scene=`.
    pub slug: &'static str,
    /// In the picker.
    pub name: &'static str,
    /// The first lens.
    pub lens: Lens,
    /// The table in focus.
    pub table: &'static str,
    /// Its first speed, in hundredths of real time.
    pub speed: u32,
}

/// All built-in scenes, in the picker's order.
pub const SCENES: [Scene; 12] = [
    Scene { slug: "orders", name: "Orders", lens: Lens::Read, table: "app", speed: 100 },
    Scene { slug: "hot-key", name: "Morning job queue", lens: Lens::Partitions, table: "jobs", speed: 100 },
    Scene { slug: "buckets", name: "Eight buckets", lens: Lens::Partitions, table: "buckets", speed: 100 },
    Scene { slug: "warm-keys", name: "Warm keys", lens: Lens::Partitions, table: "carts", speed: 6000 },
    Scene { slug: "saved-burst", name: "Saved burst", lens: Lens::Partitions, table: "profiles", speed: 6000 },
    Scene { slug: "first-wave", name: "First wave", lens: Lens::Partitions, table: "signups", speed: 6000 },
    Scene { slug: "big-tenant", name: "One big tenant", lens: Lens::Partitions, table: "events", speed: 100 },
    Scene { slug: "outbox", name: "An index that pushes back", lens: Lens::Partitions, table: "outbox", speed: 100 },
    Scene { slug: "late-index", name: "A late index", lens: Lens::Partitions, table: "tickets", speed: 100 },
    Scene { slug: "late-scaling", name: "Late scaling", lens: Lens::Partitions, table: "orders", speed: 6000 },
    Scene { slug: "front-page", name: "The front page", lens: Lens::Partitions, table: "posts", speed: 100 },
    Scene { slug: "todays-date", name: "Today’s date", lens: Lens::Partitions, table: "readings", speed: 1_000_000 },
];

impl Scene {
    /// The scene of a slug.
    pub fn find(slug: &str) -> Option<Self> {
        SCENES.into_iter().find(|scene| scene.slug == slug)
    }

    /// The words of the first scene, which the page has from the beginning.
    pub fn own_words(&self) -> Option<&'static Words> {
        (self.slug == "orders").then_some(&ORDERS)
    }

    /// The scenario of the first scene, which the page has from the beginning.
    pub fn own_source(&self) -> Option<&'static str> {
        (self.slug == "orders").then_some(source::ORDERS)
    }

    /// Where it starts. The sources are checked by a test; an unreadable one would start empty.
    pub fn recording(&self) -> Recording {
        let scenario: Scenario = serde_json::from_str(source(self.slug)).unwrap_or_default();
        Recording { scenario, journal: Vec::new() }
    }

    /// The question it starts with.
    pub fn ask(&self) -> Ask {
        match self.slug {
            "orders" => {
                let mut ask = Ask {
                    index: Some("GSI1".into()),
                    partition: "TENANT#42#CUST#7".into(),
                    sort: SortOperator::Any,
                    filter: "#status = :status".into(),
                    limit: Some(10),
                    ..Ask::default()
                };
                ask.names.insert("#status".into(), "status".into());
                ask.values.insert(":status".into(), "cancelled".into());
                ask
            }
            _ => Ask::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynascope_engine::session::Session;

    #[test]
    fn every_scene_starts() {
        for scene in SCENES {
            let scenario: Scenario = serde_json::from_str(source(scene.slug)).expect(scene.slug);
            let session = Session::new(scenario).expect(scene.slug);
            assert!(session.database().get(scene.table).is_some(), "{}", scene.slug);
        }
    }
}
