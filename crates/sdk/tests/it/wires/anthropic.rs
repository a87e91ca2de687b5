//! Anthropic's messages.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib::message::{AssistantMessage, AssistantPart, Message, ToolCall};
use toolcrib::model::anthropic::AnthropicModel;
use toolcrib::model::{
    Answer, Capabilities, Endpoint, FinishReason, ModelRequest, OutputSchema, SharedModel,
    ToolChoice, Usage,
};

use super::fake::{Canned, Fake};
use super::said::{End, Fixture, Said, call, halves, sse, text, thought};
use super::suite::{
    Choice, Provider, Trouble, answer, ask, ask_as, asking, asking_whole, capabilities, done, sent,
    transcript,
};

#[derive(Debug)]
pub(crate) struct Anthropic;

const SIGNATURE: &str = "Eu+signed/by-anthropic==";

fn reason(said: &[Said], end: End) -> &'static str {
    let has_calls = said.iter().any(|said| matches!(said, Said::Call { .. }));
    match end {
        End::Limit => "max_tokens",
        End::Odd => "moon_phase",
        End::Done if has_calls => "tool_use",
        End::Done => "end_turn",
    }
}

fn block(said: &Said) -> Option<Value> {
    Some(match said {
        Said::Text(text) => json!({"type": "text", "text": text}),
        Said::Thought(text) => {
            json!({"type": "thinking", "thinking": text, "signature": SIGNATURE})
        }
        Said::Call {
            id,
            name,
            arguments,
        } => {
            let input: Value = serde_json::from_str(arguments).ok()?;
            json!({"type": "tool_use", "id": id, "name": name, "input": input})
        }
    })
}

fn begun(said: &Said) -> Value {
    match said {
        Said::Text(_) => json!({"type": "text", "text": ""}),
        Said::Thought(_) => json!({"type": "thinking", "thinking": "", "signature": ""}),
        Said::Call { id, name, .. } => {
            json!({"type": "tool_use", "id": id, "name": name, "input": {}})
        }
    }
}

fn deltas(said: &Said) -> Vec<Value> {
    let (kind, field, whole) = match said {
        Said::Text(text) => ("text_delta", "text", text),
        Said::Thought(text) => ("thinking_delta", "thinking", text),
        Said::Call { arguments, .. } => ("input_json_delta", "partial_json", arguments),
    };
    let mut deltas = halves(whole)
        .map(|half| json!({"type": kind, field: half}))
        .to_vec();
    if matches!(said, Said::Thought(_)) {
        deltas.push(json!({"type": "signature_delta", "signature": SIGNATURE}));
    }
    deltas
}

fn start(usage: &Value) -> Value {
    json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "model": "m-1",
        "role": "assistant", "content": [], "stop_reason": null, "usage": usage}})
}

fn end(reason: &str, usage: &Value) -> [Value; 2] {
    [
        json!({"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": usage}),
        json!({"type": "message_stop"}),
    ]
}

impl Provider for Anthropic {
    const NAME: &'static str = "anthropic";
    const MESSAGES: &'static str = "/messages";
    const KEY_HEADER: (&'static str, &'static str) = ("x-api-key", "");
    const PATHS: [&'static str; 2] = ["/messages", "/messages"];
    const MODELS: &'static str = "/models?limit=1000";
    const OPTIONAL_IS_NULL: bool = false;
    const MARK: &'static str = SIGNATURE;
    const PING: &'static str = "event: ping\ndata: {\"type\": \"ping\"}";
    const CHOICE_FIELDS: &'static [&'static str] = &["tool_choice"];

    type Http = AnthropicModel;

    fn http(endpoint: Endpoint, fake: Arc<Fake>) -> AnthropicModel {
        AnthropicModel::new(endpoint, fake)
    }

    fn model(endpoint: Endpoint, fake: Arc<Fake>) -> SharedModel {
        SharedModel::new(Self::http(endpoint, fake))
    }

    async fn models(model: &AnthropicModel) -> Vec<String> {
        model.list_models().await.unwrap()
    }

