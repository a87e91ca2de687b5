//! Chat completions.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib::message::ToolCall;
use toolcrib::model::openai::OpenAiModel;
use toolcrib::model::{Endpoint, FinishReason, SharedModel, ToolChoice, Usage};

use super::fake::Fake;
use super::said::{End, Fixture, Said, halves, sse};
use super::suite::{Choice, Provider, Trouble};

#[derive(Debug)]
pub(crate) struct Chat;

fn delta(delta: &Value) -> Value {
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn reason(said: &[Said], end: End) -> &'static str {
    let has_calls = said.iter().any(|said| matches!(said, Said::Call { .. }));
    match end {
        End::Limit => "length",
        End::Odd => "moon_phase",
        End::Done if has_calls => "tool_calls",
        End::Done => "stop",
    }
}

fn usage() -> Value {
    json!({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13,
        "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 1}})
}

impl Provider for Chat {
    const NAME: &'static str = "openai";
    const MESSAGES: &'static str = "/messages";
    const KEY_HEADER: (&'static str, &'static str) = ("authorization", "Bearer ");
    const PATHS: [&'static str; 2] = ["/chat/completions", "/chat/completions"];
    const MODELS: &'static str = "/models";
    const OPTIONAL_IS_NULL: bool = true;
    const MARK: &'static str = "\"reasoning_content\"";

    fn model(endpoint: Endpoint, fake: Arc<Fake>) -> SharedModel {
        SharedModel::new(Self::http(endpoint, fake))
    }

    type Http = OpenAiModel;

    fn http(endpoint: Endpoint, fake: Arc<Fake>) -> OpenAiModel {
        OpenAiModel::new(endpoint, fake)
    }

    async fn models(model: &OpenAiModel) -> Vec<String> {
        model.list_models().await.unwrap()
    }

    fn stream(said: &[Said], end: End, with_usage: bool) -> String {
        let mut events = vec![delta(&json!({"role": "assistant", "content": ""}))];
        let mut calls = 0;
        let mut later = Vec::new();
        for said in said {
            match said {
                Said::Text(text) => {
                    events.extend(halves(text).map(|half| delta(&json!({"content": half}))));
                }
                Said::Thought(text) => events
                    .extend(halves(text).map(|half| delta(&json!({"reasoning_content": half})))),
                Said::Call {
                    id,
                    name,
                    arguments,
                } => {
                    let [left, right] = halves(arguments);
                    events.push(delta(&json!({"tool_calls": [{"index": calls, "id": id,
                        "type": "function", "function": {"name": name, "arguments": left}}]})));
                    later.push(delta(&json!({"tool_calls": [{"index": calls,
                        "function": {"arguments": right}}]})));
                    calls += 1;
                }
            }
        }
        // The second halves of all calls come after all first halves.
        events.append(&mut later);
        events.push(json!({"choices": [{"index": 0, "delta": {},
            "finish_reason": reason(said, end)}]}));
        if with_usage {
            events.push(json!({"choices": [], "usage": usage()}));
        }
        sse(&events) + "data: [DONE]\n\n"
    }

    fn whole(said: &[Said], end: End, with_usage: bool) -> Option<Value> {
        let mut message = json!({"role": "assistant", "content": null, "refusal": null});
        let mut calls = Vec::new();
        for said in said {
            match said {
                Said::Text(text) => message["content"] = json!(text),
                Said::Thought(text) => message["reasoning_content"] = json!(text),
                Said::Call {
                    id,
                    name,
                    arguments,
                } => calls.push(json!({"id": id,
                    "type": "function", "function": {"name": name, "arguments": arguments}})),
            }
        }
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        let mut body = json!({"id": "chatcmpl-1", "model": "m-1", "choices": [
            {"index": 0, "message": message, "finish_reason": reason(said, end)}]});
        if with_usage {
            body["usage"] = usage();
        }
        Some(body)
    }

    fn blob(said: &Said, _: usize) -> Option<Value> {
        matches!(said, Said::Thought(_)).then(|| json!({"reasoning_content": null}))
    }

    fn usage() -> Usage {
        Usage {
            input_tokens: Some(9),
            output_tokens: Some(4),
            cached_tokens: Some(3),
            reasoning_tokens: Some(1),
        }
    }

    fn odd() -> FinishReason {
        FinishReason::Other("moon_phase".to_owned())
    }

    fn refusal() -> Fixture {
        Fixture {
            name: "refusal",
            stream: sse(&[
                delta(&json!({"role": "assistant", "refusal": "I won't "})),
                delta(&json!({"refusal": "do that."})),
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}),
            ]),
            whole: Some(json!({"model": "m-1", "choices": [{"finish_reason": "stop",
                "message": {"role": "assistant", "refusal": "I won't do that."}}]})),
            parts: json!([{"type": "refusal", "text": "I won't do that."}]),
            finish: FinishReason::Refusal,
            usage: None,
        }
    }

    fn trouble(trouble: Trouble) -> (Value, Value) {
        let error = match trouble {
            Trouble::Overloaded => json!({"message": "busy", "type": "server_error"}),
            Trouble::RateLimited => {
                json!({"message": "slow down", "type": "tokens", "code": "rate_limit_exceeded"})
            }
            Trouble::Invalid => json!({"message": "no", "type": "invalid_request_error"}),
        };
        (json!({"error": error}), json!({"error": error}))
    }

    fn models_body() -> Value {
        json!({"object": "list", "data": [{"id": "a"}, {"id": "b"}]})
    }

    fn request() -> Value {
        json!({
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "What is the weather?"},
                {"role": "assistant", "content": null,
                    "tool_calls": [{"id": "call_a", "type": "function", "function":
                        {"name": "weather", "arguments": "{\"city\":\"Zürich\"}"}}],
                    "reasoning_content": "Let me look: 😀"},
                {"role": "tool", "tool_call_id": "call_a", "content": "Rain"},
                {"role": "user", "content": "And tomorrow?"},
            ],
            "tools": [{"type": "function", "function": {
                "name": "weather", "description": "Tells the weather.",
                "parameters": {"type": "object", "properties": {
                    "city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"], "additionalProperties": false}}}],
            "parallel_tool_calls": false,
            "temperature": 0.5,
            "max_completion_tokens": 500,
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    }

    fn two_results() -> Value {
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "call_a", "type": "function", "function":
                    {"name": "weather", "arguments": "{\"city\":\"Ulm\"}"}},
                {"id": "call_b", "type": "function", "function":
                    {"name": "weather", "arguments": "{\"city\":\"Bern\"}"}}]},
            {"role": "tool", "tool_call_id": "call_a", "content": "Rain"},
            {"role": "tool", "tool_call_id": "call_b", "content": "No such city."},
        ])
    }

    fn broken_call(call: &ToolCall) -> Value {
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"role": "assistant", "content": null, "tool_calls": [{"id": call.provider_id,
                "type": "function", "function": {"name": "weather", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": call.provider_id, "content": "Cut off."},
        ])
    }

    fn foreign(_: &ToolCall) -> Value {
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "foreign:1",
                "type": "function",
                "function": {"name": "weather", "arguments": "{\"city\":\"Ulm\"}"}}]},
            {"role": "tool", "tool_call_id": "foreign:1", "content": "Rain"},
        ])
    }

    fn strict_tool() -> Value {
        json!({"type": "function", "function": {
            "name": "weather", "description": "Tells the weather.",
            "parameters": {"type": "object", "properties": {
                "city": {"type": "string"}, "days": {"type": ["integer", "null"]}},
                "required": ["city", "days"], "additionalProperties": false},
            "strict": true}})
    }

    fn tool_names(body: &Value) -> Vec<String> {
        let tools = body["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["function"]["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn choices() -> Vec<Choice> {
        let named = json!({"type": "function", "function": {"name": "weather"}});
        vec![
            (ToolChoice::Auto, None, json!({})),
            (ToolChoice::None, None, json!({"tool_choice": "none"})),
            (
                ToolChoice::Required,
                Some(true),
                json!({"tool_choice": "required", "parallel_tool_calls": true}),
            ),
            (
                ToolChoice::Tool("weather".to_owned()),
                Some(false),
                json!({"tool_choice": named, "parallel_tool_calls": false}),
            ),
        ]
    }

    const CHOICE_FIELDS: &'static [&'static str] = &["tool_choice", "parallel_tool_calls"];

    fn forced(body: &Value) -> &Value {
        &body["tool_choice"]["function"]["name"]
    }

    fn output(schema: &Value) -> (&'static str, Value) {
        (
            "response_format",
            json!({"type": "json_schema", "json_schema":
                {"name": "verdict", "schema": schema, "strict": true}}),
        )
    }
}
