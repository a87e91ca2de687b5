//! The chat in the terminal: the answer as it comes, and decisions at the prompt.

mod decide;
mod show;

use std::process::ExitCode;

use futures_util::StreamExt as _;
use http::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines, Stdin};
use toolcrib::id::ConversationId;
use toolcrib::transport::BodyStream;

use self::show::Show;
use crate::args::Chat;
use crate::client::{Client, in_path};

/// One conversation in the terminal.
pub(super) struct Terminal {
    client: Client,
    agent: String,
    conversation: ConversationId,
    input: Lines<BufReader<Stdin>>,
}

pub(crate) async fn run(arguments: Chat) -> anyhow::Result<ExitCode> {
    let client =
        Client::connect(&arguments.who.workspace.dir, arguments.who.email.as_deref()).await?;
    let mut terminal = Terminal {
        client,
        agent: arguments.agent,
        conversation: ConversationId::mint(),
        input: BufReader::new(tokio::io::stdin()).lines(),
    };
    let outcome = terminal.talk(arguments.message).await;
    terminal.client.close().await;
    outcome.map(|()| ExitCode::SUCCESS)
}

impl Terminal {
    /// Message after message, until the input ends.
    async fn talk(&mut self, first: Option<String>) -> anyhow::Result<()> {
        let only_one = first.is_some();
        let mut next = first;
        loop {
            let text = match next.take() {
                Some(text) => text,
                None => match self.ask("> ").await? {
                    Some(text) if text.trim().is_empty() => continue,
                    Some(text) => text,
                    None => return Ok(()),
                },
            };
            self.turn(&text).await?;
            if only_one {
                return Ok(());
            }
        }
    }

    async fn turn(&mut self, text: &str) -> anyhow::Result<()> {
        let id = ConversationId::mint().to_string();
        let body = json!({
            "id": self.conversation, "trigger": "submit-message",
            "messages": [{"id": id, "role": "user", "parts": [{"type": "text", "text": text}]}],
        });
        let path = format!("/api/agents/{}/chat", in_path(&self.agent));
        let mut stream = self.client.stream(Method::POST, &path, Some(&body)).await?;
        let mut show = Show::default();
        loop {
            if let Some(body) = stream.take() {
                read(body, &mut show).await?;
            }
            for approval in self.pending().await? {
                self.decide(&approval).await?;
            }
            stream = self.rejoin().await?;
            if stream.is_none() {
                return self.rest(&mut show).await;
            }
        }
    }

    /// The stream of the run that is under way, if one is.
    async fn rejoin(&self) -> anyhow::Result<Option<BodyStream>> {
        let path = format!("/api/conversations/{}/stream", self.conversation);
        self.client.stream(Method::GET, &path, None).await
    }

    /// The approvals of this conversation that wait.
    async fn pending(&self) -> anyhow::Result<Vec<Value>> {
        let found = self.conversation().await?;
        let approvals = found
            .get("approvals")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        Ok(approvals
            .into_iter()
            .filter(|approval| approval.get("status") == Some(&json!("pending")))
            .collect())
    }

    async fn conversation(&self) -> anyhow::Result<Value> {
        self.client
            .request(
                Method::GET,
                &format!("/api/conversations/{}", self.conversation),
                None,
            )
            .await
    }

    /// What came of a run that is told to nobody any more: shown where it was not yet.
    async fn rest(&self, show: &mut Show) -> anyhow::Result<()> {
        let found = self.conversation().await?;
        let last = found
            .get("messages")
            .and_then(Value::as_array)
            .and_then(|messages| messages.last());
        let last = last.cloned().unwrap_or_default();
        show.stored(
            last.get("parts")
                .and_then(Value::as_array)
                .map_or(&[], Vec::as_slice),
        );
        show.end();
        let has_failed = last.pointer("/metadata/state").and_then(Value::as_str) == Some("failed");
        anyhow::ensure!(!has_failed, "the agent could not answer");
        Ok(())
    }

    /// Asks for a line; none at the end of the input.
    pub(super) async fn ask(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        use std::io::Write as _;
        print!("{prompt}");
        std::io::stdout().flush()?;
        Ok(self.input.next_line().await?)
    }
}

/// Shows a stream to its end.
async fn read(mut body: BodyStream, show: &mut Show) -> anyhow::Result<()> {
    let mut buffer = Vec::new();
    show.begin();
    while let Some(bytes) = body.next().await {
        buffer.extend_from_slice(&bytes?);
        while let Some(end) = buffer.windows(2).position(|pair| pair == b"\n\n") {
            let frame: Vec<u8> = buffer.drain(..end + 2).collect();
            let frame = String::from_utf8_lossy(&frame);
            let data = frame.trim().strip_prefix("data:").map(str::trim);
            if let Some(chunk) = data.and_then(|data| serde_json::from_str::<Value>(data).ok()) {
                show.chunk(&chunk);
            }
        }
    }
    show.end();
    Ok(())
}
