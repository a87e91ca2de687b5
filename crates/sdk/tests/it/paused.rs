//! Calls that wait for somebody, and runs that go on later.

use serde_json::{Value, json};
use toolcrib::message::{Message, check_pairs};
use toolcrib::model::SharedModel;
use toolcrib::state::{CallState, WaitingFor};
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, GenerateResult, Handled, NamedCall, Paused, Tool, ToolContext, ToolResult, ToolSet,
    Tools,
};

use crate::scripted::{Echo, calls, heard, nothing, run, tools};

/// Asks how often before it says something.
struct Asking;

impl Tool for Asking {
    type Input = Echo;

    fn name(&self) -> &str {
        "ask"
    }

    fn description(&self) -> &str {
        "Says it as often as the person wants."
    }

    async fn call(&self, _: &ToolContext, input: Echo) -> ToolResult {
        ToolResult::NeedsAnswer {
            question: "How often?".to_owned(),
            state: json!({"message": input.message}),
        }
    }

    async fn resume(&self, _: &ToolContext, state: Value, answer: Value) -> ToolResult {
        let times = usize::try_from(answer.as_u64().unwrap_or_default()).unwrap();
        ToolResult::success(state["message"].as_str().unwrap().repeat(times))
    }
}

fn set() -> ToolSet {
    let mut tools = ToolSet::new();
    tools
        .include(tools_that_ask().approval_required(|name| name == "close"))
        .unwrap();
    tools.add(Asking).unwrap();
    tools
}

fn tools_that_ask() -> ToolSet {
    let mut tools = tools();
    for name in ["close", "page", "expert"] {
        tools.register(name, "Waits.", nothing()).unwrap();
    }
    tools.add_executor(|call: NamedCall| async move {
        match call.name.as_str() {
            "close" => ToolResult::success("closed").into(),
            "page" => ToolResult::ClientSide.into(),
            "expert" => ToolResult::Consult {
                agent: "expert".into(),
                prompt: "Is it so?".into(),
            }
            .into(),
            _ => Handled::NotMine,
        }
    });
    tools
}

async fn paused(calls_: &[(&str, &str)]) -> (GenerateResult, ScriptedModel) {
    let model = ScriptedModel::new([calls(calls_), Scripted::says("done")]);
    let result = run(&Client::new(), &model, &set(), 5).await.unwrap();
    assert!(result.is_waiting() && result.has_tool_calls());
    assert_eq!(result.output(), "");
    assert_eq!(
        model.requests().len(),
        1,
        "the model is not asked while somebody else is"
    );
    (result, model)
}

/// Written down and read again, as between two processes.
fn stored(result: GenerateResult) -> Paused {
    let text = serde_json::to_string(&result.into_paused().unwrap()).unwrap();
    serde_json::from_str(&text).unwrap()
}

async fn resume(paused: Paused, model: &ScriptedModel) -> GenerateResult {
    let shared = SharedModel::new(model.clone());
    Client::new().resume(&shared, paused, &set()).await.unwrap()
}

#[tokio::test]
async fn an_approved_call_runs_with_what_was_asked_for() {
    let (result, model) = paused(&[("echo", "{\"message\":\"ping\"}"), ("close", "{}")]).await;
    assert_eq!(result.pending().len(), 1);
    assert_eq!(result.pending()[0].waits_for, WaitingFor::Approval);
    assert_eq!(result.pending()[0].question, "Run close?");
    let mut paused = stored(result);
    let id = paused.pending()[0].call.id;
    paused.approve(id).unwrap();
    assert!(paused.approve(id).is_err(), "a second decision is refused");
    let result = resume(paused, &model).await;
    assert_eq!(result.output(), "done");
    assert_eq!(
        heard(result.messages()),
        [("ping".to_owned(), false), ("closed".to_owned(), false)]
    );
    assert_eq!(result.step_count(), 2);
    check_pairs(result.messages()).unwrap();
}

#[tokio::test]
async fn a_rejected_call_tells_the_model_why() {
    let (result, model) = paused(&[("close", "{}")]).await;
    let mut paused = stored(result);
    let id = paused.pending()[0].call.id;
    paused.reject(id, "Not on a Monday.").unwrap();
    let result = resume(paused, &model).await;
    assert_eq!(
        heard(result.messages()),
        [(
            "Rejected by the user. Reason: Not on a Monday.".to_owned(),
            true
        )]
    );
    assert_eq!(result.steps()[0].calls[0].state, CallState::Rejected);
}

