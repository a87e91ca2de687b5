//! A day of work is cut off: at each boundary of each commit, also of the start, and at random moments. No call is
//! lost then, no write done twice, no event left out, and the chain of the audit is whole.

use std::path::Path;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use toolcrib::id::ConversationId;
use toolcrib_testkit::{Reply, Rule, ScriptedModel, TestClient, Webhook};

use super::{assert_one_result_a_call, update, version};
use crate::server::{Server, command, run};

/// How many tests share the boundaries.
const SHARES: u64 = 4;
const NEW: &str = "Written Once Ltd";

/// A shop with a second database beside it, events, and tools that ask nobody.
struct Shop {
    template: tempfile::TempDir,
    model: ScriptedModel,
    hook: Webhook,
}

impl Shop {
    async fn open() -> Self {
        let template = tempfile::tempdir().unwrap();
        let dir = template.path();
        for dir in [dir.to_owned(), dir.join("beside")] {
            let (code, _, errors) = run(&dir, &["init", dir.to_str().unwrap()]).await;
            assert_eq!(code, 0, "{errors}");
            let (code, _, errors) = run(&dir, &["call", "list_models"]).await;
            assert_eq!(code, 0, "{errors}");
        }
        connect(dir);
        let (code, _, errors) = run(dir, &["models", "sync", "beside"]).await;
        assert_eq!(code, 0, "{errors}");
        let model = ScriptedModel::start().await.unwrap();
        model.script(vec![
            Rule::on_user("note", Reply::call("update_record", update(1))),
            Rule::after("update_record", Reply::text("Noted.")),
        ]);
        let hook = Webhook::start().await.unwrap();
        let server = Server::start(dir, &model).await;
        let admin = server.client(dir, "admin@shop.test").await;
        let events = json!({"settings": {"events": {"pre": "name", "post": "data"}}});
        admin.switch("update_record", &events).await.unwrap();
        let both = json!({"requiresApproval": false, "settings": events["settings"]});
        admin.switch("create_record", &both).await.unwrap();
        let webhook = json!({"name": "Ledger", "url": hook.url(), "pre": "async", "post": true});
        let (status, made) = admin
            .post("/api/events/subscribers", &webhook)
            .await
            .unwrap();
        assert_eq!(status, 201, "{made}");
        assert!(server.terminate().await);
        Self {
            template,
            model,
            hook,
        }
    }

    /// A day's work on a copy of the shop that is cut off. Answers with whether it was.
    async fn day(&self, cut: Cut) -> bool {
        let copy = tempfile::tempdir().unwrap();
        let dir = copy.path();
        copy_all(self.template.path(), dir);
        connect(dir);
        let before = self.hook.received().len();
        let work = Work::new();
        let mut serve = command(dir, &["serve", "--listen", "127.0.0.1:0"]);
        serve
            .env("TOOLCRIB_MODEL_BASE_URL", self.model.base_url())
            .env("TOOLCRIB_MODEL_NAME", "scripted");
        let mut patience = Duration::MAX;
        match cut {
            Cut::At(boundary) => drop(serve.env("TOOLCRIB_TEST_ABORT_AT", boundary.to_string())),
            Cut::After(time) => patience = time,
        }
        let mut was_cut = true;
        if let Some(server) = Server::try_spawn(serve).await {
            let begun = tokio::time::timeout(patience, work.begin(&server, dir)).await;
            was_cut = !matches!(begun, Ok(Ok(())));
            server.kill().await;
        }
        let server = Server::start(dir, &self.model).await;
        work.finish(&server, dir).await;
        self.check(&server, dir, &work, before).await;
        assert!(server.terminate().await);
        let (code, output, errors) = run(dir, &["audit", "verify"]).await;
        assert_eq!(code, 0, "{cut:?}: {output}{errors}");
        was_cut
    }

