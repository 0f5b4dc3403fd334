//! `cargo xtask build`: the release site, in `dist/`.
//!
//! Trunk packs one page a run; we have two, the playground and the embed. Each is packed into a
//! folder of its own, its program is cut into chunks, its start script is moved out of the page into a file, its
//! stylesheets become one, and both are joined.
//! A start script inside the page would need a policy that allows inline scripts.

use crate::chunks;
use crate::failure::{Context, Failure, Result};
use crate::process;
use crate::style;
use crate::tools::Tools;
use std::fs;
use std::path::{Path, PathBuf};

/// The pages: their HTML file beside `Trunk.toml`, the program, and the feature that marks where it is cut.
const PAGES: [(&str, &str, &str); 2] = [("index.html", "playground", "split"), ("embed.html", "embed", "split-embed")];

/// What Trunk calls every page.
const TRUNK_PAGE: &str = "index.html";

pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

pub fn build(root: &Path) -> Result<()> {
    let tools = Tools::prepare(root)?;
    let dist = root.join("dist");
    remove_folder(&dist)?;
    for (page, program, feature) in PAGES {
        println!("packing {page}");
        let folder = root.join("target/site").join(page);
        remove_folder(&folder)?;
        run_trunk(root, &tools, page, &folder, &["--features", feature])?;
        let program = target_folder(root).join(WASM_TARGET).join("release").join(program).with_extension("wasm");
        chunks::replace(&tools, &program, &folder, TRUNK_PAGE)?;
        move_start_script_out(&folder, page)?;
        copy_folder(&folder, &dist)?;
    }
    minify(&tools, &dist)?;
    println!("the site is in {}", dist.display());
    Ok(())
}

/// Scripts and styles without what only people read.
fn minify(tools: &Tools, dist: &Path) -> Result<()> {
    let entries = fs::read_dir(dist).context(|| format!("cannot read {}", dist.display()))?;
    let is_text = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "js" || ending == "css");
    let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_text).collect();
    process::run(
        tools
            .esbuild()
            .args(["--minify", "--charset=utf8", "--log-level=warning", "--allow-overwrite"])
            .arg(format!("--outdir={}", dist.display()))
            .args(files),
    )
}

/// The engine as a package for Node in `target/js/`, for the tests that compare it with the native one.
pub fn build_engine_for_node(root: &Path) -> Result<()> {
    let tools = Tools::prepare(root)?;
    process::run(process::cargo().current_dir(root).args([
        "rustc",
        "--package",
        "dynascope-engine",
        "--features",
        "js",
        "--release",
        "--target",
        WASM_TARGET,
        "--crate-type",
        "cdylib",
    ]))?;
    let module = target_folder(root).join(WASM_TARGET).join("release").join("dynascope_engine.wasm");
    process::run(tools.wasm_bindgen().args(["--target", "nodejs", "--out-dir"]).arg(root.join("target/js")).arg(module))
}

/// Where cargo compiles to.
fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

fn run_trunk(root: &Path, tools: &Tools, page: &str, folder: &Path, features: &[&str]) -> Result<()> {
    process::run(
        tools
            .trunk()
            .current_dir(root)
            // Trunk takes this for its own option and refuses the usual value 1.
            .env_remove("NO_COLOR")
            .env("CARGO_ENCODED_RUSTFLAGS", rustflags(root))
            .args(["build", "--release", "--offline", "--dist"])
            .arg(folder)
            .args(features)
            .arg(page),
    )
}

/// What the compiler is told besides: no path of this machine enters the program. (Flags given so replace those of
/// `.cargo/config.toml`.)
fn rustflags(root: &Path) -> String {
    let mut flags = vec!["--cfg".to_owned(), "erase_components".to_owned()];
    let mut hide = |folder: &Path| flags.push(format!("--remap-path-prefix={}/=", folder.display()));
    hide(root);
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let registries = home.and_then(|home| fs::read_dir(home.join("registry/src")).ok());
    for registry in registries.into_iter().flatten().flatten() {
        hide(&registry.path());
    }
    flags.join("\x1f")
}

