use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sqlx::Connection as _;
use tempfile::TempDir;
use toolcrib::id::{OrgId, UserId};
use toolcrib_data::records::{
    self, Access, Catalog, Database, Databases, Grants, Narrowing, Params, RecordError, Subject,
    WorkspaceFile, sample,
};
use toolcrib_data::{
    Clock, Connections, ManualClock, Snapshot, Store, StoreOptions, Unit, testing,
};

use crate::databases::{CONNECTION, On, Own, server};

pub(crate) const SLUG: &str = "acme";
pub(crate) const ANNA: &str = "anna@shop.example";
pub(crate) const BEN: &str = "ben@shop.example";
pub(crate) const NOW: &str = "2026-03-15T10:00:00Z";

/// A store with the sample's models, and whoever uses it.
pub(crate) struct World {
    pub(crate) store: Store,
    /// The database that the models are in, if it is another one.
    pub(crate) other: Option<Own>,
    /// The URL of the platform's own database, if it is a PostgreSQL.
    main_postgres: Option<String>,
    /// Whether the records are on that connection.
    pub(crate) is_elsewhere: bool,
    pub(crate) connections: Connections,
    databases: Databases,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) clock: Clock,
    dir: TempDir,
}

pub(crate) fn files(files: &[(&str, &str)]) -> Vec<WorkspaceFile> {
    files
        .iter()
        .map(|(path, text)| WorkspaceFile {
            path: (*path).into(),
            text: (*text).into(),
        })
        .collect()
}

pub(crate) fn input<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

impl World {
    pub(crate) async fn with(list: &[(&str, &str)]) -> Self {
        Self::on(On::Main, list).await
    }

    /// A world whose records are on that database.
    pub(crate) async fn on(on: On, list: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let clock = ManualClock::at(NOW.parse::<Timestamp>().unwrap()).clock();
        let options = StoreOptions {
            clock: clock.clone(),
            ..StoreOptions::new(dir.path().join("main.db"))
        };
        let mut databases = Databases::new();
        let mut main_postgres = None;
        let store = if on == On::MainPostgres {
            let url = testing::make_database(&server("TOOLCRIB_TEST_POSTGRES"))
                .await
                .unwrap();
            main_postgres = Some(testing::reveal(&url).to_owned());
            let main = Database {
                dialect: on.dialect(),
                read_only: false,
            };
            databases.insert("main".to_owned(), main);
            Store::open_postgres(&url, 8, clock.clone()).await.unwrap()
        } else {
            Store::open(options).await.unwrap()
        };
        let mut list = files(list);
        let (mut other, mut connections) = (None, Connections::default());
        if !matches!(on, On::Main | On::MainPostgres) {
            let own = Own::make(on, dir.path()).await;
            list = own.mapped(&list);
            databases = own.databases();
            connections = Connections::new([own.config()]).unwrap();
            other = Some(own);
        }
        let catalog = Catalog::load_with(&list, &databases).unwrap();
        let grants = Grants::load(&list, &catalog).unwrap();
        if let Some(own) = &other {
            own.create_tables(&catalog).await;
        }
        let mut unit = store.unit().await.unwrap();
        records::migrate(&mut unit, SLUG, &catalog, false)
            .await
            .unwrap();
        unit.commit().await.unwrap();
        Self {
            store,
            is_elsewhere: other.is_some(),
            main_postgres,
            other,
            connections,
            databases,
            catalog: Arc::new(catalog),
            grants: Arc::new(grants),
            clock,
            dir,
        }
    }

    /// Other models of the same tables.
    pub(crate) fn catalog_of(&self, list: &[(&str, &str)]) -> Catalog {
        match &self.other {
            Some(own) => Catalog::load_with(&own.mapped(&files(list)), &own.databases()),
            None => Catalog::load_with(&files(list), &self.databases),
        }
        .unwrap()
    }

