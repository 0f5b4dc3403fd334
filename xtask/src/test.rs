//! `cargo xtask test`: every check there is, with the counts on the last line.
//!
//! The steps are run one after the other. A failing one does not keep the others from running,
//! save that a site that did not build cannot be measured or opened: those steps then count as
//! failed. A step that ran no test at all has failed.

use crate::failure::{Context, Failure, Result, unknown_argument, value_of};
use crate::process::{self, answer, watch};
use crate::{site, size, tools};
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

pub struct Options {
    steps: Vec<Step>,
}

impl Options {
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let mut steps = Step::ALL.to_vec();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--only" => {
                    let names: Vec<&str> = value_of(argument, &mut arguments)?.split(',').collect();
                    if let Some(unknown) = names.iter().find(|name| Step::named(name).is_none()) {
                        return Err(unknown_argument(unknown));
                    }
                    steps.retain(|step| names.contains(&step.name()));
                }
                _ => return Err(unknown_argument(argument)),
            }
        }
        Ok(Self { steps })
    }
}

/// Runs the steps; the exit code says whether all of them passed.
pub fn test(root: &Path, options: &Options) -> ExitCode {
    if let Err(failure) = require_prerequisites(root, &options.steps) {
        println!("error: {failure}\n\n0 passed, 1 failed");
        return ExitCode::FAILURE;
    }
    let mut reports = Vec::new();
    let mut site_is_missing = false;
    for step in &options.steps {
        println!("\n== {}: {}", step.name(), step.title());
        let start = Instant::now();
        let needs_site = matches!(step, Step::Size | Step::E2e);
        let result = if needs_site && site_is_missing {
            Err(Failure::new("there is no site, as the build failed"))
        } else {
            step.run(root)
        };
        let counts = result.unwrap_or_else(|failure| {
            println!("error: {failure}");
            Counts::ONE_FAILED
        });
        site_is_missing |= *step == Step::Build && counts.failed > 0;
        reports.push((*step, counts, start.elapsed()));
    }
    summary(&reports)
}

fn summary(reports: &[(Step, Counts, Duration)]) -> ExitCode {
    println!("\n== summary");
    let mut total = Counts::default();
    for (step, counts, time) in reports {
        println!("{:<7} {:>5} passed {:>5} failed {:>6} s", step.name(), counts.passed, counts.failed, time.as_secs());
        total += *counts;
    }
    println!("\n{} passed, {} failed", total.passed, total.failed);
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Fmt,
    Clippy,
    Native,
    Wasm,
    Build,
    Size,
    E2e,
}

impl Step {
    const ALL: [Self; 7] = [Self::Fmt, Self::Clippy, Self::Native, Self::Wasm, Self::Build, Self::Size, Self::E2e];

    fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Native => "native",
            Self::Wasm => "wasm",
            Self::Build => "build",
            Self::Size => "size",
            Self::E2e => "e2e",
        }
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    fn title(self) -> &'static str {
        match self {
            Self::Fmt => "the code is formatted",
            Self::Clippy => "clippy has no complaint",
            Self::Native => "native tests",
            Self::Wasm => "tests of the engine as WebAssembly, in Node",
            Self::Build => "the release site builds",
            Self::Size => "the site keeps to its size budgets",
            Self::E2e => "browser tests of the release site",
        }
    }

    fn run(self, root: &Path) -> Result<Counts> {
        match self {
            Self::Fmt => format_check(root).map(|()| Counts::ONE_PASSED),
            Self::Clippy => clippy(root).map(|()| Counts::ONE_PASSED),
            Self::Native => native_tests(root),
            Self::Wasm => wasm_tests(root),
            Self::Build => site::build(root).map(|()| Counts::ONE_PASSED),
            Self::Size => size::check(&root.join("dist")).map(|()| Counts::ONE_PASSED),
            Self::E2e => browser_tests(root),
        }
    }
}

fn format_check(root: &Path) -> Result<()> {
    process::run(process::cargo().current_dir(root).args(["fmt", "--all", "--check"]))
}

/// Twice, since the app has parts that only the browser's build sees.
fn clippy(root: &Path) -> Result<()> {
    let deny = ["--", "--deny", "warnings"];
    process::run(
        process::cargo()
            .current_dir(root)
            .args(["clippy", "--workspace", "--all-targets", "--all-features"])
            .args(deny),
    )?;
    tools::add_wasm_target(root)?;
    process::run(
        process::cargo()
            .current_dir(root)
            .args(["clippy", "--package", "dynascope-app"])
            .args(["--target", site::WASM_TARGET])
            .args(deny),
    )
}

fn native_tests(root: &Path) -> Result<Counts> {
    let mut counts = Counts::default();
    let ended_well = watch(
        process::cargo().current_dir(root).args(["test", "--workspace", "--all-features", "--no-fail-fast"]),
        |line| counts += cargo_counts(line).unwrap_or_default(),
    )?;
    Ok(counts.judged(ended_well))
}

fn wasm_tests(root: &Path) -> Result<Counts> {
    let files = test_files(&root.join("e2e/wasm"))?;
    site::build_engine_for_node(root)?;
    node_tests(Command::new("node").current_dir(root), &files)
}

