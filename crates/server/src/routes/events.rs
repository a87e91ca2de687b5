//! Who is told of calls, and what is on its way to them; for administrators.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod deliveries;
pub(crate) mod forget;
pub(crate) mod list;
pub(crate) mod renew;
pub(crate) mod retry;
pub(crate) mod retry_all;
pub(crate) mod test;

use serde::{Deserialize, Serialize};
use toolcrib::id::{DeliveryId, SubscriberId};
use toolcrib_counter::Principal;
use toolcrib_data::platform::people::CredentialKind;
use toolcrib_data::platform::subscribers::PreMode;
use toolcrib_runtime::SubscriberChange;
use utoipa::ToSchema;

use crate::error::{ApiError, Code};

/// What is to be set of a webhook; what is left out stays, or is as usual.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SubscriberPatch {
    /// What people call it.
    name: Option<String>,
    /// Where events are sent.
    url: Option<String>,
    /// The tools whose events it gets; an empty list for all.
    tools: Option<Vec<String>>,
    /// Before calls: `off`, `async` (it is told) or `sync` (without its consent no call runs).
    pre: Option<String>,
    /// Whether it is told after calls.
    post: Option<bool>,
    /// How long it may take to answer, in milliseconds: 100 to 30,000, usually 10,000.
    timeout_ms: Option<u32>,
    /// Whether it gets anything.
    enabled: Option<bool>,
}

/// The secret that signs what a webhook gets, shown this once.
#[derive(Serialize, ToSchema)]
pub(crate) struct SigningSecret {
    /// `whsec_` and the key in Base64, as Standard Webhooks has it.
    pub(crate) secret: String,
}

impl SubscriberPatch {
    fn read(self) -> Result<SubscriberChange, ApiError> {
        let pre = self.pre.as_deref().map(str::parse::<PreMode>).transpose();
        let pre = pre.map_err(|_| {
            ApiError::new(
                Code::InvalidRequest,
                "pre is off, async or sync.".to_owned(),
            )
        })?;
        Ok(SubscriberChange {
            name: self.name,
            url: self.url,
            tools: self.tools,
            pre,
            post: self.post,
            timeout_ms: self.timeout_ms,
            enabled: self.enabled,
        })
    }
}

/// The id of a subscriber of either kind, as deliveries name it.
fn key(id: &str) -> Result<String, ApiError> {
    let is_key = id.len() <= 200 && !id.chars().any(char::is_control);
    let wrong = || {
        ApiError::new(
            Code::InvalidRequest,
            "subscriberId is the id of a subscriber.",
        )
    };
    is_key.then(|| id.to_owned()).ok_or_else(wrong)
}

/// A webhook outlives the token that it was made with, and gets what everybody calls.
fn people_only(principal: &Principal) -> Result<(), ApiError> {
    match &principal.credential {
        Some(credential) if credential.kind == CredentialKind::Session => Ok(()),
        _ => Err(ApiError::new(
            Code::NotAllowed,
            "Subscribers of events are made, changed and deleted by a person who is signed in.",
        )),
    }
}

fn subscriber(id: &str) -> Result<SubscriberId, ApiError> {
    id.parse().map_err(|_| ApiError::not_found("subscriber"))
}

fn delivery(id: &str) -> Result<DeliveryId, ApiError> {
    id.parse().map_err(|_| ApiError::not_found("event"))
}
