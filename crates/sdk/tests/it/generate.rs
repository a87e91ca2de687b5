use tokio_util::sync::CancellationToken;
use toolcrib::message::{Message, check_pairs};
use toolcrib::model::{ModelEvent, SharedModel};
use toolcrib::{Client, GenerateError, GenerateResult, Request};

use crate::scripted::{Scripted, calls, says, tools};

async fn run(model: &Scripted, max_steps: usize) -> Result<GenerateResult, GenerateError> {
    let shared = SharedModel::new(model.clone());
    Client::default()
        .generate(
            &shared,
            Request::from_prompt("Echo the word ping"),
            &tools(),
            max_steps,
        )
        .await
}

fn heard(result: &GenerateResult) -> Vec<(String, bool)> {
    let results = result
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => Some((result.content.clone(), result.is_error)),
            Message::User { .. } | Message::Assistant(_) => None,
        });
    results.collect()
}

#[tokio::test]
async fn a_registered_tool_runs_and_the_loop_goes_on() {
    let model = Scripted::new(vec![
        calls(&[("echo", "{\"message\":\"ping\"}")]),
        says("The echo tool returned: ping"),
    ]);
    let result = run(&model, 5).await.unwrap();
    assert_eq!(result.output(), "The echo tool returned: ping");
    assert_eq!(result.step_count(), 2);
    assert!(!result.has_tool_calls() && !result.stopped_at_step_limit());
    assert_eq!(heard(&result), [("ping".to_owned(), false)]);
    assert_eq!(result.total_input_tokens(), Some(20));
    assert_eq!(result.total_output_tokens(), Some(4));
    assert_eq!(result.response_calls().len(), 2);
    check_pairs(result.messages()).unwrap();
}

#[tokio::test]
async fn the_step_limit_is_a_success_with_a_warning_and_no_output() {
    for max_steps in [0, 1] {
        let model = Scripted::new(vec![calls(&[("echo", "{\"message\":\"ping\"}")])]);
        let result = run(&model, max_steps).await.unwrap();
        assert!(result.stopped_at_step_limit() && result.has_tool_calls());
        assert_eq!(result.output(), "");
        assert_eq!(result.tool_calls().len(), 1);
        assert_eq!(result.warnings()[0].name(), "tool_loop_step_limit");
        assert!(
            heard(&result)[0].0.contains("step limit"),
            "pending calls are not run"
        );
        check_pairs(result.messages()).unwrap();
    }
}

#[tokio::test]
async fn failures_panics_and_unknown_names_go_back_to_the_model() {
    let model = Scripted::new(vec![
        calls(&[
            ("echo", "{\"message\":\"fail\"}"),
            ("echo", "{\"message\":\"panic\"}"),
            ("ecko", "{}"),
            ("echo", "{\"message\":"),
            ("echo", "{\"text\":\"x\"}"),
        ]),
        says("done"),
    ]);
    let result = run(&model, 5).await.unwrap();
    let heard = heard(&result);
    assert!(heard.iter().all(|(_, is_error)| *is_error));
    let texts: Vec<&str> = heard.iter().map(|(text, _)| text.as_str()).collect();
    assert_eq!(texts[0], "I will not say that.");
    assert_eq!(texts[1], "The tool broke down.");
    assert!(texts[2].contains("Nearest: echo"), "{texts:?}");
    assert!(texts[3].contains("not valid JSON"), "{texts:?}");
    assert!(
        texts[4].contains("unknown parameter `text`; there are: message"),
        "{texts:?}"
    );
    assert!(
        texts[4].contains("`message` is required"),
        "all problems at once: {texts:?}"
    );
}

#[tokio::test]
async fn an_abort_ends_the_run() {
    let model = Scripted::new(vec![
        calls(&[("echo", "{\"message\":\"abort\"}")]),
        says("never said"),
    ]);
    assert!(
        matches!(run(&model, 5).await, Err(GenerateError::Aborted { reason }) if reason == "enough")
    );
    assert_eq!(model.requests.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_model_error_ends_the_run() {
    let model = Scripted::new(vec![]);
    assert!(matches!(run(&model, 5).await, Err(GenerateError::Model(_))));
}

#[tokio::test]
async fn a_cancelled_run_asks_nobody() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let model = Scripted::new(vec![says("hello")]);
    let shared = SharedModel::new(model.clone());
    let outcome = Client::with_cancel(cancel)
        .generate(&shared, Request::from_prompt("hi"), &tools(), 5)
        .await;
    assert!(matches!(outcome, Err(GenerateError::Cancelled)));
    assert!(model.requests.lock().unwrap().is_empty());
}

#[tokio::test]
async fn streaming_tells_the_same_answer() {
    let shared = SharedModel::new(Scripted::new(vec![says("Hello there")]));
    let mut text = String::new();
    let mut sink = |event| {
        if let ModelEvent::Text(delta) = event {
            text.push_str(&delta);
        }
    };
    let result = Client::default()
        .generate_streaming(&shared, Request::from_prompt("hi"), &tools(), 5, &mut sink)
        .await;
    assert_eq!(result.unwrap().output(), "Hello there");
    assert_eq!(text, "Hello there");
}
