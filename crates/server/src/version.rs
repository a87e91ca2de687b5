//! The version that a request changes, which keeps people from overwriting what they have not seen.

use http::{HeaderMap, HeaderValue, header};

use crate::error::{ApiError, Code};

/// That of `If-Match`.
pub(crate) fn changed(headers: &HeaderMap) -> Result<i64, ApiError> {
    matched(headers).ok_or_else(|| {
        ApiError::new(
            Code::VersionMissing,
            "Send the version that you change as If-Match, as the ETag named it.",
        )
    })
}

/// That of `If-Match`, or none for what is to be new: `If-None-Match: *`.
pub(crate) fn changed_or_new(headers: &HeaderMap) -> Result<Option<i64>, ApiError> {
    if let Some(version) = matched(headers) {
        return Ok(Some(version));
    }
    if headers.get(header::IF_NONE_MATCH) == Some(&HeaderValue::from_static("*")) {
        return Ok(None);
    }
    Err(ApiError::new(
        Code::VersionMissing,
        "Send the version that you change as If-Match, as the ETag named it; for a new one send If-None-Match: *.",
    ))
}

fn matched(headers: &HeaderMap) -> Option<i64> {
    let tag = headers.get(header::IF_MATCH)?.to_str().ok()?;
    tag.trim_matches('"').parse().ok()
}

/// The header that names a version.
pub(crate) fn etag(version: i64) -> [(header::HeaderName, String); 1] {
    [(header::ETAG, format!("\"{version}\""))]
}
