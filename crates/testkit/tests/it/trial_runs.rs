//! A whole run of an agent that is tried: each call runs, later ones see what earlier ones wrote, and
//! afterwards everything is as before.

mod between;
mod connections;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{assert_paired, last_messages, text, told};

type Step = (&'static str, Value);

/// The model asks for these calls, one a step, and then answers.
fn script(app: &TestApp, steps: &[Step]) {
    let calls = steps
        .iter()
        .map(|(tool, arguments)| Reply::call(tool, arguments.clone()));
    let mut rules: Vec<Rule> = calls.map(|reply| Rule::always(reply).times(1)).collect();
    rules.push(Rule::always(Reply::text("That is it.")));
    app.model.script(rules);
}

async fn send(client: &TestClient, body: &Value) -> (StatusCode, Value) {
    client.post("/api/agents/shop/trial", body).await.unwrap()
}

/// Tries a run to its end.
async fn tried(client: &TestClient) -> Value {
    let (status, run) = send(client, &json!({"message": "Go."})).await;
    assert_eq!(status, StatusCode::OK, "{run}");
    run
}

fn calls(run: &Value) -> &[Value] {
    run["calls"].as_array().unwrap()
}

fn statuses(run: &Value) -> Vec<&str> {
    calls(run)
        .iter()
        .map(|call| text(call, "/status"))
        .collect()
}

fn customer(email: &str) -> Step {
    let values = json!({"name": "Tried Ltd", "email": email, "country": "de"});
    (
        "create_record",
        json!({"model": "customer", "values": values}),
    )
}

fn update(model: &str, id: i64, values: &Value) -> Step {
    (
        "update_record",
        json!({"model": model, "id": id, "values": values}),
    )
}

fn read(model: &str, id: i64) -> Step {
    ("read_record", json!({"model": model, "id": id}))
}

async fn done(client: &TestClient, (tool, arguments): Step) -> Value {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

/// The id that the next customer is going to get.
async fn next_customer(app: &TestApp, client: &TestClient) -> i64 {
    let (tool, arguments) = customer("next@example.com");
    let call = client.attempt(tool, &arguments).await.unwrap();
    let id = call
        .pointer("/output/records/0/id")
        .unwrap()
        .as_i64()
        .unwrap();
    // A sequence of PostgreSQL does not go back.
    id + i64::from(app.runtime.store().path().is_none())
}

/// All customers, and the newest orders.
async fn records(client: &TestClient) -> [Value; 2] {
    let newest = |model: &str| {
        let order = json!([{"field": "id", "direction": "desc"}]);
        (
            "search_records",
            json!({"model": model, "order": order, "limit": 20}),
        )
    };
    [
        done(client, newest("customer")).await,
        done(client, newest("order")).await,
    ]
}

/// Lets real calls write without asking.
async fn without_asking(app: &TestApp) {
    let admin = app.client("admin@shop.test").await.unwrap();
    for tool in ["create_record", "update_record"] {
        admin
            .switch(tool, &json!({"requiresApproval": false}))
            .await
            .unwrap();
    }
}

#[tokio::test]
async fn a_run_that_is_tried_lists_every_call_and_leaves_the_records_as_they_were() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let before = records(&client).await;
    let id = next_customer(&app, &client).await;
    let order = json!({"number": "SO-990001", "customer": id});
    let values = json!({"city": "Bonn"});
    script(
        &app,
        &[
            customer("tried@example.com"),
            update("customer", id, &values),
            ("create_record", json!({"model": "order", "values": order})),
            read("customer", id),
            (
                "search_records",
                json!({"model": "order", "criteria": {"field": "number", "operator": "=", "value": "SO-990001"}}),
            ),
        ],
    );
    let run = tried(&client).await;
    assert_eq!(statuses(&run), ["succeeded"; 5], "{run}");
    assert_eq!(
        (text(&run, "/state"), text(&run, "/answer")),
        ("done", "That is it.")
    );
    assert!(run["notice"].is_null());
    let [made, changed, _, found, orders] = calls(&run) else {
        panic!("{run}")
    };
    assert_eq!(made.pointer("/output/records/0/id"), Some(&json!(id)));
    assert_eq!(
        text(made, "/trial/wouldChange/changes/0/fields/0/after"),
        "Tried Ltd",
        "{made}"
    );
    assert!(made.pointer("/trial/newIds").is_none(), "{made}");
    assert_eq!(
        changed.pointer("/output/records/0/version"),
        Some(&json!(2))
    );
    let record = found.pointer("/output/records/0").unwrap();
    assert_eq!(
        (text(record, "/city"), &record["version"]),
        ("Bonn", &json!(2)),
        "{record}"
    );
    assert_eq!(found["trial"], json!({"wouldChange": null}));
    assert_eq!(
        orders.pointer("/output/records/0/customer/id"),
        Some(&json!(id)),
        "{orders}"
    );
    assert_paired(&last_messages(&app.model.requests()));
    assert_eq!(records(&client).await, before);
    let gone = done(&client, read("customer", id)).await;
    assert_eq!(gone["missing"], json!([id]), "{gone}");
    assert!(client.pending().await.unwrap().is_empty());
}

#[tokio::test]
async fn what_always_asks_runs_unasked_and_changes_nothing() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let before = records(&client).await;
    let id = next_customer(&app, &client).await;
    script(
        &app,
        &[
            customer("tried@example.com"),
            ("delete_record", json!({"model": "customer", "id": id})),
            read("customer", id),
        ],
    );
    let run = tried(&client).await;
    assert_eq!(statuses(&run), ["succeeded"; 3], "{run}");
    let [_, deleted, looked] = calls(&run) else {
        panic!("{run}")
    };
    assert_eq!(text(deleted, "/level"), "destructive");
    assert!(
        deleted["approval"].is_null() && deleted.pointer("/trial/wouldChange/changes").is_some()
    );
    assert_eq!(
        looked.pointer("/output/missing"),
        Some(&json!([id])),
        "{looked}"
    );
    assert!(client.pending().await.unwrap().is_empty());
    assert_eq!(records(&client).await, before);
}

