//! OpenAI's Responses.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib::message::{AssistantPart, ToolCall};
use toolcrib::model::openai::ResponsesModel;
use toolcrib::model::{
    Capabilities, Endpoint, FinishReason, ModelRequest, SharedModel, ToolChoice, Usage,
};

use super::fake::{Canned, Fake};
use super::said::{End, Fixture, Said, call, halves, parts, sse, text, thought};
use super::suite::{
    Choice, Provider, Trouble, answer, ask, ask_as, asking, capabilities, done, sent, transcript,
};

#[derive(Debug)]
pub(crate) struct Responses;

/// An item as it comes at its end; before it, as far as it has come.
fn item(said: &Said, at: usize) -> Value {
    match said {
        Said::Text(text) => json!({"id": format!("msg_{at}"), "type": "message",
            "status": "completed", "role": "assistant", "content": [
                {"type": "output_text", "annotations": [], "logprobs": [], "text": text}]}),
        Said::Thought(text) => json!({"id": format!("rs_{at}"), "type": "reasoning",
            "encrypted_content": "gAAAAA-sealed-by-responses==",
            "summary": [{"type": "summary_text", "text": text}]}),
        Said::Call {
            id,
            name,
            arguments,
        } => json!({"id": format!("fc_{at}"),
            "type": "function_call", "status": "completed", "call_id": id, "name": name,
            "arguments": arguments}),
    }
}

fn begun(said: &Said, at: usize) -> Value {
    let mut item = item(said, at);
    match said {
        Said::Text(_) => item["content"] = json!([]),
        Said::Thought(_) => item["summary"] = json!([]),
        Said::Call { .. } => item["arguments"] = json!(""),
    }
    item
}

fn response(said: &[Said], end: End, with_usage: bool) -> Value {
    let output: Vec<Value> = said
        .iter()
        .enumerate()
        .map(|(at, said)| item(said, at))
        .collect();
    let (status, details) = match end {
        End::Done => ("completed", Value::Null),
        End::Limit => ("incomplete", json!({"reason": "max_output_tokens"})),
        End::Odd => ("incomplete", json!({"reason": "moon_phase"})),
    };
    let usage = json!({"input_tokens": 9, "input_tokens_details": {"cached_tokens": 3},
        "output_tokens": 4, "output_tokens_details": {"reasoning_tokens": 1}});
    json!({"id": "resp_1", "object": "response", "model": "m-1", "status": status, "error": null,
        "incomplete_details": details, "output": output,
        "usage": if with_usage { usage } else { Value::Null }})
}

fn pieces(said: &Said, at: usize) -> Vec<Value> {
    let (name, whole) = match said {
        Said::Text(text) => ("response.output_text.delta", text),
        Said::Thought(text) => ("response.reasoning_summary_text.delta", text),
        Said::Call { arguments, .. } => ("response.function_call_arguments.delta", arguments),
    };
    let pieces = halves(whole).map(|half| {
        let mut event = json!({"type": name, "output_index": at, "delta": half});
        if matches!(said, Said::Thought(_)) {
            event["summary_index"] = json!(0);
        }
        event
    });
    pieces.to_vec()
}

impl Provider for Responses {
    const NAME: &'static str = "openai-responses";
    const MESSAGES: &'static str = "/input";
    const KEY_HEADER: (&'static str, &'static str) = ("authorization", "Bearer ");
    const PATHS: [&'static str; 2] = ["/responses", "/responses"];
    const MODELS: &'static str = "/models";
    const OPTIONAL_IS_NULL: bool = true;
    const MARK: &'static str = "sealed-by-responses";
    const PING: &'static str = "event: keepalive\ndata: {\"type\":\"keepalive\"}";
    const CHOICE_FIELDS: &'static [&'static str] = &["tool_choice", "parallel_tool_calls"];

    type Http = ResponsesModel;

    fn http(endpoint: Endpoint, fake: Arc<Fake>) -> ResponsesModel {
        ResponsesModel::new(endpoint, fake)
    }

