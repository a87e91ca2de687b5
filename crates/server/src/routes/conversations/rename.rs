use axum::extract::State;
use http::StatusCode;
use serde::Deserialize;
use toolcrib_data::platform::conversations;
use utoipa::ToSchema;

use super::parse;
use crate::app::App;
use crate::auth::SignedIn;
use crate::body::Body;
use crate::error::{ApiError, Code};
use crate::params::InPath;

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
    InPath(id): InPath,
    Body(new): Body<NewTitle>,
) -> Result<StatusCode, ApiError> {
    let title: String = new
        .title
        .chars()
        .filter(|letter| !letter.is_control())
        .collect();
    let title = title.trim();
    let is_blank = !title
        .chars()
        .any(|letter| letter.is_alphanumeric() || letter.is_ascii_graphic() || letter > '\u{2fff}');
    if is_blank || title.chars().count() > 200 {
        return Err(ApiError::new(
            Code::InvalidRequest,
            "A title has 1 to 200 characters that can be seen.",
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
