//! Answers that come as they should.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};
use toolcrib::model::{Answer, FinishReason};

use super::super::fake::{Canned, Fake};
use super::super::said::{End, Fixture, Said, call, noisy, parts, text, thought};
use super::{KEY, Provider, ask, asking, asking_whole, capabilities, endpoint};

fn fixture<P: Provider>(name: &'static str, said: &[Said], end: End, counts: bool) -> Fixture {
    let has_calls = said.iter().any(|said| matches!(said, Said::Call { .. }));
    let mut calls = 0;
    let parts = said.iter().enumerate().map(|(at, said)| {
        let mut part = match said {
            Said::Text(text) => json!({"type": "text", "text": text}),
            Said::Thought(text) => json!({"type": "reasoning", "text": text}),
            Said::Call {
                id,
                name,
                arguments,
            } => {
                calls += 1;
                json!({"type": "tool_call", "id": format!("call-{calls}"), "provider_id": id,
                    "name": name, "arguments": arguments})
            }
        };
        if end == End::Limit && matches!(said, Said::Call { .. }) {
            part["cut"] = json!(true);
        }
        if let Some(data) = P::blob(said, at) {
            part["provider"] = json!({"provider": P::NAME, "data": data});
        }
        part
    });
    Fixture {
        name,
        stream: P::stream(said, end, counts),
        whole: P::whole(said, end, counts),
        parts: parts.collect(),
        finish: match end {
            End::Done if has_calls => FinishReason::ToolCalls,
            End::Done => FinishReason::Stop,
            End::Limit => FinishReason::Length,
            End::Odd => P::odd(),
        },
        usage: counts.then(P::usage),
    }
}

fn fixtures<P: Provider>() -> Vec<Fixture> {
    let zurich = call("call_a", "weather", "{\"city\":\"Zürich\"}");
    let bern = call(
        "call_b",
        "time_in",
        "{\"city\":\"Bern\",\"as\":{\"unit\":\"😀\"}}",
    );
    let hello = text("Grüße aus dem Café 😀");
    let think = thought("Let me look: 😀");
    let of = |name, said: Vec<Said>, end| fixture::<P>(name, &said, end, true);
    let mut all = vec![
        of("text", vec![hello.clone()], End::Done),
        of("one call", vec![zurich.clone()], End::Done),
        of("two calls", vec![zurich.clone(), bern], End::Done),
        of(
            "text and a call",
            vec![hello.clone(), zurich.clone()],
            End::Done,
        ),
        of(
            "a thought and a call",
            vec![think.clone(), zurich],
            End::Done,
        ),
        of("a thought and text", vec![think, hello.clone()], End::Done),
        of("cut text", vec![hello.clone()], End::Limit),
        of("an odd end", vec![hello.clone()], End::Odd),
        fixture::<P>("no counts", &[hello], End::Done, false),
        P::refusal(),
    ];
    if P::NAME != "gemini" {
        let cut = call("call_a", "weather", "{\"city\":\"Zür");
        all.push(of("a cut call", vec![cut], End::Limit));
    }
    all
}

fn check(fixture: &Fixture, answer: &Answer, how: &str) {
    let name = fixture.name;
    assert_eq!(parts(answer), fixture.parts, "{name}, {how}");
    assert_eq!(answer.meta.finish, fixture.finish, "{name}, {how}");
    assert_eq!(answer.meta.usage, fixture.usage, "{name}, {how}");
    assert_eq!(answer.meta.model, "m-1", "{name}, {how}");
}

async fn check_streamed<P: Provider>(fixture: &Fixture, canned: Canned, how: &str) {
    let outcome = ask::<P>(&asking(), [canned]).await;
    let answer = outcome.answer.unwrap();
    check(fixture, &answer, how);
    outcome.told.check(&answer);
}

pub(super) async fn whole_and_streamed_answers_are_the_same<P: Provider>() {
    for fixture in fixtures::<P>() {
        check_streamed::<P>(&fixture, Canned::stream(&fixture.stream), "streamed").await;
        // Some servers say that a stream is JSON.
        let other = Canned::json(&fixture.stream);
        check_streamed::<P>(&fixture, other, "streamed as JSON").await;
        if let Some(whole) = &fixture.whole {
            let outcome = ask::<P>(&asking_whole(), [Canned::json(whole)]).await;
            let answer = outcome.answer.unwrap();
            check(&fixture, &answer, "whole");
            outcome.told.check(&answer);
        }
    }
}

pub(super) async fn answers_are_the_same_wherever_the_network_splits_them<P: Provider>() {
    for fixture in fixtures::<P>() {
        let stream = &fixture.stream;
        for at in 0..=stream.len() {
            let how = format!("split at {at}");
            check_streamed::<P>(&fixture, Canned::split(stream, at), &how).await;
        }
        check_streamed::<P>(&fixture, Canned::dripping(stream), "byte by byte").await;
        let noisy = noisy(stream, P::PING);
        check_streamed::<P>(&fixture, Canned::stream(&noisy), "noisy").await;
        check_streamed::<P>(&fixture, Canned::dripping(&noisy), "noisy, byte by byte").await;
    }
}

pub(super) async fn requests_go_where_the_provider_listens<P: Provider>() {
    let said = [text("Hello")];
    let streamed = Canned::stream(&P::stream(&said, End::Done, true)).with("x-request-id", "req-1");
    let whole = P::whole(&said, End::Done, true).unwrap();
    for (request, canned, path) in [
        (asking(), streamed, P::PATHS[0]),
        (asking_whole(), Canned::json(whole), P::PATHS[1]),
    ] {
        let outcome = ask::<P>(&request, [canned]).await;
        let seen = outcome.fake.seen().pop().unwrap();
        assert_eq!(seen.url, format!("http://model.test/v1{path}"));
        assert_eq!(seen.method, Method::POST);
        let (header, before) = P::KEY_HEADER;
        assert_eq!(seen.headers[header], format!("{before}{KEY}"));
        assert_eq!(seen.headers["content-type"], "application/json");
        let answer = outcome.answer.unwrap();
        assert_eq!((answer.meta.attempts, answer.meta.retried.len()), (1, 0));
    }
}

pub(super) async fn models_are_listed<P: Provider>() {
    let fake = Fake::answering([Canned::json(P::models_body())]);
    let model = P::http(endpoint(capabilities()), Arc::clone(&fake));
    assert_eq!(P::models(&model).await, ["a", "b"]);
    let seen = fake.seen().pop().unwrap();
    assert_eq!(seen.url, format!("http://model.test/v1{}", P::MODELS));
    assert_eq!(seen.method, Method::GET);
}

pub(super) async fn an_id_that_two_calls_share_is_worthless<P: Provider>() {
    let said = ["same", "same", " "].map(|id| call(id, "weather", "{}"));
    let stream = Canned::stream(&P::stream(&said, End::Done, true));
    let answer = ask::<P>(&asking(), [stream]).await.answer.unwrap();
    let ids: Vec<Value> = parts(&answer)
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part["provider_id"].clone())
        .collect();
    assert_eq!(ids, [json!("same"), Value::Null, Value::Null]);
    let mut own: Vec<_> = answer.message.tool_calls().map(|call| call.id).collect();
    own.dedup();
    assert_eq!(own.len(), 3);
}
