//! Data that is drawn for the person.

use serde_json::{Value, json};
use toolcrib_testkit::{Reply, Rule, TestApp};

use crate::support::{conversation, text};

/// Orders by status, drawn as bars.
fn by_status() -> Value {
    json!({
        "widget": "chart",
        "title": "Orders by status",
        "props": {"kind": "bar", "x": "status", "y": "orders"},
        "query": {
            "from": {"model": "order", "as": "o"},
            "select": [{"field": "o.status", "as": "status"}, {"fn": "count", "as": "orders"}],
            "groupBy": ["o.status"],
        },
    })
}

fn total(call: &Value) -> i64 {
    let rows = call.pointer("/output/rows").and_then(Value::as_array);
    let rows = rows.unwrap_or_else(|| panic!("no rows in {call}"));
    rows.iter().map(|row| row["orders"].as_i64().unwrap()).sum()
}

#[tokio::test]
async fn a_query_is_drawn_under_the_rights_of_the_person() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let seen_by_all = manager.call("show_data", &by_status()).await.unwrap();
    assert_eq!(text(&seen_by_all, "/status"), "succeeded", "{seen_by_all}");
    let result = &seen_by_all["output"];
    assert_eq!(result["widget"], "chart");
    assert_eq!(result["title"], "Orders by status");
    assert_eq!(result["props"], by_status()["props"]);
    assert_eq!(result["columns"][0]["name"], "status");
    assert_eq!(result["truncated"], false);
    let sales = app.client("sam@shop.test").await.unwrap();
    let seen_by_sales = sales.call("show_data", &by_status()).await.unwrap();
    assert!(total(&seen_by_sales) > 0);
    assert!(total(&seen_by_sales) < total(&seen_by_all));
}

#[tokio::test]
async fn at_most_a_hundred_rows_are_drawn_and_whole() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let all = json!({
        "widget": "table",
        "query": {"from": {"model": "order", "as": "o"},
            "select": [{"field": "o.number"}, {"field": "o.customer.name", "as": "customer"},
                {"field": "o.customer.email", "as": "email"}, {"field": "o.total"},
                {"value": "x".repeat(400), "as": "long"}]},
    });
    let call = manager.call("show_data", &all).await.unwrap();
    assert_eq!(call["output"]["rows"].as_array().map(Vec::len), Some(100));
    assert_eq!(call["output"]["truncated"], true);
    assert_eq!(call["shown"], true, "{}", call["shown"]);
    assert_eq!(
        call["output"].get("handle"),
        None,
        "what is shown is kept whole"
    );
}

#[tokio::test]
async fn what_can_not_be_drawn_is_told_all_at_once() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let with = |change: &dyn Fn(&mut Value)| {
        let mut input = by_status();
        change(&mut input);
        input
    };
    for (input, told) in [
        (
            with(&|input| input["props"]["y"] = json!(["orders", "ordrs"])),
            vec!["/props/y/1: the query has no column `ordrs`; there are: orders, status"],
        ),
        (
            with(&|input| input["props"] = json!({"kind": "bars", "x": "status"})),
            vec!["/props/kind", "`y` is required"],
        ),
        (
            with(&|input| input["props"] = json!({})),
            vec!["`kind` is required"],
        ),
        (
            with(&|input| input["widget"] = json!("charts")),
            vec!["/widget: \"charts\" is not one of"],
        ),
        (
            with(&|input| input["props"]["options"] = json!({"series": []})),
            vec!["/props: unknown parameter `options`"],
        ),
        (
            with(&|input| input["query"]["select"] = json!([])),
            vec!["/select"],
        ),
        (
            with(&|input| input["query"]["from"]["model"] = json!("ordr")),
            vec!["ordr", "order"],
        ),
    ] {
        let call = manager.call("show_data", &input).await.unwrap();
        assert_ne!(text(&call, "/status"), "succeeded", "{call}");
        for words in told {
            assert!(
                text(&call, "/error").contains(words),
                "{words} in {}",
                call["error"]
            );
        }
    }
}

