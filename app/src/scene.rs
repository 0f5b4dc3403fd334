//! The built-in scenes: a recording to start from, the words beside it, and how it is first looked at.

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

/// One remedy offered beside a scene: a change to the traffic or the table, and what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The link's text.
    pub name: &'static str,
    /// What it shows.
    pub note: &'static str,
    /// What it does.
    pub action: RemedyAction,
}

/// What a remedy does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemedyAction {
    /// Replaces the key template of the traffic.
    Key(&'static str),
    /// Doubles what the table pays for.
    Double,
    /// Switches the table to on-demand.
    OnDemand,
    /// Starts the scene again.
    Reset,
}

/// A scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// In links: `?scene=`.
    pub slug: &'static str,
    /// In the picker.
    pub name: &'static str,
    /// Above its text.
    pub heading: &'static str,
    /// Paragraphs; `code` between backticks, **strong** between double asterisks.
    pub prose: &'static [&'static str],
    /// Remedies, if it has a problem.
    pub remedies: &'static [Remedy],
    /// The first lens.
    pub lens: Lens,
    /// The table in focus.
    pub table: &'static str,
    source: &'static str,
}

const REMEDIES_HOT_KEY: &[Remedy] = &[
    Remedy {
        name: "Ten suffixes",
        note: "The refusals fall, and do not end: ten suffixes are not ten partitions.",
        action: RemedyAction::Key("PENDING#{0..9}"),
    },
    Remedy {
        name: "Double the table",
        note: "Twice the price; the key still gets 1,000.",
        action: RemedyAction::Double,
    },
    Remedy {
        name: "Go on-demand",
        note: "The table's line goes, the partition's ceiling stays.",
        action: RemedyAction::OnDemand,
    },
    Remedy { name: "As it was", note: "One key, 3,333 write units.", action: RemedyAction::Reset },
];

/// All built-in scenes, in the picker's order.
pub const SCENES: [Scene; 3] = [
    Scene {
        slug: "orders",
        name: "Orders",
        heading: "Ten read, two shown",
        prose: &[
            "A shop keeps its orders in one table. Customer 7 has thirty-one of them, listed by date in the index `GSI1`; six are cancelled.",
            "Ask for the cancelled ones, **ten at a time**. DynamoDB reads ten in sort order, charges for ten, and only then applies the filter. What is left may be two, or none.",
            "A short page is not the last page. Only a missing `LastEvaluatedKey` says that nothing is left.",
        ],
        remedies: &[],
        lens: Lens::Read,
        table: "app",
        source: include_str!("../../public/scenes/orders.json"),
    },
    Scene {
        slug: "hot-key",
        name: "Morning job queue",
        heading: "One status, five thousand writes",
        prose: &[
            "At eight the scheduler files the day’s jobs. Every job waits under the same status, so every write goes to the same partition key.",
            "A key is hashed to one point of the hash line, and each point belongs to one partition. Three of four partitions stand idle while one turns four writes in five away.",
        ],
        remedies: REMEDIES_HOT_KEY,
        lens: Lens::Partitions,
        table: "jobs",
        source: include_str!("../../public/scenes/hot-key.json"),
    },
    Scene {
        slug: "buckets",
        name: "Eight buckets",
        heading: "Where a key lands",
        prose: &[
            "Eight partitions, and a key that you type. Write it eight times: the same key has the same hash, so all eight land in one bucket, whatever the sort key is.",
            "Put a number behind it, `VIDEO#42#{0..7}`, and write eight again. Now they spread, but **unevenly**: eight suffixes seldom fall into eight different buckets.",
        ],
        remedies: &[],
        lens: Lens::Partitions,
        table: "buckets",
        source: include_str!("../../public/scenes/buckets.json"),
    },
];

impl Scene {
    /// The scene of a slug.
    pub fn find(slug: &str) -> Option<Self> {
        SCENES.into_iter().find(|scene| scene.slug == slug)
    }

    /// Where it starts, as text.
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// Where it starts. The sources are checked by a test; an unreadable one would start empty.
    pub fn recording(&self) -> Recording {
        let scenario: Scenario = serde_json::from_str(self.source).unwrap_or_default();
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
            let scenario: Scenario = serde_json::from_str(scene.source).expect(scene.slug);
            let session = Session::new(scenario).expect(scene.slug);
            assert!(session.database().get(scene.table).is_some(), "{}", scene.slug);
        }
    }
}