    fn model(endpoint: Endpoint, fake: Arc<Fake>) -> SharedModel {
        SharedModel::new(Self::http(endpoint, fake))
    }

    async fn models(model: &ResponsesModel) -> Vec<String> {
        model.list_models().await.unwrap()
    }

    fn stream(said: &[Said], end: End, with_usage: bool) -> String {
        let mut events = vec![json!({"type": "response.created",
            "response": {"id": "resp_1", "model": "m-1", "status": "in_progress", "output": []}})];
        for (at, said) in said.iter().enumerate() {
            let added = begun(said, at);
            events.push(
                json!({"type": "response.output_item.added", "output_index": at,
                "item": added}),
            );
            events.extend(pieces(said, at));
            events.push(
                json!({"type": "response.output_item.done", "output_index": at,
                "item": item(said, at)}),
            );
        }
        let name = match end {
            End::Done => "response.completed",
            End::Limit | End::Odd => "response.incomplete",
        };
        events.push(json!({"type": name, "response": response(said, end, with_usage)}));
        sse(&events)
    }

    fn whole(said: &[Said], end: End, with_usage: bool) -> Option<Value> {
        Some(response(said, end, with_usage))
    }

    fn blob(said: &Said, at: usize) -> Option<Value> {
        Some(item(said, at))
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
        let item = json!({"id": "msg_0", "type": "message", "status": "completed",
            "role": "assistant",
            "content": [{"type": "refusal", "refusal": "I won't do that."}]});
        let mut response = response(&[], End::Done, false);
        response["output"] = json!([item]);
        let delta = |delta: &str| {
            json!({"type": "response.refusal.delta", "output_index": 0, "content_index": 0,
                "item_id": "msg_0", "delta": delta})
        };
        Fixture {
            name: "refusal",
            stream: sse(&[
                json!({"type": "response.output_item.added", "output_index": 0, "item":
                    {"id": "msg_0", "type": "message", "role": "assistant", "content": []}}),
                delta("I won't "),
                delta("do that."),
                json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
                json!({"type": "response.completed", "response": response}),
            ]),
            whole: Some(response),
            parts: json!([{"type": "refusal", "text": "I won't do that."}]),
            finish: FinishReason::Refusal,
            usage: None,
        }
    }

    fn trouble(trouble: Trouble) -> (Value, Value) {
        let (code, message) = match trouble {
            Trouble::Overloaded => ("server_error", "busy"),
            Trouble::RateLimited => ("rate_limit_exceeded", "slow down"),
            Trouble::Invalid => ("invalid_prompt", "no"),
        };
        let failed = json!({"id": "resp_1", "status": "failed", "output": [],
            "error": {"code": code, "message": message}});
        let event = match trouble {
            // Both ways to say it occur.
            Trouble::Overloaded | Trouble::Invalid => {
                json!({"type": "error", "code": code, "message": message, "param": null})
            }
            Trouble::RateLimited => json!({"type": "response.failed", "response": failed}),
        };
        (event, failed)
    }

    fn models_body() -> Value {
        json!({"object": "list", "data": [{"id": "a"}, {"id": "b"}]})
    }

    fn request() -> Value {
        json!({
            "model": "m",
            "instructions": "Be brief.",
            "input": [
                {"role": "user", "content": "What is the weather?"},
                {"id": "rs_0", "type": "reasoning",
                    "encrypted_content": "gAAAAA-sealed-by-responses==",
                    "summary": [{"type": "summary_text", "text": "Let me look: 😀"}]},
                {"id": "fc_1", "type": "function_call", "status": "completed",
                    "call_id": "call_a", "name": "weather",
                    "arguments": "{\"city\":\"Zürich\"}"},
                {"type": "function_call_output", "call_id": "call_a", "output": "Rain"},
                {"role": "user", "content": "And tomorrow?"},
            ],
            "tools": [{"type": "function", "name": "weather",
                "description": "Tells the weather.",
                "parameters": {"type": "object", "properties": {
                    "city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"], "additionalProperties": false},
                "strict": false}],
            "parallel_tool_calls": false,
            "temperature": 0.5,
            "max_output_tokens": 500,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "stream": true,
        })
    }

