//! Ids that Toolcrib mints: UUIDs of version 7, so that they sort by time.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Text that is not an id.
///
/// What reading an id fails with: `"x".parse::<`[`CallId`]`>()`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an id")]
pub struct InvalidId {
    text: String,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Mints a new id.
            #[must_use]
            pub fn mint() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), self.0)
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;

            fn from_str(text: &str) -> Result<Self, InvalidId> {
                let short: String = text.chars().take(80).collect();
                Uuid::parse_str(text).map(Self).map_err(|_| InvalidId { text: short })
            }
        }
    )*};
}

ids! {
    /// Names one call. Minted by Toolcrib; a provider's own id stands beside it.
    CallId,
    /// Names one run.
    RunId,
    /// Names one conversation.
    ConversationId,
    /// Names one stored decision that a call waits for.
    ApprovalId,
    /// Names one decision for later calls.
    GrantId,
    /// Names one organisation.
    OrgId,
    /// Names one user.
    UserId,
    /// Names one credential: a session or an API token.
    CredentialId,
    /// Names one subscriber of events.
    SubscriberId,
    /// Names one event on its way to one subscriber.
    DeliveryId,
    /// Names one policy of how much may be used.
    UsagePolicyId,
}
