//! `cargo xtask size`: what a visitor downloads, against what we allow ourselves.
//!
//! A page counts with everything it fetches as it opens. Budgets are in gzip -9, which every host
//! offers; brotli 11 stands beside it. Node's zlib does the packing, so that the figures are those
//! of the real gzip.
//!
//! Each entry has two figures: the ceiling, which fails the check, and the goal, which is printed beside
//! what is missing to it. A ceiling only ever comes down.

use crate::failure::{Failure, Result};
use crate::links::{first_load, later};
use crate::process::answer;
use crate::tools::require_node;
use std::path::Path;
use std::process::Command;

const BUDGETS: [Budget; 3] = [
    Budget { entry: "index.html", gzip_bytes_max: 250_000, gzip_bytes_goal: 250_000 },
    Budget { entry: "embed.html", gzip_bytes_max: 292_000, gzip_bytes_goal: 160_000 },
    Budget { entry: "embed.js", gzip_bytes_max: 3_000, gzip_bytes_goal: 3_000 },
];

struct Budget {
    entry: &'static str,
    /// More than this fails the check.
    gzip_bytes_max: u64,
    /// Where it must come down to.
    gzip_bytes_goal: u64,
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
    let first = first_load(site, budget.entry)?;
    let chunks: Vec<String> = later(site, &first)?.into_iter().collect();
    if !chunks.is_empty() {
        print_row(&sum(&measure(site, &chunks)?), &format!("chunks of {}, fetched when wanted", budget.entry));
    }
    let names: Vec<String> = first.into_iter().collect();
    let sizes = measure(site, &names)?;
    for (name, size) in names.iter().zip(&sizes) {
        print_row(size, &format!("  {name}"));
    }
    let total = sum(&sizes);
    let max = budget.gzip_bytes_max;
    print_row(&total, &format!("{}: {max} bytes of gzip allowed", budget.entry));
    if total.gzip > budget.gzip_bytes_goal {
        let over = total.gzip - budget.gzip_bytes_goal;
        println!("  {} is {over} bytes over its goal of {}", budget.entry, budget.gzip_bytes_goal);
    }
    if total.gzip <= max {
        return Ok(());
    }
    Err(Failure::new(format!("{} is {} bytes over its {max}", budget.entry, total.gzip - max)))
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
