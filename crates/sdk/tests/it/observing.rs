//! What can be seen of a run from outside.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use toolcrib::model::{Answer, ModelError, ModelErrorKind, ModelRequest};
use toolcrib::testing::{Scripted, ScriptedModel};
use toolcrib::{Client, GenerateError, GenerateResult, GenerateStart, Observer};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::scripted::{echo, run, tools};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn note(&self, line: String) {
        self.0.lock().unwrap().push(line);
    }
}

impl Observer for Log {
    fn before_generate(&self, start: &GenerateStart<'_>) {
        self.note(format!("begin {} {} tools", start.model, start.tools));
    }

    fn before_model_call(&self, step: usize, request: &ModelRequest) {
        self.note(format!(
            "ask {step} with {} messages",
            request.messages.len()
        ));
    }

    fn after_model_call(&self, step: usize, answer: Result<&Answer, &ModelError>) {
        self.note(format!("answered {step} {}", answer.is_ok()));
    }

    fn after_generate(&self, outcome: Result<&GenerateResult, &GenerateError>) {
        self.note(format!("end {}", outcome.is_ok()));
    }
}

#[tokio::test]
async fn observers_see_the_run_and_each_model_call() {
    let log = Log::default();
    let client = Client::new().observe(log.clone());
    let model = ScriptedModel::new([echo("ping"), Scripted::says("pong")]);
    run(&client, &model, &tools(), 5).await.unwrap();
    assert_eq!(
        *log.0.lock().unwrap(),
        [
            "begin scripted 1 tools",
            "ask 0 with 1 messages",
            "answered 0 true",
            "ask 1 with 3 messages",
            "answered 1 true",
            "end true"
        ]
    );
    let log = Log::default();
    let client = Client::new().observe(log.clone());
    let model = ScriptedModel::new([Scripted::fails(ModelErrorKind::Auth)]);
    run(&client, &model, &tools(), 5).await.unwrap_err();
    assert_eq!(
        log.0.lock().unwrap()[2..],
        ["answered 0 false", "end false"]
    );
}

type Spans = Arc<Mutex<Vec<(Id, &'static str, BTreeMap<String, String>)>>>;

/// Keeps every span with its fields.
#[derive(Clone, Default)]
struct Keep(Spans);

struct Fields<'a>(&'a mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }
}

impl<S: tracing::Subscriber> Layer<S> for Keep {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, _: Context<'_, S>) {
        let mut fields = BTreeMap::new();
        attributes.record(&mut Fields(&mut fields));
        let name = attributes.metadata().name();
        self.0.lock().unwrap().push((id.clone(), name, fields));
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut spans = self.0.lock().unwrap();
        let span = spans.iter_mut().rev().find(|(known, _, _)| known == id);
        values.record(&mut Fields(&mut span.unwrap().2));
    }
}

#[tokio::test]
async fn spans_carry_the_names_of_the_conventions() {
    let keep = Keep::default();
    let subscriber = tracing_subscriber::registry().with(keep.clone());
    let _guard = tracing::subscriber::set_default(subscriber);
    let model = ScriptedModel::new([echo("ping"), Scripted::says("pong")]);
    run(&Client::new(), &model, &tools(), 5).await.unwrap();
    let spans = keep.0.lock().unwrap();
    let names: Vec<&str> = spans.iter().map(|(_, name, _)| *name).collect();
    assert_eq!(names, ["invoke_agent", "chat", "execute_tool", "chat"]);
    let has = |at: usize, field: &str, value: &str| {
        let found = spans[at].2.get(field).map(|text| text.trim_matches('"'));
        assert_eq!(found, Some(value), "{field} of {:?}", spans[at]);
    };
    has(0, "gen_ai.operation.name", "invoke_agent");
    has(1, "otel.name", "chat scripted");
    has(1, "gen_ai.operation.name", "chat");
    has(1, "gen_ai.provider.name", "scripted");
    has(1, "gen_ai.request.model", "scripted");
    has(1, "gen_ai.response.model", "scripted");
    has(1, "gen_ai.response.finish_reasons", "tool_calls");
    has(1, "gen_ai.usage.input_tokens", "10");
    has(1, "gen_ai.usage.output_tokens", "2");
    has(1, "gen_ai.usage.cache_read.input_tokens", "4");
    has(1, "gen_ai.usage.reasoning.output_tokens", "1");
    has(2, "otel.name", "execute_tool echo");
    has(2, "gen_ai.tool.name", "echo");
    assert!(spans[2].2.contains_key("gen_ai.tool.call.id"));
}

#[tokio::test]
async fn a_failed_call_says_so_on_its_span() {
    let keep = Keep::default();
    let subscriber = tracing_subscriber::registry().with(keep.clone());
    let _guard = tracing::subscriber::set_default(subscriber);
    let model = ScriptedModel::new([Scripted::fails(ModelErrorKind::Unavailable)]);
    run(&Client::new(), &model, &tools(), 5).await.unwrap_err();
    let spans = keep.0.lock().unwrap();
    assert_eq!(
        spans[1].2.get("error.type").unwrap().trim_matches('"'),
        "unavailable"
    );
}
