//! What can be set of a webhook, and what is sound.

use std::ops::RangeInclusive;

use http::Uri;
use toolcrib::id::{SubscriberId, UserId};
use toolcrib_data::platform::subscribers::{PreMode, SubscriberRow};

use super::manage::EventError;

const LONGEST_NAME: usize = 80;
const LONGEST_URL: usize = 2000;
const MOST_TOOLS: usize = 1000;
/// How long a subscriber may take, in milliseconds.
const TIMEOUT: RangeInclusive<u32> = 100..=30_000;
const USUAL_TIMEOUT: u32 = 10_000;

/// What is to be set of a webhook; what is unset stays, or is as usual.
#[derive(Clone, Debug, Default)]
pub struct SubscriberChange {
    /// What people call it.
    pub name: Option<String>,
    /// Where events are sent.
    pub url: Option<String>,
    /// The tools whose events it gets.
    pub tools: Option<Vec<String>>,
    /// What it has to do with events before calls.
    pub pre: Option<PreMode>,
    /// Whether it is told after calls.
    pub post: Option<bool>,
    /// How long it may take to answer, in milliseconds.
    pub timeout_ms: Option<u32>,
    /// Whether it gets anything.
    pub enabled: Option<bool>,
}

/// A webhook of which nothing is said yet.
pub(super) fn fresh(by: UserId, now: i64) -> SubscriberRow {
    SubscriberRow {
        id: SubscriberId::mint(),
        name: String::new(),
        url: String::new(),
        tools: Vec::new(),
        pre: PreMode::Off,
        post: false,
        timeout_ms: USUAL_TIMEOUT,
        enabled: true,
        key_version: 1,
        version: 0,
        created_by: Some(by),
        created_at: now,
    }
}

/// The URL, if events can be sent there.
fn sound_url(url: &str) -> Result<(), String> {
    if url.is_empty() {
        return Err("the subscriber needs a url, such as https://ledger.example/hook".to_owned());
    }
    if url.len() > LONGEST_URL {
        return Err(format!("the url has at most {LONGEST_URL} characters"));
    }
    let parsed: Uri = url.parse().map_err(|_| {
        "the url is none: write it as https://ledger.example/hook, a host with other letters as xn--…"
            .to_owned()
    })?;
    let scheme = parsed.scheme_str().unwrap_or_default();
    let host = parsed.host().unwrap_or_default();
    if !matches!(scheme, "http" | "https") || host.is_empty() {
        return Err("the url begins with http:// or https:// and names a host".to_owned());
    }
    let authority = parsed.authority().map_or("", http::uri::Authority::as_str);
    if authority.contains('@') {
        return Err("the url holds no user name and no password".to_owned());
    }
    let port = authority.strip_prefix(host).unwrap_or_default();
    match port.is_empty() || parsed.port_u16().is_some_and(|port| port > 0) {
        true => Ok(()),
        false => Err("the port of the url is a number from 1 to 65535".to_owned()),
    }
}

impl SubscriberChange {
    pub(super) fn on(self, row: SubscriberRow) -> Result<SubscriberRow, EventError> {
        let name = self.name.unwrap_or(row.name);
        let changed = SubscriberRow {
            name: name.trim().to_owned(),
            url: self.url.unwrap_or(row.url),
            tools: self.tools.unwrap_or(row.tools),
            pre: self.pre.unwrap_or(row.pre),
            post: self.post.unwrap_or(row.post),
            timeout_ms: self.timeout_ms.unwrap_or(row.timeout_ms),
            enabled: self.enabled.unwrap_or(row.enabled),
            ..row
        };
        check(&changed).map_err(EventError::Unsound)?;
        Ok(changed)
    }
}

fn check(row: &SubscriberRow) -> Result<(), String> {
    let length = row.name.chars().count();
    if length == 0 || length > LONGEST_NAME {
        return Err(format!("the name has 1 to {LONGEST_NAME} characters"));
    }
    if row.name.chars().any(char::is_control) {
        return Err("the name is one line of text".to_owned());
    }
    sound_url(&row.url)?;
    if row.tools.len() > MOST_TOOLS {
        return Err(format!("tools are names, at most {MOST_TOOLS}"));
    }
    match TIMEOUT.contains(&row.timeout_ms) {
        true => Ok(()),
        false => Err("the timeout (timeoutMs) is between 100 and 30000".to_owned()),
    }
}