#[tokio::test]
async fn a_call_that_fails_is_listed_and_later_calls_do_not_repeat_it() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    script(
        &app,
        &[
            update("order", 1, &json!({"note": "first"})),
            update("order", 999_999, &json!({"note": "none"})),
            ("read_record", json!({"model": "order"})),
            ("drop_tables", json!({})),
            read("order", 1),
        ],
    );
    let run = tried(&client).await;
    assert_eq!(
        statuses(&run),
        ["succeeded", "refused", "failed", "refused", "succeeded"],
        "{run}"
    );
    let [_, missing, invalid, unknown, found] = calls(&run) else {
        panic!("{run}")
    };
    assert!(
        text(missing, "/error").contains("no record found"),
        "{missing}"
    );
    assert!(text(invalid, "/error").contains("id"), "{invalid}");
    assert!(
        text(unknown, "/error").starts_with("There is no tool named"),
        "{unknown}"
    );
    assert_eq!(text(found, "/output/records/0/note"), "first");
    assert_eq!(text(&run, "/state"), "done");
}

#[tokio::test]
async fn several_records_keep_their_ids_in_their_order() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let id = next_customer(&app, &client).await;
    let named =
        |name: &str| json!({"name": name, "email": format!("{name}@example.com"), "country": "de"});
    let all = json!({"model": "customer", "records": [named("c"), named("a"), named("b")]});
    let ids = json!([id + 2, id, id + 1]);
    script(
        &app,
        &[
            ("create_record", all),
            customer("later@example.com"),
            (
                "read_record",
                json!({"model": "customer", "ids": ids, "fields": ["id", "name"]}),
            ),
        ],
    );
    let run = tried(&client).await;
    let [_, later, found] = calls(&run) else {
        panic!("{run}")
    };
    assert_eq!(
        later.pointer("/output/records/0/id"),
        Some(&json!(id + 3)),
        "{later}"
    );
    let found = found.pointer("/output/records").unwrap();
    assert_eq!(text(found, "/0/name"), "b", "{found}");
    assert_eq!((text(found, "/1/name"), text(found, "/2/name")), ("c", "a"));
}

#[tokio::test]
async fn calls_of_one_step_see_each_what_was_written_before() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let id = next_customer(&app, &client).await;
    let reads = (0..8).map(|_| read("customer", id)).collect();
    let write = update("customer", id, &json!({"city": "Bonn"}));
    app.model.script(vec![
        Rule::always(Reply::calls(vec![customer("tried@example.com"), write])).times(1),
        Rule::always(Reply::calls(reads)).times(1),
        Rule::always(Reply::text("That is it.")),
    ]);
    let run = tried(&client).await;
    assert_eq!(statuses(&run), ["succeeded"; 10], "{run}");
    for call in &calls(&run)[2..] {
        assert_eq!(text(call, "/output/records/0/city"), "Bonn", "{call}");
    }
}

