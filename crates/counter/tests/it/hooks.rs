//! Stages 5 and 11: hooks change what goes in and what comes out, and guard nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use toolcrib::agent::step::Closing;
use toolcrib::id::CallId;
use toolcrib::state::CallState;
use toolcrib_counter::{
    AgentScope, CallOutcome, Counter, CounterOptions, DecisionKind, HOOK_KEY, Hook, HookFuture,
    HookMoment, HookNote, HookOutcome, HookTools, Hooked, Level, Registry, ToolChange,
};
use toolcrib_data::Clock;
use toolcrib_data::platform::Page;
use toolcrib_data::platform::calls::{self, CallFilter};
use toolcrib_data::platform::tools::{HookUse, ToolHooks, ToolSettings};

use crate::support::{Desk, Does, TestTool};

/// What the hook of these tests does.
#[derive(Clone, Debug)]
enum Acts {
    /// Sets a key of what it is given.
    Sets(&'static str, Value),
    Leaves,
    Fails,
    Panics,
    /// Panics before there is anything to wait for.
    PanicsAtOnce,
    /// Takes too long.
    Hangs,
    /// Takes long.
    Waits,
    /// Makes a call of `beside`, and hangs the first time.
    Calls,
}

#[derive(Debug)]
struct TestHook {
    acts: Acts,
    before: AtomicUsize,
    after: AtomicUsize,
}

impl TestHook {
    fn panic_at_once(&self) {
        if matches!(self.acts, Acts::PanicsAtOnce) {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
    }

    async fn act(&self, given: Value, times: usize) -> Result<Option<Value>, String> {
        match &self.acts {
            Acts::Sets(key, value) => {
                let mut given = given;
                given[*key] = value.clone();
                Ok(Some(given))
            }
            Acts::Leaves => Ok(None),
            Acts::Fails => Err("it was not in the mood".to_owned()),
            Acts::Panics | Acts::PanicsAtOnce => std::panic::resume_unwind(Box::new("on purpose")),
            Acts::Calls if times > 0 => Ok(None),
            Acts::Hangs | Acts::Waits | Acts::Calls => std::future::pending().await,
        }
    }
}

impl Hook for TestHook {
    fn name(&self) -> &str {
        "hook"
    }

    fn before<'a>(
        &'a self,
        of: Hooked<'a>,
        arguments: Map<String, Value>,
    ) -> HookFuture<'a, Map<String, Value>> {
        // All that it is given: there is no way to other tools in it.
        let Hooked {
            call: _,
            tool: _,
            principal: _,
            agent: _,
            conversation: _,
        } = of;
        let times = self.before.fetch_add(1, Ordering::SeqCst);
        self.panic_at_once();
        Box::pin(async move {
            let changed = self.act(Value::Object(arguments), times).await?;
            Ok(changed.and_then(|changed| changed.as_object().cloned()))
        })
    }

    fn after<'a>(
        &'a self,
        _: Hooked<'a>,
        output: Value,
        tools: HookTools<'a>,
    ) -> HookFuture<'a, Value> {
        let times = self.after.fetch_add(1, Ordering::SeqCst);
        self.panic_at_once();
        Box::pin(async move {
            if matches!(self.acts, Acts::Calls) {
                let made = tools.call("beside", r#"{"word":"beside"}"#).await;
                made.map_err(|error| error.to_string())?;
            }
            self.act(output, times).await
        })
    }
}

/// A desk whose tool has a hook, and a tool `beside` it that writes.
struct Bench {
    desk: Desk,
    hook: Arc<TestHook>,
    beside: Arc<AtomicUsize>,
}

fn uses(must_succeed: bool) -> HookUse {
    HookUse {
        name: "hook".to_owned(),
        must_succeed,
    }
}

fn before() -> ToolHooks {
    ToolHooks {
        before: Some(uses(false)),
        ..ToolHooks::default()
    }
}

fn after() -> ToolHooks {
    ToolHooks {
        after: Some(uses(false)),
        ..ToolHooks::default()
    }
}

