use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use futures_util::StreamExt as _;
use http::Method;
use serde_json::{Value, json};

use super::tell;
use crate::args::{Audit, AuditCommand, AuditExport, AuditVerify};
use crate::client::{Client, in_path};

pub(crate) async fn run(audit: Audit) -> anyhow::Result<ExitCode> {
    match audit.command {
        AuditCommand::Verify(arguments) => verify(arguments).await,
        AuditCommand::Export(arguments) => export(arguments).await,
    }
}

/// Proves the chain; ends with 1 if something does not hold.
async fn verify(arguments: AuditVerify) -> anyhow::Result<ExitCode> {
    let who = &arguments.who;
    let client = Client::connect(&who.workspace.dir, who.email.as_deref()).await?;
    let body = json!({"head": arguments.head});
    let answer = client
        .request(Method::POST, "/api/audit/verify", Some(&body))
        .await;
    client.close().await;
    let found = answer?;
    let is_whole = found.get("ok") == Some(&Value::Bool(true));
    let code = match is_whole {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    };
    if arguments.json {
        tell(serde_json::to_string_pretty(&found)?);
        return Ok(code);
    }
    let number = |key: &str| found.get(key).and_then(Value::as_i64).unwrap_or_default();
    let text = |value: &Value, key: &str| {
        let text = value.get(key).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    tell(format_args!(
        "{}: {} entries in {} segments, {} not sealed yet, {} erased ({} ms).",
        if is_whole {
            "The chain is whole"
        } else {
            "The chain is broken"
        },
        number("entries"),
        number("segments"),
        number("unsealed"),
        number("erased"),
        number("tookMs"),
    ));
    for problem in found
        .get("problems")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        let entry = problem.get("seq").and_then(Value::as_i64);
        let entry = entry.map_or_else(String::new, |seq| format!("entry {seq}: "));
        let call = match text(problem, "callId") {
            id if id.is_empty() => id,
            id => format!(" (call {id})"),
        };
        tell(format_args!("  {entry}{}{call}", text(problem, "message")));
    }
    if let Some(head) = found.get("head").and_then(Value::as_str) {
        tell(format_args!("Head: {head}"));
    }
    Ok(code)
}

async fn export(arguments: AuditExport) -> anyhow::Result<ExitCode> {
    let who = &arguments.who;
    let client = Client::connect(&who.workspace.dir, who.email.as_deref()).await?;
    let done = write(&client, &arguments).await;
    client.close().await;
    done.map(|()| ExitCode::SUCCESS)
}

async fn write(client: &Client, arguments: &AuditExport) -> anyhow::Result<()> {
    let filters = [
        ("tool", &arguments.tool),
        ("status", &arguments.status),
        ("agent", &arguments.agent),
        ("via", &arguments.via),
        ("from", &arguments.from),
        ("to", &arguments.to),
        ("text", &arguments.text),
    ];
    let mut path = format!("/api/audit/export?format={}", arguments.format);
    for (name, value) in filters {
        if let Some(value) = value {
            path.push_str(&format!("&{name}={}", in_path(value)));
        }
    }
    if arguments.not_done {
        path.push_str("&outcome=notDone");
    }
    let stream = client.stream(Method::GET, &path, None).await?;
    let mut stream = stream.context("the server sent nothing")?;
    let mut to: Box<dyn std::io::Write> = match &arguments.output {
        Some(file) => Box::new(private(file)?),
        None => Box::new(std::io::stdout()),
    };
    while let Some(piece) = stream.next().await {
        to.write_all(&piece?).context("writing the export")?;
    }
    to.flush().context("writing the export")
}

/// A file that its owner alone can read.
fn private(path: &Path) -> anyhow::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = File::options();
    options.create(true).truncate(true).write(true).mode(0o600);
    let file = options.open(path);
    file.with_context(|| format!("making {}", path.display()))
}
