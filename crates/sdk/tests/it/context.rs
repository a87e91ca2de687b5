//! What is sent stays within what the model can read.

use serde_json::json;
use toolcrib::message::{Message, ToolMessage, Transcript, check_pairs, keep_latest_groups};
use toolcrib::model::{Capabilities, ModelErrorKind, SharedModel};
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{Client, GenerateErrorKind, Request, ToolSet, Warning, tool_fn};

use crate::scripted::{heard, tools};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Read {
    page: u32,
}

fn library() -> ToolSet {
    let mut tools = ToolSet::new();
    tools
        .add(tool_fn("read", "Reads a page.", |input: Read| async move {
            format!("Page {}. {}", input.page, "words ".repeat(500))
        }))
        .unwrap();
    tools
}

fn reads(pages: u32) -> Vec<Scripted> {
    (0..pages)
        .map(|page| Scripted::calls("read", json!({ "page": page })))
        .chain([Scripted::says("read it all")])
        .collect()
}

#[tokio::test]
async fn older_results_shrink_before_the_request_that_would_be_too_long() {
    let model = ScriptedModel::new(reads(6));
    let client = Client::new().context_tokens(4_000);
    let shared = SharedModel::new(model.clone());
    let request = Request::from_prompt("Read it.");
    let result = client
        .generate(&shared, request, &library(), 10)
        .await
        .unwrap();
    assert_eq!(result.output(), "read it all");
    assert_eq!(result.warnings(), [Warning::ContextTrimmed]);
    for request in model.requests() {
        check_pairs(&request.messages).unwrap();
        let bytes: usize = request
            .messages
            .iter()
            .map(|message| serde_json::to_string(message).unwrap().len())
            .sum();
        assert!(bytes < 12_000, "{bytes}");
    }
    let last = model.requests().pop().unwrap();
    let sent = heard(&last.messages);
    assert!(sent[0].0.contains("were left out to save room"));
    assert!(sent[5].0.len() > 3_000, "the latest is whole");
    let kept = heard(result.messages());
    assert!(
        kept.iter().all(|(text, _)| text.len() > 3_000),
        "nothing is lost to the caller"
    );
}

#[tokio::test]
async fn what_the_model_says_is_too_long_is_cut_and_sent_again() {
    let mut script = reads(4);
    script.insert(4, Scripted::fails(ModelErrorKind::ContextOverflow));
    let model = ScriptedModel::new(script);
    let shared = SharedModel::new(model.clone());
    let request = Request::from_prompt("Read it.");
    let result = Client::new()
        .generate(&shared, request, &library(), 10)
        .await
        .unwrap();
    assert_eq!(result.output(), "read it all");
    assert_eq!(result.warnings(), [Warning::ContextTrimmed]);
}

#[tokio::test]
async fn what_can_not_be_cut_is_an_error_before_anything_is_sent() {
    let model =
        ScriptedModel::new([Scripted::says("never said")]).with_capabilities(Capabilities {
            context_tokens: Some(1_000),
            ..Capabilities::default()
        });
    let shared = SharedModel::new(model.clone());
    let request = Request::from_prompt("x".repeat(10_000));
    let error = Client::new()
        .generate(&shared, request, &tools(), 5)
        .await
        .unwrap_err();
    assert!(matches!(
        error.kind(),
        GenerateErrorKind::ContextOverflow { needed, available } if needed > available
    ));
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_transcript_that_is_not_whole_is_not_sent() {
    let stray = Message::Tool(ToolMessage {
        call: toolcrib::id::CallId::mint(),
        name: "echo".into(),
        content: "ping".into(),
        is_error: false,
    });
    let model = ScriptedModel::new([Scripted::says("never said")]);
    let shared = SharedModel::new(model.clone());
    let request = Request::from_messages(vec![Message::user("Go"), stray]);
    let error = Client::new()
        .generate(&shared, request, &tools(), 5)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Transcript(_)));
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn trimming_takes_whole_groups() {
    let model = ScriptedModel::new(reads(3));
    let shared = SharedModel::new(model);
    let request = Request::from_prompt("Read it.");
    let result = Client::new()
        .generate(&shared, request, &library(), 10)
        .await
        .unwrap();
    for keep in 0..6 {
        let mut trimmed: Transcript = result.messages().clone();
        keep_latest_groups(&mut trimmed, keep);
        check_pairs(&trimmed).unwrap();
        assert!(
            trimmed
                .iter()
                .any(|message| matches!(message, Message::User { .. }))
        );
    }
}

