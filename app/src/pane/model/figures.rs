//! The constants in force beside AWS's, as people read and write them.

use crate::text::count;
use dynascope_engine::capacity::fidelity::{CONSTANTS, Constant};
use dynascope_engine::capacity::{Physics, Preset};
use dynascope_engine::scenario::Scenario;
use serde_json::Value as Json;

/// A constant as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What it is.
    pub constant: &'static Constant,
    /// What is in force.
    pub value: Json,
    /// What the preset has.
    pub preset: Json,
    /// What AWS's preset has.
    pub aws: Json,
}

/// All constants, in the order of the table.
pub fn figures(scenario: &Scenario) -> Vec<Figure> {
    let json = |physics: Physics| serde_json::to_value(physics).unwrap_or_default();
    let preset = Physics::preset(scenario.physics);
    // A session runs, so its figures could be read.
    let values = json(scenario.figures().unwrap_or_else(|_| preset.clone()));
    let (preset, aws) = (json(preset), json(Physics::preset(Preset::Aws)));
    let of = |figures: &Json, name: &str| figures.get(name).cloned().unwrap_or_default();
    CONSTANTS
        .iter()
        .map(|constant| Figure {
            constant,
            value: of(&values, constant.name),
            preset: of(&preset, constant.name),
            aws: of(&aws, constant.name),
        })
        .collect()
}

impl Figure {
    /// Is it another than AWS's?
    pub fn is_scaled(&self) -> bool {
        self.value != self.aws
    }

    /// Is it another than its preset's?
    pub fn is_own(&self) -> bool {
        self.value != self.preset
    }

    /// Is it on or off, rather than a number?
    pub const fn is_switch(&self) -> bool {
        self.constant.unit.is_empty()
    }

    /// As it stands in its field: `3,000`, `on`.
    pub fn field_text(&self) -> String {
        text(&self.value)
    }

    /// With its unit: `3,000 read units a second`, `10 GB`, `on`.
    pub fn value_text(&self) -> String {
        match (self.constant.unit, self.value.as_u64()) {
            ("", _) => text(&self.value),
            ("bytes", Some(bytes)) => bytes_text(bytes),
            (unit, Some(1)) => format!("1 {}", unit.strip_suffix('s').unwrap_or(unit)),
            (unit, _) => format!("{} {unit}", text(&self.value)),
        }
    }

    /// AWS's, without the unit unless it is needed: `3,000`, `10 GB`.
    pub fn aws_text(&self) -> String {
        match (self.constant.unit, self.aws.as_u64()) {
            ("bytes", Some(bytes)) => bytes_text(bytes),
            _ => text(&self.aws),
        }
    }
}

fn text(value: &Json) -> String {
    match value {
        Json::Bool(true) => "on".to_owned(),
        Json::Bool(false) => "off".to_owned(),
        value => value.as_u64().map_or_else(|| value.to_string(), count),
    }
}

/// Whole GB, MB or KB where they are, bytes else.
pub fn bytes_text(bytes: u64) -> String {
    let units = [(1_u64 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    let whole = units.into_iter().find(|(size, _)| bytes >= *size && bytes.is_multiple_of(*size));
    whole.map_or_else(|| format!("{} bytes", count(bytes)), |(size, unit)| format!("{} {unit}", count(bytes / size)))
}

/// What was typed, as a figure.
///
/// # Errors
/// What is wrong with it. Whether the model takes the figure is the engine's to say.
pub fn read(figure: &Figure, typed: &str) -> Result<Json, String> {
    if figure.is_switch() {
        return Ok(Json::Bool(typed == "on"));
    }
    let digits: String = typed.chars().filter(|letter| !matches!(letter, ',' | ' ' | '_' | '\u{a0}' | '’')).collect();
    let number: Result<u64, _> = digits.parse();
    number.map(Json::from).map_err(|_| format!("`{}` is no whole number", typed.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_they_are_written() {
        for figure in figures(&Scenario::default()) {
            assert_eq!(read(&figure, &figure.field_text()), Ok(figure.value.clone()), "{}", figure.constant.name);
            assert!(!figure.is_scaled() && !figure.is_own());
        }
        let all = figures(&Scenario::default());
        assert!(read(&all[0], "many").is_err() && read(&all[0], "-1").is_err() && read(&all[0], "").is_err());
        assert_eq!(all[2].value_text(), "10 GB");
        assert_eq!(all[3].value_text(), "1 second");
        assert_eq!((bytes_text(1_500), bytes_text(4096)), ("1,500 bytes".into(), "4 KB".into()));
    }
}
