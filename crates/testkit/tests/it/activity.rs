//! What was done with a record, told to who may read it, as far as they may.

use serde_json::{Value, json};
use toolcrib_counter::CounterOptions;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, TestClient};

use crate::support::{conversation, text};

/// The sample shop, where writes that can be undone ask nobody.
async fn shop(counter: CounterOptions) -> TestApp {
    let options = TestAppOptions {
        counter,
        ..TestAppOptions::default()
    };
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    for tool in ["create_record", "update_record"] {
        admin.switch(tool, &ask).await.unwrap();
    }
    app
}

async fn done(client: &TestClient, tool: &str, arguments: Value) -> Value {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

async fn activity(client: &TestClient, model: &str, id: &Value) -> Value {
    done(client, "read_activity", json!({"model": model, "id": id})).await
}

fn update(id: &Value, values: &Value) -> Value {
    json!({"model": "order", "id": id, "values": values})
}

#[tokio::test]
async fn a_record_tells_who_did_what_and_when() {
    let app = shop(CounterOptions::default()).await;
    let (manager, admin) = (
        app.manager().await.unwrap(),
        app.client("admin@shop.test").await.unwrap(),
    );
    let values = json!({"number": "SO-99001", "customer": 1, "note": "one"});
    let created = done(
        &manager,
        "create_record",
        json!({"model": "order", "values": values}),
    )
    .await;
    let id = created.pointer("/records/0/id").unwrap();
    done(
        &admin,
        "update_record",
        update(id, &json!({"note": "two", "customer": 2})),
    )
    .await;
    let failed = update(id, &json!({"number": "SO-10001"}));
    let failed = admin.call("update_record", &failed).await.unwrap();
    assert_eq!(
        text(&failed, "/status"),
        "failed",
        "what failed did nothing"
    );
    let tried = update(id, &json!({"note": "tried"}));
    admin.attempt("update_record", &tried).await.unwrap();
    let told = activity(&manager, "order", id).await;
    let entries = told["activity"].as_array().unwrap();
    assert_eq!(
        entries.len(),
        2,
        "neither what failed nor what was tried: {told}"
    );
    let [newest, first] = &entries[..] else {
        panic!("{told}")
    };
    assert_eq!(text(newest, "/operation"), "update");
    assert_eq!(text(newest, "/tool"), "update_record");
    assert_ne!(newest.pointer("/by/name"), first.pointer("/by/name"));
    assert!(text(newest, "/at") >= text(first, "/at"));
    let customer = |id: i64| json!(id);
    let note = json!({"field": "note", "before": "one", "after": "two"});
    let changes = newest["changes"].as_array().unwrap();
    assert!(changes.contains(&note), "{newest}");
    let moved = changes
        .iter()
        .find(|change| change["field"] == "customer")
        .unwrap();
    assert_eq!(moved.pointer("/before/id"), Some(&customer(1)));
    assert_eq!(moved.pointer("/after/id"), Some(&customer(2)));
    assert_eq!(text(first, "/operation"), "create");
    let number = json!({"field": "number", "before": null, "after": "SO-99001"});
    assert!(
        first["changes"].as_array().unwrap().contains(&number),
        "{first}"
    );
    let window = json!({"model": "order", "id": id, "limit": 1, "offset": 1});
    let second = done(&manager, "read_activity", window).await;
    assert_eq!(second["activity"], json!([first]));
    let window = json!({"model": "order", "id": id, "limit": 1});
    let newest_alone = done(&manager, "read_activity", window).await;
    assert_eq!(newest_alone["truncated"], json!(true));
    let untouched = activity(&manager, "order", &json!(5)).await;
    assert_eq!(untouched["activity"], json!([]));
}

#[tokio::test]
async fn who_may_not_read_the_record_is_told_that_it_is_missing() {
    let app = shop(CounterOptions::default()).await;
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let foreign = json!({"model": "order", "criteria": {"field": "customer.sales_person", "operator": "!=", "value": "sam@shop.test"}, "limit": 1});
    let foreign = done(&manager, "search_records", foreign).await;
    let id = foreign.pointer("/records/0/id").unwrap();
    done(
        &manager,
        "update_record",
        update(id, &json!({"note": "secret"})),
    )
    .await;
    let hidden = activity(&sales, "order", id).await;
    let made_up = activity(&sales, "order", &json!(999_999)).await;
    assert_eq!(hidden["missing"], json!([id]));
    assert_eq!(
        hidden.to_string().replace(&id.to_string(), "999999"),
        made_up.to_string()
    );
    let none = json!({"model": "ordr", "id": 1});
    let none = sales.call("read_activity", &none).await.unwrap();
    assert!(text(&none, "/error").starts_with("unknown model `ordr`"));
}

#[tokio::test]
async fn fields_and_records_that_the_reader_may_not_read_are_not_told_of() {
    let app = shop(CounterOptions::default()).await;
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let of = |operator: &str| json!({"model": "customer", "criteria": {"field": "sales_person", "operator": operator, "value": "sam@shop.test"}, "fields": ["name"], "limit": 1});
    let own = done(&manager, "search_records", of("=")).await["records"][0].clone();
    let foreign = done(&manager, "search_records", of("!=")).await["records"][0].clone();
    let values = json!({"number": "SO-99002", "customer": foreign["id"], "margin": "7.77"});
    let created = done(
        &manager,
        "create_record",
        json!({"model": "order", "values": values}),
    )
    .await;
    let id = created.pointer("/records/0/id").unwrap();
    let moved = json!({"customer": own["id"], "margin": "8.88", "note": "yours now"});
    done(&manager, "update_record", update(id, &moved)).await;
    let told = activity(&sales, "order", id).await;
    let newest = told.pointer("/activity/0/changes").unwrap();
    let customer = json!({
        "field": "customer", "before": {"withheld": true},
        "after": {"id": own["id"], "display": own["name"]},
    });
    assert!(newest.as_array().unwrap().contains(&customer), "{newest}");
    let all = told.to_string();
    for hidden in ["margin", "7.77", "8.88", text(&foreign, "/name")] {
        assert!(!all.contains(hidden), "{hidden} in {all}");
    }
    let whole = activity(&manager, "order", id).await.to_string();
    assert!(whole.contains("8.88") && whole.contains(text(&foreign, "/name")));
}

#[tokio::test]
async fn a_batch_is_in_the_activity_of_each_record_also_when_its_result_is_large() {
    let counter = CounterOptions {
        largest_result: 100,
        ..CounterOptions::default()
    };
    let app = shop(counter).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let item = |id: i64| json!({"id": id, "values": {"note": format!("note of {id}")}});
    let batch = json!({"model": "order", "records": [item(1), item(2), item(3)]});
    let output = done(&admin, "update_record", batch).await;
    assert!(
        text(&output, "/handle").starts_with("handle://"),
        "{output}"
    );
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let told = admin
        .call("read_activity", &json!({"model": "order", "id": 2}))
        .await
        .unwrap();
    let handle = text(&told, "/output/handle").replace("handle://", "");
    let (_, told) = admin.get(&format!("/api/handles/{handle}")).await.unwrap();
    assert_eq!(
        text(&told, "/activity/0/changes/0/after"),
        "note of 2",
        "{told}"
    );
    assert_eq!(told["activity"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_language_model_reads_no_kept_value_in_an_activity() {
    let app = shop(CounterOptions::default()).await;
    let rules = "restrictions: [{ model: order, fields: [note] }]";
    std::fs::write(app.dir().join("restrictions.yaml"), rules).unwrap();
    let agent = "---\ntitle: A\ntools: [read_activity]\n---\nHelp.\n";
    std::fs::write(app.dir().join("agents/teller.md"), agent).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let values = json!({"note": "canary note", "status": "cancelled"});
    done(&admin, "update_record", update(&json!(1), &values)).await;
    let read = json!({"model": "order", "id": 1});
    app.model.script(vec![
        Rule::on_user("what", Reply::call("read_activity", read)),
        Rule::after("read_activity", Reply::text("Told.")),
    ]);
    admin
        .chat("teller", &conversation(), "what was done?")
        .await
        .unwrap();
    let request = app.model.requests().pop().unwrap().to_string();
    assert!(!request.contains("canary"), "{request}");
    assert!(
        request.contains("[restricted]") && request.contains("cancelled"),
        "{request}"
    );
}

#[tokio::test]
async fn a_list_of_records_is_told_of_as_its_reader_may_read_it() {
    let app = shop(CounterOptions::default()).await;
    let tag = "name: tag\ndisplay: name\nfields:\n  name: { type: string }\n  open: { type: boolean }\n  products: { type: many_to_many, model: product }\n";
    std::fs::write(app.dir().join("models/tag.yaml"), tag).unwrap();
    let product = "models: product\n    operations: [read]";
    let path = app.dir().join("permissions/sales.yaml");
    let sales = std::fs::read_to_string(&path).unwrap();
    let cheap = format!(
        "models: tag\n    operations: [read]\n  - {product}\n    where: {{ field: id, operator: in, value: [1, 2] }}"
    );
    assert!(sales.contains(product));
    std::fs::write(&path, sales.replace(product, &cheap)).unwrap();
    let app = app.restart().await.unwrap();
    let (manager, sales) = (app.manager().await.unwrap(), app.sales().await.unwrap());
    let values = json!({"name": "new", "products": [1, 3]});
    let create = json!({"model": "tag", "values": values});
    done(&manager, "create_record", create).await;
    let set = json!({"model": "tag", "id": 1, "values": {"products": [2, 3, 4]}});
    done(&manager, "update_record", set).await;
    let told = activity(&sales, "tag", &json!(1)).await;
    let change = told.pointer("/activity/0/changes/0").unwrap();
    let ids = |list: &Value| -> Vec<Value> {
        let items = list.as_array().unwrap().iter();
        items
            .map(|item| item.get("id").cloned().unwrap_or_else(|| item.clone()))
            .collect()
    };
    let hidden = json!({"withheld": true});
    assert_eq!(ids(&change["before"]), [json!(1), hidden.clone()]);
    assert_eq!(ids(&change["after"]), [json!(2), hidden]);
    let whole = activity(&manager, "tag", &json!(1)).await;
    let after = whole.pointer("/activity/0/changes/0/after").unwrap();
    assert_eq!(ids(after), [json!(2), json!(3), json!(4)]);
}
