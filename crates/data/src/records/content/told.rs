use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::UNKNOWN_TYPE;
use crate::records::ids::Key;

/// What is told of a file, and kept beside its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Told {
    /// Its name; none where the database keeps none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    pub(crate) media_type: String,
    pub(crate) bytes: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<String>,
}

impl Told {
    /// As it is kept.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What is kept; of a column with the content alone, that is how long it is.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if let Ok(bytes) = text.parse() {
            return Some(Self {
                name: None,
                media_type: UNKNOWN_TYPE.to_owned(),
                bytes,
                sha256: None,
            });
        }
        serde_json::from_str(text).ok()
    }
}

/// What is told of a file, as a value of a record.
pub(crate) fn json(text: &str) -> Value {
    Told::read(text).map_or(Value::Null, |told| json!({ "file": told }))
}

/// Says of a file in a record where its content is.
pub(crate) fn with_place(value: &mut Value, (model, id, field): (&str, &Key, &str)) {
    if let Some(file) = value.get_mut("file").and_then(Value::as_object_mut) {
        let id = encoded(&id.to_string());
        let href = format!("/api/records/{model}/{id}/files/{field}");
        file.insert("href".to_owned(), href.into());
    }
}

/// Takes out where the content is, of files that may be there no more.
pub(crate) fn without_place(value: &mut Value) {
    if let Some(file) = value.get_mut("file").and_then(Value::as_object_mut) {
        file.shift_remove("href");
    }
}

/// A file as a person reads it: "photo.png (1234 bytes)".
pub(crate) fn plain(file: &Map<String, Value>) -> String {
    let bytes = file.get("bytes").and_then(Value::as_u64).unwrap_or(0);
    match file.get("name").and_then(Value::as_str) {
        Some(name) => format!("{name} ({bytes} bytes)"),
        None => format!("{bytes} bytes"),
    }
}

/// A text as it stands in the path of an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