impl Bench {
    async fn with(acts: Acts, level: Level, does: Does, hooks: ToolHooks) -> Self {
        let bench = Self::without_hooks(acts, level, does).await;
        bench.use_hooks(hooks).await.unwrap();
        bench
    }

    async fn without_hooks(acts: Acts, level: Level, does: Does) -> Self {
        // A hook that others wait beside is not cut off.
        let acts_long = matches!(acts, Acts::Calls | Acts::Waits);
        let hook = Arc::new(TestHook {
            acts,
            before: AtomicUsize::new(0),
            after: AtomicUsize::new(0),
        });
        let (runs, beside) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let tool = |name, level, does, runs: &Arc<AtomicUsize>| TestTool {
            name,
            level,
            outside: false,
            does,
            runs: Arc::clone(runs),
            connection: None,
        };
        let tools = [
            tool("tool", level, does, &runs),
            tool("beside", Level::ReadOnly, Does::Answers, &beside),
        ];
        let known: Arc<dyn Hook> = hook.clone();
        let options = CounterOptions {
            hook_timeout: Duration::from_millis(match acts_long {
                true => 60_000,
                false => 100,
            }),
            ..CounterOptions::default()
        };
        let mut desk = Desk::holding(options, Clock::system(), |registry, _| {
            registry.add_hook(known);
            for tool in tools {
                registry.add(tool);
            }
        })
        .await;
        desk.runs = runs;
        Self { desk, hook, beside }
    }

    async fn use_hooks(&self, hooks: ToolHooks) -> Result<(), String> {
        let registry = self.desk.counter.registry();
        let tool = registry.find("tool", &self.desk.principal, None).unwrap();
        let change = ToolChange {
            requires_approval: Some(false),
            settings: Some(ToolSettings {
                hooks,
                ..ToolSettings::default()
            }),
            ..ToolChange::default()
        };
        let store = self.desk.counter.store();
        let (by, version) = (&self.desk.principal, tool.row.version);
        let saved = registry.save(store, by, "tool", version, &change).await;
        saved.map(drop).map_err(|error| error.to_string())
    }

    fn asked(&self) -> (usize, usize) {
        let count = |times: &AtomicUsize| times.load(Ordering::SeqCst);
        (count(&self.hook.before), count(&self.hook.after))
    }
}

fn output(outcome: &CallOutcome) -> Value {
    let result = outcome.row.result.as_deref().unwrap();
    let mut result: Value = serde_json::from_str(result).unwrap();
    result["output"].take()
}

fn error(outcome: &CallOutcome) -> &str {
    outcome.row.error.as_deref().unwrap()
}

fn notes(outcome: &CallOutcome) -> Vec<HookNote> {
    let notes = outcome.row.hooks.as_deref().unwrap();
    serde_json::from_str(notes).unwrap()
}

