//! `cargo xtask size`: what a visitor downloads, against what we allow ourselves.
//!
//! A page counts with everything it fetches as it opens; the embed also with the machine, which all of its scenes but
//! the question need at once. Budgets are in gzip -9, which every host
//! offers; brotli 11 stands beside it. Node's zlib does the packing, so that the figures are those
//! of the real gzip.
//!
//! Each entry has two figures: the ceiling, which fails the check, and the goal, which is printed beside
//! what is missing to it. A ceiling only ever comes down.

use crate::failure::{Failure, Result};
use crate::links::{first_load, later, with_chunk};
use crate::process::answer;
use crate::tools::require_node;
use std::path::Path;
use std::process::Command;

const BUDGETS: [Budget; 4] = [
    Budget { entry: "index.html", chunk: None, gzip_bytes_max: 250_000, gzip_bytes_goal: 250_000 },
    Budget { entry: "embed.html", chunk: None, gzip_bytes_max: 195_000, gzip_bytes_goal: 160_000 },
    Budget { entry: "embed.html", chunk: Some("machine"), gzip_bytes_max: 319_000, gzip_bytes_goal: 292_000 },
    Budget { entry: "embed.js", chunk: None, gzip_bytes_max: 3_000, gzip_bytes_goal: 3_000 },
];

struct Budget {
    entry: &'static str,
    /// A chunk that it fetches as well.
    chunk: Option<&'static str>,
    /// More than this fails the check.
    gzip_bytes_max: u64,
    /// Where it must come down to.
    gzip_bytes_goal: u64,
}

impl Budget {
    fn name(&self) -> String {
        self.chunk.map_or_else(|| self.entry.to_owned(), |chunk| format!("{} with {chunk}", self.entry))
    }
}

/// Of one file or of several, in bytes.
struct Size {
    plain: u64,
    gzip: u64,
    brotli: u64,
}

/// Prints a table of sizes; a missing or too large file is a failure.
pub fn check(site: &Path) -> Result<()> {
    require_node()?;
    println!("{:>10} {:>10} {:>10}", "plain", "gzip -9", "brotli 11");
    let complaints: Vec<String> = BUDGETS
        .iter()
        .filter_map(|budget| check_entry(site, budget).err())
        .map(|failure| failure.to_string())
        .collect();
    if complaints.is_empty() {
        return Ok(());
    }
    Err(Failure::new(complaints.join("\n")))
}

fn check_entry(site: &Path, budget: &Budget) -> Result<()> {
    let mut files = first_load(site, budget.entry)?;
    if let Some(chunk) = budget.chunk {
        files.extend(with_chunk(site, &files, chunk)?);
    } else {
        let chunks: Vec<String> = later(site, &files)?.into_iter().collect();
        if !chunks.is_empty() {
            print_row(&sum(&measure(site, &chunks)?), &format!("chunks of {}, fetched when wanted", budget.entry));
        }
    }
    let names: Vec<String> = files.into_iter().collect();
    let sizes = measure(site, &names)?;
    if budget.chunk.is_none() {
        for (name, size) in names.iter().zip(&sizes) {
            print_row(size, &format!("  {name}"));
        }
    }
    let (total, max, label) = (sum(&sizes), budget.gzip_bytes_max, budget.name());
    print_row(&total, &format!("{label}: {max} bytes of gzip allowed"));
    if total.gzip > budget.gzip_bytes_goal {
        println!(
            "  {label} is {} bytes over its goal of {}",
            total.gzip - budget.gzip_bytes_goal,
            budget.gzip_bytes_goal
        );
    }
    if total.gzip <= max {
        return Ok(());
    }
    Err(Failure::new(format!("{label} is {} bytes over its {max}", total.gzip - max)))
}

fn measure(site: &Path, names: &[String]) -> Result<Vec<Size>> {
    let mut node = Command::new("node");
    node.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/src/compress.mjs")).args(names.iter().map(|name| site.join(name)));
    let text = answer(&mut node).ok_or_else(|| Failure::new(format!("cannot measure {}", names.join(", "))))?;
    let sizes: Option<Vec<Size>> = text.lines().map(size).collect();
    sizes
        .filter(|sizes| sizes.len() == names.len())
        .ok_or_else(|| Failure::new("compress.mjs answered with something else than sizes"))
}

fn size(line: &str) -> Option<Size> {
    let mut figures = line.split(' ').map(str::parse);
    Some(Size { plain: figures.next()?.ok()?, gzip: figures.next()?.ok()?, brotli: figures.next()?.ok()? })
}

fn sum(sizes: &[Size]) -> Size {
    Size {
        plain: sizes.iter().map(|size| size.plain).sum(),
        gzip: sizes.iter().map(|size| size.gzip).sum(),
        brotli: sizes.iter().map(|size| size.brotli).sum(),
    }
}

fn print_row(size: &Size, label: &str) {
    println!("{:>10} {:>10} {:>10}  {label}", size.plain, size.gzip, size.brotli);
}
