//! What an auditor sees of what was asked, approved and told: without the values of sensitive
//! fields. A call names fields in many ways, and quotes values in more: where it speaks of a sensitive
//! field at all, only what is plainly none of its values is left.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Recipient;
use super::mask::MARKER;

/// Keys whose values are words of the call's own: names, and how much.
const WORDS: &[&str] = &[
    "model",
    "field",
    "fields",
    "column",
    "as",
    "alias",
    "fn",
    "operator",
    "type",
    "direction",
    "widget",
    "queryName",
    "limit",
    "offset",
    "version",
    "id",
    "ids",
];
/// Keys under which the values of records stand, by field.
const VALUES: &[&str] = &["values", "record"];

impl Recipient<'_> {
    /// Arguments of a call without what they say of sensitive fields. Answers also whether they
    /// speak of any.
    #[must_use]
    pub fn arguments(&self, mut arguments: Value) -> (Value, bool) {
        let sensitive = Sensitive::of(self);
        if sensitive.names.is_empty() {
            return (arguments, false);
        }
        let mentions = sensitive.is_mentioned(&arguments);
        match mentions {
            true => sensitive.strip(None, &mut arguments),
            false => sensitive.values(&mut arguments),
        }
        (arguments, mentions)
    }

    /// A card, or what a trial would have changed, without the values of sensitive fields; what
    /// records are called goes where that is one of them.
    #[must_use]
    pub fn card(&self, mut card: Value) -> Value {
        let sensitive = Sensitive::of(self);
        if !sensitive.names.is_empty() {
            sensitive.card(&mut card);
        }
        card
    }

    /// Whether some model calls its records by a sensitive field.
    #[must_use]
    pub fn hides_names(&self) -> bool {
        Sensitive::of(self).are_names
    }
}

/// The sensitive fields, by name, and as people call them.
struct Sensitive<'a> {
    names: BTreeSet<&'a str>,
    titles: BTreeSet<&'a str>,
    /// The names that only other fields have.
    others: BTreeSet<&'a str>,
    /// Whether a record is called by one.
    are_names: bool,
}

impl<'a> Sensitive<'a> {
    fn of(to: &Recipient<'a>) -> Self {
        let fields = || to.catalog.models().flat_map(|model| &model.fields);
        let sensitive = || fields().filter(|field| field.rules.sensitive);
        let names: BTreeSet<&str> = sensitive().map(|field| field.name.as_str()).collect();
        let others = fields().map(|field| field.name.as_str());
        Self {
            titles: sensitive().map(|field| field.title.as_str()).collect(),
            others: others.filter(|name| !names.contains(name)).collect(),
            are_names: to.catalog.models().any(|model| {
                let display = model.field(&model.display);
                display.is_some_and(|field| field.rules.sensitive)
            }),
            names,
        }
    }

