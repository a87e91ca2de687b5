//! The web app, embedded in the binary; a readable page where it was not built.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, Uri, header};
use rand::RngCore as _;
use rust_embed::RustEmbed;

use crate::error::{ApiError, Code};

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Assets;

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Toolcrib</title>\
<h1>Toolcrib is running</h1><p>The web app was not built into this binary. Build it with <code>make</code>, \
or use the API at <code>/api</code>; its description is at <code>/api/openapi.json</code>.</p></html>";

pub(crate) async fn serve(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return ApiError::new(
            Code::NotFound,
            "There is nothing here for this path and method.",
        )
        .into_response();
    }
    if let Some(file) = Assets::get(path).filter(|_| !path.is_empty() && path != "index.html") {
        let kind = file.metadata.mimetype().to_owned();
        let mut response = file.data.into_owned().into_response();
        let lasting = if path.starts_with("assets/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        response
            .headers_mut()
            .insert(header::CACHE_CONTROL, HeaderValue::from_static(lasting));
        if let Ok(kind) = HeaderValue::from_str(&kind) {
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        return response;
    }
    if path.starts_with("assets/") {
        return (StatusCode::NOT_FOUND, "").into_response();
    }
    page()
}

/// The one page of the app. Its nonce is new each time, so it is never cached.
fn page() -> Response {
    let html =
        Assets::get("index.html").map(|file| String::from_utf8_lossy(&file.data).into_owned());
    let mut bits = [0_u8; 16];
    rand::rng().fill_bytes(&mut bits);
    let nonce = hex::encode(bits);
    let html = html.map_or_else(
        || NOT_BUILT.to_owned(),
        |html| html.replace("__CSP_NONCE__", &nonce),
    );
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let mut response = html.into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/html; charset=utf-8"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
