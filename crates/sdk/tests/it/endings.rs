//! Each call and each run ends in its own words, whatever breaks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcrib::model::{
    Answer, Capabilities, FinishReason, ModelErrorKind, ModelEvent, SharedModel, StructuredOutput,
    Usage,
};
use toolcrib::state::CallState;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, Definitions, ExecuteError, GenerateErrorKind, GenerateEvent, Handled, Request,
    StopWhen, Tool, ToolContext, ToolDefinition, ToolHandler, ToolResult, ToolSet, Tools, tool_fn,
};

use crate::scripted::{Echo, calls, echo, heard, nothing, run, tools};

const PING: &str = "{\"message\":\"ping\"}";

/// Breaks wherever it is touched, before anything can be awaited.
struct Brittle;

impl Tools for Brittle {
    fn definitions(&self) -> Definitions {
        let echo = ToolSet::tool_definition("echo", "Breaks.", nothing()).unwrap();
        vec![echo].into()
    }

    fn is_read_only(&self, _: &str) -> bool {
        std::panic::resume_unwind(Box::new("on purpose"))
    }

    fn execute(
        &self,
        name: &str,
        _: &str,
        _: &ToolContext,
    ) -> impl Future<Output = Result<ToolResult, ExecuteError>> + Send {
        if name == "echo" {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        async { Ok(ToolResult::success("never said")) }
    }
}

#[tokio::test]
async fn a_set_that_breaks_before_it_begins_fails_its_calls_and_nothing_else() {
    let model = ScriptedModel::new([
        calls(&[("echo", "{}"), ("echo", "{ }")]),
        Scripted::says("done"),
    ]);
    let result = run(&Client::new(), &model, &Brittle, 5).await.unwrap();
    let broke = ("The tool broke down.".to_owned(), true);
    assert_eq!(heard(result.messages()), [broke.clone(), broke]);
    assert_eq!(result.output(), "done");
}

/// Runs nothing that it lists, and changes nothing.
struct Idle;

impl ToolHandler for Idle {
    fn definitions(&self) -> Vec<ToolDefinition> {
        let lonely = ToolSet::tool_definition("lonely", "Nobody runs it.", nothing());
        lonely.into_iter().collect()
    }

    fn is_read_only(&self, _: &str) -> bool {
        true
    }

    async fn execute(
        &self,
        _: &ToolContext,
        _: &str,
        _: serde_json::Map<String, serde_json::Value>,
    ) -> Handled {
        Handled::NotMine
    }
}

#[tokio::test]
async fn what_ran_beside_a_tool_that_nobody_runs_is_told_as_it_went() {
    let mut tools = ToolSet::new();
    tools.use_handler(Idle).unwrap();
    let read = tool_fn("read", "Reads.", |input: Echo| async move { input.message });
    tools.add(read.read_only()).unwrap();
    let model = ScriptedModel::new([calls(&[
        ("read", PING),
        ("lonely", "{}"),
        ("read", "{\"message\":\"pong\"}"),
    ])]);
    let error = run(&Client::new(), &model, &tools, 5).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::MissingExecutor(name) if name == "lonely"));
    let heard = heard(error.partial().messages());
    assert_eq!(heard[0], ("ping".to_owned(), false));
    assert_eq!(heard[2], ("pong".to_owned(), false));
    assert_eq!(heard[1].0, "Not started: nobody runs this tool.");
}

#[tokio::test]
async fn a_call_is_not_said_to_have_been_ended_by_a_tool_that_ended_nothing() {
    let model = ScriptedModel::new([calls(&[("echo", PING), ("ecko", "{}")])]);
    let error = run(&Client::new(), &model, &tools(), 5).await.unwrap_err();
    for (text, is_error) in heard(error.partial().messages()) {
        assert_eq!(
            text,
            "Not started: the run ended in an error before this call ran."
        );
        assert!(is_error);
    }
}

#[tokio::test]
async fn the_endings_that_an_error_brings_are_told_to_the_sink_too() {
    let shared = SharedModel::new(ScriptedModel::new([calls(&[
        ("echo", PING),
        ("ecko", "{}"),
    ])]));
    let mut ended = Vec::new();
    let mut sink = |event| {
        if let GenerateEvent::Call { name, state, .. } = event {
            ended.push((name, state));
        }
    };
    Client::new()
        .generate_streaming(&shared, Request::from_prompt("Go"), &tools(), 5, &mut sink)
        .await
        .unwrap_err();
    let not_started = |name: &str| (name.to_owned(), CallState::NotStarted);
    assert_eq!(ended, [not_started("echo"), not_started("ecko")]);
}

