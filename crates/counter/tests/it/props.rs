//! A tool whose every word and deed a test says itself.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, Preview, Principal, Refusal, SystemTool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    /// Any word.
    #[serde(default)]
    pub(crate) word: String,
}

type Deed<T> =
    Box<dyn for<'a> Fn(&'a mut CallContext<'_>, &'a Words) -> BoxFuture<'a, T> + Send + Sync>;

/// The tool. Without more it answers with its word.
pub(crate) struct Prop {
    pub(crate) name: &'static str,
    pub(crate) level: Level,
    pub(crate) outside: bool,
    /// Why nobody may use it.
    pub(crate) refusal: Option<&'static str>,
    /// What its calls are called.
    pub(crate) title: Option<&'static str>,
    /// What it adds to the system prompt.
    pub(crate) says: Option<&'static str>,
    pub(crate) before: Deed<Result<Preview, Refusal>>,
    pub(crate) run: Deed<ToolResult>,
}

impl Prop {
    pub(crate) fn new(name: &'static str, level: Level) -> Self {
        Self {
            name,
            level,
            outside: false,
            refusal: None,
            title: None,
            says: None,
            before: Box::new(|_, _| async { Ok(Preview::default()) }.boxed()),
            run: Box::new(|_, input| {
                async move { ToolResult::success(json!({"word": input.word})) }.boxed()
            }),
        }
    }

    /// What it does.
    pub(crate) fn running<F>(mut self, run: F) -> Self
    where
        F: for<'a> Fn(&'a mut CallContext<'_>, &'a Words) -> BoxFuture<'a, ToolResult>
            + Send
            + Sync
            + 'static,
    {
        self.run = Box::new(run);
        self
    }

    /// What it says before a person is asked.
    pub(crate) fn before<F>(mut self, before: F) -> Self
    where
        F: for<'a> Fn(
                &'a mut CallContext<'_>,
                &'a Words,
            ) -> BoxFuture<'a, Result<Preview, Refusal>>
            + Send
            + Sync
            + 'static,
    {
        self.before = Box::new(before);
        self
    }
}

impl SystemTool for Prop {
    type Input = Words;

    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        "A prop"
    }

    fn description(&self) -> &'static str {
        "Does what the test says."
    }

    fn level(&self) -> Level {
        self.level
    }

    fn runs_outside_transaction(&self) -> bool {
        self.outside
    }

    fn refusal(&self, _: &Principal) -> Option<Refusal> {
        self.refusal.map(Refusal::new)
    }

    async fn before_approval(
        &self,
        context: &mut CallContext<'_>,
        input: &Words,
    ) -> Result<Preview, Refusal> {
        (self.before)(context, input).await
    }

    fn call_title(&self, _: Caller<'_>, input: &Words, configured: &str) -> String {
        match self.title {
            Some(title) => format!("{title} {}", input.word),
            None => configured.to_owned(),
        }
    }

    async fn provide_context(&self, _: Caller<'_>) -> Option<String> {
        self.says.map(str::to_owned)
    }

    async fn run(&self, context: &mut CallContext<'_>, input: &Words) -> ToolResult {
        (self.run)(context, input).await
    }
}
