//! What is listed is what may run, whatever rows, users and agents there are.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tokio_util::sync::CancellationToken;
use toolcrib::id::{CallId, ConversationId, RunId};
use toolcrib::state::CallState;
use toolcrib_counter::{
    AgentScope, CallMode, CallOutcome, CallRequest, CounterOptions, FromRun, Level, Principal,
    ToolChange,
};
use toolcrib_data::Clock;
use toolcrib_data::platform::calls::{self, CallEvent, CallRow, CallRows, Place, Via};
use toolcrib_data::platform::runs::{self, Lease, RunRow, RunState};
use toolcrib_data::platform::tools::Audience;

use crate::props::Prop;
use crate::support::{Desk, principal};

const TOOLS: [&str; 5] = [
    "read_order",
    "read_orders",
    "write_order",
    "write_orders",
    "list_all",
];
const ROLES: [&str; 3] = ["sales", "support", "builder"];
const USERS: usize = 3;

/// What a row says of a tool.
#[derive(Clone, Debug)]
struct Row {
    enabled: bool,
    roles: Vec<String>,
    /// Everyone, the numbers of users, roles; nothing where it is not said.
    shared: Option<(bool, Vec<usize>, Vec<String>)>,
}

#[derive(Clone, Debug)]
struct World {
    rows: Vec<Row>,
    users: Vec<Vec<String>>,
    agents: Vec<BTreeSet<String>>,
}

fn roles() -> impl Strategy<Value = Vec<String>> {
    let some = prop::sample::subsequence(ROLES.to_vec(), 0..=2);
    some.prop_map(|roles| roles.into_iter().map(str::to_owned).collect())
}

fn row() -> impl Strategy<Value = Row> {
    let users = prop::sample::subsequence((0..USERS).collect::<Vec<_>>(), 0..=2);
    let shared = prop::option::of((prop::bool::weighted(0.2), users, roles()));
    // A row that names no role is for all; most do not.
    let whose = prop_oneof![Just(Vec::new()), roles()];
    (prop::bool::weighted(0.8), whose, shared).prop_map(|(enabled, roles, shared)| Row {
        enabled,
        roles,
        shared,
    })
}

fn world() -> impl Strategy<Value = World> {
    let agent = prop::sample::subsequence(TOOLS.to_vec(), 0..=TOOLS.len());
    let agent = agent.prop_map(|tools| tools.into_iter().map(str::to_owned).collect());
    (
        prop::collection::vec(row(), TOOLS.len()),
        prop::collection::vec(roles(), USERS),
        prop::collection::vec(agent, 2),
    )
        .prop_map(|(rows, users, agents)| World {
            rows,
            users,
            agents,
        })
}

/// What the promises say, without the code's help.
fn is_for(row: &Row, user: usize, roles: &[String], agent: bool) -> bool {
    let has = |wanted: &[String]| wanted.iter().any(|role| roles.contains(role));
    let shared = match &row.shared {
        None => agent || roles.contains(&"builder".to_owned()),
        Some((everyone, users, of)) => *everyone || users.contains(&user) || has(of),
    };
    row.enabled && (row.roles.is_empty() || has(&row.roles)) && shared
}

/// A desk with the tools of that world, and its users.
async fn set(world: &World) -> (Desk, Vec<Principal>) {
    let options = CounterOptions::default();
    let desk = Desk::holding(options, Clock::system(), |registry, _| {
        for name in TOOLS {
            registry.add(Prop::new(name, Level::ReadOnly));
        }
    })
    .await;
    let users: Vec<Principal> = world
        .users
        .iter()
        .map(|roles| {
            let roles: Vec<&str> = roles.iter().map(String::as_str).collect();
            principal(desk.principal.org, &roles)
        })
        .collect();
    for (name, row) in TOOLS.into_iter().zip(&world.rows) {
        let audience = row.shared.clone().map(|(everyone, some, roles)| Audience {
            everyone,
            users: some.into_iter().map(|user| users[user].user).collect(),
            roles,
        });
        let change = ToolChange {
            enabled: Some(row.enabled),
            roles: Some(row.roles.clone()),
            audience: Some(audience),
            ..ToolChange::default()
        };
        let registry = desk.counter.registry();
        registry
            .save(desk.counter.store(), &desk.principal, name, 1, &change)
            .await
            .unwrap();
    }
    (desk, users)
}

/// A call by its user alone, or by a run of an agent.
async fn call(
    desk: &Desk,
    user: &Principal,
    agent: Option<(&AgentScope, &Lease, i64)>,
    tool: &str,
) -> CallOutcome {
    let cancel = CancellationToken::new();
    let Some((agent, lease, position)) = agent else {
        let request = CallRequest {
            principal: user,
            tool,
            arguments: "{}",
            via: Via::Api,
            conversation: None,
            mode: CallMode::Real,
            idempotency_key: None,
            cancel,
        };
        return desk.counter.call(request).await.unwrap();
    };
    let row = asked(user, (agent, lease, position), tool);
    let id = ask(desk, row).await;
    let run = FromRun { lease, agent };
    let resumed = desk.counter.resume(user, id, Some(run), cancel).await;
    resumed.unwrap()
}

/// A call that a run asks for.
pub(crate) fn asked(
    user: &Principal,
    (agent, lease, position): (&AgentScope, &Lease, i64),
    tool: &str,
) -> CallRow {
    CallRow {
        org: user.org,
        id: CallId::mint(),
        place: Some(Place {
            run: lease.run,
            step: 0,
            position,
        }),
        provider_call_id: None,
        conversation: None,
        agent: Some(agent.name.clone()),
        via: Via::Chat,
        asker: user.user,
        credential: None,
        tool: tool.to_owned(),
        found: None,
        title: tool.to_owned(),
        state: CallState::Asked,
        arguments_asked: "{}".to_owned(),
        arguments: None,
        arguments_hash: None,
        repairs: None,
        result: None,
        error: None,
        shown: false,
        handle: None,
        tags: None,
        idempotency_key: None,
        trial: None,
        hooks: None,
        asked_at: 0,
        started_at: None,
        ended_at: None,
    }
}

