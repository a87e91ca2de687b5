//! The way to a database is cut while it commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::TaskTracker;
use toolcrib_data::{ConnectionConfig, ConnectionUrl, Connections, testing};
use toolcrib_testkit::{TestApp, TestAppOptions, TestClient, postgres};

use crate::support::text;

/// What happens to the next commit.
const PASSES: u8 = 0;
/// It does not reach the database.
const IS_LOST: u8 = 1;
/// It does, and its answer does not come back.
const IS_UNANSWERED: u8 = 2;

/// The way to a PostgreSQL server, which can be cut.
#[derive(Clone)]
struct Way {
    fate: Arc<AtomicU8>,
    port: u16,
}

impl Way {
    async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let way = Self {
            fate: Arc::default(),
            port: listener.local_addr().unwrap().port(),
        };
        let (tasks, fate) = (TaskTracker::new(), Arc::clone(&way.fate));
        tasks.clone().spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(&server).await.unwrap();
                tasks.spawn(lead(near, far, Arc::clone(&fate)));
            }
        });
        way
    }
}

/// Carries what a session says and what it is told, until its commit meets its fate.
async fn lead(mut near: TcpStream, mut far: TcpStream, fate: Arc<AtomicU8>) {
    let (mut said, mut told) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    let mut is_unanswered = false;
    loop {
        tokio::select! {
            read = near.read(&mut said) => {
                let said = said.get(..read.unwrap_or(0)).unwrap_or_default();
                let is_commit = said.windows(6).any(|part| part == b"COMMIT");
                let fate = match is_commit {
                    true => fate.swap(PASSES, Ordering::SeqCst),
                    false => PASSES,
                };
                if said.is_empty() || fate == IS_LOST || far.write_all(said).await.is_err() {
                    return;
                }
                is_unanswered = fate == IS_UNANSWERED;
            }
            read = far.read(&mut told) => {
                // The server has answered: it is done there.
                let told = told.get(..read.unwrap_or(0)).unwrap_or_default();
                if told.is_empty() || is_unanswered || near.write_all(told).await.is_err() {
                    return;
                }
            }
        }
    }
}

const CONNECTION: &str = "crm";

/// The sample shop with leads in another database, to which a way leads that can be cut.
async fn shop(marker: bool) -> (TestApp, TestClient, Way) {
    let url = postgres().await.unwrap();
    let (server, database) = testing::reveal(&url).rsplit_once('/').unwrap();
    let (_, address) = server.rsplit_once('@').unwrap();
    let way = Way::to(address.to_owned()).await;
    let through = format!("postgres://postgres@127.0.0.1:{}/{database}", way.port);
    let config = ConnectionConfig {
        marker,
        ..ConnectionConfig::new(CONNECTION, ConnectionUrl::parse(through).unwrap())
    };
    let options = TestAppOptions {
        connections: Connections::new([config]).unwrap(),
        ..TestAppOptions::default()
    };
    for sql in [
        "CREATE TABLE leads (id BIGSERIAL PRIMARY KEY, name TEXT)",
        "INSERT INTO leads (name) VALUES ('Ada')",
    ] {
        testing::run_on(&options.connections, CONNECTION, sql)
            .await
            .unwrap();
    }
    let app = TestApp::start_with(options).await.unwrap();
    let model = "name: lead\nconnection: crm\ntable: leads\nid: { column: id, type: integer }\nfields:\n  name: { type: string }\n";
    std::fs::write(app.dir().join("models/lead.yaml"), model).unwrap();
    let grants = "role: admin\ngrants:\n  - { models: lead, operations: '*' }\n";
    std::fs::write(app.dir().join("permissions/leads.yaml"), grants).unwrap();
    let app = app.restart().await.unwrap();
    let admin = app.client("admin@shop.test").await.unwrap();
    let ask = json!({"requiresApproval": false});
    admin.switch("update_record", &ask).await.unwrap();
    (app, admin, way)
}

async fn name(client: &TestClient) -> String {
    let read = json!({"model": "lead", "id": 1});
    let call = client.call("read_record", &read).await.unwrap();
    text(&call, "/output/records/0/name").to_owned()
}

async fn update(client: &TestClient, name: &str) -> Value {
    let update = json!({"model": "lead", "id": 1, "values": {"name": name}});
    client.call("update_record", &update).await.unwrap()
}

#[tokio::test]
async fn a_commit_without_an_answer_is_settled_by_its_mark() {
    let (_app, admin, way) = shop(true).await;
    let call = update(&admin, "Bea").await;
    assert_eq!(text(&call, "/status"), "succeeded", "{call}");
    for (fate, wanted, status, is) in [
        (IS_UNANSWERED, "Cleo", "succeeded", "Cleo"),
        (IS_LOST, "Lost", "failed", "Cleo"),
        (PASSES, "Dora", "succeeded", "Dora"),
    ] {
        way.fate.store(fate, Ordering::SeqCst);
        let call = update(&admin, wanted).await;
        assert_eq!(text(&call, "/status"), status, "{call}");
        assert_eq!(way.fate.load(Ordering::SeqCst), PASSES, "a commit was met");
        assert_eq!(name(&admin).await, is);
        if status == "failed" {
            let error = text(&call, "/error");
            assert!(error.contains("Nothing was changed"), "{error}");
        }
    }
}

#[tokio::test]
async fn without_marks_a_commit_without_an_answer_may_have_happened() {
    let (_app, admin, way) = shop(false).await;
    for fate in [IS_UNANSWERED, IS_LOST] {
        way.fate.store(fate, Ordering::SeqCst);
        let call = update(&admin, "Cleo").await;
        assert_eq!(text(&call, "/status"), "unknown", "{call}");
        let error = text(&call, "/error");
        assert!(error.contains("may have happened"), "{error}");
    }
}
