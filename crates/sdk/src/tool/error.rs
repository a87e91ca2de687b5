use std::fmt;

/// What a model reads of a tool that panicked.
pub(crate) const BROKE_DOWN: &str = "The tool broke down.";

/// Why a tool failed: a text for the model, and the cause for the log alone.
///
/// Any error turns into one with `?`; the model then reads no more than that the tool failed.
///
/// ```
/// use toolcrib::ToolError;
///
/// fn price(text: &str) -> Result<f64, ToolError> {
///     text.parse::<f64>().map_err(|error| ToolError::new("That is not a price.").with_source(error))
/// }
/// assert_eq!(price("dear").unwrap_err().to_string(), "That is not a price.");
///
/// fn secret() -> Result<(), ToolError> {
///     Err(std::io::Error::other("disk /dev/sda1 broke"))?
/// }
/// assert_eq!(secret().unwrap_err().to_string(), "The tool failed.");
/// ```
pub struct ToolError {
    message: String,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl ToolError {
    /// A failure with a text that the model may read: what went wrong, and what to do.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            source: None,
        }
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub fn with_source(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(source.into());
        self
    }

    /// The text for the model; the cause goes to the log.
    pub(crate) fn told(self) -> String {
        if let Some(source) = &self.source {
            tracing::warn!(error = %source, "a tool failed");
        }
        self.message
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("message", &self.message)
            .field("source", &self.source.as_ref().map(ToString::to_string))
            .finish()
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::new("The tool failed.").with_source(error)
    }
}
