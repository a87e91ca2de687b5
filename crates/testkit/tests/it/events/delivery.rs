use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use jiff::SignedDuration;
use reqwest::StatusCode;
use serde_json::json;
use toolcrib_data::ManualClock;
use toolcrib_data::platform::subscribers::PreMode;
use toolcrib_runtime::{Answer, Callback, Received, ToolEvent};
use toolcrib_testkit::{TestApp, TestAppOptions, Webhook, WebhookAnswer};

use super::{create, deliveries, give, kinds, prepared, shop, shop_at, subscribe, until};
use crate::support::text;

/// Both events, and nothing that was not asked for.
const BOTH: (&str, bool) = ("async", true);

#[tokio::test]
async fn a_call_tells_before_and_after_it_in_order() {
    let (app, admin, hook) = shop().await;
    let both = json!({"pre": BOTH.0, "post": BOTH.1});
    subscribe(&admin, "Ledger", &hook, both).await;
    give(&admin, "create_record", "data", "data").await;
    let manager = app.manager().await.unwrap();
    let made = create(&manager, "Told Ltd").await;
    let received = hook.until(2).await;
    assert_eq!(kinds(&received), ["tool.call.pre", "tool.call.post"]);
    let (pre, post) = (&received[0].json["data"], &received[1].json["data"]);
    for data in [pre, post] {
        assert_eq!(data["callId"], made["id"]);
        assert_eq!(data["tool"], "create_record");
    }
    assert_eq!(pre["input"]["values"]["name"], "Told Ltd");
    assert!(pre.get("result").is_none() && pre.get("status").is_none());
    assert_eq!(post["status"], "succeeded");
    assert_eq!(post["result"], made["output"]);
    assert!(post.get("input").is_none());
    let told = until(&admin, "", |all| {
        all.iter().all(|one| one["status"] == "delivered")
    })
    .await;
    assert_eq!(told.len(), 2);
    assert_eq!(told[0]["attempts"], 1);
}

#[tokio::test]
async fn an_event_says_no_more_than_its_switch() {
    let (app, admin, hook) = shop().await;
    subscribe(
        &admin,
        "Ledger",
        &hook,
        json!({"pre": "async", "post": true}),
    )
    .await;
    give(&admin, "create_record", "name", "name").await;
    let manager = app.manager().await.unwrap();
    create(&manager, "Quiet Ltd").await;
    let received = hook.until(2).await;
    for one in &received {
        let data = one.json["data"].as_object().unwrap();
        assert!(
            !one.body.windows(5).any(|part| part == b"Quiet"),
            "{data:?}"
        );
        assert!(data.contains_key("tool") && data.contains_key("callId"));
    }
    give(&admin, "create_record", "off", "data").await;
    create(&manager, "Loud Ltd").await;
    let received = hook.until(3).await;
    assert_eq!(kinds(&received)[2..], ["tool.call.post"]);
}

#[tokio::test]
async fn sensitive_values_are_not_sent() {
    let app = TestApp::start().await.unwrap();
    let model = "name: payee\nfields:\n  name: { type: string }\n  iban: { type: string, sensitive: true }\n";
    let grants = "role: manager\ngrants:\n  - models: payee\n    operations: \"*\"\n    read_fields: [name, iban]\n    write_fields: [name, iban]\n";
    std::fs::write(app.dir().join("models/payee.yaml"), model).unwrap();
    std::fs::write(app.dir().join("permissions/payees.yaml"), grants).unwrap();
    let (app, admin, hook) = prepared(app.restart().await.unwrap()).await;
    let manager = app.manager().await.unwrap();
    subscribe(
        &admin,
        "Ledger",
        &hook,
        json!({"pre": "async", "post": true}),
    )
    .await;
    give(&admin, "create_record", "data", "data").await;
    let values = json!({"name": "Ann", "iban": "DE89370400440532013000"});
    let arguments = json!({"model": "payee", "values": values});
    let made = manager.call("create_record", &arguments).await.unwrap();
    assert_eq!(made["status"], "succeeded", "{made}");
    let received = hook.until(2).await;
    for one in &received {
        let body = String::from_utf8_lossy(&one.body);
        assert!(!body.contains("DE893704"), "{body}");
    }
    assert!(String::from_utf8_lossy(&received[0].body).contains("Ann"));
}

