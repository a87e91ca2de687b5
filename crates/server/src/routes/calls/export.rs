use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::auth::SignedIn;
use crate::error::ApiError;
use crate::params::{InPath, Params};
use crate::table;

/// How an export is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// Comma-separated values, with a line of names first.
    #[default]
    Csv,
    /// A record a line, as JSON.
    Jsonl,
}

/// Which form the file has.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    /// `csv` or `jsonl`; `csv` when left out.
    #[serde(default)]
    format: Format,
}

/// What a call of `export_records` exported, as a file, for who asked.
#[utoipa::path(get, path = "/api/calls/{id}/export", tag = "calls", params(("id" = String, Path), ExportQuery),
    responses((status = 200, description = "The records, to be saved", content_type = "text/csv"),
        (status = 404, description = "No such export, or it is not kept any more")))]
pub(crate) async fn export(
    State(app): State<App>,
    SignedIn(principal): SignedIn,
    InPath(id): InPath,
    Params(query): Params<ExportQuery>,
) -> Result<Response, ApiError> {
    let id = id.parse().map_err(|_| ApiError::not_found("export"))?;
    let exported = app.runtime.exported(&principal, id).await?;
    let exported = exported.ok_or_else(|| ApiError::not_found("export"))?;
    let (text, media_type, ending) = match query.format {
        Format::Csv => {
            let text = table::csv(&exported.records);
            let text = text.map_err(|error| ApiError::internal(&error))?;
            (text, "text/csv; charset=utf-8; header=present", "csv")
        }
        Format::Jsonl => (lines(&exported.records), "application/jsonl", "jsonl"),
    };
    let name = format!("attachment; filename=\"{}.{ending}\"", exported.model);
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

fn lines(records: &[Value]) -> Vec<u8> {
    let mut text = String::new();
    for record in records {
        text.push_str(&record.to_string());
        text.push('\n');
    }
    text.into_bytes()
}
