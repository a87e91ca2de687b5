//! Every row of the table of outcomes.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tokio_util::sync::CancellationToken;
use toolcrib::agent::DEFAULT_MAX_STEPS;
use toolcrib::message::ToolCall;
use toolcrib::model::{ModelErrorKind, ModelEvent, SharedModel, ToolChoice};
use toolcrib::state::CallState;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{
    Client, GenerateErrorKind, GenerateEvent, Request, StopWhen, ToolResult, ToolSet, UnknownTools,
    Warning, tool_fn,
};

use crate::scripted::{Echo, calls, echo, heard, nothing, run, tools};

fn telling() -> Client {
    Client::new().unknown_tools(UnknownTools::TellModel)
}

#[tokio::test]
async fn a_registered_tool_runs_and_the_loop_goes_on() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says("The echo tool returned: ping")]);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    assert_eq!(result.output(), "The echo tool returned: ping");
    assert_eq!(result.step_count(), 2);
    assert!(!result.has_tool_calls() && !result.stopped_at_step_limit());
    assert!(
        result.tool_calls().is_empty(),
        "they speak of the last answer"
    );
    assert_eq!(heard(result.messages()), [("ping".to_owned(), false)]);
    assert!(result.warnings().is_empty());
}

#[tokio::test]
async fn text_alone_is_the_answer() {
    let model = ScriptedModel::new([Scripted::says("Hello.")]);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    assert_eq!(
        (result.output().as_str(), result.step_count()),
        ("Hello.", 1)
    );
}

#[tokio::test]
async fn the_step_limit_is_a_success_with_a_warning_and_no_output() {
    for max_steps in [0, 1] {
        let model = ScriptedModel::new([echo("ping")]);
        let result = run(&Client::new(), &model, &tools(), max_steps)
            .await
            .unwrap();
        assert!(result.stopped_at_step_limit() && result.has_tool_calls());
        assert_eq!(result.output(), "");
        assert_eq!(result.tool_calls().len(), 1);
        assert_eq!(result.warnings(), [Warning::ToolLoopStepLimit]);
        assert_eq!(result.warnings()[0].name(), "tool_loop_step_limit");
        assert!(
            heard(result.messages())[0].0.contains("step limit"),
            "pending calls are not run"
        );
    }
    assert_eq!(DEFAULT_MAX_STEPS, 5);
}

#[tokio::test]
async fn an_unknown_name_is_an_invalid_request_and_nothing_of_that_answer_runs() {
    let ran = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&ran);
    let mut tools = ToolSet::new();
    tools
        .add(tool_fn("echo", "Says it back.", move |input: Echo| {
            *counted.lock().unwrap() += 1;
            async move { input.message }
        }))
        .unwrap();
    let model = ScriptedModel::new([calls(&[("echo", "{\"message\":\"x\"}"), ("ecko", "{}")])]);
    let error = run(&Client::new(), &model, &tools, 5).await.unwrap_err();
    assert!(
        matches!(error.kind(), GenerateErrorKind::InvalidRequest(text) if text.contains("Nearest: echo")),
        "{error}"
    );
    assert_eq!(*ran.lock().unwrap(), 0);
    assert_eq!(
        heard(error.partial().messages()).len(),
        2,
        "what is left is whole"
    );
}

#[tokio::test]
async fn failures_panics_and_unknown_names_go_back_to_the_model() {
    let model = ScriptedModel::new([
        calls(&[
            ("echo", "{\"message\":\"fail\"}"),
            ("echo", "{\"message\":\"panic\"}"),
            ("ecko", "{}"),
            ("echo", "{\"message\":"),
            ("echo", "{\"text\":\"x\"}"),
        ]),
        Scripted::says("done"),
    ]);
    let result = run(&telling(), &model, &tools(), 5).await.unwrap();
    let heard = heard(result.messages());
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
    assert_eq!(result.output(), "done");
}

