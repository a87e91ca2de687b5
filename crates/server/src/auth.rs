//! Who a request comes from: a session cookie, or a token in the header.

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, header};
use toolcrib_counter::Principal;

use crate::app::App;
use crate::error::{ApiError, Code};

const COOKIE: &str = "toolcrib_session";
/// As long as the session itself, in seconds.
const COOKIE_AGE: u32 = 14 * 24 * 3600;

/// The user that a request comes from. Routes that take it refuse everybody else.
#[derive(Debug)]
pub(crate) struct SignedIn(pub(crate) Principal);

impl FromRequestParts<App> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let not_signed_in = || {
            ApiError::new(
                Code::NotSignedIn,
                "Sign in, or send a token that is in force.",
            )
        };
        let secret = bearer(&parts.headers)
            .or_else(|| cookie(&parts.headers))
            .ok_or_else(not_signed_in)?;
        let principal = app
            .runtime
            .authenticate(secret)
            .await?
            .ok_or_else(not_signed_in)?;
        Ok(Self(principal))
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, secret)| secret)
}

/// Whether a request brings a session cookie, which browsers send by themselves.
pub(crate) fn has_cookie(headers: &HeaderMap) -> bool {
    cookie(headers).is_some()
}

/// The header that opens a session in a browser.
pub(crate) fn set_cookie(secret: &str) -> String {
    format!("{COOKIE}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_AGE}")
}

/// The header that ends it.
pub(crate) fn clear_cookie() -> String {
    format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0")
}
