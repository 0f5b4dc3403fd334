//! The engine's own rules, read off its source: rooms use only rooms above them, files and functions fit on a
//! screen or a few, nothing is left lying about.

use std::path::{Path, PathBuf};

/// The rooms in order. A room uses only rooms above it; see the crate's front page.
const ROOMS: [&str; 19] = [
    "sorted",
    "diagnostic",
    "time",
    "value",
    "expression",
    "table",
    "capacity",
    "partition",
    "trace",
    "operation",
    "background",
    "metrics",
    "sim",
    "scenario",
    "session",
    "neighbour",
    "protocol",
    "script",
    "js",
];

const MAX_FILE_LINES: usize = 500;
const MAX_FUNCTION_LINES: usize = 70;

/// What finished code does not hold. Whatever a person may send must not end the program.
const LEFTOVERS: [&str; 8] =
    [".unwrap()", "TODO", "FIXME", "todo!(", "unimplemented!(", "dbg!(", "println!(", "unreachable!("];

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// The room a file belongs to; `None` for the front page.
    fn room(&self) -> Option<usize> {
        let first = self.path.components().next()?.as_os_str().to_string_lossy().into_owned();
        ROOMS.iter().position(|room| *room == first.trim_end_matches(".rs"))
    }

    fn is_program(&self) -> bool {
        self.path.starts_with("bin")
    }

    fn is_test(&self) -> bool {
        self.path.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs")))
    }

    /// Numbered lines that are not only a comment.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !is_comment(line))
    }

    /// The same without the unit tests at the end.
    fn product(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code().take_while(|(_, line)| line.trim() != "#[cfg(test)]")
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn sources() -> Vec<Source> {
    fn gather(root: &Path, folder: &Path, sources: &mut Vec<Source>) {
        for entry in std::fs::read_dir(folder).expect("src can be listed") {
            let path = entry.expect("src can be listed").path();
            if path.is_dir() {
                gather(root, &path, sources);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("source is text");
                sources.push(Source { path: path.strip_prefix(root).expect("inside src").to_path_buf(), text });
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    gather(&root, &root, &mut sources);
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

fn assert_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Names right after `crate::`, also in `use crate::{a, b}`.
fn used_rooms(line: &str) -> Vec<&str> {
    let mut used = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let rest = &line[at + "crate::".len()..];
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or(list));
        let names = if rest.starts_with('{') { list.split(',').collect() } else { vec![list] };
        for name in names {
            let name = name.trim();
            let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
            used.push(&name[..end]);
        }
    }
    used
}

#[test]
fn a_room_uses_only_rooms_above_it() {
    let mut complaints = Vec::new();
    let mut uses = 0;
    for source in sources() {
        let Some(room) = source.room() else {
            let name = source.name();
            // A program is no room: it stands before the house.
            let is_program = source.is_program();
            assert!(is_program || name == "lib.rs", "{name} belongs to no room; give it a place in the order");
            continue;
        };
        for (line, text) in source.code() {
            for used in used_rooms(text) {
                uses += 1;
                match ROOMS.iter().position(|name| *name == used) {
                    Some(other) if other <= room => {}
                    Some(_) => complaints.push(format!("{}:{line}: {} uses {used}", source.name(), ROOMS[room])),
                    None => complaints.push(format!("{}:{line}: `crate::{used}` is no room", source.name())),
                }
            }
        }
    }
    assert!(uses > 100, "only {uses} uses were found: this test no longer reads the source as it is written");
    assert_none(complaints);
}

#[test]
fn the_front_page_lists_exactly_the_rooms() {
    let front = sources().into_iter().find(|source| source.path == Path::new("lib.rs")).expect("there is lib.rs");
    let mut listed: Vec<&str> =
        front.code().filter_map(|(_, line)| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    listed.sort_unstable();
    let mut rooms = ROOMS;
    rooms.sort_unstable();
    assert_eq!(listed, rooms);
}

#[test]
fn files_and_functions_stay_small() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test()) {
        let lines = source.text.lines().count();
        if lines > MAX_FILE_LINES {
            complaints.push(format!("{}: {lines} lines", source.name()));
        }
        let mut open: Option<(usize, usize)> = None;
        for (line, text) in source.product() {
            let indent = text.len() - text.trim_start().len();
            match open {
                None if is_function(text) && !text.trim_end().ends_with('}') => open = Some((line, indent)),
                Some((start, own)) if indent == own && text.trim() == "}" => {
                    if line - start + 1 > MAX_FUNCTION_LINES {
                        complaints.push(format!("{}:{start}: {} lines", source.name(), line - start + 1));
                    }
                    open = None;
                }
                _ => {}
            }
        }
    }
    assert_none(complaints);
}

fn is_function(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let known = ["pub", "pub(crate)", "pub(super)", "const", "async"];
    words.find(|word| !known.contains(word)) == Some("fn")
}

#[test]
fn nothing_is_left_lying_about() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| !source.is_test() && !source.is_program()) {
        for (line, text) in source.product() {
            for leftover in LEFTOVERS.iter().filter(|leftover| text.contains(**leftover)) {
                complaints.push(format!("{}:{line}: {leftover}", source.name()));
            }
        }
        for (at, text) in source.text.lines().enumerate().filter(|(_, text)| is_comment(text)) {
            if text.contains("TODO") || text.contains("FIXME") {
                complaints.push(format!("{}:{}: {text}", source.name(), at + 1));
            }
        }
    }
    assert_none(complaints);
}

#[test]
fn the_rules_are_read_as_meant() {
    assert_eq!(used_rooms("use crate::value::{Item, Name};"), ["value"]);
    assert_eq!(used_rooms("use crate::{value::Item, time};"), ["value", "time"]);
    assert_eq!(used_rooms("fn f(x: &crate::table::Index) -> crate::time::SimTime {"), ["table", "time"]);
    assert!(is_function("    pub(super) const fn units(self) -> i64 {"));
    assert!(!is_function("    // fn is a word"));
}
