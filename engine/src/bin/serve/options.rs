//! The command line.

use dynascope_engine::capacity::Preset;
use lexopt::prelude::*;
use std::net::{IpAddr, Ipv4Addr};

pub const USAGE: &str = "\
Answers DynamoDB requests over HTTP, with partitions, capacity and throttling.

Usage: dynascope-serve [options]

  --port N                   port to listen on; 0 takes a free one (8000)
  --host ADDRESS             address to listen on (127.0.0.1: this machine only)
  --physics aws|classroom    AWS's figures, or smaller ones for teaching (aws)
  --seed N                   seed of everything random (0)
  --time real|manual         the clock runs, or stands until Dynascope_1.Advance moves it (real)
  --saved-burst-seconds N    seconds of burst that new tables have saved (all of them)
  --quiet                    say nothing on start
  --help                     this text";

/// What the command line asks for.
pub enum Wanted {
    Help,
    Serve(Options),
}

pub struct Options {
    pub host: IpAddr,
    pub port: u16,
    pub physics: Preset,
    pub seed: u64,
    pub is_manual: bool,
    pub saved_burst_seconds: Option<u64>,
    pub quiet: bool,
}

impl Options {
    /// Reads the command line.
    pub fn read() -> Result<Wanted, lexopt::Error> {
        let mut options = Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 8000,
            physics: Preset::Aws,
            seed: 0,
            is_manual: false,
            saved_burst_seconds: None,
            quiet: false,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("port") => options.port = parser.value()?.parse()?,
                Long("host") => options.host = parser.value()?.parse()?,
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("saved-burst-seconds") => options.saved_burst_seconds = Some(parser.value()?.parse()?),
                Long("physics") => {
                    options.physics = match parser.value()?.string()?.as_str() {
                        "aws" => Preset::Aws,
                        "classroom" => Preset::Classroom,
                        other => return Err(format!("--physics is aws or classroom, not {other}").into()),
                    };
                }
                Long("time") => {
                    options.is_manual = match parser.value()?.string()?.as_str() {
                        "real" => false,
                        "manual" => true,
                        other => return Err(format!("--time is real or manual, not {other}").into()),
                    };
                }
                Long("quiet") => options.quiet = true,
                Long("help") | Short('h') => return Ok(Wanted::Help),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Wanted::Serve(options))
    }
}
