//! What a developer of Dynascope does beyond plain cargo: `cargo xtask <command>`.
//!
//! This file reads the command's name and prints the help. Each command has a file of its own;
//! `tools` finds or installs what they need, `process` starts programs. No crate but the standard
//! library is used, so that the first `cargo xtask` on a fresh machine starts within seconds.

mod bench;
mod chunks;
mod failure;
mod links;
mod process;
mod serve;
mod site;
mod size;
mod style;
mod test;
mod tools;

use failure::{Failure, Result};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <command> [options]

Commands:
  serve    build the playground and serve it on this machine
             --port N          first port to try (8080); 0 takes any free one
             --no-build        serve dist/ as it is
             --base /a/b/      serve under a path, as a project page would be
             --csp POLICY      send this Content-Security-Policy
             --wasm-type TYPE  send .wasm files as this type, as careless hosts do
  build    build the release site into dist/
  test     check everything and end with the counts
             --only a,b        only these steps: fmt, clippy, native, wasm, build, size, e2e
                               (size and e2e look at the dist/ that is there)
  size     measure dist/ against the size budgets
  bench    run the engine's benchmarks; further arguments go to cargo bench
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode> {
    let Some((command, rest)) = arguments.split_first() else {
        print!("{HELP}");
        return Ok(ExitCode::FAILURE);
    };
    let root = workspace_root();
    match command.as_str() {
        "serve" => {
            let options = serve::Options::parse(rest)?;
            if options.build {
                site::build(&root)?;
            }
            serve::serve(&root.join("dist"), &options)?;
        }
        "build" => {
            no_more(rest)?;
            site::build(&root)?;
        }
        "test" => return Ok(test::test(&root, &test::Options::parse(rest)?)),
        "size" => {
            no_more(rest)?;
            size::check(&root.join("dist"))?;
        }
        "bench" => bench::bench(&root, rest)?,
        "help" | "--help" | "-h" => print!("{HELP}"),
        unknown => {
            return Err(Failure::new(format!("there is no command `{unknown}`"))
                .remedy("`cargo xtask help` lists the commands"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn no_more(arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(argument) => Err(failure::unknown_argument(argument)),
    }
}

fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask/ lies inside the workspace").to_path_buf()
}
