//! One test for each file of a folder.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

/// Runs `check` on every `*.extension` of `folder` and the folders in it, each as a test of its own, and ends the
/// program. A folder without such a file has lost its tests, which fails.
pub fn test_each(folder: &str, extension: &str, arguments: &Arguments, check: fn(&Path) -> Result<(), Failed>) -> ! {
    let mut files = Vec::new();
    gather(Path::new(folder), extension, &mut files);
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no *.{extension}");
    let trials = files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(folder).unwrap_or(&file).with_extension("").display().to_string();
            Trial::test(name, move || check(&file))
        })
        .collect();
    libtest_mimic::run(arguments, trials).exit()
}

fn gather(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a folder can be listed").path()) {
        if path.is_dir() {
            gather(&path, extension, files);
        } else if path.extension().is_some_and(|own| own == extension) {
            files.push(path);
        }
    }
}
