use std::time::Duration;

use serde_json::json;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions};

use crate::support::{assert_paired, conversation, last_messages, text, told, types};

#[tokio::test]
async fn an_unknown_tool_and_broken_arguments_go_back_to_the_model() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user(
            "go",
            Reply::calls(vec![
                ("read_recrod", json!({"model": "order", "id": 1})),
                ("read_record", json!("{\"model\": \"order\", \"id\": ")),
                ("read_record", json!({"model": "order", "id": 1, "what": 2})),
                ("read_record", json!("")),
            ]),
        ),
        Rule::after("read_record", Reply::text("I see.")),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let chunks = client.chat("shop", &id, "go").await.unwrap();
    assert_eq!(told(&chunks), "I see.");
    let messages = last_messages(&app.model.requests());
    assert_paired(&messages);
    let heard: Vec<&str> = messages
        .iter()
        .filter(|m| text(m, "/role") == "tool")
        .map(|m| text(m, "/content"))
        .collect();
    assert!(
        heard[0].contains("no tool named `read_recrod`. Nearest: read_record"),
        "{heard:?}"
    );
    assert!(
        heard[1].contains("not valid JSON") && heard[1].contains("line 1 column"),
        "{heard:?}"
    );
    assert!(heard[2].contains("unknown parameter `what`"), "{heard:?}");
    assert!(heard[3].contains("`model` is required"), "{heard:?}");
    let replayed = messages
        .iter()
        .find(|message| message.get("tool_calls").is_some())
        .unwrap();
    for call in replayed["tool_calls"].as_array().unwrap() {
        let arguments: serde_json::Value =
            serde_json::from_str(text(call, "/function/arguments")).unwrap();
        assert!(
            arguments.is_object(),
            "a transcript with broken arguments would be refused for ever"
        );
    }
}

#[tokio::test]
async fn a_model_that_never_answers_fails_the_run_and_can_be_asked_again() {
    let options = TestAppOptions {
        model_timeout: Duration::from_millis(200),
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    app.model.script(vec![Rule::always(Reply {
        hang: true,
        ..Reply::default()
    })]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let chunks = client.chat("shop", &id, "hello").await.unwrap();
    assert_eq!(types(&chunks).last(), Some(&"error"));
    assert!(
        text(chunks.last().unwrap(), "/errorText").contains("did not answer in time"),
        "{chunks:?}"
    );
    app.model
        .script(vec![Rule::always(Reply::text("Here I am."))]);
    let again = json!({"id": id, "trigger": "regenerate-message", "messages": []});
    let (status, _) = client.post("/api/agents/shop/chat", &again).await.unwrap();
    assert_eq!(status, 200);
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Here I am."), "{settled}");
}

#[tokio::test]
async fn a_run_that_failed_half_way_goes_on_without_repeating_a_call() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user("go", Reply::call("list_models", json!({}))),
        Rule::after(
            "list_models",
            Reply {
                status: Some(400),
                ..Reply::default()
            },
        ),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    client.chat("shop", &id, "go").await.unwrap();
    app.model.script(vec![Rule::after(
        "list_models",
        Reply::text("Five models."),
    )]);
    let again = json!({"id": id, "trigger": "regenerate-message", "messages": []});
    client.post("/api/agents/shop/chat", &again).await.unwrap();
    let settled = client.settled(&id).await.unwrap();
    assert!(settled.to_string().contains("Five models."));
    let (_, calls) = client.get("/api/calls?tool=list_models").await.unwrap();
    assert_eq!(calls["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn overload_is_waited_out_and_refusals_are_told() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let busy = |status| {
        Rule::always(Reply {
            status: Some(status),
            retry_after: Some(0),
            ..Reply::default()
        })
    };
    app.model.script(vec![
        busy(429).times(1),
        busy(500).times(1),
        Rule::always(Reply::text("At last.")),
    ]);
    let chunks = client.chat("shop", &conversation(), "hello").await.unwrap();
    assert_eq!(told(&chunks), "At last.");
    assert_eq!(app.model.requests().len(), 3);
    app.model.script(vec![busy(401)]);
    let chunks = client.chat("shop", &conversation(), "hello").await.unwrap();
    let error = text(chunks.last().unwrap(), "/errorText");
    assert!(
        error.contains("refused the key") && error.contains("401"),
        "{error}"
    );
    assert!(!error.contains("canary"));
}

#[tokio::test]
async fn a_stream_that_breaks_off_or_is_no_json_is_no_answer() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let write = json!({"model": "order", "id": 1, "values": {"note": "half"}});
    for reply in [
        Reply {
            cut: true,
            ..Reply::call("update_record", write.clone())
        },
        Reply {
            broken_json: true,
            ..Reply::call("update_record", write.clone())
        },
    ] {
        app.model.script(vec![Rule::always(reply)]);
        let id = conversation();
        let chunks = client.chat("shop", &id, "go").await.unwrap();
        assert_eq!(types(&chunks).last(), Some(&"error"), "{chunks:?}");
    }
    assert!(
        client.pending().await.unwrap().is_empty(),
        "an open call never runs"
    );
}

#[tokio::test]
async fn a_call_that_the_output_limit_cut_off_does_not_run() {
    let app = TestApp::start().await.unwrap();
    let reply = Reply {
        finish_reason: Some("length".into()),
        ..Reply::call("list_models", json!("{\"a\": "))
    };
    app.model.script(vec![
        Rule::on_user("go", reply),
        Rule::after("list_models", Reply::text("Shorter then.")),
    ]);
    let client = app.manager().await.unwrap();
    let chunks = client.chat("shop", &conversation(), "go").await.unwrap();
    assert_eq!(told(&chunks), "Shorter then.");
    let messages = last_messages(&app.model.requests());
    assert!(
        text(messages.last().unwrap(), "/content").contains("cut this call off"),
        "{messages:?}"
    );
}

#[tokio::test]
async fn a_stop_ends_the_run_and_leaves_a_whole_transcript() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![Rule::always(Reply {
        chunk_delay_ms: 50,
        ..Reply::text(&"word ".repeat(400))
    })]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let (reader, path) = (client.clone(), format!("/api/conversations/{id}/stop"));
    let chatting = {
        let id = id.clone();
        async move { reader.chat("shop", &id, "talk").await.unwrap() }
    };
    let stopping = async {
        // The run is stored before the stream opens: ask until it is there.
        while client.post(&path, &json!({})).await.unwrap().0 != 204 {}
        loop {
            client.post(&path, &json!({})).await.unwrap();
            let (_, body) = client
                .get(&format!("/api/conversations/{id}"))
                .await
                .unwrap();
            if text(&body, "/state") == "idle"
                && body["messages"].as_array().is_some_and(|m| m.len() == 2)
            {
                return body;
            }
        }
    };
    let (chunks, body) = tokio::join!(chatting, stopping);
    assert_eq!(
        types(&chunks).last(),
        Some(&"abort"),
        "{:?}",
        types(&chunks)
    );
    assert_eq!(text(&body, "/messages/1/metadata/state"), "stopped");
    app.model.script(vec![Rule::always(Reply::text("Yes?"))]);
    client.chat("shop", &id, "again").await.unwrap();
    assert_paired(&last_messages(&app.model.requests()));
}

