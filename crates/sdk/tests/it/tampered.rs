//! Runs that were kept, and are not what they were when they come back.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use toolcrib::model::SharedModel;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, GenerateError, GenerateErrorKind, GenerateResult, Paused, Tool, ToolContext,
    ToolResult, ToolSet, Tools, UnknownTools, Warning,
};

use crate::scripted::{Echo, calls, heard, nothing, run, tools};

fn shop() -> ToolSet {
    let mut tools = tools();
    tools.register("close", "Closes it.", nothing()).unwrap();
    tools.add_executor(|_| async { ToolResult::success("closed").into() });
    tools
}

fn guarded() -> impl Tools {
    shop().approval_required(|name| name == "close")
}

/// A run that waits for two decisions, written down.
async fn kept() -> Value {
    let model = ScriptedModel::new([calls(&[("close", "{}"), ("close", "{ }")])]);
    let result = run(&Client::new(), &model, &guarded(), 5).await.unwrap();
    serde_json::to_value(result.paused().unwrap()).unwrap()
}

async fn resume(kept: Value, tools: &impl Tools) -> Result<GenerateResult, GenerateError> {
    let paused: Paused = serde_json::from_value(kept).unwrap();
    let model = SharedModel::new(ScriptedModel::new([Scripted::says("done")]));
    let client = Client::new().unknown_tools(UnknownTools::TellModel);
    let resumed = client.resume(&model, paused, tools);
    tokio::time::timeout(Duration::from_secs(5), resumed)
        .await
        .unwrap()
}

/// Each way to spoil what was kept.
fn spoilt(kept: &Value) -> Vec<(&'static str, Value)> {
    let spoil = |how: &dyn Fn(&mut Value)| {
        let mut kept = kept.clone();
        how(&mut kept);
        kept
    };
    let state = |at: usize, state: Value| {
        spoil(&move |kept| kept["steps"][0]["calls"][at]["state"] = state.clone())
    };
    vec![
        (
            "nothing pending",
            spoil(&|kept| kept["pending"] = json!([])),
        ),
        (
            "one pending twice",
            spoil(&|kept| kept["pending"][1] = kept["pending"][0].clone()),
        ),
        ("handed out", state(0, json!("running"))),
        ("ended without a result", state(0, json!("succeeded"))),
        (
            "pending with other arguments",
            spoil(&|kept| kept["pending"][0]["call"]["arguments"] = json!("{\"all\":true}")),
        ),
        (
            "waits for something else",
            state(0, json!({"waiting": "client"})),
        ),
        (
            "a call of no answer",
            spoil(&|kept| {
                kept["steps"][0]["calls"][0]["id"] = json!("0197f3a0-0000-7000-8000-000000000000");
                kept["steps"][0]["calls"][0]["state"] = json!("approved");
            }),
        ),
        (
            "a call missing",
            spoil(&|kept| drop(kept["steps"][0]["calls"].as_array_mut().unwrap().remove(0))),
        ),
        (
            "an answer without its call",
            spoil(&|kept| kept["steps"][0]["answer"]["parts"] = json!([])),
        ),
        (
            "other arguments than the transcript tells",
            spoil(&|kept| {
                let other = json!("{\"all\":true}");
                kept["steps"][0]["answer"]["parts"][0]["arguments"] = other.clone();
                kept["pending"][0]["call"]["arguments"] = other;
            }),
        ),
        ("no steps", spoil(&|kept| kept["steps"] = json!([]))),
        (
            "another name",
            spoil(&|kept| kept["steps"][0]["calls"][0]["name"] = json!("echo")),
        ),
        (
            "a transcript without the answer",
            spoil(&|kept| drop(kept["request"]["messages"].as_array_mut().unwrap().pop())),
        ),
        (
            "no transcript",
            spoil(&|kept| kept["request"]["messages"] = json!([])),
        ),
    ]
}

#[tokio::test]
async fn a_kept_run_that_does_not_hold_together_is_refused() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let shop = shop().audited(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    for (how, kept) in spoilt(&kept().await) {
        let error = resume(kept, &shop).await.unwrap_err();
        assert!(
            matches!(error.kind(), GenerateErrorKind::InvalidRequest(text) if text.contains("the run that was kept")),
            "{how}: {error}"
        );
        assert_eq!(ran.load(Ordering::Relaxed), 0, "{how}: something ran");
    }
}

