//! Requests that carry what was said before.

use serde_json::{Map, Value};
use toolcrib::message::{
    AssistantMessage, AssistantPart, Message, ProviderBlob, ToolCall, Transcript,
};
use toolcrib::model::{Answer, ModelRequest};

use super::super::said::{End, call, text, thought};
use super::{Provider, answer, ask, asking, done, sent, transcript, weather};

pub(super) async fn a_second_request_says_all_that_was_said<P: Provider>() {
    let think = thought("Let me look: 😀");
    let said = [think, call("call_a", "weather", "{\"city\":\"Zürich\"}")];
    let mut messages = transcript(&answer::<P>(&said, End::Done).await, &[Ok("Rain")]);
    messages.push(Message::user("And tomorrow?"));
    let request = ModelRequest {
        system: "Be brief.".to_owned(),
        messages,
        tools: weather(),
        parallel_calls: Some(false),
        temperature: Some(0.5),
        max_output_tokens: Some(500),
        ..ModelRequest::default()
    };
    let outcome = ask::<P>(&request, [done::<P>()]).await;
    assert_eq!(outcome.fake.asked(), P::request());
    assert!(outcome.answer.is_ok());
    // A transcript that was stored in between says the same.
    let stored = serde_json::to_string(&request.messages).unwrap();
    let request = ModelRequest {
        messages: serde_json::from_str(&stored).unwrap(),
        ..request
    };
    let outcome = ask::<P>(&request, [done::<P>()]).await;
    assert_eq!(outcome.fake.asked(), P::request());
}

pub(super) async fn results_stand_in_the_order_of_their_calls<P: Provider>() {
    let said = [("call_a", "Ulm"), ("call_b", "Bern")]
        .map(|(id, city)| call(id, "weather", &format!("{{\"city\":\"{city}\"}}")));
    let answer = answer::<P>(&said, End::Done).await;
    let transcript = transcript(&answer, &[Ok("Rain"), Err("No such city.")]);
    assert_eq!(sent::<P>(&transcript).await, P::two_results());
}

pub(super) async fn broken_arguments_go_back_as_none<P: Provider>() {
    let said = [call("call_a", "weather", "{\"city\":\"Zür")];
    let mut answer = answer::<P>(&[text("x")], End::Done).await;
    if P::NAME == "gemini" {
        // This provider writes arguments as objects; only another's can be broken.
        let call = ToolCall::new("weather", "{\"city\":\"Zür");
        answer.message.parts = vec![AssistantPart::ToolCall(call)];
    } else {
        answer = super::answer::<P>(&said, End::Limit).await;
        assert!(answer.message.tool_calls().all(|call| call.cut));
    }
    let transcript = transcript(&answer, &[Err("Cut off.")]);
    let call = answer.message.tool_calls().next().unwrap();
    assert_eq!(sent::<P>(&transcript).await, P::broken_call(call));
}

pub(super) async fn what_another_provider_left_is_not_sent<P: Provider>() {
    let blob = || {
        Some(ProviderBlob {
            provider: "elsewhere".to_owned(),
            data: serde_json::json!({"thoughtSignature": "FOREIGN", "type": "FOREIGN",
                "reasoning_content": "FOREIGN", "arguments": "{}"}),
        })
    };
    let mut call = ToolCall::new("weather", "{\"city\":\"Ulm\"}");
    call.provider_id = Some("foreign:1".to_owned());
    call.provider = blob();
    let parts = vec![
        AssistantPart::Reasoning {
            text: "FOREIGN".to_owned(),
            provider: blob(),
        },
        AssistantPart::Text {
            text: "I look.".to_owned(),
            provider: blob(),
        },
        AssistantPart::ToolCall(call.clone()),
    ];
    let answer = Answer::new(AssistantMessage { parts }, "elsewhere");
    let sent = sent::<P>(&transcript(&answer, &[Ok("Rain")])).await;
    assert!(!sent.to_string().contains("FOREIGN"), "{sent}");
    assert_eq!(sent, P::foreign(&call));
}

pub(super) async fn a_call_may_be_forced_or_forbidden<P: Provider>() {
    let fields = |body: &Value| -> Value {
        let fields = P::CHOICE_FIELDS.iter();
        let said = fields.filter_map(|name| Some(((*name).to_owned(), body.get(*name)?.clone())));
        said.collect::<Map<_, _>>().into()
    };
    for (choice, parallel_calls, expected) in P::choices() {
        let request = ModelRequest {
            tools: weather(),
            tool_choice: choice.clone(),
            parallel_calls,
            ..asking()
        };
        let body = ask::<P>(&request, [done::<P>()]).await.fake.asked();
        assert_eq!(fields(&body), expected, "{choice:?} {parallel_calls:?}");
        let request = ModelRequest {
            tools: vec![].into(),
            ..request
        };
        let body = ask::<P>(&request, [done::<P>()]).await.fake.asked();
        assert_eq!(fields(&body), serde_json::json!({}), "no tools, no choice");
        assert_eq!(body.get("tools"), None);
    }
}

pub(super) async fn a_transcript_grows_and_is_not_written_anew<P: Provider>() {
    let said = [call("call_a", "weather", "{\"city\":\"Zürich\"}")];
    let shorter = transcript(&answer::<P>(&said, End::Done).await, &[Ok("The last word")]);
    let mut longer = shorter.clone();
    longer.push(Message::user("And tomorrow?"));
    let [shorter, longer] = [raw::<P>(&shorter).await, raw::<P>(&longer).await];
    let same = shorter
        .iter()
        .zip(&longer)
        .take_while(|(a, b)| a == b)
        .count();
    let last = "The last word";
    let end = String::from_utf8(shorter).unwrap().find(last).unwrap() + last.len();
    assert!(
        same > end,
        "the same up to {same}, which is to be beyond {end}"
    );
}

async fn raw<P: Provider>(messages: &Transcript) -> Vec<u8> {
    let request = ModelRequest {
        messages: messages.clone(),
        ..ModelRequest::default()
    };
    let outcome = ask::<P>(&request, [done::<P>()]).await;
    outcome.fake.seen().pop().unwrap().raw.to_vec()
}
