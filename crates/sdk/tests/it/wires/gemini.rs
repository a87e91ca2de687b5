//! Gemini's generateContent.

use std::sync::Arc;

use serde_json::{Value, json};
use toolcrib::message::{AssistantMessage, AssistantPart, Message, ToolCall};
use toolcrib::model::gemini::GeminiModel;
use toolcrib::model::{
    Answer, Capabilities, Endpoint, FinishReason, ModelErrorKind, SharedModel, ToolChoice, Usage,
};

use super::fake::{Canned, Fake};
use super::said::{End, Fixture, Said, Told, call, halves, parts, sse, text};
use super::suite::{
    Choice, Provider, Trouble, answer, ask, asking, capabilities, done, endpoint, sent, transcript,
};

#[derive(Debug)]
pub(crate) struct Gemini;

const SIGNATURE: &str = "CsgB+signed/by-gemini==";

fn reason(end: End) -> &'static str {
    match end {
        End::Done => "STOP",
        End::Limit => "MAX_TOKENS",
        End::Odd => "MOON_PHASE",
    }
}

fn chunk(parts: &[Value]) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
        "modelVersion": "m-1", "responseId": "r-1"})
}

/// The first thought or call is signed, as far as there is one.
fn is_signed(said: &Said) -> bool {
    matches!(said, Said::Call { id, .. } if id == "call_a")
}

fn part(said: &Said) -> Value {
    let mut part = match said {
        Said::Text(text) => json!({"text": text}),
        Said::Thought(text) => json!({"text": text, "thought": true}),
        Said::Call {
            id,
            name,
            arguments,
        } => {
            let args: Value = serde_json::from_str(arguments).unwrap();
            json!({"functionCall": {"id": id, "name": name, "args": args}})
        }
    };
    if is_signed(said) {
        part["thoughtSignature"] = json!(SIGNATURE);
    }
    part
}

fn pieces(said: &Said) -> Vec<Value> {
    match said {
        Said::Text(text) => halves(text).map(|half| part(&Said::Text(half))).to_vec(),
        Said::Thought(text) => halves(text).map(|half| part(&Said::Thought(half))).to_vec(),
        Said::Call { .. } => vec![part(said)],
    }
}

fn usage() -> Value {
    json!({"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 1,
        "cachedContentTokenCount": 3, "totalTokenCount": 13})
}

