use serde_json::Value;
use toolcrib_counter::Principal;

use super::error::DocumentError;
use crate::workspace::RESTRICTIONS;

/// The folders that a document can be in, and how its name ends there.
const FOLDERS: &[(&str, &str)] = &[
    ("models", ".yaml"),
    ("permissions", ".yaml"),
    ("queries", ".yaml"),
    ("tools", ".yaml"),
    ("agents", ".md"),
];
const LONGEST_NAME: usize = 80;

/// A place in the workspace that the web app may fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DocumentPath {
    path: String,
    folder: &'static str,
}

impl DocumentPath {
    /// Reads a path. It never leads out of the workspace, since documents are exported as files.
    pub(crate) fn parse(path: &str) -> Result<Self, DocumentError> {
        let owned = |folder| Self {
            path: path.to_owned(),
            folder,
        };
        if path == RESTRICTIONS {
            return Ok(owned(""));
        }
        let found = FOLDERS.iter().find_map(|(folder, ending)| {
            let name = path.strip_prefix(folder)?.strip_prefix('/')?;
            is_name(name.strip_suffix(ending)?).then_some(*folder)
        });
        found
            .map(owned)
            .ok_or_else(|| DocumentError::Path(path.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.path
    }

    /// Who may do what is for administrators to say: a builder would give themselves anything.
    pub(crate) fn check_may_edit(&self, principal: &Principal) -> Result<(), DocumentError> {
        if !principal.may_edit() {
            return Err(DocumentError::NotAllowed);
        }
        let says_who = matches!(self.folder, "" | "permissions");
        if says_who && !principal.has_role("admin") {
            return Err(DocumentError::AdminsOnly);
        }
        Ok(())
    }

    /// What the text says, where it is YAML that can be read.
    pub(crate) fn definition(&self, text: &str) -> Option<Value> {
        self.is_yaml()
            .then(|| serde_saphyr::from_str(text).ok())
            .flatten()
    }

    /// The text that says this.
    pub(crate) fn written(&self, definition: &Value) -> Result<String, DocumentError> {
        if !self.is_yaml() {
            return Err(DocumentError::TextOnly);
        }
        serde_saphyr::to_string(definition).map_err(|_| DocumentError::TextOnly)
    }

    fn is_yaml(&self) -> bool {
        self.folder != "agents"
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || b"_-.".contains(&c);
    name.len() <= LONGEST_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && name.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_of_a_workspace_are_paths() {
        for path in [
            "models/book.yaml",
            "models/crm.lead.yaml",
            "permissions/a-b.yaml",
            "queries/q_1.yaml",
            "tools/book.yaml",
            "agents/helper.md",
            "restrictions.yaml",
        ] {
            assert_eq!(DocumentPath::parse(path).unwrap().as_str(), path);
        }
        for path in [
            "",
            "models",
            "models/",
            "models/.yaml",
            "models/.hidden.yaml",
            "models/../toolcrib.yaml",
            "models/a/b.yaml",
            "models/a\\b.yaml",
            "models/a.yml",
            "models/A.yaml",
            "models/ü.yaml",
            "/models/a.yaml",
            "../models/a.yaml",
            "agents/helper.yaml",
            "toolcrib.toml",
            "data/toolcrib.db",
            "restrictions.yaml/",
        ] {
            assert!(DocumentPath::parse(path).is_err(), "{path}");
        }
        let long = format!("models/{}.yaml", "a".repeat(81));
        assert!(DocumentPath::parse(&long).is_err());
    }
}
