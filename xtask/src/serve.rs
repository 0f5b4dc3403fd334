//! `cargo xtask serve`: a small file server for the built site, on this machine only.
//!
//! It answers GET and HEAD. Every answer allows any origin, because an embed in a sandboxed frame
//! has an origin of its own. The options imitate less friendly hosts: a path in front, a strict
//! policy, a wrong type for wasm files.

use crate::failure::{Context, Failure, Result, unknown_argument, value_of};
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const PORT_DEFAULT: u16 = 8080;
const PORTS_TRIED_MAX: u16 = 20;
const REQUEST_BYTES_MAX: u64 = 16 * 1024;
const IDLE_MAX: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub struct Options {
    pub build: bool,
    port: u16,
    /// Begins and ends with `/`.
    base: String,
    csp: Option<String>,
    wasm_type: String,
}

impl Options {
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let mut options =
            Self { build: true, port: PORT_DEFAULT, base: "/".into(), csp: None, wasm_type: "application/wasm".into() };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--no-build" => options.build = false,
                "--port" => {
                    let port = value_of(argument, &mut arguments)?;
                    options.port = port.parse().map_err(|_| Failure::new(format!("`{port}` is no port")))?;
                }
                "--base" => options.base = base(value_of(argument, &mut arguments)?),
                "--csp" => options.csp = Some(header_value(argument, &mut arguments)?),
                "--wasm-type" => options.wasm_type = header_value(argument, &mut arguments)?,
                _ => return Err(unknown_argument(argument)),
            }
        }
        Ok(options)
    }
}

fn base(text: &str) -> String {
    match text.trim_matches('/') {
        "" => "/".into(),
        path => format!("/{path}/"),
    }
}

fn header_value<'a>(option: &str, arguments: &mut impl Iterator<Item = &'a String>) -> Result<String> {
    let value = value_of(option, arguments)?;
    if value.chars().any(char::is_control) {
        return Err(Failure::new(format!("the value of `{option}` holds a control character")));
    }
    Ok(value.to_string())
}

/// Serves until the process is ended.
pub fn serve(folder: &Path, options: &Options) -> Result<()> {
    if !folder.join("index.html").is_file() {
        return Err(
            Failure::new(format!("there is no site in {}", folder.display())).remedy("`cargo xtask build` makes it")
        );
    }
    let listener = listen(options.port)?;
    let address = listener.local_addr().context(|| "the port has no address".into())?;
    println!("Dynascope is at http://{address}{}", options.base);
    if options.build {
        println!("Ctrl+C ends it.");
    }
    let site = Arc::new(Site { folder: folder.to_path_buf(), options: options.clone() });
    for stream in listener.incoming() {
        let Ok(stream) = stream else { continue };
        let site = Arc::clone(&site);
        // A visitor who leaves in the middle of an answer is no concern of ours.
        std::thread::spawn(move || site.talk(&stream).ok());
    }
    Ok(())
}

fn listen(first_port: u16) -> Result<TcpListener> {
    for port in first_port..=first_port.saturating_add(PORTS_TRIED_MAX) {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {
                println!("port {port} is taken");
            }
            Err(error) => {
                return Err(Failure::new(format!("cannot listen on port {port}: {error}")));
            }
        }
    }
    Err(Failure::new(format!("no port is free from {first_port} on")).remedy("`--port 0` takes any free one"))
}

struct Site {
    folder: PathBuf,
    options: Options,
}

struct Request {
    method: String,
    /// As sent, with the query.
    target: String,
    keep_alive: bool,
}

struct Answer {
    status: &'static str,
    content_type: String,
    location: Option<String>,
    body: Vec<u8>,
}

