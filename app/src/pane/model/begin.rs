//! Begins the scene again under other constants: its tables, items and traffic as they are now, the clock at zero.

use crate::playground::Playground;
use dynascope_engine::capacity::{Physics, Preset};
use dynascope_engine::scenario::{Recording, Scenario};
use serde_json::{Map, Value as Json};

/// Under another preset; constants of one's own stay.
///
/// # Errors
/// Why it cannot be; nothing changes then.
pub fn with_preset(playground: Playground, preset: Preset) -> Result<(), String> {
    begin(playground, |scenario| scenario.physics = preset)
}

/// With one constant another.
///
/// # Errors
/// Why the model cannot take it; nothing changes then.
pub fn with_constant(playground: Playground, name: &str, value: Json) -> Result<(), String> {
    begin(playground, |scenario| {
        scenario.constants.insert(name.to_owned(), value);
    })
}

/// With all constants the preset's.
///
/// # Errors
/// Why it cannot be; nothing changes then.
pub fn with_none(playground: Playground) -> Result<(), String> {
    begin(playground, |scenario| scenario.constants = Map::new())
}

fn begin(playground: Playground, change: impl FnOnce(&mut Scenario)) -> Result<(), String> {
    let mut scenario = playground.with(dynascope_engine::session::Session::as_beginning);
    change(&mut scenario);
    forget_equals(&mut scenario);
    let (table, ask) = (playground.table.get_untracked(), playground.ask.get_untracked());
    let ran = playground.playing.get_untracked();
    let recording = Recording { scenario, journal: Vec::new() };
    playground.load_recording(&recording, &table, ask, 0).map_err(|failure| failure.message.clone())?;
    playground.playing.set(ran);
    Ok(())
}

/// A constant that is the preset's own need not be told.
fn forget_equals(scenario: &mut Scenario) {
    let preset = serde_json::to_value(Physics::preset(scenario.physics)).unwrap_or_default();
    scenario.constants.retain(|name, value| preset.get(name) != Some(value));
}
