//! A provider that is always the same: it asks for a sum so many times, then answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};

use anyhow::Context as _;
use serde_json::{Value, json};

/// How answers come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Whole,
    Streamed,
}

pub(super) struct Provider {
    address: SocketAddr,
}

impl Provider {
    pub(super) fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes ends its own connection and no other.
                std::thread::spawn(move || drop(serve(stream)));
            }
        });
        Ok(Self { address })
    }

    /// The base URL of a script: how many turns, and in how many pieces arguments or the last text
    /// come.
    pub(super) fn url(&self, turns: usize, pieces: u32) -> String {
        format!("http://{}/{turns}/{pieces}/v1", self.address)
    }
}

fn serve(stream: TcpStream) -> anyhow::Result<()> {
    stream.set_nodelay(true)?;
    let mut out = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim().to_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        out.write_all(&answer(&first, &body)?)?;
    }
}

fn answer(first: &str, body: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut path = first.split('/').skip(1);
    let turns: usize = path.next().context("no turns")?.parse()?;
    let pieces: usize = path.next().context("no pieces")?.parse()?;
    let body = String::from_utf8_lossy(body);
    let done = body.matches("\"role\":\"tool\"").count();
    let (kind, text) = if body.contains("\"stream\":true") {
        ("text/event-stream", streamed(done < turns, done, pieces))
    } else {
        ("application/json", whole(done < turns, done).to_string())
    };
    Ok(format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{text}",
        text.len()
    )
    .into_bytes())
}

const USAGE: &str = r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5}}"#;

fn whole(calls: bool, done: usize) -> Value {
    let message = if calls {
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": format!("call_{done}"),
            "type": "function", "function": {"name": "add", "arguments": arguments(done)}}]})
    } else {
        json!({"role": "assistant", "content": "The final answer is 42."})
    };
    json!({
        "choices": [{"index": 0, "message": message, "finish_reason": if calls { "tool_calls" } else { "stop" }}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    })
}

fn streamed(calls: bool, done: usize, pieces: usize) -> String {
    let mut out = String::new();
    let mut event = |data: &str| {
        out.push_str("data: ");
        out.push_str(data);
        out.push_str("\n\n");
    };
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]}).to_string();
    if calls {
        event(&delta(
            json!({"role": "assistant", "tool_calls": [{"index": 0,
            "id": format!("call_{done}"), "function": {"name": "add", "arguments": ""}}]}),
        ));
        let arguments: Vec<char> = arguments(done).chars().collect();
        for piece in arguments.chunks(arguments.len().div_ceil(pieces.max(1))) {
            let piece: String = piece.iter().collect();
            event(&delta(
                json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
            ));
        }
    } else {
        (0..pieces).for_each(|_| event(&delta(json!({"content": "word "}))));
        event(&delta(json!({"content": "The final answer is 42."})));
    }
    event(r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#);
    event(USAGE);
    event("[DONE]");
    out
}

fn arguments(done: usize) -> String {
    json!({"a": done, "b": 1}).to_string()
}