    async fn check(&self, server: &Server, dir: &Path, work: &Work, before: usize) {
        let admin = server.client(dir, "admin@shop.test").await;
        assert_eq!(version(&admin, 1).await, 2, "the order is written once");
        for model in ["customer", "beside.d_main_customer"] {
            let found = written(&admin, &json!(model)).await.unwrap();
            assert_eq!(found, 1, "{model} is written once");
        }
        let (_, calls) = admin.get("/api/audit/calls?limit=200").await.unwrap();
        let mut told = Vec::new();
        for call in calls["items"].as_array().unwrap() {
            let id = call["id"].as_str().unwrap();
            let (_, story) = admin.get(&format!("/api/audit/calls/{id}")).await.unwrap();
            let events = story["events"].as_array().unwrap();
            let is_end = |event: &&Value| event["state"] == call["status"];
            assert_eq!(events.iter().filter(is_end).count(), 1, "{story}");
            let tool = call["tool"].as_str().unwrap();
            if ["create_record", "update_record"].contains(&tool) && call["startedAt"].is_string() {
                told.push(id.to_owned());
            }
        }
        for id in &told {
            // At least once, and in order; that it comes is waited for.
            let kinds = loop {
                let received = self.hook.received();
                let of_call = received
                    .iter()
                    .skip(before)
                    .filter(|one| one.json["data"]["callId"] == json!(id));
                let kinds: Vec<String> = of_call.map(|one| one.json["type"].to_string()).collect();
                if kinds.iter().any(|kind| kind.contains("post")) {
                    break kinds;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            };
            assert!(kinds[0].contains("pre"), "{kinds:?}");
        }
        let (_, settled) = admin.get("/api/events/deliveries?limit=200").await.unwrap();
        let calls = settled["items"].as_array().unwrap().iter();
        let mut calls: Vec<_> = calls.map(|one| one["callId"].as_str().unwrap()).collect();
        calls.sort_unstable();
        let mut twice: Vec<_> = told.iter().chain(&told).map(String::as_str).collect();
        twice.sort_unstable();
        assert_eq!(calls, twice, "both events for each call that ran");
        let mona = server.client(dir, "mona@shop.test").await;
        let conversation = mona.settled(&work.conversation).await.unwrap();
        assert!(
            conversation.to_string().contains("Noted."),
            "{conversation}"
        );
        let messages = conversation["messages"].as_array().unwrap().iter();
        let asked = messages.filter(|message| message["role"] == "user");
        assert_eq!(asked.count(), 1, "{conversation}");
        for request in self.model.requests() {
            assert_one_result_a_call(&request);
        }
    }
}

/// When a day is cut off.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// At that boundary of a commit.
    At(u64),
    /// After that time.
    After(Duration),
}

/// What clients want done, each thing once.
struct Work {
    conversation: String,
}

impl Work {
    fn new() -> Self {
        Self {
            conversation: ConversationId::mint().to_string(),
        }
    }

    /// Does it as far as the server lives.
    async fn begin(&self, server: &Server, dir: &Path) -> anyhow::Result<()> {
        let mona = server.try_client(dir, "mona@shop.test").await?;
        let admin = server.try_client(dir, "admin@shop.test").await?;
        self.write(&mona, &admin).await
    }

    /// What was cut off is asked for again, as clients do: with the same ids.
    async fn finish(&self, server: &Server, dir: &Path) {
        let mona = server.client(dir, "mona@shop.test").await;
        let admin = server.client(dir, "admin@shop.test").await;
        self.write(&mona, &admin).await.unwrap();
        mona.settled(&self.conversation).await.unwrap();
    }

    async fn write(&self, mona: &TestClient, admin: &TestClient) -> anyhow::Result<()> {
        let values = json!({"name": NEW, "email": "once@shop.test", "country": "de"});
        let own = json!({"model": "customer", "values": values});
        create(admin, &own, "own").await?;
        self.chat(mona).await?;
        for approval in mona.pending().await? {
            let (status, body) = mona.decide(&approval, "approve", None).await?;
            anyhow::ensure!(status == 200 || status == 409, "{body}");
        }
        mona.settled(&self.conversation).await?;
        let beside = json!({"model": "beside.d_main_customer", "values": values});
        create(admin, &beside, "beside").await
    }

