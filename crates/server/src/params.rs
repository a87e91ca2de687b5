use axum::extract::{FromRequestParts, Path, Query};
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};

/// The query of a request; what can't be read is a problem like any other.
#[derive(Debug)]
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|Query(params)| Self(params))
            .map_err(|rejection| {
                ApiError::new(
                    Code::InvalidRequest,
                    format!("{}.", rejection.body_text().trim_end_matches('.')),
                )
            })
    }
}

/// A name or id in the path of a request, or several. One that is no text names nothing.
#[derive(Debug)]
pub(crate) struct InPath<T = String>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for InPath<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(names)| Self(names))
            .map_err(|_| ApiError::not_found("resource"))
    }
}
