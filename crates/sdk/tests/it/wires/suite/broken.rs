//! Answers that do not come as they should.

use std::time::Duration;

use bytes::Bytes;
use toolcrib::model::ModelErrorKind as Kind;

use super::super::fake::{Body, Canned};
use super::super::said::{End, sse, text, until};
use super::{KEY, Outcome, Provider, Trouble, ask, asking, asking_whole, done, endpoint};

const LIMITED: Kind = Kind::RateLimited { retry_after: None };

/// A stream up to its first text.
fn begun<P: Provider>() -> String {
    until(&P::stream(&[text("Grüße Café")], End::Done, true), "Grüße")
}

async fn times<P: Provider>(canned: &Canned) -> Outcome {
    let streamed = matches!(&canned.headers.first(), Some((_, kind)) if kind.contains("stream"));
    let request = if streamed { asking() } else { asking_whole() };
    ask::<P>(&request, vec![canned.clone(); 3]).await
}

/// Asserts how often a failing request is made, and what comes of it.
async fn fails<P: Provider>(canned: &Canned, kind: Kind, requests: usize) {
    let outcome = times::<P>(canned).await;
    let error = outcome.answer.unwrap_err();
    assert_eq!(error.kind, kind, "{canned:?}: {error}");
    assert_eq!(outcome.fake.seen().len(), requests, "{canned:?}: {error}");
    assert_eq!(
        (error.provider.as_str(), error.model.as_str()),
        (P::NAME, "m")
    );
}

pub(super) async fn errors_inside_an_answer_count_like_their_status<P: Provider>() {
    for (trouble, kind, requests) in [
        (Trouble::Overloaded, Kind::Unavailable, 3),
        (Trouble::RateLimited, LIMITED, 3),
        (Trouble::Invalid, Kind::Invalid, 1),
    ] {
        let (event, whole) = P::trouble(trouble);
        for before in [String::new(), begun::<P>()] {
            let stream = before + &sse([&event]);
            fails::<P>(&Canned::stream(&stream), kind, requests).await;
        }
        fails::<P>(&Canned::json(whole), kind, requests).await;
    }
}

pub(super) async fn an_overload_after_text_starts_again<P: Provider>() {
    let (event, _) = P::trouble(Trouble::Overloaded);
    let broken = begun::<P>() + &sse([&event]);
    let outcome = ask::<P>(&asking(), [Canned::stream(&broken), done::<P>()]).await;
    let answer = outcome.answer.unwrap();
    assert_eq!(outcome.told.restarts, 1, "what was told before is void");
    outcome.told.check(&answer);
    assert_eq!(answer.message.text(), "Done.");
    assert_eq!(answer.meta.attempts, 2);
    let silent = Canned::stream(&sse([&event]));
    let outcome = ask::<P>(&asking(), [silent, done::<P>()]).await;
    assert_eq!(outcome.told.restarts, 0, "nothing was told before");
}

pub(super) async fn what_is_no_answer_is_an_error<P: Provider>() {
    let html = "<!doctype html><html><body>Sign in</body></html>";
    fails::<P>(&Canned::stream(&begun::<P>()), Kind::CutOff, 3).await;
    fails::<P>(&Canned::stream(""), Kind::CutOff, 3).await;
    fails::<P>(&Canned::json(""), Kind::CutOff, 3).await;
    fails::<P>(&Canned::json(html), Kind::Broken, 1).await;
    fails::<P>(&Canned::stream("data: {\"oops\n\n"), Kind::Broken, 1).await;
    for body in ["{}", "[]", "null", "7", "[[]]", "\"yes\""] {
        fails::<P>(&Canned::json(body), Kind::Broken, 1).await;
    }
    for data in ["{}", "[]", "null", "7", "[[]]", "\"yes\""] {
        let stream = format!("data: {data}\n\n");
        fails::<P>(&Canned::stream(&stream), Kind::CutOff, 3).await;
    }
}

