use std::time::Duration;

use axum::body::BodyDataStream;
use axum::extract::{FromRequest, Request};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code, FieldError};

/// The largest body that is read, in bytes: that of a file of 10 MiB, in base64.
const LARGEST: usize = 16 * 1024 * 1024;
/// How long each piece of a body may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// A JSON body; what can't be read is told with its place.
#[derive(Debug)]
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let bytes = read(request).await?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            let mut problem = ApiError::new(
                Code::InvalidRequest,
                format!("The body is not what is expected here: {error}."),
            );
            problem.errors.push(FieldError::whole(error.to_string()));
            problem
        })
    }
}

/// The next piece of a body; a sender that falls silent is not waited for.
async fn next(stream: &mut BodyDataStream) -> Result<Option<Result<Bytes, axum::Error>>, ApiError> {
    tokio::time::timeout(PATIENCE, stream.next())
        .await
        .map_err(|_| ApiError::new(Code::InvalidRequest, "The body did not arrive in time."))
}

async fn read(request: Request) -> Result<BytesMut, ApiError> {
    let too_large = || {
        ApiError::new(
            Code::TooLarge,
            format!("A body may have at most {LARGEST} bytes."),
        )
    };
    let mut stream = request.into_body().into_data_stream();
    let mut bytes = BytesMut::new();
    while let Some(chunk) = next(&mut stream).await? {
        let chunk =
            chunk.map_err(|_| ApiError::new(Code::InvalidRequest, "The body broke off."))?;
        if bytes.len() + chunk.len() > LARGEST {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
