//! The OpenAI-compatible wire against endpoints that misbehave.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolcrib::message::Message;
use toolcrib::model::Endpoint;
use toolcrib::model::openai::OpenAiModel;
use toolcrib::model::{Answer, Model, ModelError, ModelErrorKind, ModelEvent, ModelRequest};
use toolcrib::transport::{HttpRequest, HttpResponse, ResponseFuture, Transport};

const KEY: &str = "sk-canary-0123456789";

#[derive(Clone, Debug)]
struct Canned {
    status: u16,
    kind: &'static str,
    retry_after: Option<&'static str>,
    body: String,
}

#[derive(Debug)]
struct Fake {
    answers: Mutex<Vec<Canned>>,
    piece: usize,
    requests: Mutex<Vec<Value>>,
    timeouts: Mutex<Vec<Duration>>,
}

impl Transport for Fake {
    fn send(&self, request: HttpRequest) -> ResponseFuture<'_> {
        Box::pin(async move {
            self.requests
                .lock()
                .unwrap()
                .push(serde_json::from_slice(&request.body).unwrap_or_default());
            self.timeouts.lock().unwrap().push(request.timeout);
            let canned = self.answers.lock().unwrap().remove(0);
            let mut headers = HeaderMap::new();
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(canned.kind));
            if let Some(seconds) = canned.retry_after {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
            }
            let pieces: Vec<_> = canned
                .body
                .as_bytes()
                .chunks(self.piece)
                .map(|piece| Ok(Bytes::copy_from_slice(piece)))
                .collect();
            let status = StatusCode::from_u16(canned.status).unwrap();
            Ok(HttpResponse {
                status,
                headers,
                body: Box::pin(stream::iter(pieces)),
            })
        })
    }
}

async fn ask_in_pieces(
    answers: Vec<Canned>,
    piece: usize,
) -> (Result<Answer, ModelError>, Vec<ModelEvent>, Arc<Fake>) {
    let fake = Arc::new(Fake {
        answers: Mutex::new(answers),
        piece,
        requests: Mutex::default(),
        timeouts: Mutex::default(),
    });
    let mut endpoint = Endpoint::new("http://model.test/v1", Some(KEY.to_owned()), "m");
    endpoint.retry_pause = Duration::from_millis(1);
    let model = OpenAiModel::new(endpoint, Arc::clone(&fake) as Arc<dyn Transport>);
    let request = ModelRequest {
        messages: vec![Message::user("hi")].into(),
        ..ModelRequest::default()
    };
    let mut events = Vec::new();
    let mut sink = |event| events.push(event);
    let answer = Model::respond(&model, &request, &mut sink, &CancellationToken::new()).await;
    (answer, events, fake)
}

fn json_body(body: &str) -> Canned {
    Canned {
        status: 200,
        kind: "application/json",
        retry_after: None,
        body: body.to_owned(),
    }
}

fn stream_body(body: &str) -> Canned {
    Canned {
        kind: "text/event-stream",
        ..json_body(body)
    }
}

#[tokio::test]
async fn the_key_is_in_no_error_and_no_answer() {
    let leaky = [
        json_body(&format!("<html>you sent {KEY}</html>")),
        stream_body(&format!("data: oops {KEY}\n\n")),
        stream_body(&format!(
            "data: {{\"error\": {{\"message\": \"bad key {KEY}\"}}}}\n\n"
        )),
        json_body(&format!(
            "{{\"error\": {{\"message\": \"bad key {KEY}\"}}}}"
        )),
        Canned {
            status: 401,
            ..json_body(&format!("{}{KEY}", "x".repeat(240)))
        },
        stream_body(&format!(
            "data: {{\"model\": \"{KEY}\", \"choices\": [{{\"delta\": {{\"content\": \"{KEY}\"}}}}]}}\n\ndata: [DONE]\n\n"
        )),
    ];
    for canned in leaky {
        let (answer, events, _) = ask_in_pieces(vec![canned.clone()], 7).await;
        let told = match &answer {
            Ok(answer) => format!("{answer:?} {events:?}"),
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!told.contains("canary"), "{canned:?} told {told}");
    }
}

