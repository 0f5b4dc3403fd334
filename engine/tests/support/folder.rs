//! One test for each file of a folder.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Runs `check` on every `*.extension` of `folder`, each as a test of its own, and ends the program. A folder
/// without such a file has lost its tests, which fails.
pub fn test_each(folder: &str, extension: &str, arguments: &Arguments, check: fn(&Path) -> Result<(), Failed>) -> ! {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a folder can be listed").path()).collect();
    files.retain(|file| file.extension().is_some_and(|own| own == extension));
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no *.{extension}");
    let trials = files
        .into_iter()
        .map(|file| {
            let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            Trial::test(name, move || check(&file))
        })
        .collect();
    libtest_mimic::run(arguments, trials).exit()
}
