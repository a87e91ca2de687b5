use axum::Json;
use axum::extract::State;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use toolcrib_runtime::UsageView;
use utoipa::IntoParams;

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::{ApiError, Code};
use crate::page::List;
use crate::params::Params;

/// How far back it is looked where nothing is said.
const USUAL: SignedDuration = SignedDuration::from_hours(24 * 30);

/// Which usage.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub(crate) struct UsageQuery {
    /// From the day of this moment on, RFC 3339; the last 30 days when left out.
    from: Option<String>,
    /// To the day of this moment, RFC 3339; today when left out.
    to: Option<String>,
    /// Only that of this user.
    user_id: Option<String>,
}

/// Lists what was used of language models, by day, user, agent and model: of everybody for
/// administrators, else the user's own.
#[utoipa::path(get, path = "/api/usage", tag = "usage", params(UsageQuery),
    responses((status = 200, body = List<UsageView>), (status = 403, description = "Somebody else's, and not an administrator")))]
pub(crate) async fn list(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Params(query): Params<UsageQuery>,
) -> Result<Json<List<UsageView>>, ApiError> {
    let wrong = |what: &str| ApiError::new(Code::InvalidRequest, what);
    let now = app.runtime.store().clock().now();
    let moment = |text: Option<String>, usual: Timestamp, name: &str| match text {
        None => Ok(usual),
        Some(text) => text
            .parse()
            .map_err(|_| wrong(&format!("{name} is a time such as 2026-01-31T14:30:00Z."))),
    };
    let from = moment(query.from, now.saturating_sub(USUAL).unwrap_or(now), "from")?;
    let to = moment(query.to, now, "to")?;
    let user = query.user_id.map(|id| id.parse()).transpose();
    let user = user.map_err(|_| wrong("userId is the id of a user."))?;
    let between = (from.as_microsecond(), to.as_microsecond());
    let used = app.runtime.usage(&principal, user, between).await?;
    Ok(Json(List::whole(used)))
}
