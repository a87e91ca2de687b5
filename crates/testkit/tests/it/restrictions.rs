//! What is kept from language models shows in no request that one receives; the person sees it.

use serde_json::{Value, json};
use toolcrib_counter::CounterOptions;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{assert_paired, conversation, last_messages, text, told};

const EMAIL: &str = "canary-7f3a@secret.example";
const NAME: &str = "Canary Holdings";
const RULES: &str = "restrictions:\n  - { model: customer, fields: [email, name] }\n";

/// The sample shop with these restrictions, and customer 1 with values to look out for.
async fn shop(rules: &str) -> TestApp {
    shop_with(rules, CounterOptions::default()).await
}

async fn shop_with(rules: &str, counter: CounterOptions) -> TestApp {
    let options = TestAppOptions {
        counter,
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    admin.switch("update_record", &ask).await.unwrap();
    let values = json!({"email": EMAIL, "name": NAME});
    let update = json!({"model": "customer", "id": 1, "values": values});
    let call = admin.call("update_record", &update).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    restricted(app, rules).await
}

/// Starts again with other restrictions.
async fn restricted(app: TestApp, rules: &str) -> TestApp {
    std::fs::write(app.dir().join("restrictions.yaml"), rules).unwrap();
    app.restart().await.unwrap()
}

fn requests(app: &TestApp) -> String {
    let requests: Vec<String> = app.model.requests().iter().map(Value::to_string).collect();
    requests.concat()
}

fn assert_unseen(app: &TestApp) {
    let requests = requests(app);
    for canary in [EMAIL, NAME, "canary-7f3a", "Canary"] {
        assert!(!requests.contains(canary), "the model was told {canary}");
    }
}

/// Lets the agent make these calls, one after the other, and answer.
fn script(app: &TestApp, calls: &[(&str, Value)]) {
    let mut rules = Vec::new();
    for (index, (tool, arguments)) in calls.iter().enumerate() {
        let reply = Reply::call(tool, arguments.clone());
        let mut rule = match index {
            0 => Rule::on_user("go", reply),
            _ => Rule::after(calls[index - 1].0, reply),
        };
        rule.times = Some(1);
        rules.push(rule);
    }
    rules.push(Rule::always(Reply::text("Done.")));
    app.model.script(rules);
}

async fn ask(app: &TestApp, calls: &[(&str, Value)]) -> (TestClient, String, Vec<Value>) {
    script(app, calls);
    let client = app.client("admin@shop.test").await.unwrap();
    let id = conversation();
    let chunks = client.chat("shop", &id, "go").await.unwrap();
    assert_eq!(told(&chunks), "Done.");
    assert_paired(&last_messages(&app.model.requests()));
    (client, id, chunks)
}

#[tokio::test]
async fn no_request_holds_a_kept_value_and_the_person_sees_them_all() {
    let app = shop(RULES).await;
    let query = json!({
        "from": {"model": "order", "as": "o"}, "join": [{"field": "o.customer", "as": "c"}],
        "select": [{"field": "c.name", "as": "who"}, {"fn": "max", "field": "c.email", "as": "mail"}, {"fn": "count", "as": "orders"}],
        "where": [{"field": "c.id", "operator": "=", "value": 1}], "groupBy": ["c.name"],
        "summaries": [{"fn": "min", "field": "mail", "as": "first"}],
    });
    let shown = json!({"widget": "table", "title": "Orders", "props": {}, "query": query});
    let calls = [
        ("read_record", json!({"model": "customer", "id": 1})),
        (
            "search_records",
            json!({"model": "order", "criteria": {"field": "customer", "operator": "=", "value": 1}, "limit": 3}),
        ),
        ("query_records", query),
        ("show_data", shown),
        (
            "update_record",
            json!({"model": "customer", "id": 1, "values": {"city": "Bonn"}}),
        ),
    ];
    let (client, id, chunks) = ask(&app, &calls).await;
    assert_unseen(&app);
    let seen = requests(&app);
    assert!(
        seen.contains("[restricted]") && seen.contains("Bonn"),
        "{seen}"
    );
    let stream = Value::from(chunks).to_string();
    assert!(stream.contains(EMAIL) && stream.contains(NAME));
    let (_, body) = client
        .get(&format!("/api/conversations/{id}"))
        .await
        .unwrap();
    assert!(
        body.to_string().contains(EMAIL),
        "the person sees it later, too"
    );
}

#[tokio::test]
async fn what_was_kept_is_on_record_with_the_call() {
    let app = shop(RULES).await;
    let read = json!({"model": "customer", "ids": [1, 2], "fields": ["email", "city"]});
    let (client, _, chunks) = ask(&app, &[("read_record", read)]).await;
    let line = chunks
        .iter()
        .find(|chunk| text(chunk, "/type") == "data-call");
    let id = text(line.unwrap(), "/id").to_owned();
    let (_, story) = client.get(&format!("/api/calls/{id}")).await.unwrap();
    let withheld = story["withheld"].as_array().unwrap();
    assert_eq!(withheld.len(), 1, "{story}");
    assert_eq!(text(&withheld[0], "/provider"), "openai");
    assert_eq!(withheld[0]["fields"], json!({"customer.email": 2}));
    let plain = client.call("current_user", &json!({})).await.unwrap();
    let path = format!("/api/calls/{}", text(&plain, "/id"));
    let (_, story) = client.get(&path).await.unwrap();
    assert_eq!(story["withheld"], json!([]));
}

#[tokio::test]
async fn a_restriction_for_another_provider_keeps_nothing() {
    let rules = "restrictions: [{ model: customer, providers: [anthropic, gemini] }]";
    let app = shop(rules).await;
    ask(
        &app,
        &[("read_record", json!({"model": "customer", "id": 1}))],
    )
    .await;
    assert!(requests(&app).contains(EMAIL));
}

#[tokio::test]
async fn a_kept_model_reaches_no_language_model() {
    let app = shop("restrictions: [{ model: customer, providers: openai }]").await;
    let calls = [
        ("read_record", json!({"model": "customer", "id": 1})),
        ("search_records", json!({"model": "order", "limit": 50})),
        (
            "query_records",
            json!({"from": {"model": "customer"}, "select": [{"field": "city"}]}),
        ),
    ];
    ask(&app, &calls).await;
    assert_unseen(&app);
    let requests = requests(&app);
    assert!(
        !requests.contains("\\\"display\\\":\\\"Canary"),
        "{requests}"
    );
}

#[tokio::test]
async fn an_error_that_names_a_record_is_not_told() {
    let app = shop(RULES).await;
    let delete = json!({"model": "customer", "id": 1});
    let (client, id, _) = ask(&app, &[("delete_record", delete)]).await;
    assert_unseen(&app);
    assert!(requests(&app).contains("Why is not for you to read: [restricted]"));
    let (_, body) = client
        .get(&format!("/api/conversations/{id}"))
        .await
        .unwrap();
    assert!(
        body.to_string().contains(NAME),
        "the person is told: {body}"
    );
}

#[tokio::test]
async fn an_earlier_answer_is_not_told_again_to_whom_it_is_kept_from() {
    let app = shop("restrictions: [{ model: customer, providers: [anthropic] }]").await;
    let read = json!({"model": "customer", "id": 1});
    app.model.script(vec![
        Rule::on_user("go", Reply::call("read_record", read)),
        Rule::after("read_record", Reply::text(&format!("It is {EMAIL}."))),
        Rule::always(Reply::text("Again.")),
    ]);
    let client = app.client("admin@shop.test").await.unwrap();
    let id = conversation();
    client.chat("shop", &id, "go").await.unwrap();
    assert!(requests(&app).contains(EMAIL), "nothing was kept then");
    let before = app.model.requests().len();
    let app = restricted(app, RULES).await;
    let client = app.client("admin@shop.test").await.unwrap();
    let chunks = client.chat("shop", &id, "and now?").await.unwrap();
    assert_eq!(told(&chunks), "Again.");
    let later = Value::from(app.model.requests().split_off(before)).to_string();
    assert!(!later.contains(EMAIL) && !later.contains(NAME), "{later}");
    assert!(later.contains("This answer may tell what is not for you to read."));
    assert_paired(&last_messages(&app.model.requests()));
    client.chat("shop", &id, "and then?").await.unwrap();
    let last = app.model.requests().pop().unwrap().to_string();
    assert!(
        last.contains("Again."),
        "an answer to what was masked stays"
    );
}

#[tokio::test]
async fn a_call_that_was_decided_is_masked_as_well_also_when_it_is_stale() {
    let app = shop(RULES).await;
    let client = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": true});
    client.switch("update_record", &ask).await.unwrap();
    let update =
        json!({"model": "customer", "id": 1, "values": {"city": "Bonn", "name": "Canary Two"}});
    app.model.script(vec![
        Rule::on_user("move", Reply::call("update_record", update)),
        Rule::after("update_record", Reply::text("Done.")),
    ]);
    for stale in [false, true] {
        let id = conversation();
        client.chat("shop", &id, "move it").await.unwrap();
        let pending = client.pending().await.unwrap();
        if stale {
            let manager = app.manager().await.unwrap();
            let values = json!({"city": "Cologne"});
            let other = json!({"model": "customer", "id": 1, "values": values});
            let other = manager.call("update_record", &other).await.unwrap();
            let decided = manager.decide(&other["approval"], "approve", None).await;
            assert_eq!(text(&decided.unwrap().1, "/call/status"), "succeeded");
        }
        client.decide(&pending[0], "approve", None).await.unwrap();
        client.settled(&id).await.unwrap();
    }
    let results: Vec<String> = app
        .model
        .requests()
        .iter()
        .flat_map(|request| request["messages"].as_array().unwrap().clone())
        .filter(|message| text(message, "/role") == "tool")
        .map(|message| text(&message, "/content").to_owned())
        .collect();
    assert!(
        results[0].contains("Bonn") && results[0].contains("[restricted]"),
        "{results:?}"
    );
    let refused = results.last().unwrap();
    assert_eq!(
        refused, "Not done. Why is not for you to read: [restricted]",
        "what has changed is told by the record's name"
    );
    assert!(!results.concat().contains("Canary"), "{results:?}");
}

#[tokio::test]
async fn the_marker_is_not_written_in_place_of_the_value() {
    let app = shop(RULES).await;
    let update =
        json!({"model": "customer", "id": 1, "values": {"name": "[restricted]", "city": "Bonn"}});
    let create =
        json!({"model": "customer", "records": [{"name": "[restricted]", "country": "de"}]});
    let (client, ..) = ask(
        &app,
        &[("update_record", update), ("create_record", create)],
    )
    .await;
    let read = json!({"model": "customer", "id": 1});
    let read = client.call("read_record", &read).await.unwrap();
    assert_eq!(text(&read, "/output/records/0/name"), NAME);
    assert!(requests(&app).contains("leave the field out"));
}

#[tokio::test]
async fn a_large_result_has_no_kept_value_in_its_beginning() {
    let counter = CounterOptions {
        largest_result: 100,
        ..CounterOptions::default()
    };
    let app = shop_with(RULES, counter).await;
    let calls = [
        (
            "read_record",
            json!({"model": "customer", "id": 1, "fields": ["name", "city", "since"]}),
        ),
        (
            "search_records",
            json!({"model": "order", "fields": ["number", "total"], "limit": 9}),
        ),
    ];
    ask(&app, &calls).await;
    assert_unseen(&app);
    let seen = requests(&app);
    assert!(seen.contains("handle://"), "{seen}");
    assert!(seen.contains("SO-1"), "a beginning that holds nothing kept");
}

#[tokio::test]
async fn a_mistake_in_the_file_stops_the_start() {
    let app = TestApp::start().await.unwrap();
    std::fs::write(
        app.dir().join("restrictions.yaml"),
        "restrictions: [{ model: custmer }]",
    )
    .unwrap();
    let error = app.restart().await.unwrap_err().to_string();
    assert!(
        error.contains("restrictions.yaml:1:25: unknown model `custmer`"),
        "{error}"
    );
}