#[tokio::test]
async fn what_did_not_run_tells_nothing_and_what_failed_tells_so() {
    let (app, admin, hook) = shop().await;
    subscribe(
        &admin,
        "Ledger",
        &hook,
        json!({"pre": "async", "post": true}),
    )
    .await;
    let manager = app.manager().await.unwrap();
    let made = create(&manager, "Nobody's customer").await;
    let id = &made["output"]["records"][0]["id"];
    for tool in ["create_record", "delete_record", "search_records"] {
        give(&admin, tool, "name", "data").await;
    }
    let sam = app.sales().await.unwrap();
    // Not offered; unreadable; waiting; tried.
    let off = json!({"enabled": false});
    admin.switch("search_records", &off).await.unwrap();
    let arguments = json!({"model": "order"});
    let refused = sam.call("search_records", &arguments).await.unwrap();
    assert_eq!(refused["status"], "refused", "{refused}");
    let on = json!({"enabled": true});
    admin.switch("search_records", &on).await.unwrap();
    let unread = sam
        .call("create_record", &json!({"model": 5}))
        .await
        .unwrap();
    assert_ne!(unread["status"], "succeeded");
    let waiting = manager
        .call("delete_record", &json!({"model": "customer", "id": id}))
        .await
        .unwrap();
    assert_eq!(waiting["status"], "waiting", "{waiting}");
    let tried = manager
        .attempt(
            "create_record",
            &json!({"model": "customer", "values": {"name": "Try", "email": "try@told.test", "country": "de"}}),
        )
        .await
        .unwrap();
    assert_eq!(tried["status"], "succeeded", "{tried}");
    let failed = manager
        .call("search_records", &json!({"model": "nothing_of_that"}))
        .await
        .unwrap();
    assert_eq!(failed["status"], "failed", "{failed}");
    let received = hook.until(2).await;
    let of: Vec<_> = received
        .iter()
        .map(|one| (text(&one.json, "/type"), text(&one.json, "/data/status")))
        .collect();
    assert_eq!(of, [("tool.call.pre", ""), ("tool.call.post", "failed")]);
    assert!(text(&received[1].json, "/data/error").contains("nothing_of_that"));
    assert_eq!(deliveries(&admin, "").await.len(), 2);
}

#[tokio::test]
async fn a_function_of_a_data_model_gives_events_by_its_own_row_too() {
    let app = TestApp::start().await.unwrap();
    let tools = app.dir().join("tools");
    std::fs::create_dir_all(&tools).unwrap();
    std::fs::write(tools.join("customer.yaml"), "model: customer\n").unwrap();
    let (_app, admin, hook) = prepared(app.restart().await.unwrap()).await;
    subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    let ask = json!({"requiresApproval": false});
    admin.switch("customer_create", &ask).await.unwrap();
    give(&admin, "customer_create", "off", "name").await;
    let made = create(&admin, "By the other door").await;
    let received = hook.until(1).await;
    assert_eq!(received[0].json["data"]["callId"], made["id"]);
    assert_eq!(received[0].json["data"]["tool"], "create_record");
}

#[tokio::test]
async fn a_webhook_that_fails_for_hours_gets_all_in_order_afterwards() {
    let (app, admin, hook, clock) = shop_at().await;
    subscribe(
        &admin,
        "Ledger",
        &hook,
        json!({"pre": "async", "post": true}),
    )
    .await;
    give(&admin, "create_record", "name", "name").await;
    hook.answers(WebhookAnswer::Say(500, "out of order"));
    let manager = app.manager().await.unwrap();
    let calls = 3;
    for n in 0..calls {
        create(&manager, &format!("Nr. {n}")).await;
    }
    let tried = |times: i64| {
        move |all: &[serde_json::Value]| {
            let pre = all.iter().filter(|one| one["event"] == "pre");
            pre.clone().count() == 3 && pre.clone().all(|one| one["attempts"] == times)
        }
    };
    until(&admin, "?status=waiting", tried(1)).await;
    for attempt in 2..=6 {
        clock.advance(SignedDuration::from_hours(1));
        until(&admin, "?status=waiting", tried(attempt)).await;
    }
    let waiting = deliveries(&admin, "?status=waiting").await;
    assert_eq!(waiting.len(), 6);
    let post = waiting.iter().find(|one| one["event"] == "post").unwrap();
    assert_eq!(post["attempts"], 0, "it waits for what is before it");
    assert!(text(&waiting[waiting.len() - 1], "/error").contains("500"));
    hook.answers(WebhookAnswer::Say(200, "{}"));
    clock.advance(SignedDuration::from_hours(12));
    until(&admin, "?status=delivered", |all| all.len() == 6).await;
    let received = hook.received();
    for call in received.iter().map(|one| text(&one.json, "/data/callId")) {
        let of: Vec<_> = received
            .iter()
            .filter(|one| text(&one.json, "/data/callId") == call)
            .map(|one| text(&one.json, "/type"))
            .collect();
        assert_eq!(
            of.iter().filter(|kind| **kind == "tool.call.post").count(),
            1
        );
        assert_eq!(of.last(), Some(&"tool.call.post"));
    }
}

