use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::header;
use serde::Deserialize;
use serde_json::{Value, json};
use toolcrib_counter::Principal;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::CallFilter;
use toolcrib_runtime::{AuditError, CallView};
use utoipa::IntoParams;

use super::AuditQuery;
use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::Params;
use crate::routes::calls::export::Format;
use crate::table::{self, Begin};

/// So many calls are read at once.
const PAGE: u32 = 200;

/// Which form the file has.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FormatQuery {
    /// `csv` or `jsonl`; `csv` when left out.
    #[serde(default)]
    format: Format,
}

/// The calls of everybody as a file, newest first, without the values of sensitive fields.
#[utoipa::path(get, path = "/api/audit/export", tag = "audit", params(AuditQuery, FormatQuery),
    responses((status = 200, description = "The calls, to be saved", content_type = "text/csv"),
        (status = 403, description = "Not an administrator")))]
pub(crate) async fn export(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<AuditQuery>,
    Params(form): Params<FormatQuery>,
) -> Result<Response, ApiError> {
    let exporting = Exporting {
        app,
        principal,
        filter: query.filter()?,
        format: form.format,
        next: Next::First,
    };
    // A refusal is told before the file begins.
    let (first, exporting) = exporting.step().await?.unwrap_or_default();
    let rest = stream::try_unfold(exporting, |exporting| async move {
        match exporting {
            Some(exporting) => exporting.step().await,
            None => Ok(None),
        }
    });
    let whole = stream::once(async move { Ok(first) });
    let body = Body::from_stream(futures_util::StreamExt::chain(whole, rest));
    let (media_type, name) = match form.format {
        Format::Csv => ("text/csv; charset=utf-8; header=present", "audit.csv"),
        Format::Jsonl => ("application/jsonl", "audit.jsonl"),
    };
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    Ok((headers, body).into_response())
}

/// Why an export breaks off: a file with holes must not look whole.
#[derive(Debug, thiserror::Error)]
enum ExportError {
    #[error(transparent)]
    Audit(#[from] AuditError),
    #[error(transparent)]
    Csv(#[from] csv::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

impl From<ExportError> for ApiError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Audit(error) => error.into(),
            ExportError::Csv(_) | ExportError::Json(_) => Self::internal(&error),
        }
    }
}

/// Where an export goes on.
enum Next {
    First,
    After(String),
}

struct Exporting {
    app: App,
    principal: Principal,
    filter: CallFilter,
    format: Format,
    next: Next,
}

/// A piece of the file, and what goes on after it.
type Step = (Bytes, Option<Exporting>);

impl Exporting {
    async fn step(mut self) -> Result<Option<Step>, ExportError> {
        let (begin, after) = match &self.next {
            Next::First => (Begin::WithNames, None),
            Next::After(id) => (Begin::WithRecords, Some(id.clone())),
        };
        let page = Page { limit: PAGE, after };
        let runtime = &self.app.runtime;
        let calls = runtime
            .audit_calls(&self.principal, &self.filter, &page)
            .await?;
        let rows: Vec<Value> = calls.iter().map(row).collect();
        let piece = match self.format {
            Format::Csv => table::lines(COLUMNS, begin, &rows)?,
            Format::Jsonl => {
                let mut lines = Vec::new();
                for call in &calls {
                    serde_json::to_writer(&mut lines, call)?;
                    lines.push(b'\n');
                }
                lines
            }
        };
        let more = calls.last().filter(|_| calls.len() == PAGE as usize);
        let rest = more.map(|last| last.id.clone()).map(|id| {
            self.next = Next::After(id);
            self
        });
        Ok(Some((piece.into(), rest)))
    }
}

const COLUMNS: &[&str] = &[
    "startedAt",
    "endedAt",
    "id",
    "asker",
    "agent",
    "via",
    "conversationId",
    "tool",
    "toolVersion",
    "title",
    "level",
    "status",
    "error",
    "decision",
    "decider",
    "decidedAt",
    "reason",
    "arguments",
    "output",
];

/// A call as a line of a table.
fn row(call: &CallView) -> Value {
    let approval = call.approval.as_ref();
    json!({
        "startedAt": call.started_at,
        "endedAt": call.ended_at,
        "id": call.id,
        "asker": call.asker.name,
        "agent": call.agent,
        "via": call.via,
        "conversationId": call.conversation_id,
        "tool": call.tool,
        "toolVersion": call.tool_version,
        "title": call.title,
        "level": call.level,
        "status": call.status,
        "error": call.error,
        "decision": approval.map(|approval| &approval.status),
        "decider": approval.and_then(|approval| approval.decider.as_ref()).map(|decider| &decider.name),
        "decidedAt": approval.and_then(|approval| approval.decided_at.as_ref()),
        "reason": approval.and_then(|approval| approval.reason.as_ref()),
        "arguments": call.arguments.as_ref().map(Value::to_string),
        "output": call.output.as_ref().map(Value::to_string),
    })
}
