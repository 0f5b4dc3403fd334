//! Does a recording again and prints all figures at its end as JSON.
//!
//! `cargo run -p dynascope-engine --example replay recording.json`, or with the recording on standard input; a file
//! saved by the page will do too.
//! The browser tests compare what the page shows with this.

use dynascope_engine::scenario::Recording;
use dynascope_engine::session::Session;
use std::io::Read;
use std::process::ExitCode;

fn main() -> ExitCode {
    match replay() {
        Ok(report) => {
            println!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn replay() -> Result<String, Box<dyn std::error::Error>> {
    let text = if let Some(path) = std::env::args().nth(1) {
        std::fs::read_to_string(path)?
    } else {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        text
    };
    let json: serde_json::Value = serde_json::from_str(&text)?;
    // A file saved by the page holds the recording among other things.
    let recording: Recording = serde_json::from_value(json.get("recording").unwrap_or(&json).clone())?;
    let (session, _) = Session::replay(&recording)?;
    Ok(serde_json::to_string_pretty(&session.report())?)
}