#[tokio::test]
async fn what_never_arrives_is_kept_as_dead_and_can_be_tried_again() {
    let (app, admin, hook, clock) = shop_at().await;
    let (ledger, _) = subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    give(&admin, "create_record", "off", "name").await;
    hook.answers(WebhookAnswer::Say(503, ""));
    let manager = app.manager().await.unwrap();
    create(&manager, "Lost Ltd").await;
    create(&manager, "Found Ltd").await;
    for attempt in 1..10 {
        until(&admin, "?status=waiting", |all| {
            all.len() == 2 && all.iter().all(|one| one["attempts"] == attempt)
        })
        .await;
        clock.advance(SignedDuration::from_hours(13));
    }
    let dead = until(&admin, "?status=dead", |all| all.len() == 2).await;
    assert_eq!(dead[0]["attempts"], 10);
    assert_eq!(dead[0]["nextAt"], json!(null));
    let (_, listed) = admin.get("/api/events/subscribers").await.unwrap();
    assert_eq!(listed["items"][0]["dead"], 2);
    assert!(text(&listed, "/items/0/lastError").contains("503"));
    // Months later they are still there; one is forgotten, the other sent.
    clock.advance(SignedDuration::from_hours(24 * 90));
    let admin = app.client("admin@shop.test").await.unwrap();
    app.runtime.look_once().await.unwrap();
    let path = format!("/api/events/deliveries/{}", text(&dead[0], "/id"));
    let (status, _) = admin
        .answer(reqwest::Method::DELETE, &path, None)
        .await
        .unwrap();
    assert_eq!(status, StatusCode::NO_CONTENT);
    hook.answers(WebhookAnswer::Say(200, ""));
    let before = hook.received().len();
    let retry = json!({"subscriberId": ledger["id"]});
    let (status, retried) = admin
        .post("/api/events/deliveries/retry", &retry)
        .await
        .unwrap();
    assert_eq!((status, &retried["retried"]), (StatusCode::OK, &json!(1)));
    until(&admin, "?status=delivered", |all| all.len() == 1).await;
    assert_eq!(hook.received().len(), before + 1);
    assert!(deliveries(&admin, "?status=dead").await.is_empty());
    let path = format!("/api/events/deliveries/{}/retry", text(&dead[1], "/id"));
    let (status, _) = admin.post(&path, &json!({})).await.unwrap();
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_webhook_that_hangs_holds_up_nobody() {
    let (app, admin, hanging) = shop().await;
    let healthy = Webhook::start().await.unwrap();
    hanging.answers(WebhookAnswer::Hang);
    subscribe(
        &admin,
        "A hanging one",
        &hanging,
        json!({"pre": "async", "post": true}),
    )
    .await;
    subscribe(
        &admin,
        "B healthy one",
        &healthy,
        json!({"pre": "async", "post": true}),
    )
    .await;
    give(&admin, "create_record", "name", "name").await;
    let manager = app.manager().await.unwrap();
    for n in 0..20 {
        let made = create(&manager, &format!("Nr. {n}")).await;
        assert_eq!(made["status"], "succeeded", "{made}");
    }
    let received = healthy.until(40).await;
    assert_eq!(received.len(), 40);
    // Shutdown does not wait for an answer that never comes.
    app.restart().await.unwrap();
}

#[tokio::test]
async fn events_outlive_a_restart() {
    let (app, admin, hook) = shop().await;
    let url = hook.url().to_owned();
    let gone = Webhook::start().await.unwrap();
    let (made, _) = subscribe(
        &admin,
        "Ledger",
        &gone,
        json!({"pre": "async", "post": true}),
    )
    .await;
    give(&admin, "create_record", "name", "name").await;
    drop(gone);
    let manager = app.manager().await.unwrap();
    create(&manager, "Kept Ltd").await;
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let path = format!("/api/events/subscribers/{}", text(&made, "/id"));
    let (status, changed) = admin.patch(&path, 1, &json!({"url": url})).await.unwrap();
    assert_eq!(status, StatusCode::OK, "{changed}");
    let received = hook.until(2).await;
    assert_eq!(kinds(&received), ["tool.call.pre", "tool.call.post"]);
}

/// A callback that panics at first.
#[derive(Debug, Default)]
struct Clumsy {
    times: AtomicUsize,
    heard: Mutex<Vec<ToolEvent>>,
}

impl Callback for Clumsy {
    fn name(&self) -> &'static str {
        "clumsy"
    }

    fn pre(&self) -> PreMode {
        PreMode::Async
    }

    fn post(&self) -> bool {
        true
    }

    fn receive<'a>(&'a self, event: &'a ToolEvent) -> Received<'a> {
        Box::pin(async move {
            let before = self.times.fetch_add(1, Ordering::SeqCst);
            assert!(before > 0, "the first one is too much");
            self.heard.lock().unwrap().push(event.clone());
            Ok(Answer::Allow)
        })
    }
}

