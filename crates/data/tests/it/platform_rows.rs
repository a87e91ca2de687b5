//! The platform's own rows: what they keep apart, and what they read back.

use std::collections::BTreeMap;

use sqlx::{Connection as _, Row as _, SqliteConnection};
use toolcrib::id::{CallId, ConversationId, OrgId, RunId, UserId};
use toolcrib::state::{CallState, WaitingFor};
use toolcrib_data::platform::calls::{self, CallRows, Place};
use toolcrib_data::platform::runs::{self, Lease, RunRow, RunState};
use toolcrib_data::platform::tools::{self, ToolRow};
use toolcrib_data::{Store, StoreError, StoreOptions};

use crate::databases::On;
use crate::group_commit::rows;
use crate::support::World;

async fn insert(store: &Store, rows: &[CallRows]) -> Result<(), StoreError> {
    let mut unit = store.unit().await?;
    calls::insert(&mut unit, rows).await?;
    unit.commit().await
}

async fn all_waiting_reasons_are_read_back(on: On) {
    let world = World::on(on, &[]).await;
    let org = OrgId::mint();
    let reasons = [
        WaitingFor::Approval,
        WaitingFor::Answer,
        WaitingFor::Client,
        WaitingFor::Run,
        WaitingFor::Connect,
    ];
    for reason in reasons {
        let state = CallState::Waiting(reason);
        let mut new = rows(org, CallId::mint(), 1);
        new.call.state = state;
        new.events[0].state = state;
        insert(&world.store, &[new.clone()]).await.unwrap();
        let mut snapshot = world.store.snapshot().await.unwrap();
        let id = new.call.id;
        let row = calls::get(&mut snapshot, org, id).await.unwrap().unwrap();
        assert_eq!(row.state, state);
        let events = calls::events(&mut snapshot, org, id).await.unwrap();
        assert_eq!(events, new.events);
    }
}

async fn a_place_in_a_step_is_taken_once(on: On) {
    let world = World::on(on, &[]).await;
    let (org, run) = (OrgId::mint(), RunId::mint());
    let at = |org, run, step, position| {
        let mut new = rows(org, CallId::mint(), 1);
        new.call.place = Some(Place {
            run,
            step,
            position,
        });
        new
    };
    let first = at(org, run, 1, 1);
    insert(&world.store, &[first]).await.unwrap();
    let same = at(org, run, 1, 1);
    let refused = insert(&world.store, std::slice::from_ref(&same)).await;
    assert!(refused.is_err());
    let mut snapshot = world.store.snapshot().await.unwrap();
    let stored = calls::get(&mut snapshot, org, same.call.id).await.unwrap();
    assert!(stored.is_none());
    drop(snapshot);
    for other in [
        at(org, run, 1, 2),
        at(org, run, 2, 1),
        at(org, RunId::mint(), 1, 1),
        at(OrgId::mint(), run, 1, 1),
    ] {
        insert(&world.store, &[other]).await.unwrap();
    }
}

async fn a_key_is_found_in_its_own_organisation_alone(on: On) {
    let world = World::on(on, &[]).await;
    let (here, there, asker) = (OrgId::mint(), OrgId::mint(), UserId::mint());
    let mut ids = Vec::new();
    for org in [here, there] {
        let mut new = rows(org, CallId::mint(), 1);
        new.call.asker = asker;
        new.call.idempotency_key = Some("key".to_owned());
        ids.push(new.call.id);
        insert(&world.store, &[new]).await.unwrap();
    }
    let mut snapshot = world.store.snapshot().await.unwrap();
    for (org, id) in [here, there].into_iter().zip(ids) {
        let found = calls::by_key(&mut snapshot, org, asker, "nothing", "key").await;
        assert_eq!(found.unwrap().unwrap().id, id);
    }
    for (org, asker, tool) in [
        (OrgId::mint(), asker, "nothing"),
        (here, UserId::mint(), "nothing"),
        (here, asker, "something"),
    ] {
        let found = calls::by_key(&mut snapshot, org, asker, tool, "key").await;
        assert!(found.unwrap().is_none());
    }
}

