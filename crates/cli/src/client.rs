//! Speaks to the server of a workspace; without one, to a server of its own for as long as the
//! command lasts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use bytes::Bytes;
use futures_util::StreamExt as _;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde_json::{Value, json};
use toolcrib::transport::{BodyStream, HttpRequest, HttpTransport, Transport};

use crate::commands::serve::{self, Running, ServerFile, Stay};

const NO_SUCH_USER: &str = "There is no such user.";
/// How often a command tries for a server while another one is at work, and how long it waits.
const TURNS: u32 = 100;
const TURN: Duration = Duration::from_millis(100);

/// A signed-in client.
pub(crate) struct Client {
    transport: Arc<dyn Transport>,
    server: ServerFile,
    session: String,
    /// A server that lives as long as this client.
    own: Option<Running>,
}

impl Client {
    /// Signs in at the server of that workspace as the user with that address, or as
    /// the administrator.
    pub(crate) async fn connect(dir: &Path, email: Option<&str>) -> anyhow::Result<Self> {
        let mut client = Self::open(dir).await?;
        client.session = client.local(email, false).await?;
        Ok(client)
    }

    /// Makes a sign-in link; needs a server that stays.
    pub(crate) async fn sign_in_link(dir: &Path, email: &str) -> anyhow::Result<String> {
        let transport: Arc<dyn Transport> = Arc::new(HttpTransport::new()?);
        let Some(client) = Self::running(dir, &transport).await else {
            bail!(
                "no server is running on {}; start one with `toolcrib serve`",
                dir.display()
            );
        };
        let token = client.local(Some(email), true).await?;
        Ok(format!("{}/sign-in#token={token}", client.server.url))
    }

    /// The server that its private file names, if it is the one that wrote the file: one that was
    /// killed leaves the file behind, and another program may have taken its port.
    async fn running(dir: &Path, transport: &Arc<dyn Transport>) -> Option<Self> {
        let server = ServerFile::read(dir)?;
        let client = Self {
            transport: Arc::clone(transport),
            server,
            session: String::new(),
            own: None,
        };
        let body = json!({"secret": client.server.secret, "email": ""});
        match client
            .request(Method::POST, "/api/session/local", Some(&body))
            .await
        {
            // It knows the secret, and says that nobody has an empty address.
            Err(error) if error.to_string() == NO_SUCH_USER => Some(client),
            Ok(_) | Err(_) => None,
        }
    }

    /// The server of the workspace, or one of our own. Several commands may want one at once:
    /// those that come second wait for their turn, or for a server that stays.
    async fn open(dir: &Path) -> anyhow::Result<Self> {
        let transport: Arc<dyn Transport> = Arc::new(HttpTransport::new()?);
        if !dir.exists() {
            bail!(
                "there is no workspace at {}; make one with `toolcrib init {0}`",
                dir.display()
            );
        }
        for _ in 0..TURNS {
            if let Some(client) = Self::running(dir, &transport).await {
                return Ok(client);
            }
            match serve::start(dir, Some("127.0.0.1:0"), Stay::ForOneCommand).await {
                Ok(own) => {
                    let server = own.file.clone();
                    return Ok(Self {
                        transport,
                        server,
                        session: String::new(),
                        own: Some(own),
                    });
                }
                Err(error) if is_in_use(&error) => tokio::time::sleep(TURN).await,
                Err(error) => return Err(error),
            }
        }
        bail!(
            "another toolcrib process is at work on {} and does not answer",
            dir.display()
        )
    }

    async fn local(&self, email: Option<&str>, link: bool) -> anyhow::Result<String> {
        let body = json!({"secret": self.server.secret, "email": email, "link": link});
        let answer = self
            .request(Method::POST, "/api/session/local", Some(&body))
            .await;
        let answer = answer
            .with_context(|| format!("signing in as {}", email.unwrap_or("the administrator")))?;
        Ok(answer
            .get("secret")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned())
    }

    /// Ends the server that was started for this client.
    pub(crate) async fn close(self) {
        if let Some(own) = self.own {
            own.stop().await;
        }
    }

    /// Sends a request; an answer that is a problem is an error with its text.
    pub(crate) async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let (status, bytes) = self.send(method, path, body).await?;
        if status == StatusCode::NO_CONTENT || bytes.is_empty() {
            return Ok(Value::Null);
        }
        Ok(serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| String::from_utf8_lossy(&bytes).into_owned().into()))
    }

    /// Opens a stream of server-sent events. There is none when the server has nothing to tell.
    pub(crate) async fn stream(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Option<BodyStream>> {
        let response = self.transport.send(self.http(method, path, body)?).await?;
        if response.status == StatusCode::NO_CONTENT {
            return Ok(None);
        }
        if !response.status.is_success() {
            bail!(problem(&collect(response.body).await?));
        }
        Ok(Some(response.body))
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<(StatusCode, Vec<u8>)> {
        let response = self.transport.send(self.http(method, path, body)?).await?;
        let status = response.status;
        let bytes = collect(response.body).await?;
        if !status.is_success() {
            bail!(problem(&bytes));
        }
        Ok((status, bytes))
    }

    fn http(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<HttpRequest> {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/json"),
        );
        headers.insert("x-toolcrib-cli", HeaderValue::from_static("1"));
        if !self.session.is_empty() {
            headers.insert(
                header::AUTHORIZATION,
                HeaderValue::from_str(&format!("Bearer {}", self.session))?,
            );
        }
        let body = body
            .map(serde_json::to_vec)
            .transpose()?
            .map(Bytes::from)
            .unwrap_or_default();
        let url = format!("{}{path}", self.server.url);
        Ok(HttpRequest {
            method,
            url,
            headers,
            body,
            timeout: Duration::from_secs(120),
        })
    }
}

fn is_in_use(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .to_string()
            .contains("is in use by another toolcrib process")
    })
}

/// A name as part of a path.
pub(crate) fn in_path(name: &str) -> String {
    let mut path = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            path.push(char::from(byte));
        } else {
            path.push_str(&format!("%{byte:02X}"));
        }
    }
    path
}

async fn collect(mut body: BodyStream) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next().await {
        bytes.extend_from_slice(&chunk?);
    }
    Ok(bytes)
}

/// What a problem says, in one line.
fn problem(bytes: &[u8]) -> String {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let text = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    match text("detail") {
        detail if detail.is_empty() => {
            format!("the server answered: {}", String::from_utf8_lossy(bytes))
        }
        detail => detail,
    }
}
