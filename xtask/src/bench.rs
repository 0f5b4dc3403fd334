//! `cargo xtask bench`: the engine's benchmarks, native, optimised, and as WebAssembly, and how soon the built page
//! answers.

use crate::failure::Result;
use crate::{process, site};
use std::path::Path;
use std::process::Command;

pub fn bench(root: &Path, arguments: &[String]) -> Result<()> {
    process::run(
        process::cargo()
            .current_dir(root)
            .args(["bench", "--package", "dynascope-engine", "--benches"])
            .args(arguments),
    )?;
    let node = |script: &str| process::run(Command::new("node").current_dir(root).arg(script));
    site::build_engine_for_node(root)?;
    node("e2e/bench/engine.mjs")?;
    if root.join("dist/index.html").exists() && root.join("e2e/node_modules").exists() {
        return node("e2e/bench/first-query.mjs");
    }
    println!("the page is measured too once `cargo xtask test` has built it and fetched the browser's driver");
    Ok(())
}