#[tokio::test]
async fn a_tool_that_nobody_runs_ends_the_generation() {
    let mut tools = tools();
    tools
        .register("lonely", "Nobody runs it.", nothing())
        .unwrap();
    let model = ScriptedModel::new([calls(&[
        ("lonely", "{}"),
        ("echo", "{\"message\":\"ping\"}"),
    ])]);
    let error = run(&Client::new(), &model, &tools, 5).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::MissingExecutor(name) if name == "lonely"));
    assert!(
        error
            .to_string()
            .contains("the tool lonely has no executor")
    );
    assert_eq!(heard(error.partial().messages()).len(), 2);
}

#[tokio::test]
async fn an_abort_ends_the_run_and_the_calls_after_it_do_not_run() {
    let model = ScriptedModel::new([
        calls(&[
            ("echo", "{\"message\":\"abort\"}"),
            ("echo", "{\"message\":\"ping\"}"),
        ]),
        Scripted::says("never said"),
    ]);
    let error = run(&Client::new(), &model, &tools(), 5).await.unwrap_err();
    assert!(matches!(error.kind(), GenerateErrorKind::Aborted { reason } if reason == "enough"));
    assert_eq!(model.acts_left(), 1);
    let states: Vec<CallState> = error.partial().steps()[0]
        .calls
        .iter()
        .map(|call| call.state)
        .collect();
    assert_eq!(states, [CallState::Failed, CallState::NotStarted]);
}

#[tokio::test]
async fn a_model_error_ends_the_run_and_keeps_what_was_done() {
    let model = ScriptedModel::new([echo("ping"), Scripted::fails(ModelErrorKind::Auth)]);
    let error = run(&Client::new(), &model, &tools(), 5).await.unwrap_err();
    assert!(
        matches!(error.kind(), GenerateErrorKind::Model(error) if error.kind == ModelErrorKind::Auth)
    );
    assert_eq!(error.partial().step_count(), 1);
    assert_eq!(
        heard(error.partial().messages()),
        [("ping".to_owned(), false)]
    );
}

#[tokio::test]
async fn a_cancelled_run_asks_nobody() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let model = ScriptedModel::new([Scripted::says("hello")]);
    let client = Client::new().cancelled_by(cancel);
    let error = run(&client, &model, &tools(), 5).await.unwrap_err();
    assert_eq!(error.kind(), &GenerateErrorKind::Cancelled);
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_stop_reaches_a_model_that_is_being_asked() {
    let cancel = CancellationToken::new();
    let model = ScriptedModel::new([echo("ping"), Scripted::hangs()]);
    let client = Client::new().cancelled_by(cancel.clone());
    let set = tools();
    let running = run(&client, &model, &set, 5);
    tokio::pin!(running);
    while model.requests().len() < 2 {
        tokio::select! {
            biased;
            _ = &mut running => panic!("it hangs"),
            () = tokio::task::yield_now() => {}
        }
    }
    cancel.cancel();
    let error = running.await.unwrap_err();
    assert_eq!(error.kind(), &GenerateErrorKind::Cancelled);
    assert_eq!(
        heard(error.partial().messages()),
        [("ping".to_owned(), false)]
    );
}

#[tokio::test]
async fn streaming_tells_the_same_run() {
    let script = || ScriptedModel::new([echo("ping"), Scripted::says("Hello there")]);
    let plain = run(&Client::new(), &script(), &tools(), 5).await.unwrap();
    let shared = SharedModel::new(script());
    let (mut text, mut steps, mut ended) = (String::new(), 0, Vec::new());
    let mut sink = |event| match event {
        GenerateEvent::Model(ModelEvent::Text(delta)) => text.push_str(&delta),
        GenerateEvent::Model(_) => {}
        GenerateEvent::StepStarted { .. } => steps += 1,
        GenerateEvent::Call {
            name,
            state,
            content,
            ..
        } => ended.push((name, state, content)),
    };
    let request = Request::from_prompt("Go");
    let streamed = Client::new()
        .generate_streaming(&shared, request, &tools(), 5, &mut sink)
        .await
        .unwrap();
    assert_eq!(streamed.output(), plain.output());
    assert_eq!(streamed.step_count(), plain.step_count());
    assert_eq!(heard(streamed.messages()), heard(plain.messages()));
    assert_eq!(text, "Hello there");
    assert_eq!(steps, 2);
    assert_eq!(
        ended,
        [("echo".to_owned(), CallState::Succeeded, "ping".to_owned())]
    );
}

