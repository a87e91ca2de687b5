use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest name a tool may have, in characters.
const LONGEST: usize = 64;

/// A tool's name: a letter, then letters, digits and underscores, at most 64.
///
/// ```
/// use toolcrib::ToolName;
///
/// assert!("read_record".parse::<ToolName>().is_ok());
/// assert!("9 lives".parse::<ToolName>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ToolName(String);

/// A name that no tool may have.
///
/// What reading a [`ToolName`] fails with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a tool name: it begins with a letter, goes on with letters, digits and underscores, and has at most 64 characters"
)]
pub struct InvalidToolName(String);

impl ToolName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ToolName {
    type Err = InvalidToolName;

    fn from_str(text: &str) -> Result<Self, InvalidToolName> {
        let begins = text.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
        let goes_on = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if begins && goes_on && text.len() <= LONGEST {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidToolName(text.chars().take(80).collect()))
        }
    }
}

impl TryFrom<String> for ToolName {
    type Error = InvalidToolName;

    fn try_from(text: String) -> Result<Self, InvalidToolName> {
        text.parse()
    }
}

impl From<ToolName> for String {
    fn from(name: ToolName) -> Self {
        name.0
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A tool as it is shown to a language model.
///
/// Built by [`ToolSet::tool_definition`](crate::ToolSet::tool_definition); shown at [`Definitions`](crate::Definitions).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The name that the model calls.
    pub name: ToolName,
    /// What it does and returns.
    pub description: String,
    /// JSON Schema of its arguments, an object.
    #[serde(rename = "parameters")]
    pub input_schema: Value,
}
