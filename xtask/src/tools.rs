//! Finding the tools the site is built with, and installing the missing ones.
//!
//! A tool on the PATH in exactly the right version is used. Otherwise it comes from the user's
//! cache folder, where it is put once for all clones: a prebuilt archive if one can be fetched,
//! else compiled. The versions are pinned, because neighbours of each of them are known to break:
//! an older wasm-opt drops a feature rustc now emits, and the page then fails as it starts.

use crate::failure::{Context, Failure, Result};
use crate::process::{self, answer};
use std::env::consts::{ARCH, EXE_SUFFIX, OS};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TRUNK: &str = "0.21.14";
/// Cuts a program into chunks; its marks in the program have the version of `wasm_split_helpers`.
const WASM_SPLIT: &str = "0.2.4";
/// Of the npm package `binaryen`; Trunk.toml names it too.
const BINARYEN: &str = "132";
/// Of the npm package; makes scripts and styles small.
const ESBUILD: &str = "0.25.12";
const NODE_MAJOR_MIN: u32 = 20;
const CONNECT_SECONDS_MAX: &str = "5";
const DOWNLOAD_SECONDS_MAX: &str = "120";

/// The tools, ready to be called.
pub struct Tools {
    /// PATH, with the folders of our own tools in front.
    path: OsString,
}

impl Tools {
    /// Makes sure that everything the site is built with is there.
    pub fn prepare(root: &Path) -> Result<Self> {
        require_node()?;
        add_wasm_target(root)?;
        let lock = root.join("Cargo.lock");
        let lock_text = fs::read_to_string(&lock).context(|| format!("cannot read {}", lock.display()))?;
        let wasm_bindgen_version = locked_version(&lock_text, "wasm-bindgen")
            .ok_or_else(|| Failure::new("Cargo.lock names no wasm-bindgen"))?;

        let cache = cache_folder()?;
        let mut folders = Vec::new();
        folders.extend(trunk().find_or_install(&cache)?);
        folders.extend(wasm_bindgen(wasm_bindgen_version).find_or_install(&cache)?);
        folders.extend(wasm_opt().find_or_install(&cache)?);
        folders.extend(wasm_split().find_or_install(&cache)?);
        folders.extend(esbuild().find_or_install(&cache)?);
        let old_path = std::env::var_os("PATH").unwrap_or_default();
        folders.extend(std::env::split_paths(&old_path));
        let path =
            std::env::join_paths(folders).map_err(|error| Failure::new(format!("cannot extend PATH: {error}")))?;
        Ok(Self { path })
    }

    pub fn trunk(&self) -> Command {
        self.command("trunk")
    }

    pub fn wasm_bindgen(&self) -> Command {
        self.command("wasm-bindgen")
    }

    pub fn wasm_opt(&self) -> Command {
        self.command(&wasm_opt().program_name())
    }

    pub fn esbuild(&self) -> Command {
        self.command(&esbuild().program_name())
    }

    pub fn wasm_split(&self) -> Command {
        self.command("wasm-split-cli")
    }

    fn command(&self, name: &str) -> Command {
        let found = std::env::split_paths(&self.path)
            .map(|folder| folder.join(if name.contains('.') { name.to_owned() } else { format!("{name}{EXE_SUFFIX}") }))
            .find(|file| file.is_file());
        let mut command = Command::new(found.unwrap_or_else(|| name.into()));
        command.env("PATH", &self.path);
        command
    }
}

struct Tool {
    name: &'static str,
    version: String,
    /// Where the program lies inside the tool's own folder.
    bin: &'static str,
    source: Source,
}

enum Source {
    /// An archive with a prebuilt program, else a crate to compile.
    Rust {
        archive_url: Option<String>,
        package: &'static str,
        /// Whether the crate's own lock file is to be followed.
        locked: bool,
        /// Features that the program needs; none if empty.
        features: &'static str,
    },
    Npm {
        package: &'static str,
    },
}

fn trunk() -> Tool {
    let ending = if OS == "windows" { "zip" } else { "tar.gz" };
    Tool {
        name: "trunk",
        version: TRUNK.into(),
        bin: "bin",
        source: Source::Rust {
            archive_url: platform("gnu").map(|platform| {
                format!("https://github.com/trunk-rs/trunk/releases/download/v{TRUNK}/trunk-{platform}.{ending}")
            }),
            package: "trunk",
            // Without it, a newer CSS dependency no longer compiles.
            locked: true,
            features: "",
        },
    }
}

