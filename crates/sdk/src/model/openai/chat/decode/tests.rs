use super::ChatDecoder;
use crate::message::{AssistantPart, ToolCall};
use crate::model::http::wire::{Decoder, WireError};
use crate::model::{Answer, FinishReason, ModelErrorKind, ModelEvent};
use serde_json::{Value, json};

fn assemble(chunks: &[Value], done: bool) -> Result<(Answer, Vec<ModelEvent>), WireError> {
    let mut events = Vec::new();
    let mut sink = |event| events.push(event);
    let mut decoder = ChatDecoder::new("m");
    for chunk in chunks {
        decoder.event(&chunk.to_string(), &mut sink)?;
    }
    if done {
        decoder.event("[DONE]", &mut sink)?;
    }
    let answer = decoder.finish()?;
    Ok((answer, events))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "called with a fresh value each time"
)]
fn delta(delta: Value) -> Value {
    json!({"choices": [{"delta": delta}]})
}

fn calls(answer: &Answer) -> Vec<ToolCall> {
    answer.message.tool_calls().cloned().collect()
}

#[test]
fn joins_text_and_counts_tokens_in_a_last_chunk_without_choices() {
    let (answer, events) = assemble(
        &[
            json!({"choices": [], "model": "big"}),
            delta(json!({"role": "assistant", "content": "Hel"})),
            delta(json!({"content": "lo"})),
            json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
            json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}}),
        ],
        true,
    )
    .unwrap();
    assert_eq!(answer.message.text(), "Hello");
    assert_eq!(answer.meta.model, "big");
    assert_eq!(answer.meta.usage.unwrap().input_tokens, Some(7));
    assert_eq!(
        answer.meta.usage.unwrap().cached_tokens,
        None,
        "unknown is not zero"
    );
    assert_eq!(events.len(), 2);
}

#[test]
fn parallel_calls_are_told_apart_by_index() {
    let (answer, _) = assemble(
        &[
            delta(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "one", "arguments": ""}}]})),
            delta(json!({"tool_calls": [{"index": 1, "id": "b", "function": {"name": "two", "arguments": "{\"y\""}}]})),
            delta(json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"x\":1}"}}]})),
            delta(json!({"tool_calls": [{"index": 1, "function": {"arguments": ":2}"}}]})),
        ],
        true,
    )
    .unwrap();
    let calls = calls(&answer);
    assert_eq!(
        calls
            .iter()
            .map(|call| (call.name.as_str(), call.arguments.as_str()))
            .collect::<Vec<_>>(),
        [("one", "{\"x\":1}"), ("two", "{\"y\":2}")]
    );
    assert_eq!(
        answer.meta.finish,
        FinishReason::ToolCalls,
        "calls count, not the reason given"
    );
}

#[test]
fn calls_without_index_or_id_are_told_apart_by_name() {
    let (answer, _) = assemble(
        &[
            delta(json!({"tool_calls": [{"function": {"name": "one", "arguments": "{}"}}]})),
            delta(json!({"tool_calls": [{"function": {"name": "two", "arguments": {"x": 1}}}]})),
        ],
        true,
    )
    .unwrap();
    let calls = calls(&answer);
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[1].arguments, "{\"x\":1}");
    assert_ne!(calls[0].id, calls[1].id);
}

#[test]
fn a_reused_or_blank_provider_id_is_replaced_by_ours() {
    let (answer, _) = assemble(
        &[
            delta(json!({"tool_calls": [{"index": 0, "id": "same", "function": {"name": "one", "arguments": "{}"}}]})),
            delta(json!({"tool_calls": [{"index": 1, "id": "same", "function": {"name": "one", "arguments": "{}"}}]})),
            delta(json!({"tool_calls": [{"index": 2, "id": " ", "function": {"name": "one", "arguments": "{}"}}]})),
        ],
        true,
    )
    .unwrap();
    let ids: Vec<_> = calls(&answer)
        .into_iter()
        .map(|call| call.provider_id)
        .collect();
    assert_eq!(ids, [Some("same".to_owned()), None, None]);
}

#[test]
fn an_end_of_file_is_no_end() {
    let error = assemble(&[delta(json!({"content": "Hel"}))], false).unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::CutOff);
}

#[test]
fn a_call_cut_by_the_output_limit_says_so() {
    let (answer, _) = assemble(
        &[
            delta(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "one", "arguments": "{\"x\": \"lo"}}]})),
            json!({"choices": [{"delta": {}, "finish_reason": "length"}]}),
        ],
        true,
    )
    .unwrap();
    assert!(calls(&answer)[0].cut);
}

