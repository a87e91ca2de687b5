//! A transport that answers from a queue, in the pieces that it is told to, and keeps what it was
//! asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::Value;
use toolcrib::transport::{BodyStream, HttpRequest, HttpResponse, ResponseFuture, Transport};

/// One response.
#[derive(Clone, Debug)]
pub(crate) struct Canned {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, &'static str)>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// These pieces, and the end.
    Pieces(Vec<Bytes>),
    /// This, and then nothing for ever.
    Stalled(Bytes),
    /// This, over and over.
    Endless(Bytes),
}

impl Canned {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "called with a fresh value each time"
    )]
    pub(crate) fn json(body: impl ToString) -> Self {
        Self {
            status: 200,
            headers: vec![("content-type", "application/json; charset=utf-8")],
            body: Body::Pieces(vec![body.to_string().into()]),
        }
    }

    pub(crate) fn stream(body: &str) -> Self {
        Self::streamed(Body::Pieces(vec![Bytes::copy_from_slice(body.as_bytes())]))
    }

    pub(crate) fn streamed(body: Body) -> Self {
        Self {
            headers: vec![("content-type", "text/event-stream")],
            body,
            ..Self::json("")
        }
    }

    /// A stream cut in two.
    pub(crate) fn split(body: &str, at: usize) -> Self {
        let (left, right) = body.as_bytes().split_at(at);
        let pieces = [left, right].map(Bytes::copy_from_slice);
        Self::streamed(Body::Pieces(pieces.to_vec()))
    }

    /// A stream byte by byte.
    pub(crate) fn dripping(body: &str) -> Self {
        let pieces = body.as_bytes().chunks(1).map(Bytes::copy_from_slice);
        Self::streamed(Body::Pieces(pieces.collect()))
    }

    pub(crate) fn status(status: u16, body: &str) -> Self {
        Self {
            status,
            ..Self::json(body)
        }
    }

    pub(crate) fn with(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.push((name, value));
        self
    }
}

/// A request that came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: Method,
    pub(crate) url: String,
    pub(crate) headers: HeaderMap,
    pub(crate) raw: Bytes,
    pub(crate) body: Value,
}

#[derive(Debug, Default)]
pub(crate) struct Fake {
    answers: Mutex<VecDeque<Canned>>,
    seen: Mutex<Vec<Seen>>,
}

impl Fake {
    pub(crate) fn answering(answers: impl IntoIterator<Item = Canned>) -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::new(answers.into_iter().collect()),
            seen: Mutex::default(),
        })
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// The body of the last request.
    pub(crate) fn asked(&self) -> Value {
        self.seen().pop().unwrap().body
    }
}

impl Transport for Fake {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            self.seen.lock().unwrap().push(Seen {
                method: request.method,
                url: request.url,
                headers: request.headers,
                body: serde_json::from_slice(&request.body).unwrap_or_default(),
                raw: request.body,
            });
            let canned = self.answers.lock().unwrap().pop_front().unwrap();
            let mut headers = HeaderMap::new();
            headers.insert(header::SERVER, HeaderValue::from_static("fake"));
            for (name, value) in canned.headers {
                let name = HeaderName::from_static(name);
                headers.insert(name, HeaderValue::from_static(value));
            }
            let body: BodyStream = match canned.body {
                Body::Pieces(pieces) => Box::pin(stream::iter(pieces.into_iter().map(Ok))),
                Body::Stalled(piece) => {
                    Box::pin(stream::iter([Ok(piece)]).chain(stream::pending()))
                }
                Body::Endless(piece) => Box::pin(stream::repeat_with(move || Ok(piece.clone()))),
            };
            Ok(HttpResponse {
                status: StatusCode::from_u16(canned.status).unwrap(),
                headers,
                body,
            })
        })
    }
}
