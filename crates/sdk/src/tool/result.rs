use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a call of a tool ended, or what it waits for.
///
/// ```
/// use toolcrib::ToolResult;
///
/// let found = ToolResult::success(serde_json::json!({"orders": 3}));
/// let missing = ToolResult::failure("There is no order 7.");
/// assert_ne!(found, missing);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToolResult {
    /// It did its work.
    Success {
        /// What it answers; a JSON string is given to the model as plain text.
        output: Value,
        /// Whether it is drawn for the reader, and therefore kept whole.
        #[serde(default)]
        shown: bool,
    },
    /// It did not; the model is told this text and goes on.
    Failure {
        /// What went wrong and what to do, for the model to read.
        message: String,
    },
    /// A person has to decide first.
    NeedsApproval {
        /// What is asked of the person.
        question: String,
    },
    /// It stopped half-way for an answer of the person, and goes on with it.
    NeedsAnswer {
        /// What is asked of the person.
        question: String,
        /// What the tool needs to go on.
        state: Value,
    },
    /// Another agent is to answer.
    Consult {
        /// The agent's name.
        agent: String,
        /// What it is asked.
        prompt: String,
    },
    /// The caller's program or page runs it.
    ClientSide,
    /// The run has to end here.
    Abort {
        /// Why, for the person and the log.
        reason: String,
    },
}

impl ToolResult {
    /// A success that is not drawn for the reader.
    #[must_use]
    pub fn success(output: impl Into<Value>) -> Self {
        Self::Success {
            output: output.into(),
            shown: false,
        }
    }

    /// A failure that the model is told.
    #[must_use]
    pub fn failure(message: impl Into<String>) -> Self {
        Self::Failure {
            message: message.into(),
        }
    }

    /// The text that a model reads for an output.
    #[must_use]
    pub fn output_text(output: &Value) -> String {
        match output {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }
}