#[tokio::test]
async fn arguments_are_read_before_any_hook() {
    let acts = Acts::Sets("word", json!("mended"));
    let bench = Bench::with(acts, Level::ReadOnly, Does::Answers, before()).await;
    let outcome = bench.desk.call(r#"{"wrod": "a"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert_eq!(bench.asked(), (0, 0));
}

#[tokio::test]
async fn what_a_hook_makes_of_the_arguments_is_read_again_and_runs() {
    let acts = Acts::Sets("word", json!("other"));
    let bench = Bench::with(acts, Level::Write, Does::Writes, before()).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert_eq!(output(&outcome), json!({"word": "other"}));
    assert_eq!(bench.desk.written().await, Some(json!("other")));
    assert_eq!(outcome.row.arguments_asked, r#"{"word": "one"}"#);
    assert_eq!(
        outcome.row.arguments.as_deref(),
        Some(r#"{"word":"other"}"#)
    );
    let told = &notes(&outcome)[0];
    assert_eq!(
        (told.hook.as_str(), told.moment, told.outcome),
        ("hook", HookMoment::Before, HookOutcome::Changed)
    );

    let acts = Acts::Sets("word", json!(3));
    let bench = Bench::with(acts, Level::Write, Does::Writes, before()).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert!(error(&outcome).contains("the hook `hook` made arguments"));
    assert_eq!(bench.desk.run_count(), 0);
}

#[tokio::test]
async fn an_unknown_key_from_a_hook_fails_the_call_and_names_the_hook() {
    let acts = Acts::Sets("wrod", json!("a"));
    let bench = Bench::with(acts, Level::ReadOnly, Does::Answers, before()).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    let told = error(&outcome);
    assert!(
        told.contains("the hook `hook`") && told.contains("wrod"),
        "{told}"
    );
}

#[tokio::test]
async fn a_parameter_that_a_hook_fills_is_the_hooks_alone() {
    let hooks = ToolHooks {
        fills: vec!["word".to_owned()],
        ..before()
    };
    let acts = Acts::Sets("word", json!("filled"));
    let bench = Bench::with(acts, Level::ReadOnly, Does::Answers, hooks).await;
    let registry = bench.desk.counter.registry();
    let agent = AgentScope {
        name: "a".to_owned(),
        tools: ["tool".to_owned()].into(),
        ..AgentScope::default()
    };
    let shown = registry.definitions(&bench.desk.principal, &agent);
    assert_eq!(shown.len(), 1);
    assert!(
        !shown[0].input_schema.to_string().contains("word"),
        "{shown:?}"
    );

    let outcome = bench.desk.call(r#"{"word": "mine"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert!(error(&outcome).contains("unknown parameter `word`"));
    assert_eq!(bench.asked(), (0, 0));

    let outcome = bench.desk.call("{}").await;
    assert_eq!(output(&outcome), json!({"word": "filled"}));
}

#[tokio::test]
async fn hooks_that_fail_leave_the_call_as_it_was() {
    let all = [
        Acts::Fails,
        Acts::Panics,
        Acts::PanicsAtOnce,
        Acts::Hangs,
        huge(),
    ];
    for acts in all {
        for hooks in [before(), after()] {
            let bench = Bench::with(acts.clone(), Level::Write, Does::Writes, hooks).await;
            let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
            assert_eq!(output(&outcome), json!({"word": "one"}), "{acts:?}");
            let told = &notes(&outcome)[0];
            assert_eq!(told.outcome, HookOutcome::Failed, "{acts:?}");
            assert!(told.error.is_some());
        }
    }
}

fn huge() -> Acts {
    Acts::Sets("word", json!("x".repeat(129 * 1024)))
}

#[tokio::test]
async fn a_hook_that_has_to_succeed_fails_the_call_with_it() {
    let hooks = ToolHooks {
        before: Some(uses(true)),
        ..ToolHooks::default()
    };
    let bench = Bench::with(Acts::Fails, Level::Write, Does::Writes, hooks).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert!(error(&outcome).contains("which has to succeed"));
    assert_eq!(bench.desk.run_count(), 0);

    let hooks = ToolHooks {
        after: Some(uses(true)),
        ..ToolHooks::default()
    };
    let bench = Bench::with(Acts::Fails, Level::Write, Does::Writes, hooks).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert!(error(&outcome).contains("what it did stays"));
    assert_eq!(bench.desk.written().await, Some(json!("one")));
    let (row, _) = bench.desk.stored(outcome.row.id).await.unwrap();
    assert_eq!(row.result, None, "what the hook did not pass is nowhere");
}

#[tokio::test]
async fn a_hook_after_the_call_changes_what_is_told() {
    for (level, does) in [
        (Level::ReadOnly, Does::Answers),
        (Level::Write, Does::Writes),
    ] {
        let acts = Acts::Sets("word", json!("changed"));
        let bench = Bench::with(acts, level, does, after()).await;
        let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
        assert_eq!(outcome.row.state, CallState::Succeeded);
        assert_eq!(output(&outcome), json!({"word": "changed"}));
        let (row, events) = bench.desk.stored(outcome.row.id).await.unwrap();
        let states: Vec<&str> = events.iter().map(|event| event.state.name()).collect();
        assert_eq!(states, ["asked", "ran", "succeeded"]);
        assert_eq!(row.result, outcome.row.result);
        assert_eq!(row.hooks, outcome.row.hooks);
        assert_eq!(
            row.tags.as_deref(),
            Some("null"),
            "nobody said where the values come from"
        );
    }
}

#[tokio::test]
async fn a_changed_result_that_is_large_becomes_a_handle() {
    let acts = Acts::Sets("word", json!("x".repeat(64 * 1024)));
    let bench = Bench::with(acts, Level::ReadOnly, Does::Answers, after()).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert!(outcome.row.handle.is_some());
    assert!(outcome.row.result.unwrap().len() < 4096);
}

#[tokio::test]
async fn a_failed_call_has_no_hook_after_it() {
    let bench = Bench::with(Acts::Leaves, Level::Write, Does::WritesThenFails, after()).await;
    let outcome = bench.desk.call(r#"{"word": "one"}"#).await;
    assert_eq!(outcome.row.state, CallState::Failed);
    assert_eq!(bench.asked(), (0, 0));
    assert_eq!(bench.desk.written().await, None);
}

#[tokio::test]
async fn rights_are_looked_at_before_the_hook_and_after_it() {
    let acts = Acts::Sets("word", json!("secret"));
    let bench = Bench::with(acts, Level::Write, Does::WritesWhatIsOpen, before()).await;
    let outcome = bench.desk.call(r#"{"word": "secret"}"#).await;
    assert_eq!(outcome.row.state, CallState::Refused);
    assert_eq!(bench.asked(), (0, 0), "whoever may not is not heard of");
    let outcome = bench.desk.call(r#"{"word": "open"}"#).await;
    assert_eq!(outcome.row.state, CallState::Refused);
    assert_eq!(error(&outcome), "Not yours.");
    assert_eq!(bench.asked(), (1, 0));
    assert_eq!(bench.desk.written().await, None);
}

#[tokio::test]
async fn a_trial_has_no_hooks() {
    let hooks = ToolHooks {
        after: Some(uses(false)),
        ..before()
    };
    let acts = Acts::Sets("word", json!("other"));
    let bench = Bench::with(acts, Level::Write, Does::Writes, hooks).await;
    let outcome = bench.desk.attempt(r#"{"word": "one"}"#).await;
    assert_eq!(output(&outcome), json!({"word": "one"}));
    assert_eq!(bench.asked(), (0, 0));
}

#[tokio::test]
async fn what_was_decided_on_is_not_given_to_a_hook_again() {
    let acts = Acts::Sets("word", json!("other"));
    let bench = Bench::with(acts, Level::Destructive, Does::Writes, before()).await;
    let asked = bench.desk.call(r#"{"word": "one"}"#).await;
    let approval = asked.approval.unwrap();
    assert_eq!(bench.asked(), (1, 0));
    bench
        .desk
        .decide(DecisionKind::Approve, &approval)
        .await
        .unwrap();
    let outcome = bench.desk.resume(asked.row.id).await.unwrap();
    assert_eq!(output(&outcome), json!({"word": "other"}));
    assert_eq!(bench.asked(), (1, 0));
    assert_eq!(outcome.row.arguments_hash, asked.row.arguments_hash);
}

/// A call whose server dies while its hook, which has made a call of its own, is at work.
async fn cut_off(level: Level, does: Does) -> (Bench, CallOutcome) {
    let bench = Bench::with(Acts::Calls, level, does, after()).await;
    let call = bench.desk.call(r#"{"word": "one"}"#);
    let working = async {
        while bench.beside.load(Ordering::SeqCst) == 0 || bench.asked().1 == 0 {
            tokio::task::yield_now().await;
        }
        // The row of the call that it made is stored.
        bench
            .desk
            .counter
            .store()
            .unit()
            .await
            .unwrap()
            .commit()
            .await
            .unwrap();
    };
    tokio::select! {
        outcome = call => panic!("the hook did not hang: {outcome:?}"),
        () = working => {}
    }
    let mut snapshot = bench.desk.counter.store().snapshot().await.unwrap();
    let filter = CallFilter {
        tool: Some("tool".to_owned()),
        ..Default::default()
    };
    let page = Page {
        limit: 10,
        after: None,
    };
    let org = bench.desk.principal.org;
    let left = calls::list(&mut snapshot, org, &filter, &page).await;
    let left = left.unwrap().remove(0);
    drop(snapshot);
    assert_eq!(left.state, CallState::Ran);
    let outcome = bench.desk.resume(left.id).await.unwrap();
    (bench, outcome)
}

#[tokio::test]
async fn a_call_that_ran_goes_on_from_its_hook_and_nothing_runs_again() {
    for (level, does) in [
        (Level::ReadOnly, Does::Answers),
        (Level::Write, Does::Writes),
    ] {
        let (bench, outcome) = cut_off(level, does).await;
        assert_eq!(outcome.row.state, CallState::Succeeded);
        assert_eq!(output(&outcome), json!({"word": "one"}));
        assert_eq!(bench.desk.run_count(), 1);
        assert_eq!(bench.asked().1, 2, "the hook is asked again");
        assert_eq!(notes(&outcome).len(), 1);
    }
}

#[tokio::test]
async fn a_call_that_a_hook_makes_is_made_once_also_when_the_hook_is_asked_again() {
    let (bench, _) = cut_off(Level::Write, Does::Writes).await;
    assert_eq!(bench.beside.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn what_ran_stays_what_it_is_when_its_run_is_closed() {
    let bench = Bench::with(Acts::Waits, Level::Write, Does::Writes, after()).await;
    let call = bench.desk.call(r#"{"word": "one"}"#);
    let ran = async {
        while bench.asked().1 == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        outcome = call => panic!("the hook did not hang: {outcome:?}"),
        () = ran => {}
    }
    let mut snapshot = bench.desk.counter.store().snapshot().await.unwrap();
    let org = bench.desk.principal.org;
    let query = CallFilter::default();
    let page = Page {
        limit: 1,
        after: None,
    };
    let left = calls::list(&mut snapshot, org, &query, &page).await;
    let id = left.unwrap()[0].id;
    drop(snapshot);
    bench
        .desk
        .counter
        .close_calls(org, None, &[id], Closing::Stopped)
        .await
        .unwrap();
    let (row, _) = bench.desk.stored(id).await.unwrap();
    assert_eq!(row.state, CallState::Succeeded);
    assert!(row.result.unwrap().contains("one"));
}

#[tokio::test]
async fn a_stop_while_a_hook_is_asked_ends_the_call_before_it_ran_and_not_after() {
    let stopped = CancellationToken::new();
    let bench = Bench::with(Acts::Waits, Level::Write, Does::Writes, before()).await;
    let call = bench
        .desk
        .call_cancelled(r#"{"word": "one"}"#, stopped.clone());
    let stopping = async {
        while bench.asked().0 == 0 {
            tokio::task::yield_now().await;
        }
        stopped.cancel();
    };
    let (outcome, ()) = tokio::join!(call, stopping);
    assert_eq!(outcome.row.state, CallState::Cancelled);

    let stopped = CancellationToken::new();
    let bench = Bench::with(Acts::Waits, Level::Write, Does::Writes, after()).await;
    let call = bench
        .desk
        .call_cancelled(r#"{"word": "one"}"#, stopped.clone());
    let stopping = async {
        while bench.asked().1 == 0 {
            tokio::task::yield_now().await;
        }
        stopped.cancel();
    };
    let (outcome, ()) = tokio::join!(call, stopping);
    assert_eq!(outcome.row.state, CallState::Succeeded);
    assert_eq!(output(&outcome), json!({"word": "one"}));
}

#[tokio::test]
async fn hooks_that_can_not_be_are_refused_when_they_are_saved() {
    let bench = Bench::without_hooks(Acts::Leaves, Level::Write, Does::Writes).await;
    let missing = ToolHooks {
        before: Some(HookUse {
            name: "missing".to_owned(),
            must_succeed: false,
        }),
        ..ToolHooks::default()
    };
    let told = bench.use_hooks(missing).await.unwrap_err();
    assert_eq!(told, "there is no hook `missing`; there are: hook");
    let fills = |name: &str, hooks: ToolHooks| ToolHooks {
        fills: vec![name.to_owned()],
        ..hooks
    };
    let told = bench.use_hooks(fills("word", after())).await.unwrap_err();
    assert!(told.contains("needs a hook before the call"), "{told}");
    for name in ["wrod", "word/type", ""] {
        let told = bench.use_hooks(fills(name, before())).await.unwrap_err();
        assert!(told.contains("takes no parameter"), "{told}");
    }
}

#[tokio::test]
async fn a_call_that_a_hook_makes_has_the_agent_of_its_call_and_no_hooks() {
    let (bench, outcome) = cut_off(Level::Write, Does::Writes).await;
    let mut snapshot = bench.desk.counter.store().snapshot().await.unwrap();
    let filter = CallFilter {
        tool: Some("beside".to_owned()),
        ..CallFilter::default()
    };
    let page = Page {
        limit: 10,
        after: None,
    };
    let org = bench.desk.principal.org;
    let made = calls::list(&mut snapshot, org, &filter, &page)
        .await
        .unwrap();
    assert_eq!(made.len(), 1);
    let key = made[0].idempotency_key.as_deref().unwrap();
    assert_eq!(key, format!("{HOOK_KEY}{}:hook:1", outcome.row.id));
    assert_eq!(made[0].hooks, None);
    assert_eq!(made[0].agent, outcome.row.agent);
}

/// A call whose hook is being asked when its server dies.
async fn left(bench: &Bench) -> CallId {
    let call = bench.desk.call(r#"{"word": "one"}"#);
    let ran = async {
        while bench.asked().1 == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::select! {
        outcome = call => panic!("the hook did not wait: {outcome:?}"),
        () = ran => {}
    }
    let org = bench.desk.principal.org;
    let page = Page {
        limit: 1,
        after: None,
    };
    let mut snapshot = bench.desk.counter.store().snapshot().await.unwrap();
    let left = calls::list(&mut snapshot, org, &CallFilter::default(), &page).await;
    left.unwrap()[0].id
}

#[tokio::test]
async fn a_hook_that_had_to_succeed_and_was_not_asked_keeps_the_result_back() {
    let hooks = ToolHooks {
        after: Some(uses(true)),
        ..ToolHooks::default()
    };
    let bench = Bench::with(Acts::Waits, Level::Write, Does::Writes, hooks).await;
    let (org, id) = (bench.desk.principal.org, left(&bench).await);
    let counter = &bench.desk.counter;
    let closed = counter
        .close_calls(org, None, &[id], Closing::Stopped)
        .await;
    closed.unwrap();
    let (row, _) = bench.desk.stored(id).await.unwrap();
    assert_eq!((row.state, row.result), (CallState::Failed, None));
    assert!(row.error.unwrap().contains("what it did stays"));
}

#[tokio::test]
async fn a_call_that_ran_and_whose_tool_is_gone_tells_no_result() {
    let bench = Bench::with(Acts::Waits, Level::Write, Does::Writes, after()).await;
    let id = left(&bench).await;
    let store = bench.desk.counter.store().clone();
    let registry = Registry::new(bench.desk.principal.org);
    registry.load(&store).await.unwrap();
    let counter = Counter::new(store, Arc::new(registry), CounterOptions::default());
    let cancel = CancellationToken::new();
    let outcome = counter
        .resume(&bench.desk.principal, id, None, cancel)
        .await;
    let outcome = outcome.unwrap();
    assert_eq!(outcome.row.state, CallState::Failed);
    assert!(error(&outcome).contains("what it did stays"));
    let (row, _) = bench.desk.stored(id).await.unwrap();
    assert_eq!(row.result, None);
}
