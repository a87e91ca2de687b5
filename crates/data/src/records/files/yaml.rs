use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};
use serde_saphyr::{Location, Spanned};

/// A place in a file: line and column, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl From<Location> for Place {
    fn from(at: Location) -> Self {
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).max(1);
        Self {
            line: number(at.line()),
            column: number(at.column()),
        }
    }
}

/// A piece of YAML that knows where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: Place,
    pub(crate) kind: Kind,
}

/// What a piece of YAML is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// What stands under `key` of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Map(entries) => entries
                .iter()
                .find(|(k, _)| k.as_text() == Some(key))
                .map(|(_, v)| v),
            _ => None,
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The same as JSON, without the places.
    pub(crate) fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Number(n) => Value::Number(n.clone()),
            Kind::Text(text) => Value::String(text.clone()),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Kind::Map(entries) => Value::Object(
                entries
                    .iter()
                    .map(|(k, v)| (k.as_text().unwrap_or_default().to_owned(), v.to_json()))
                    .collect(),
            ),
        }
    }

    /// The place that a JSON pointer leads to, or the last one on its way that exists.
    pub(crate) fn place_at(&self, pointer: &str) -> Place {
        let mut at = self;
        for part in pointer.split('/').filter(|part| !part.is_empty()) {
            let next = match &at.kind {
                Kind::List(items) => part
                    .parse::<usize>()
                    .ok()
                    .and_then(|index| items.get(index)),
                Kind::Map(_) => at.get(part),
                _ => None,
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        at.place
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Kind>::deserialize(deserializer)?;
        Ok(Self {
            place: spanned.referenced.into(),
            kind: spanned.value,
        })
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = Kind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("YAML")
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        Kind::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Kind, E> {
        Ok(Kind::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Kind, E> {
        Ok(Kind::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Kind, E> {
        Ok(Kind::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Kind, E> {
        Ok(Number::from_f64(value).map_or(Kind::Null, Kind::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Kind, E> {
        Ok(Kind::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Kind, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Kind::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Kind, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            let key = Node {
                place: key.referenced.into(),
                kind: Kind::Text(key.value),
            };
            entries.push((key, map.next_value()?));
        }
        Ok(Kind::Map(entries))
    }
}