pub(super) async fn each_status_has_its_kind<P: Provider>() {
    let json = r#"{"error":{"message":"no"}}"#;
    let html = "<html><body><h1>Bad Gateway</h1></body></html>";
    let long = r#"{"error":{"message":"prompt is too long: 9 tokens"}}"#;
    for (status, body, kind, requests) in [
        (401, json, Kind::Auth, 1),
        (403, json, Kind::Auth, 1),
        (400, json, Kind::Invalid, 1),
        (404, html, Kind::Invalid, 1),
        (422, json, Kind::Invalid, 1),
        (408, json, Kind::Timeout, 3),
        (504, html, Kind::Timeout, 3),
        (429, json, LIMITED, 3),
        (500, json, Kind::Unavailable, 3),
        (502, html, Kind::Unavailable, 3),
        (529, json, Kind::Unavailable, 3),
        (400, long, Kind::ContextOverflow, 1),
    ] {
        let canned = Canned::status(status, body);
        fails::<P>(&canned, kind, requests).await;
        let error = times::<P>(&canned).await.answer.unwrap_err();
        assert_eq!(error.status, Some(status));
        assert_eq!(error.body, body);
    }
    for (name, value) in [("retry-after", "0.002"), ("retry-after-ms", "2")] {
        let retry_after = Some(Duration::from_millis(2));
        let canned = Canned::status(429, json).with(name, value);
        fails::<P>(&canned, Kind::RateLimited { retry_after }, 3).await;
    }
    let long = "x".repeat(20_000);
    let error = times::<P>(&Canned::status(400, &long))
        .await
        .answer
        .unwrap_err();
    assert_eq!(error.body.len(), 250);
}

pub(super) async fn failed_attempts_are_listed<P: Provider>() {
    let answers = [
        Canned::status(529, "busy"),
        Canned::stream(&begun::<P>()),
        done::<P>(),
    ];
    let outcome = ask::<P>(&asking(), answers).await;
    let meta = outcome.answer.unwrap().meta;
    assert_eq!(meta.attempts, 3);
    let statuses: Vec<_> = meta.retried.iter().map(|failed| failed.status).collect();
    assert_eq!(statuses, [Some(529), None]);
    assert!(
        meta.retried[0].error.ends_with("busy"),
        "{:?}",
        meta.retried
    );
    let bodies: Vec<_> = outcome
        .fake
        .seen()
        .into_iter()
        .map(|seen| seen.raw)
        .collect();
    assert!(
        bodies.iter().all(|body| *body == bodies[0]),
        "the same is asked"
    );
}

pub(super) async fn the_key_is_nowhere<P: Provider>() {
    let said = [text(&format!("You sent {KEY}."))];
    let whole = P::whole(&said, End::Done, true).unwrap();
    let leaky = [
        Canned::json(format!("<html>you sent {KEY}</html>")),
        Canned::json(whole),
        Canned::stream(&format!("data: oops {KEY}\n\n")),
        Canned::stream(&sse([&serde_json::json!({"error": {"message": KEY}})])),
        Canned::json(serde_json::json!({"error": {"message": KEY}})),
        Canned::status(401, &format!("{}{KEY}", "x".repeat(240))),
        Canned::status(500, KEY),
    ];
    for canned in leaky {
        let outcome = times::<P>(&canned).await;
        let told = match &outcome.answer {
            Ok(answer) => format!("{answer:?} {:?}", outcome.told),
            Err(error) => format!("{error} {error:?}"),
        };
        assert!(!told.contains("canary"), "{canned:?} told {told}");
    }
    let model = P::http(endpoint(super::capabilities()), super::Fake::answering([]));
    assert!(!format!("{model:?}").contains("canary"));
}

pub(super) async fn a_stream_that_stands_still_is_a_timeout<P: Provider>() {
    let stalled = Canned::streamed(Body::Stalled(Bytes::from(begun::<P>())));
    let before = tokio::time::Instant::now();
    let outcome = times::<P>(&stalled).await;
    assert_eq!(outcome.answer.unwrap_err().kind, Kind::Timeout);
    assert_eq!(outcome.fake.seen().len(), 3);
    assert_eq!(outcome.told.restarts, 2);
    assert_eq!(
        before.elapsed().as_secs(),
        360,
        "the patience of three attempts"
    );
}
