//! The calls of a run that is tried: each makes again what the run wrote before it, and is undone.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use toolcrib::id::ConversationId;
use toolcrib::state::CallState;
use toolcrib_counter::{
    AgentScope, CallMode, CallOutcome, CallRequest, CounterOptions, FromRun, Level,
};
use toolcrib_data::platform::calls::Via;
use toolcrib_data::platform::runs::Lease;
use toolcrib_data::{Clock, ConnectionConfig, ConnectionUrl, Connections};

use crate::offered_runs::{ask, asked, lease};
use crate::support::{CONNECTION, Desk, Does, TestTool};

/// A run of an agent that is tried, and how often each of its tools ran.
struct Tried {
    desk: Desk,
    agent: AgentScope,
    lease: Lease,
    conversation: ConversationId,
    runs: Vec<(&'static str, Arc<AtomicUsize>)>,
}

type Tool = (&'static str, Level, Does, Option<&'static str>);

impl Tried {
    async fn with(tools: &[Tool], options: CounterOptions) -> Self {
        let counted = |(name, ..): &Tool| (*name, Arc::<AtomicUsize>::default());
        let runs: Vec<_> = tools.iter().map(counted).collect();
        let mut desk = Desk::holding(options, Clock::system(), |registry, _| {
            for ((name, level, does, connection), (_, runs)) in tools.iter().zip(&runs) {
                registry.add(TestTool {
                    name,
                    level: *level,
                    outside: false,
                    does: *does,
                    runs: Arc::clone(runs),
                    connection: *connection,
                });
            }
        })
        .await;
        let path = desk.folder().join("other.db");
        std::fs::write(&path, "").unwrap();
        let url = ConnectionUrl::parse(format!("sqlite:{}", path.display())).unwrap();
        let config = ConnectionConfig::new(CONNECTION, url);
        desk.connections = Connections::new([config]).unwrap();
        desk.counter = desk.counter.with_connections(desk.connections.clone());
        let agent = AgentScope {
            name: "agent".to_owned(),
            tools: tools.iter().map(|(name, ..)| (*name).to_owned()).collect(),
            ..AgentScope::default()
        };
        desk.counter.set_agents([agent.clone()]);
        let lease = lease(&desk, &desk.principal).await;
        Self {
            desk,
            agent,
            lease,
            conversation: ConversationId::mint(),
            runs,
        }
    }

    /// The run asks for a call, and the counter takes it.
    async fn call(&self, position: i64, tool: &str) -> CallOutcome {
        let of = (&self.agent, &self.lease, position);
        let mut row = asked(&self.desk.principal, of, tool);
        row.conversation = Some(self.conversation);
        row.trial = CallMode::Trial.stored();
        let id = ask(&self.desk, row).await;
        let run = FromRun {
            lease: &self.lease,
            agent: &self.agent,
        };
        let (counter, cancel) = (&self.desk.counter, CancellationToken::new());
        let outcome = counter.resume(&self.desk.principal, id, Some(run), cancel);
        outcome.await.unwrap()
    }

    fn runs(&self, tool: &str) -> usize {
        let mut runs = self.runs.iter();
        let (_, runs) = runs.find(|(name, _)| *name == tool).unwrap();
        runs.load(Ordering::SeqCst)
    }
}

#[tokio::test]
async fn earlier_writes_are_made_again_on_their_own_database_alone() {
    let tools = [
        ("write", Level::Write, Does::Writes, None),
        (
            "elsewhere",
            Level::Destructive,
            Does::Answers,
            Some(CONNECTION),
        ),
        ("read", Level::ReadOnly, Does::Answers, None),
    ];
    let tried = Tried::with(&tools, CounterOptions::default()).await;
    let before = tried.call(0, "read").await;
    assert_eq!(before.row.state, CallState::Succeeded, "{before:?}");
    for (position, tool) in (1..).zip(["write", "elsewhere", "write", "read", "elsewhere"]) {
        let outcome = tried.call(position, tool).await;
        assert_eq!(outcome.row.state, CallState::Succeeded, "{outcome:?}");
        assert!(outcome.approval.is_none(), "nobody is asked");
    }
    // Each of its own once; the second write again by itself, and both by the reading.
    assert_eq!(tried.runs("write"), 2 + 1 + 2);
    assert_eq!(tried.runs("elsewhere"), 2 + 1);
    assert_eq!(tried.runs("read"), 2);
    assert_eq!(tried.desk.written().await, None, "all of it is undone");
}

#[tokio::test]
async fn what_can_not_be_undone_is_told_and_the_run_goes_on() {
    let tools = [
        ("mail", Level::Write, Does::CantBeUndone, None),
        ("page", Level::Write, Does::RunsInTheBrowser, None),
        ("write", Level::Write, Does::Writes, None),
    ];
    let tried = Tried::with(&tools, CounterOptions::default()).await;
    for (position, (tool, why)) in
        (0..).zip([("mail", "can't be undone"), ("page", "in the browser")])
    {
        let outcome = tried.call(position, tool).await;
        assert_eq!(outcome.row.state, CallState::Refused, "{outcome:?}");
        assert!(outcome.text().content.contains(why), "{outcome:?}");
        assert_eq!(tried.runs(tool), 0);
    }
    let outcome = tried.call(2, "write").await;
    assert_eq!(outcome.row.state, CallState::Succeeded, "{outcome:?}");
}

#[tokio::test]
async fn what_is_made_again_counts_for_the_time_that_a_trial_may_take() {
    let options = CounterOptions {
        trial_limit: Duration::from_millis(400),
        ..CounterOptions::default()
    };
    let tools = [("slow", Level::Write, Does::Takes(250), None)];
    let tried = Tried::with(&tools, options).await;
    let first = tried.call(0, "slow").await;
    assert_eq!(first.row.state, CallState::Succeeded, "{first:?}");
    let second = tried.call(1, "slow").await;
    assert_eq!(second.row.state, CallState::Refused, "{second:?}");
    assert!(
        second.text().content.contains("took too long to try"),
        "{second:?}"
    );
    // It holds nothing any more.
    let unit = tried.desk.counter.store().unit().await.unwrap();
    unit.commit().await.unwrap();
}

#[tokio::test]
async fn a_call_in_a_conversation_that_is_gone_is_no_real_one() {
    let tools = [("write", Level::Write, Does::Writes, None)];
    let tried = Tried::with(&tools, CounterOptions::default()).await;
    let request = CallRequest {
        principal: &tried.desk.principal,
        tool: "write",
        arguments: "{}",
        via: Via::Api,
        conversation: Some(tried.conversation),
        mode: CallMode::Real,
        idempotency_key: None,
        cancel: CancellationToken::new(),
    };
    let outcome = tried.desk.counter.call(request).await.unwrap();
    assert!(outcome.row.trial.is_some(), "{outcome:?}");
    assert_eq!(tried.desk.written().await, None);
}