#[test]
fn reasoning_is_kept_with_the_field_it_came_in() {
    let (answer, events) = assemble(
        &[
            delta(json!({"reasoning_content": "Think", "reasoning": "Think"})),
            delta(json!({"content": "Answer"})),
        ],
        true,
    )
    .unwrap();
    let AssistantPart::Reasoning { text, provider } = &answer.message.parts[0] else {
        panic!("no reasoning")
    };
    assert_eq!(text, "Think");
    assert_eq!(
        provider.as_ref().unwrap().data,
        json!({"reasoning_content": null})
    );
    assert_eq!(events[0], ModelEvent::Reasoning("Think".to_owned()));
}

#[test]
fn an_error_inside_the_stream_counts_like_its_status() {
    let error = assemble(
        &[json!({"error": {"message": "slow down", "code": 429}})],
        false,
    )
    .unwrap_err();
    assert_eq!(
        error.kind,
        ModelErrorKind::RateLimited { retry_after: None }
    );
    let error = assemble(
        &[json!({"error": {"message": "busy", "type": "overloaded_error"}})],
        false,
    )
    .unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Unavailable);
}

#[test]
fn an_id_that_changes_on_the_way_is_one_more_name_of_the_call() {
    let (answer, _) = assemble(
        &[
            delta(json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "one", "arguments": "{\"x\""}}]})),
            delta(json!({"tool_calls": [{"index": 0, "id": "b", "function": {"arguments": ":"}}]})),
            delta(json!({"tool_calls": [{"id": "b", "function": {"arguments": "1}"}}]})),
        ],
        true,
    )
    .unwrap();
    let calls = calls(&answer);
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].arguments, "{\"x\":1}");
    assert_eq!(calls[0].provider_id.as_deref(), Some("a"));
}

#[test]
fn an_id_that_comes_late_belongs_to_the_call_under_way() {
    let (answer, _) = assemble(
        &[
            delta(json!({"tool_calls": [{"index": 0, "function": {"name": "one", "arguments": ""}}]})),
            delta(json!({"tool_calls": [{"index": 0, "id": "late", "function": {"arguments": "{}"}}]})),
        ],
        true,
    )
    .unwrap();
    assert_eq!(calls(&answer)[0].provider_id.as_deref(), Some("late"));
}

#[test]
fn a_signature_stays_with_its_call() {
    let extra = json!({"google": {"thought_signature": "c2lnbmVk"}});
    let (answer, _) = assemble(
        &[delta(
            json!({"tool_calls": [{"index": 0, "id": "a", "extra_content": extra,
            "function": {"name": "one", "arguments": "{}"}}]}),
        )],
        true,
    )
    .unwrap();
    let blob = calls(&answer)[0].provider.clone().unwrap();
    assert_eq!(blob.data, json!({ "extra_content": extra }));
}

#[test]
fn a_refusal_is_a_thing_of_its_own() {
    let (answer, _) = assemble(
        &[
            delta(json!({"refusal": "I can't "})),
            delta(json!({"refusal": "do that."})),
            json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
        ],
        true,
    )
    .unwrap();
    assert_eq!(answer.message.refusal(), Some("I can't do that."));
    assert_eq!(answer.message.text(), "");
    assert_eq!(answer.meta.finish, FinishReason::Refusal);
}

#[test]
fn an_end_without_any_answer_is_no_answer() {
    let error = assemble(&[], true).unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::CutOff);
    let error = assemble(&[json!({"choices": []})], true).unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::CutOff);
    let mut decoder = ChatDecoder::new("m");
    let whole = decoder.whole(&json!({"choices": []}), &mut |_: ModelEvent| {});
    assert_eq!(whole.unwrap_err().kind, ModelErrorKind::Broken);
}

#[test]
fn an_error_beside_the_answer_is_an_error() {
    let error = json!({"choices": [{"delta": {"content": ""}, "finish_reason": "error",
        "error": {"code": 502, "message": "upstream broke"}}]});
    let error = assemble(&[delta(json!({"content": "Hel"})), error], true).unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Unavailable);
    assert_eq!(error.text, "upstream broke");
}

#[test]
fn thousands_of_calls_and_ids_are_put_together_at_once() {
    let mut chunks = Vec::new();
    for at in 0..10_000 {
        let call = json!({"index": at, "id": format!("call_{at}"),
            "function": {"name": "t", "arguments": "{"}});
        chunks.push(delta(json!({"tool_calls": [call]})));
        let rest = json!({"index": at, "id": format!("late_{at}"), "function": {"arguments": "}"}});
        chunks.push(delta(json!({"tool_calls": [rest]})));
    }
    for at in 0..10_000 {
        let more = json!({"index": 0, "id": format!("odd_{at}"), "function": {"arguments": " "}});
        chunks.push(delta(json!({"tool_calls": [more]})));
    }
    let (answer, _) = assemble(&chunks, true).unwrap();
    let calls = calls(&answer);
    assert_eq!(calls.len(), 10_000);
    assert!(calls.iter().all(|call| call.arguments.trim() == "{}"));
    assert_eq!(calls[7].provider_id.as_deref(), Some("call_7"));
}
