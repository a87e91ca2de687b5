use std::collections::HashMap;
use std::io::Write as _;

use serde_json::Value;

use crate::terminal::plain;

/// Prints a stream. A replay repeats what was told before, and is printed once.
#[derive(Default)]
pub(super) struct Show {
    /// How much of each part is printed, in bytes, and how much of it this stream has told.
    printed: HashMap<String, usize>,
    told: HashMap<String, usize>,
    lines: HashMap<String, String>,
    in_text: bool,
    /// Whether the notice at the end was shown.
    noticed: bool,
}

impl Show {
    /// A stream begins: from its start.
    pub(super) fn begin(&mut self) {
        self.told.clear();
    }

    pub(super) fn chunk(&mut self, chunk: &Value) {
        let text = |key: &str| chunk.get(key).and_then(Value::as_str).unwrap_or_default();
        match text("type") {
            "text-delta" => self.text(text("id"), text("delta")),
            "data-call" => self.call(chunk.get("data").unwrap_or(&Value::Null)),
            "data-notice" => {
                self.noticed = true;
                self.line(
                    chunk
                        .pointer("/data/text")
                        .and_then(Value::as_str)
                        .unwrap_or_default(),
                );
            }
            _ => {}
        }
    }

    /// The parts of a stored answer. They have the ids that they had in the stream.
    pub(super) fn stored(&mut self, parts: &[Value]) {
        self.begin();
        for part in parts {
            match part.get("type").and_then(Value::as_str) {
                Some("text") => {
                    let of = |key: &str| part.get(key).and_then(Value::as_str).unwrap_or_default();
                    self.text(of("id"), of("text"));
                }
                Some("data-call") => self.call(part.get("data").unwrap_or(&Value::Null)),
                Some("data-notice") if !self.noticed => {
                    self.noticed = true;
                    self.line(
                        part.pointer("/data/text")
                            .and_then(Value::as_str)
                            .unwrap_or_default(),
                    );
                }
                _ => {}
            }
        }
    }

    fn text(&mut self, id: &str, delta: &str) {
        let told = self.told.entry(id.to_owned()).or_default();
        let from = *told;
        *told += delta.len();
        let printed = self.printed.entry(id.to_owned()).or_default();
        let skip = printed.saturating_sub(from).min(delta.len());
        if let Some(new) = delta.get(skip..).filter(|new| !new.is_empty()) {
            print!("{}", plain(new));
            drop(std::io::stdout().flush());
            *printed = from + delta.len();
            self.in_text = true;
        }
    }

    fn call(&mut self, line: &Value) {
        let text = |key: &str| {
            line.get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let (id, status) = (text("id"), text("status"));
        if matches!(
            status.as_str(),
            "asked" | "approved" | "running" | "ran" | "waiting"
        ) {
            return;
        }
        if self.lines.insert(id, status.clone()).is_none() {
            let error = text("error");
            let error = error.lines().next().unwrap_or_default();
            self.line(format!("· {} — {status} {error}", text("title")).trim_end());
        }
    }

    fn line(&mut self, text: &str) {
        if std::mem::take(&mut self.in_text) {
            println!();
        }
        println!("{}", plain(text));
    }

    /// The stream has ended: the next thing begins on a line of its own.
    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.in_text) {
            println!();
        }
    }
}
