//! Random conversations, told straight through and with restarts at every pause: the model reads
//! the same, each call has one result, and what was not approved did not run.

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text};

/// What the model asks for; writes name an order of their own and how they are decided.
#[derive(Clone, Debug)]
enum Ask {
    Read,
    Write { order: i64, decision: &'static str },
    UnknownTool,
    BrokenArguments,
    Invalid,
}

fn story(random: &mut StdRng) -> Vec<Vec<Ask>> {
    let mut order = 0;
    (0..random.random_range(1..4))
        .map(|_| {
            (0..random.random_range(1..4))
                .map(|_| match random.random_range(0..8) {
                    0 => Ask::Read,
                    1 => Ask::UnknownTool,
                    2 => Ask::BrokenArguments,
                    3 => Ask::Invalid,
                    _ => {
                        order += 1;
                        let decision = ["approve", "approve", "reject", "request_change"]
                            [random.random_range(0..4)];
                        Ask::Write { order, decision }
                    }
                })
                .collect()
        })
        .collect()
}

fn reply(asks: &[Ask]) -> Reply {
    let call = |ask: &Ask| match ask {
        Ask::Read => ("read_record", json!({"model": "order", "id": 500})),
        Ask::Write { order, .. } => (
            "update_record",
            json!({"model": "order", "id": order, "values": {"note": "by the agent"}}),
        ),
        Ask::UnknownTool => ("drop_table", json!({})),
        Ask::BrokenArguments => ("read_record", json!("{\"model\": ")),
        Ask::Invalid => (
            "update_record",
            json!({"model": "order", "id": 1, "values": {"status": "lost"}}),
        ),
    };
    Reply::calls(asks.iter().map(call).collect())
}

fn decision_on(story: &[Vec<Ask>], approval: &Value) -> &'static str {
    let order = approval
        .pointer("/card/arguments/id")
        .and_then(Value::as_i64)
        .unwrap();
    let writes = story.iter().flatten().filter_map(|ask| match ask {
        Ask::Write { order, decision } => Some((*order, *decision)),
        _ => None,
    });
    writes.into_iter().find(|(own, _)| *own == order).unwrap().1
}

/// What the model has read in the end, with the ids of calls replaced by their places.
fn normalised(messages: &[Value]) -> Vec<Value> {
    let mut places: Vec<String> = Vec::new();
    let mut messages = messages.to_vec();
    for message in &mut messages {
        for call in message
            .get_mut("tool_calls")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            places.push(text(call, "/id").to_owned());
            call["id"] = places.len().into();
        }
        if let Some(id) = message.get("tool_call_id").and_then(Value::as_str) {
            let place = places.iter().rposition(|known| known == id).unwrap() + 1;
            message["tool_call_id"] = place.into();
        }
    }
    messages
}

async fn tell(story: &[Vec<Ask>], restarts: bool) -> (Vec<Value>, Vec<bool>) {
    let mut app = TestApp::start().await.unwrap();
    let mut rules: Vec<Rule> = story
        .iter()
        .map(|asks| Rule::always(reply(asks)).times(1))
        .collect();
    rules.push(Rule::always(Reply::text("Done.")));
    app.model.script(rules);
    let mut client: TestClient = app.manager().await.unwrap();
    let id = conversation();
    client.chat("shop", &id, "go").await.unwrap();
    loop {
        let settled = client.settled(&id).await.unwrap();
        if text(&settled, "/state") == "idle" {
            break;
        }
        if restarts {
            app = app.restart().await.unwrap();
            client = app.manager().await.unwrap();
        }
        let approval = client.pending().await.unwrap().pop().unwrap();
        let decision = decision_on(story, &approval);
        let (status, body) = client
            .decide(&approval, decision, Some("as the story says"))
            .await
            .unwrap();
        assert_eq!(status, 200, "{body}");
    }
    let messages = last_messages(&app.model.requests());
    assert_paired(&messages);
    let mut changed = Vec::new();
    for order in 1..=10 {
        let call = client
            .call("read_record", &json!({"model": "order", "id": order}))
            .await
            .unwrap();
        changed.push(text(&call, "/output/records/0/note") == "by the agent");
    }
    (normalised(&messages), changed)
}

#[tokio::test]
async fn resumed_is_straight_through_and_nothing_unapproved_runs() {
    for seed in 0..6 {
        let story = story(&mut StdRng::seed_from_u64(seed));
        let straight = tell(&story, false).await;
        let resumed = tell(&story, true).await;
        assert_eq!(straight, resumed, "story {seed}: {story:?}");
        let approved: Vec<bool> = (1..=10)
            .map(|order| {
                story.iter().flatten().any(|ask| matches!(ask, Ask::Write { order: own, decision: "approve" } if *own == order))
            })
            .collect();
        assert_eq!(straight.1, approved, "story {seed}: {story:?}");
    }
}
