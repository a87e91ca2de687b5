//! One transcript and several providers.

use bytes::Bytes;
use serde_json::{Value, json};
use toolcrib::message::Transcript;
use toolcrib::model::{ModelErrorKind, ModelRequest};
use toolcrib::{Definitions, ToolSet};

use super::anthropic::Anthropic;
use super::chat::Chat;
use super::fake::{Body, Canned};
use super::gemini::Gemini;
use super::responses::Responses;
use super::said::{End, call, thought};
use super::suite::{Provider, answer, ask, asking, asking_whole, sent, transcript};

async fn told_by<P: Provider>() -> Transcript {
    let said = [
        thought("Let me look."),
        call("call_a", "weather", "{\"city\":\"Ulm\"}"),
    ];
    transcript(&answer::<P>(&said, End::Done).await, &[Ok("Rain")])
}

/// What `B` is sent of a transcript that `A` wrote and read before.
async fn goes<A: Provider, B: Provider>() {
    let transcript = told_by::<A>().await;
    let own = sent::<A>(&transcript).await;
    assert!(own.to_string().contains(A::MARK), "{own}");
    let after = sent::<B>(&transcript).await;
    assert_eq!(after, sent::<B>(&fresh(&transcript)).await);
    assert!(!after.to_string().contains(A::MARK), "{after}");
    assert_eq!(sent::<A>(&transcript).await, own, "and back again");
}

/// The same messages, never written before.
fn fresh(transcript: &Transcript) -> Transcript {
    let messages: Vec<_> = transcript.iter().cloned().collect();
    messages.into()
}

#[tokio::test]
async fn a_transcript_goes_from_any_provider_to_any_other() {
    goes::<Chat, Responses>().await;
    goes::<Chat, Anthropic>().await;
    goes::<Chat, Gemini>().await;
    goes::<Responses, Chat>().await;
    goes::<Responses, Anthropic>().await;
    goes::<Responses, Gemini>().await;
    goes::<Anthropic, Chat>().await;
    goes::<Anthropic, Responses>().await;
    goes::<Anthropic, Gemini>().await;
    goes::<Gemini, Chat>().await;
    goes::<Gemini, Responses>().await;
    goes::<Gemini, Anthropic>().await;
}

/// The tools as `P` is sent them.
async fn tools_sent<P: Provider>(request: &ModelRequest) -> Value {
    let fixture = P::stream(&[], End::Done, false);
    let outcome = ask::<P>(request, [Canned::stream(&fixture)]).await;
    outcome.fake.asked()["tools"].clone()
}

#[tokio::test]
async fn the_same_tools_are_written_for_each_provider_in_its_own_way() {
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let tool = || ToolSet::tool_definition("weather", "Tells it.", schema.clone()).unwrap();
    let with = |tools: Definitions| ModelRequest { tools, ..asking() };
    let shared = with(vec![tool()].into());
    let fresh = || with(vec![tool()].into());
    for _ in 0..2 {
        assert_eq!(
            tools_sent::<Chat>(&shared).await,
            tools_sent::<Chat>(&fresh()).await
        );
        assert_eq!(
            tools_sent::<Anthropic>(&shared).await,
            tools_sent::<Anthropic>(&fresh()).await
        );
        assert_eq!(
            tools_sent::<Gemini>(&shared).await,
            tools_sent::<Gemini>(&fresh()).await
        );
        assert_eq!(
            tools_sent::<Responses>(&shared).await,
            tools_sent::<Responses>(&fresh()).await
        );
    }
}

#[tokio::test]
async fn an_answer_without_end_is_refused() {
    let piece = Bytes::from([vec![b':'; 1024 * 1024], b"\n\n".to_vec()].concat());
    let stream = Canned::streamed(Body::Endless(piece.clone()));
    let mut whole = Canned::json("");
    whole.body = Body::Endless(piece);
    for (request, canned) in [(asking(), stream), (asking_whole(), whole)] {
        let outcome = ask::<Chat>(&request, [canned]).await;
        let error = outcome.answer.unwrap_err();
        assert_eq!(error.kind, ModelErrorKind::Broken);
        assert!(error.body.contains("64 MiB"), "{error}");
        assert_eq!(outcome.fake.seen().len(), 1);
    }
}