    /// A unit where the records are.
    pub(crate) async fn unit(&self) -> Unit {
        match &self.other {
            Some(_) => self
                .connections
                .unit(CONNECTION, &self.clock)
                .await
                .unwrap(),
            None => self.store.unit().await.unwrap(),
        }
    }

    /// A view of where the records are.
    pub(crate) async fn snapshot(&self) -> Snapshot {
        if self.is_elsewhere {
            return self.connections.snapshot(CONNECTION).await.unwrap();
        }
        self.store.snapshot().await.unwrap()
    }

    /// The sample's models with a handful of records: Ada and Aldo are Anna's customers,
    /// Bob is Ben's; orders 1 and 2 are Ada's, 3 is Bob's.
    pub(crate) async fn small() -> Self {
        Self::small_on(On::Main).await
    }

    /// The same on that database.
    pub(crate) async fn small_on(on: On) -> Self {
        let world = Self::on(on, sample::FILES).await;
        let manager = world.manager();
        let customer = |name: &str, sales: &str, country: &str| json!({ "name": name, "email": format!("{}@x.example", name.to_lowercase()), "country": country, "sales_person": sales, "city": name });
        world
            .create(
                &manager,
                json!({ "model": "customer", "records": [
            customer("Ada", ANNA, "de"), customer("Bob", BEN, "fr"), customer("Aldo", ANNA, "it"),
        ] }),
            )
            .await;
        world.create(&manager, json!({ "model": "product", "records": [
            { "sku": "P-1", "name": "Hammer", "category": "tools", "price": "10.00", "cost": "6.00", "stock": 5 },
            { "sku": "P-2", "name": "Gloves", "category": "safety", "price": "4.50", "cost": "1.25" },
        ] })).await;
        let order = |number: &str,
                     customer: u8,
                     status: &str,
                     on: &str,
                     total: &str,
                     margin: &str| {
            json!({ "number": number, "customer": customer, "status": status, "ordered_on": on, "total": total, "margin": margin })
        };
        world
            .create(
                &manager,
                json!({ "model": "order", "records": [
            order("SO-1", 1, "draft", "2026-03-14", "100.00", "77.77"),
            order("SO-2", 1, "shipped", "2026-02-10", "50.50", "5.00"),
            order("SO-3", 2, "confirmed", "2026-03-01", "75.00", "33.00"),
        ] }),
            )
            .await;
        world.create(&manager, json!({ "model": "order_line", "records": [
            { "order": 1, "product": 1, "quantity": 10, "unit_price": "10.00", "line_total": "100.00", "margin": "40.00" },
            { "order": 3, "product": 2, "quantity": 2, "unit_price": "4.50", "line_total": "9.00", "margin": "6.50" },
        ] })).await;
        world
    }

    pub(crate) fn access(&self, email: &str, roles: &[&str]) -> Access {
        Access {
            org: OrgId::mint(),
            org_slug: SLUG.into(),
            subject: Subject {
                id: UserId::mint(),
                email: email.into(),
                name: email.into(),
                roles: roles.iter().map(ToString::to_string).collect(),
                attributes: Map::new(),
            },
            catalog: Arc::clone(&self.catalog),
            grants: Arc::clone(&self.grants),
            narrowing: Narrowing::default(),
            denied_operations: BTreeSet::new(),
            closed: BTreeSet::new(),
            clock: self.clock.clone(),
        }
    }

    pub(crate) fn manager(&self) -> Access {
        self.access("mia@shop.example", &["manager"])
    }

    pub(crate) fn anna(&self) -> Access {
        self.access(ANNA, &["sales"])
    }

    pub(crate) async fn try_create(
        &self,
        access: &Access,
        value: Value,
    ) -> Result<Value, RecordError> {
        let mut unit = self.unit().await;
        let answer = records::create(&mut unit, access, &input(value)).await?;
        unit.commit().await?;
        Ok(answer)
    }

