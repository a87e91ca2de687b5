//! What grows stays affordable: each of these took minutes where something was done once for each
//! pair.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use toolcrib::agent::step::{Bounds, CallText, Step, next, results};
use toolcrib::message::{
    AssistantMessage, AssistantPart, Message, ToolCall, ToolMessage, check_pairs,
};
use toolcrib::read::Reader;
use toolcrib::state::CallState;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{Client, UnknownTools, unknown_tool};

use crate::scripted::{heard, run, tools};

fn within(seconds: u64, what: impl FnOnce()) {
    let begun = Instant::now();
    what();
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(seconds), "it took {took:?}");
}

fn many(calls: usize) -> Step {
    let calls = (0..calls).map(|at| ToolCall::new("echo", format!("{{\"message\":\"{at}\"}}")));
    Step::asked(AssistantMessage {
        parts: calls.map(AssistantPart::ToolCall).collect(),
    })
}

#[test]
fn thousands_of_calls_in_one_answer_are_decided_on_at_once() {
    let mut steps = vec![many(4_000); 3];
    within(20, || drop(next(&steps, Bounds::steps(9))));
    for call in steps.iter_mut().flat_map(|step| &mut step.calls) {
        call.state = CallState::Succeeded;
        call.result = Some(CallText {
            content: "ok".to_owned(),
            is_error: false,
        });
    }
    within(20, || assert_eq!(results(&steps).len(), 4_000));
}

#[test]
fn thousands_of_results_are_paired_in_any_order() {
    let step = many(100_000);
    let results = step.answer.tool_calls().map(|call| {
        Message::Tool(ToolMessage {
            call: call.id,
            name: "echo".to_owned(),
            content: String::new(),
            is_error: false,
        })
    });
    let mut results: Vec<Message> = results.collect();
    results.reverse();
    let mut messages = vec![Message::Assistant(step.answer)];
    messages.extend(results);
    within(20, || check_pairs(&messages).unwrap());
}

#[tokio::test]
async fn a_name_of_megabytes_is_told_as_unknown() {
    let name = "échø".repeat(2_000_000);
    let known: Vec<String> = (0..200).map(|at| format!("tool_{at}")).collect();
    within(20, || {
        let text = unknown_tool(&name, known.iter().map(String::as_str));
        assert!(text.len() < 1_000);
    });
    let model = ScriptedModel::new([
        Scripted::calls_all([ToolCall::new(name, "{}")]),
        Scripted::says("done"),
    ]);
    let client = Client::new().unknown_tools(UnknownTools::TellModel);
    let result = run(&client, &model, &tools(), 5).await.unwrap();
    assert!(heard(result.messages())[0].0.len() < 1_000);
}

#[test]
fn what_is_told_of_arguments_is_bounded() {
    let reader = Reader::new(&serde_json::json!({
        "type": "object",
        "properties": {"limit": {"type": "integer"}},
        "additionalProperties": false,
    }))
    .unwrap();
    let unknown: Map<String, Value> = (0..20_000)
        .map(|at| (format!("key_{at}"), Value::Null))
        .collect();
    let long: Map<String, Value> = [("k".repeat(1_000_000), Value::Null)].into_iter().collect();
    let open = Reader::new(&serde_json::json!({
        "type": "object",
        "additionalProperties": {"type": "integer"},
    }))
    .unwrap();
    for (reader, arguments) in [(&reader, unknown), (&reader, long.clone()), (&open, long)] {
        within(20, || {
            let told = reader
                .read(&Value::Object(arguments).to_string())
                .unwrap_err();
            assert!(told.problems.len() <= 20, "{}", told.problems.len());
            assert!(
                told.to_string().len() < 20_000,
                "{}",
                told.to_string().len()
            );
        });
    }
}
