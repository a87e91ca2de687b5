//! Functions of data models as tools of their own, and how their rows bind the tools for all models.

use serde_json::{Value, json};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

/// The sample shop with orders linked, where writes of all models ask nobody.
async fn shop() -> (TestApp, TestClient) {
    let app = TestApp::start().await.unwrap();
    let tools = app.dir().join("tools");
    std::fs::create_dir_all(&tools).unwrap();
    std::fs::write(tools.join("order.yaml"), "model: order\n").unwrap();
    let agent = "---\ntools: [order_search]\n---\nYou find orders.\n";
    std::fs::write(app.dir().join("agents/orders.md"), agent).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    for tool in [
        "create_record",
        "update_record",
        "order_create",
        "order_update",
    ] {
        admin.switch(tool, &ask).await.unwrap();
    }
    (app, admin)
}

async fn done(client: &TestClient, tool: &str, arguments: Value) -> Value {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

async fn error(client: &TestClient, tool: &str, arguments: Value) -> String {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_ne!(text(&call, "/status"), "succeeded", "{call}");
    text(&call, "/error").to_owned()
}

/// The names of the tools of orders that are listed.
async fn listed(client: &TestClient) -> Vec<String> {
    let (_, body) = client.get("/api/tools").await.unwrap();
    let items = body["items"].as_array().unwrap().iter();
    let of_order = items.filter(|tool| text(tool, "/source") == "model:order");
    of_order
        .map(|tool| text(tool, "/name").to_owned())
        .collect()
}

fn order(number: &str) -> Value {
    json!({"number": number, "customer": 1})
}

#[tokio::test]
async fn a_linked_model_has_a_row_for_each_function() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let all = [
        "order_create",
        "order_delete",
        "order_query",
        "order_read",
        "order_search",
        "order_update",
    ];
    assert_eq!(listed(&manager).await, all);
    // To sales nothing is offered that its grants allow on no record.
    let sales = app.sales().await.unwrap();
    let some: Vec<&str> = all
        .into_iter()
        .filter(|name| *name != "order_delete")
        .collect();
    assert_eq!(listed(&sales).await, some);
    let unknown = error(&sales, "order_delete", json!({"id": 1})).await;
    let made_up = error(&sales, "order_deletes", json!({"id": 1})).await;
    assert_eq!(unknown.split('`').next(), made_up.split('`').next());
    let (_, row) = admin.get("/api/tools/order_create").await.unwrap();
    assert_eq!(text(&row, "/kind"), "record");
    let schema = &row["inputSchema"];
    assert_eq!(schema.pointer("/properties/model"), None, "{schema}");
    let values = schema.pointer("/properties/values/properties").unwrap();
    assert_eq!(values.pointer("/status/enum/0"), Some(&json!("draft")));
    assert_eq!(
        values.get("margin"),
        None,
        "what a role may not set is not in a schema for all"
    );
    let (_, search) = admin.get("/api/tools/order_search").await.unwrap();
    assert_eq!(search["agents"], json!(["orders"]));
    let schema = &admin.get("/api/tools/order_query").await.unwrap().1["inputSchema"];
    assert_eq!(schema.pointer("/properties/from"), None, "{schema}");
    let made = done(
        &manager,
        "order_create",
        json!({"values": order("SO-88001")}),
    )
    .await;
    let id = &made["records"][0]["id"];
    let set = json!({"id": id, "values": {"note": "by its own tool"}});
    done(&manager, "order_update", set).await;
    let read = done(
        &manager,
        "order_read",
        json!({"id": id, "fields": ["note"]}),
    )
    .await;
    assert_eq!(text(&read, "/records/0/note"), "by its own tool");
    let criteria = json!({"field": "number", "operator": "=", "value": "SO-88001"});
    let found = done(&manager, "order_search", json!({"criteria": criteria})).await;
    assert_eq!(found["total"], json!(1));
    let query = json!({"as": "o", "select": [{"fn": "count", "as": "n"}], "where": [{"field": "o.number", "operator": "=", "value": "SO-88001"}]});
    let found = done(&manager, "order_query", query).await;
    assert_eq!(found["rows"], json!([{"n": 1}]));
    let call = manager
        .call("order_delete", &json!({"id": id}))
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "waiting", "{call}");
    // The model can't be said again, and no other one can be.
    let other = json!({"model": "customer", "id": 1});
    let call = manager.call("order_read", &other).await.unwrap();
    assert_eq!(text(&call, "/status"), "failed", "{call}");
}

