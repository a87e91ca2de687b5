//! Hooks around the calls of runs: in the rows of tools, as files say them, and over a restart.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use toolcrib_counter::{Hook, HookFuture, HookTools, Hooked};
use toolcrib_data::ManualClock;
use toolcrib_testkit::{Reply, Rule, TestApp, TestAppOptions, postgres};

use crate::support::{assert_paired, conversation, last_messages, text};

/// Signs notes before they are saved, and says of each result that it was seen; the first time it takes long.
#[derive(Debug, Default)]
struct Signs {
    after: AtomicUsize,
    waits: bool,
}

impl Hook for Signs {
    fn name(&self) -> &str {
        "signs"
    }

    fn before<'a>(
        &'a self,
        of: Hooked<'a>,
        mut arguments: Map<String, Value>,
    ) -> HookFuture<'a, Map<String, Value>> {
        Box::pin(async move {
            let note = arguments
                .get_mut("values")
                .and_then(|values| values.get_mut("note"));
            let note = note.ok_or("there is no note to sign")?;
            *note = json!(format!(
                "{} ({})",
                note.as_str().unwrap_or_default(),
                of.principal.name
            ));
            Ok(Some(arguments))
        })
    }

    fn after<'a>(
        &'a self,
        _: Hooked<'a>,
        mut output: Value,
        _: HookTools<'a>,
    ) -> HookFuture<'a, Value> {
        let times = self.after.fetch_add(1, Ordering::SeqCst);
        Box::pin(async move {
            if self.waits && times == 0 {
                std::future::pending::<()>().await;
            }
            output["seen"] = json!(true);
            Ok(Some(output))
        })
    }
}

async fn signing(waits: bool, options: TestAppOptions) -> (TestApp, Arc<Signs>) {
    let hook = Arc::new(Signs {
        waits,
        ..Signs::default()
    });
    let mut options = TestAppOptions {
        hooks: vec![hook.clone()],
        ..options
    };
    options.counter.hook_timeout = Duration::from_secs(20);
    let app = TestApp::start_with(options).await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let hooks = json!({"before": {"name": "signs"}, "after": {"name": "signs"}});
    let change = json!({"requiresApproval": false, "settings": {"hooks": hooks}});
    admin.switch("update_record", &change).await.unwrap();
    (app, hook)
}

fn note() -> Value {
    json!({"model": "order", "id": 1, "values": {"note": "rush"}})
}

#[tokio::test]
async fn a_hook_signs_what_a_person_has_changed_and_the_call_says_so() {
    let (app, _) = signing(false, TestAppOptions::default()).await;
    let client = app.manager().await.unwrap();
    let call = client.call("update_record", &note()).await.unwrap();
    assert_eq!(call["output"]["seen"], json!(true), "{call}");
    assert_eq!(text(&call, "/arguments/values/note"), "rush (Mona Manager)");
    let outcomes = [
        text(&call, "/hooks/0/outcome"),
        text(&call, "/hooks/1/outcome"),
    ];
    assert_eq!(outcomes, ["changed", "changed"]);
    let read = json!({"model": "order", "id": 1});
    let read = client.call("read_record", &read).await.unwrap();
    assert_eq!(text(&read, "/output/records/0/note"), "rush (Mona Manager)");
    assert_eq!(read["hooks"], json!([]));
    // What it can't sign goes on as it was.
    let bare = json!({"model": "order", "id": 1, "values": {"shipped_on": "2026-05-02"}});
    let call = client.call("update_record", &bare).await.unwrap();
    assert_eq!(text(&call, "/hooks/0/outcome"), "failed", "{call}");
    assert_eq!(text(&call, "/hooks/0/error"), "there is no note to sign");
}

#[tokio::test]
async fn a_run_whose_server_is_gone_while_a_hook_is_asked_goes_on_from_the_hook() {
    let clock = ManualClock::at("2026-05-04T10:00:00Z".parse().unwrap());
    let options = TestAppOptions {
        clock: clock.clock(),
        database: Some(postgres().await.unwrap()),
        ..TestAppOptions::default()
    };
    let (first, hook) = signing(true, options).await;
    let second = first.beside().await.unwrap();
    first.model.script(vec![
        Rule::on_user("note", Reply::call("update_record", note())),
        Rule::after("update_record", Reply::text("Noted.")),
    ]);
    let (one, other) = (
        first.manager().await.unwrap(),
        second.manager().await.unwrap(),
    );
    let talk = conversation();
    let asking = one.chat("shop", &talk, "note it");
    let working = async {
        while hook.after.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        // The first one hangs, and its lease lapses.
        clock.advance(SignedDuration::from_mins(1));
        second.runtime.look_once().await.unwrap();
        loop {
            let path = format!("/api/conversations/{talk}");
            let (_, body) = other.get(&path).await.unwrap();
            if text(&body, "/state") != "running" {
                break body;
            }
            tokio::task::yield_now().await;
        }
    };
    let mut working = Box::pin(working);
    let settled = tokio::select! {
        // Either of them may have been faster to begin it; whose telling it was is over then.
        _broken_off = asking => working.await,
        settled = &mut working => settled,
    };
    assert!(settled.to_string().contains("Noted."), "{settled}");
    let messages = last_messages(&first.model.requests());
    assert_paired(&messages);
    let results: Vec<&Value> = messages
        .iter()
        .filter(|message| text(message, "/role") == "tool")
        .collect();
    assert_eq!(results.len(), 1);
    assert!(text(results[0], "/content").contains("seen"));
    let read = json!({"model": "order", "id": 1});
    let read = other.call("read_record", &read).await.unwrap();
    assert_eq!(read.pointer("/output/records/0/version"), Some(&json!(2)));
    assert_eq!(hook.after.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn two_hooks_of_one_name_are_refused_at_the_start() {
    let options = TestAppOptions {
        hooks: vec![Arc::new(Signs::default()), Arc::new(Signs::default())],
        ..TestAppOptions::default()
    };
    let error = TestApp::start_with(options).await.unwrap_err();
    assert!(
        error.to_string().contains("two hooks named signs"),
        "{error}"
    );
}

#[tokio::test]
async fn a_file_that_names_a_hook_which_is_not_there_is_told_with_its_place() {
    let (app, _) = signing(false, TestAppOptions::default()).await;
    let hooked = |hook: &str| format!("tool: read_record\nhooks:\n  after: {{ name: {hook} }}\n");
    let folder = app.dir().join("tools");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("read.yaml");
    std::fs::write(&file, hooked("sings")).unwrap();
    let error = app.runtime.reload().await.unwrap_err().to_string();
    let told = "tools/read.yaml:1:1: there is no hook `sings`; there are: signs";
    assert!(error.contains(told), "{error}");
    std::fs::write(&file, hooked("signs")).unwrap();
    app.runtime.reload().await.unwrap();
    let client = app.manager().await.unwrap();
    let read = json!({"model": "order", "id": 1});
    let read = client.call("read_record", &read).await.unwrap();
    assert_eq!(read["output"]["seen"], json!(true), "{read}");
}
