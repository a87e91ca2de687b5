use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use toolcrib_data::records::FileContent;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::InPath;

/// Nothing in a file is anything to a browser but something to be saved: who gave it to us said
/// what it is, and nobody looked.
const POLICY: &str = "sandbox; default-src 'none'; frame-ancestors 'none'";

/// The content of a file in a record that the user may read.
#[utoipa::path(get, path = "/api/records/{model}/{id}/files/{field}", tag = "records",
    params(("model" = String, Path), ("id" = String, Path), ("field" = String, Path)),
    responses((status = 200, description = "The content, to be saved", content_type = "application/octet-stream"),
        (status = 404, description = "No such file")))]
pub(crate) async fn file(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath((model, id, field)): InPath<(String, String, String)>,
) -> Result<Response, ApiError> {
    let found = app
        .runtime
        .record_file(&principal, (&model, &id, &field))
        .await?;
    let file = found.ok_or_else(|| ApiError::not_found("file"))?;
    Ok(answer(file))
}

fn answer(file: FileContent) -> Response {
    let value = |text: &str, otherwise: &'static str| {
        HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(otherwise))
    };
    let headers = [
        (
            header::CONTENT_TYPE,
            value(&file.media_type, "application/octet-stream"),
        ),
        (
            header::CONTENT_DISPOSITION,
            value(&disposition(&file.name), "attachment"),
        ),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(POLICY),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ];
    (headers, file.bytes).into_response()
}

/// The header that names the file, whatever letters its name has (RFC 6266).
fn disposition(name: &str) -> String {
    let mut out = String::from("attachment; filename*=UTF-8''");
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
