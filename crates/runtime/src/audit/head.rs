use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::chain::End;
use crate::setup::write_private;

/// The file of the newest head, beside the database and not in it.
const FILE: &str = "audit.head";

/// The head of the chain as it is noted down outside the database: who has that alone in their hands
/// can't cut the chain off, or make another, unseen.
#[derive(Debug)]
pub(crate) struct NotedHead {
    path: Option<PathBuf>,
}

impl NotedHead {
    /// In the private part of a workspace folder; several servers on one database note none.
    pub(crate) fn new(data: Option<&Path>) -> Self {
        Self {
            path: data.map(|data| data.join(FILE)),
        }
    }

    /// What is noted down. What should be and can't be read is told as a head that no chain has.
    pub(super) fn read(&self) -> Option<String> {
        match std::fs::read_to_string(self.path.as_ref()?) {
            Ok(text) => Some(text.trim().to_owned()),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => {
                tracing::error!(%error, "the noted head of the audit chain can't be read");
                Some("unreadable".to_owned())
            }
        }
    }

    /// Whether a chain that goes to that entry must have its head noted down.
    pub(super) fn is_missing(&self, sealed_to: i64) -> bool {
        self.path.is_some() && sealed_to > 0 && self.read().is_none()
    }

    /// Notes that the chain has grown. What does not follow on what is noted is not noted: that it
    /// does not is for the next look at the chain to tell, and for every one after it.
    pub(super) fn advance(&self, from: &End, to: &End) {
        let Some(path) = &self.path else { return };
        let noted = self.read();
        let follows = match &noted {
            Some(noted) => *noted == from.head(),
            None => from.seq == 0,
        };
        if !follows {
            tracing::error!(
                noted,
                "the audit chain does not follow on its head that was noted down"
            );
            return;
        }
        if let Err(error) = write_private(path, &to.head()) {
            tracing::error!(%error, "the head of the audit chain was not noted down");
        }
    }
}
