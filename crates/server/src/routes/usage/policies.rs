use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use toolcrib::id::UsagePolicyId;
use toolcrib_data::platform::usage::PolicySubject;
use toolcrib_runtime::{Limits, NewPolicy, PolicyView};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::page::List;
use crate::params::InPath;
use crate::version;

/// A policy to make.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PolicyToMake {
    /// `org`, `role` or `user`.
    subject_kind: String,
    /// Which role, or the id of which user; left out for everybody.
    #[serde(default)]
    subject: String,
    /// The most tokens of a calendar month (UTC).
    monthly_tokens: Option<i64>,
    /// The most messages of a minute.
    requests_per_minute: Option<i64>,
}

/// How much a policy allows, in place of what it said.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PolicyLimits {
    /// The most tokens of a calendar month (UTC).
    monthly_tokens: Option<i64>,
    /// The most messages of a minute.
    requests_per_minute: Option<i64>,
}

fn policy(id: &str) -> Result<UsagePolicyId, ApiError> {
    id.parse().map_err(|_| ApiError::not_found("policy"))
}

/// Lists how much may be used of language models. Of several policies for a user the most generous holds.
#[utoipa::path(get, path = "/api/usage-policies", tag = "usage",
    responses((status = 200, body = List<PolicyView>), (status = 403, description = "Not an administrator")))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
) -> Result<Json<List<PolicyView>>, ApiError> {
    let policies = app.runtime.usage_policies(&principal).await?;
    Ok(Json(List::whole(policies)))
}

/// Makes a policy of how much may be used.
#[utoipa::path(post, path = "/api/usage-policies", tag = "usage", request_body = PolicyToMake,
    responses((status = 201, body = PolicyView), (status = 403, description = "Not an administrator"),
        (status = 422, description = "What it says is not sound")))]
pub(crate) async fn create(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Body(wanted): Body<PolicyToMake>,
) -> Result<(StatusCode, Json<PolicyView>), ApiError> {
    let wrong = |what: &str| ApiError::new(Code::InvalidRequest, what);
    let subject = match wanted.subject_kind.as_str() {
        "org" if wanted.subject.is_empty() => PolicySubject::Org,
        "org" => return Err(wrong("A policy of the org has no subject.")),
        "role" => PolicySubject::Role(wanted.subject),
        "user" => {
            let user = wanted.subject.parse();
            PolicySubject::User(user.map_err(|_| wrong("The subject is the id of a user."))?)
        }
        _ => return Err(wrong("subjectKind is org, role or user.")),
    };
    let limits = Limits {
        monthly_tokens: wanted.monthly_tokens,
        requests_per_minute: wanted.requests_per_minute,
    };
    let new = NewPolicy { subject, limits };
    let made = app.runtime.new_usage_policy(&principal, new).await?;
    Ok((StatusCode::CREATED, Json(made)))
}

/// Changes how much a policy allows.
#[utoipa::path(put, path = "/api/usage-policies/{id}", tag = "usage", params(("id" = String, Path)), request_body = PolicyLimits,
    responses((status = 200, body = PolicyView), (status = 404, description = "No such policy"),
        (status = 412, description = "Changed by somebody else")))]
pub(crate) async fn change(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
    headers: HeaderMap,
    Body(wanted): Body<PolicyLimits>,
) -> Result<Response, ApiError> {
    let at = (policy(&id)?, version::changed(&headers)?);
    let limits = Limits {
        monthly_tokens: wanted.monthly_tokens,
        requests_per_minute: wanted.requests_per_minute,
    };
    let changed = app
        .runtime
        .change_usage_policy(&principal, at, limits)
        .await?;
    Ok((version::etag(changed.version), Json(changed)).into_response())
}

/// Deletes a policy.
#[utoipa::path(delete, path = "/api/usage-policies/{id}", tag = "usage", params(("id" = String, Path)),
    responses((status = 204, description = "Deleted"), (status = 404, description = "No such policy")))]
pub(crate) async fn delete(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
) -> Result<StatusCode, ApiError> {
    let id = policy(&id)?;
    app.runtime.delete_usage_policy(&principal, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