#[tokio::test]
async fn what_is_made_again_has_the_moment_at_which_it_was_made() {
    let app = TestApp::start().await.unwrap();
    let model = "name: memo\nfields:\n  words: { type: string, required: true }\n  written: { type: datetime, default: now }\n";
    std::fs::write(app.dir().join("models/memo.yaml"), model).unwrap();
    let app = app.restart().await.unwrap();
    let client = app.manager().await.unwrap();
    let memo = (
        "create_record",
        json!({"model": "memo", "values": {"words": "later"}}),
    );
    let all = ("search_records", json!({"model": "memo"}));
    script(&app, &[memo, all.clone(), all.clone()]);
    let run = tried(&client).await;
    let [made, first, second] = calls(&run) else {
        panic!("{run}")
    };
    let written = made.pointer("/output/records/0/written").unwrap();
    assert!(written.is_string(), "{made}");
    assert_eq!(first.pointer("/output/records/0/written"), Some(written));
    assert_eq!(second.pointer("/output/records/0/written"), Some(written));
    assert_eq!(done(&client, all).await["records"], json!([]));
}

#[tokio::test]
async fn what_can_not_be_tried_is_told_before_anything_is_stored() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let go = json!({"message": "Go."});
    let (status, problem) = client.post("/api/agents/none/trial", &go).await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    assert!(text(&problem, "/detail").contains("no agent named none"));
    for body in [
        json!({}),
        json!({"message": " "}),
        json!({"message": "x", "real": true}),
    ] {
        let (status, problem) = send(&client, &body).await;
        assert!(status.is_client_error(), "{body}: {status} {problem}");
    }
    let nobody = TestClient::new(app.url(), "tcs_nobody");
    assert_eq!(send(&nobody, &go).await.0, StatusCode::UNAUTHORIZED);
    assert!(app.model.requests().is_empty());
    let bare = TestAppOptions {
        with_model: false,
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(bare).await.unwrap();
    let (status, problem) = send(&app.manager().await.unwrap(), &go).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
}

#[tokio::test]
async fn a_run_that_fails_lists_the_calls_that_it_came_to() {
    let app = TestApp::start().await.unwrap();
    let client = app.manager().await.unwrap();
    let (tool, arguments) = update("order", 1, &json!({"note": "tried"}));
    let fails = Reply {
        status: Some(400),
        ..Reply::default()
    };
    app.model.script(vec![
        Rule::always(Reply::call(tool, arguments)).times(1),
        Rule::always(fails),
    ]);
    let run = tried(&client).await;
    assert_eq!(
        (text(&run, "/state"), text(&run, "/answer")),
        ("failed", "")
    );
    assert!(!text(&run, "/notice").is_empty(), "{run}");
    assert_eq!(statuses(&run), ["succeeded"]);
    assert_ne!(
        text(&done(&client, read("order", 1)).await, "/records/0/note"),
        "tried"
    );
}