    async fn chat(&self, mona: &TestClient) -> anyhow::Result<()> {
        let path = format!("/api/conversations/{}", self.conversation);
        let (status, known) = mona.get(&path).await?;
        let asked = known["messages"]
            .as_array()
            .is_some_and(|all| !all.is_empty());
        if status == 200 && asked {
            mona.settled(&self.conversation).await?;
            return Ok(());
        }
        let message = ("m-1", "note it");
        mona.chat_as("shop", &self.conversation, message).await?;
        Ok(())
    }
}

/// Asks for a write until it is known to be done; with a key, so that it is done once.
async fn create(admin: &TestClient, arguments: &Value, key: &str) -> anyhow::Result<()> {
    let (status, body) = admin.call_with_key("create_record", arguments, key).await?;
    anyhow::ensure!(status == 200, "{body}");
    match body["call"]["status"].as_str() {
        Some("succeeded") => return Ok(()),
        // It was cut off before anything was written, and is known to have failed.
        Some("failed") => {}
        // It was cut off, and nobody knows when: whoever asked looks.
        Some("unknown") if written(admin, &arguments["model"]).await? > 0 => return Ok(()),
        Some("unknown") => {}
        _ => anyhow::bail!("{body}"),
    }
    let again = format!("{key}, once more");
    let (_, body) = admin
        .call_with_key("create_record", arguments, &again)
        .await?;
    anyhow::ensure!(body["call"]["status"] == "succeeded", "{body}");
    Ok(())
}

/// How many of the new records there are.
async fn written(admin: &TestClient, model: &Value) -> anyhow::Result<usize> {
    let criteria = json!({"field": "name", "operator": "=", "value": NEW});
    let search = json!({"model": model, "criteria": criteria});
    let found = admin.call("search_records", &search).await?;
    let records = found["output"]["records"].as_array();
    Ok(records.map_or(0, Vec::len))
}

/// Connects the second database, where the folder is now.
fn connect(dir: &Path) {
    let database = dir.join("beside/data/toolcrib.db");
    let toml = format!(
        "[connections.beside]\nurl = \"sqlite:{}\"\nread_only = false\nmarker = true\n",
        database.display()
    );
    std::fs::write(dir.join("toolcrib.toml"), toml).unwrap();
}

fn copy_all(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy_all(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Sweeps over a share of the boundaries, until a day ends without one.
async fn sweep(share: u64) {
    let shop = Shop::open().await;
    let mut boundary = share + 1;
    while shop.day(Cut::At(boundary)).await {
        boundary += SHARES;
    }
    assert!(boundary > 40, "a day has more boundaries than {boundary}");
}

/// Cuts days off at random moments.
async fn at_random(seed: u64, days: usize) {
    let shop = Shop::open().await;
    let mut random = StdRng::seed_from_u64(seed);
    for _ in 0..days {
        let after = Duration::from_micros(random.random_range(0..250_000));
        shop.day(Cut::After(after)).await;
    }
}

#[tokio::test]
async fn the_first_share_of_commits() {
    sweep(0).await;
}

#[tokio::test]
async fn the_second_share_of_commits() {
    sweep(1).await;
}

#[tokio::test]
async fn the_third_share_of_commits() {
    sweep(2).await;
}

#[tokio::test]
async fn the_fourth_share_of_commits() {
    sweep(3).await;
}

#[tokio::test]
async fn random_moments_of_one_day() {
    at_random(1, 32).await;
}

#[tokio::test]
async fn random_moments_of_another_day() {
    at_random(2, 32).await;
}

#[tokio::test]
async fn random_moments_of_a_third_day() {
    at_random(3, 32).await;
}

#[tokio::test]
async fn random_moments_of_a_fourth_day() {
    at_random(4, 32).await;
}

#[tokio::test]
#[ignore = "takes an hour; run by hand"]
async fn thousands_of_random_moments() {
    at_random(5, 5000).await;
}
