use std::any::Any;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use toolcrib::id::CallId;
use tracing::Instrument as _;

use crate::error::{ApiError, Code, ProblemBody};

/// Gives each request an id, and writes the problems that routes answered with.
pub(crate) async fn render(request: Request, next: Next) -> Response {
    let id = CallId::mint().to_string();
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    let mut response = next.run(request).instrument(span).await;
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        response = body(error, &id);
    } else if response.status().is_client_error()
        && !response.headers().contains_key(header::CONTENT_TYPE)
    {
        // What the router refuses by itself: an unknown path, a wrong method.
        let status = response.status();
        let error = ApiError::new(
            Code::NotFound,
            "There is nothing here for this path and method.",
        );
        response = body(error, &id);
        *response.status_mut() = status;
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert("x-request-id", value);
    }
    security_headers(&mut response);
    response
}

/// What a panicking route answers with.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the signature that the layer asks for"
)]
pub(crate) fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic.downcast_ref::<&str>().map_or("", |text| text);
    tracing::error!(panic = text, "a route panicked");
    ApiError::new(
        Code::Internal,
        "The server could not do this. The log has the details under the request id.",
    )
    .into_response()
}

fn body(error: ApiError, id: &str) -> Response {
    let (code, status, title) = error.code.facts();
    let body = ProblemBody {
        kind: "about:blank",
        title,
        status: status.as_u16(),
        code,
        detail: error.detail,
        errors: error.errors,
        request_id: id.to_owned(),
    };
    let json = serde_json::to_vec(&body).unwrap_or_default();
    (
        status,
        [(header::CONTENT_TYPE, "application/problem+json")],
        json,
    )
        .into_response()
}

fn security_headers(response: &mut Response) {
    let headers = response.headers_mut();
    let fixed = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
}
