//! What went wrong and, where it is known, what to do about it.

use std::fmt;

pub type Result<T> = std::result::Result<T, Failure>;

#[derive(Debug)]
pub struct Failure {
    what: String,
    remedy: Option<String>,
}

impl Failure {
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: None }
    }

    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        match &self.remedy {
            Some(remedy) => write!(f, "\n  help: {remedy}"),
            None => Ok(()),
        }
    }
}

pub fn unknown_argument(argument: &str) -> Failure {
    Failure::new(format!("`{argument}` is not understood here")).remedy("`cargo xtask help` lists the options")
}

/// The value that follows an option such as `--port`.
pub fn value_of<'a>(option: &str, arguments: &mut impl Iterator<Item = &'a String>) -> Result<&'a str> {
    arguments.next().map(String::as_str).ok_or_else(|| Failure::new(format!("`{option}` needs a value")))
}

/// Adds what was being done to an I/O error.
pub trait Context<T> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Context<T> for std::io::Result<T> {
    fn context(self, what: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| Failure::new(format!("{}: {error}", what())))
    }
}
