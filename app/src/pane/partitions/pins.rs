//! Pins below the hash line: where keys hash.

use super::landing::{Landing, shared_prefix};
use super::measure::arrange;
use super::seen::Seen;

/// Where a key hashes.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// As a fraction of the line.
    pub at: f64,
    /// The key.
    pub key: String,
    /// What is written at it: the part in which the keys differ; empty where there is no room.
    pub label: String,
    /// The looked-up key's?
    pub probed: bool,
}

/// Pins of the traffic's keys and of the looked-up ones; labels that would touch are left out.
pub fn pins(seen: &Seen, probe: &[Landing]) -> Vec<Pin> {
    const ROOM_FOR_A_LABEL: f64 = 0.022;
    let labelled = |keys: &[Landing], probed| {
        let prefix = shared_prefix(keys);
        let pin = |landing: &Landing| {
            let (key, label) = (landing.key.clone(), landing.key[prefix..].to_owned());
            Pin { at: landing.at, key, label, probed }
        };
        keys.iter().map(pin).collect::<Vec<Pin>>()
    };
    let mut pins = labelled(&seen.keys, false);
    pins.retain(|pin| probe.iter().all(|landing| (pin.at - landing.at).abs() > f64::EPSILON));
    pins.extend(labelled(probe, true));
    arrange(&mut pins, |a, b| a.at < b.at);
    let mut last: Option<f64> = None;
    for pin in pins.iter_mut().filter(|pin| !pin.probed || probe.len() > 1) {
        if last.is_some_and(|last| pin.at - last < ROOM_FOR_A_LABEL) {
            pin.label.clear();
        } else {
            last = Some(pin.at);
        }
    }
    pins
}
