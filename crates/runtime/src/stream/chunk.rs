use serde::Serialize;
use serde_json::Value;
use toolcrib::id::RunId;

/// One chunk of the UI message stream, version 1 of its protocol.
#[derive(Clone, Debug, Serialize)]
#[serde(
    tag = "type",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
#[expect(
    missing_docs,
    reason = "the chunks and their fields are the protocol's own"
)]
pub enum Chunk {
    Start {
        message_id: String,
        message_metadata: Value,
    },
    StartStep,
    TextStart {
        id: String,
    },
    TextDelta {
        id: String,
        delta: String,
    },
    TextEnd {
        id: String,
    },
    ReasoningStart {
        id: String,
    },
    ReasoningDelta {
        id: String,
        delta: String,
    },
    ReasoningEnd {
        id: String,
    },
    ToolInputStart(ToolPart),
    ToolInputDelta {
        tool_call_id: String,
        input_text_delta: String,
    },
    ToolInputAvailable {
        #[serde(flatten)]
        part: ToolPart,
        input: Value,
    },
    ToolApprovalRequest {
        approval_id: String,
        tool_call_id: String,
    },
    ToolOutputAvailable {
        tool_call_id: String,
        output: Value,
        dynamic: bool,
        provider_executed: bool,
    },
    ToolOutputError {
        tool_call_id: String,
        error_text: String,
        dynamic: bool,
        provider_executed: bool,
    },
    ToolOutputDenied {
        tool_call_id: String,
    },
    DataCall {
        id: String,
        data: Value,
    },
    DataApproval {
        id: String,
        data: Value,
    },
    DataNotice {
        id: String,
        data: Value,
    },
    DataRestart {
        id: String,
        data: Value,
        transient: bool,
    },
    DataTitle {
        id: String,
        data: Value,
        transient: bool,
    },
    FinishStep,
    Finish {
        message_metadata: Value,
    },
    Abort,
    Error {
        error_text: String,
    },
}

/// A tool call as the protocol names it. Tools run on the server, so a client never runs one.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolPart {
    pub(crate) tool_call_id: String,
    pub(crate) tool_name: String,
    pub(crate) dynamic: bool,
    pub(crate) provider_executed: bool,
    pub(crate) title: String,
}

impl ToolPart {
    pub(crate) fn new(id: &str, name: &str, title: &str) -> Self {
        Self {
            tool_call_id: id.to_owned(),
            tool_name: name.to_owned(),
            dynamic: true,
            provider_executed: true,
            title: title.to_owned(),
        }
    }
}

/// The id of a text or reasoning part. The same part has the same id whenever it is told; a step that is
/// asked for again by whoever took the run over has other parts.
pub(crate) fn part_id(run: RunId, (step, epoch): (usize, i64), kind: &str) -> String {
    format!("{run}-{step}-{epoch}-{kind}")
}

impl Chunk {
    /// Whether the protocol ends here.
    pub(crate) fn is_end(&self) -> bool {
        matches!(self, Self::Finish { .. } | Self::Abort | Self::Error { .. })
    }

    /// The chunk as a frame of server-sent events.
    #[must_use]
    pub fn frame(&self) -> String {
        // A chunk is made of strings and JSON: it can always be written.
        let json =
            serde_json::to_string(self).unwrap_or_else(|_| "{\"type\":\"abort\"}".to_owned());
        format!("data: {json}\n\n")
    }
}
