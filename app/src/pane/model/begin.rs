//! Begins the scene again under other constants: its tables, items and traffic as they are now, the clock at zero. Of
//! two runs both begin again, for constants are the world's and not a design's.

use crate::pane::time::begin_anew;
use crate::playground::Playground;
use dynascope_engine::capacity::{Physics, Preset};
use dynascope_engine::scenario::Scenario;
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
        scenario.constants.insert(name.to_owned(), value.clone());
    })
}

/// With all constants the preset's.
///
/// # Errors
/// Why it cannot be; nothing changes then.
pub fn with_none(playground: Playground) -> Result<(), String> {
    begin(playground, |scenario| scenario.constants = Map::new())
}

fn begin(playground: Playground, change: impl Fn(&mut Scenario)) -> Result<(), String> {
    let ran = playground.playing.get_untracked();
    let index = playground.index.get_untracked();
    begin_anew(playground, &|scenario| {
        change(scenario);
        forget_equals(scenario);
    })
    .map_err(|failure| failure.message.clone())?;
    playground.look_at(index);
    playground.playing.set(ran);
    Ok(())
}

/// A constant that is the preset's own need not be told.
fn forget_equals(scenario: &mut Scenario) {
    let preset = serde_json::to_value(Physics::preset(scenario.physics)).unwrap_or_default();
    scenario.constants.retain(|name, value| preset.get(name) != Some(value));
}