impl Provider for Gemini {
    const NAME: &'static str = "gemini";
    const MESSAGES: &'static str = "/contents";
    const KEY_HEADER: (&'static str, &'static str) = ("x-goog-api-key", "");
    const PATHS: [&'static str; 2] = [
        "/models/m:streamGenerateContent?alt=sse",
        "/models/m:generateContent",
    ];
    const MODELS: &'static str = "/models?pageSize=1000";
    const OPTIONAL_IS_NULL: bool = false;
    const MARK: &'static str = SIGNATURE;
    const CHOICE_FIELDS: &'static [&'static str] = &["toolConfig"];

    type Http = GeminiModel;

    fn http(endpoint: Endpoint, fake: Arc<Fake>) -> GeminiModel {
        GeminiModel::new(endpoint, fake)
    }

    fn model(endpoint: Endpoint, fake: Arc<Fake>) -> SharedModel {
        SharedModel::new(Self::http(endpoint, fake))
    }

    async fn models(model: &GeminiModel) -> Vec<String> {
        model.list_models().await.unwrap()
    }

    fn stream(said: &[Said], end: End, with_usage: bool) -> String {
        let pieces = said.iter().flat_map(pieces);
        let mut chunks: Vec<Value> = pieces.map(|piece| chunk(&[piece])).collect();
        let mut last = chunk(&[json!({"text": ""})]);
        last["candidates"][0]["finishReason"] = json!(reason(end));
        if with_usage {
            last["usageMetadata"] = usage();
        }
        chunks.push(last);
        sse(&chunks)
    }

    fn whole(said: &[Said], end: End, with_usage: bool) -> Option<Value> {
        let parts: Vec<Value> = said.iter().map(part).collect();
        let mut body = chunk(&parts);
        body["candidates"][0]["finishReason"] = json!(reason(end));
        if with_usage {
            body["usageMetadata"] = usage();
        }
        Some(body)
    }

    fn blob(said: &Said, _: usize) -> Option<Value> {
        is_signed(said).then(|| json!({"thoughtSignature": SIGNATURE}))
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
        FinishReason::Other("MOON_PHASE".to_owned())
    }

    /// This provider does not say why: it withholds.
    fn refusal() -> Fixture {
        let body = json!({"modelVersion": "m-1",
            "candidates": [{"finishReason": "SAFETY", "index": 0}]});
        Fixture {
            name: "refusal",
            stream: sse([&body]),
            whole: Some(body),
            parts: json!([]),
            finish: FinishReason::ContentFilter,
            usage: None,
        }
    }

    fn trouble(trouble: Trouble) -> (Value, Value) {
        let (code, status) = match trouble {
            Trouble::Overloaded => (503, "UNAVAILABLE"),
            Trouble::RateLimited => (429, "RESOURCE_EXHAUSTED"),
            Trouble::Invalid => (400, "INVALID_ARGUMENT"),
        };
        let error = json!({"error": {"code": code, "message": "no", "status": status}});
        (error.clone(), json!([error]))
    }

    fn models_body() -> Value {
        json!({"models": [{"name": "models/a"}, {"name": "models/b"}]})
    }

    fn request() -> Value {
        json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "What is the weather?"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "call_a", "name": "weather",
                    "args": {"city": "Zürich"}}, "thoughtSignature": SIGNATURE}]},
                {"role": "user", "parts": [{"functionResponse": {"id": "call_a",
                    "name": "weather", "response": {"result": "Rain"}}}]},
                {"role": "user", "parts": [{"text": "And tomorrow?"}]},
            ],
            "tools": [{"functionDeclarations": [{"name": "weather",
                "description": "Tells the weather.",
                "parametersJsonSchema": {"type": "object", "properties": {
                    "city": {"type": "string"}, "days": {"type": "integer"}},
                    "required": ["city"]}}]}],
            "generationConfig": {"temperature": 0.5, "maxOutputTokens": 500},
        })
    }

    fn two_results() -> Value {
        json!([
            {"role": "user", "parts": [{"text": "What is the weather?"}]},
            {"role": "model", "parts": [
                {"functionCall": {"id": "call_a", "name": "weather", "args": {"city": "Ulm"}},
                    "thoughtSignature": SIGNATURE},
                {"functionCall": {"id": "call_b", "name": "weather", "args": {"city": "Bern"}}}]},
            {"role": "user", "parts": [
                {"functionResponse": {"id": "call_a", "name": "weather",
                    "response": {"result": "Rain"}}},
                {"functionResponse": {"id": "call_b", "name": "weather",
                    "response": {"error": "No such city."}}}]},
        ])
    }

    fn broken_call(_: &ToolCall) -> Value {
        json!([
            {"role": "user", "parts": [{"text": "What is the weather?"}]},
            {"role": "model", "parts": [{"functionCall": {"name": "weather", "args": {}},
                "thoughtSignature": "skip_thought_signature_validator"}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "weather",
                "response": {"error": "Cut off."}}}]},
        ])
    }

    fn foreign(_: &ToolCall) -> Value {
        json!([
            {"role": "user", "parts": [{"text": "What is the weather?"}]},
            {"role": "model", "parts": [
                {"text": "I look."},
                {"functionCall": {"id": "foreign:1", "name": "weather", "args": {"city": "Ulm"}},
                    "thoughtSignature": "skip_thought_signature_validator"}]},
            {"role": "user", "parts": [{"functionResponse": {"id": "foreign:1",
                "name": "weather", "response": {"result": "Rain"}}}]},
        ])
    }

    /// This provider has no strict mode.
    fn strict_tool() -> Value {
        Self::request()["tools"][0]["functionDeclarations"][0].clone()
    }

    fn tool_names(body: &Value) -> Vec<String> {
        let tools = body["tools"][0]["functionDeclarations"]
            .as_array()
            .unwrap()
            .iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    fn choices() -> Vec<Choice> {
        let config = |config: Value| json!({"toolConfig": {"functionCallingConfig": config}});
        vec![
            (ToolChoice::Auto, Some(false), json!({})),
            (ToolChoice::None, None, config(json!({"mode": "NONE"}))),
            (ToolChoice::Required, None, config(json!({"mode": "ANY"}))),
            (
                ToolChoice::Tool("weather".to_owned()),
                None,
                config(json!({"mode": "ANY", "allowedFunctionNames": ["weather"]})),
            ),
        ]
    }

    fn forced(body: &Value) -> &Value {
        &body["toolConfig"]["functionCallingConfig"]["allowedFunctionNames"][0]
    }

    fn output(schema: &Value) -> (&'static str, Value) {
        (
            "generationConfig",
            json!({"responseMimeType": "application/json", "responseJsonSchema": schema}),
        )
    }
}

