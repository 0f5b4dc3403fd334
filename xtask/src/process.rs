//! Starting other programs, saying so first.

use crate::failure::{Context, Failure, Result};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Runs a program with its output shown; any exit code but 0 is a failure.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status().context(|| format!("cannot start {}", program(command)))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("{} failed ({status})", program(command))))
}

/// Runs a program and hands over each line of its standard output after showing it.
/// Answers whether the program ended well.
pub fn watch(command: &mut Command, mut each_line: impl FnMut(&str)) -> Result<bool> {
    println!("$ {}", shown(command));
    let mut child = command.stdout(Stdio::piped()).spawn().context(|| format!("cannot start {}", program(command)))?;
    let output = child.stdout.take().expect("standard output is piped above");
    for line in BufReader::new(output).split(b'\n') {
        let line = line.context(|| format!("cannot read from {}", program(command)))?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        each_line(line.trim_end());
    }
    let status = child.wait().context(|| format!("cannot wait for {}", program(command)))?;
    Ok(status.success())
}

/// The standard output of a program that ended well; `None` if it is missing or failed.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}

/// npm is a script, and Windows finds scripts only by their full name.
pub fn npm() -> Command {
    Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" })
}

/// The cargo that started us, so that the toolchain stays the same.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

fn shown(command: &Command) -> String {
    let mut words = vec![program(command)];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

fn program(command: &Command) -> String {
    let path = std::path::Path::new(command.get_program());
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
