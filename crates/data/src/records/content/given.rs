use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::UNKNOWN_TYPE;
use super::told::Told;
use crate::records::model::{Field, FieldType};
use crate::records::nearest::clip;
use crate::records::values::limits::max_length;

/// The longest name of a file, in characters.
const NAME: usize = 255;
/// The longest media type.
const MEDIA_TYPE: usize = 127;
const EXPECTED: &str = "must be a file: {\"name\": …, \"mediaType\": …, \"base64\": …}, or a data URL like \"data:image/png;base64,…\"";

/// A file as a call gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) told: Told,
    pub(crate) bytes: Vec<u8>,
}

/// Reads a file for the field and checks that it keeps to the field's limits.
pub(crate) fn read(field: &Field, value: &Value) -> Result<Given, String> {
    let (name, media_type, base64) = match value {
        Value::String(url) => of_url(url)?,
        Value::Object(map) => of_object(map)?,
        _ => return Err(EXPECTED.to_owned()),
    };
    let largest = max_length(field).unwrap_or(super::LARGEST);
    // Four letters are three bytes; checked before anything is made of megabytes.
    let least = base64.len().saturating_mul(3) / 4;
    let fits = |bytes: usize| u32::try_from(bytes).is_ok_and(|bytes| bytes <= largest);
    let too_large = || format!("is larger than {largest} bytes, the most that is kept");
    if !fits(least.saturating_sub(2)) {
        return Err(too_large());
    }
    let bytes = STANDARD
        .decode(base64)
        .map_err(|error| format!("holds what is no base64: {error}"))?;
    if !fits(bytes.len()) {
        return Err(too_large());
    }
    let media_type = check_type(field, media_type)?;
    let name = check_name(name.unwrap_or(&field.name))?;
    let told = Told {
        name: Some(name),
        media_type,
        bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        sha256: Some(hex::encode(Sha256::digest(&bytes))),
    };
    Ok(Given { told, bytes })
}

type Parts<'v> = (Option<&'v str>, Option<&'v str>, &'v str);

fn of_url(url: &str) -> Result<Parts<'_>, String> {
    let (head, base64) = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(','))
        .ok_or(EXPECTED)?;
    let media_type = head
        .strip_suffix(";base64")
        .ok_or("must be a data URL with base64, like \"data:image/png;base64,…\"")?;
    // What stands behind the type, such as a character set, is not kept.
    let media_type = media_type.split(';').next().unwrap_or_default();
    Ok((
        None,
        Some(media_type).filter(|text| !text.is_empty()),
        base64,
    ))
}

fn of_object(map: &Map<String, Value>) -> Result<Parts<'_>, String> {
    if map.contains_key("file") {
        return Err(
            "is what an answer tells of a file; leave the field out to keep the file".to_owned(),
        );
    }
    let known = ["name", "mediaType", "base64"];
    if let Some(key) = map.keys().find(|key| !known.contains(&key.as_str())) {
        let key = clip(key);
        return Err(format!("has no `{key}`; it {EXPECTED}"));
    }
    let text = |key: &str| match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str())),
        Some(_) => Err(format!("has a `{key}` that is no text")),
    };
    let base64 = text("base64")?.ok_or(EXPECTED)?;
    Ok((text("name")?, text("mediaType")?, base64))
}

fn check_type(field: &Field, media_type: Option<&str>) -> Result<String, String> {
    let FieldType::Binary { media_types } = &field.kind else {
        return Err("holds no file".to_owned());
    };
    let given = media_type.map(str::to_ascii_lowercase);
    let media_type = match (given, media_types.as_slice()) {
        (Some(given), _) => given,
        // Where only one type can be, it is that.
        (None, [only]) if !only.ends_with('*') => only.clone(),
        (None, _) => UNKNOWN_TYPE.to_owned(),
    };
    if !is_media_type(&media_type) {
        let told = clip(&media_type);
        return Err(format!(
            "has the media type `{told}`, which is none, like image/png"
        ));
    }
    let fits = |allowed: &String| match allowed.strip_suffix('*') {
        Some(kind) => media_type.starts_with(kind),
        None => *allowed == media_type,
    };
    if media_types.is_empty() || media_types.iter().any(fits) {
        return Ok(media_type);
    }
    let told = media_types.join(", ");
    Err(format!("must be one of {told}; got {media_type}"))
}