#[tokio::test]
async fn a_trial_is_its_users_alone_and_in_no_list() {
    let app = TestApp::start().await.unwrap();
    let (client, other) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    script(&app, &[update("order", 1, &json!({"note": "tried"}))]);
    let run = tried(&client).await;
    let path = format!("/api/conversations/{}", text(&run, "/conversationId"));
    let (status, own) = client.get(&path).await.unwrap();
    assert_eq!(
        (status, text(&own, "/state")),
        (StatusCode::OK, "idle"),
        "{own}"
    );
    assert_eq!(
        text(&own, "/messages/1/parts/0/data/kind"),
        "trial",
        "{own}"
    );
    assert_eq!(other.get(&path).await.unwrap().0, StatusCode::NOT_FOUND);
    let call = format!("/api/calls/{}", text(&calls(&run)[0], "/id"));
    assert_eq!(other.get(&call).await.unwrap().0, StatusCode::NOT_FOUND);
    let (_, list) = client.get("/api/conversations").await.unwrap();
    assert_eq!(list["items"], json!([]), "{list}");
    let deleted = client.send(Method::DELETE, &path, None).await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn the_audit_has_the_calls_of_a_trial_and_they_count_as_no_use() {
    let app = TestApp::start().await.unwrap();
    let (client, admin) = (
        app.manager().await.unwrap(),
        app.client("admin@shop.test").await.unwrap(),
    );
    script(
        &app,
        &[
            update("order", 1, &json!({"note": "tried"})),
            read("order", 1),
        ],
    );
    let run = tried(&client).await;
    for call in calls(&run) {
        let path = format!("/api/audit/calls/{}", text(call, "/id"));
        let (status, story) = admin.get(&path).await.unwrap();
        assert_eq!(status, StatusCode::OK, "{story}");
        assert_eq!(
            (text(&story, "/status"), text(&story, "/agent")),
            ("succeeded", "shop")
        );
        assert_eq!(story["trial"], call["trial"], "{story}");
        let states = story["events"].as_array().unwrap().iter();
        let states: Vec<&str> = states.map(|event| text(event, "/state")).collect();
        assert_eq!(states, ["asked", "succeeded"]);
    }
    app.runtime.seal_all().await.unwrap();
    let (_, verified) = admin.post("/api/audit/verify", &json!({})).await.unwrap();
    assert_eq!(verified["ok"], json!(true), "{verified}");
    let (_, tool) = client.get("/api/tools/update_record").await.unwrap();
    assert_eq!(tool.pointer("/stats/calls7d"), Some(&json!(0)), "{tool}");
    let activity = ("read_activity", json!({"model": "order", "id": 1}));
    let activity = done(&client, activity).await;
    assert!(!activity.to_string().contains("tried"), "{activity}");
}

#[tokio::test]
async fn a_trial_counts_as_use_of_language_models_and_ends_with_the_allowance() {
    let app = TestApp::start().await.unwrap();
    let (client, admin) = (
        app.manager().await.unwrap(),
        app.client("admin@shop.test").await.unwrap(),
    );
    script(&app, &[read("order", 1)]);
    tried(&client).await;
    let (_, allowance) = client.get("/api/usage/allowance").await.unwrap();
    assert_eq!(
        allowance["usedTokens"],
        json!(240),
        "two steps: {allowance}"
    );
    let policy = json!({"subjectKind": "org", "monthlyTokens": 240});
    let (status, body) = admin.post("/api/usage-policies", &policy).await.unwrap();
    assert_eq!(status, StatusCode::CREATED, "{body}");
    let (status, problem) = send(&client, &json!({"message": "Go."})).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{problem}");
}

#[tokio::test]
async fn whatever_is_done_in_a_trials_conversation_is_a_trial() {
    let app = TestApp::start().await.unwrap();
    without_asking(&app).await;
    let client = app.manager().await.unwrap();
    let before = records(&client).await;
    let id = next_customer(&app, &client).await;
    script(&app, &[customer("tried@example.com")]);
    let run = tried(&client).await;
    let conversation = text(&run, "/conversationId");
    // A call by hand, asked for as a real one, sees what the run wrote.
    let change = json!({"model": "customer", "id": id, "values": {"city": "Bonn"}});
    let body = json!({"arguments": change, "conversationId": conversation, "trial": false});
    let (_, by_hand) = client
        .post("/api/tools/update_record/call", &body)
        .await
        .unwrap();
    assert_eq!(text(&by_hand, "/call/status"), "succeeded", "{by_hand}");
    assert!(
        by_hand.pointer("/call/trial/wouldChange/title").is_some(),
        "{by_hand}"
    );
    // A further message goes on with the trial.
    script(
        &app,
        &[
            update("customer", id, &json!({"city": "Kiel"})),
            read("customer", id),
        ],
    );
    let chunks = client.chat("shop", conversation, "And now?").await.unwrap();
    assert_eq!(told(&chunks), "That is it.");
    let notices = chunks
        .iter()
        .filter(|chunk| text(chunk, "/type") == "data-notice");
    let notices: Vec<&str> = notices.map(|chunk| text(chunk, "/data/kind")).collect();
    assert_eq!(notices, ["trial"], "whoever looks at it is told what it is");
    let (_, whole) = client
        .get(&format!("/api/calls?conversationId={conversation}"))
        .await
        .unwrap();
    for call in whole["items"].as_array().unwrap() {
        assert_eq!(text(call, "/status"), "succeeded", "{call}");
        assert!(!call["trial"].is_null(), "{call}");
    }
    let newest = whole.pointer("/items/0/output/records/0").unwrap();
    assert_eq!(
        (text(newest, "/city"), &newest["version"]),
        ("Kiel", &json!(2)),
        "{newest}"
    );
    assert_eq!(records(&client).await, before);
}