#[tokio::test]
async fn closing_the_connection_does_not_stop_the_run() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![Rule::always(Reply {
        chunk_delay_ms: 5,
        ..Reply::text(&"word ".repeat(50))
    })]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let body = json!({"id": id, "trigger": "submit-message", "messages": [
        {"id": "m1", "role": "user", "parts": [{"type": "text", "text": "talk"}]}]});
    let response = client
        .send(reqwest::Method::POST, "/api/agents/shop/chat", Some(&body))
        .await
        .unwrap();
    drop(response);
    let joined = client.join(&id).await.unwrap();
    assert_eq!(
        types(&joined).first(),
        Some(&"start"),
        "told from the beginning"
    );
    assert_eq!(told(&joined), "word ".repeat(50));
}

#[tokio::test]
async fn an_answer_that_broke_off_is_told_anew_under_the_same_ids() {
    let app = TestApp::start().await.unwrap();
    let half = Reply {
        cut: true,
        ..Reply::text("I will now tell you all about it.")
    };
    app.model.script(vec![
        Rule::always(half).times(1),
        Rule::always(Reply::text("Here it is.")),
    ]);
    let client = app.manager().await.unwrap();
    let id = conversation();
    let chunks = client.chat("shop", &id, "go").await.unwrap();
    let restart = chunks
        .iter()
        .position(|chunk| text(chunk, "/type") == "data-restart")
        .unwrap();
    let begun: Vec<&str> = chunks
        .iter()
        .filter(|chunk| text(chunk, "/type") == "text-start")
        .map(|chunk| text(chunk, "/id"))
        .collect();
    assert_eq!(begun.len(), 2, "{chunks:?}");
    assert_eq!(begun[0], begun[1], "a replay tells the part by this id");
    assert_eq!(told(&chunks[restart..]), "Here it is.");
    let settled = client.settled(&id).await.unwrap();
    assert!(
        !settled.to_string().contains("I will now tell"),
        "{settled}"
    );
}
