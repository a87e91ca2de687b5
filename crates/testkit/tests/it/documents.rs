//! Files of the workspace that are made in the web app: data models, rights, agents.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use toolcrib::id::UserId;
use toolcrib_data::platform::people::{self, UserRow};
use toolcrib_testkit::{TestApp, TestClient};

use crate::support::text;

type Answer = (StatusCode, Value);

fn at(path: &str) -> String {
    format!("/api/workspace/documents/{path}")
}

async fn put(client: &TestClient, path: &str, version: Option<i64>, body: &Value) -> Answer {
    let request = client.raw(Method::PUT, &at(path)).json(body);
    let request = match version {
        Some(version) => request.header("if-match", format!("\"{version}\"")),
        None => request.header("if-none-match", "*"),
    };
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

async fn delete(client: &TestClient, path: &str, version: i64, query: &str) -> Answer {
    let request = client.raw(Method::DELETE, &format!("{}{query}", at(path)));
    let request = request.header("if-match", format!("\"{version}\""));
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

async fn saved(client: &TestClient, path: &str, version: Option<i64>, body: &Value) -> Value {
    let (status, body) = put(client, path, version, body).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    body
}

fn book() -> Value {
    json!({"name": "book", "title": "Book", "versioned": true, "fields": {
        "title": {"type": "string", "required": true, "length": 80},
        "kind": {"type": "selection", "options": ["novel", {"value": "poems", "title": "Poems"}]},
        "price": {"type": "decimal", "precision": 8, "scale": 2, "min": "0"},
        "supplier": {"type": "many_to_one", "model": "customer"},
    }})
}

fn grants() -> Value {
    json!({"role": "sales", "grants": [{"models": ["book", "customer"], "operations": "*"}]})
}

/// The sample shop with the model `book` and rights to it, made over the API.
async fn library() -> (TestApp, TestClient) {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    saved(
        &admin,
        "models/book.yaml",
        None,
        &json!({"definition": book()}),
    )
    .await;
    for tool in ["create_record", "update_record"] {
        let ask = json!({"requiresApproval": false});
        admin.switch(tool, &ask).await.unwrap();
    }
    (app, admin)
}

async fn done(client: &TestClient, tool: &str, arguments: Value) -> Value {
    let call = client.call(tool, &arguments).await.unwrap();
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    call["output"].clone()
}

#[tokio::test]
async fn a_model_declared_in_the_web_app_works_like_one_from_a_file() {
    let (app, admin) = library().await;
    let sales = app.sales().await.unwrap();
    let values = json!({"title": "Emma", "kind": "novel", "price": "12.50", "supplier": 1});
    let create = json!({"model": "book", "values": values});
    let refused = sales.call("create_record", &create).await.unwrap();
    assert!(
        text(&refused, "/error").contains("may not create"),
        "no rights yet: {refused}"
    );
    let rights = json!({"definition": grants()});
    saved(&admin, "permissions/books.yaml", None, &rights).await;
    let made = done(&sales, "create_record", create.clone()).await;
    assert_eq!(text(&made, "/records/0/price"), "12.50", "{made}");
    let described = done(&sales, "describe_model", json!({"model": "book"})).await;
    assert!(described.to_string().contains("poems"), "{described}");
    let wrong = json!({"model": "book", "values": {"title": "X", "kind": "essay"}});
    let failed = sales.call("create_record", &wrong).await.unwrap();
    assert!(text(&failed, "/error").contains("novel"), "{failed}");
    let query = json!({"from": {"model": "book", "as": "b"}, "select": [{"fn": "sum", "field": "b.price", "as": "all"}]});
    let sum = done(&sales, "query_records", query.clone()).await;
    assert_eq!(text(&sum, "/rows/0/all"), "12.50");
    // Linked, its functions are tools of their own at once.
    let link = json!({"text": "model: book\n"});
    saved(&admin, "tools/book.yaml", None, &link).await;
    let read = done(&sales, "book_read", json!({"id": 1})).await;
    assert_eq!(text(&read, "/records/0/title"), "Emma");
    // All of it is there after a restart.
    let app = app.restart().await.unwrap();
    let sales = app.sales().await.unwrap();
    let sum = done(&sales, "query_records", query).await;
    assert_eq!(text(&sum, "/rows/0/all"), "12.50");
    done(&sales, "book_read", json!({"id": 1})).await;
    let admin = app.client("admin@shop.test").await.unwrap();
    let (_, models) = admin.get("/api/models").await.unwrap();
    let models = models["models"].as_array().unwrap();
    let book = models.iter().find(|model| text(model, "/name") == "book");
    let book = book.unwrap();
    assert_eq!(text(book, "/origin"), "web");
    assert_eq!(book["version"], json!(1));
    assert_eq!(text(book, "/path"), "models/book.yaml");
    assert_eq!(book["fields"], json!(6));
    let order = models.iter().find(|model| text(model, "/name") == "order");
    assert_eq!(text(order.unwrap(), "/origin"), "file");
}

#[tokio::test]
async fn a_model_is_changed_and_data_is_lost_only_with_leave() {
    let (app, admin) = library().await;
    let rights = json!({"definition": grants()});
    saved(&admin, "permissions/books.yaml", None, &rights).await;
    let sales = app.sales().await.unwrap();
    let values = json!({"title": "Emma", "price": "12.50"});
    done(
        &sales,
        "create_record",
        json!({"model": "book", "values": values}),
    )
    .await;
    let path = "models/book.yaml";
    let (_, document) = admin.get(&at(path)).await.unwrap();
    assert_eq!(document["definition"], book(), "{document}");
    assert_eq!(text(&document, "/savedBy/name"), "Ada Admin");
    let mut wanted = book();
    wanted["fields"]["pages"] = json!({"type": "integer"});
    let dry = json!({"definition": wanted, "dryRun": true});
    let plan = saved(&admin, path, Some(1), &dry).await;
    assert_eq!(plan["steps"], json!(["add field `pages` to `book`"]));
    assert_eq!(
        (&plan["saved"], &plan["version"]),
        (&json!(false), &json!(1))
    );
    let changed = saved(&admin, path, Some(1), &json!({"definition": wanted})).await;
    assert_eq!(changed["version"], json!(2));
    let set = json!({"model": "book", "id": 1, "values": {"pages": 300}});
    done(&sales, "update_record", set).await;
    // Who did not see that save can't go over it.
    let (status, problem) = put(&admin, path, Some(1), &json!({"definition": book()})).await;
    assert_eq!(status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(text(&problem, "/code"), "version_changed");
    let less = json!({"definition": book()});
    let (status, problem) = put(&admin, path, Some(2), &less).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    assert_eq!(text(&problem, "/code"), "data_loss");
    assert!(text(&problem, "/errors/0/message").contains("`pages`"));
    let read = json!({"model": "book", "id": 1, "fields": ["pages"]});
    let kept = done(&sales, "read_record", read.clone()).await;
    assert_eq!(kept.pointer("/records/0/pages"), Some(&json!(300)));
    // A new required field without a default does not fit the records.
    let mut strict = wanted.clone();
    strict["fields"]["isbn"] = json!({"type": "string", "required": true});
    let (status, problem) = put(&admin, path, Some(2), &json!({"definition": strict})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(text(&problem, "/code"), "models_blocked", "{problem}");
    let allowed = json!({"definition": book(), "allowDataLoss": true});
    let changed = saved(&admin, path, Some(2), &allowed).await;
    assert_eq!(changed["losses"].as_array().unwrap().len(), 1);
    let gone = sales.call("read_record", &read).await.unwrap();
    assert!(text(&gone, "/error").contains("`pages`"), "{gone}");
    // The rights name the model: it can't go before them.
    let (status, problem) = delete(&admin, path, 3, "").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    let place = problem.pointer("/errors/0/path").unwrap();
    assert_eq!(place, "permissions/books.yaml");
    let (status, _) = delete(&admin, "permissions/books.yaml", 1, "").await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = delete(&admin, path, 3, "").await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, plan) = delete(&admin, path, 3, "?dryRun=true").await;
    assert_eq!((status, &plan["saved"]), (StatusCode::OK, &json!(false)));
    assert!(text(&plan, "/losses/0").contains("1 records"), "{plan}");
    let (status, body) = delete(&admin, path, 3, "?allowDataLoss=true").await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(admin.get(&at(path)).await.unwrap().0, StatusCode::NOT_FOUND);
    // Made again, it begins with no records and no past, and goes on counting.
    let again = saved(&admin, path, None, &json!({"definition": book()})).await;
    assert_eq!(again["version"], json!(5));
    saved(&admin, "permissions/books.yaml", None, &rights).await;
    let values = json!({"title": "Persuasion"});
    let create = json!({"model": "book", "values": values});
    done(&sales, "create_record", create).await;
    let past = json!({"model": "book", "id": 1});
    let past = done(&sales, "read_activity", past).await;
    assert_eq!(past["activity"].as_array().unwrap().len(), 1, "{past}");
    let mut wide = book();
    for n in 0..900 {
        wide["fields"][format!("f{n}")] = json!({"type": "integer"});
    }
    let (status, problem) = put(&admin, path, Some(5), &json!({"definition": wide})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        text(&problem, "/errors/0/message").contains("at most 900"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_workspace_that_is_not_sound_is_not_saved() {
    let app = TestApp::start().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let yaml = "name: book\nfields:\n  title: { type: strin }\n  author: { type: many_to_one, model: autor }\n";
    let (status, problem) = put(&admin, "models/book.yaml", None, &json!({"text": yaml})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(text(&problem, "/code"), "invalid_workspace");
    let first = &problem["errors"][0];
    assert_eq!(
        (&first["path"], &first["line"]),
        (&json!("models/book.yaml"), &json!(3)),
        "{problem}"
    );
    assert!(text(first, "/message").contains("string"), "{problem}");
    let taken = json!({"definition": {"name": "order", "fields": {"a": {"type": "string"}}}});
    let (_, problem) = put(&admin, "models/other.yaml", None, &taken).await;
    assert!(problem.to_string().contains("declared twice"), "{problem}");
    let broken = json!({"text": "role: [\n"});
    let (status, _) = put(&admin, "permissions/x.yaml", None, &broken).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, models) = admin.get("/api/models").await.unwrap();
    assert_eq!(
        models["models"].as_array().unwrap().len(),
        5,
        "none was kept"
    );
    let nul = json!({"text": "name: book\u{0}\n"});
    let (status, _) = put(&admin, "models/book.yaml", None, &nul).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let long = json!({"text": format!("# {}\n", "x".repeat(600_000))});
    let (status, problem) = put(&admin, "models/book.yaml", None, &long).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(text(&problem, "/detail").contains("bytes"), "{problem}");
    for path in ["toolcrib.toml", "models/../x.yaml", "models/A.yaml", "x"] {
        let (status, _) = put(&admin, path, None, &json!({"text": ""})).await;
        assert!(
            [StatusCode::UNPROCESSABLE_ENTITY, StatusCode::NOT_FOUND].contains(&status),
            "{path}: {status}"
        );
    }
    assert!(app.restart().await.is_ok());
}

#[tokio::test]
async fn a_file_of_the_folder_is_changed_there_alone() {
    let (app, admin) = library().await;
    let (_, document) = admin.get(&at("models/order.yaml")).await.unwrap();
    assert_eq!(text(&document, "/origin"), "file");
    assert_eq!(text(&document, "/definition/name"), "order");
    let body = json!({"definition": document["definition"]});
    let (status, problem) = put(&admin, "models/order.yaml", None, &body).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(text(&problem, "/code"), "file_owned");
    let (status, _) = delete(&admin, "models/order.yaml", 1, "").await;
    assert_eq!(status, StatusCode::CONFLICT);
    // A file of the same path takes the place of what was made in the web app.
    let yaml = "name: book\ntitle: Volume\nversioned: true\nfields:\n  title: { type: string, required: true, length: 80 }\n  kind: { type: selection, options: [novel, poems] }\n  price: { type: decimal, precision: 8, scale: 2 }\n  supplier: { type: many_to_one, model: customer }\n";
    std::fs::write(app.dir().join("models/book.yaml"), yaml).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let (_, document) = admin.get(&at("models/book.yaml")).await.unwrap();
    assert_eq!(text(&document, "/origin"), "file");
    assert_eq!(text(&document, "/definition/title"), "Volume");
}

#[tokio::test]
async fn who_may_change_the_workspace() {
    let (app, admin) = library().await;
    for client in [app.manager().await.unwrap(), app.sales().await.unwrap()] {
        let body = json!({"definition": {"name": "x", "fields": {"a": {"type": "string"}}}});
        let (status, _) = put(&client, "models/x.yaml", None, &body).await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        let (status, _) = delete(&client, "models/book.yaml", 1, "?allowDataLoss=true").await;
        assert_eq!(status, StatusCode::FORBIDDEN);
        for path in [
            "/api/models",
            &at("models/book.yaml"),
            &at("models/no.yaml"),
        ] {
            assert_eq!(client.get(path).await.unwrap().0, StatusCode::FORBIDDEN);
        }
    }
    let user = UserRow {
        org: app.runtime.org(),
        id: UserId::mint(),
        email: "bob@shop.test".to_owned(),
        name: "Bob".to_owned(),
        roles: vec!["builder".to_owned()],
        attributes: serde_json::Map::new(),
        disabled: false,
    };
    let mut unit = app.runtime.store().unit().await.unwrap();
    people::insert_user(&mut unit, &user, 0).await.unwrap();
    unit.commit().await.unwrap();
    let builder = app.client("bob@shop.test").await.unwrap();
    let agent = json!({"text": "---\ntools: [current_user]\n---\nYou are kind.\n"});
    saved(&builder, "agents/kind.md", None, &agent).await;
    let (status, view) = admin.get("/api/agents/kind").await.unwrap();
    assert_eq!(status, StatusCode::OK, "{view}");
    // What is sensitive, and what is in tables of others, says who may do what as well.
    let mut secret = book();
    secret["fields"]["price"]["sensitive"] = json!(true);
    saved(
        &builder,
        "models/book.yaml",
        Some(1),
        &json!({"definition": secret}),
    )
    .await;
    let (status, _) = put(
        &builder,
        "models/book.yaml",
        Some(2),
        &json!({"definition": book()}),
    )
    .await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    saved(
        &admin,
        "models/book.yaml",
        Some(2),
        &json!({"definition": book()}),
    )
    .await;
    // Who may do what with data is for administrators to say.
    for path in ["permissions/own.yaml", "restrictions.yaml"] {
        let (status, problem) = put(&builder, path, None, &json!({"definition": grants()})).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{path}: {problem}");
    }
    let nobody = TestClient::new(app.url(), "");
    let (status, _) = put(&nobody, "models/x.yaml", None, &json!({"text": "name: x"})).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn of_changes_at_the_same_moment_each_sees_the_one_before() {
    let (app, admin) = library().await;
    let bodies: Vec<Value> = (0..8)
        .map(|n| {
            let mut wanted = book();
            wanted["fields"][format!("extra_{n}")] = json!({"type": "integer"});
            json!({"definition": wanted})
        })
        .collect();
    let tries = bodies
        .iter()
        .map(|body| put(&admin, "models/book.yaml", Some(1), body));
    let answers = futures_util::future::join_all(tries).await;
    let made = answers
        .iter()
        .filter(|(status, _)| *status == StatusCode::OK);
    assert_eq!(made.count(), 1, "{answers:?}");
    let (_, models) = admin.get("/api/models").await.unwrap();
    let book = models["models"].as_array().unwrap().iter();
    let book = book.filter(|model| text(model, "/name") == "book");
    let found: Vec<&Value> = book.collect();
    assert_eq!(found[0]["fields"], json!(7));
    // Neither of two models can be there without the other: they come one after the other.
    let of = |name: &str, other: &str| json!({"definition": {"name": name, "fields": {"a": {"type": "many_to_one", "model": other}}}});
    let (left, right) = (of("left", "right"), of("right", "left"));
    let (one, two) = tokio::join!(
        put(&admin, "models/left.yaml", None, &left),
        put(&admin, "models/right.yaml", None, &right)
    );
    for (status, body) in [one, two] {
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    }
    assert!(app.restart().await.is_ok());
}

#[tokio::test]
async fn the_folder_is_taken_anew_whole_or_not_at_all() {
    let (app, admin) = library().await;
    let sales = app.sales().await.unwrap();
    let fields = async |model: &str| {
        let (_, models) = admin.get("/api/models").await.unwrap();
        let models = models["models"].as_array().unwrap().clone();
        let found = models.into_iter().find(|one| text(one, "/name") == model);
        found.map(|model| model["fields"].as_u64().unwrap())
    };
    let write = |path: &str, text: &str| std::fs::write(app.dir().join(path), text).unwrap();
    let model = "name: shelf\nfields:\n  place: { type: string }\n";
    write("models/shelf.yaml", model);
    assert_eq!(fields("shelf").await, None, "nothing happens by itself");
    let steps = app.runtime.reload().await.unwrap();
    assert_eq!(steps.len(), 1);
    assert_eq!(fields("shelf").await, Some(2));
    assert!(
        fields("book").await.is_some(),
        "what was made in the web app stays"
    );
    write(
        "permissions/shelves.yaml",
        "role: sales\ngrants:\n  - { models: shelf, operations: \"*\" }\n",
    );
    write(
        "agents/keeper.md",
        "---\ntools: [read_record]\n---\nYou keep shelves.\n",
    );
    app.runtime.reload().await.unwrap();
    let made = json!({"model": "shelf", "values": {"place": "left"}});
    done(&sales, "create_record", made).await;
    assert_eq!(
        sales.get("/api/agents/keeper").await.unwrap().0,
        StatusCode::OK
    );
    // One mistake anywhere, and all of it stays as it was.
    write(
        "models/shelf.yaml",
        &format!("{model}  width: {{ type: integer }}\n"),
    );
    write("agents/keeper.md", "---\ntools: [fly]\n---\n");
    let error = app.runtime.reload().await.unwrap_err().to_string();
    assert!(error.contains("agents/keeper.md:2"), "{error}");
    assert_eq!(fields("shelf").await, Some(2));
    // Records are lost by no change of a file alone.
    write(
        "agents/keeper.md",
        "---\ntools: [read_record]\n---\nYou keep shelves.\n",
    );
    write(
        "models/shelf.yaml",
        "name: shelf\nfields:\n  room: { type: string }\n",
    );
    let error = app.runtime.reload().await.unwrap_err().to_string();
    assert!(error.contains("`place`"), "{error}");
    let read = json!({"model": "shelf", "id": 1, "fields": ["place"]});
    assert_eq!(
        text(&done(&sales, "read_record", read).await, "/records/0/place"),
        "left"
    );
}

#[tokio::test]
async fn rights_that_are_taken_away_meanwhile_refuse_a_decided_call() {
    let (app, admin) = library().await;
    let rights = json!({"definition": grants()});
    saved(&admin, "permissions/books.yaml", None, &rights).await;
    let sales = app.sales().await.unwrap();
    let made = json!({"model": "book", "values": {"title": "Emma"}});
    done(&sales, "create_record", made).await;
    let ask = json!({"requiresApproval": true});
    admin.switch("update_record", &ask).await.unwrap();
    let set = json!({"model": "book", "id": 1, "values": {"title": "Persuasion"}});
    let waiting = sales.call("update_record", &set).await.unwrap();
    assert_eq!(text(&waiting, "/status"), "waiting", "{waiting}");
    let read_only = json!({"definition": {"role": "sales", "grants": [{"models": ["book"], "operations": ["read"]}]}});
    saved(&admin, "permissions/books.yaml", Some(1), &read_only).await;
    let (status, body) = sales
        .decide(&waiting["approval"], "approve", None)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(text(&body, "/call/status"), "refused", "{body}");
    let read = json!({"model": "book", "id": 1});
    assert_eq!(
        text(&done(&sales, "read_record", read).await, "/records/0/title"),
        "Emma"
    );
}
