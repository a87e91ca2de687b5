//! Streams where two servers share a database: readers hear what the other server tells.

use std::future::Future;

use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use toolcrib_data::testing;
use toolcrib_testkit::{Reply, Rule, TestApp, TestClient};

use crate::support::{conversation, text, told, two, types};

async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    while !holds().await {
        tokio::task::yield_now().await;
    }
}

async fn number(app: &TestApp, query: &str) -> i64 {
    testing::number(app.runtime.store(), query).await.unwrap()
}

/// The stream of a conversation, as it comes in.
async fn open(client: &TestClient, talk: &str) -> reqwest::Response {
    let path = format!("/api/conversations/{talk}/stream");
    let response = client.raw(Method::GET, &path).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response
}

/// Reads on until `end` was told.
async fn read_to(response: &mut reqwest::Response, end: &str) -> String {
    let mut read = String::new();
    while !read.contains(end) {
        let bytes = response.chunk().await.unwrap().unwrap();
        read.push_str(std::str::from_utf8(&bytes).unwrap());
    }
    read
}

fn chunks(read: &str) -> Vec<Value> {
    let lines = read.lines().filter_map(|line| line.strip_prefix("data: "));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The ids of the parts in which text was told.
fn text_ids(chunks: &[Value]) -> Vec<&str> {
    let begun = chunks
        .iter()
        .filter(|chunk| text(chunk, "/type") == "text-start");
    begun.map(|chunk| text(chunk, "/id")).collect()
}

#[tokio::test]
async fn who_reads_at_another_server_hears_the_answer_as_it_is_told() {
    let (first, second) = two().await;
    first
        .model
        .script(vec![Rule::always(Reply::text("All of it is noted."))]);
    let (one, other) = (
        first.manager().await.unwrap(),
        second.manager().await.unwrap(),
    );
    // The answer is told, and can't be stored yet: the run goes on.
    let lock = "LOCK TABLE tc_steps IN SHARE MODE";
    let held = testing::hold(first.runtime.store(), lock).await.unwrap();
    let talk = conversation();
    let asking = one.chat("shop", &talk, "note it");
    let reading = async {
        until(async || number(&first, "SELECT count(*) FROM tc_stream_chunks").await > 0).await;
        let mut stream = open(&other, &talk).await;
        let heard = read_to(&mut stream, "text-end").await;
        held.commit().await.unwrap();
        heard + &read_to(&mut stream, "[DONE]").await
    };
    let (here, there) = join(asking, reading).await;
    let (here, there) = (here.unwrap(), chunks(&there));
    assert_eq!(told(&there), "All of it is noted.");
    assert_eq!(text_ids(&there), text_ids(&here));
    assert_eq!(types(&there).last(), Some(&"finish"));
}

#[tokio::test]
async fn a_run_that_another_server_takes_first_is_told_to_who_asked() {
    let (first, second) = two().await;
    first
        .model
        .script(vec![Rule::always(Reply::text("Noted."))]);
    let one = first.manager().await.unwrap();
    let mut again = 0;
    for _ in 0..10 {
        let talk = conversation();
        let looking = async {
            for _ in 0..20 {
                second.runtime.look_once().await.unwrap();
            }
        };
        let (here, ()) = join(one.chat("shop", &talk, "note it"), looking).await;
        let here = here.unwrap();
        assert_eq!(told(&here), "Noted.");
        assert_eq!(types(&here).last(), Some(&"finish"));
        let more_than_once =
            format!("SELECT count(*) FROM tc_runs WHERE conversation_id = '{talk}' AND epoch > 2");
        again += number(&first, &more_than_once).await;
    }
    assert_eq!(again, 0, "each was taken up once, by one of them");
}

#[tokio::test]
async fn what_is_told_is_kept_in_batches_and_given_notice_of() {
    let (first, _second) = two().await;
    let long = "One word after the other is told, and each of them comes on its own. ".repeat(20);
    first.model.script(vec![Rule::always(Reply::text(&long))]);
    let one = first.manager().await.unwrap();
    let mut notices = first.runtime.store().notices().await.unwrap().unwrap();
    let talk = conversation();
    let here = one.chat("shop", &talk, "note it").await.unwrap();
    let told_in_rows =
        "SELECT count(*) FROM tc_stream_chunks WHERE chunks LIKE '%\"end\":\"whole\"%'";
    until(async || number(&first, told_in_rows).await == 1).await;
    let rows = number(&first, "SELECT count(*) FROM tc_stream_chunks").await;
    let last = number(
        &first,
        "SELECT max(seq) FROM tc_stream_chunks WHERE epoch = 1",
    )
    .await;
    assert_eq!(
        rows, last,
        "numbered without a gap, under one taking of the run"
    );
    assert!(
        rows < i64::try_from(here.len()).unwrap() / 2,
        "{rows} batches of {} chunks",
        here.len()
    );
    let run = here[0]
        .pointer("/messageMetadata/runId")
        .or_else(|| here[1].pointer("/messageMetadata/runId"));
    for seq in 1..=rows {
        let notice = notices.next().await.unwrap().unwrap();
        let run = run.and_then(Value::as_str).unwrap();
        assert_eq!(
            notice.to_string(),
            format!("told {run} {seq}"),
            "run and number, no content"
        );
    }
}

#[tokio::test]
async fn a_step_that_was_taken_over_is_told_anew_and_what_was_told_of_it_is_skipped() {
    let (first, second) = two().await;
    first
        .model
        .script(vec![Rule::always(Reply::text("Noted."))]);
    let (one, other) = (
        first.manager().await.unwrap(),
        second.manager().await.unwrap(),
    );
    testing::forbid(first.runtime.store(), "tc_steps", ("step", "0"))
        .await
        .unwrap();
    let talk = conversation();
    one.chat("shop", &talk, "note it").await.unwrap_err();
    until(async || {
        let free = "SELECT count(*) FROM tc_runs WHERE lease_owner IS NULL";
        number(&first, free).await == 1
    })
    .await;
    let dead =
        "SELECT count(*) FROM tc_stream_chunks WHERE epoch = 1 AND chunks LIKE '%-0-1-text%'";
    until(async || number(&first, dead).await > 0).await;
    let mut stream = open(&other, &talk).await;
    testing::allow(first.runtime.store(), "tc_steps")
        .await
        .unwrap();
    first.runtime.look_once().await.unwrap();
    let heard = chunks(&read_to(&mut stream, "[DONE]").await);
    assert_eq!(told(&heard), "Noted.");
    let ids = text_ids(&heard);
    assert_eq!(ids.len(), 1, "{heard:?}");
    assert!(ids[0].ends_with("-0-3-text"), "{ids:?}");
    let types = types(&heard);
    let step = types.iter().position(|kind| *kind == "start-step");
    assert_eq!(types[step.unwrap() + 1], "data-restart", "{types:?}");
    // Told again from rows, its parts are the same.
    let (_, body) = one
        .get(&format!("/api/conversations/{talk}"))
        .await
        .unwrap();
    assert!(body.to_string().contains("Noted."));
}

#[tokio::test]
async fn a_stop_reaches_the_server_that_is_at_work() {
    let (first, second) = two().await;
    first.model.script(vec![Rule::always(Reply {
        hang: true,
        ..Reply::default()
    })]);
    let (one, other) = (
        first.manager().await.unwrap(),
        second.manager().await.unwrap(),
    );
    let talk = conversation();
    let stopping = async {
        until(async || !first.model.requests().is_empty()).await;
        let stop = format!("/api/conversations/{talk}/stop");
        other.post(&stop, &json!({})).await.unwrap();
    };
    let (here, ()) = join(one.chat("shop", &talk, "note it"), stopping).await;
    assert_eq!(types(&here.unwrap()).last(), Some(&"abort"));
}
