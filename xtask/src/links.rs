//! Which files a page fetches as it opens, found by following the page's own links.

use crate::failure::{Context, Failure, Result};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The page and everything it fetches, as names inside `site`. A link to a missing file is a failure.
pub fn first_load(site: &Path, page: &str) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![page.to_string()];
    while let Some(name) = waiting.pop() {
        if !found.insert(name.clone()) {
            continue;
        }
        let file = site.join(&name);
        let bytes = fs::read(&file).context(|| format!("cannot read {name}, a part of what {page} fetches"))?;
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let links = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "html" => links_in_html(text(&bytes, &name)?),
            // What the loader names is fetched when it is wanted.
            "js" if is_loader(&name) => imports_in_script(text(&bytes, &name)?),
            "js" => links_in_script(text(&bytes, &name)?),
            "css" => links_in_style(text(&bytes, &name)?),
            _ => Vec::new(),
        };
        waiting.extend(links.iter().filter_map(|link| resolve(folder, link)));
    }
    Ok(found)
}

fn text<'a>(bytes: &'a [u8], name: &str) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(std::io::Error::other).context(|| format!("{name} is not UTF-8"))
}

/// A link as a name inside the site; `None` for data within the link itself.
fn resolve(folder: &str, link: &str) -> Option<String> {
    if link.starts_with("data:") || link.starts_with('#') {
        return None;
    }
    let link = link.split(['?', '#']).next().unwrap_or_default();
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// What `<link>`, `<script>` and `<img>` fetch without a click.
fn links_in_html(html: &str) -> Vec<String> {
    const FETCHED: [&str; 4] = ["stylesheet", "icon", "preload", "modulepreload"];
    let tags = html.split('<').skip(1);
    tags.filter_map(|tag| {
        let tag = tag.split('>').next().unwrap_or_default();
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name {
            "script" | "img" => attribute(tag, "src"),
            "link" => {
                attribute(tag, "rel").filter(|rel| FETCHED.contains(&rel.as_str())).and_then(|_| attribute(tag, "href"))
            }
            _ => None,
        }
    })
    .collect()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let start = tag.find(&format!(" {name}="))? + name.len() + 2;
    let value = &tag[start..];
    let value = match value.chars().next()? {
        quote @ ('"' | '\'') => value[1..].split(quote).next(),
        _ => value.split_whitespace().next(),
    };
    value.map(str::to_string)
}

/// Everything that code on the page may fetch later: the chunks, by their loader.
pub fn later(site: &Path, first: &BTreeSet<String>) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for name in first.iter().filter(|name| is_loader(name)) {
        let bytes = fs::read(site.join(name)).context(|| format!("cannot read {name}"))?;
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        found.extend(links_in_script(text(&bytes, name)?).iter().filter_map(|link| resolve(folder, link)));
    }
    Ok(found.difference(first).cloned().collect())
}

/// What a page fetches for one of its chunks: the chunk's file, and those it shares with others.
pub fn with_chunk(site: &Path, first: &BTreeSet<String>, chunk: &str) -> Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    for name in first.iter().filter(|name| is_loader(name)) {
        let bytes = fs::read(site.join(name)).context(|| format!("cannot read {name}"))?;
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        found.extend(files_of_chunk(text(&bytes, name)?, chunk).iter().filter_map(|link| resolve(folder, link)));
    }
    if found.is_empty() {
        return Err(Failure::new(format!("no chunk {chunk} is named by a loader")));
    }
    Ok(found)
}

/// Reads a loader, whose entries are `name=…(()=>{…fetch(new URL("./file",…))…},[names of others])`.
fn files_of_chunk<'a>(loader: &'a str, chunk: &str) -> Vec<&'a str> {
    let entries: Vec<(&str, &str, Vec<&str>)> = loader
        .match_indices("fetch(new URL(\"./")
        .filter_map(|(at, call)| {
            let (before, after) = (&loader[..at], &loader[at + call.len()..]);
            let assigned = before.rsplit_once("=>")?.0.rsplit_once('=')?.0.trim_end();
            let name = assigned.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next()?;
            let others = after.split_once('[')?.1.split_once(']')?.0;
            Some((name, after.split('"').next()?, others.split(',').map(str::trim).collect()))
        })
        .collect();
    let is_chunk = |file: &str| file.strip_prefix(chunk).is_some_and(|rest| rest.starts_with('-'));
    let Some((_, file, others)) = entries.iter().find(|(_, file, _)| is_chunk(file)) else { return Vec::new() };
    let shared = entries.iter().filter(|(name, ..)| others.contains(name)).map(|(_, file, _)| *file);
    std::iter::once(*file).chain(shared).collect()
}

