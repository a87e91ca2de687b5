use std::fmt;
use std::sync::Arc;
#[cfg(feature = "wire")]
use std::sync::OnceLock;

#[cfg(feature = "wire")]
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Message;

/// What was said so far, in order. Cheap to clone.
///
/// A message is written for a provider once, however many requests it goes out with: a long
/// history costs a copy of bytes a step, and no more.
///
/// ```
/// use toolcrib::message::{Message, Transcript};
///
/// let mut transcript = Transcript::from(vec![Message::user("Hello")]);
/// transcript.push(Message::user("Are you there?"));
/// assert_eq!(transcript.len(), 2);
/// ```
#[derive(Clone, Default)]
pub struct Transcript {
    entries: Vec<Arc<Entry>>,
}

/// A message, with the form in which it last went out.
pub(crate) struct Entry {
    message: Message,
    #[cfg(feature = "wire")]
    written: OnceLock<(WireKey, Bytes)>,
}

#[cfg(feature = "wire")]
/// Names a wire format and what varies in it: what is written for one is no good for another. Made
/// by an [`HttpModel`](crate::model::HttpModel); not for use by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireKey {
    pub(crate) wire: &'static str,
    pub(crate) longest_name: usize,
    pub(crate) is_strict: bool,
}

impl Entry {
    fn new(message: Message) -> Arc<Self> {
        Arc::new(Self {
            message,
            #[cfg(feature = "wire")]
            written: OnceLock::new(),
        })
    }
}

#[cfg(feature = "wire")]
impl Entry {
    pub(crate) fn message(&self) -> &Message {
        &self.message
    }

    /// The message in the form of `key`; `write` is called the first time only.
    pub(crate) fn written(&self, key: WireKey, write: impl FnOnce() -> Bytes) -> Bytes {
        if let Some((known, bytes)) = self.written.get()
            && *known == key
        {
            return bytes.clone();
        }
        let bytes = write();
        // Where another wire was first, this one is written each time: transcripts change
        // providers rarely.
        drop(self.written.set((key, bytes.clone())));
        bytes
    }
}

impl Transcript {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message at the end.
    pub fn push(&mut self, message: Message) {
        self.entries.push(Entry::new(message));
    }

    /// The messages, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Message> + ExactSizeIterator {
        self.entries.iter().map(|entry| &entry.message)
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The last message.
    #[must_use]
    pub fn last(&self) -> Option<&Message> {
        self.entries.last().map(|entry| &entry.message)
    }

    /// The message at a place, counted from 0.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&Message> {
        self.entries.get(at).map(|entry| &entry.message)
    }

    /// Puts another message in the place of one; a place beyond the end is left alone.
    pub fn replace(&mut self, at: usize, message: Message) {
        if let Some(entry) = self.entries.get_mut(at) {
            *entry = Entry::new(message);
        }
    }

    /// Takes out the messages of a range; a range beyond the end takes what there is.
    pub fn remove(&mut self, range: std::ops::Range<usize>) {
        let end = range.end.min(self.entries.len());
        self.entries.drain(range.start.min(end)..end);
    }

    #[cfg(feature = "wire")]
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().map(Arc::as_ref)
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl PartialEq for Transcript {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl From<Vec<Message>> for Transcript {
    fn from(messages: Vec<Message>) -> Self {
        messages.into_iter().collect()
    }
}

impl FromIterator<Message> for Transcript {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        let mut transcript = Self::new();
        transcript.extend(messages);
        transcript
    }
}

impl Extend<Message> for Transcript {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, messages: I) {
        messages.into_iter().for_each(|message| self.push(message));
    }
}

impl<'a> IntoIterator for &'a Transcript {
    type Item = &'a Message;
    type IntoIter = Box<dyn Iterator<Item = &'a Message> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl Serialize for Transcript {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Transcript {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Message>::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(all(test, feature = "wire"))]
mod tests {
    use std::cell::Cell;

    use bytes::Bytes;

    use super::{Transcript, WireKey};
    use crate::message::Message;

    #[test]
    fn a_message_is_written_once_for_a_wire_and_anew_for_another() {
        let key = |wire| WireKey {
            wire,
            longest_name: 64,
            is_strict: false,
        };
        let transcript = Transcript::from(vec![Message::user("Hello")]);
        let writings = Cell::new(0);
        let write = |transcript: &Transcript, wire: &'static str| -> Bytes {
            let entry = transcript.entries().next().unwrap();
            entry.written(key(wire), || {
                writings.set(writings.get() + 1);
                Bytes::from(wire)
            })
        };
        for _ in 0..3 {
            assert_eq!(write(&transcript.clone(), "one"), "one");
        }
        assert_eq!(writings.get(), 1);
        assert_eq!(write(&transcript, "other"), "other");
        assert_eq!(write(&transcript, "one"), "one");
        assert_eq!(writings.get(), 2);
    }
}
