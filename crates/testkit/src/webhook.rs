use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::Sha256;
use tokio::net::TcpListener;
use tokio::sync::{Notify, OwnedRwLockWriteGuard, RwLock};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long events may take; far longer than they do.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a webhook answers.
#[derive(Clone, Debug)]
pub enum WebhookAnswer {
    /// With that status and body.
    Say(u16, &'static str),
    /// Not at all.
    Hang,
}

/// What a webhook received.
#[derive(Clone, Debug)]
pub struct Received {
    /// The headers.
    pub headers: HeaderMap,
    /// The body, byte for byte.
    pub body: Bytes,
    /// The body, read.
    pub json: Value,
}

/// Somebody who wants to be told of calls, on a free port. It ends when it is dropped.
#[derive(Debug)]
pub struct Webhook {
    url: String,
    shared: Arc<Shared>,
    stop: CancellationToken,
}

#[derive(Debug)]
struct Shared {
    answer: Mutex<WebhookAnswer>,
    received: Mutex<Vec<Received>>,
    news: Notify,
    /// Whoever holds it keeps answers back.
    gate: Arc<RwLock<()>>,
}

impl Webhook {
    /// Starts one that says yes to everything.
    ///
    /// # Errors
    /// When there is no free port.
    pub async fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/hook", listener.local_addr()?);
        let shared = Arc::new(Shared {
            answer: Mutex::new(WebhookAnswer::Say(204, "")),
            received: Mutex::default(),
            news: Notify::new(),
            gate: Arc::default(),
        });
        let router = Router::new()
            .fallback(receive)
            .with_state(Arc::clone(&shared));
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        TaskTracker::new().spawn(async move {
            let serving = axum::serve(listener, router);
            tokio::select! {
                _ = serving.into_future() => {}
                () = stopped.cancelled() => {}
            }
        });
        Ok(Self { url, shared, stop })
    }

    /// Where it listens.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Says how it answers from now on.
    pub fn answers(&self, answer: WebhookAnswer) {
        *self
            .shared
            .answer
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = answer;
    }

    /// Keeps all answers back until what is given is dropped.
    ///
    /// # Panics
    /// When it is answering just now.
    #[must_use]
    pub fn hold(&self) -> OwnedRwLockWriteGuard<()> {
        let gate = Arc::clone(&self.shared.gate).try_write_owned();
        gate.unwrap_or_else(|_| unreachable!("nobody is answering now"))
    }

    /// What it received so far.
    #[must_use]
    pub fn received(&self) -> Vec<Received> {
        let received = self.shared.received.lock();
        received.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What it received, once that is at least so much.
    ///
    /// # Panics
    /// When it does not come.
    pub async fn until(&self, count: usize) -> Vec<Received> {
        let enough = async {
            loop {
                let news = self.shared.news.notified();
                let received = self.received();
                if received.len() >= count {
                    return received;
                }
                news.await;
            }
        };
        let enough = tokio::time::timeout(PATIENCE, enough).await;
        enough.unwrap_or_else(|_| {
            let kinds = self.received().into_iter().map(|one| one.json);
            let kinds: Vec<Value> = kinds.collect();
            unreachable!("{count} events were expected, and there are {kinds:#?}")
        })
    }
}

impl Received {
    /// The signature that it should have, as one who knows the secret finds it out.
    ///
    /// # Errors
    /// When the secret is none.
    pub fn signature(&self, secret: &str) -> anyhow::Result<String> {
        let key = secret.strip_prefix("whsec_").unwrap_or_default();
        let key = STANDARD.decode(key)?;
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key)?;
        for name in ["webhook-id", "webhook-timestamp"] {
            let value = self.headers.get(name).map(HeaderValue::as_bytes);
            mac.update(value.unwrap_or_default());
            mac.update(b".");
        }
        mac.update(&self.body);
        let signed = STANDARD.encode(mac.finalize().into_bytes());
        Ok(format!("v1,{signed}"))
    }
}

impl Drop for Webhook {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

async fn receive(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    let json = serde_json::from_slice(&body).unwrap_or_default();
    shared
        .received
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(Received {
            headers,
            body,
            json,
        });
    shared.news.notify_waiters();
    drop(shared.gate.read().await);
    let answer = shared.answer.lock();
    let answer = answer.unwrap_or_else(PoisonError::into_inner).clone();
    match answer {
        WebhookAnswer::Say(status, body) => {
            let status = StatusCode::from_u16(status).unwrap_or_default();
            (status, body).into_response()
        }
        WebhookAnswer::Hang => std::future::pending().await,
    }
}
