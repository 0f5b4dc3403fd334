//! HTTP/1.1 around the engine: who may come in, how long they may take, and the headers of an answer.

use crate::engine::Engine;
use crate::options::Options;
use crate::print;
use dynascope_engine::protocol::{self, WireResponse};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Largest body, as the service has it.
const MAX_BODY_BYTES: usize = 16 << 20;
/// Connections at a time; further ones wait to be accepted.
const MAX_CONNECTIONS: usize = 8_192;
/// A client has so long for its headers, and for its body.
const HEADER_TIME: Duration = Duration::from_secs(30);
const BODY_TIME: Duration = Duration::from_secs(60);
/// Requests under way have so long to end when the server is told to.
const LAST_TIME: Duration = Duration::from_secs(5);

struct Server {
    engine: RefCell<Engine>,
    /// Requests so far, for their ids.
    requests: Cell<u64>,
}

/// Serves until it is told to stop.
pub async fn serve(options: &Options, engine: Engine) -> Result<(), Box<dyn std::error::Error>> {
    // Before anybody is told that it is there: who knows of it may stop it.
    let mut stop = std::pin::pin!(stopped()?);
    let listener = TcpListener::bind(SocketAddr::new(options.host, options.port)).await?;
    if !options.quiet {
        print(&format!("DynamoDB is answered at http://{}", listener.local_addr()?));
    }
    let server = Rc::new(Server { engine: RefCell::new(engine), requests: Cell::new(0) });
    let room = std::sync::Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = hyper_util::server::graceful::GracefulShutdown::new();
    loop {
        let permit = tokio::select! {
            permit = room.clone().acquire_owned() => permit?,
            () = &mut stop => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file handles, or a client that went again: others may still come.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Answers are small and wait for nobody.
        let _ = stream.set_nodelay(true);
        let server = server.clone();
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIME)
            .serve_connection(TokioIo::new(stream), service_fn(move |request| respond(server.clone(), request)));
        let connection = graceful.watch(connection);
        tokio::task::spawn_local(async move {
            // Malformed HTTP has been answered by then, and a client that went needs no answer.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_TIME, graceful.shutdown()).await;
    Ok(())
}

/// Listens for being interrupted or terminated, from now on; ends when that happens.
#[cfg(unix)]
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Listens for being interrupted, from now on; ends when that happens.
#[cfg(windows)]
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move { drop(interrupt.recv().await) })
}

async fn respond(server: Rc<Server>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let number = server.requests.get();
    server.requests.set(number + 1);
    let answer = answer(&server, request).await;
    Ok(headed(answer, number))
}

/// An answer without its headers.
struct Answer {
    status: StatusCode,
    kind: &'static str,
    body: Bytes,
    closes: bool,
}

impl Answer {
    fn text(status: StatusCode, body: &str) -> Self {
        Self { status, kind: "text/plain", body: Bytes::copy_from_slice(body.as_bytes()), closes: false }
    }

    fn wire(answer: &WireResponse, kind: &'static str) -> Self {
        let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, kind, body: answer.body.to_string().into(), closes: false }
    }
}

/// The content types of the protocol.
const JSON_1_0: &str = "application/x-amz-json-1.0";
const JSON: &str = "application/json";

async fn answer(server: &Server, request: Request<Incoming>) -> Answer {
    let (parts, body) = request.into_parts();
    if parts.method == Method::GET {
        return Answer::text(StatusCode::OK, "healthy: dynamodb.us-east-1.amazonaws.com ");
    }
    let body = match tokio::time::timeout(BODY_TIME, Limited::new(body, MAX_BODY_BYTES).collect()).await {
        Ok(Ok(body)) => body.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            return Answer { closes: true, ..Answer::text(StatusCode::PAYLOAD_TOO_LARGE, "") };
        }
        Ok(Err(_)) => return Answer { closes: true, ..Answer::text(StatusCode::BAD_REQUEST, "") },
        Err(_) => return Answer { closes: true, ..Answer::text(StatusCode::REQUEST_TIMEOUT, "") },
    };
    let Some(kind) = content_type(&parts.headers).filter(|_| parts.method == Method::POST) else {
        return Answer::text(StatusCode::NOT_FOUND, "<UnknownOperationException/>\n");
    };
    let target = parts.headers.get("x-amz-target").and_then(|target| target.to_str().ok()).unwrap_or_default();
    Answer::wire(&server.engine.borrow_mut().answer(target, &body), kind)
}

fn content_type(headers: &HeaderMap) -> Option<&'static str> {
    let named = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let named = named.split(';').next().unwrap_or_default().trim();
    [JSON_1_0, JSON].into_iter().find(|kind| *kind == named)
}

fn headed(answer: Answer, number: u64) -> Response<Full<Bytes>> {
    let checksum = crc32fast::hash(&answer.body);
    let mut response = Response::new(Full::new(answer.body));
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.kind));
    headers.insert(HeaderName::from_static("x-amz-crc32"), HeaderValue::from(checksum));
    if let Ok(id) = HeaderValue::from_str(&protocol::request_id(number)) {
        headers.insert(HeaderName::from_static("x-amzn-requestid"), id);
    }
    if answer.closes {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