    fn stream(said: &[Said], ends: End, with_usage: bool) -> String {
        let counts = |usage: Value| if with_usage { usage } else { Value::Null };
        let mut events = vec![start(&counts(
            json!({"input_tokens": 4, "output_tokens": 1,
            "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3}),
        ))];
        for (at, said) in said.iter().enumerate() {
            events.push(json!({"type": "content_block_start", "index": at,
                "content_block": begun(said)}));
            events.extend(
                deltas(said).into_iter().map(
                    |delta| json!({"type": "content_block_delta", "index": at, "delta": delta}),
                ),
            );
            events.push(json!({"type": "content_block_stop", "index": at}));
        }
        events.extend(end(
            reason(said, ends),
            &counts(json!({"output_tokens": 5})),
        ));
        sse(&events)
    }

    fn whole(said: &[Said], end: End, with_usage: bool) -> Option<Value> {
        let content: Vec<Value> = said.iter().map(block).collect::<Option<_>>()?;
        let mut body = json!({"id": "msg_1", "type": "message", "role": "assistant",
            "model": "m-1", "content": content, "stop_reason": reason(said, end)});
        if with_usage {
            body["usage"] = json!({"input_tokens": 4, "output_tokens": 5,
                "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3});
        }
        Some(body)
    }

    fn blob(said: &Said, _: usize) -> Option<Value> {
        matches!(said, Said::Thought(_))
            .then(|| json!({"type": "thinking", "signature": SIGNATURE}))
    }

    fn usage() -> Usage {
        Usage {
            input_tokens: Some(9),
            output_tokens: Some(5),
            cached_tokens: Some(3),
            reasoning_tokens: None,
        }
    }

    fn odd() -> FinishReason {
        FinishReason::Other("moon_phase".to_owned())
    }

    fn refusal() -> Fixture {
        let details = json!({"type": "refusal", "explanation": "I won't do that."});
        let [mut delta, stop] = end("refusal", &Value::Null);
        delta["delta"]["stop_details"] = details.clone();
        Fixture {
            name: "refusal",
            stream: sse(&[start(&Value::Null), delta, stop]),
            whole: Some(json!({"type": "message", "model": "m-1", "content": [],
                "stop_reason": "refusal", "stop_details": details})),
            parts: json!([{"type": "refusal", "text": "I won't do that."}]),
            finish: FinishReason::Refusal,
            usage: None,
        }
    }

    fn trouble(trouble: Trouble) -> (Value, Value) {
        let error = match trouble {
            Trouble::Overloaded => json!({"type": "overloaded_error", "message": "Overloaded"}),
            Trouble::RateLimited => json!({"type": "rate_limit_error", "message": "slow down"}),
            Trouble::Invalid => json!({"type": "invalid_request_error", "message": "no"}),
        };
        let event = json!({"type": "error", "error": error});
        (event.clone(), event)
    }

    fn models_body() -> Value {
        json!({"data": [{"type": "model", "id": "a"}, {"type": "model", "id": "b"}],
            "has_more": false})
    }

    fn request() -> Value {
        json!({
            "model": "m",
            "max_tokens": 500,
            "system": "Be brief.",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "What is the weather?"}]},
                {"role": "assistant", "content": [
                    {"type": "thinking", "signature": SIGNATURE, "thinking": "Let me look: 😀"},
                    {"type": "tool_use", "id": "call_a", "name": "weather",
                        "input": {"city": "Zürich"}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "call_a", "content": "Rain"},
                    {"type": "text", "text": "And tomorrow?"}]},
            ],
            "tools": [{"name": "weather", "description": "Tells the weather.",
                "input_schema": {"type": "object", "properties": {
                    "city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"], "additionalProperties": false}}],
            "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
            "temperature": 0.5,
            "stream": true,
        })
    }

