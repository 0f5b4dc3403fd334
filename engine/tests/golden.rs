//! Golden scripts: each file in `golden/` and its folders is a test, as `src/script` describes them. A script says in its header,
//! written before it was run, which figures are expected and why.
//!
//! `UPDATE_GOLDENFILES=1 cargo test` writes the outputs anew; they are read before they are committed.

#[path = "support/folder.rs"]
mod folder;

use libtest_mimic::{Arguments, Failed};
use std::io::Write as _;
use std::path::Path;

fn main() {
    folder::test_each("tests/golden", "script", &Arguments::from_args(), check_script)
}

fn check_script(file: &Path) -> Result<(), Failed> {
    let output = dynascope_engine::script::run(&std::fs::read_to_string(file)?)?;
    let name = file.file_name().ok_or("a file has a name")?;
    let folder = file.parent().ok_or("a file has a folder")?;
    goldenfile::Mint::new(folder).new_goldenfile(name)?.write_all(output.as_bytes())?;
    Ok(())
}