#[tokio::test]
async fn a_tool_goes_on_with_the_answer_to_its_question() {
    let (result, model) = paused(&[("ask", "{\"message\":\"ho\"}")]).await;
    assert_eq!(result.pending()[0].question, "How often?");
    let mut paused = stored(result);
    let id = paused.pending()[0].call.id;
    assert!(paused.approve(id).is_err(), "it waits for something else");
    paused.answer(id, 3).unwrap();
    let result = resume(paused, &model).await;
    assert_eq!(heard(result.messages()), [("hohoho".to_owned(), false)]);
}

#[tokio::test]
async fn results_from_elsewhere_are_given_to_the_calls_that_wait_for_them() {
    let (result, model) = paused(&[("page", "{}"), ("expert", "{}")]).await;
    assert_eq!(result.pending()[1].agent.as_deref(), Some("expert"));
    assert_eq!(result.pending()[1].question, "Is it so?");
    let mut paused = stored(result);
    let ids: Vec<_> = paused.pending().iter().map(|call| call.call.id).collect();
    paused
        .give_result(ids[0], &ToolResult::success(json!({"clicked": true})))
        .unwrap();
    let not_an_end = ToolResult::ClientSide;
    assert!(paused.give_result(ids[1], &not_an_end).is_err());
    let still = resume(paused, &model).await;
    assert!(still.is_waiting(), "the other goes on waiting");
    let mut paused = stored(still);
    paused
        .give_result(ids[1], &ToolResult::failure("Nobody knows."))
        .unwrap();
    let result = resume(paused, &model).await;
    assert_eq!(
        heard(result.messages()),
        [
            ("{\"clicked\":true}".to_owned(), false),
            ("Nobody knows.".to_owned(), true)
        ]
    );
}

#[tokio::test]
async fn what_waits_is_superseded_by_a_new_message() {
    let (result, _) = paused(&[("close", "{}"), ("page", "{}")]).await;
    let mut messages = stored(result).supersede();
    check_pairs(&messages).unwrap();
    assert!(
        heard(&messages)
            .iter()
            .all(|(text, is_error)| { *is_error && text.contains("went on with a new message") })
    );
    messages.push(Message::user("Something else."));
    check_pairs(&messages).unwrap();
}

#[tokio::test]
async fn a_stop_while_waiting_closes_what_waits() {
    let (result, model) = paused(&[("close", "{}")]).await;
    let cancel = tokio_util::sync::CancellationToken::new();
    cancel.cancel();
    let shared = SharedModel::new(model);
    let error = Client::new()
        .cancelled_by(cancel)
        .resume(&shared, stored(result), &set())
        .await
        .unwrap_err();
    assert!(heard(error.partial().messages())[0].0.contains("Cancelled"));
    check_pairs(error.partial().messages()).unwrap();
}

#[tokio::test]
async fn what_was_decided_and_has_not_run_is_closed_by_a_new_message_too() {
    let (result, _) = paused(&[("close", "{}"), ("page", "{}")]).await;
    let mut paused = stored(result);
    let id = paused.pending()[0].call.id;
    paused.approve(id).unwrap();
    let messages = paused.supersede();
    check_pairs(&messages).unwrap();
    assert!(
        heard(&messages)[0]
            .0
            .starts_with("Not started: the user went on")
    );
}

#[tokio::test]
async fn a_run_that_goes_on_has_the_steps_that_were_left() {
    let model = ScriptedModel::new([
        calls(&[("close", "{}")]),
        calls(&[("echo", "{\"message\":\"one\"}")]),
        calls(&[("echo", "{\"message\":\"two\"}")]),
    ]);
    let result = run(&Client::new(), &model, &set(), 2).await.unwrap();
    let mut paused = stored(result);
    let id = paused.pending()[0].call.id;
    paused.approve(id).unwrap();
    let result = resume(paused, &model).await;
    assert!(result.stopped_at_step_limit());
    assert_eq!((result.step_count(), model.acts_left()), (2, 1));
}

#[tokio::test]
async fn what_waits_is_superseded_in_the_words_of_its_own_client() {
    let mut script: Vec<Scripted> = (0..2)
        .map(|_| calls(&[("echo", "{\"message\":\"x\"}")]))
        .collect();
    script.push(calls(&[("echo", "{\"message\":\"x\"}"), ("close", "{}")]));
    for (limit, is_told) in [(3, true), (0, false)] {
        let client = Client::new().repeat_limit(limit);
        let model = ScriptedModel::new(script.clone());
        let result = run(&client, &model, &set(), 9).await.unwrap();
        let messages = stored(result).supersede();
        let told = heard(&messages)
            .iter()
            .any(|(text, _)| text.contains("in a row"));
        assert_eq!(told, is_told, "{limit}");
    }
}
