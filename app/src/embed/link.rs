//! The state of an embed in a link, both ways.

use crate::playground::Playground;
use crate::scene::Scene;
use crate::share::{self, SharedState};
use dynascope_engine::scenario::Command;

/// Packs the state; `None` where it is too long for a link, or cannot be packed.
pub async fn pack(playground: Playground) -> Option<String> {
    share::encode(&SharedState::of(playground)).await.filter(|payload| payload.len() < share::LONGEST_LINK)
}

/// Opens the state in the fragment; false if it is damaged.
pub async fn open(playground: Playground, payload: String) -> bool {
    let Ok(mut state) = share::decode(&payload).await else { return false };
    if let Some(moment) = state.at {
        // An embed does not go back in time: what comes after the moment that is looked at is left out.
        let is_beyond = |command: &Command| matches!(command, Command::Advance { to, .. } if *to > moment);
        let journal = &mut state.recording.journal;
        journal.truncate(journal.iter().position(is_beyond).unwrap_or(journal.len()));
    }
    let ask = state.ask.clone();
    let opened = playground.load_recording(&state.recording, &state.table, ask, state.pages).is_ok();
    if opened {
        if let Some(moment) = state.at {
            playground.advance(moment, u64::MAX);
        }
        state.look(playground);
        playground.scene.set(state.scene.as_deref().and_then(Scene::find));
    }
    opened
}
