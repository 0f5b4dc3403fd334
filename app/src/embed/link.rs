//! The state of an embed in a link, both ways.

use crate::playground::Playground;
use crate::scene::Scene;
use crate::share::{self, SharedState};

/// Packs the state; `None` where it is too long for a link, or cannot be packed.
pub async fn pack(playground: Playground) -> Option<String> {
    share::encode(&SharedState::of(playground)).await.filter(|payload| payload.len() < share::LONGEST_LINK)
}

/// Opens the state in the fragment; false if it is damaged.
pub async fn open(playground: Playground, payload: String) -> bool {
    let Ok(state) = share::decode(&payload).await else { return false };
    let (ask, at) = (state.ask.clone(), state.at);
    let opened = playground.load_recording(&state.recording, &state.table, ask, state.pages).is_ok();
    if opened {
        if let Some(moment) = at {
            // A run that was done comes there again.
            playground.change(|session| session.at(moment).map(|earlier| *session = earlier).is_ok());
        }
        state.look(playground);
        playground.scene.set(state.scene.as_deref().and_then(Scene::find));
    }
    opened
}
