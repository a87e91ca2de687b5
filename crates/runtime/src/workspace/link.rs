//! How an agent's file names its tools.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

/// A tool that an agent links. The tool is used exactly as it is saved; whether this agent uses it
/// is all that is the agent's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolLink {
    /// The tool.
    pub name: String,
    /// Whether this agent uses it.
    pub enabled: bool,
}

/// An entry of an agent's tools: a name, or a map.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Entry {
    Name(String),
    Map(BTreeMap<String, Value>),
}

/// The entries, read: the links, and what is worth a warning.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) links: Vec<ToolLink>,
    /// The word in the file that each is about, and the warning.
    pub(super) warnings: Vec<(String, String)>,
}

impl Links {
    /// Reads entries; or says what is wrong, and of which word of the file.
    pub(super) fn read(entries: Vec<Entry>) -> Result<Self, (String, String)> {
        let mut read = Self::default();
        let mut seen = BTreeSet::new();
        for entry in entries {
            let link = match entry {
                Entry::Name(name) => ToolLink {
                    name,
                    enabled: true,
                },
                Entry::Map(map) => read.link(map)?,
            };
            if !seen.insert(link.name.clone()) {
                let told = format!("`{}` is linked more than once", link.name);
                return Err((link.name, told));
            }
            read.links.push(link);
        }
        Ok(read)
    }

    fn link(&mut self, mut map: BTreeMap<String, Value>) -> Result<ToolLink, (String, String)> {
        let wrong = |word: &str, told: String| Err((word.to_owned(), told));
        if let Some(kind) = map.get("type") {
            let told = format!(
                "a tool of type {kind} can't be defined here; save it, and link it by its name"
            );
            return wrong("type", told);
        }
        let (id, name) = (map.remove("id"), map.remove("name"));
        let named = match (id, name) {
            (Some(Value::String(id)), None) => id,
            (None, Some(Value::String(name))) => name,
            (Some(_), Some(_)) => {
                return wrong(
                    "name",
                    "a tool is linked by its id or by its name, not both".to_owned(),
                );
            }
            _ => {
                let told = "an entry that links a tool says its name, as a text".to_owned();
                return wrong("tools", told);
            }
        };
        let enabled = match map.remove("enabled") {
            None => true,
            Some(Value::Bool(enabled)) => enabled,
            Some(_) => return wrong("enabled", "enabled is true or false".to_owned()),
        };
        for key in map.into_keys() {
            let told = format!(
                "`{key}` of `{named}` is ignored: a linked tool is used as it is saved, and only `enabled` is the agent's own"
            );
            self.warnings.push((key, told));
        }
        Ok(ToolLink {
            name: named,
            enabled,
        })
    }
}