/// The program must match the library in the lock file to the last digit.
fn wasm_bindgen(version: &str) -> Tool {
    Tool {
        name: "wasm-bindgen",
        version: version.into(),
        bin: "bin",
        source: Source::Rust {
            archive_url: platform("musl").map(|platform| {
                format!(
                    "https://github.com/wasm-bindgen/wasm-bindgen/releases/download/{version}/wasm-bindgen-{version}-{platform}.tar.gz"
                )
            }),
            package: "wasm-bindgen-cli",
            locked: false,
            features: "",
        },
    }
}

fn wasm_split() -> Tool {
    Tool {
        name: "wasm-split-cli",
        version: WASM_SPLIT.into(),
        bin: "bin",
        source: Source::Rust {
            archive_url: None,
            package: "wasm_split_cli_support",
            locked: true,
            features: "build-binary",
        },
    }
}

fn wasm_opt() -> Tool {
    Tool {
        name: "wasm-opt",
        version: BINARYEN.into(),
        bin: "node_modules/.bin",
        source: Source::Npm { package: "binaryen" },
    }
}

fn esbuild() -> Tool {
    Tool {
        name: "esbuild",
        version: ESBUILD.into(),
        bin: "node_modules/.bin",
        source: Source::Npm { package: "esbuild" },
    }
}

/// The name of this platform in release archives; `None` where no archive is known to exist.
fn platform(linux_libc: &str) -> Option<String> {
    match (ARCH, OS) {
        ("x86_64", "linux") => Some(format!("x86_64-unknown-linux-{linux_libc}")),
        ("aarch64", "linux") => Some(format!("aarch64-unknown-linux-{linux_libc}")),
        ("x86_64" | "aarch64", "macos") => Some(format!("{ARCH}-apple-darwin")),
        ("x86_64", "windows") => Some("x86_64-pc-windows-msvc".into()),
        _ => None,
    }
}

impl Tool {
    /// The folder to put on the PATH; `None` if the PATH has the tool already.
    fn find_or_install(&self, cache: &Path) -> Result<Option<PathBuf>> {
        if self.tells_version() && self.is_right(Path::new(self.name)) {
            println!("{} {} is on the PATH", self.name, self.version);
            return Ok(None);
        }
        let home = cache.join(self.folder_name());
        let bin = home.join(self.bin);
        let program = bin.join(self.program_name());
        if self.is_right(&program) {
            println!("{} {} is in {}", self.name, self.version, bin.display());
            return Ok(Some(bin));
        }
        self.install(&home)?;
        if self.is_right(&program) {
            return Ok(Some(bin));
        }
        Err(Failure::new(format!(
            "{} was installed, but does not answer as version {}",
            program.display(),
            self.version
        ))
        .remedy(format!("remove {} and try again", home.display())))
    }

    fn install(&self, home: &Path) -> Result<()> {
        fs::create_dir_all(home).context(|| format!("cannot create {}", home.display()))?;
        match &self.source {
            Source::Npm { package } => process::run(
                process::npm()
                    .current_dir(home)
                    .args(["install", "--no-save", "--no-audit", "--no-fund", "--prefix"])
                    .arg(home)
                    .arg(format!("{package}@{}", self.version)),
            ),
            Source::Rust { archive_url, package, locked, features } => {
                if let Some(url) = archive_url {
                    match self.download(url, home) {
                        Ok(()) => return Ok(()),
                        Err(failure) => println!("no prebuilt {} to be had: {failure}", self.name),
                    }
                }
                println!("compiling {} {}: some minutes, once for all clones", self.name, self.version);
                let mut install = process::cargo();
                install
                    // A folder meant for this workspace would be locked against its builds for as long.
                    .env_remove("CARGO_TARGET_DIR")
                    .args(["install", package, "--version", &self.version, "--root"])
                    .arg(home)
                    .args(locked.then_some("--locked"))
                    .args((!features.is_empty()).then_some(["--features", *features]).into_iter().flatten());
                process::run(&mut install)
            }
        }
    }