    fn two_results() -> Value {
        json!([
            {"role": "user", "content": [{"type": "text", "text": "What is the weather?"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "call_a", "name": "weather", "input": {"city": "Ulm"}},
                {"type": "tool_use", "id": "call_b", "name": "weather",
                    "input": {"city": "Bern"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "call_a", "content": "Rain"},
                {"type": "tool_result", "tool_use_id": "call_b", "content": "No such city.",
                    "is_error": true}]},
        ])
    }

    fn broken_call(_: &ToolCall) -> Value {
        json!([
            {"role": "user", "content": [{"type": "text", "text": "What is the weather?"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "call_a", "name": "weather", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_a",
                "content": "Cut off.", "is_error": true}]},
        ])
    }

    /// Its id has a character that this provider does not take.
    fn foreign(call: &ToolCall) -> Value {
        json!([
            {"role": "user", "content": [{"type": "text", "text": "What is the weather?"}]},
            {"role": "assistant", "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": call.id, "name": "weather", "input": {"city": "Ulm"}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": call.id, "content": "Rain"}]},
        ])
    }

    fn strict_tool() -> Value {
        json!({"name": "weather", "description": "Tells the weather.",
            "input_schema": {"type": "object", "properties": {
                "city": {"type": "string"}, "days": {"type": "integer"}},
                "required": ["city"], "additionalProperties": false},
            "strict": true})
    }

    fn tool_names(body: &Value) -> Vec<String> {
        let tools = body["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn choices() -> Vec<Choice> {
        let choice = |choice: Value| json!({ "tool_choice": choice });
        vec![
            (ToolChoice::Auto, None, json!({})),
            (ToolChoice::Auto, Some(true), json!({})),
            (
                ToolChoice::Auto,
                Some(false),
                choice(json!({"type": "auto", "disable_parallel_tool_use": true})),
            ),
            (
                ToolChoice::None,
                Some(false),
                choice(json!({"type": "none"})),
            ),
            (ToolChoice::Required, None, choice(json!({"type": "any"}))),
            (
                ToolChoice::Tool("weather".to_owned()),
                Some(false),
                choice(json!({"type": "tool", "name": "weather",
                    "disable_parallel_tool_use": true})),
            ),
        ]
    }

    fn forced(body: &Value) -> &Value {
        &body["tool_choice"]["name"]
    }

    fn output(schema: &Value) -> (&'static str, Value) {
        (
            "output_config",
            json!({"format": {"type": "json_schema", "schema": schema}}),
        )
    }
}

fn blocks<'a>(said: impl IntoIterator<Item = &'a Said>) -> Value {
    let blocks = said.into_iter().map(block);
    blocks.collect::<Option<Vec<_>>>().into()
}

fn roles(sent: &Value) -> Vec<&str> {
    let turns = sent.as_array().unwrap().iter();
    turns.map(|turn| turn["role"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_version_is_said() {
    let outcome = ask::<Anthropic>(&asking(), [done::<Anthropic>()]).await;
    let seen = outcome.fake.seen().pop().unwrap();
    assert_eq!(seen.headers["anthropic-version"], "2023-06-01");
}

#[tokio::test]
async fn roles_alternate_also_where_an_answer_says_nothing() {
    let empty = Message::Assistant(AssistantMessage::says(" \n"));
    let mut messages = asking().messages;
    messages.extend([empty, Message::user(""), Message::user("Are you there?")]);
    let answer = Message::Assistant(AssistantMessage::says("Yes."));
    messages.extend([answer.clone(), answer, Message::user("Good.")]);
    let sent = sent::<Anthropic>(&messages).await;
    assert_eq!(roles(&sent), ["user", "assistant", "user"]);
    assert_eq!(
        sent[0]["content"],
        json!([{"type": "text", "text": "What is the weather?"},
            {"type": "text", "text": "Are you there?"}])
    );
}

#[tokio::test]
async fn thoughts_go_back_with_calls_and_at_the_end_only() {
    let mut said = vec![thought("Hm."), text("Rain."), thought("Now."), text("Bye.")];
    let talk = answer::<Anthropic>(&said, End::Done).await;
    let mut messages = transcript(&talk, &[]);
    let last = sent::<Anthropic>(&messages).await;
    assert_eq!(last[1]["content"], blocks(&said));
    messages.push(Message::user("Thanks."));
    let before = sent::<Anthropic>(&messages).await;
    let texts = [&said[1], &said[3]];
    assert_eq!(before[1]["content"], blocks(texts));
    said.push(call("call_a", "weather", "{}"));
    let calls = answer::<Anthropic>(&said, End::Done).await;
    let sent = sent::<Anthropic>(&transcript(&calls, &[Ok("Rain")])).await;
    assert_eq!(sent[1]["content"], blocks(&said));
}

#[tokio::test]
async fn hidden_thoughts_go_back_as_they_came() {
    let hidden = json!({"type": "redacted_thinking", "data": "Ek+hidden/=="});
    let call = json!({"type": "tool_use", "id": "call_a", "name": "weather", "input": {}});
    let body = json!({"model": "m-1", "content": [hidden, call], "stop_reason": "tool_use"});
    let events = [
        start(&Value::Null),
        json!({"type": "content_block_start", "index": 0, "content_block": hidden}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": call}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_stop"}),
    ];
    for canned in [Canned::json(body), Canned::stream(&sse(&events))] {
        let answer = ask::<Anthropic>(&asking(), [canned]).await.answer.unwrap();
        assert_eq!(answer.meta.finish, FinishReason::ToolCalls);
        assert_eq!(answer.message.tool_calls().next().unwrap().arguments, "{}");
        let sent = sent::<Anthropic>(&transcript(&answer, &[Ok("")])).await;
        assert_eq!(sent[1]["content"], json!([hidden, call]));
        let result = json!({"type": "tool_result", "tool_use_id": "call_a"});
        assert_eq!(
            sent[2]["content"],
            json!([result]),
            "an empty result is left empty"
        );
    }
}

#[tokio::test]
async fn a_call_at_the_limit_of_a_whole_answer_counts_as_cut() {
    let said = [call("call_a", "weather", "{\"city\":\"Z\"}")];
    let whole = Anthropic::whole(&said, End::Limit, true).unwrap();
    let outcome = ask::<Anthropic>(&asking_whole(), [Canned::json(whole)]).await;
    assert!(
        outcome
            .answer
            .unwrap()
            .message
            .tool_calls()
            .all(|call| call.cut)
    );
}

#[tokio::test]
async fn each_end_is_known() {
    for (reason, finish) in [
        ("stop_sequence", FinishReason::Stop),
        ("model_context_window_exceeded", FinishReason::Length),
        ("pause_turn", FinishReason::Other("pause_turn".to_owned())),
    ] {
        let content = json!([{"type": "text", "text": "Hm"}]);
        let body = json!({"content": content, "stop_reason": reason});
        let answer = ask::<Anthropic>(&asking(), [Canned::json(body)]).await;
        assert_eq!(answer.answer.unwrap().meta.finish, finish);
    }
}

#[tokio::test]
async fn the_longest_answer_is_always_said() {
    for (known, asked, expected) in [
        (None, None, 4096),
        (Some(7), None, 7),
        (Some(7), Some(3), 3),
    ] {
        let known = Capabilities {
            output_tokens: known,
            ..capabilities()
        };
        let request = ModelRequest {
            max_output_tokens: asked,
            temperature: Some(1.5),
            ..asking()
        };
        let outcome = ask_as::<Anthropic>(known, &request, [done::<Anthropic>()]).await;
        let body = outcome.fake.asked();
        assert_eq!(body["max_tokens"], json!(expected));
        assert_eq!(body["temperature"], json!(1.0), "the scale ends at 1");
    }
}

#[tokio::test]
async fn a_shape_that_can_not_be_forced_is_put_in_words() {
    let schema = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let request = ModelRequest {
        system: "Be brief.".to_owned(),
        output: Some(OutputSchema {
            name: "map".to_owned(),
            schema,
        }),
        ..asking()
    };
    let body = ask::<Anthropic>(&request, [done::<Anthropic>()])
        .await
        .fake
        .asked();
    assert_eq!(body.get("output_config"), None);
    let system = body["system"].as_str().unwrap();
    assert!(system.starts_with("Be brief.\n\n"), "{system}");
    assert!(system.contains("additionalProperties"), "{system}");
}

#[tokio::test]
async fn an_error_that_says_nothing_says_so() {
    let parts = vec![AssistantPart::ToolCall(ToolCall::new("weather", "{}"))];
    let answer = Answer::new(AssistantMessage { parts }, "m");
    let sent = sent::<Anthropic>(&transcript(&answer, &[Err(" ")])).await;
    assert_eq!(sent[2]["content"][0]["content"], "The call failed.");
}
