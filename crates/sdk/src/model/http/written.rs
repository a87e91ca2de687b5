use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::json::push_list;
use super::wire::Wire;
use crate::Definitions;
use crate::dialect::Translated;
use crate::message::{ToolCall, WireKey};

/// The tools of a request as they go out, with the way back.
#[derive(Debug)]
pub(crate) struct WrittenTools {
    /// A JSON list; nothing where there are no tools.
    pub(crate) json: Option<Bytes>,
    by_wire_name: HashMap<String, WrittenTool>,
}

#[derive(Debug)]
struct WrittenTool {
    name: String,
    schema: Translated,
}

impl WrittenTools {
    /// The tools written for `W`, made once for a set of definitions.
    pub(crate) fn of<W: Wire>(definitions: &Definitions, key: WireKey) -> Arc<Self> {
        definitions.written(key, || Self::write::<W>(definitions, key))
    }

    fn write<W: Wire>(definitions: &Definitions, key: WireKey) -> Self {
        let dialect = W::default().dialect(key);
        let mut items = Vec::with_capacity(definitions.len());
        let mut by_wire_name = HashMap::with_capacity(definitions.len());
        for definition in definitions.iter() {
            let schema = dialect.translate(&definition.input_schema);
            let name = definition.name.as_str();
            let wire_name = wire_name(name, key.longest_name);
            let tool = W::tool(&wire_name, definition, &schema);
            items.push(super::json::written(&tool));
            by_wire_name.insert(
                wire_name,
                WrittenTool {
                    name: name.to_owned(),
                    schema,
                },
            );
        }
        let json = (!items.is_empty()).then(|| {
            let mut out = Vec::new();
            push_list(&mut out, items.into_iter());
            Bytes::from(out)
        });
        Self { json, by_wire_name }
    }

    /// The tool's own name for the one that a model uses.
    pub(crate) fn name<'a>(&'a self, wire_name: &'a str) -> &'a str {
        self.by_wire_name
            .get(wire_name)
            .map_or(wire_name, |tool| &tool.name)
    }

    /// Puts a call into the terms of its tool's own schema. Arguments that need no change stay as
    /// the model wrote them, to the letter.
    pub(crate) fn restore(&self, call: &mut ToolCall) {
        let Some(tool) = self.by_wire_name.get(&call.name) else {
            return;
        };
        call.name.clone_from(&tool.name);
        if tool.schema.is_identity() {
            return;
        }
        let Ok(written @ Value::Object(_)) = serde_json::from_str::<Value>(&call.arguments) else {
            return;
        };
        let meant = tool.schema.back(written.clone());
        if meant != written {
            call.arguments = meant.to_string();
        }
    }
}

/// A name that the provider takes: as it is where it fits, else its beginning and a hash of the
/// whole, which the way back knows.
pub(crate) fn wire_name(name: &str, longest: usize) -> String {
    let taken = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let longest = longest.max(16);
    if !name.is_empty() && name.len() <= longest && name.chars().all(taken) {
        return name.to_owned();
    }
    let hash = format!("_{:010x}", fnv(name.as_bytes()) & 0xff_ffff_ffff);
    let plain = name.chars().map(|c| if taken(c) { c } else { '_' });
    let beginning: String = plain.take(longest - hash.len()).collect();
    format!("{beginning}{hash}")
}

/// FNV-1a: short, and the same on every machine, which the standard library does not promise.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::wire_name;

    #[test]
    fn names_stay_unless_the_provider_would_refuse_them() {
        assert_eq!(wire_name("read_record", 64), "read_record");
        let long = "a".repeat(64);
        let short = wire_name(&long, 40);
        assert_eq!(short.len(), 40);
        assert_ne!(short, wire_name(&format!("{}b", "a".repeat(63)), 40));
        for odd in ["", "read record!", "über", "a.b"] {
            let name = wire_name(odd, 64);
            assert!(name.len() <= 64 && !name.is_empty());
            assert!(
                name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
                "{name}"
            );
        }
    }
}