/// Stores a call that a run asks for, as its step does.
pub(crate) async fn ask(desk: &Desk, call: CallRow) -> CallId {
    let event = CallEvent {
        state: call.state,
        at: 0,
        by: Some(call.asker),
        reason: None,
    };
    let (id, events) = (call.id, vec![event]);
    let mut unit = desk.counter.store().unit().await.unwrap();
    calls::insert(
        &mut unit,
        &[CallRows {
            call,
            events,
            deliveries: Vec::new(),
        }],
    )
    .await
    .unwrap();
    unit.commit().await.unwrap();
    id
}

/// The right to work on a new run of that user.
pub(crate) async fn lease(desk: &Desk, user: &Principal) -> Lease {
    let run = RunRow {
        org: user.org,
        id: RunId::mint(),
        conversation: ConversationId::mint(),
        seq: 1,
        agent: "agent".to_owned(),
        asker: user.user,
        credential: None,
        message_id: "m".to_owned(),
        state: RunState::Active,
        epoch: 0,
        stop_requested: false,
        finish: None,
        created_at: 0,
    };
    let mut unit = desk.counter.store().unit().await.unwrap();
    assert!(runs::insert(&mut unit, &run).await.unwrap());
    let claimed = runs::claim(&mut unit, run.org, run.id, "server", i64::MAX, 0).await;
    let epoch = claimed.unwrap().unwrap().epoch;
    unit.commit().await.unwrap();
    Lease {
        org: run.org,
        run: run.id,
        epoch,
        owner: "server".to_owned(),
    }
}

/// The names in the hint that an unknown name is answered with.
fn named(told: &str) -> BTreeSet<&str> {
    let (_, hint) = told.split_once("`. ").unwrap_or_default();
    let (_, names) = hint.split_once(": ").unwrap_or_default();
    names
        .trim_end_matches('.')
        .split(", ")
        .filter(|name| !name.is_empty())
        .collect()
}

async fn check(world: &World) {
    let (desk, users) = set(world).await;
    let agents = world.agents.iter().map(|tools| AgentScope {
        name: "agent".to_owned(),
        tools: tools.clone(),
        ..AgentScope::default()
    });
    let agents: Vec<Option<AgentScope>> = std::iter::once(None).chain(agents.map(Some)).collect();
    for (number, user) in users.iter().enumerate() {
        for agent in &agents {
            let registry = desk.counter.registry();
            let offered = registry.offered(user, agent.as_ref());
            let listed: BTreeSet<&str> =
                offered.iter().map(|tool| tool.row.name.as_str()).collect();
            let promised: BTreeSet<&str> = TOOLS
                .into_iter()
                .zip(&world.rows)
                .filter(|(name, row)| {
                    let linked = agent
                        .as_ref()
                        .is_none_or(|agent| agent.tools.contains(*name));
                    linked && is_for(row, number, &user.roles, agent.is_some())
                })
                .map(|(name, _)| name)
                .collect();
            assert_eq!(listed, promised, "{user:?} through {agent:?}");
            let lease = lease(&desk, user).await;
            if let Some(agent) = agent {
                let definitions = registry.definitions(user, agent);
                let shown: BTreeSet<&str> =
                    definitions.iter().map(|one| one.name.as_str()).collect();
                assert_eq!(shown, listed, "what a language model is shown");
            }
            let asked = TOOLS.iter().map(ToString::to_string);
            let asked = asked.chain(TOOLS.iter().map(|name| format!("{name}x")));
            for (name, position) in asked.zip(0..) {
                let by = agent.as_ref().map(|agent| (agent, &lease, position));
                let done = call(&desk, user, by, &name).await;
                if listed.contains(name.as_str()) {
                    assert_eq!(done.row.state, CallState::Succeeded, "{name} is listed");
                    continue;
                }
                assert_eq!(done.row.state, CallState::Refused, "{name} is not listed");
                let told = done.text().content;
                let unknown = format!("There is no tool named `{name}`");
                assert!(told.starts_with(&unknown), "{told}");
                assert!(
                    named(&told).is_subset(&listed),
                    "{told} names what is not listed"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_listed_is_what_runs_and_what_is_named(world in world()) {
        tokio::runtime::Runtime::new().unwrap().block_on(check(&world));
    }
}

#[tokio::test]
async fn a_tool_outside_its_agents_list_is_unknown_to_a_run_and_never_named() {
    let open = Row {
        enabled: true,
        roles: Vec::new(),
        shared: Some((true, Vec::new(), Vec::new())),
    };
    let world = World {
        rows: vec![open; TOOLS.len()],
        users: vec![Vec::new()],
        agents: Vec::new(),
    };
    let (desk, users) = set(&world).await;
    let lease = lease(&desk, &users[0]).await;
    let agent = AgentScope {
        name: "agent".to_owned(),
        tools: ["list_all".to_owned()].into(),
        ..AgentScope::default()
    };
    let alone = call(&desk, &users[0], None, "read_order").await;
    assert_eq!(alone.row.state, CallState::Succeeded);
    for (name, position) in ["read_order", "read_ordr"].into_iter().zip(0..) {
        let done = call(&desk, &users[0], Some((&agent, &lease, position)), name).await;
        assert_eq!(done.row.state, CallState::Refused);
        let told = done.text().content;
        let all = format!("There is no tool named `{name}`. There are: list_all.");
        assert_eq!(told, all, "the nearest of all is not said");
    }
}
