//! What comes before a tool runs: nobody is asked in vain, and nothing is held.

use futures_util::FutureExt as _;
use toolcrib::ToolResult;
use toolcrib::state::{CallState, WaitingFor};
use toolcrib_counter::{CounterOptions, DecisionKind, Level, Preview, Refusal, Work};
use toolcrib_data::platform::{approvals, settings};
use toolcrib_data::{Clock, Store};

use crate::props::Prop;
use crate::support::Desk;

const WAITING: CallState = CallState::Waiting(WaitingFor::Approval);

async fn desk(prop: Prop) -> Desk {
    desk_with(|_| prop).await
}

/// A desk whose tool knows the store.
async fn desk_with(prop: impl FnOnce(Store) -> Prop) -> Desk {
    let options = CounterOptions {
        tool_timeout: std::time::Duration::from_secs(3),
        ..CounterOptions::default()
    };
    Desk::holding(options, Clock::system(), |registry, store| {
        registry.add(prop(store.clone()));
    })
    .await
}

/// Writes in a unit of its own, and reads in as many views as there are readers: what is held of
/// either elsewhere makes this wait for ever.
async fn use_all_of(store: &Store, org: toolcrib::id::OrgId) -> bool {
    let mut unit = store.unit().await.unwrap();
    let value = serde_json::json!("free");
    settings::set(&mut unit, org, "free", &value, None, 0)
        .await
        .unwrap();
    unit.commit().await.unwrap();
    let mut views = Vec::new();
    for _ in 0..4 {
        let mut view = store.snapshot().await.unwrap();
        if settings::get(&mut view, org, "free").await.unwrap() != Some(value.clone()) {
            return false;
        }
        views.push(view);
    }
    true
}

async fn approval_of(desk: &Desk, id: toolcrib::id::CallId) -> Option<approvals::ApprovalRow> {
    let mut snapshot = desk.counter.store().snapshot().await.unwrap();
    approvals::of_call(&mut snapshot, desk.principal.org, id)
        .await
        .unwrap()
}

#[tokio::test]
async fn who_is_turned_away_is_turned_away_before_anybody_is_asked() {
    for level in [Level::Write, Level::Destructive] {
        let desk = desk(Prop {
            refusal: Some("Not for you."),
            ..Prop::new("tool", level)
        })
        .await;
        let done = desk.call("{}").await;
        assert_eq!(done.row.state, CallState::Refused);
        assert_eq!(done.text().content, "Not for you.");
        assert!(approval_of(&desk, done.row.id).await.is_none());
    }
}

#[tokio::test]
async fn what_a_tool_refuses_before_approval_leaves_nothing_to_decide() {
    let refuses = Prop::new("tool", Level::Destructive).before(|_, input| {
        let answer = match input.word.as_str() {
            "fits" => Ok(Preview::default()),
            _ => Err(Refusal::new("That can't work.")),
        };
        async move { answer }.boxed()
    });
    let desk = desk(refuses).await;
    let done = desk.call("{}").await;
    assert_eq!(done.row.state, CallState::Refused);
    assert_eq!(done.text().content, "That can't work.");
    assert!(done.approval.is_none());
    assert!(approval_of(&desk, done.row.id).await.is_none());
    let asked = desk.call(r#"{"word": "fits"}"#).await;
    assert_eq!(asked.row.state, WAITING);
    assert!(approval_of(&desk, asked.row.id).await.is_some());
}

#[tokio::test]
async fn nothing_is_held_while_the_card_is_drawn_but_a_view() {
    let desk = desk_with(|store| {
        Prop::new("tool", Level::Destructive).before(move |context, _| {
            let (store, org) = (store.clone(), context.principal.org);
            let is_view = matches!(context.work, Work::Read(_));
            async move {
                // The view of this stage has read nothing: it has no reader yet.
                match is_view && use_all_of(&store, org).await {
                    true => Ok(Preview::default()),
                    false => Err(Refusal::new("Something is held.")),
                }
            }
            .boxed()
        })
    })
    .await;
    let done = desk.call("{}").await;
    assert_eq!(done.row.state, WAITING, "{:?}", done.row.error);
}

#[tokio::test]
async fn a_tool_that_runs_outside_holds_no_connection() {
    for level in [Level::ReadOnly, Level::Destructive] {
        let desk = desk_with(|store| {
            let prop = Prop {
                outside: true,
                ..Prop::new("tool", level)
            };
            prop.running(move |context, _| {
                let (store, org) = (store.clone(), context.principal.org);
                let is_outside = matches!(context.work, Work::Outside);
                async move {
                    match is_outside && use_all_of(&store, org).await {
                        true => ToolResult::success("free"),
                        false => ToolResult::failure("Something is held."),
                    }
                }
                .boxed()
            })
        })
        .await;
        let mut done = desk.call("{}").await;
        if let Some(approval) = &done.approval {
            // What was decided looks at more on its way.
            desk.decide(DecisionKind::Approve, approval).await.unwrap();
            done = desk.resume(done.row.id).await.unwrap();
        }
        assert_eq!(done.row.state, CallState::Succeeded, "{:?}", done.row.error);
    }
}

#[tokio::test]
async fn a_tool_that_asks_from_inside_its_unit_fails_and_leaves_nothing() {
    let pauses = [
        ToolResult::NeedsApproval {
            question: "May I?".to_owned(),
        },
        ToolResult::NeedsAnswer {
            question: "Which?".to_owned(),
            state: serde_json::json!({}),
        },
        ToolResult::ClientSide,
    ];
    for pause in pauses {
        let prop = Prop::new("tool", Level::Write).running(move |context, _| {
            let answer = pause.clone();
            async move {
                let org = context.principal.org;
                if let Work::Write(unit) = &mut context.work {
                    let value = serde_json::json!("half");
                    settings::set(unit, org, "written", &value, None, 0)
                        .await
                        .unwrap();
                }
                answer
            }
            .boxed()
        });
        let desk = desk(prop).await.without_asking().await;
        let done = desk.call("{}").await;
        assert_eq!(done.row.state, CallState::Failed);
        assert_eq!(desk.written().await, None);
    }
}