#[tokio::test]
async fn only_the_call_that_ended_the_run_is_marked_so() {
    let mut tools = ToolSet::new();
    for name in ["one", "two"] {
        let tool = tool_fn(name, "Ends it or not.", |input: Echo| async move {
            match input.message.as_str() {
                "ping" => ToolResult::success("ping"),
                reason => ToolResult::Abort {
                    reason: reason.to_owned(),
                },
            }
        });
        tools.add(tool.read_only()).unwrap();
    }
    let model = ScriptedModel::new([calls(&[
        ("one", "{\"message\":\"first\"}"),
        ("two", PING),
        ("two", "{\"message\":\"second\"}"),
    ])]);
    let error = run(&Client::new(), &model, &tools, 5).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Aborted { reason } if reason == "first"));
    let marks: Vec<bool> = error.partial().steps()[0]
        .calls
        .iter()
        .map(|call| call.aborts)
        .collect();
    assert_eq!(marks, [true, false, true]);
}

#[tokio::test]
async fn a_run_that_is_dropped_stops_its_tools() {
    let seen: Arc<Mutex<Option<CancellationToken>>> = Arc::default();
    struct Keeps(Arc<Mutex<Option<CancellationToken>>>);
    impl Tool for Keeps {
        type Input = Echo;
        fn name(&self) -> &str {
            "keep"
        }
        fn description(&self) -> &str {
            "Keeps what it is given."
        }
        async fn call(&self, context: &ToolContext, input: Echo) -> ToolResult {
            *self.0.lock().unwrap() = Some(context.cancel.clone());
            if input.message == "hang" {
                std::future::pending::<()>().await;
            }
            ToolResult::success("kept")
        }
    }
    let mut tools = ToolSet::new();
    tools.add(Keeps(Arc::clone(&seen))).unwrap();
    let model = ScriptedModel::new([calls(&[("keep", PING)]), Scripted::says("done")]);
    run(&Client::new(), &model, &tools, 5).await.unwrap();
    let token = seen.lock().unwrap().take().unwrap();
    assert!(!token.is_cancelled(), "a call that ended is not stopped");
    let model = ScriptedModel::new([calls(&[("keep", "{\"message\":\"hang\"}")])]);
    let client = Client::new();
    let running = run(&client, &model, &tools, 5);
    assert!(
        tokio::time::timeout(Duration::from_millis(20), running)
            .await
            .is_err()
    );
    let token = seen.lock().unwrap().take().unwrap();
    assert!(token.is_cancelled(), "what it began elsewhere is told");
}

#[tokio::test]
async fn counts_of_any_size_are_added_up() {
    let mut big = Answer::new(toolcrib::message::AssistantMessage::says("x"), "m");
    big.meta.usage = Some(Usage {
        input_tokens: Some(u64::MAX),
        output_tokens: Some(u64::MAX),
        cached_tokens: Some(u64::MAX),
        reasoning_tokens: Some(u64::MAX),
    });
    let model = ScriptedModel::new([echo("ping"), Scripted::answers_as(big)]);
    let client = Client::new().stop_when(StopWhen::tokens(u64::MAX));
    let result = run(&client, &model, &tools(), usize::MAX).await.unwrap();
    assert_eq!(result.total_input_tokens(), Some(u64::MAX));
    assert_eq!(result.total_output_tokens(), Some(u64::MAX));
}

#[tokio::test]
async fn an_attempt_that_was_too_long_is_listed_and_what_it_said_is_void() {
    let model = ScriptedModel::new([
        Scripted::fails(ModelErrorKind::ContextOverflow),
        Scripted::says("done"),
    ]);
    let long = "word ".repeat(2_000);
    let messages = vec![
        toolcrib::message::Message::user(long),
        toolcrib::message::Message::user("Go"),
    ];
    let shared = SharedModel::new(model);
    let result = Client::new()
        .generate(&shared, Request::from_messages(messages), &tools(), 5)
        .await
        .unwrap();
    let made = result.response_calls();
    assert_eq!(made.len(), 2);
    assert!(
        made[0]
            .retried
            .as_ref()
            .unwrap()
            .contains("can't read this much")
    );
    assert!(made[1].retried.is_none());
    assert_eq!((made[0].step, made[1].step), (0, 0));
    assert_eq!(result.step_count(), 1);
}

/// The ways in which a run ends without a final answer.
#[tokio::test]
async fn a_bound_type_is_never_made_of_nothing() {
    type Maybe = Option<serde_json::Value>;
    let can = Capabilities {
        structured_output: StructuredOutput::WithTools,
        ..Capabilities::default()
    };
    let mut waits = tools();
    waits.register("page", "Waits.", nothing()).unwrap();
    waits.add_executor(|_| async { ToolResult::ClientSide.into() });
    for (client, call, max_steps, words) in [
        (Client::new(), "echo", 1, "step limit"),
        (Client::new(), "page", 5, "calls wait"),
        (
            Client::new().stop_when(StopWhen::tool_called("echo")),
            "echo",
            5,
            "stop condition",
        ),
    ] {
        let arguments = if call == "echo" { PING } else { "{}" };
        let model =
            ScriptedModel::new([calls(&[(call, arguments)])]).with_capabilities(can.clone());
        let error = client
            .generate_as::<Maybe>(
                &SharedModel::new(model),
                Request::from_prompt("Go"),
                &waits,
                max_steps,
            )
            .await
            .unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.partial().is_waiting(), call == "page");
    }
}