#[tokio::test]
async fn a_callback_that_panics_is_told_again() {
    let clumsy = Arc::new(Clumsy::default());
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        callbacks: vec![clumsy.clone()],
        clock: clock.clock(),
        ..TestAppOptions::default()
    };
    let (app, admin, _) = prepared(TestApp::start_with(options).await.unwrap()).await;
    give(&admin, "create_record", "data", "data").await;
    let manager = app.manager().await.unwrap();
    create(&manager, "Twice Ltd").await;
    let failed = |all: &[serde_json::Value]| all.iter().any(|one| one["attempts"] == 1);
    let waiting = until(&admin, "?status=waiting", failed).await;
    let error = text(&waiting[waiting.len() - 1], "/error").to_owned();
    assert_eq!(error, "the callback panicked");
    clock.advance(SignedDuration::from_secs(6));
    until(&admin, "?status=delivered", |all| all.len() == 2).await;
    let heard = clumsy.heard.lock().unwrap();
    let kinds: Vec<_> = heard.iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["tool.call.pre", "tool.call.post"]);
    let input = heard[0].data.input.as_ref().unwrap();
    assert_eq!(input["values"]["name"], "Twice Ltd");
}

#[tokio::test]
async fn what_was_erased_is_not_sent_any_more() {
    let (_app, admin, hook, clock) = shop_at().await;
    hook.answers(WebhookAnswer::Say(500, ""));
    subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    give(&admin, "create_record", "off", "data").await;
    let call = create(&admin, "Forget me").await;
    hook.until(1).await;
    until(&admin, "", |all| all.len() == 1 && all[0]["attempts"] == 1).await;
    let path = format!("/api/audit/calls/{}/payload", text(&call, "/id"));
    let reason = json!({"reason": "asked for it"});
    let (status, body) = admin
        .answer(reqwest::Method::DELETE, &path, Some(&reason))
        .await
        .unwrap();
    assert!(status.is_success(), "{status} {body}");
    hook.answers(WebhookAnswer::Say(200, ""));
    clock.advance(SignedDuration::from_secs(6));
    let received = hook.until(2).await;
    assert!(!String::from_utf8_lossy(&received[1].body).contains("Forget me"));
}

#[tokio::test]
async fn a_clock_that_is_set_back_holds_no_event_up() {
    let (_app, admin, hook, clock) = shop_at().await;
    hook.answers(WebhookAnswer::Say(500, ""));
    subscribe(&admin, "Ledger", &hook, json!({"post": true})).await;
    give(&admin, "create_record", "off", "name").await;
    create(&admin, "Yesterday Ltd").await;
    until(&admin, "", |all| all.len() == 1 && all[0]["attempts"] == 1).await;
    hook.answers(WebhookAnswer::Say(200, ""));
    clock.advance(SignedDuration::from_hours(-24));
    until(&admin, "?status=delivered", |all| all.len() == 1).await;
}

#[tokio::test]
async fn two_callbacks_of_one_name_are_refused_at_the_start() {
    let twice: Vec<Arc<dyn Callback>> =
        vec![Arc::new(Clumsy::default()), Arc::new(Clumsy::default())];
    let options = TestAppOptions {
        callbacks: twice,
        ..TestAppOptions::default()
    };
    let error = TestApp::start_with(options).await.unwrap_err();
    assert!(
        error.to_string().contains("two callbacks named clumsy"),
        "{error}"
    );
}