/// Trunk calls each page `index.html`; here it gets its own name back.
fn move_start_script_out(folder: &Path, page: &str) -> Result<()> {
    let file = folder.join(TRUNK_PAGE);
    let html = fs::read_to_string(&file).context(|| format!("cannot read {}", file.display()))?;
    let html = style::join(folder, &html, |bytes| format!("style-{:016x}.css", fnv1a(bytes)))?;
    let split = split_start_script(&html)
        .ok_or_else(|| Failure::new(format!("{page} holds no start script as Trunk writes it")))?;
    fs::write(folder.join(&split.script_name), &split.script)
        .context(|| format!("cannot write {}", split.script_name))?;
    fs::remove_file(&file).context(|| format!("cannot remove {}", file.display()))?;
    fs::write(folder.join(page), &split.html).context(|| format!("cannot write {page}"))
}

struct Split {
    html: String,
    script: String,
    script_name: String,
}

/// Takes Trunk's inline `<script type="module">` out of a page. `None` if it is not there.
fn split_start_script(html: &str) -> Option<Split> {
    const OPEN: &str = "<script type=\"module\"";
    const CLOSE: &str = "</script>";
    let marker = html.find("TrunkApplicationStarted")?;
    let start = html[..marker].rfind(OPEN)?;
    let script_start = start + html[start..].find('>')? + 1;
    let script_end = marker + html[marker..].find(CLOSE)?;
    let script = own_address_as_base(html[script_start..script_end].trim())?;
    let script_name = format!("start-{:016x}.js", fnv1a(script.as_bytes()));
    let html = format!(
        "{}<script type=\"module\" src=\"./{script_name}\"></script>{}",
        &html[..start],
        &html[script_end + CLOSE.len()..]
    );
    Some(Split { html, script, script_name })
}

/// Makes the wasm file's address relative to the script instead of the page.
fn own_address_as_base(script: &str) -> Option<String> {
    const OPTION: &str = "module_or_path: ";
    let start = script.find(OPTION)? + OPTION.len();
    let quote = script[start..].chars().next().filter(|c| "'\"".contains(*c))?;
    let end = start + 1 + script[start + 1..].find(quote)? + 1;
    Some(format!("{}new URL({}, import.meta.url){}\n", &script[..start], &script[start..end], &script[end..]))
}

/// FNV-1a: enough to give a changed file a new name.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

pub fn remove_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Copies a folder into another. Both pages may bring a file of one name; then it must be the same.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).context(|| format!("cannot create {}", to.display()))?;
    let entries = fs::read_dir(from).context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry.context(|| format!("cannot read {}", from.display()))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_folder(&source, &target)?;
            continue;
        }
        let bytes = fs::read(&source).context(|| format!("cannot read {}", source.display()))?;
        if fs::read(&target).is_ok_and(|other| other != bytes) {
            return Err(Failure::new(format!("two different files want to be {}", target.display())));
        }
        fs::write(&target, bytes).context(|| format!("cannot write {}", target.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<head>\n<script type=\"module\">\nimport init, * as bindings from './p-1.js';\n\
        const wasm = await init({ module_or_path: './p-1_bg.wasm' });\n\
        dispatchEvent(new CustomEvent(\"TrunkApplicationStarted\", {detail: {wasm}}));\n</script>\n</head>";

    #[test]
    fn the_start_script_leaves_the_page_and_finds_the_wasm_file_from_where_it_is() {
        let split = split_start_script(PAGE).expect("the page has a start script");
        assert_eq!(
            split.html,
            format!("<head>\n<script type=\"module\" src=\"./{}\"></script>\n</head>", split.script_name)
        );
        assert!(split.script.starts_with("import init"));
        assert!(split.script.contains("module_or_path: new URL('./p-1_bg.wasm', import.meta.url) }"));
    }

    #[test]
    fn a_page_without_a_start_script_is_not_taken_for_one() {
        assert!(split_start_script("<script type=\"module\" src=\"a.js\"></script>").is_none());
    }
}
