use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

/// A regular expression that a whole text matches; compiled when it is first needed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pattern {
    text: String,
    #[serde(skip)]
    compiled: OnceLock<Result<Regex, String>>,
}

impl Pattern {
    /// The expression as it was written, sound or not.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            compiled: OnceLock::new(),
        }
    }

    /// The expression as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Why it is no regular expression, if it is none.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.compiled().err()
    }

    /// Whether the whole text matches. Linear in the text, whatever the expression.
    pub(crate) fn check(&self, text: &str) -> Result<(), String> {
        if self.compiled()?.is_match(text) {
            Ok(())
        } else {
            Err(format!("must match the pattern {}", self.text))
        }
    }

    fn compiled(&self) -> Result<&Regex, &str> {
        let compiled = self.compiled.get_or_init(|| {
            RegexBuilder::new(&format!("^(?:{})$", self.text))
                .size_limit(1 << 20)
                .build()
                .map_err(|_| format!("the pattern {} is not a regular expression", self.text))
        });
        compiled.as_ref().map_err(String::as_str)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
