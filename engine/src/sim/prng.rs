//! Random numbers without state: a number for (seed, stream, request), by SplitMix64's finaliser.
//!
//! Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Ours to keep: links and
//! golden scripts depend on the sequence for ever.

const fn finalise(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The random number of request `k` of a stream.
pub const fn mix(seed: u64, stream: u64, k: u64) -> u64 {
    const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
    let lane = finalise(seed.wrapping_add(stream.wrapping_add(1).wrapping_mul(GOLDEN)));
    finalise(lane.wrapping_add(k.wrapping_add(1).wrapping_mul(GOLDEN)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_never_changes() {
        let golden: Vec<u64> = (0..3).map(|k| mix(7, 0, k)).collect();
        // Computed by an independent program.
        assert_eq!(golden, [0xb8b4_c297_7eab_ce45, 0xa653_05fd_338e_c8fe, 0x8ca3_cbb6_ca63_129b]);
        assert_ne!(mix(7, 0, 0), mix(7, 1, 0));
        assert_ne!(mix(7, 0, 0), mix(8, 0, 0));
    }
}
