use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::rule::Reply;

/// Answers as a stream, or whole where the request does not ask for one.
pub(super) fn respond(reply: &Reply, request: &Value) -> Response {
    if request.get("stream") == Some(&json!(true)) {
        streamed(reply)
    } else {
        whole(reply)
    }
}

fn whole(reply: &Reply) -> Response {
    let calls: Vec<Value> = (0..)
        .zip(&reply.tool_calls)
        .map(|(at, call)| wire_call(at, &call.name, &text(&call.arguments)))
        .collect();
    let mut message = json!({"role": "assistant", "content": reply.text});
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let body = json!({
        "model": "scripted", "choices": [{"index": 0, "message": message, "finish_reason": finish(reply)}],
        "usage": usage(),
    });
    Json(body).into_response()
}

fn streamed(reply: &Reply) -> Response {
    let mut chunks = vec![delta(&json!({"role": "assistant", "content": ""}))];
    chunks.extend(
        pieces(&reply.reasoning)
            .iter()
            .map(|piece| delta(&json!({"reasoning_content": piece}))),
    );
    chunks.extend(
        pieces(&reply.text)
            .iter()
            .map(|piece| delta(&json!({"content": piece}))),
    );
    for (at, call) in (0..).zip(&reply.tool_calls) {
        chunks.push(delta(
            &json!({"tool_calls": [wire_call(at, &call.name, "")]}),
        ));
        for piece in pieces(&text(&call.arguments)) {
            chunks.push(delta(
                &json!({"tool_calls": [{"index": at, "function": {"arguments": piece}}]}),
            ));
        }
    }
    if reply.cut {
        chunks.truncate(chunks.len().div_ceil(2).max(1));
    } else if reply.broken_json {
        chunks.push("data: {\"choices\": [\n\n".to_owned());
    } else {
        chunks.push(frame(
            &json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish(reply)}]}),
        ));
        chunks.push(frame(&json!({"choices": [], "usage": usage()})));
        chunks.push("data: [DONE]\n\n".to_owned());
    }
    let pause = Duration::from_millis(reply.chunk_delay_ms);
    let stream = stream::iter(chunks).then(move |chunk| async move {
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok::<Bytes, Infallible>(Bytes::from(chunk))
    });
    (
        [("content-type", "text/event-stream")],
        Body::from_stream(stream),
    )
        .into_response()
}

fn delta(delta: &Value) -> String {
    frame(
        &json!({"model": "scripted", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]}),
    )
}

fn frame(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn wire_call(at: usize, name: &str, arguments: &str) -> Value {
    json!({"index": at, "id": format!("call_{at}"), "type": "function", "function": {"name": name, "arguments": arguments}})
}

fn text(arguments: &Value) -> String {
    match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Text in pieces of a few letters, as models send it.
fn pieces(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    letters
        .chunks(7)
        .map(|piece| piece.iter().collect())
        .collect()
}

fn finish(reply: &Reply) -> String {
    let usual = if reply.tool_calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    reply
        .finish_reason
        .clone()
        .unwrap_or_else(|| usual.to_owned())
}

fn usage() -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120})
}