#[tokio::test]
async fn a_stop_condition_ends_the_asking_for_another_answer() {
    let can = Capabilities {
        structured_output: StructuredOutput::WithTools,
        ..Capabilities::default()
    };
    let model =
        ScriptedModel::new([Scripted::says("warm"), Scripted::says("{}")]).with_capabilities(can);
    let request = Request::from_prompt("Go").with_output_of::<Echo>();
    let error = Client::new()
        .stop_when(StopWhen::tokens(5))
        .generate(&SharedModel::new(model.clone()), request, &tools(), 5)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Output { text, .. } if text == "warm"));
    assert_eq!(model.acts_left(), 1);
}

#[tokio::test]
async fn a_final_answer_that_was_cut_off_is_not_taken() {
    let mut call = toolcrib::message::ToolCall::new("final_answer", "");
    call.cut = true;
    let model = ScriptedModel::new([
        Scripted::calls_all([call]).finishing(FinishReason::Length),
        calls(&[("final_answer", "{\"note\":\"all\"}")]),
    ]);
    let schema = json!({"type": "object", "properties": {"note": {"type": "string"}}});
    let request = Request::from_prompt("Go").with_output("note", schema);
    let result = Client::new()
        .generate(&SharedModel::new(model), request, &tools(), 5)
        .await
        .unwrap();
    assert_eq!(result.output(), "{\"note\":\"all\"}");
    assert!(heard(result.messages())[0].0.contains("cut"));
}

#[tokio::test]
async fn a_client_may_be_used_inside_a_tool() {
    let inner = SharedModel::new(ScriptedModel::new((0..3).map(|_| Scripted::says("inner"))));
    let mut outer = ToolSet::new();
    outer
        .add(tool_fn("ask_other", "Asks another.", move |_: Echo| {
            let inner = inner.clone();
            async move {
                let nothing = ToolSet::new();
                let asked = Client::new()
                    .generate(&inner, Request::from_prompt("Go"), &nothing, 1)
                    .await;
                asked.map(|result| result.output())
            }
        }))
        .unwrap();
    let model = ScriptedModel::new([calls(&[("ask_other", PING)]), Scripted::says("outer")]);
    let result = run(&Client::new(), &model, &outer, 5).await.unwrap();
    assert_eq!(heard(result.messages()), [("inner".to_owned(), false)]);
}

#[tokio::test]
async fn events_of_an_attempt_that_was_too_long_are_taken_back() {
    use toolcrib::message::AssistantMessage;
    use toolcrib::model::{Model, ModelError, ModelRequest, ModelSink};
    struct Talks(Mutex<usize>);
    impl Model for Talks {
        fn provider(&self) -> &str {
            "p"
        }
        fn name(&self) -> &str {
            "m"
        }
        async fn respond(
            &self,
            _: &ModelRequest,
            sink: &mut dyn ModelSink,
            _: &CancellationToken,
        ) -> Result<Answer, ModelError> {
            sink.event(ModelEvent::Text("half".to_owned()));
            let mut asked = self.0.lock().unwrap();
            *asked += 1;
            if *asked == 1 {
                let kind = ModelErrorKind::ContextOverflow;
                return Err(ModelError::new("p", "m", kind, ""));
            }
            Ok(Answer::new(AssistantMessage::says("half"), "m"))
        }
    }
    let mut told = Vec::new();
    let mut sink = |event| {
        if let GenerateEvent::Model(event) = event {
            told.push(event);
        }
    };
    let messages = vec![
        toolcrib::message::Message::user("word ".repeat(2_000)),
        toolcrib::message::Message::user("Go"),
    ];
    Client::new()
        .generate_streaming(
            &SharedModel::new(Talks(Mutex::default())),
            Request::from_messages(messages),
            &tools(),
            5,
            &mut sink,
        )
        .await
        .unwrap();
    let half = ModelEvent::Text("half".to_owned());
    assert_eq!(told, [half.clone(), ModelEvent::Restarted, half]);
}

#[tokio::test]
async fn a_tool_that_ends_the_run_ends_what_waits_beside_it() {
    let mut tools = tools();
    tools.register("page", "Waits.", nothing()).unwrap();
    tools.add_executor(|_| async { ToolResult::ClientSide.into() });
    let model = ScriptedModel::new([calls(&[
        ("page", "{}"),
        ("echo", "{\"message\":\"abort\"}"),
    ])]);
    let error = run(&Client::new(), &model, &tools, 5).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Aborted { .. }));
    let states = error.partial().steps()[0]
        .calls
        .iter()
        .map(|call| call.state);
    let states: Vec<CallState> = states.collect();
    assert_eq!(states, [CallState::NotStarted, CallState::Failed]);
    assert!(!error.partial().is_waiting());
}