#[tokio::test]
async fn accessors_tell_of_the_whole_run() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says("pong")]);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    assert_eq!(result.total_input_tokens(), Some(20));
    assert_eq!(result.total_output_tokens(), Some(4));
    assert_eq!(result.total_cached_tokens(), Some(8));
    assert_eq!(result.total_reasoning_tokens(), Some(2));
    let made = result.response_calls();
    assert_eq!(made.len(), 2);
    assert_eq!((made[0].step, made[1].step), (0, 1));
    assert_eq!(made[0].model, "scripted");
    assert_eq!(made[0].finish.as_ref().unwrap().name(), "tool_calls");
    assert_eq!(made[1].finish.as_ref().unwrap().name(), "stop");
    assert_eq!(made[1].request_id.as_deref(), Some("scripted-request"));
    assert_eq!(made[1].usage.unwrap().input_tokens, Some(10));
    assert!(made.iter().all(|call| call.retried.is_none()));
    assert_eq!(result.messages().len(), 4);
}

#[tokio::test]
async fn unknown_tokens_are_not_zero() {
    let mut answer =
        toolcrib::model::Answer::new(toolcrib::message::AssistantMessage::says("pong"), "m");
    answer.meta.usage = None;
    let model = ScriptedModel::new([echo("ping"), Scripted::answers_as(answer)]);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    assert_eq!(result.total_input_tokens(), None);
}

#[tokio::test]
async fn a_transcript_goes_on() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says("pong")]);
    let first = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    let mut messages = first.messages().clone();
    messages.push(toolcrib::message::Message::user("And again?"));
    let model = ScriptedModel::new([Scripted::says("As before.")]);
    let second = Client::new()
        .generate(
            &SharedModel::new(model.clone()),
            Request::from_messages(messages),
            &tools(),
            5,
        )
        .await
        .unwrap();
    assert_eq!(second.output(), "As before.");
    assert_eq!(model.requests()[0].messages.len(), 5);
    assert_eq!(second.messages().len(), 6);
}

#[tokio::test]
async fn a_forced_choice_holds_for_the_first_step() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says("pong")]);
    let request = Request {
        tool_choice: ToolChoice::Tool("echo".to_owned()),
        ..Request::from_prompt("Go")
    };
    Client::new()
        .generate(&SharedModel::new(model.clone()), request, &tools(), 5)
        .await
        .unwrap();
    let choices: Vec<ToolChoice> = model
        .requests()
        .into_iter()
        .map(|request| request.tool_choice)
        .collect();
    assert_eq!(
        choices,
        [ToolChoice::Tool("echo".to_owned()), ToolChoice::Auto]
    );
}

#[tokio::test]
async fn stop_conditions_end_the_run_after_the_step() {
    let script = || ScriptedModel::new([echo("a"), echo("b"), Scripted::says("never said")]);
    for (condition, steps) in [
        (StopWhen::tool_called("echo"), 1),
        (StopWhen::tokens(24), 2),
        (StopWhen::custom(|steps| steps.len() == 2), 2),
    ] {
        let client = Client::new().stop_when(condition.clone());
        let result = run(&client, &script(), &tools(), 5).await.unwrap();
        assert_eq!(result.step_count(), steps, "{condition:?}");
        assert!(result.stopped_by_condition() && result.has_tool_calls());
        assert!(!result.stopped_at_step_limit());
        assert_eq!(result.output(), "");
        assert_eq!(
            heard(result.messages()).len(),
            steps,
            "the step's calls ran"
        );
    }
    let client = Client::new().stop_when(StopWhen::tool_called("other"));
    let result = run(&client, &script(), &tools(), 5).await.unwrap();
    assert_eq!(result.step_count(), 3);
}

