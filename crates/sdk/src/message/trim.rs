use std::ops::Range;

use super::{Message, Transcript};

/// The places of the groups of a transcript: a message of a person, or an answer with the results
/// of all its calls. What is taken out of a transcript is taken out by whole groups, so that no
/// call loses its result and no result its call.
///
/// ```
/// use toolcrib::message::{Message, Transcript, groups};
///
/// let transcript = Transcript::from(vec![Message::user("Hello"), Message::user("Again")]);
/// assert_eq!(groups(&transcript), [0..1, 1..2]);
/// ```
#[must_use]
pub fn groups(transcript: &Transcript) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (at, message) in transcript.iter().enumerate() {
        match groups.last_mut() {
            Some(group) if matches!(message, Message::Tool(_)) => group.end = at + 1,
            _ => groups.push(at..at + 1),
        }
    }
    groups
}

/// Keeps the last `keep` groups and what the person said last; older groups go.
///
/// ```
/// use toolcrib::message::{Message, Transcript, keep_latest_groups};
///
/// let mut transcript = Transcript::from(vec![Message::user("Hello"), Message::user("Again")]);
/// keep_latest_groups(&mut transcript, 1);
/// assert_eq!(transcript.get(0), Some(&Message::user("Again")));
/// ```
pub fn keep_latest_groups(transcript: &mut Transcript, keep: usize) {
    let groups = groups(transcript);
    let asked = groups
        .iter()
        .rposition(|group| matches!(transcript.get(group.start), Some(Message::User { .. })));
    let first_kept = groups.len().saturating_sub(keep);
    for at in (0..first_kept).rev() {
        if Some(at) != asked
            && let Some(group) = groups.get(at)
        {
            transcript.remove(group.clone());
        }
    }
}
