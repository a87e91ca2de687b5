use http::Method;
use serde_json::{Value, json};

use super::Terminal;
use crate::terminal::plain;

impl Terminal {
    /// Shows a card and asks for a decision. The end of the input leaves the call waiting.
    pub(super) async fn decide(&mut self, approval: &Value) -> anyhow::Result<()> {
        print_card(approval.get("card").unwrap_or(&Value::Null));
        loop {
            let Some(line) = self.ask("[a]pprove, [r]eject, [c]hange? ").await? else {
                anyhow::bail!("nothing was decided; the call waits on the Approvals page");
            };
            let (letter, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let (decision, question) = match letter {
                "a" | "approve" => ("approve", None),
                "r" | "reject" => ("reject", Some("Why not? ")),
                "c" | "change" => ("request_change", Some("What should change? ")),
                _ => continue,
            };
            let reason = match question {
                Some(question) if rest.is_empty() => self.ask(question).await?.unwrap_or_default(),
                _ => rest.to_owned(),
            };
            let body = json!({"decision": decision, "reason": reason, "argumentsHash": approval.get("argumentsHash")});
            let id = approval
                .get("id")
                .and_then(Value::as_str)
                .unwrap_or_default();
            match self
                .client
                .request(Method::POST, &format!("/api/approvals/{id}"), Some(&body))
                .await
            {
                Ok(_) => return Ok(()),
                Err(error) => println!("{error}"),
            }
            // Only a missing reason can be put right here; anything else is settled.
            if decision != "request_change" || !reason.trim().is_empty() {
                return Ok(());
            }
        }
    }
}

fn print_card(card: &Value) {
    let text = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_str)
            .map(plain)
            .unwrap_or_default()
    };
    let list = |value: &Value, key: &str| {
        value
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    println!("\n{}", text(card, "title"));
    if card.get("irreversible") == Some(&json!(true)) {
        println!("  This can't be undone.");
    }
    let summary = text(card, "summary");
    if !summary.is_empty() {
        println!("  {summary}");
    }
    for change in list(card, "changes") {
        println!("  {}", text(&change, "display"));
        for field in list(&change, "fields") {
            println!(
                "    {}: {} → {}",
                text(&field, "label"),
                or_empty(&field, "before"),
                or_empty(&field, "after")
            );
        }
    }
}

fn or_empty(value: &Value, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .map_or_else(|| "(empty)".to_owned(), plain)
}