/// The script that fetches chunks.
fn is_loader(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|file| file.starts_with(crate::chunks::LOADER_STEM))
}

/// What a script fetches as it starts: what it imports, and what it names by `new URL("./…")`,
/// which is how the start script names the wasm file. (wasm-bindgen's own script also holds names of
/// files that do not exist.)
fn links_in_script(script: &str) -> Vec<String> {
    links_after(script, &["from", "import", "URL("])
}

fn imports_in_script(script: &str) -> Vec<String> {
    links_after(script, &["from", "import"])
}

fn links_after(script: &str, fetching: &[&str]) -> Vec<String> {
    let quoted = script.match_indices("./").filter_map(|(at, _)| {
        let quote = script[..at].chars().next_back()?;
        let before = script[..at - quote.len_utf8()].trim_end();
        let is_fetched = "'\"`".contains(quote) && fetching.iter().any(|f| before.ends_with(f));
        script[at..].split(quote).next().filter(|_| is_fetched)
    });
    quoted.map(str::to_string).collect()
}

fn links_in_style(style: &str) -> Vec<String> {
    let urls = style.split("url(").skip(1);
    urls.filter_map(|rest| rest.split(')').next()).map(|url| url.trim_matches(['"', '\'', ' ']).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_fetches_its_scripts_styles_and_icons_but_not_what_it_links_to() {
        let html = "<link rel=\"stylesheet\" href=\"./a.css\"><a href=\"./no.html\">x</a>\
                    <link rel=canonical href=no><script type=module src=./b.js></script>\
                    <link crossorigin rel='modulepreload' href='./c.js'><script>1</script>";
        assert_eq!(links_in_html(html), ["./a.css", "./b.js", "./c.js"]);
    }

    #[test]
    fn a_script_fetches_what_it_names_by_relative_address() {
        let script = "import init from './p.js'; init(new URL(\"./p_bg.wasm\", import.meta.url)); \
                      // see ./notes and new URL('p_bg.wasm', import.meta.url)
                      const imports = { \"./p_bg.js\": {} }; later(() => import('./q.js'))";
        assert_eq!(links_in_script(script), ["./p.js", "./p_bg.wasm"]);
    }

    #[test]
    fn a_chunk_comes_with_what_it_shares() {
        let entry = |name: &str, file: &str, others: &str| {
            format!(
                "{name}=n(()=>{{const c=fetch(new URL(\"./{file}.wasm\",import.meta.url));return async t=>e(c,t)}},[{others}])"
            )
        };
        let loader = format!(
            "const {},{},{};export const {},{};",
            entry("d", "chunk_1-a", ""),
            entry("o", "chunk_2-b", ""),
            entry("$", "chunk_3-c", ""),
            entry("l_link", "link-d", "d,o"),
            entry("l_machine", "machine-e", "o,$"),
        );
        assert_eq!(files_of_chunk(&loader, "machine"), ["machine-e.wasm", "chunk_2-b.wasm", "chunk_3-c.wasm"]);
        assert!(files_of_chunk(&loader, "mach").is_empty());
    }

    #[test]
    fn links_are_relative_to_the_file_they_stand_in() {
        assert_eq!(resolve("", "./a.js").as_deref(), Some("a.js"));
        assert_eq!(resolve("snippets/x", "../y/a.js?v=1").as_deref(), Some("snippets/y/a.js"));
        assert_eq!(resolve("", "data:image/svg+xml,x"), None);
        assert_eq!(links_in_style("a{b:url(./x.woff2)} c{d:url('data:x')}").len(), 2);
    }
}