#[tokio::test]
async fn a_switch_on_a_function_binds_every_tool_that_names_the_model() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let id = json!({"model": "order", "id": 1});
    let query =
        json!({"from": {"model": "order", "as": "o"}, "select": [{"fn": "count", "as": "n"}]});
    let joined = json!({"from": {"model": "order_line", "as": "l"}, "join": [{"field": "l.order", "as": "o"}], "select": [{"fn": "count", "as": "n"}]});
    let nested = json!({"from": {"model": "customer", "as": "c"}, "select": [{"field": "c.name"}], "where": [{"exists": {"from": {"model": "order", "as": "o"}, "where": [{"field": "o.customer", "operator": "=", "right": {"field": "c.id"}}]}}], "limit": 1});
    let shown = json!({"queryName": "revenue_by_country", "widget": "table"});
    let create = json!({"model": "order", "values": order("SO-88002")});
    let update = json!({"model": "order", "id": 1, "values": {"note": "x"}});
    let cases: &[(&str, &[(&str, Value)])] = &[
        ("create", &[("create_record", create)]),
        (
            "read",
            &[("read_record", id.clone()), ("read_activity", id.clone())],
        ),
        ("update", &[("update_record", update)]),
        ("search", &[("search_records", json!({"model": "order"}))]),
        (
            "query",
            &[
                ("query_records", query.clone()),
                ("query_records", joined),
                ("query_records", nested),
                ("show_data", json!({"query": query, "widget": "table"})),
                ("show_data", shown),
            ],
        ),
    ];
    for (function, calls) in cases {
        let row = format!("order_{function}");
        for (tool, arguments) in *calls {
            done(&manager, tool, arguments.clone()).await;
        }
        admin
            .switch(&row, &json!({"enabled": false}))
            .await
            .unwrap();
        assert!(!listed(&manager).await.contains(&row));
        for (tool, arguments) in *calls {
            let told = error(&manager, tool, arguments.clone()).await;
            let expected = match arguments.get("queryName") {
                Some(_) => "records or fields that you may not read".to_owned(),
                None => format!("you may not {function} `order` records"),
            };
            assert!(told.contains(&expected), "{tool} {arguments}: {told}");
        }
        let told = error(&manager, &row, json!({})).await;
        assert!(told.contains("no tool"), "{told}");
    }
    // Other functions, and other models, are as they were.
    admin
        .switch("order_read", &json!({"enabled": true}))
        .await
        .unwrap();
    done(&manager, "read_record", id).await;
    done(&manager, "search_records", json!({"model": "customer"})).await;
    let models = done(&manager, "list_models", json!({})).await;
    let all = models["models"].as_array().unwrap();
    let known = all.iter().find(|model| model["name"] == "order").unwrap();
    assert_eq!(known["operations"], json!(["read", "delete", "export"]));
}

#[tokio::test]
async fn a_delete_that_is_switched_off_binds_the_tool_for_all_models() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    admin
        .switch("order_delete", &json!({"enabled": false}))
        .await
        .unwrap();
    let told = error(
        &manager,
        "delete_record",
        json!({"model": "order", "id": 1}),
    )
    .await;
    assert!(
        told.contains("you may not delete `order` records"),
        "{told}"
    );
}

#[tokio::test]
async fn a_role_on_a_function_binds_every_tool_that_names_the_model() {
    let (app, admin) = shop().await;
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let own = json!({"model": "order", "limit": 1});
    let own = done(&sales, "search_records", own).await["records"][0]["id"].clone();
    let update = json!({"model": "order", "id": own, "values": {"note": "x"}});
    done(&sales, "update_record", update.clone()).await;
    let roles = json!({"roles": ["manager"]});
    let saved = admin.switch("order_update", &roles).await.unwrap();
    assert_eq!(saved["roles"], json!(["manager"]));
    let told = error(&sales, "update_record", update.clone()).await;
    assert!(
        told.contains("you may not update `order` records"),
        "{told}"
    );
    assert!(!listed(&sales).await.contains(&"order_update".to_owned()));
    done(&manager, "update_record", update).await;
    let customer = json!({"model": "customer", "limit": 1});
    let customer = done(&sales, "search_records", customer).await["records"][0]["id"].clone();
    let other = json!({"model": "customer", "id": customer, "values": {"city": "x"}});
    done(&sales, "update_record", other).await;
}

#[tokio::test]
async fn an_approval_on_a_function_binds_the_tool_for_all_models() {
    let (app, admin) = shop().await;
    let manager = app.manager().await.unwrap();
    let create = |number: &str| json!({"model": "order", "values": order(number)});
    done(&manager, "create_record", create("SO-88003")).await;
    let ask = json!({"requiresApproval": true});
    admin.switch("order_create", &ask).await.unwrap();
    let call = manager
        .call("create_record", &create("SO-88004"))
        .await
        .unwrap();
    assert_eq!(text(&call, "/status"), "waiting", "{call}");
    // Switched off after the decision, it does not run either.
    let approval = &manager.pending().await.unwrap()[0];
    admin
        .switch("order_create", &json!({"enabled": false}))
        .await
        .unwrap();
    manager.decide(approval, "approve", None).await.unwrap();
    let found = json!({"model": "order", "criteria": {"field": "number", "operator": "=", "value": "SO-88004"}});
    assert_eq!(
        done(&manager, "search_records", found).await["total"],
        json!(0)
    );
    let product = json!({"model": "product", "values": {"sku": "P-88001", "name": "x", "category": "tools", "price": "1"}});
    done(&manager, "create_record", product).await;
}

/// Every name of a parameter in a schema, however deep.
fn parameters(schema: &Value, into: &mut Vec<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                into.extend(properties.keys().cloned());
            }
            for member in members.values() {
                parameters(member, into);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| parameters(item, into)),
        _ => {}
    }
}

#[tokio::test]
async fn no_tool_takes_sql() {
    let (_app, admin) = shop().await;
    let (_, body) = admin.get("/api/tools").await.unwrap();
    let mut names = Vec::new();
    for item in body["items"].as_array().unwrap() {
        let path = format!("/api/tools/{}", text(item, "/name"));
        let (_, row) = admin.get(&path).await.unwrap();
        parameters(&row["inputSchema"], &mut names);
    }
    assert!(names.len() > 50, "{names:?}");
    let takes_sql = |name: &String| {
        let name = name.to_lowercase();
        ["sql", "statement", "raw", "expression"]
            .iter()
            .any(|word| name.contains(word))
    };
    let found: Vec<String> = names.into_iter().filter(takes_sql).collect();
    assert!(found.is_empty(), "{found:?}");
}
