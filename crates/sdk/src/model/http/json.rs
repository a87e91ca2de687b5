//! Writes a JSON object piece by piece, so that pieces which are written already are copied as
//! they are.

use bytes::Bytes;
use serde::Serialize;

/// A JSON object under way.
#[derive(Debug)]
pub(crate) struct ObjectWriter {
    out: Vec<u8>,
}

impl ObjectWriter {
    pub(crate) fn new() -> Self {
        let mut out = Vec::with_capacity(4096);
        out.push(b'{');
        Self { out }
    }

    fn name(&mut self, name: &str) {
        if self.out.len() > 1 {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    /// A field of any value.
    pub(crate) fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> &mut Self {
        self.name(name);
        self.out.extend_from_slice(&written(value));
        self
    }

    /// A field of a value, where there is one.
    #[cfg(any(feature = "openai", feature = "anthropic"))]
    pub(crate) fn some(&mut self, name: &str, value: Option<&impl Serialize>) -> &mut Self {
        if let Some(value) = value {
            self.field(name, value);
        }
        self
    }

    /// A field whose value is written already.
    pub(crate) fn raw(&mut self, name: &str, value: &[u8]) -> &mut Self {
        self.name(name);
        self.out.extend_from_slice(value);
        self
    }

    /// A field that is a list of values which are written already.
    pub(crate) fn list(&mut self, name: &str, items: impl Iterator<Item = Bytes>) -> &mut Self {
        self.name(name);
        push_list(&mut self.out, items);
        self
    }

    pub(crate) fn finish(mut self) -> Bytes {
        self.out.push(b'}');
        Bytes::from(self.out)
    }
}

/// A list of values which are written already.
pub(crate) fn push_list(out: &mut Vec<u8>, items: impl Iterator<Item = Bytes>) {
    out.push(b'[');
    push_joined(out, items);
    out.push(b']');
}

/// Values which are written already, with commas between them.
pub(crate) fn joined(items: impl Iterator<Item = Bytes>) -> Bytes {
    let mut out = Vec::new();
    push_joined(&mut out, items);
    Bytes::from(out)
}

fn push_joined(out: &mut Vec<u8>, items: impl Iterator<Item = Bytes>) {
    for (at, item) in items.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&item);
    }
}

/// A value, written. Everything that goes out is strings, numbers, lists and maps with text for
/// keys, none of which can fail; `null` stands for what could.
pub(crate) fn written(value: &(impl Serialize + ?Sized)) -> Bytes {
    serde_json::to_vec(value).map_or_else(|_| Bytes::from_static(b"null"), Bytes::from)
}
