use std::collections::HashMap;

use super::Message;
use crate::id::CallId;

/// A transcript in which calls and results do not match.
///
/// What [`check_pairs`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairingError {
    /// A call has no result before the next message.
    #[error("call {0} has no result")]
    MissingResult(CallId),
    /// A result answers no call of the message before it, or answers one again.
    #[error("result for {0} answers no open call")]
    StrayResult(CallId),
}

/// Checks that each call has exactly one result, right after the message that asked for it.
///
/// ```
/// use toolcrib::message::{Message, check_pairs};
///
/// assert!(check_pairs(&[Message::user("Hello")]).is_ok());
/// ```
///
/// # Errors
/// The first mismatch.
pub fn check_pairs<'a>(
    messages: impl IntoIterator<Item = &'a Message>,
) -> Result<(), PairingError> {
    let mut open = Open::default();
    for message in messages {
        match message {
            Message::Tool(result) => open.close(result.call)?,
            Message::User { .. } => open.ends()?,
            Message::Assistant(answer) => {
                open.ends()?;
                // Nothing is left open here: the same table serves all answers.
                open.asked.clear();
                answer.tool_calls().for_each(|call| open.open(call.id));
            }
        }
    }
    open.ends()
}

/// The calls of one answer that have no result yet; there may be thousands.
#[derive(Default)]
struct Open {
    asked: Vec<CallId>,
    left: HashMap<CallId, usize>,
}

impl Open {
    fn open(&mut self, call: CallId) {
        self.asked.push(call);
        *self.left.entry(call).or_default() += 1;
    }

    fn close(&mut self, call: CallId) -> Result<(), PairingError> {
        match self.left.get_mut(&call) {
            Some(1) => drop(self.left.remove(&call)),
            Some(more) => *more -= 1,
            None => return Err(PairingError::StrayResult(call)),
        }
        Ok(())
    }

    fn ends(&self) -> Result<(), PairingError> {
        if self.left.is_empty() {
            return Ok(());
        }
        let first = self.asked.iter().find(|call| self.left.contains_key(call));
        first.map_or(Ok(()), |call| Err(PairingError::MissingResult(*call)))
    }
}