    fn two_results() -> Value {
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"id": "fc_0", "type": "function_call", "status": "completed", "call_id": "call_a",
                "name": "weather", "arguments": "{\"city\":\"Ulm\"}"},
            {"id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_b",
                "name": "weather", "arguments": "{\"city\":\"Bern\"}"},
            {"type": "function_call_output", "call_id": "call_a", "output": "Rain"},
            {"type": "function_call_output", "call_id": "call_b", "output": "No such city."},
        ])
    }

    fn broken_call(_: &ToolCall) -> Value {
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"type": "function_call", "call_id": "call_a", "name": "weather", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "call_a", "output": "Cut off."},
        ])
    }

    fn foreign(_: &ToolCall) -> Value {
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"role": "assistant", "content": "I look."},
            {"type": "function_call", "call_id": "foreign:1", "name": "weather",
                "arguments": "{\"city\":\"Ulm\"}"},
            {"type": "function_call_output", "call_id": "foreign:1", "output": "Rain"},
        ])
    }

    fn strict_tool() -> Value {
        json!({"type": "function", "name": "weather", "description": "Tells the weather.",
            "parameters": {"type": "object", "properties": {
                "city": {"type": "string"}, "days": {"type": ["integer", "null"]}},
                "required": ["city", "days"], "additionalProperties": false},
            "strict": true})
    }

    fn tool_names(body: &Value) -> Vec<String> {
        let tools = body["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn choices() -> Vec<Choice> {
        let named = json!({"type": "function", "name": "weather"});
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

    fn forced(body: &Value) -> &Value {
        &body["tool_choice"]["name"]
    }

    fn output(schema: &Value) -> (&'static str, Value) {
        (
            "text",
            json!({"format": {"type": "json_schema", "name": "verdict", "schema": schema,
                "strict": true}}),
        )
    }
}

#[tokio::test]
async fn an_answer_that_lost_one_item_goes_back_without_any() {
    let said = [
        thought("Hm."),
        text("I look."),
        call("call_a", "weather", "{}"),
    ];
    let whole = answer::<Responses>(&said, End::Done).await;
    let mut changed = whole.clone();
    let AssistantPart::Text { provider, .. } = &mut changed.message.parts[1] else {
        panic!("{changed:?}")
    };
    *provider = None;
    assert_eq!(
        sent::<Responses>(&transcript(&changed, &[Ok("Rain")])).await,
        json!([
            {"role": "user", "content": "What is the weather?"},
            {"role": "assistant", "content": "I look."},
            {"type": "function_call", "call_id": "call_a", "name": "weather", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "call_a", "output": "Rain"},
        ])
    );
    let kept = sent::<Responses>(&transcript(&whole, &[Ok("Rain")])).await;
    assert_eq!(kept[1], item(&said[0], 0));
    assert_eq!(kept[3], item(&said[2], 2));
}

#[tokio::test]
async fn calls_that_share_an_id_go_back_under_their_own() {
    let said = ["same", "same", " "].map(|id| call(id, "weather", "{}"));
    let answer = answer::<Responses>(&said, End::Done).await;
    let sent = sent::<Responses>(&transcript(&answer, &[Ok("1"), Ok("2"), Ok("3")])).await;
    let own: Vec<_> = answer.message.tool_calls().map(|call| call.id).collect();
    let ids = |from: usize| -> Vec<&Value> {
        let items = sent.as_array().unwrap().iter().skip(from).take(3);
        items.map(|item| &item["call_id"]).collect()
    };
    assert_eq!(ids(1), [&json!("same"), &json!(own[1]), &json!(own[2])]);
    assert_eq!(ids(4), ids(1));
}

#[tokio::test]
async fn a_thought_that_nothing_follows_is_not_sent() {
    let answer = answer::<Responses>(&[thought("Hm.")], End::Limit).await;
    let sent = sent::<Responses>(&transcript(&answer, &[])).await;
    assert_eq!(
        sent,
        json!([{"role": "user", "content": "What is the weather?"}])
    );
}

#[tokio::test]
async fn a_thought_that_nobody_can_read_again_is_not_sent() {
    let said = [thought("Hm."), call("call_a", "weather", "{}")];
    let mut body = response(&said, End::Done, false);
    body["output"][0]
        .as_object_mut()
        .unwrap()
        .remove("encrypted_content");
    let answer = ask::<Responses>(&asking(), [Canned::json(body)])
        .await
        .answer
        .unwrap();
    let sent = sent::<Responses>(&transcript(&answer, &[Ok("Rain")])).await;
    assert_eq!(
        sent[1],
        json!({"type": "function_call", "call_id": "call_a", "name": "weather",
            "arguments": "{}"})
    );
}

#[tokio::test]
async fn items_that_are_not_ours_to_read_go_back_in_their_place() {
    let search = json!({"id": "ws_0", "type": "web_search_call", "status": "completed"});
    let said = [text("Found.")];
    let mut body = response(&said, End::Done, false);
    body["output"]
        .as_array_mut()
        .unwrap()
        .insert(0, search.clone());
    let answer = ask::<Responses>(&asking(), [Canned::json(body)])
        .await
        .answer
        .unwrap();
    assert_eq!(answer.message.text(), "Found.");
    let sent = sent::<Responses>(&transcript(&answer, &[])).await;
    assert_eq!(sent[1], search);
    assert_eq!(sent[2], item(&said[0], 0));
}

#[tokio::test]
async fn paragraphs_of_a_thought_are_kept_apart() {
    let delta = |at: u64, delta: &str| {
        json!({"type": "response.reasoning_summary_text.delta", "item_id": "rs_0",
            "output_index": 0, "summary_index": at, "delta": delta})
    };
    let item = json!({"id": "rs_0", "type": "reasoning", "encrypted_content": "x", "summary": [
        {"type": "summary_text", "text": "One."}, {"type": "summary_text", "text": "Two."}]});
    let mut response = response(&[], End::Done, false);
    response["output"] = json!([item]);
    let events = [
        delta(0, "On"),
        delta(0, "e."),
        delta(1, "Two."),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": response}),
    ];
    let outcome = ask::<Responses>(&asking(), [Canned::stream(&sse(&events))]).await;
    let answer = outcome.answer.unwrap();
    outcome.told.check(&answer);
    assert_eq!(parts(&answer)[0]["text"], "One.\n\nTwo.");
}

#[tokio::test]
async fn items_that_come_without_pieces_are_told_whole() {
    let said = [text("Hello"), call("call_a", "weather", "{}")];
    let end = json!({"type": "response.completed", "response": response(&said, End::Done, true)});
    let outcome = ask::<Responses>(&asking(), [Canned::stream(&sse([&end]))]).await;
    let answer = outcome.answer.unwrap();
    outcome.told.check(&answer);
    assert_eq!(answer.message.text(), "Hello");
}

#[tokio::test]
async fn sealed_thoughts_are_asked_for_where_the_model_has_some() {
    let plain = Capabilities {
        reasoning: false,
        ..capabilities()
    };
    let request = ModelRequest::default();
    let outcome = ask_as::<Responses>(plain, &request, [done::<Responses>()]).await;
    assert_eq!(outcome.fake.asked().get("include"), None);
    for (model, reasons) in [
        ("gpt-5-mini", true),
        ("o4-mini", true),
        ("gpt-5-chat-latest", false),
        ("gpt-4.1", false),
    ] {
        let known = Capabilities::known("openai-responses", model);
        assert_eq!(known.reasoning, reasons, "{model}");
    }
}
