//! One kept-alive connection: just enough HTTP to measure the server and not the client.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use anyhow::Context as _;

#[derive(Debug)]
pub(crate) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

/// A request with a JSON body, and a session unless `secret` is empty.
pub(crate) fn post(address: &str, path: &str, secret: &str, body: &str) -> Vec<u8> {
    let session = if secret.is_empty() {
        String::new()
    } else {
        format!("authorization: Bearer {secret}\r\n")
    };
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\n{session}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

impl Connection {
    pub(crate) fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            read: Vec::new(),
        })
    }

    /// Sends a request and waits for the whole answer: its status and its body.
    pub(crate) fn answer(&mut self, request: &[u8]) -> anyhow::Result<(u16, Vec<u8>)> {
        self.stream.write_all(request)?;
        self.read.clear();
        let head = loop {
            if let Some(end) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            self.more()?;
        };
        let text = std::str::from_utf8(self.read.get(..head).unwrap_or_default())?.to_lowercase();
        let status = text.split(' ').nth(1).context("no status")?.parse()?;
        let length: usize = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length:"))
            .context("an answer without a length")?
            .trim()
            .parse()?;
        while self.read.len() < head + length {
            self.more()?;
        }
        Ok((status, self.read.split_off(head)))
    }

    fn more(&mut self) -> anyhow::Result<()> {
        let mut bytes = [0; 8192];
        let count = match self.stream.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Ok(()),
            count => count?,
        };
        anyhow::ensure!(count > 0, "the server closed the connection");
        self.read.extend(bytes.iter().take(count));
        Ok(())
    }
}
