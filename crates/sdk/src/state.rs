//! The states of a call. Every other list of states is a mapping of this one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where a call stands between the asking and its end.
///
/// ```
/// use toolcrib::state::{CallState, WaitingFor};
///
/// let state = CallState::Waiting(WaitingFor::Approval);
/// assert_eq!(state.name(), "waiting");
/// assert!(!state.is_ending() && CallState::Unknown.is_ending());
/// assert_eq!(CallState::parse("waiting", Some("approval")), Ok(state));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// Asked for, nothing done yet.
    Asked,
    /// Stands still until something comes from outside.
    Waiting(WaitingFor),
    /// Decided in favour, not run yet.
    Approved,
    /// Handed to the tool.
    Running,
    /// The tool has answered; the result is not final yet.
    Ran,
    /// Ended: the tool did its work.
    Succeeded,
    /// Ended: the tool or a stage failed.
    Failed,
    /// Ended before it ran: the counter did not let it through.
    Refused,
    /// Ended before it ran: a person said no.
    Rejected,
    /// Ended before it ran: nobody decided in time.
    Expired,
    /// Ended before it ran: the asker went on with a new message.
    Superseded,
    /// Ended by a stop.
    Cancelled,
    /// Ended: a limit or a crash came before its turn.
    NotStarted,
    /// Ended in doubt: it was handed to something outside, and the answer is not known.
    Unknown,
}

/// What a waiting call waits for.
///
/// Shown at [`CallState`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitingFor {
    /// A decision by a person.
    Approval,
    /// An answer by a person to a question of the tool.
    Answer,
    /// A result from the caller's program or page.
    Client,
    /// The end of a run that this call started.
    Run,
    /// A connected account.
    Connect,
}

impl CallState {
    /// The names of all states, in the order in which a call may come into them.
    pub const NAMES: [&'static str; 14] = [
        "asked",
        "waiting",
        "approved",
        "running",
        "ran",
        "succeeded",
        "failed",
        "refused",
        "rejected",
        "expired",
        "superseded",
        "cancelled",
        "not_started",
        "unknown",
    ];

    /// Whether nothing follows.
    #[must_use]
    pub fn is_ending(self) -> bool {
        match self {
            Self::Asked | Self::Waiting(_) | Self::Approved | Self::Running | Self::Ran => false,
            Self::Succeeded
            | Self::Failed
            | Self::Refused
            | Self::Rejected
            | Self::Expired
            | Self::Superseded
            | Self::Cancelled
            | Self::NotStarted
            | Self::Unknown => true,
        }
    }

    /// The stored and public name; a waiting call is `waiting`, whatever it waits for.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Waiting(_) => "waiting",
            Self::Approved => "approved",
            Self::Running => "running",
            Self::Ran => "ran",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Cancelled => "cancelled",
            Self::NotStarted => "not_started",
            Self::Unknown => "unknown",
        }
    }

    /// What a waiting call waits for.
    #[must_use]
    pub fn waiting_for(self) -> Option<WaitingFor> {
        match self {
            Self::Waiting(what) => Some(what),
            _ => None,
        }
    }

    /// Reads a state back from its name and what it waits for.
    ///
    /// # Errors
    /// When the two do not make a state.
    pub fn parse(name: &str, waiting_for: Option<&str>) -> Result<Self, UnknownState> {
        let unknown = || UnknownState {
            name: name.to_owned(),
        };
        Ok(match name {
            "asked" => Self::Asked,
            "waiting" => Self::Waiting(waiting_for.ok_or_else(unknown)?.parse()?),
            "approved" => Self::Approved,
            "running" => Self::Running,
            "ran" => Self::Ran,
            "succeeded" => Self::Succeeded,
            "failed" => Self::Failed,
            "refused" => Self::Refused,
            "rejected" => Self::Rejected,
            "expired" => Self::Expired,
            "superseded" => Self::Superseded,
            "cancelled" => Self::Cancelled,
            "not_started" => Self::NotStarted,
            "unknown" => Self::Unknown,
            _ => return Err(unknown()),
        })
    }
}

impl fmt::Display for CallState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl WaitingFor {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Approval => "approval",
            Self::Answer => "answer",
            Self::Client => "client",
            Self::Run => "run",
            Self::Connect => "connect",
        }
    }
}

impl FromStr for WaitingFor {
    type Err = UnknownState;

    fn from_str(name: &str) -> Result<Self, UnknownState> {
        Ok(match name {
            "approval" => Self::Approval,
            "answer" => Self::Answer,
            "client" => Self::Client,
            "run" => Self::Run,
            "connect" => Self::Connect,
            _ => {
                return Err(UnknownState {
                    name: name.to_owned(),
                });
            }
        })
    }
}

/// A name that is no state.
///
/// What [`CallState::parse`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not a state of a call")]
pub struct UnknownState {
    name: String,
}

#[cfg(test)]
mod tests {
    use super::{CallState, WaitingFor};

    #[test]
    fn every_state_is_read_back_from_its_name() {
        for name in CallState::NAMES {
            let waiting = (name == "waiting").then_some("approval");
            let state = CallState::parse(name, waiting).unwrap();
            assert_eq!(state.name(), name);
            assert_eq!(state.waiting_for().map(WaitingFor::name), waiting);
        }
        assert!(CallState::parse("waiting", None).is_err());
        assert!(CallState::parse("done", None).is_err());
    }
}
