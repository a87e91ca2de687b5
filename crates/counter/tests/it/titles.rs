//! What calls are called, and what tools add to the system prompt.

use toolcrib::state::CallState;
use toolcrib_counter::{AgentScope, CounterOptions, DecisionKind, Level};
use toolcrib_data::Clock;

use crate::props::Prop;
use crate::support::Desk;

async fn desk(props: Vec<Prop>) -> Desk {
    let options = CounterOptions::default();
    Desk::holding(options, Clock::system(), |registry, _| {
        props.into_iter().for_each(|prop| registry.add(prop));
    })
    .await
}

#[tokio::test]
async fn a_call_is_called_what_its_tool_says_and_that_is_kept() {
    for level in [Level::ReadOnly, Level::Write] {
        let mut desk = desk(vec![Prop {
            title: Some("Greet"),
            ..Prop::new("tool", level)
        }])
        .await;
        if level == Level::Write {
            desk = desk.without_asking().await;
        }
        let done = desk.call(r#"{"word": "Ada"}"#).await;
        let (row, _) = desk.stored(done.row.id).await.unwrap();
        assert_eq!(row.title, "Greet Ada");
    }
}

#[tokio::test]
async fn without_a_word_of_its_tool_a_call_has_the_name_of_the_row() {
    let desk = desk(vec![Prop::new("tool", Level::ReadOnly)]).await;
    let done = desk.call(r#"{"word": "Ada"}"#).await;
    let (row, _) = desk.stored(done.row.id).await.unwrap();
    assert_eq!(row.title, "A prop");
}

#[tokio::test]
async fn what_was_decided_keeps_the_title_of_its_card() {
    use futures_util::FutureExt as _;
    let named = Prop {
        title: Some("Greet"),
        ..Prop::new("tool", Level::Write)
    };
    let named = named.before(|_, _| {
        let preview = toolcrib_counter::Preview {
            title: "Greet somebody".to_owned(),
            ..toolcrib_counter::Preview::default()
        };
        async { Ok(preview) }.boxed()
    });
    let desk = desk(vec![named]).await;
    let asked = desk.call("{}").await;
    desk.decide(DecisionKind::Approve, &asked.approval.unwrap())
        .await
        .unwrap();
    let done = desk.resume(asked.row.id).await.unwrap();
    assert_eq!(done.row.state, CallState::Succeeded);
    let (row, _) = desk.stored(done.row.id).await.unwrap();
    assert_eq!(row.title, "Greet somebody");
}

#[tokio::test]
async fn only_offered_tools_with_something_to_say_speak_in_the_system_prompt() {
    let says = |name, says| Prop {
        says,
        ..Prop::new(name, Level::ReadOnly)
    };
    let desk = desk(vec![
        says("first", Some("First.")),
        says("second", None),
        says("third", Some("Third.")),
    ])
    .await;
    let registry = desk.counter.registry();
    let agent = |tools: &[&str]| AgentScope {
        name: "a".to_owned(),
        tools: tools.iter().map(ToString::to_string).collect(),
        ..AgentScope::default()
    };
    for (tools, said) in [
        (&["first", "second", "third"][..], &["First.", "Third."][..]),
        (&["second", "third"], &["Third."]),
        (&["second"], &[]),
    ] {
        let context = registry.context(&desk.principal, &agent(tools)).await;
        assert_eq!(context, said, "{tools:?}");
    }
}
