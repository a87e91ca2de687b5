//! What a `$ref` means, in a schema as it was written.

use std::collections::HashMap;

use serde_json::Value;

/// The places of a schema that references can name.
pub(super) struct Resolver<'a> {
    root: &'a Value,
    resources: HashMap<&'a str, &'a Value>,
    anchors: HashMap<&'a str, &'a Value>,
}

/// What a reference names, and the resource that it stands in.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) schema: &'a Value,
    pub(super) resource: &'a Value,
}

impl<'a> Resolver<'a> {
    /// Looks the whole schema through once, without calling itself: it may be nested to any depth.
    pub(super) fn new(root: &'a Value) -> Self {
        let mut found = Self {
            root,
            resources: HashMap::new(),
            anchors: HashMap::new(),
        };
        let mut waiting = vec![root];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(object) => {
                    found.note(value);
                    waiting.extend(object.values());
                }
                Value::Array(list) => waiting.extend(list),
                _ => {}
            }
        }
        found
    }

    fn note(&mut self, schema: &'a Value) {
        let text = |keyword: &str| schema.get(keyword).and_then(Value::as_str);
        if let Some(id) = text("$id").or_else(|| text("id")) {
            match id.strip_prefix('#') {
                Some(anchor) => self.anchors.insert(anchor, schema),
                None => self.resources.insert(id.trim_end_matches('#'), schema),
            };
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            if let Some(anchor) = text(keyword) {
                self.anchors.insert(anchor, schema);
            }
        }
    }

    /// Finds what `reference` names inside `resource`; nothing is ever fetched.
    pub(super) fn find(&self, reference: &str, resource: &'a Value) -> Option<Place<'a>> {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let resource = if address.is_empty() {
            resource
        } else {
            self.resource(address)?
        };
        let fragment = decoded(fragment);
        // A schema that was put inside another often keeps pointers from the outermost root.
        [resource, self.root].into_iter().find_map(|resource| {
            let schema = match fragment.as_str() {
                "" => Some(resource),
                pointer if pointer.starts_with('/') => resource.pointer(pointer),
                anchor => self.anchors.get(anchor).copied(),
            }?;
            (schema.is_object() || schema.is_boolean()).then_some(Place { schema, resource })
        })
    }

    fn resource(&self, address: &str) -> Option<&'a Value> {
        if let Some(exact) = self.resources.get(address) {
            return Some(exact);
        }
        let mut near: Vec<_> = self
            .resources
            .iter()
            .filter(|(id, _)| {
                id.strip_suffix(address.trim_start_matches("./"))
                    .is_some_and(|before| before.ends_with('/'))
            })
            .collect();
        near.sort_by_key(|(id, _)| **id);
        near.first().map(|(_, resource)| **resource)
    }
}

/// Undoes percent encoding, which a pointer in an address may carry.
fn decoded(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let pair = (byte == b'%').then(|| (hex(ahead.next()), hex(ahead.next())));
        if let Some((Some(high), Some(low))) = pair {
            bytes.push(high * 16 + low);
            rest = ahead;
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(byte: Option<u8>) -> Option<u8> {
    let digit = char::from(byte?).to_digit(16)?;
    u8::try_from(digit).ok()
}
