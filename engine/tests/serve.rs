//! The endpoint over HTTP: what the service answers, what it withstands, and time that is moved by hand.

use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server of a test's own, which ends with it.
struct Server {
    child: Child,
    port: u16,
}

/// Status, headers in lower case, body.
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    fn json(&self) -> Json {
        serde_json::from_slice(&self.body).expect("JSON")
    }

    /// The exception's name, or nothing.
    fn exception(&self) -> String {
        let body = self.json();
        let kind = body["__type"].as_str().unwrap_or_default();
        kind.rsplit('#').next().unwrap_or_default().to_owned()
    }
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dynascope-serve"))
            .args(["--port", "0"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("it says where it listens");
        let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
        Self { child, port }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
        stream
    }

    fn raw(&self, method: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let more: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!(
            "{method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}Content-Length: {}\r\n\r\n",
            more.concat(),
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        // One that is too large is answered before it has been read.
        let _ = stream.write_all(body);
        read_answer(&mut stream)
    }

    fn send(&self, target: &str, body: &Json) -> Answer {
        let headers = [("Content-Type", "application/x-amz-json-1.0"), ("X-Amz-Target", target)];
        self.raw("POST", &headers, body.to_string().as_bytes())
    }

    fn data(&self, operation: &str, body: &Json) -> Answer {
        self.send(&format!("DynamoDB_20120810.{operation}"), body)
    }

    fn create(&self, billing: &Json) {
        let mut body = json!({
            "TableName": "app", "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
        });
        for (name, value) in billing.as_object().expect("members") {
            body[name] = value.clone();
        }
        assert_eq!(self.data("CreateTable", &body).status, 200);
    }

    fn put(&self, key: &str) -> Answer {
        self.data("PutItem", &json!({"TableName": "app", "Item": {"PK": {"S": key}}}))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_answer(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    Answer { status, headers, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
}

fn provisioned(write: u64) -> Json {
    json!({"ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": write}})
}

#[test]
fn it_answers_as_the_service_does() {
    let server = Server::start(&[]);
    server.create(&json!({"BillingMode": "PAY_PER_REQUEST"}));
    assert_eq!(server.put("a").status, 200);
    let answer = server.data("GetItem", &json!({"TableName": "app", "Key": {"PK": {"S": "a"}}}));
    assert_eq!((answer.status, answer.json()), (200, json!({"Item": {"PK": {"S": "a"}}})));
    assert_eq!(answer.header("content-type"), "application/x-amz-json-1.0");
    assert_eq!(answer.header("x-amz-crc32"), crc32fast::hash(&answer.body).to_string());
    let id = answer.header("x-amzn-requestid");
    assert!(id.len() == 52 && id.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()), "{id}");
    let refused = server.data("GetItem", &json!({"TableName": "none", "Key": {"PK": {"S": "a"}}}));
    assert_eq!((refused.status, refused.exception().as_str()), (400, "ResourceNotFoundException"));
}

#[test]
fn what_is_no_request_is_told_so() {
    let server = Server::start(&[]);
    let healthy = server.raw("GET", &[], b"");
    assert_eq!((healthy.status, healthy.body.starts_with(b"healthy: dynamodb")), (200, true));
    assert_eq!(server.raw("PUT", &[("Content-Type", "application/json")], b"{}").status, 404);
    assert_eq!(server.raw("POST", &[("Content-Type", "text/html")], b"{}").status, 404);
    assert_eq!(server.send("DynamoDB_20120810.Fly", &json!({})).exception(), "UnknownOperationException");
    let headers = [("Content-Type", "application/json"), ("X-Amz-Target", "DynamoDB_20120810.PutItem")];
    assert_eq!(server.raw("POST", &headers, b"{\"TableName\": ").exception(), "SerializationException");
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(server.raw("POST", &headers, deep.as_bytes()).exception(), "SerializationException");
    assert_eq!(server.raw("POST", &headers, &vec![b'a'; (16 << 20) + 1]).status, 413);
}

#[test]
fn what_is_malformed_slow_or_many_does_not_hold_it_up() {
    let server = Server::start(&[]);
    server.create(&json!({"BillingMode": "PAY_PER_REQUEST"}));
    for garbage in [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET\r\n\r\n", b"POST / HTTP/9.9\r\n\r\n", &[0; 4096]] {
        let mut stream = server.connect();
        let _ = stream.write_all(garbage);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let answer = read_answer(&mut stream);
        assert!(answer.status == 0 || answer.status >= 400, "{}", answer.status);
    }
    // They say that more is to come, and it does not.
    let idle: Vec<TcpStream> = (0..500)
        .map(|_| {
            let mut stream = server.connect();
            let _ = stream.write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
            stream
        })
        .collect();
    assert_eq!(server.put("a").status, 200);
    drop(idle);
    assert_eq!(server.put("b").status, 200);
}

/// What no other emulator offers a test: exactly the second in which a client may go on.
#[test]
fn time_that_is_moved_by_hand_proves_a_backoff() {
    let server = Server::start(&["--time", "manual", "--saved-burst-seconds", "0"]);
    server.create(&provisioned(2));
    // Nothing is saved, and nothing flows while the clock stands.
    assert_eq!(server.put("a").exception(), "ProvisionedThroughputExceededException");
    // A client that waits half a second finds one unit, and after that the bucket empty.
    assert_eq!(server.send("Dynascope_1.Advance", &json!({"Milliseconds": 500})).json(), json!({"Now": 500}));
    assert_eq!(server.put("a").status, 200);
    let refused = server.put("b");
    assert_eq!(refused.exception(), "ProvisionedThroughputExceededException");
    assert_eq!(refused.json()["ThrottlingReasons"][0]["reason"], "TableWriteProvisionedThroughputExceeded");
    server.send("Dynascope_1.Advance", &json!({"Milliseconds": 500}));
    assert_eq!(server.put("b").status, 200);
    let told = server.send("Dynascope_1.Telemetry", &json!({"TableName": "app"})).json();
    assert_eq!(told["Arms"][0]["total"]["writes"], 2);
    assert_eq!(told["Arms"][0]["partitions"].as_array().map(Vec::len), Some(1));
    assert_eq!(told["Throttles"].as_array().map(Vec::len), Some(2), "a line for each key");
    assert_eq!(server.send("Dynascope_1.Advance", &json!({"Milliseconds": -1})).exception(), "ValidationException");
    assert_eq!(server.send("Dynascope_1.Reset", &json!({})).json(), json!({"Now": 0}));
    assert_eq!(server.put("c").exception(), "ResourceNotFoundException");
}

#[test]
fn where_the_clock_runs_nobody_moves_it() {
    let server = Server::start(&[]);
    let answer = server.send("Dynascope_1.Advance", &json!({"Milliseconds": 500}));
    assert_eq!(answer.exception(), "UnknownOperationException");
}

#[test]
fn default_physics_refuse_a_write_beyond_the_burst() {
    let server = Server::start(&["--time", "manual"]);
    server.create(&provisioned(1));
    let accepted = (0..400).take_while(|number| server.put(&number.to_string()).status == 200).count();
    assert_eq!(accepted, 300, "300 s of 1 WCU, and no more while the clock stands");
}

#[cfg(unix)]
#[test]
fn it_ends_when_it_is_told_to() {
    let mut server = Server::start(&[]);
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
    assert!(server.child.wait().expect("it ends").success());
}

#[test]
fn a_wrong_option_is_named() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_dynascope-serve")).args(["--physics", "moon"]).output().expect("runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--physics is aws or classroom, not moon"));
}
