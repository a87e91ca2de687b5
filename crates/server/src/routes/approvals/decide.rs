use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use toolcrib::id::ApprovalId;
use toolcrib_counter::{DecideError, Decision, DecisionKind, GrantKind};
use toolcrib_runtime::{ApprovalView, CallView};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::params::InPath;

/// What a person decides.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewDecision {
    /// In favour, against, or back with a wish.
    decision: Kind,
    /// Why; goes to the model.
    reason: Option<String>,
    /// The hash that the approval names: what was looked at is what is decided.
    arguments_hash: String,
    /// Other arguments to approve it with, where the tool's row lets who decides edit them.
    #[schema(value_type = Option<Object>)]
    arguments: Option<Map<String, Value>>,
    /// Which later calls a decision in favour is for too: `once` for none.
    #[serde(default)]
    grant: GrantFor,
}

#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum GrantFor {
    #[default]
    Once,
    Conversation,
    Always,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Approve,
    Reject,
    RequestChange,
}

/// A decision that counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct Decided {
    approval: ApprovalView,
    call: CallView,
}

/// Decides. What was approved then runs: a call of a conversation by itself, another one in this request.
#[utoipa::path(post, path = "/api/approvals/{id}", tag = "approvals", params(("id" = String, Path)), request_body = NewDecision,
    responses((status = 200, body = Decided), (status = 403, description = "This credential may not decide"),
              (status = 404, description = "No such approval"), (status = 409, description = "Decided already, or about something else")))]
pub(crate) async fn decide(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
    Body(new): Body<NewDecision>,
) -> Result<Json<Decided>, ApiError> {
    let id: ApprovalId = id.parse().map_err(|_| ApiError::not_found("approval"))?;
    let kind = match new.decision {
        Kind::Approve => DecisionKind::Approve,
        Kind::Reject => DecisionKind::Reject,
        Kind::RequestChange => DecisionKind::RequestChange,
    };
    let decision = Decision {
        kind,
        reason: new.reason,
        arguments_hash: new.arguments_hash,
        arguments: new.arguments,
        grant: match new.grant {
            GrantFor::Once => GrantKind::Once,
            GrantFor::Conversation => GrantKind::Conversation,
            GrantFor::Always => GrantKind::Always,
        },
    };
    let runtime = app.runtime.clone();
    let decider = principal.clone();
    // Dropping the request does not stop what was approved.
    let decided = app
        .runtime
        .track(async move { runtime.decide(&decider, id, decision).await })
        .await;
    let decided =
        decided.ok_or_else(|| ApiError::new(Code::Internal, "The decision broke off."))?;
    match decided {
        Ok((_, call)) => {
            let approval = app
                .runtime
                .approval(&principal, id)
                .await?
                .ok_or_else(|| ApiError::not_found("approval"))?;
            let shown = approval.clone();
            let call = app
                .runtime
                .decided_call_view(&principal, &call, shown)
                .await?;
            Ok(Json(Decided { approval, call }))
        }
        Err(DecideError::AlreadyDecided(_)) => {
            let approval = app
                .runtime
                .approval(&principal, id)
                .await?
                .ok_or_else(|| ApiError::not_found("approval"))?;
            Err(ApiError::new(Code::AlreadyDecided, already(&approval)))
        }
        Err(error) => Err(error.into()),
    }
}

/// Who decided what, and when.
fn already(approval: &ApprovalView) -> String {
    let what = match approval.status.as_str() {
        "pending" => return "This is being decided at this moment; look at it again.".to_owned(),
        "approved" => "approved",
        "rejected" => "rejected",
        "change_requested" => "sent back for a change",
        "expired" => {
            return "Nobody decided in time; the request has expired and did not run.".to_owned();
        }
        "superseded" => {
            return "The conversation went on without a decision; the request did not run."
                .to_owned();
        }
        _ => return "The run was stopped; the request did not run.".to_owned(),
    };
    let who = approval
        .decider
        .as_ref()
        .map_or("somebody", |person| &person.name);
    let when = approval.decided_at.as_deref().unwrap_or_default();
    format!("This was already {what} by {who} at {when}. Nothing was done a second time.")
}
