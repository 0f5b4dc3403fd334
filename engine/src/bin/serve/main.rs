//! `dynascope-serve`: the engine behind DynamoDB's HTTP face, for SDKs and the AWS CLI by endpoint URL alone.
//!
//! One thread: requests are answered one after the other, which is what makes a run repeatable. The only clock of the
//! project is read here, and only with `--time real`.
#![forbid(unsafe_code)]

mod engine;
mod http;
mod options;

use engine::Engine;
use options::{Options, USAGE, Wanted};
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::read() {
        Ok(Wanted::Serve(options)) => options,
        Ok(Wanted::Help) => {
            print(USAGE);
            return ExitCode::SUCCESS;
        }
        Err(complaint) => {
            eprintln!("error: {complaint}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match serve(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(options: &Options) -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(options)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(tokio::task::LocalSet::new().run_until(http::serve(options, engine)))
}

/// Writes to standard output; that nobody listens is no error.
fn print(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
}