    /// Fetches and unpacks a prebuilt program, and sees whether it runs here.
    fn download(&self, url: &str, home: &Path) -> Result<()> {
        let archive = home.join("archive");
        process::run(
            Command::new("curl")
                .args(["--fail", "--silent", "--show-error", "--location"])
                .args(["--connect-timeout", CONNECT_SECONDS_MAX])
                .args(["--max-time", DOWNLOAD_SECONDS_MAX])
                .arg("--output")
                .arg(&archive)
                .arg(url),
        )?;
        let unpacked = home.join("unpacked");
        fs::create_dir_all(&unpacked).context(|| format!("cannot create {}", unpacked.display()))?;
        process::run(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&unpacked))?;
        let program = find_file(&unpacked, &self.program_name())
            .filter(|program| self.is_right(program))
            .ok_or_else(|| Failure::new(format!("{url} holds no {} that runs here", self.name)))?;
        let bin = home.join(self.bin);
        fs::create_dir_all(&bin).context(|| format!("cannot create {}", bin.display()))?;
        fs::rename(&program, bin.join(self.program_name())).context(|| format!("cannot move {}", program.display()))?;
        // What is left over is only space; nothing depends on its being gone.
        let _ = fs::remove_file(&archive);
        let _ = fs::remove_dir_all(&unpacked);
        Ok(())
    }

    /// The splitter does not; its folder's name does.
    fn tells_version(&self) -> bool {
        self.name != "wasm-split-cli"
    }

    fn is_right(&self, program: &Path) -> bool {
        if !self.tells_version() {
            return answer(Command::new(program).arg("--help")).is_some();
        }
        answer(Command::new(program).arg("--version"))
            .is_some_and(|text| text.split_whitespace().any(|word| word == self.version))
    }

    fn folder_name(&self) -> String {
        let name = match self.source {
            Source::Npm { package } => package,
            Source::Rust { .. } => self.name,
        };
        format!("{name}-{}", self.version)
    }

    fn program_name(&self) -> String {
        match self.source {
            Source::Npm { .. } if cfg!(windows) => format!("{}.cmd", self.name),
            Source::Npm { .. } => self.name.into(),
            Source::Rust { .. } => format!("{}{EXE_SUFFIX}", self.name),
        }
    }
}

/// Node runs wasm-opt, the wasm tests and the browser tests.
pub fn require_node() -> Result<()> {
    let remedy = format!("install Node.js {NODE_MAJOR_MIN} or newer from https://nodejs.org/");
    let Some(version) = answer(Command::new("node").arg("--version")) else {
        return Err(Failure::new("`node` is not on the PATH").remedy(remedy));
    };
    let major = version.trim_start_matches('v').split('.').next().and_then(|digits| digits.parse::<u32>().ok());
    match major {
        Some(major) if major >= NODE_MAJOR_MIN => Ok(()),
        _ => Err(Failure::new(format!("Node.js {version} is too old")).remedy(remedy)),
    }
}

pub fn add_wasm_target(root: &Path) -> Result<()> {
    const TARGET: &str = crate::site::WASM_TARGET;
    let libraries =
        answer(Command::new("rustc").current_dir(root).args(["--print", "target-libdir", "--target", TARGET]));
    if libraries.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    println!("adding Rust's {TARGET} target");
    process::run(Command::new("rustup").current_dir(root).args(["target", "add", TARGET])).map_err(|failure| {
        Failure::new(failure.to_string())
            .remedy(format!("install Rust with https://rustup.rs/, then `rustup target add {TARGET}`"))
    })
}

/// The version of a package in a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name_line = format!("name = \"{package}\"");
    let mut lines = lock.lines();
    lines.find(|line| *line == name_line)?;
    lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Where tools are kept for all clones of this user.
fn cache_folder() -> Result<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = match OS {
        "windows" => folder("LOCALAPPDATA"),
        "macos" => folder("HOME").map(|home| home.join("Library/Caches")),
        _ => folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache"))),
    };
    base.map(|base| base.join("dynascope").join("tools"))
        .ok_or_else(|| Failure::new("there is no cache folder").remedy("set HOME (on Windows LOCALAPPDATA)"))
}

fn find_file(folder: &Path, name: &str) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().find_map(|entry| {
        let path = entry.path();
        if path.is_dir() { find_file(&path, name) } else { (entry.file_name() == name).then_some(path) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_file_names_the_version_of_exactly_one_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }

    #[test]
    fn trunk_toml_names_the_same_versions() {
        let trunk_toml = include_str!("../../Trunk.toml");
        assert!(trunk_toml.contains(&format!("trunk-version = \"={TRUNK}\"")));
        assert!(trunk_toml.contains(&format!("wasm_opt = \"version_{BINARYEN}\"")));
    }
}