#[tokio::test]
async fn what_is_shown_stands_in_the_answer_and_the_model_reads_it_too() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![
        Rule::on_user("draw", Reply::call("show_data", by_status())),
        Rule::after("show_data", Reply::text("Most are delivered.")),
    ]);
    let manager = app.manager().await.unwrap();
    let id = conversation();
    let chunks = manager.chat("shop", &id, "draw the orders").await.unwrap();
    let drawn = chunks
        .iter()
        .find(|chunk| text(chunk, "/type") == "tool-output-available")
        .unwrap();
    assert_eq!(drawn["output"]["widget"], "chart");
    let read = app.model.requests().pop().unwrap();
    let read = read["messages"].as_array().unwrap().last().unwrap().clone();
    assert!(text(&read, "/content").contains("\"delivered\""), "{read}");
    let settled = manager.settled(&id).await.unwrap();
    let again = settled.to_string();
    assert!(
        again.contains("\"widget\":\"chart\""),
        "also after a reload"
    );
}

#[tokio::test]
async fn a_saved_query_is_drawn_with_its_parameters() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let ask =
        |name: &str, params: Value| json!({"widget": "table", "queryName": name, "params": params});
    let call = manager
        .call(
            "show_data",
            &ask("revenue_by_country", json!({"since": "2000-01-01"})),
        )
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    assert!(!call["output"]["rows"].as_array().unwrap().is_empty());
    for (input, told) in [
        (
            ask("revenue_by_contry", json!({})),
            "did you mean `revenue_by_country`?",
        ),
        (
            ask("revenue_by_country", json!({"since": "soon"})),
            "/params/since",
        ),
        (
            ask("revenue_by_country", json!({"until": "today"})),
            "unknown parameter `until`",
        ),
        (
            json!({"widget": "table"}),
            "Give a `query`, or the `queryName`",
        ),
    ] {
        let call = manager.call("show_data", &input).await.unwrap();
        assert!(
            text(&call, "/error").contains(told),
            "{told} in {}",
            call["error"]
        );
    }
}

#[tokio::test]
async fn the_model_is_told_of_the_saved_queries() {
    let app = TestApp::start().await.unwrap();
    app.model.script(vec![Rule::always(Reply::text("Hello."))]);
    let manager = app.manager().await.unwrap();
    manager.chat("shop", &conversation(), "hi").await.unwrap();
    let system = app.model.requests()[0]["messages"][0]["content"].clone();
    let system = system.as_str().unwrap();
    assert!(
        system.contains("- revenue_by_country: What the orders since a day come to"),
        "{system}"
    );
    assert!(system.contains("since (date)"), "{system}");
}

#[tokio::test]
async fn what_a_query_adds_up_is_told_beside_its_rows() {
    let app = TestApp::start().await.unwrap();
    let manager = app.manager().await.unwrap();
    let mut input = by_status();
    input["query"]["summaries"] = json!([{"fn": "sum", "field": "orders", "as": "all"}]);
    let call = manager.call("show_data", &input).await.unwrap();
    assert_eq!(
        call["output"]["summaries"]["all"].as_i64(),
        Some(total(&call)),
        "{call}"
    );
}

#[tokio::test]
async fn saved_queries_answer_each_person_with_what_they_may_read() {
    let app = TestApp::start().await.unwrap();
    let input = json!({"widget": "table", "queryName": "revenue_by_country",
        "params": {"since": "2000-01-01"}});
    let manager = app.manager().await.unwrap();
    let sales = app.client("sam@shop.test").await.unwrap();
    let count = |call: &Value| -> i64 {
        let rows = call["output"]["rows"].as_array().unwrap();
        rows.iter().map(|row| row["orders"].as_i64().unwrap()).sum()
    };
    let all = count(&manager.call("show_data", &input).await.unwrap());
    let own = count(&sales.call("show_data", &input).await.unwrap());
    assert!(0 < own && own < all, "{own} of {all}");
}