#[tokio::test]
async fn the_room_is_that_of_the_model_that_is_asked() {
    let small = ScriptedModel::new(reads(0)).with_capabilities(Capabilities {
        context_tokens: Some(4_000),
        ..Capabilities::default()
    });
    let large = ScriptedModel::new(reads(4).into_iter().take(4));
    let shared_small = SharedModel::new(small.clone());
    let client = Client::new().prepare_step(move |plan| {
        if plan.step == 4 {
            plan.model = shared_small.clone();
        }
    });
    let shared = SharedModel::new(large);
    let request = Request::from_prompt("Read it.");
    let result = client
        .generate(&shared, request, &library(), 10)
        .await
        .unwrap();
    assert_eq!(result.output(), "read it all");
    assert_eq!(result.warnings(), [Warning::ContextTrimmed]);
    assert!(
        heard(&small.requests()[0].messages)[0]
            .0
            .contains("were left out")
    );
}

#[tokio::test]
async fn a_result_larger_than_the_model_can_read_is_cut_to_the_room() {
    let mut tools = ToolSet::new();
    tools
        .add(tool_fn("read", "Reads a page.", |_: Read| async {
            "words ".repeat(500_000)
        }))
        .unwrap();
    let model = ScriptedModel::new(reads(1));
    let client = Client::new().context_tokens(4_000);
    let shared = SharedModel::new(model.clone());
    let request = Request::from_prompt("Read it.");
    let result = client.generate(&shared, request, &tools, 10).await.unwrap();
    assert_eq!(result.output(), "read it all");
    let sent = heard(&model.requests()[1].messages);
    assert!(
        (6_000..12_000).contains(&sent[0].0.len()),
        "{}",
        sent[0].0.len()
    );
    assert!(
        heard(result.messages())[0].0.len() > 2_000_000,
        "the caller has it whole"
    );
}

#[tokio::test]
async fn a_run_that_waits_keeps_what_was_left_out_of_what_was_sent() {
    let mut tools = library();
    tools
        .register("page", "Waits.", crate::scripted::nothing())
        .unwrap();
    tools.add_executor(|_| async { toolcrib::ToolResult::ClientSide.into() });
    let mut script = reads(6);
    script.insert(6, Scripted::calls("page", json!({})));
    let shared = SharedModel::new(ScriptedModel::new(script));
    let client = Client::new().context_tokens(4_000);
    let request = Request::from_prompt("Read it.");
    let result = client.generate(&shared, request, &tools, 10).await.unwrap();
    assert_eq!(result.warnings(), [Warning::ContextTrimmed]);
    let text = serde_json::to_string(result.paused().unwrap()).unwrap();
    let mut paused: toolcrib::Paused = serde_json::from_str(&text).unwrap();
    let id = paused.pending()[0].call.id;
    paused
        .give_result(id, &toolcrib::ToolResult::success("turned"))
        .unwrap();
    let result = client.resume(&shared, paused, &tools).await.unwrap();
    assert_eq!(result.output(), "read it all");
    let kept = heard(result.messages());
    assert!(kept[..6].iter().all(|(text, _)| text.len() > 3_000));
}

#[tokio::test]
async fn what_the_tools_take_counts_as_well() {
    let mut tools = ToolSet::new();
    let long = "word ".repeat(5_000);
    let nothing = crate::scripted::nothing();
    tools.register("long", &long, nothing).unwrap();
    let model = ScriptedModel::new([Scripted::says("never said")]);
    let error = Client::new()
        .context_tokens(4_000)
        .generate(
            &SharedModel::new(model.clone()),
            Request::from_prompt("Go"),
            &tools,
            5,
        )
        .await
        .unwrap_err();
    assert!(matches!(
        error.kind(),
        GenerateErrorKind::ContextOverflow { .. }
    ));
    assert!(model.requests().is_empty());
}
