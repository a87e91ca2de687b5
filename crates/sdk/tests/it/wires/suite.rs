//! What each wire format is to do, asked of all of them in the same words.

mod asking;
mod broken;
mod plain;
mod strict;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolcrib::message::{Message, ToolCall, ToolMessage, Transcript};
use toolcrib::model::{
    Answer, Capabilities, Delivery, Endpoint, FinishReason, ModelError, ModelRequest, SharedModel,
    StructuredOutput, ToolChoice, Usage,
};
use toolcrib::{Definitions, ToolSet};

use super::fake::{Canned, Fake};
use super::said::{End, Fixture, Said, Told};

/// A tool choice, whether several calls are wanted, and what is sent for both.
pub(crate) type Choice = (ToolChoice, Option<bool>, Value);

/// An error inside an answer that began with 200.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trouble {
    Overloaded,
    RateLimited,
    Invalid,
}

/// A provider's shapes, made up for the tests.
pub(crate) trait Provider {
    const NAME: &'static str;
    /// Where the messages stand in a request.
    const MESSAGES: &'static str;
    /// The header of the key, and what stands before the key in it.
    const KEY_HEADER: (&'static str, &'static str);
    /// The paths of a streamed and of a whole answer, after the base URL.
    const PATHS: [&'static str; 2];
    const MODELS: &'static str;
    /// Whether strict tools make the model write null for what it leaves out.
    const OPTIONAL_IS_NULL: bool;
    /// What only this provider writes in a request, when it sends reasoning back.
    const MARK: &'static str;
    const CHOICE_FIELDS: &'static [&'static str];
    /// An event that means nothing.
    const PING: &'static str = ": ping";

    type Http: std::fmt::Debug;

    fn http(endpoint: Endpoint, fake: Arc<Fake>) -> Self::Http;
    fn model(endpoint: Endpoint, fake: Arc<Fake>) -> SharedModel;
    async fn models(model: &Self::Http) -> Vec<String>;

    fn stream(said: &[Said], end: End, with_usage: bool) -> String;
    fn whole(said: &[Said], end: End, with_usage: bool) -> Option<Value>;
    /// What is kept for the provider with the part that was said at this place.
    fn blob(said: &Said, at: usize) -> Option<Value>;
    /// What [`stream`](Self::stream) and [`whole`](Self::whole) count.
    fn usage() -> Usage;
    fn odd() -> FinishReason;
    fn refusal() -> Fixture;
    /// The last event of a stream, and a whole answer.
    fn trouble(trouble: Trouble) -> (Value, Value);
    fn models_body() -> Value;