#[tokio::test]
async fn an_answer_is_the_same_wherever_the_network_splits_it() {
    let body = concat!(
        ": hello\r\n\r\ndata: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"Grüße \"}}]}\r\n\r\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"\u{1F600}\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":{\"name\":\"t\",\"arguments\":\"{}\"}}]}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
    );
    for piece in 1..body.len() {
        let (answer, _, _) = ask_in_pieces(vec![stream_body(body)], piece).await;
        let message = answer.unwrap().message;
        assert_eq!(message.text(), "Grüße \u{1F600}", "in pieces of {piece}");
        assert_eq!(message.tool_calls().next().unwrap().arguments, "{}");
    }
}

#[tokio::test]
async fn overload_is_tried_again_at_most_twice_and_nothing_else_is() {
    let status = |status: u16, retry_after| Canned {
        status,
        retry_after,
        ..json_body("{\"error\": {\"message\": \"no\"}}")
    };
    let good = || {
        stream_body(
            "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\n",
        )
    };
    let (answer, _, _) =
        ask_in_pieces(vec![status(429, Some("0")), status(529, None), good()], 99).await;
    assert_eq!(answer.unwrap().meta.attempts, 3);
    let (answer, _, fake) = ask_in_pieces(
        vec![status(500, None), status(502, None), status(503, None)],
        99,
    )
    .await;
    assert_eq!(answer.unwrap_err().kind, ModelErrorKind::Unavailable);
    assert_eq!(fake.requests.lock().unwrap().len(), 3);
    for (code, kind) in [
        (401, ModelErrorKind::Auth),
        (403, ModelErrorKind::Auth),
        (400, ModelErrorKind::Invalid),
        (422, ModelErrorKind::Invalid),
    ] {
        let (answer, _, fake) = ask_in_pieces(vec![status(code, None)], 99).await;
        let error = answer.unwrap_err();
        assert_eq!((error.kind, error.status), (kind, Some(code)));
        assert_eq!(fake.requests.lock().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn absurd_waits_and_empty_or_foreign_bodies_are_errors_not_panics() {
    for wait in ["1e300", "-5", "NaN", "soon"] {
        let busy = Canned {
            status: 429,
            retry_after: Some(wait),
            ..json_body("")
        };
        let good = stream_body(
            "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\n",
        );
        assert!(
            ask_in_pieces(vec![busy, good], 99).await.0.is_ok(),
            "{wait}"
        );
    }
    for (body, kind) in [
        ("", ModelErrorKind::CutOff),
        ("[]", ModelErrorKind::Broken),
        ("null", ModelErrorKind::Broken),
        ("<html>502</html>", ModelErrorKind::Broken),
        ("{\"choices\": []}", ModelErrorKind::Broken),
        ("{}", ModelErrorKind::Broken),
    ] {
        let (answer, _, _) = ask_in_pieces(vec![json_body(body); 3], 99).await;
        assert_eq!(answer.unwrap_err().kind, kind, "{body}");
    }
    let half = || stream_body("data: {\"choices\":[{\"delta\":{\"content\":\"ha\"}}]}\n\n");
    let (answer, _, _) = ask_in_pieces(vec![half(), half(), half()], 99).await;
    assert_eq!(
        answer.unwrap_err().kind,
        ModelErrorKind::CutOff,
        "the end of the file is no end"
    );
}

#[tokio::test]
async fn usage_is_asked_for_and_reasoning_goes_back_in_its_field() {
    let body = concat!(
        "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"Think.\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"t\",\"arguments\":\"{\"}}]}}]}\n\n",
        "data: [DONE]\n\n",
    );
    let (answer, _, fake) = ask_in_pieces(vec![stream_body(body)], 99).await;
    assert_eq!(
        fake.requests.lock().unwrap()[0]["stream_options"],
        json!({"include_usage": true})
    );
    let message = answer.unwrap().message;
    let call = message.tool_calls().next().unwrap().clone();
    let fake = Arc::new(Fake {
        answers: Mutex::new(vec![stream_body(
            "data: {\"choices\":[{\"delta\":{\"content\":\"ok\"}}]}\n\ndata: [DONE]\n\n",
        )]),
        piece: 99,
        requests: Mutex::default(),
        timeouts: Mutex::default(),
    });
    let model = OpenAiModel::new(
        Endpoint::new("http://model.test/v1", None, "m"),
        Arc::clone(&fake) as Arc<dyn Transport>,
    );
    let result = toolcrib::message::ToolMessage {
        call: call.id,
        name: "t".into(),
        content: "no".into(),
        is_error: true,
    };
    let request = ModelRequest {
        messages: vec![
            Message::User { text: "hi".into() },
            Message::Assistant(message),
            Message::Tool(result),
        ]
        .into(),
        ..ModelRequest::default()
    };
    Model::respond(
        &model,
        &request,
        &mut |_: ModelEvent| {},
        &CancellationToken::new(),
    )
    .await
    .unwrap();
    let sent = fake.requests.lock().unwrap()[0].clone();
    assert_eq!(
        sent.pointer("/messages/1/reasoning_content"),
        Some(&json!("Think."))
    );
    assert_eq!(
        sent.pointer("/messages/1/tool_calls/0/function/arguments"),
        Some(&json!("{}")),
        "broken arguments are not replayed"
    );
    assert_eq!(sent.pointer("/messages/2/tool_call_id"), Some(&json!("c1")));
}

async fn asked_once(endpoint: Endpoint, request: &ModelRequest) -> Arc<Fake> {
    let fake = Arc::new(Fake {
        answers: Mutex::new(vec![stream_body(
            "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"}}]}\n\ndata: [DONE]\n\n",
        )]),
        piece: 99,
        requests: Mutex::default(),
        timeouts: Mutex::default(),
    });
    let model = OpenAiModel::new(endpoint, Arc::clone(&fake) as Arc<dyn Transport>);
    let mut nobody = |_: ModelEvent| {};
    Model::respond(&model, request, &mut nobody, &CancellationToken::new())
        .await
        .unwrap();
    fake
}

