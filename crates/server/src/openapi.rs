use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;

use crate::error::{FieldError, ProblemBody};
use crate::routes;

#[derive(OpenApi)]
#[openapi(
    info(title = "Toolcrib", description = "The tool counter for AI agents."),
    components(schemas(ProblemBody, FieldError))
)]
struct Base;

/// The description of the API, made from the routes themselves.
#[must_use]
pub fn document() -> Document {
    let (_, routes) = routes::all().split_for_parts();
    let mut document = Base::openapi();
    document.merge(routes);
    document
}

pub(crate) async fn serve() -> Json<Document> {
    Json(document())
}
