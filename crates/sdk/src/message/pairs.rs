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
    let mut open: Vec<CallId> = Vec::new();
    for message in messages {
        match message {
            Message::Tool(result) => match open.iter().position(|id| *id == result.call) {
                Some(at) => drop(open.remove(at)),
                None => return Err(PairingError::StrayResult(result.call)),
            },
            Message::User { .. } | Message::Assistant(_) => {
                if let Some(id) = open.first() {
                    return Err(PairingError::MissingResult(*id));
                }
                if let Message::Assistant(answer) = message {
                    open.extend(answer.tool_calls().map(|call| call.id));
                }
            }
        }
    }
    open.first()
        .map_or(Ok(()), |id| Err(PairingError::MissingResult(*id)))
}