#[tokio::test]
async fn a_call_has_120_seconds_unless_the_request_says_otherwise() {
    let endpoint = || Endpoint::new("http://model.test/v1", None, "m");
    let fake = asked_once(endpoint(), &ModelRequest::default()).await;
    assert_eq!(*fake.timeouts.lock().unwrap(), [Duration::from_secs(120)]);
    let request = ModelRequest {
        timeout: Some(Duration::from_secs(7)),
        ..ModelRequest::default()
    };
    let fake = asked_once(endpoint(), &request).await;
    assert_eq!(*fake.timeouts.lock().unwrap(), [Duration::from_secs(7)]);
}

#[tokio::test]
async fn what_a_model_can_not_take_is_not_sent() {
    let request = || ModelRequest {
        tools: crate::scripted::tools().definitions(),
        temperature: Some(0.5),
        parallel_calls: Some(false),
        tool_choice: toolcrib::model::ToolChoice::Required,
        max_output_tokens: Some(9),
        ..ModelRequest::default()
    };
    let with = |can: toolcrib::model::Capabilities| {
        let mut endpoint = Endpoint::new("http://model.test/v1", None, "m");
        endpoint.capabilities = Some(can);
        endpoint
    };
    let plain = toolcrib::model::Capabilities::default();
    let sent = asked_once(with(plain.clone()), &request()).await;
    let sent = sent.requests.lock().unwrap()[0].clone();
    for field in [
        "tools",
        "temperature",
        "parallel_tool_calls",
        "tool_choice",
        "max_tokens",
    ] {
        assert!(sent.get(field).is_some(), "{field}");
    }
    let poor = toolcrib::model::Capabilities {
        tools: false,
        temperature: false,
        older_output_limit: false,
        ..plain
    };
    let sent = asked_once(with(poor), &request()).await;
    let sent = sent.requests.lock().unwrap()[0].clone();
    for field in [
        "tools",
        "temperature",
        "parallel_tool_calls",
        "tool_choice",
        "max_tokens",
    ] {
        assert_eq!(sent.get(field), None, "{field}");
    }
    assert_eq!(sent["max_completion_tokens"], 9);
}