#[tokio::test]
async fn nothing_runs_where_an_earlier_call_has_lost_its_result() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let mut tools = tools();
    tools.register("close", "Closes it.", nothing()).unwrap();
    tools.add_executor(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { ToolResult::success("closed").into() }
    });
    let mut paused: Paused = serde_json::from_value(kept().await).unwrap();
    let id = paused.pending()[0].call.id;
    paused.approve(id).unwrap();
    let mut kept = serde_json::to_value(&paused).unwrap();
    let stray = json!({"role": "tool", "call": id, "name": "echo", "content": "lost"});
    let messages = kept["request"]["messages"].as_array_mut().unwrap();
    messages.insert(1, stray);
    let error = resume(kept, &tools).await.unwrap_err();
    assert!(
        matches!(error.kind(), GenerateErrorKind::Transcript(_)),
        "{error}"
    );
    assert_eq!(ran.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn one_that_holds_together_goes_on_with_other_tools_as_well() {
    let mut paused: Paused = serde_json::from_value(kept().await).unwrap();
    let ids: Vec<_> = paused.pending().iter().map(|call| call.call.id).collect();
    paused.approve(ids[0]).unwrap();
    paused.reject(ids[1], "").unwrap();
    let kept = serde_json::to_value(&paused).unwrap();
    let result = resume(kept, &tools()).await.unwrap();
    let heard = heard(result.messages());
    assert!(heard[0].0.contains("There is no tool named `close`"));
    assert_eq!(heard[1].0, "Rejected by the user.");
    assert_eq!(result.output(), "done");
}

/// Asks which one, then wants an approval.
struct Careful;

impl Tool for Careful {
    type Input = Echo;

    fn name(&self) -> &str {
        "pay"
    }

    fn description(&self) -> &str {
        "Pays."
    }

    async fn call(&self, _: &ToolContext, _: Echo) -> ToolResult {
        ToolResult::NeedsAnswer {
            question: "From which account?".to_owned(),
            state: Value::Null,
        }
    }

    async fn resume(&self, context: &ToolContext, _: Value, answer: Value) -> ToolResult {
        if context.approved {
            return ToolResult::success(format!("paid from {answer}"));
        }
        ToolResult::NeedsApproval {
            question: format!("Pay from {answer}?"),
        }
    }
}

#[tokio::test]
async fn an_answer_to_a_question_is_no_approval() {
    let mut tools = ToolSet::new();
    tools.add(Careful).unwrap();
    let script = ScriptedModel::new([
        calls(&[("pay", "{\"message\":\"\"}")]),
        Scripted::says("done"),
    ]);
    let model = SharedModel::new(script.clone());
    let result = run(&Client::new(), &script, &tools, 5).await.unwrap();
    let mut paused = result.into_paused().unwrap();
    let id = paused.pending()[0].call.id;
    paused.answer(id, 7).unwrap();
    let result = Client::new().resume(&model, paused, &tools).await.unwrap();
    assert!(result.is_waiting(), "{:?}", heard(result.messages()));
    assert_eq!(result.pending()[0].question, "Pay from 7?");
    let text = serde_json::to_string(result.paused().unwrap()).unwrap();
    let mut paused: Paused = serde_json::from_str(&text).unwrap();
    paused.approve(id).unwrap();
    let result = Client::new().resume(&model, paused, &tools).await.unwrap();
    assert_eq!(heard(result.messages())[0].0, "paid from 7");
}

#[tokio::test]
async fn an_answer_is_asked_for_once_more_and_not_again_after_a_pause() {
    let wrong = "{\"wrong\":1}";
    let script = ScriptedModel::new([
        calls(&[("final_answer", wrong), ("close", "{}")]),
        calls(&[("final_answer", wrong)]),
        calls(&[("final_answer", "{\"message\":\"late\"}")]),
    ]);
    let model = SharedModel::new(script.clone());
    let request = toolcrib::Request::from_prompt("Go").with_output_of::<Echo>();
    let result = Client::new()
        .generate(&model, request, &guarded(), 9)
        .await
        .unwrap();
    assert_eq!(result.warnings(), [Warning::OutputRetried]);
    let mut paused = result.into_paused().unwrap();
    let id = paused.pending()[0].call.id;
    paused.approve(id).unwrap();
    let error = Client::new()
        .resume(&model, paused, &guarded())
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Output { text, .. } if text == wrong));
    assert_eq!(script.acts_left(), 1);
}
