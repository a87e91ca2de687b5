//! A stop reaches whatever is under way, and the ending is always written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use toolcrib::state::CallState;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{Client, GenerateErrorKind, Tool, ToolContext, ToolResult, ToolSet};

use crate::scripted::{Echo, EchoTool, calls, heard, run};

/// Works until it is stopped; says how it takes a stop.
struct Working {
    name: &'static str,
    begun: Arc<Notify>,
    heeds: bool,
    is_read_only: bool,
    finished: Arc<AtomicBool>,
}

impl Tool for Working {
    type Input = Echo;

    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        "Works for long."
    }

    fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    async fn call(&self, context: &ToolContext, _: Echo) -> ToolResult {
        self.begun.notify_one();
        if self.heeds {
            context.cancel.cancelled().await;
            self.finished.store(true, Ordering::Relaxed);
            return ToolResult::failure("Stopped half-way: 3 of 9 done.");
        }
        std::future::pending().await
    }
}

async fn stop_while(heeds: bool, is_read_only: bool) -> (Vec<CallState>, Vec<(String, bool)>) {
    let (begun, finished) = (Arc::new(Notify::new()), Arc::new(AtomicBool::new(false)));
    let mut tools = ToolSet::new();
    let working = Working {
        name: "work",
        begun: Arc::clone(&begun),
        heeds,
        is_read_only,
        finished: Arc::clone(&finished),
    };
    tools.add(working).unwrap();
    tools.add(EchoTool).unwrap();
    let model = ScriptedModel::new([
        calls(&[
            ("work", "{\"message\":\"\"}"),
            ("echo", "{\"message\":\"ping\"}"),
        ]),
        Scripted::says("never said"),
    ]);
    let cancel = CancellationToken::new();
    let client = Client::new()
        .cancelled_by(cancel.clone())
        .stop_deadline(Duration::from_secs(5));
    let stop = async {
        begun.notified().await;
        cancel.cancel();
    };
    let (outcome, ()) = tokio::join!(run(&client, &model, &tools, 5), stop);
    let error = outcome.unwrap_err();
    assert_eq!(error.kind(), &GenerateErrorKind::Cancelled);
    assert_eq!(finished.load(Ordering::Relaxed), heeds);
    let states = error.partial().steps()[0]
        .calls
        .iter()
        .map(|call| call.state);
    (states.collect(), heard(error.partial().messages()))
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_heeds_the_stop_ends_by_itself() {
    let (states, heard) = stop_while(true, false).await;
    assert_eq!(states, [CallState::Failed, CallState::Cancelled]);
    assert_eq!(heard[0].0, "Stopped half-way: 3 of 9 done.");
    assert!(heard[1].0.contains("Cancelled"), "{heard:?}");
}

#[tokio::test(start_paused = true)]
async fn one_that_does_not_is_given_up_at_the_deadline() {
    let (states, heard) = stop_while(false, false).await;
    assert_eq!(states, [CallState::Unknown, CallState::Cancelled]);
    assert!(heard[0].0.contains("It may have happened"), "{heard:?}");
    let (states, heard) = stop_while(false, true).await;
    assert_eq!(states, [CallState::Cancelled, CallState::Cancelled]);
    assert!(heard[0].0.contains("while this call ran"), "{heard:?}");
}

#[test]
fn every_ending_has_words_of_its_own() {
    use toolcrib::agent::step::{Closing, ending_text};
    let mut texts: Vec<&str> = [
        CallState::Rejected,
        CallState::NotStarted,
        CallState::Unknown,
        CallState::Failed,
        CallState::Superseded,
        CallState::Expired,
        CallState::Cancelled,
        CallState::Refused,
    ]
    .map(ending_text)
    .to_vec();
    texts.extend([Closing::Repeated.text(), Closing::Aborted.text()]);
    assert!(texts.iter().all(|text| !text.is_empty()));
    let all = texts.len();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), all);
}

/// A model that answers never and heeds nothing.
struct Deaf;

impl toolcrib::model::Model for Deaf {
    fn provider(&self) -> &str {
        "deaf"
    }

    fn name(&self) -> &str {
        "deaf"
    }

    async fn respond(
        &self,
        _: &toolcrib::model::ModelRequest,
        _: &mut dyn toolcrib::model::ModelSink,
        _: &CancellationToken,
    ) -> Result<toolcrib::model::Answer, toolcrib::model::ModelError> {
        std::future::pending().await
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_does_not_heed_the_stop_is_given_up() {
    let cancel = CancellationToken::new();
    let client = Client::new().cancelled_by(cancel.clone());
    let tools = ToolSet::new();
    let model = toolcrib::model::SharedModel::new(Deaf);
    let request = toolcrib::Request::from_prompt("Go");
    let running = client.generate(&model, request, &tools, 5);
    let stop = async {
        tokio::time::sleep(Duration::from_millis(5)).await;
        cancel.cancel();
    };
    let both = async { tokio::join!(running, stop) };
    let (outcome, ()) = tokio::time::timeout(Duration::from_secs(60), both)
        .await
        .unwrap();
    assert_eq!(outcome.unwrap_err().kind(), &GenerateErrorKind::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn a_tool_whose_time_is_up_is_told_and_may_end_by_itself() {
    let finished = Arc::new(AtomicBool::new(false));
    let mut tools = ToolSet::new();
    let working = Working {
        name: "work",
        begun: Arc::default(),
        heeds: true,
        is_read_only: false,
        finished: Arc::clone(&finished),
    };
    tools.add(working).unwrap();
    let model = ScriptedModel::new([
        calls(&[("work", "{\"message\":\"\"}")]),
        Scripted::says("done"),
    ]);
    let client = Client::new().call_timeout(Duration::from_secs(5));
    let result = run(&client, &model, &tools, 5).await.unwrap();
    assert!(finished.load(Ordering::Relaxed));
    assert_eq!(
        heard(result.messages())[0].0,
        "Stopped half-way: 3 of 9 done."
    );
    assert_eq!(result.output(), "done");
}
