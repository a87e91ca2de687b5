use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};
use toolcrib::id::{ApprovalId, ConversationId};
use toolcrib_counter::{CallMode, DecideError, DecisionKind, Principal};
use toolcrib_runtime::{ChatMessage, Chunk, Started};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::params::InPath;
use crate::sse::ui_message_stream;

/// A turn, as clients of the UI message stream send it. Other keys are theirs and are not read.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Turn {
    /// The conversation's id, a UUID that the client mints.
    id: String,
    /// The messages; only the last one is read.
    messages: Vec<TurnMessage>,
    /// `submit-message`, or `regenerate-message` to try a failed answer again.
    trigger: Option<String>,
}

#[derive(Deserialize, ToSchema)]
struct TurnMessage {
    id: Option<String>,
    role: String,
    #[serde(default)]
    #[schema(value_type = Vec<Object>)]
    parts: Vec<Value>,
}

/// Sends a message to an agent and streams its answer.
#[utoipa::path(post, path = "/api/agents/{name}/chat", tag = "agents", params(("name" = String, Path)), request_body = Turn,
    responses((status = 200, description = "UI message stream", content_type = "text/event-stream"),
              (status = 404, description = "No such agent or conversation"), (status = 409, description = "No language model, or a run is under way")))]
pub(crate) async fn chat(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(name): InPath,
    Body(turn): Body<Turn>,
) -> Result<Response, ApiError> {
    let conversation: ConversationId = turn.id.parse().map_err(|_| {
        ApiError::new(
            Code::InvalidRequest,
            "id is the conversation's id: a UUID that the client mints.",
        )
    })?;
    if turn.trigger.as_deref() == Some("regenerate-message") {
        return Ok(answer(
            app.runtime.retry(&principal, &name, conversation).await?,
        ));
    }
    let last = turn
        .messages
        .last()
        .ok_or_else(|| ApiError::new(Code::InvalidRequest, "There is no message."))?;
    if last.role == "assistant" {
        decide_all(&app, &principal, last).await?;
        return crate::routes::conversations::stream::join(&app, &principal, &turn.id).await;
    }
    if last.role != "user" {
        return Err(ApiError::new(
            Code::InvalidRequest,
            "The last message has to be the user's.",
        ));
    }
    let message = ChatMessage {
        conversation,
        id: last.id.clone().unwrap_or_default(),
        text: text(&last.parts),
        mode: CallMode::Real,
    };
    Ok(answer(app.runtime.chat(&principal, &name, message).await?))
}

fn answer(started: Started) -> Response {
    let Some(stream) = started.stream else {
        return StatusCode::NO_CONTENT.into_response();
    };
    let title = started.new_title.map(|title| Chunk::DataTitle {
        id: "title".to_owned(),
        data: json!({"title": title}),
        transient: true,
    });
    ui_message_stream(title.into_iter().collect(), stream)
}

fn text(parts: &[Value]) -> String {
    let texts = parts
        .iter()
        .filter(|part| part.get("type").and_then(Value::as_str) == Some("text"));
    let texts: Vec<&str> = texts
        .filter_map(|part| part.get("text").and_then(Value::as_str))
        .collect();
    texts.join("\n")
}

/// Decisions that stock clients send inside the answer they are about. Only the approval's id and
/// the decision are trusted, never the input that is echoed beside them.
async fn decide_all(
    app: &App,
    principal: &Principal,
    message: &TurnMessage,
) -> Result<(), ApiError> {
    for (id, kind, reason) in message.parts.iter().filter_map(decision) {
        let (runtime, decider) = (app.runtime.clone(), principal.clone());
        // A client that hangs up does not undo what it decided.
        let decided = app
            .runtime
            .track(async move { runtime.decide_by_message(&decider, id, kind, reason).await });
        match decided.await {
            // The message repeats the decisions of earlier turns.
            Some(Ok(()) | Err(DecideError::AlreadyDecided(_))) => {}
            Some(Err(error)) => return Err(error.into()),
            None => return Err(ApiError::new(Code::Internal, "The decision broke off.")),
        }
    }
    Ok(())
}

fn decision(part: &Value) -> Option<(ApprovalId, DecisionKind, Option<String>)> {
    let approval = part.get("approval")?;
    let id = approval.get("id")?.as_str()?.parse().ok()?;
    let kind = if approval.get("approved")?.as_bool()? {
        DecisionKind::Approve
    } else {
        DecisionKind::Reject
    };
    let reason = approval.get("reason").and_then(Value::as_str);
    Some((id, kind, reason.map(str::to_owned)))
}
