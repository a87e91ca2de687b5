use axum::extract::{Path, State};
use http::StatusCode;
use serde::Deserialize;
use toolcrib_data::platform::conversations;
use utoipa::ToSchema;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};

/// Another title.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTitle {
    /// The title, 1 to 200 characters.
    title: String,
}

/// Gives a conversation another title.
#[utoipa::path(patch, path = "/api/conversations/{id}", tag = "conversations", params(("id" = String, Path)), request_body = NewTitle,
    responses((status = 204, description = "Renamed"), (status = 404, description = "No such conversation")))]
pub(crate) async fn rename(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    Path(id): Path<String>,
    Body(new): Body<NewTitle>,
) -> Result<StatusCode, ApiError> {
    let title = new.title.trim();
    if title.is_empty() || title.chars().count() > 200 {
        return Err(ApiError::new(
            Code::InvalidRequest,
            "A title has 1 to 200 characters.",
        ));
    }
    let mut unit = app.runtime.store().unit().await?;
    let renamed =
        conversations::rename(&mut unit, principal.org, parse(&id)?, principal.user, title).await?;
    unit.commit().await?;
    if renamed {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found("conversation"))
    }
}