async fn read(body: Value) -> Answer {
    let outcome = ask::<Gemini>(&asking(), [Canned::json(body)]).await;
    outcome.answer.unwrap()
}

#[tokio::test]
async fn calls_without_ids_get_ours_and_go_back_without() {
    let unnamed = |city: &str| json!({"functionCall": {"name": "weather", "args": {"city": city}}});
    let answer = read(chunk(&[unnamed("Ulm"), unnamed("Bern")])).await;
    let calls: Vec<_> = answer.message.tool_calls().collect();
    assert_ne!(calls[0].id, calls[1].id);
    assert_eq!(calls[0].provider_id, None);
    let sent = sent::<Gemini>(&transcript(&answer, &[Ok("Rain"), Ok("Sun")])).await;
    assert_eq!(
        sent[2]["parts"],
        json!([
            {"functionResponse": {"name": "weather", "response": {"result": "Rain"}}},
            {"functionResponse": {"name": "weather", "response": {"result": "Sun"}}}])
    );
}

#[tokio::test]
async fn signatures_stay_on_their_parts() {
    let signed = json!([
        {"text": "Hm.", "thought": true, "thoughtSignature": "s1"},
        {"text": "One.", "thoughtSignature": "s2"},
        {"text": "Two."},
        {"functionCall": {"name": "a", "args": {}}, "thoughtSignature": "s3"},
        {"functionCall": {"name": "b", "args": {}}},
        {"text": "", "thoughtSignature": "s4"},
    ]);
    let answer = read(chunk(signed.as_array().unwrap())).await;
    let sent = sent::<Gemini>(&transcript(&answer, &[Ok("A"), Ok("B")])).await;
    assert_eq!(sent[1]["parts"], signed);
}

#[tokio::test]
async fn a_signature_that_comes_late_is_that_of_the_text_before_it() {
    let mut last = chunk(&[json!({"thoughtSignature": "late"})]);
    last["candidates"][0]["finishReason"] = json!("STOP");
    let chunks = [
        chunk(&[json!({"text": "On"})]),
        chunk(&[json!({"text": "e."})]),
        last,
    ];
    let stream = Canned::stream(&sse(&chunks));
    let answer = ask::<Gemini>(&asking(), [stream]).await.answer.unwrap();
    let blob = json!({"provider": "gemini", "data": {"thoughtSignature": "late"}});
    assert_eq!(
        parts(&answer),
        json!([{"type": "text", "text": "One.", "provider": blob}])
    );
}