impl Site {
    /// Answers the requests of one connection, one after the other.
    fn talk(&self, stream: &TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(IDLE_MAX))?;
        stream.set_nodelay(true)?;
        let mut reader = BufReader::new(stream);
        while let Some(request) = read_request(&mut reader)? {
            let answer = self.answer(&request);
            self.send(stream, &request, &answer)?;
            if !request.keep_alive {
                break;
            }
        }
        Ok(())
    }

    fn answer(&self, request: &Request) -> Answer {
        if request.method != "GET" && request.method != "HEAD" {
            return plain("405 Method Not Allowed");
        }
        let path = request.target.split(['?', '#']).next().unwrap_or_default();
        let base = &self.options.base;
        if format!("{path}/") == *base {
            return moved(base.clone());
        }
        let Some(file) = path.strip_prefix(base.as_str()).and_then(|rest| file_in(&self.folder, rest)) else {
            return plain("404 Not Found");
        };
        if file.is_dir() && !path.ends_with('/') {
            return moved(format!("{path}/"));
        }
        let file = if file.is_dir() { file.join("index.html") } else { file };
        match fs::read(&file) {
            Ok(body) => {
                Answer { status: "200 OK", content_type: self.content_type(&file).into(), location: None, body }
            }
            Err(_) => plain("404 Not Found"),
        }
    }

    fn content_type(&self, file: &Path) -> &str {
        let ending = file.extension().and_then(|ending| ending.to_str());
        match ending.unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" | "mjs" => "text/javascript; charset=utf-8",
            "json" | "map" => "application/json",
            "md" => "text/markdown; charset=utf-8",
            "txt" => "text/plain; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "webp" => "image/webp",
            "ico" => "image/x-icon",
            "woff2" => "font/woff2",
            "wasm" => &self.options.wasm_type,
            _ => "application/octet-stream",
        }
    }

    fn send(&self, mut stream: &TcpStream, request: &Request, answer: &Answer) -> std::io::Result<()> {
        let mut head = vec![
            format!("HTTP/1.1 {}", answer.status),
            format!("Content-Type: {}", answer.content_type),
            format!("Content-Length: {}", answer.body.len()),
            "Access-Control-Allow-Origin: *".into(),
            "Cache-Control: no-cache".into(),
            "X-Content-Type-Options: nosniff".into(),
        ];
        head.extend(answer.location.iter().map(|to| format!("Location: {to}")));
        head.extend(self.options.csp.iter().map(|policy| format!("Content-Security-Policy: {policy}")));
        if answer.status.starts_with("405") {
            head.push("Allow: GET, HEAD".into());
        }
        if !request.keep_alive {
            head.push("Connection: close".into());
        }
        let mut bytes = head.join("\r\n").into_bytes();
        bytes.extend_from_slice(b"\r\n\r\n");
        if request.method != "HEAD" {
            bytes.extend_from_slice(&answer.body);
        }
        stream.write_all(&bytes)
    }
}

/// The next request on a connection; `None` if the visitor has left or does not speak HTTP.
fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut lines = reader.take(REQUEST_BYTES_MAX).lines();
    let Some(first) = lines.next().transpose()? else {
        return Ok(None);
    };
    let mut words = first.split_whitespace();
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Ok(None);
    };
    let mut keep_alive = version == "HTTP/1.1";
    loop {
        let Some(line) = lines.next().transpose()? else {
            return Ok(None);
        };
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Ok(None);
        };
        // We never read a body, so that nothing after one could be understood.
        let has_body = name.eq_ignore_ascii_case("transfer-encoding")
            || (name.eq_ignore_ascii_case("content-length") && value.trim() != "0");
        let wants_close = name.eq_ignore_ascii_case("connection") && value.to_ascii_lowercase().contains("close");
        if has_body || wants_close {
            keep_alive = false;
        }
    }
    Ok(Some(Request { method: method.into(), target: target.into(), keep_alive }))
}

/// The file that a path inside the site means; `None` for one that would lead outside.
fn file_in(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = percent_decoded(path)?;
    let mut file = folder.to_path_buf();
    for part in path.split('/').filter(|part| !part.is_empty()) {
        let leads_away = part.starts_with('.') || part.contains(['\\', ':', '\0']);
        if leads_away {
            return None;
        }
        file.push(part);
    }
    Some(file)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            u8::try_from(high * 16 + low).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(bytes).ok()
}

fn plain(status: &'static str) -> Answer {
    Answer { status, content_type: "text/plain; charset=utf-8".into(), location: None, body: status.into() }
}

fn moved(location: String) -> Answer {
    Answer { location: Some(location), ..plain("308 Permanent Redirect") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_site() {
        let inside = |path| file_in(Path::new("site"), path);
        assert_eq!(inside("a%20b/c.js"), Some(PathBuf::from("site/a b/c.js")));
        assert_eq!(inside(""), Some(PathBuf::from("site")));
        for path in ["../x", "a/../../x", "%2e%2e/x", "a\\..\\x", "C:/x", ".git/config", "%zz", "%2"] {
            assert_eq!(inside(path), None, "{path}");
        }
    }

    #[test]
    fn a_connection_stays_open_unless_asked_otherwise_or_a_body_follows() {
        let keep_alive = |text: &str| {
            read_request(&mut text.as_bytes()).expect("reading from memory works").map(|request| request.keep_alive)
        };
        assert_eq!(keep_alive("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), Some(true));
        assert_eq!(keep_alive("GET / HTTP/1.0\r\n\r\n"), Some(false));
        assert_eq!(keep_alive("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"), Some(false));
        assert_eq!(keep_alive("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"), Some(false));
        assert_eq!(keep_alive("GET / HTTP/1.1\r\nHost: x\r\n"), None);
        assert_eq!(keep_alive(""), None);
    }

    #[test]
    fn the_base_path_has_slashes_on_both_sides() {
        assert_eq!(base(""), "/");
        assert_eq!(base("/"), "/");
        assert_eq!(base("a/b"), "/a/b/");
    }
}