/// Whether it is `type/subtype`, which can stand in a header as it is.
pub(crate) fn is_media_type(text: &str) -> bool {
    let is_token = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&b))
    };
    text.len() <= MEDIA_TYPE
        && text
            .split_once('/')
            .is_some_and(|(kind, sub)| is_token(kind) && is_token(sub))
}

fn check_name(name: &str) -> Result<String, String> {
    let count = name.chars().count();
    let is_odd = |c: char| c.is_control() || c == '/' || c == '\\';
    if count == 0 || count > NAME || name.chars().any(is_odd) {
        return Err(format!(
            "has a name that no file has: it has 1 to {NAME} characters, without / and \\"
        ));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::records::model::Limits;

    fn field(length: u32, media_types: &[&str]) -> Field {
        Field {
            name: "photo".to_owned(),
            kind: FieldType::Binary {
                media_types: media_types.iter().map(ToString::to_string).collect(),
            },
            limits: Limits {
                length: Some(length),
                ..Limits::default()
            },
            ..Field::id()
        }
    }

    #[test]
    fn a_file_is_an_object_or_a_data_url() {
        let field = field(5, &[]);
        let given = read(
            &field,
            &json!({"name": "a.txt", "mediaType": "Text/Plain", "base64": "aGVsbG8="}),
        );
        let given = given.unwrap();
        assert_eq!(given.bytes, b"hello");
        let told = given.told;
        assert_eq!(
            (told.name.as_deref(), told.media_type.as_str(), told.bytes),
            (Some("a.txt"), "text/plain", 5)
        );
        let url = read(
            &field,
            &json!("data:text/plain;charset=utf-8;base64,aGVsbG8="),
        )
        .unwrap();
        assert_eq!(url.told.name.as_deref(), Some("photo"));
        assert_eq!(url.told.sha256, told.sha256);
        let bare = read(&field, &json!({"base64": ""})).unwrap();
        assert_eq!(bare.told.media_type, UNKNOWN_TYPE);
    }

    #[test]
    fn what_is_no_file_is_told() {
        let field = field(4, &["image/png", "text/*"]);
        for (value, message) in [
            (json!(1), EXPECTED),
            (json!("aGVsbG8="), EXPECTED),
            (
                json!("data:text/plain,hi"),
                "must be a data URL with base64, like \"data:image/png;base64,…\"",
            ),
            (
                json!({"base64": "aGVsbG8="}),
                "is larger than 4 bytes, the most that is kept",
            ),
            (
                json!({"base64": "A".repeat(4_000_000)}),
                "is larger than 4 bytes, the most that is kept",
            ),
            (
                json!({"base64": "aGk="}),
                "must be one of image/png, text/*; got application/octet-stream",
            ),
            (
                json!({"base64": "aGk=", "mediaType": "image/png\r\nx: y"}),
                "has the media type `image/png\u{fffd}\u{fffd}x: y`, which is none, like image/png",
            ),
            (
                json!({"base64": "aGk=", "mediaType": "text/plain", "name": "../x"}),
                "has a name that no file has: it has 1 to 255 characters, without / and \\",
            ),
            (
                json!({"file": {"name": "a"}}),
                "is what an answer tells of a file; leave the field out to keep the file",
            ),
        ] {
            assert_eq!(read(&field, &value).unwrap_err(), message);
        }
        assert!(
            read(&field, &json!({"base64": "%", "mediaType": "image/png"}))
                .unwrap_err()
                .starts_with("holds what is no base64")
        );
    }
}
