//! One model call at a time, by hand.

use toolcrib::message::{AssistantMessage, AssistantPart, Message, ProviderBlob, ToolCall};
use toolcrib::model::SharedModel;
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{Client, Request, ToolContext, ToolResult};

use crate::scripted::{echo, tools};

#[tokio::test]
async fn a_loop_by_hand() {
    let model = ScriptedModel::new([echo("ping"), Scripted::says("It said ping.")]);
    let shared = SharedModel::new(model.clone());
    let (client, tools) = (Client::new(), tools());
    let mut request = Request::from_prompt("Use the echo tool").with_system("Be brief.");
    request.set_tools(&tools);
    request.ensure_messages_from_prompt();
    request.ensure_messages_from_prompt();
    assert_eq!(request.messages.len(), 1, "only where there are none");

    let result = client.generate_once(&shared, &request).await.unwrap();
    assert!(result.has_tool_calls() && !result.stopped_at_step_limit());
    assert_eq!(result.step_count(), 1);
    assert!(result.warnings().is_empty());
    request.append_assistant_tool_calls(result.output(), result.tool_calls());
    for call in result.tool_calls() {
        let outcome = tools
            .execute(&call.name, &call.arguments, &ToolContext::new())
            .await
            .unwrap();
        let ToolResult::Success { output, .. } = outcome else {
            panic!("{outcome:?}");
        };
        request.append_tool_result(call.id, call.name, ToolResult::output_text(&output));
    }
    let result = client.generate_once(&shared, &request).await.unwrap();
    assert_eq!(result.output(), "It said ping.");
    assert!(!result.has_tool_calls());
    let requests = model.requests();
    assert_eq!(requests[0].system, "Be brief.");
    assert_eq!(requests[0].tools.len(), 1);
    assert_eq!(requests[1].messages.len(), 3);
}

#[tokio::test]
async fn a_single_call_runs_nothing() {
    let model = ScriptedModel::new([echo("abort"), Scripted::says("never said")]);
    let shared = SharedModel::new(model.clone());
    let request = Request::from_prompt("Go");
    let result = Client::new()
        .generate_once(&shared, &request)
        .await
        .unwrap();
    assert_eq!(result.tool_calls().len(), 1);
    assert_eq!(model.requests().len(), 1);
    assert!(model.requests()[0].tools.is_empty(), "none were set");
    assert_eq!(result.messages().len(), 2, "the question and the answer");
}

#[tokio::test]
async fn what_a_model_thought_goes_on_with_its_calls() {
    let blob = Some(ProviderBlob {
        provider: "somebody".into(),
        data: serde_json::json!({"signature": "abc"}),
    });
    let mut call = ToolCall::new("echo", "{\"message\":\"ping\"}");
    call.provider.clone_from(&blob);
    let answer = AssistantMessage {
        parts: vec![
            AssistantPart::Reasoning {
                text: "Hm.".into(),
                provider: blob,
            },
            AssistantPart::ToolCall(call.clone()),
        ],
    };
    let model = ScriptedModel::new([Scripted::answers(answer.clone()), Scripted::says("done")]);
    let shared = SharedModel::new(model.clone());
    Client::new()
        .generate(&shared, Request::from_prompt("Go"), &tools(), 5)
        .await
        .unwrap();
    let sent = model.requests()[1].messages.get(1).cloned();
    assert_eq!(sent, Some(Message::Assistant(answer)));
    let mut request = Request::from_prompt("Go");
    request.append_assistant_tool_calls("", [call.clone()]);
    let Some(Message::Assistant(by_hand)) = request.messages.last() else {
        panic!("no answer");
    };
    assert_eq!(
        by_hand.tool_calls().next(),
        Some(&call),
        "its signature too"
    );
}
