//! Recorded cases: each file in `cases/` is a test. See `cases/README.md` for the form and the rules of matching.
//!
//! The whole answer of each case stands in `answers/`, so that a change in it is seen, and so that the
//! WebAssembly build can be held against the same bytes. `UPDATE_GOLDENFILES=1 cargo test` writes them anew.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/subset.rs"]
mod subset;

use dynascope_engine::script::case::{Case, Report, run};
use libtest_mimic::{Arguments, Failed};
use serde_json::Value as Json;
use std::io::Write as _;
use std::path::Path;

fn main() {
    folder::test_each("tests/cases", "json", &Arguments::from_args(), check_case)
}

fn check_case(file: &Path) -> Result<(), Failed> {
    let case: Case = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let report = run(&case)?;
    check_answer(&case.expect, &report)?;
    check_load(&case, &report)?;
    let name = file.with_extension("txt");
    let name = name.file_name().ok_or("a file has a name")?;
    let mut answers = goldenfile::Mint::new("tests/cases/answers");
    answers.new_goldenfile(name)?.write_all(report.to_text().as_bytes())?;
    Ok(())
}

fn check_answer(expect: &Json, report: &Report) -> Result<(), Failed> {
    let (status, body) = (report.answer.status, &report.answer.body);
    if Some(u64::from(status)) != expect["status"].as_u64() {
        return Err(format!("status {status}, expected {}: {body}", expect["status"]).into());
    }
    let exception = body["__type"].as_str().and_then(|name| name.split('#').nth(1));
    if exception != expect["type"].as_str() {
        return Err(format!("type {exception:?}, expected {}: {body}", expect["type"]).into());
    }
    if let Some(expected) = expect["message"].as_str() {
        let message = body["message"].as_str().or(body["Message"].as_str()).unwrap_or_default();
        if !message.contains(expected) {
            return Err(format!("message `{message}` does not contain `{expected}`").into());
        }
    }
    if let Some(expected) = expect.get("body_subset") {
        subset::check(expected, body)?;
    }
    for path in expect["body_absent"].as_array().into_iter().flatten().filter_map(Json::as_str) {
        if let Some(found) = subset::at_path(body, path) {
            return Err(format!("{path} is there: {found}").into());
        }
    }
    Ok(())
}

fn check_load(case: &Case, report: &Report) -> Result<(), Failed> {
    let Some(load) = &case.load else { return Ok(()) };
    if let Some(expected) = load.expect_accepted_per_second {
        // The first second still has the partition's bucket to spend.
        let off = report.accepted.iter().skip(1).position(|accepted| accepted.abs_diff(expected) > 1);
        if let Some(second) = off {
            return Err(format!(
                "second {}: {} accepted, expected {expected}",
                second + 1,
                report.accepted[second + 1]
            )
            .into());
        }
        if report.accepted.len() < 2 {
            return Err("the load is too short to show a rate".into());
        }
    }
    let total: u64 = report.accepted.iter().sum();
    if load.expect_accepted_total.is_some_and(|expected| expected != total) {
        return Err(format!("{total} accepted in all, expected {:?}", load.expect_accepted_total).into());
    }
    let expected = load.expect_first_throttle_second;
    if expected.is_some() && expected != report.first_refused_second {
        return Err(format!("first refused in second {:?}, expected {expected:?}", report.first_refused_second).into());
    }
    Ok(())
}
