//! Webhooks: events as signed requests, in the form of Standard Webhooks.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::{Map, Value};
use sha2::Sha256;
use toolcrib::transport::{HttpRequest, Transport, TransportError};
use toolcrib_data::platform::subscribers::SubscriberRow;

use super::callback::Answer;
use super::payload::ToolEvent;
use crate::AuditKey;

/// The largest answer that is read, in bytes.
const LARGEST_ANSWER: usize = 16 * 1024;

/// What a webhook answered.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) status: StatusCode,
    body: Vec<u8>,
    /// Whether it said more than is read.
    is_cut: bool,
}

/// The key that signs what a webhook gets. It follows from the installation's own key, and is stored
/// nowhere.
fn signing_key(key: &AuditKey, row: &SubscriberRow) -> Vec<u8> {
    let (id, version) = (row.id.to_string(), row.key_version.to_string());
    let parts = [
        b"the signing key of a webhook".as_slice(),
        id.as_bytes(),
        version.as_bytes(),
    ];
    hex::decode(key.prove(&parts)).unwrap_or_default()
}

/// The secret as the owner of the webhook is told it.
pub(super) fn secret(key: &AuditKey, row: &SubscriberRow) -> String {
    format!("whsec_{}", STANDARD.encode(signing_key(key, row)))
}

/// The signature of a body that is sent under an id at a time, in seconds.
fn signature(key: &[u8], (id, at): (&str, i64), body: &[u8]) -> String {
    // Keys of any length do.
    let Ok(mut mac) = <Hmac<Sha256> as KeyInit>::new_from_slice(key) else {
        return String::new();
    };
    mac.update(format!("{id}.{at}.").as_bytes());
    mac.update(body);
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// Sends an event; why it could not be done, in a sentence for administrators.
pub(super) async fn send(
    transport: &dyn Transport,
    key: &AuditKey,
    row: &SubscriberRow,
    (id, event, now): (&str, &ToolEvent, i64),
) -> Result<Answered, String> {
    let timeout = Duration::from_millis(row.timeout_ms.into());
    let body = serde_json::to_vec(event).map_err(|error| error.to_string())?;
    let at = now.div_euclid(1_000_000);
    let signed = signature(&signing_key(key, row), (id, at), &body);
    let request = HttpRequest {
        method: Method::POST,
        url: row.url.clone(),
        headers: headers([
            (HeaderName::from_static("webhook-id"), id),
            (
                HeaderName::from_static("webhook-timestamp"),
                &at.to_string(),
            ),
            (HeaderName::from_static("webhook-signature"), &signed),
        ]),
        body: body.into(),
        timeout,
    };
    let answered = tokio::time::timeout(timeout, answer(transport, request)).await;
    let answered = answered.unwrap_or(Err(TransportError::Timeout));
    answered.map_err(|error| match error {
        TransportError::Timeout => format!("no answer within {} ms", row.timeout_ms),
        other => other.to_string(),
    })
}

async fn answer(
    transport: &dyn Transport,
    request: HttpRequest,
) -> Result<Answered, TransportError> {
    let mut response = transport.send(request).await?;
    let (mut body, mut is_cut) = (Vec::new(), false);
    while let Some(chunk) = response.body.next().await {
        body.extend_from_slice(&chunk?);
        if body.len() > LARGEST_ANSWER {
            is_cut = true;
            break;
        }
    }
    Ok(Answered {
        status: response.status,
        body,
        is_cut,
    })
}

fn headers<const N: usize>(own: [(HeaderName, &str); N]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let usual = [
        (header::CONTENT_TYPE, "application/json"),
        (
            header::USER_AGENT,
            concat!("toolcrib/", env!("CARGO_PKG_VERSION")),
        ),
    ];
    for (name, value) in usual.into_iter().chain(own) {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    headers
}

impl Answered {
    /// Whether it was heard.
    pub(super) fn heard(&self) -> Result<(), String> {
        match self.status.is_success() {
            true => Ok(()),
            false => Err(format!("it answered {}", self.status)),
        }
    }

    /// What it says to a call that it was asked about. That there is nothing to say (204) is consent; what
    /// is said has to be understood, all of it.
    pub(super) fn decision(&self) -> Result<Answer, String> {
        self.heard()?;
        if self.status == StatusCode::NO_CONTENT {
            return Ok(Answer::Allow);
        }
        if self.is_cut {
            return Err(format!("it answered more than {LARGEST_ANSWER} bytes"));
        }
        let said: Option<Map<String, Value>> = serde_json::from_slice(&self.body).ok();
        let said = said.map(|said| serde_json::from_value(Value::Object(said)));
        said.and_then(Result::ok).ok_or_else(|| {
            let expected = r#"{"decision": "allow"} or {"decision": "deny", "reason": "…"}"#;
            format!("it answered neither 204 nor {expected}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_that_of_standard_webhooks() {
        // The example of the public specification.
        let key = STANDARD
            .decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
            .unwrap_or_default();
        let signed = signature(
            &key,
            ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330),
            br#"{"test": 2432232314}"#,
        );
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_is_not_understood_is_no_consent() {
        let of = |status: u16, body: &str| Answered {
            status: StatusCode::from_u16(status).unwrap_or_default(),
            body: body.as_bytes().to_vec(),
            is_cut: body.len() > LARGEST_ANSWER,
        };
        assert_eq!(of(204, "").decision(), Ok(Answer::Allow));
        assert_eq!(
            of(200, r#"{"decision":"allow"}"#).decision(),
            Ok(Answer::Allow)
        );
        let reason = Some("no".to_owned());
        assert_eq!(
            of(200, r#"{"decision":"deny","reason":"no"}"#).decision(),
            Ok(Answer::Deny { reason })
        );
        for (status, body) in [
            (500, r#"{"decision":"allow"}"#),
            (302, ""),
            (200, r#"{"decision":"maybe"}"#),
            (200, r#"{"ok":true}"#),
            (200, "yes"),
            (200, "[]"),
            (200, r#"["allow"]"#),
            (200, ""),
            (202, ""),
            (200, "  \n"),
            (200, r#"{"decision":"allow"}{"decision":"deny"}"#),
            (
                200,
                &format!(r#"{}{{"decision":"allow"}}"#, " ".repeat(LARGEST_ANSWER)),
            ),
        ] {
            assert!(of(status, body).decision().is_err(), "{status} {body}");
        }
    }
}
