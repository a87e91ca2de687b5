use serde::Serialize;
use serde_json::Value;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::platform::deliveries::Moment;
use toolcrib_data::records::Audience;

use crate::audit::masked::Masked;
use crate::{Workspace, time};

/// An event of a call, as subscribers get it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolEvent {
    /// `tool.call.pre`, `tool.call.post`, or `test`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it is sent, RFC 3339.
    pub timestamp: String,
    /// What it says.
    pub data: ToolEventData,
}

/// What an event says of a call.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolEventData {
    /// The call.
    pub call_id: String,
    /// The tool.
    pub tool: String,
    /// Whether it is only tried: what it does is undone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub trial: bool,
    /// How the call ended; after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The arguments; before the call, with data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The result; after a call that succeeded, with data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why there is no result; after a call that did not succeed, with data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// How much an event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// The name of the tool.
    Name,
    /// Arguments or result as well, without the values of sensitive fields.
    Data,
}

impl ToolEvent {
    pub(super) fn of(
        row: &CallRow,
        moment: Moment,
        says: Says,
        (workspace, now): (&Workspace, i64),
    ) -> Self {
        let mut data = ToolEventData {
            call_id: row.id.to_string(),
            tool: row.tool.clone(),
            trial: row.trial.is_some(),
            ..ToolEventData::default()
        };
        let reader = workspace.recipient(Audience::Auditor);
        let masked = Masked::of(row, &reader);
        match moment {
            Moment::Pre if says == Says::Data => data.input = masked.arguments,
            Moment::Pre => {}
            Moment::Post => {
                data.status = Some(row.state.to_string());
                if says == Says::Data {
                    data.result = masked.output;
                    data.error = masked.error;
                }
            }
        }
        Self {
            kind: match moment {
                Moment::Pre => "tool.call.pre",
                Moment::Post => "tool.call.post",
            },
            timestamp: time(now),
            data,
        }
    }

    /// One that tells of nothing, to see whether it arrives.
    pub(super) fn test(now: i64) -> Self {
        Self {
            kind: "test",
            timestamp: time(now),
            data: ToolEventData::default(),
        }
    }
}
