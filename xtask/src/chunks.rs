//! Cuts a page's program into the part that starts it and chunks fetched when wanted.
//!
//! The app marks the entrances of a page's chunks (`app/src/chunk.rs`, `app/src/embed/parts.rs`), and the linker keeps
//! where functions and data refer to each other. The splitter then moves whatever only an entrance reaches into that
//! entrance's chunk; wasm-bindgen and wasm-opt come after it. Trunk knows nothing of chunks, so it packs the page with
//! the whole program, and the files are replaced here.

use crate::failure::{Context, Failure, Result};
use crate::process;
use crate::tools::Tools;
use std::fs;
use std::path::{Path, PathBuf};

/// The splitter's script, which fetches the chunks.
const LOADER: &str = "__wasm_split.js";

/// What the name of a page's own loader begins with.
pub const LOADER_STEM: &str = "chunks-";

/// Features that rustc's output uses and that a chunk, which says nothing of them, may use as well.
const FEATURES: [&str; 7] = [
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-multivalue",
    "--enable-mutable-globals",
    "--enable-nontrapping-float-to-int",
    "--enable-reference-types",
    "--enable-sign-ext",
];

/// How the splitter's script starts a chunk, and what starts it here: a host may send a chunk as any type, as it may
/// send the program itself, and what is not there must not be taken for a chunk.
const START: (&str, &str) = ("(WebAssembly.instantiateStreaming(src, imports))", "start(src, imports)");
const START_FUNCTION: &str = "async function start(src, imports) {\n\
    const response = await src;\n\
    if (!response.ok) throw new Error(response.url + \": \" + response.status);\n\
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);\n}\n";

/// Replaces the program that Trunk put into `folder` by `program`, cut. `page` is the HTML file that starts it.
pub fn replace(tools: &Tools, program: &Path, folder: &Path, page: &str) -> Result<()> {
    // Every file of the program is called so before it has its final name.
    let own = file_stem(program);
    let work = folder.with_extension("chunks");
    crate::site::remove_folder(&work)?;
    fs::create_dir_all(&work).context(|| format!("cannot create {}", work.display()))?;
    process::run(tools.wasm_split().arg(program).arg(&work).args(["--out-name", &own]))?;
    process::run(
        tools
            .wasm_bindgen()
            // The chunks find functions and data of the program by names that wasm-bindgen would drop.
            .args(["--target", "web", "--no-typescript", "--keep-lld-exports", "--out-dir"])
            .arg(&work)
            .arg(work.join(format!("{own}.wasm"))),
    )?;
    let old = program_of(folder)?;
    for ending in [".js", "_bg.wasm"] {
        let file = folder.join(format!("{old}{ending}"));
        fs::remove_file(&file).context(|| format!("cannot remove {}", file.display()))?;
    }
    let mut names = Vec::new();
    for chunk in wasm_files(&work)? {
        let stem = file_stem(&chunk);
        if stem == own {
            continue;
        }
        let whole = stem == format!("{own}_bg");
        let small = work.join("small.wasm");
        process::run(
            tools.wasm_opt().arg("-Oz").args(if whole { &[][..] } else { &FEATURES }).arg(&chunk).arg("-o").arg(&small),
        )?;
        let bytes = fs::read(&small).context(|| format!("cannot read {}", small.display()))?;
        let plain = stem.trim_start_matches("split_");
        let name =
            if whole { format!("{own}_bg.wasm") } else { format!("{plain}-{:016x}.wasm", crate::site::fnv1a(&bytes)) };
        names.push((format!("{stem}.wasm"), name, bytes));
    }
    write(&work, folder, page, &Stems { own, old }, names)
}

/// What the program's files are called: by cargo, and by Trunk in the page.
struct Stems {
    own: String,
    old: String,
}

/// Gives the scripts their names, which depend on everything they fetch.
fn write(work: &Path, folder: &Path, page: &str, stems: &Stems, names: Vec<(String, String, Vec<u8>)>) -> Result<()> {
    let own = stems.own.as_str();
    let read = |name: &str| fs::read_to_string(work.join(name)).context(|| format!("cannot read {name}"));
    let mut loader = read(LOADER)?.replace(START.0, START.1);
    if !loader.contains(START.1) {
        return Err(Failure::new("the splitter's script starts chunks in a way that is not known here"));
    }
    loader.push_str(START_FUNCTION);
    for (old, new, _) in &names {
        loader = loader.replace(&format!("\"./{old}\""), &format!("\"./{new}\""));
    }
    let script = read(&format!("{own}.js"))?;
    let all: Vec<u8> = [script.as_bytes(), loader.as_bytes()]
        .into_iter()
        .chain(names.iter().map(|n| &*n.2))
        .flatten()
        .copied()
        .collect();
    let hash = format!("{:016x}", crate::site::fnv1a(&all));
    let (stem, loader_name) = (format!("{own}-{hash}"), format!("{LOADER_STEM}{hash}.js"));
    let loader = loader.replace(&format!("\"./{own}.js\""), &format!("\"./{stem}.js\""));
    // Only the import's address changes: the program asks for the module by the old name.
    let script = script.replace(&format!("from \"./{LOADER}\""), &format!("from \"./{loader_name}\""));
    let put = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).context(|| format!("cannot write {name}"));
    put(&format!("{stem}.js"), script.as_bytes())?;
    put(&loader_name, loader.as_bytes())?;
    for (_, name, bytes) in &names {
        put(&if *name == format!("{own}_bg.wasm") { format!("{stem}_bg.wasm") } else { name.clone() }, bytes)?;
    }
    let file = folder.join(page);
    let html = fs::read_to_string(&file).context(|| format!("cannot read {}", file.display()))?;
    put(page, html.replace(&stems.old, &stem).as_bytes())
}

/// The stem of the program's files as Trunk named them.
fn program_of(folder: &Path) -> Result<String> {
    let found = wasm_files(folder)?
        .iter()
        .map(|file| file_stem(file))
        .find_map(|stem| stem.strip_suffix("_bg").map(str::to_owned));
    found.ok_or_else(|| Failure::new(format!("there is no program in {}", folder.display())))
}

fn wasm_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).context(|| format!("cannot read {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "wasm"))
        .collect();
    files.sort();
    Ok(files)
}

fn file_stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
