use std::sync::Once;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};

/// A client of a test application: real HTTP, one session or token.
#[derive(Clone, Debug)]
pub struct TestClient {
    http: reqwest::Client,
    url: String,
    secret: String,
}

impl TestClient {
    /// A client that sends `secret` with each request.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        clippy::expect_used,
        reason = "tests speak to the server they started"
    )]
    pub fn new(url: &str, secret: &str) -> Self {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let http = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client without special settings");
        Self {
            http,
            url: url.to_owned(),
            secret: secret.to_owned(),
        }
    }

    /// Sends a request with the session or token of this client.
    ///
    /// # Errors
    /// When no response comes.
    pub async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> reqwest::Result<Response> {
        let mut request = self
            .http
            .request(method, format!("{}{path}", self.url))
            .bearer_auth(&self.secret);
        if let Some(body) = body {
            request = request.json(body);
        }
        request.send().await
    }

    /// A request with this client's secret, to be made unusual.
    pub fn raw(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        if self.secret.is_empty() {
            request
        } else {
            request.bearer_auth(&self.secret)
        }
    }

    /// Sends a request; answers with the status and the body.
    ///
    /// # Errors
    /// When no answer comes.
    pub async fn answer(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<(StatusCode, Value)> {
        let response = self.send(method, path, body).await?;
        let status = response.status();
        let bytes = response.bytes().await?;
        Ok((
            status,
            serde_json::from_slice(&bytes).unwrap_or(Value::Null),
        ))
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// When no response comes.
    pub async fn get(&self, path: &str) -> anyhow::Result<(StatusCode, Value)> {
        self.answer(Method::GET, path, None).await
    }

    /// Posts a body.
    ///
    /// # Errors
    /// When no response comes.
    pub async fn post(&self, path: &str, body: &Value) -> anyhow::Result<(StatusCode, Value)> {
        self.answer(Method::POST, path, Some(body)).await
    }

    /// Changes a resource that is at `version`.
    ///
    /// # Errors
    /// When no response comes.
    pub async fn patch(
        &self,
        path: &str,
        version: i64,
        body: &Value,
    ) -> anyhow::Result<(StatusCode, Value)> {
        let request = self
            .http
            .patch(format!("{}{path}", self.url))
            .bearer_auth(&self.secret);
        let response = request
            .header("if-match", format!("\"{version}\""))
            .json(body)
            .send()
            .await?;
        Ok((
            response.status(),
            response.json().await.unwrap_or(Value::Null),
        ))
    }

    /// Changes a tool's switches from the version it is at; answers with the saved tool.
    ///
    /// # Errors
    /// When the server does not save it.
    pub async fn switch(&self, tool: &str, change: &Value) -> anyhow::Result<Value> {
        let path = format!("/api/tools/{tool}");
        let (_, row) = self.get(&path).await?;
        let version = row
            .get("version")
            .and_then(Value::as_i64)
            .unwrap_or_default();
        let (status, saved) = self.patch(&path, version, change).await?;
        anyhow::ensure!(status.is_success(), "{status}: {saved}");
        Ok(saved)
    }

    /// Calls a tool; answers with the call.
    ///
    /// # Errors
    /// When the server does not answer with a call.
    pub async fn call(&self, tool: &str, arguments: &Value) -> anyhow::Result<Value> {
        let (status, body) = self
            .post(
                &format!("/api/tools/{tool}/call"),
                &json!({"arguments": arguments}),
            )
            .await?;
        anyhow::ensure!(status.is_success(), "{status}: {body}");
        Ok(body.get("call").cloned().unwrap_or_default())
    }

    /// Tries a call; answers with the call.
    ///
    /// # Errors
    /// When the server does not answer with a call.
    pub async fn attempt(&self, tool: &str, arguments: &Value) -> anyhow::Result<Value> {
        let body = json!({"arguments": arguments, "trial": true});
        let (status, body) = self.post(&format!("/api/tools/{tool}/call"), &body).await?;
        anyhow::ensure!(status.is_success(), "{status}: {body}");
        Ok(body.get("call").cloned().unwrap_or_default())
    }

    /// Calls a tool with a key against repetition; answers with status and body.
    ///
    /// # Errors
    /// When no response comes.
    pub async fn call_with_key(
        &self,
        tool: &str,
        arguments: &Value,
        key: &str,
    ) -> anyhow::Result<(StatusCode, Value)> {
        let request = self
            .http
            .post(format!("{}/api/tools/{tool}/call", self.url))
            .bearer_auth(&self.secret);
        let response = request
            .header("idempotency-key", key)
            .json(&json!({"arguments": arguments}))
            .send()
            .await?;
        Ok((
            response.status(),
            response.json().await.unwrap_or(Value::Null),
        ))
    }

    /// Sends a message to an agent and reads its answer to the end; answers with the chunks.
    ///
    /// # Errors
    /// When the server does not answer with a stream.
    pub async fn chat(
        &self,
        agent: &str,
        conversation: &str,
        text: &str,
    ) -> anyhow::Result<Vec<Value>> {
        let id = format!("m-{}", toolcrib::id::CallId::mint());
        self.chat_as(agent, conversation, (&id, text)).await
    }

    /// The same with an id of the message.
    ///
    /// # Errors
    /// As [`TestClient::chat`].
    pub async fn chat_as(
        &self,
        agent: &str,
        conversation: &str,
        (id, text): (&str, &str),
    ) -> anyhow::Result<Vec<Value>> {
        let body = json!({
            "id": conversation, "trigger": "submit-message",
            "messages": [{"id": id, "role": "user", "parts": [{"type": "text", "text": text}]}],
        });
        let response = self
            .send(
                Method::POST,
                &format!("/api/agents/{agent}/chat"),
                Some(&body),
            )
            .await?;
        chunks(response).await
    }

    /// Re-joins a conversation's run and reads it to the end; no chunks when nothing runs.
    ///
    /// # Errors
    /// When the server does not answer with a stream.
    pub async fn join(&self, conversation: &str) -> anyhow::Result<Vec<Value>> {
        let path = format!("/api/conversations/{conversation}/stream");
        chunks(self.send(Method::GET, &path, None).await?).await
    }

    /// Decides an approval as it is read.
    ///
    /// # Errors
    /// When no response comes.
    pub async fn decide(
        &self,
        approval: &Value,
        decision: &str,
        reason: Option<&str>,
    ) -> anyhow::Result<(StatusCode, Value)> {
        let id = approval
            .get("id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let body = json!({"decision": decision, "reason": reason, "argumentsHash": approval.get("argumentsHash")});
        self.post(&format!("/api/approvals/{id}"), &body).await
    }

    /// The approvals of this user that wait, newest first.
    ///
    /// # Errors
    /// When the server does not answer with a list.
    pub async fn pending(&self) -> anyhow::Result<Vec<Value>> {
        let (_, body) = self.get("/api/approvals?status=pending").await?;
        Ok(body
            .get("items")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default())
    }

    /// Reads a conversation until its run has ended or waits.
    ///
    /// # Errors
    /// When the server does not answer.
    pub async fn settled(&self, conversation: &str) -> anyhow::Result<Value> {
        loop {
            // Joining returns when the run has been told to its end.
            self.join(conversation).await?;
            let (_, body) = self
                .get(&format!("/api/conversations/{conversation}"))
                .await?;
            if body.get("state") != Some(&json!("running")) {
                return Ok(body);
            }
            tokio::task::yield_now().await;
        }
    }
}

async fn chunks(response: Response) -> anyhow::Result<Vec<Value>> {
    let status = response.status();
    let text = response.text().await?;
    anyhow::ensure!(status.is_success(), "{status}: {text}");
    Ok(text
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .collect())
}
