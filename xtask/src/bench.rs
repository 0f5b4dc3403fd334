//! `cargo xtask bench`: the engine's benchmarks, native and optimised, and how soon the built page answers.

use crate::failure::Result;
use crate::process;
use std::path::Path;
use std::process::Command;

pub fn bench(root: &Path, arguments: &[String]) -> Result<()> {
    process::run(
        process::cargo()
            .current_dir(root)
            .args(["bench", "--package", "dynascope-engine", "--benches"])
            .args(arguments),
    )?;
    if root.join("dist/index.html").exists() && root.join("e2e/node_modules").exists() {
        return process::run(Command::new("node").current_dir(root).arg("e2e/bench/first-query.mjs"));
    }
    println!("the page is measured too once `cargo xtask test` has built it and fetched the browser's driver");
    Ok(())
}
