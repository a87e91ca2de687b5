use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Document;

use crate::error::{FieldError, FilePlace, ProblemBody};
use crate::routes;

#[derive(OpenApi)]
#[openapi(
    info(title = "Toolcrib", description = "The tool counter for AI agents."),
    components(schemas(ProblemBody, FieldError, FilePlace))
)]
struct Base;

/// The description of the API, made from the routes themselves.
#[must_use]
pub fn document() -> Document {
    let (_, routes) = routes::all().split_for_parts();
    let mut document = Base::openapi();
    document.merge(routes);
    // The router has a mark for a path of several parts, which the description has no word for.
    let paths = std::mem::take(&mut document.paths.paths).into_iter();
    let paths = paths.map(|(path, item)| (path.replace("{*", "{"), item));
    document.paths.paths = paths.collect();
    document
}

pub(crate) async fn serve() -> Json<Document> {
    Json(document())
}