#[tokio::test]
async fn prepare_step_changes_what_is_offered_and_what_may_run() {
    let mut tools = tools();
    tools
        .add(tool_fn(
            "shout",
            "Says it loudly.",
            |input: Echo| async move { input.message.to_uppercase() },
        ))
        .unwrap();
    let model = ScriptedModel::new([
        echo("one"),
        calls(&[
            ("echo", "{\"message\":\"two\"}"),
            ("shout", "{\"message\":\"two\"}"),
        ]),
        Scripted::says("done"),
    ]);
    let client = telling().prepare_step(|plan| {
        plan.system = format!("Step {}", plan.step);
        if plan.step == 1 {
            plan.only(["shout"]);
            plan.tool_choice = ToolChoice::Required;
        }
    });
    let result = run(&client, &model, &tools, 5).await.unwrap();
    let requests = model.requests();
    let names = |at: usize| -> Vec<String> {
        requests[at]
            .tools
            .iter()
            .map(|tool| tool.name.to_string())
            .collect()
    };
    assert_eq!(names(0), ["echo", "shout"]);
    assert_eq!(names(1), ["shout"]);
    assert_eq!(names(2), ["echo", "shout"]);
    assert_eq!(requests[1].tool_choice, ToolChoice::Required);
    assert_eq!(requests[1].system, "Step 1");
    let heard = heard(result.messages());
    assert!(
        heard[1].0.contains("There is no tool named `echo`"),
        "{heard:?}"
    );
    assert_eq!(heard[2].0, "TWO");
}

#[tokio::test]
async fn read_only_calls_run_side_by_side_and_answer_in_order() {
    let gate = Arc::new(tokio::sync::Barrier::new(2));
    let at_gate = Arc::clone(&gate);
    let mut tools = ToolSet::new();
    let meet = tool_fn("meet", "Waits for the other.", move |input: Echo| {
        let gate = Arc::clone(&at_gate);
        async move {
            gate.wait().await;
            input.message
        }
    });
    tools.add(meet.read_only()).unwrap();
    let model = ScriptedModel::new([
        calls(&[
            ("meet", "{\"message\":\"first\"}"),
            ("meet", "{\"message\":\"second\"}"),
        ]),
        Scripted::says("done"),
    ]);
    // Would never end if one waited for the other.
    let result = run(&Client::new(), &model, &tools, 5).await.unwrap();
    let texts: Vec<String> = heard(result.messages())
        .into_iter()
        .map(|(text, _)| text)
        .collect();
    assert_eq!(texts, ["first", "second"]);
}

#[tokio::test]
async fn with_one_call_that_writes_they_run_in_order() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let mut tools = ToolSet::new();
    for (name, is_read_only) in [("read", true), ("write", false)] {
        let log = Arc::clone(&log);
        let tool = tool_fn(name, "Leaves its mark.", move |input: Echo| {
            let log = Arc::clone(&log);
            async move {
                log.lock()
                    .unwrap()
                    .push(format!("{} begins", input.message));
                tokio::task::yield_now().await;
                log.lock().unwrap().push(format!("{} ends", input.message));
                "ok"
            }
        });
        if is_read_only {
            tools.add(tool.read_only()).unwrap();
        } else {
            tools.add(tool).unwrap();
        }
    }
    let model = ScriptedModel::new([
        calls(&[
            ("read", "{\"message\":\"a\"}"),
            ("write", "{\"message\":\"b\"}"),
            ("read", "{\"message\":\"c\"}"),
        ]),
        Scripted::says("done"),
    ]);
    run(&Client::new(), &model, &tools, 5).await.unwrap();
    assert_eq!(
        *log.lock().unwrap(),
        [
            "a begins", "a ends", "b begins", "b ends", "c begins", "c ends"
        ]
    );
}

#[tokio::test]
async fn a_model_without_tools_is_offered_none_and_a_warning_says_so() {
    let can = toolcrib::model::Capabilities {
        tools: false,
        ..Default::default()
    };
    let model = ScriptedModel::new([Scripted::says("I have only words.")]).with_capabilities(can);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    assert_eq!(result.warnings(), [Warning::ToolsNotSupported]);
}

#[tokio::test]
async fn a_call_cut_by_the_output_limit_does_not_run_and_says_so() {
    let mut call = ToolCall::new("echo", "{\"message\":\"a very lo");
    call.cut = true;
    let model = ScriptedModel::new([
        Scripted::calls_all([call]).finishing(toolcrib::model::FinishReason::Length),
        Scripted::says("shorter"),
    ]);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    assert!(heard(result.messages())[0].0.contains("output limit cut"));
    assert_eq!(result.warnings(), [Warning::OutputCut]);
}