fn browser_tests(root: &Path) -> Result<Counts> {
    let e2e = root.join("e2e");
    let files = test_files(&e2e.join("tests"))?;
    if !root.join("dist/index.html").is_file() {
        return Err(Failure::new("there is no site in dist/").remedy("`cargo xtask build`"));
    }
    install_packages(&e2e)?;
    let this_program = std::env::current_exe().context(|| "cannot tell where this program is".into())?;
    node_tests(Command::new("node").current_dir(&e2e).env("DYNASCOPE_XTASK", this_program), &files)
}

/// Asked before anything else, as it would be a pity to hear of it only after ten minutes.
fn require_prerequisites(root: &Path, steps: &[Step]) -> Result<()> {
    tools::require_node()?;
    if !steps.contains(&Step::E2e) {
        return Ok(());
    }
    let mut find = Command::new("node");
    find.arg(root.join("e2e/lib/browser.mjs"));
    let browser = answer(&mut find).ok_or_else(|| {
        Failure::new("no Chromium was found for the browser tests")
            .remedy("install Chromium or Chrome, or name it in the environment variable CHROMIUM")
    })?;
    println!("the browser is {browser}");
    Ok(())
}

/// Installs the browser tests' packages, unless that was done after the last change to their list.
fn install_packages(e2e: &Path) -> Result<()> {
    let changed = |name: &str| fs::metadata(e2e.join(name)).and_then(|data| data.modified());
    let wanted = changed("package-lock.json").context(|| "e2e/package-lock.json".into())?;
    let installed = changed("node_modules/.package-lock.json");
    if installed.is_ok_and(|installed| installed >= wanted) {
        return Ok(());
    }
    process::run(process::npm().current_dir(e2e).args(["ci", "--no-audit", "--no-fund"]))
}

/// The `*.test.mjs` of a folder, in the order of their names. None at all is a failure.
fn test_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|file| file.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(Failure::new(format!("{} holds no *.test.mjs", folder.display())));
    }
    Ok(files)
}

fn node_tests(node: &mut Command, files: &[PathBuf]) -> Result<Counts> {
    let mut counts = Counts::default();
    let ended_well = watch(
        node.env("NO_COLOR", "1")
            .env_remove("FORCE_COLOR")
            // One browser at a time: tests that measure time would disturb each other.
            .args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
            .args(files),
        |line| counts += node_counts(line).unwrap_or_default(),
    )?;
    Ok(counts.judged(ended_well))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u32,
    failed: u32,
}

impl Counts {
    const ONE_PASSED: Self = Self { passed: 1, failed: 0 };
    const ONE_FAILED: Self = Self { passed: 0, failed: 1 };

    /// A runner that failed without naming a test, or found no test, counts as one failure.
    fn judged(self, ended_well: bool) -> Self {
        let nothing_ran = self.passed + self.failed == 0;
        let failed_unnamed = !ended_well && self.failed == 0;
        if nothing_ran {
            println!("error: no test ran");
        }
        Self { failed: self.failed + u32::from(nothing_ran || failed_unnamed), ..self }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Reads `test result: ok. 5 passed; 0 failed; 1 ignored; …`, the end of one of cargo's test programs.
fn cargo_counts(line: &str) -> Option<Counts> {
    let (_, figures) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let figure = |name: &str| figures.split("; ").find_map(|part| part.strip_suffix(name)?.trim().parse().ok());
    Some(Counts { passed: figure("passed")?, failed: figure("failed")? })
}

/// Reads one line of the summary of Node's test runner, such as `ℹ pass 5`. A test that was skipped
/// has shown nothing, and counts as failed.
fn node_counts(line: &str) -> Option<Counts> {
    let (name, figure) = line.strip_prefix("ℹ ")?.split_once(' ')?;
    let figure = figure.parse().ok()?;
    match name {
        "pass" => Some(Counts { passed: figure, failed: 0 }),
        "fail" | "cancelled" | "skipped" => Some(Counts { passed: 0, failed: figure }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_ends_each_test_program_with_its_counts() {
        let line = "test result: FAILED. 41 passed; 2 failed; 1 ignored; 0 measured; \
                    0 filtered out; finished in 0.02s";
        let counts = Counts { passed: 41, failed: 2 };
        assert_eq!(cargo_counts(line), Some(counts));
        assert_eq!(cargo_counts("test a::b ... ok"), None);
    }

    #[test]
    fn node_ends_with_one_count_a_line() {
        assert_eq!(node_counts("ℹ pass 1"), Some(Counts::ONE_PASSED));
        assert_eq!(node_counts("ℹ skipped 1"), Some(Counts::ONE_FAILED));
        assert_eq!(node_counts("ℹ tests 3"), None);
        assert_eq!(node_counts("pass 3"), None);
    }

    #[test]
    fn silence_is_a_failure() {
        assert_eq!(Counts::default().judged(true), Counts::ONE_FAILED);
        assert_eq!(Counts::ONE_PASSED.judged(false).failed, 1);
        assert_eq!(Counts::ONE_PASSED.judged(true), Counts::ONE_PASSED);
        assert_eq!(Counts::ONE_FAILED.judged(false), Counts::ONE_FAILED);
    }

    #[test]
    fn steps_are_chosen_by_name() {
        let parse = |words: [&str; 2]| Options::parse(&words.map(String::from));
        let steps = parse(["--only", "e2e,native"]).expect("both steps exist").steps;
        assert_eq!(steps, [Step::Native, Step::E2e]);
        assert!(parse(["--only", "e2e,nativ"]).is_err());
    }
}
