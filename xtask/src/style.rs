//! Joins a page's stylesheets into one file: one request in the place of nine, and better packed together.

use crate::failure::{Context, Result};
use std::fs;
use std::path::Path;

/// Replaces the stylesheet links of a page by one link to all of them, in their order.
pub fn join(folder: &Path, html: &str, name: impl Fn(&[u8]) -> String) -> Result<String> {
    let (rest, sheets) = take_links(html);
    let mut joined = String::new();
    for sheet in &sheets {
        let file = folder.join(sheet);
        let css = fs::read_to_string(&file).context(|| format!("cannot read {}", file.display()))?;
        fs::remove_file(&file).context(|| format!("cannot remove {}", file.display()))?;
        joined.push_str(&squeeze(&css));
    }
    if sheets.is_empty() {
        return Ok(rest);
    }
    let file = name(joined.as_bytes());
    fs::write(folder.join(&file), &joined).context(|| format!("cannot write {file}"))?;
    Ok(rest.replacen("</title>", &format!("</title>\n    <link rel=\"stylesheet\" href=\"./{file}\">"), 1))
}

/// The page without its stylesheet links, and the files they name.
fn take_links(html: &str) -> (String, Vec<String>) {
    let mut rest = String::with_capacity(html.len());
    let mut sheets = Vec::new();
    let mut left = html;
    while let Some(start) = left.find("<link rel=\"stylesheet\"") {
        let Some(length) = left[start..].find('>') else { break };
        let link = &left[start..=start + length];
        rest.push_str(&left[..start]);
        let address = link.split("href=\"").nth(1).and_then(|tail| tail.split('"').next());
        sheets.extend(address.map(|address| address.trim_start_matches("./").to_owned()));
        left = &left[start + length + 1..];
    }
    rest.push_str(left);
    (rest, sheets)
}

/// Leaves out comments, indentation and empty lines. Strings with comment marks do not occur in our sheets.
fn squeeze(css: &str) -> String {
    let mut bare = String::with_capacity(css.len());
    let mut left = css;
    while let Some(start) = left.find("/*") {
        bare.push_str(&left[..start]);
        left = left[start..].find("*/").map_or("", |end| &left[start + end + 2..]);
    }
    bare.push_str(left);
    bare.lines().map(str::trim).filter(|line| !line.is_empty()).fold(String::new(), |mut all, line| {
        all.push_str(line);
        all.push('\n');
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_taken_in_order_and_the_rest_stays() {
        let html = "<a><link rel=\"stylesheet\" href=\"./one-1.css\"/>b<link rel=\"stylesheet\" href=\"./two.css\" x>c";
        let (rest, sheets) = take_links(html);
        assert_eq!(rest, "<a>bc");
        assert_eq!(sheets, ["one-1.css", "two.css"]);
    }

    #[test]
    fn what_browsers_do_not_read_is_left_out() {
        assert_eq!(squeeze("/* a */\n.b {\n  color: red; /* c\n d */\n}\n\n"), ".b {\ncolor: red;\n}\n");
    }
}