async fn a_tools_name_is_of_one_organisation(on: On) {
    let world = World::on(on, &[]).await;
    let tool = ToolRow {
        name: "tool".to_owned(),
        kind: "system".to_owned(),
        version: 0,
        digest: String::new(),
        title: "A tool".to_owned(),
        description: String::new(),
        input_schema: serde_json::json!({}),
        config: serde_json::json!({}),
        enabled: true,
        requires_approval: false,
        composer: false,
        audience: None,
        roles: Vec::new(),
        source: None,
        settings: tools::ToolSettings::default(),
    };
    let save = async |org| {
        let mut unit = world.store.unit().await.unwrap();
        let saved = tools::save(&mut unit, org, &tool, None, 0).await.unwrap();
        unit.commit().await.unwrap();
        saved.map(|saved| saved.version)
    };
    let (here, there) = (OrgId::mint(), OrgId::mint());
    assert_eq!(save(here).await, Some(1));
    assert_eq!(save(here).await, None, "the name is taken");
    assert_eq!(save(there).await, Some(1));
}

/// A run that somebody works on until 100.
async fn active_run(store: &Store) -> Lease {
    let (org, run) = (OrgId::mint(), RunId::mint());
    let row = RunRow {
        org,
        id: run,
        conversation: ConversationId::mint(),
        seq: 1,
        agent: "shop".to_owned(),
        asker: UserId::mint(),
        credential: None,
        message_id: "answer".to_owned(),
        state: RunState::Active,
        epoch: 0,
        stop_requested: false,
        finish: None,
        created_at: 0,
    };
    let mut unit = store.unit().await.unwrap();
    assert!(runs::insert(&mut unit, &row).await.unwrap());
    let claimed = runs::claim(&mut unit, org, run, "first", 100, 1).await;
    let epoch = claimed.unwrap().unwrap().epoch;
    unit.commit().await.unwrap();
    Lease {
        org,
        run,
        epoch,
        owner: "first".to_owned(),
    }
}

/// What `second` comes to when it begins while a unit is at work that `first` ends.
async fn behind<T: std::fmt::Debug>(
    world: &World,
    on: On,
    second: impl Future<Output = T>,
    first: impl Future<Output = ()>,
) -> T {
    let mut second = Box::pin(second);
    if on == On::MainPostgres {
        tokio::select! {
            early = &mut second => panic!("nothing held it up: {early:?}"),
            () = world.until_somebody_waits() => {}
        }
    }
    let (second, ()) = tokio::join!(second, first);
    second
}

async fn a_run_that_is_woken_while_it_is_put_to_wait_goes_on(on: On) {
    let world = World::on(on, &[]).await;
    let lease = active_run(&world.store).await;
    let mut waiting = world.store.unit().await.unwrap();
    let held = runs::lock(&mut waiting, lease.org, lease.run).await;
    assert_eq!(held.unwrap().unwrap().state, RunState::Active);
    let waking = async {
        let mut unit = world.store.unit().await.unwrap();
        let woken = runs::wake(&mut unit, lease.org, lease.run, 3)
            .await
            .unwrap();
        unit.commit().await.unwrap();
        woken
    };
    let putting = async {
        let released = runs::release(&mut waiting, &lease, RunState::Waiting, None, 2).await;
        assert!(released.unwrap());
        waiting.commit().await.unwrap();
    };
    assert!(behind(&world, on, waking, putting).await);
    let mut snapshot = world.store.snapshot().await.unwrap();
    let run = runs::get(&mut snapshot, lease.org, lease.run).await;
    assert_eq!(run.unwrap().unwrap().state, RunState::Active);
}

async fn a_run_is_not_taken_over_in_the_middle_of_a_write(on: On) {
    let world = World::on(on, &[]).await;
    let lease = active_run(&world.store).await;
    let mut writing = world.store.unit().await.unwrap();
    assert!(runs::holds(&mut writing, &lease).await.unwrap());
    let taking = async {
        let mut unit = world.store.unit().await.unwrap();
        // The lease has lapsed.
        let taken = runs::claim(&mut unit, lease.org, lease.run, "second", 300, 200).await;
        unit.commit().await.unwrap();
        taken.unwrap().map(|row| row.epoch)
    };
    let ending = async { writing.commit().await.unwrap() };
    assert_eq!(
        behind(&world, on, taking, ending).await,
        Some(lease.epoch + 1)
    );
}

