//! Spans with the attribute names of OpenTelemetry's conventions for generative AI, which are
//! still moving: all of them stand here.

use tracing::{Span, field};

use crate::message::ToolCall;
use crate::model::{Answer, ModelError, ModelRequest};

/// The span of a whole run.
pub(crate) fn run_span(provider: &str, model: &str) -> Span {
    tracing::info_span!(
        "invoke_agent",
        otel.kind = "internal",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
    )
}

/// The span of one model call.
pub(crate) fn chat_span(provider: &str, model: &str, request: &ModelRequest) -> Span {
    let span = tracing::info_span!(
        "chat",
        otel.kind = "client",
        otel.name = field::Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.request.max_tokens = request.max_output_tokens,
        gen_ai.request.temperature = request.temperature,
        gen_ai.response.model = field::Empty,
        gen_ai.response.finish_reasons = field::Empty,
        gen_ai.usage.input_tokens = field::Empty,
        gen_ai.usage.output_tokens = field::Empty,
        gen_ai.usage.cache_read.input_tokens = field::Empty,
        gen_ai.usage.reasoning.output_tokens = field::Empty,
        error.type = field::Empty,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("chat {model}"));
    }
    span
}

/// Adds what came of a model call to its span.
pub(crate) fn record(span: &Span, outcome: Result<&Answer, &ModelError>) {
    if span.is_disabled() {
        return;
    }
    let answer = match outcome {
        Ok(answer) => answer,
        Err(error) => {
            span.record("error.type", error.kind.name());
            return;
        }
    };
    span.record("gen_ai.response.model", answer.meta.model.as_str());
    span.record("gen_ai.response.finish_reasons", answer.meta.finish.name());
    let usage = answer.meta.usage.unwrap_or_default();
    for (name, count) in [
        ("gen_ai.usage.input_tokens", usage.input_tokens),
        ("gen_ai.usage.output_tokens", usage.output_tokens),
        ("gen_ai.usage.cache_read.input_tokens", usage.cached_tokens),
        (
            "gen_ai.usage.reasoning.output_tokens",
            usage.reasoning_tokens,
        ),
    ] {
        if let Some(count) = count {
            span.record(name, count);
        }
    }
}

/// The span of one call of a tool.
pub(crate) fn tool_span(call: &ToolCall) -> Span {
    let span = tracing::info_span!(
        "execute_tool",
        otel.kind = "internal",
        otel.name = field::Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = call.name,
        gen_ai.tool.call.id = field::Empty,
        gen_ai.tool.type = "function",
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("execute_tool {}", call.name));
        span.record("gen_ai.tool.call.id", call.id.to_string());
    }
    span
}
