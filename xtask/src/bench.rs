//! `cargo xtask bench`: the engine's benchmarks, native and optimised.

use crate::failure::Result;
use crate::process;
use std::path::Path;

pub fn bench(root: &Path, arguments: &[String]) -> Result<()> {
    process::run(
        process::cargo()
            .current_dir(root)
            .args(["bench", "--package", "dynascope-engine", "--benches"])
            .args(arguments),
    )
}