#[tokio::test]
async fn older_models_are_told_nothing_of_signatures() {
    let parts = vec![AssistantPart::ToolCall(ToolCall::new("weather", "{}"))];
    let messages = transcript(&Answer::new(AssistantMessage { parts }, "m"), &[Ok("Rain")]);
    for (name, wants) in [
        ("gemini-2.5-flash", false),
        ("models/gemini-3-pro-preview", true),
        ("gemini-2.0-flash", false),
    ] {
        let fake = Fake::answering([done::<Gemini>()]);
        let mut endpoint = endpoint(capabilities());
        endpoint.model = name.to_owned();
        let request = toolcrib::model::ModelRequest {
            messages: messages.clone(),
            ..Default::default()
        };
        let mut told = Told::default();
        Gemini::model(endpoint, Arc::clone(&fake))
            .respond(&request, &mut |event| told.hear(event), &Default::default())
            .await
            .unwrap();
        let seen = fake.seen().pop().unwrap();
        assert!(seen.url.contains("/v1/models/gemini-"), "{}", seen.url);
        let signature = seen.body.pointer("/contents/1/parts/0/thoughtSignature");
        assert_eq!(signature.is_some(), wants, "{name}");
    }
}

#[tokio::test]
async fn a_call_that_came_to_nothing_is_asked_for_again() {
    for reason in ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"] {
        let body = json!({"candidates": [{"finishReason": reason,
            "finishMessage": "Malformed function call: weather(", "index": 0}]});
        let failing = vec![Canned::json(&body); 3];
        let outcome = ask::<Gemini>(&asking(), failing).await;
        let error = outcome.answer.unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::CutOff);
        assert!(error.body.contains(reason), "{error}");
        assert_eq!(outcome.fake.seen().len(), 3);
        let outcome = ask::<Gemini>(&asking(), [Canned::json(&body), done::<Gemini>()]).await;
        assert_eq!(outcome.answer.unwrap().meta.attempts, 2);
    }
}

#[tokio::test]
async fn what_is_withheld_is_no_error() {
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 9}});
    let outcome = ask::<Gemini>(&asking(), [Canned::stream(&sse([&blocked]))]).await;
    let answer = outcome.answer.unwrap();
    assert_eq!(answer.meta.finish, FinishReason::ContentFilter);
    assert_eq!(answer.meta.usage.unwrap().output_tokens, None);
    for reason in ["RECITATION", "BLOCKLIST", "SPII"] {
        let body = json!({"candidates": [{"finishReason": reason}]});
        assert_eq!(read(body).await.meta.finish, FinishReason::ContentFilter);
    }
}

#[tokio::test]
async fn a_list_of_chunks_is_read_like_a_stream() {
    let said = [text("Grüße"), call("call_a", "weather", "{}")];
    let stream = Gemini::stream(&said, End::Done, true);
    let chunks: Vec<Value> = stream
        .split_terminator("\n\n")
        .map(|event| serde_json::from_str(event.trim_start_matches("data: ")).unwrap())
        .collect();
    let listed = read(chunks.into()).await;
    assert_eq!(
        parts(&listed),
        parts(&answer::<Gemini>(&said, End::Done).await)
    );
}

#[tokio::test]
async fn results_and_what_the_person_says_are_turns_apart() {
    let said = [call("call_a", "weather", "{}")];
    let mut messages = transcript(&answer::<Gemini>(&said, End::Done).await, &[Ok("Rain")]);
    messages.push(Message::Assistant(AssistantMessage::default()));
    messages.push(Message::user(""));
    messages.push(Message::user("And tomorrow?"));
    let sent = sent::<Gemini>(&messages).await;
    let last = json!({"role": "user", "parts": [{"text": "And tomorrow?"}]});
    assert_eq!(sent.as_array().unwrap().len(), 4);
    assert_eq!(sent[3], last);
}

#[test]
fn models_are_known_by_either_name() {
    let mut endpoint = endpoint(Capabilities::default());
    endpoint.capabilities = None;
    endpoint.model = "models/gemini-2.5-flash".to_owned();
    let known = Gemini::model(endpoint, Fake::answering([])).capabilities();
    assert_eq!(known, Capabilities::known("gemini", "gemini-2.5-flash"));
    assert_eq!(known.output_tokens, Some(65536));
}

#[tokio::test]
async fn an_answer_without_candidates_is_no_answer() {
    for body in [json!({"candidates": []}), json!([{"candidates": []}])] {
        let outcome = ask::<Gemini>(&asking(), [Canned::json(&body)]).await;
        let error = outcome.answer.unwrap_err();
        assert!(error.to_string().contains("no candidates"), "{error}");
    }
}
