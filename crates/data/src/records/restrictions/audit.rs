//! What an auditor sees of what was asked, approved and told: without the values of sensitive
//! fields. What was asked names fields in many ways, so a name that any model has for a sensitive
//! field counts as one.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Recipient;
use super::mask::MARKER;

/// Keys under which an object that names a field holds values of it.
const VALUES: &[&str] = &[
    "value", "value2", "before", "after", "right", "left", "args", "then", "else", "param",
];

impl Recipient<'_> {
    /// The value without what it says of sensitive fields. Answers also whether there was any.
    #[must_use]
    pub fn without_sensitive(&self, mut value: Value) -> (Value, bool) {
        let sensitive = Sensitive::of(self);
        let found = !sensitive.names.is_empty() && sensitive.mask(&mut value);
        (value, found)
    }
}

/// The names of sensitive fields, for calls and for people.
struct Sensitive<'a> {
    names: BTreeSet<&'a str>,
    titles: BTreeSet<&'a str>,
}

impl<'a> Sensitive<'a> {
    fn of(to: &Recipient<'a>) -> Self {
        let fields = to.catalog.models().flat_map(|model| &model.fields);
        let fields = fields.filter(|field| field.rules.sensitive);
        let (names, titles) = fields
            .map(|field| (field.name.as_str(), field.title.as_str()))
            .unzip();
        Self { names, titles }
    }

    fn mask(&self, value: &mut Value) -> bool {
        match value {
            Value::Array(items) => {
                let mut found = false;
                for item in items {
                    found |= self.mask(item);
                }
                found
            }
            Value::Object(map) => self.object(map),
            _ => false,
        }
    }

    fn object(&self, map: &mut Map<String, Value>) -> bool {
        let of_sensitive = self.is_named_by(map);
        let mut found = false;
        for (key, value) in map {
            let kept = self.is_sensitive(key)
                || (of_sensitive && VALUES.contains(&key.as_str()) && !value.is_null());
            if kept {
                *value = MARKER.into();
                found = true;
            } else {
                found |= self.mask(value);
            }
        }
        found
    }

    /// Whether the object is about a sensitive field: a comparison, a change, a line of a card.
    fn is_named_by(&self, map: &Map<String, Value>) -> bool {
        let text = |key: &str| map.get(key).and_then(Value::as_str);
        let inner = |key: &str| {
            let inner = map.get(key)?.get("field")?;
            inner.as_str()
        };
        let fields = [text("field"), text("column"), inner("left"), inner("right")];
        fields
            .into_iter()
            .flatten()
            .any(|path| self.is_sensitive(path))
            || text("label").is_some_and(|label| self.titles.contains(label))
    }

    /// A path names its field last.
    fn is_sensitive(&self, path: &str) -> bool {
        let last = path.rsplit('.').next().unwrap_or(path);
        self.names.contains(last)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Audience, Restrictions};
    use super::*;
    use crate::records::{Catalog, WorkspaceFile};

    const MODEL: &str = "name: person\nfields:\n  name: { type: string }\n  iban: { type: string, sensitive: true, title: Bank account }\n";

    #[test]
    fn what_names_a_sensitive_field_loses_its_value() {
        let file = WorkspaceFile {
            path: "models/person.yaml".into(),
            text: MODEL.into(),
        };
        let catalog = Catalog::load(&[file]).unwrap();
        let to = Recipient {
            restrictions: &Restrictions::default(),
            catalog: &catalog,
            audience: Audience::Auditor,
        };
        let masked = |value: Value| to.without_sensitive(value);
        for canary in [
            json!({"model": "person", "values": {"name": "Eve", "iban": "canary"}}),
            json!({"records": [{"values": {"iban": ["canary"]}}]}),
            json!({"criteria": {"operator": "and", "criteria": [{"field": "owner.iban", "operator": "=", "value": "canary"}]}}),
            json!({"where": [{"left": {"field": "p.iban"}, "operator": "=", "right": {"value": "canary"}}]}),
            json!({"where": [{"left": {"value": "canary"}, "operator": "=", "right": {"field": "p.iban"}}]}),
            json!({"changes": [{"fields": [{"field": "iban", "label": "Bank account", "before": "canary", "after": "canary"}]}]}),
            json!({"fields": [{"label": "Bank account", "value": "canary"}]}),
        ] {
            let (value, found) = masked(canary);
            assert!(found, "{value}");
            assert!(!value.to_string().contains("canary"), "{value}");
        }
        let plain = json!({"model": "person", "values": {"name": "Eve"}, "fields": ["iban"]});
        assert_eq!(masked(plain.clone()), (plain, false));
    }
}
