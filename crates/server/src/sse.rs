use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderValue, header};
use toolcrib_runtime::{Chunk, StreamReader};

/// A comment this often keeps proxies from closing a quiet stream.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

enum Place {
    First(Vec<Chunk>, StreamReader),
    Told(StreamReader),
    Over,
}

/// The UI message stream of a run: what comes first, then all that is told.
pub(crate) fn ui_message_stream(first: Vec<Chunk>, reader: StreamReader) -> Response {
    let frames = stream::unfold(Place::First(first, reader), |place| async move {
        match place {
            Place::First(chunks, reader) => {
                let text: String = chunks.iter().map(Chunk::frame).collect();
                // A stream begins with something, so that the client sees it open.
                let text = if text.is_empty() {
                    ": open\n\n".to_owned()
                } else {
                    text
                };
                Some((
                    Ok::<Bytes, io::Error>(Bytes::from(text)),
                    Place::Told(reader),
                ))
            }
            Place::Told(mut reader) => {
                let next = tokio::time::timeout(KEEP_ALIVE, reader.next()).await;
                match next {
                    Err(_) => Some((
                        Ok(Bytes::from_static(b": keep-alive\n\n")),
                        Place::Told(reader),
                    )),
                    Ok(Some(frames)) => Some((Ok(joined(&frames)), Place::Told(reader))),
                    Ok(None) if reader.is_whole() => {
                        Some((Ok(Bytes::from_static(b"data: [DONE]\n\n")), Place::Over))
                    }
                    // Cut off, so that no client takes it for complete.
                    Ok(None) => Some((Err(io::Error::other("the run was left")), Place::Over)),
                }
            }
            Place::Over => None,
        }
    });
    let mut response = Response::new(Body::from_stream(frames));
    let fixed = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache, no-transform"),
        (
            header::HeaderName::from_static("x-vercel-ai-ui-message-stream"),
            "v1",
        ),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    for (name, value) in fixed {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

fn joined(frames: &[Arc<str>]) -> Bytes {
    Bytes::from(frames.concat())
}