    /// Whether a key or a text speaks of a sensitive field.
    fn is_mentioned(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.names_one(text),
            Value::Array(items) => items.iter().any(|item| self.is_mentioned(item)),
            Value::Object(map) => map
                .iter()
                .any(|(key, value)| self.names_one(key) || self.is_mentioned(value)),
            _ => false,
        }
    }

    fn names_one(&self, text: &str) -> bool {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| self.names.contains(word))
    }

    /// Leaves words of the call, and the values of fields that are not sensitive.
    fn strip(&self, key: Option<&str>, value: &mut Value) {
        match value {
            Value::Array(items) => {
                for item in items {
                    self.strip(key, item);
                }
            }
            Value::Object(map) if key.is_some_and(|key| VALUES.contains(&key)) => self.record(map),
            Value::Object(map) if key == Some("records") && !map.contains_key("values") => {
                self.record(map);
            }
            Value::Object(map) => {
                for (key, value) in map {
                    self.strip(Some(key), value);
                }
            }
            Value::Bool(_) | Value::Null => {}
            other if key.is_some_and(|key| WORDS.contains(&key)) => {
                // A name is one word; what is longer may be anything.
                let is_word = other.as_str().is_none_or(|text| text.len() <= 80);
                if !is_word {
                    *other = MARKER.into();
                }
            }
            other => *other = MARKER.into(),
        }
    }

    /// What has no sensitive field in it by name may still have one that is misspelled.
    fn values(&self, value: &mut Value) {
        match value {
            Value::Array(items) => {
                for item in items {
                    self.values(item);
                }
            }
            Value::Object(_) => {
                let Value::Object(map) = &*value else { return };
                let is_record = map.contains_key("values");
                let field = map.get("field").and_then(Value::as_str);
                let last = field.map(|path| path.rsplit('.').next().unwrap_or(path));
                if last.is_some_and(|field| !self.others.contains(field)) {
                    self.strip(None, value);
                    return;
                }
                let Value::Object(map) = value else { return };
                for (key, value) in map {
                    match (key.as_str(), value) {
                        ("values" | "params", Value::Object(inner)) => self.record(inner),
                        ("values" | "params", other) if !other.is_null() => *other = MARKER.into(),
                        ("records", Value::Array(items)) if !is_record => {
                            for item in items {
                                match item.as_object_mut() {
                                    Some(map) if !map.contains_key("values") => self.record(map),
                                    _ => self.values(item),
                                }
                            }
                        }
                        (_, value) => self.values(value),
                    }
                }
            }
            _ => {}
        }
    }

    /// Values by field: those of fields that are known, and not sensitive.
    fn record(&self, map: &mut Map<String, Value>) {
        for (field, value) in map {
            if !self.others.contains(field.as_str()) {
                *value = MARKER.into();
            }
        }
    }

    fn card(&self, value: &mut Value) {
        match value {
            Value::Array(items) => {
                for item in items {
                    self.card(item);
                }
            }
            Value::Object(map) => self.line(map),
            _ => {}
        }
    }

    /// A card, or a line of one.
    fn line(&self, map: &mut Map<String, Value>) {
        let text = |key: &str| map.get(key).and_then(Value::as_str);
        let is_kept = text("field").is_some_and(|field| self.names_one(field))
            || text("label").is_some_and(|label| self.titles.contains(label));
        for (key, value) in map {
            match key.as_str() {
                "before" | "after" | "value" if is_kept && !value.is_null() => {
                    *value = MARKER.into();
                }
                // A definition as text, for example.
                "value" if self.is_mentioned(value) => *value = MARKER.into(),
                "title" | "display" | "summary" if self.are_names && !value.is_null() => {
                    *value = MARKER.into();
                }
                "arguments" => match self.is_mentioned(value) {
                    true => self.strip(None, value),
                    false => self.values(value),
                },
                _ => self.card(value),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Audience, Restrictions};
    use super::*;
    use crate::records::{Catalog, WorkspaceFile};

    const MODEL: &str = "name: person\nfields:\n  name: { type: string }\n  iban: { type: string, sensitive: true, title: Bank account }\n";

    fn with<T>(test: impl FnOnce(&Recipient<'_>) -> T) -> T {
        let file = WorkspaceFile {
            path: "models/person.yaml".into(),
            text: MODEL.into(),
        };
        let catalog = Catalog::load(&[file]).unwrap();
        test(&Recipient {
            restrictions: &Restrictions::default(),
            catalog: &catalog,
            audience: Audience::Auditor,
        })
    }

    #[test]
    fn what_speaks_of_a_sensitive_field_loses_all_values() {
        for canary in [
            json!({"model": "person", "values": {"name": "Eve", "iban": "canary"}}),
            json!({"records": [{"values": {"iban": ["canary"]}}]}),
            json!({"records": [{"iban": "canary"}]}),
            json!({"values": {"ibann": "canary"}}),
            json!({"criteria": {"field": "ibann", "operator": "=", "value": "canary"}}),
            json!({"values": "iban=canary"}),
            json!({"params": {"p": "canary"}}),
            json!({"criteria": {"operator": "and", "criteria": [{"field": "owner.iban", "operator": "=", "value": "canary"}]}}),
            json!({"where": [{"left": {"field": "p.iban"}, "operator": "=", "right": {"value": "canary"}}]}),
            json!({"where": [{"left": {"fn": "coalesce", "args": [{"field": "p.iban"}, {"value": "canary"}]}, "right": {"value": "canary"}}]}),
            json!({"select": [{"field": "p.iban", "as": "d"}], "having": [{"field": "d", "operator": "=", "value": "canary"}]}),
            json!({"where": [{"left": {"value": "canary"}, "operator": "in", "query": {"select": [{"field": "x.iban"}]}}]}),
            json!({"title": "iban canary"}),
        ] {
            let (value, _) = with(|to| to.arguments(canary.clone()));
            assert!(!value.to_string().contains("canary"), "{value}");
        }
        for canary in [
            json!({"changes": [{"fields": [{"field": "iban", "label": "Bank account", "before": "canary", "after": "canary"}]}]}),
            json!({"fields": [{"label": "Bank account", "value": "canary"}]}),
            json!({"fields": [{"label": "Query", "value": "{\"field\":\"p.iban\",\"value\":\"canary\"}"}]}),
            json!({"arguments": {"values": {"iban": "canary"}}}),
        ] {
            let value = with(|to| to.card(canary.clone()));
            assert!(!value.to_string().contains("canary"), "{value}");
        }
    }

    #[test]
    fn what_speaks_of_none_stays() {
        let plain = json!({"model": "person", "values": {"name": "Eve"}, "criteria": {"field": "name", "operator": "=", "value": "Eve"}});
        assert_eq!(with(|to| to.arguments(plain.clone())), (plain, false));
        let read = json!({"model": "person", "id": 7, "fields": ["name", "iban"]});
        assert_eq!(with(|to| to.arguments(read.clone())), (read, true));
        let card = json!({"title": "Update Eve", "fields": [{"label": "Name", "value": "Eve"}]});
        assert_eq!(with(|to| to.card(card.clone())), card);
    }
}