    /// The request after a thought, a call, its result and a question.
    fn request() -> Value;
    /// The messages after two calls, one of which failed.
    fn two_results() -> Value;
    fn broken_call(call: &ToolCall) -> Value;
    fn foreign(call: &ToolCall) -> Value;
    fn strict_tool() -> Value;
    fn tool_names(body: &Value) -> Vec<String>;
    fn choices() -> Vec<Choice>;
    fn forced(body: &Value) -> &Value;
    /// The field that asks for an answer of this schema, and its value.
    fn output(schema: &Value) -> (&'static str, Value);
}

pub(crate) const KEY: &str = "sk-canary-0123456789";

pub(crate) fn capabilities() -> Capabilities {
    Capabilities {
        older_output_limit: false,
        reasoning: true,
        structured_output: StructuredOutput::WithTools,
        ..Capabilities::default()
    }
}

pub(crate) fn endpoint(capabilities: Capabilities) -> Endpoint {
    let mut endpoint = Endpoint::new("http://model.test/v1", Some(KEY.to_owned()), "m");
    endpoint.retry_pause = Duration::from_millis(1);
    endpoint.capabilities = Some(capabilities);
    endpoint
}

/// What came of a request.
pub(crate) struct Outcome {
    pub(crate) answer: Result<Answer, ModelError>,
    pub(crate) told: Told,
    pub(crate) fake: Arc<Fake>,
}

pub(crate) async fn ask_as<P: Provider>(
    capabilities: Capabilities,
    request: &ModelRequest,
    answers: impl IntoIterator<Item = Canned>,
) -> Outcome {
    let fake = Fake::answering(answers);
    let model = P::model(endpoint(capabilities), Arc::clone(&fake));
    let mut told = Told::default();
    let mut sink = |event| told.hear(event);
    let answer = model
        .respond(request, &mut sink, &CancellationToken::new())
        .await;
    Outcome { answer, told, fake }
}

pub(crate) async fn ask<P: Provider>(
    request: &ModelRequest,
    answers: impl IntoIterator<Item = Canned>,
) -> Outcome {
    ask_as::<P>(capabilities(), request, answers).await
}

pub(crate) async fn answer<P: Provider>(said: &[Said], end: End) -> Answer {
    let stream = Canned::stream(&P::stream(said, end, true));
    ask::<P>(&asking(), [stream]).await.answer.unwrap()
}

/// The messages of the request that goes out for a transcript.
pub(crate) async fn sent<P: Provider>(transcript: &Transcript) -> Value {
    let request = ModelRequest {
        messages: transcript.clone(),
        ..ModelRequest::default()
    };
    let outcome = ask::<P>(&request, [done::<P>()]).await;
    let mut body = outcome.fake.asked();
    body.pointer_mut(P::MESSAGES).unwrap().take()
}

pub(crate) fn done<P: Provider>() -> Canned {
    let said = [Said::Text("Done.".to_owned())];
    Canned::stream(&P::stream(&said, End::Done, true))
}

pub(crate) fn asking() -> ModelRequest {
    ModelRequest {
        messages: vec![Message::user("What is the weather?")].into(),
        ..ModelRequest::default()
    }
}

pub(crate) fn asking_whole() -> ModelRequest {
    ModelRequest {
        delivery: Delivery::Whole,
        ..asking()
    }
}

pub(crate) fn weather() -> Definitions {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    });
    vec![ToolSet::tool_definition("weather", "Tells the weather.", schema).unwrap()].into()
}

/// A question, the answer to it, and the results of its calls.
pub(crate) fn transcript(answer: &Answer, results: &[Result<&str, &str>]) -> Transcript {
    let mut transcript = asking().messages;
    transcript.push(Message::Assistant(answer.message.clone()));
    let calls = answer.message.tool_calls();
    assert_eq!(calls.count(), results.len());
    for (call, result) in answer.message.tool_calls().zip(results) {
        let (Ok(content) | Err(content)) = result;
        transcript.push(Message::Tool(ToolMessage {
            call: call.id,
            name: call.name.clone(),
            content: (*content).to_owned(),
            is_error: result.is_err(),
        }));
    }
    transcript
}

/// The tests of the suite for one provider.
macro_rules! suite {
    ($name:ident: $provider:ty) => {
        mod $name {
            suite!(@tests $provider:
                plain: whole_and_streamed_answers_are_the_same,
                plain: answers_are_the_same_wherever_the_network_splits_them,
                plain: requests_go_where_the_provider_listens,
                plain: models_are_listed,
                plain: an_id_that_two_calls_share_is_worthless,
                broken: errors_inside_an_answer_count_like_their_status,
                broken: an_overload_after_text_starts_again,
                broken: what_is_no_answer_is_an_error,
                broken: each_status_has_its_kind,
                broken: failed_attempts_are_listed,
                broken: the_key_is_nowhere,
                asking: a_second_request_says_all_that_was_said,
                asking: results_stand_in_the_order_of_their_calls,
                asking: broken_arguments_go_back_as_none,
                asking: what_another_provider_left_is_not_sent,
                asking: a_call_may_be_forced_or_forbidden,
                asking: a_transcript_grows_and_is_not_written_anew,
                strict: what_the_model_leaves_out_is_left_out,
                strict: a_name_that_is_too_long_goes_out_shortened,
                strict: an_answer_may_have_a_shape,
            );

            #[tokio::test(start_paused = true)]
            async fn a_stream_that_stands_still_is_a_timeout() {
                super::broken::a_stream_that_stands_still_is_a_timeout::<$provider>().await;
            }
        }
    };
    (@tests $provider:ty: $($file:ident: $test:ident,)*) => {$(
        #[tokio::test]
        async fn $test() {
            super::$file::$test::<$provider>().await;
        }
    )*};
}

suite!(chat: crate::wires::chat::Chat);
suite!(responses: crate::wires::responses::Responses);
suite!(anthropic: crate::wires::anthropic::Anthropic);
suite!(gemini: crate::wires::gemini::Gemini);