    /// The folder of the world's files.
    pub(crate) fn dir(&self) -> &std::path::Path {
        self.dir.path()
    }

    /// Waits until a session of ours waits for somebody else's lock.
    pub(crate) async fn until_somebody_waits(&self) {
        let own = self.other.as_ref();
        let url = own.map(|own| &own.url).or(self.main_postgres.as_ref());
        let url = url.unwrap();
        loop {
            let waiting: i64 = match own.map(|own| own.on) {
                Some(On::Mysql) => {
                    let mut conn = sqlx::MySqlConnection::connect(url).await.unwrap();
                    let sql = "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'";
                    sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap()
                }
                _ => {
                    let mut conn = sqlx::PgConnection::connect(url).await.unwrap();
                    let sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
                    sqlx::query_scalar(sql).fetch_one(&mut conn).await.unwrap()
                }
            };
            if waiting > 0 {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Creates in a unit of the caller's own.
    pub(crate) async fn create_in(
        &self,
        unit: &mut Unit,
        access: &Access,
        value: Value,
    ) -> Result<Value, RecordError> {
        records::create(unit, access, &input(value)).await
    }

    /// An update whose unit may not be had.
    pub(crate) async fn try_update(
        &self,
        access: &Access,
        value: Value,
    ) -> Result<Value, RecordError> {
        let mut unit = self.connections.unit(CONNECTION, &self.clock).await?;
        let answer = records::update(&mut unit, access, &input(value)).await?;
        unit.commit().await?;
        Ok(answer)
    }

    pub(crate) async fn create(&self, access: &Access, value: Value) -> Value {
        self.try_create(access, value).await.unwrap()
    }

    pub(crate) async fn update(&self, access: &Access, value: Value) -> Result<Value, RecordError> {
        let mut unit = self.unit().await;
        let answer = records::update(&mut unit, access, &input(value)).await?;
        unit.commit().await?;
        Ok(answer)
    }

    pub(crate) async fn delete(&self, access: &Access, value: Value) -> Result<Value, RecordError> {
        let mut unit = self.unit().await;
        let answer = records::delete(&mut unit, access, &input(value)).await?;
        unit.commit().await?;
        Ok(answer)
    }

    pub(crate) async fn read(&self, access: &Access, value: Value) -> Result<Value, RecordError> {
        records::read(&mut self.snapshot().await, access, &input(value)).await
    }

    pub(crate) async fn search(&self, access: &Access, value: Value) -> Result<Value, RecordError> {
        records::search(&mut self.snapshot().await, access, &input(value)).await
    }

    pub(crate) async fn query(&self, access: &Access, value: Value) -> Result<Value, RecordError> {
        let mut snapshot = self.snapshot().await;
        records::query(&mut snapshot, access, &input(value), &Params::default()).await
    }

    /// The rows of a query, each as the list of its values.
    pub(crate) async fn rows(&self, access: &Access, value: Value) -> Vec<Vec<Value>> {
        let answer = self.query(access, value).await.unwrap();
        let rows = answer["rows"].as_array().unwrap().iter();
        rows.map(|row| row.as_object().unwrap().values().cloned().collect())
            .collect()
    }

    /// What the language model is told of a query that fails.
    pub(crate) async fn query_error(&self, access: &Access, value: Value) -> String {
        self.query(access, value).await.unwrap_err().to_string()
    }

    /// The ids that a search finds, in their order.
    pub(crate) async fn ids(&self, access: &Access, value: Value) -> Vec<i64> {
        ids(&self.search(access, value).await.unwrap())
    }

    /// What the language model is told of a search that fails.
    pub(crate) async fn search_error(&self, access: &Access, value: Value) -> String {
        self.search(access, value).await.unwrap_err().to_string()
    }
}

pub(crate) fn ids(answer: &Value) -> Vec<i64> {
    answer["records"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| record["id"].as_i64().unwrap())
        .collect()
}