#[tokio::test]
async fn odd_arguments_are_read_as_what_they_mean_and_noted() {
    let mut tools = ToolSet::new();
    tools.register("now", "Tells the time.", nothing()).unwrap();
    tools.add_executor(|_| async { ToolResult::success("noon").into() });
    for arguments in ["", "  \n", "null", "\"{}\""] {
        let model = ScriptedModel::new([calls(&[("now", arguments)]), Scripted::says("done")]);
        let result = run(&Client::new(), &model, &tools, 5).await.unwrap();
        assert_eq!(heard(result.messages()), [("noon".to_owned(), false)]);
        assert_eq!(
            result.warnings(),
            [Warning::ArgumentsRepaired],
            "{arguments:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_has_its_time() {
    let mut tools = ToolSet::new();
    for (name, is_read_only) in [("reads", true), ("writes", false)] {
        let tool = tool_fn(name, "Takes for ever.", |_: Echo| async {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            "late"
        });
        let added = if is_read_only {
            tools.add(tool.read_only())
        } else {
            tools.add(tool)
        };
        added.unwrap();
    }
    let model = ScriptedModel::new([
        Scripted::calls("reads", json!({"message": ""})),
        Scripted::calls("writes", json!({"message": ""})),
        Scripted::says("done"),
    ]);
    let client = Client::new().call_timeout(Duration::from_secs(5));
    let result = run(&client, &model, &tools, 5).await.unwrap();
    let states: Vec<CallState> = result
        .steps()
        .iter()
        .flat_map(|step| step.calls.iter().map(|call| call.state))
        .collect();
    assert_eq!(states, [CallState::Failed, CallState::Unknown]);
    let heard = heard(result.messages());
    assert_eq!(heard[0].0, "Timed out after 5 s.");
    assert!(heard[1].0.contains("It may have happened"));
}

#[tokio::test]
async fn a_step_that_offers_nothing_forbids_everything() {
    let script = || ScriptedModel::new([echo("ping"), Scripted::says("done")]);
    let none = |client: Client| client.prepare_step(|plan| plan.only([]));
    let error = run(&none(Client::new()), &script(), &tools(), 5)
        .await
        .unwrap_err();
    assert!(
        matches!(error.kind(), GenerateErrorKind::InvalidRequest(_)),
        "{error}"
    );
    let result = run(&none(telling()), &script(), &tools(), 5).await.unwrap();
    assert_eq!(
        heard(result.messages()),
        [(
            "There is no tool named `echo`, and no other.".to_owned(),
            true
        )]
    );
}

#[tokio::test]
async fn a_run_may_take_any_number_of_steps() {
    let mut script: Vec<Scripted> = (0..40).map(|at| echo(&at.to_string())).collect();
    script.push(Scripted::says("done"));
    let result = run(
        &Client::new(),
        &ScriptedModel::new(script),
        &tools(),
        usize::MAX,
    )
    .await
    .unwrap();
    assert_eq!(result.step_count(), 41);
}

#[tokio::test]
async fn calls_with_the_same_id_are_told_apart() {
    let once = ToolCall::new("echo", "{\"message\":\"one\"}");
    let again = ToolCall {
        arguments: "{\"message\":\"two\"}".to_owned(),
        ..once.clone()
    };
    let model = ScriptedModel::new([Scripted::calls_all([once, again]), Scripted::says("done")]);
    let result = run(&Client::new(), &model, &tools(), 5).await.unwrap();
    let texts = heard(result.messages());
    assert_eq!(
        texts,
        [("one".to_owned(), false), ("two".to_owned(), false)]
    );
    let calls = &result.steps()[0].calls;
    assert_ne!(calls[0].id, calls[1].id);
}

#[tokio::test]
async fn a_request_has_its_own_patience() {
    let model = ScriptedModel::new([Scripted::says("Hello.")]);
    let request = Request {
        timeout: Some(Duration::from_secs(7)),
        ..Request::from_prompt("Go")
    };
    Client::new()
        .generate(&SharedModel::new(model.clone()), request, &tools(), 5)
        .await
        .unwrap();
    assert_eq!(model.requests()[0].timeout, Some(Duration::from_secs(7)));
}