/// A test on each database that the platform's own rows can be in.
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            use crate::databases::On;

            #[tokio::test]
            async fn on_main() {
                super::$name(On::Main).await;
            }

            #[tokio::test]
            async fn on_main_postgres() {
                super::$name(On::MainPostgres).await;
            }
        })+
    };
}

on_both!(
    all_waiting_reasons_are_read_back,
    a_place_in_a_step_is_taken_once,
    a_key_is_found_in_its_own_organisation_alone,
    a_tools_name_is_of_one_organisation,
    a_run_that_is_woken_while_it_is_put_to_wait_goes_on,
    a_run_is_not_taken_over_in_the_middle_of_a_write,
);

/// What is not of an organisation: organisations themselves, the migrations, and what a secret is
/// looked up by, which is what says whose request it is.
const OF_NO_ORG: [&str; 4] = [
    "tc_orgs",
    "tc_migrations",
    "tc_sign_in_links_hash",
    "tc_credentials_hash",
];

#[tokio::test]
async fn every_key_of_the_platform_begins_with_the_organisation() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("main.db");
    Store::open(StoreOptions::new(&path))
        .await
        .unwrap()
        .close()
        .await;
    let url = format!("sqlite:{}", path.display());
    let mut conn = SqliteConnection::connect(&url).await.unwrap();
    let unique = "SELECT m.name AS tbl, i.name AS idx, c.seqno AS place, c.name AS col \
        FROM sqlite_master m, pragma_index_list(m.name) i, pragma_index_info(i.name) c \
        WHERE m.type = 'table' AND m.name LIKE 'tc!_%' ESCAPE '!' AND i.\"unique\" = 1";
    let rows = sqlx::query(unique).fetch_all(&mut conn).await.unwrap();
    let mut first: BTreeMap<(String, String), String> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.get::<i64, _>("place") == 0) {
        first.insert((row.get("tbl"), row.get("idx")), row.get("col"));
    }
    for ((table, index), column) in &first {
        let is_apart = OF_NO_ORG.contains(&table.as_str()) || OF_NO_ORG.contains(&index.as_str());
        let is_of_org = column == "org_id" || (table == "tc_models" && column == "org_slug");
        assert!(
            is_of_org != is_apart,
            "{table}.{index} begins with {column}"
        );
    }
    let tables =
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'tc!_%' ESCAPE '!'";
    let tables = sqlx::query(tables).fetch_all(&mut conn).await.unwrap();
    assert!(tables.len() > 15, "{} tables", tables.len());
    for table in tables {
        let table: String = table.get("name");
        let has_key = first.keys().any(|(of, _)| *of == table);
        assert!(has_key || table == "tc_migrations", "{table} has no key");
    }
}

/// The tables and their columns, as the migrations of a database make them.
fn columns(database: &str) -> BTreeMap<String, Vec<String>> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("migrations")
        .join(database);
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut keys = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        for table in text.split("CREATE TABLE ").skip(1) {
            let (name, body) = table.split_once(" (").unwrap();
            let body = body.split_once("\n)").unwrap().0;
            let lines = body
                .lines()
                .map(str::trim)
                .filter(|line| !line.starts_with("--"));
            for line in lines.filter(|line| !line.is_empty()) {
                if line.starts_with("PRIMARY KEY") || line.starts_with("UNIQUE") {
                    keys.push(format!("{name} {}", line.trim_end_matches(',')));
                    continue;
                }
                let column = line.split(' ').next().unwrap();
                tables
                    .entry(name.to_owned())
                    .or_default()
                    .push(column.to_owned());
            }
        }
    }
    keys.sort();
    tables.insert("keys".to_owned(), keys);
    tables
}

#[test]
fn both_databases_have_the_same_tables_columns_and_keys() {
    let sqlite = columns("sqlite");
    assert!(sqlite.len() > 15, "{sqlite:?}");
    assert_eq!(sqlite, columns("postgres"));
}
