//! Before any route: is the request addressed to this server, and was it sent from its own pages?

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, header};

use crate::app::App;
use crate::auth;
use crate::error::{ApiError, Code};

pub(crate) async fn check(State(app): State<App>, request: Request, next: Next) -> Response {
    match verify(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn verify(app: &App, request: &Request) -> Result<(), ApiError> {
    let host = host(request)
        .ok_or_else(|| ApiError::new(Code::WrongHost, "The request names no host."))?;
    let name = without_port(&host);
    // A page of another site that points its own name at this machine does not get past here.
    if !is_loopback(name) && !app.options.hosts.iter().any(|known| is_host(known, name)) {
        let detail = "This server does not go by that name. Add it to `hosts` in toolcrib.toml if it should.";
        return Err(ApiError::new(Code::WrongHost, detail));
    }
    let is_safe = matches!(
        *request.method(),
        Method::GET | Method::HEAD | Method::OPTIONS
    );
    match origin(request.headers()) {
        Some(origin) if origin != host => Err(ApiError::new(
            Code::WrongOrigin,
            "The request was sent from a page of another site.",
        )),
        None if !is_safe && auth::has_cookie(request.headers()) => Err(ApiError::new(
            Code::WrongOrigin,
            "A request with a session cookie has to name its origin.",
        )),
        _ => Ok(()),
    }
}

fn host(request: &Request) -> Option<String> {
    let header = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok())
        .map(str::to_owned);
    header
        .or_else(|| request.uri().authority().map(ToString::to_string))
        .map(|host| host.to_lowercase())
}

/// Host and port of the origin; `null` for what is no origin at all.
fn origin(headers: &HeaderMap) -> Option<String> {
    let origin = headers
        .get(header::ORIGIN)?
        .to_str()
        .unwrap_or("null")
        .to_lowercase();
    Some(
        origin
            .split_once("://")
            .map_or(origin.clone(), |(_, host)| host.to_owned()),
    )
}

fn without_port(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// Names are compared as browsers do: without case, and whatever the port.
fn is_host(known: &str, name: &str) -> bool {
    without_port(&known.to_lowercase()) == name
}

fn is_loopback(name: &str) -> bool {
    name == "localhost"
        || name
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
