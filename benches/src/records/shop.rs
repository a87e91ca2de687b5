use std::collections::BTreeSet;
use std::sync::Arc;

use sqlx::SqliteConnection;
use tempfile::TempDir;
use toolcrib::id::{OrgId, UserId};
use toolcrib_data::records::{self, Access, Catalog, Grants, Narrowing, Subject, WorkspaceFile};
use toolcrib_data::{Clock, Store, StoreOptions};

use crate::{folder, plain};

const ORDERS: i64 = 1_000_000;
const FILES: &[(&str, &str)] = &[
    (
        "models/region.yaml",
        "name: region\nfields:\n  name: { type: string }\n",
    ),
    (
        "models/customer.yaml",
        "name: customer\ndisplay: name\nfields:\n  name: { type: string }\n  region: { type: many_to_one, model: region }\n",
    ),
    (
        "models/order.yaml",
        "name: order\ndisplay: number\nfields:\n  number: { type: string }\n  customer: { type: many_to_one, model: customer }\n  ordered_on: { type: date }\n  total: { type: decimal, precision: 12, scale: 2 }\n  sales_person: { type: string, index: true }\n  paid: { type: boolean }\n",
    ),
    (
        "permissions/manager.yaml",
        "role: manager\ngrants:\n  - { models: '*', operations: read }\n",
    ),
    (
        "permissions/sales.yaml",
        "role: sales\ngrants:\n  - { models: order, operations: read, where: { field: sales_person, operator: '=', value: '${user.email}' } }\n  - { models: [customer, region], operations: read }\n",
    ),
];
const FILL: &[&str] = &[
    "INSERT INTO d_main_region (id, name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) \
     SELECT i, 'Region ' || i FROM n",
    "INSERT INTO d_main_customer (id, name, region) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) \
     SELECT i, 'Customer ' || i, 1 + i % 20 FROM n",
    "INSERT INTO d_main_order (id, number, customer, ordered_on, total, sales_person, paid) \
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) \
     SELECT i, 'SO-' || i, 1 + (i * 7919) % 10000, date('2020-01-01', (i % 2000) || ' days'), \
            (i * 104729) % 1000000, 'sales-' || (i % 2000) || '@shop.test', i % 3 = 0 FROM n",
    "ANALYZE",
];

/// A shop with a million orders, and the same file through the driver alone.
pub(crate) struct Shop {
    pub(crate) store: Store,
    pub(crate) plain: SqliteConnection,
    catalog: Arc<Catalog>,
    grants: Arc<Grants>,
    _dir: TempDir,
}

/// An order's id, another one each time.
pub(crate) fn scattered(round: usize, n: i64) -> i64 {
    let round = i64::try_from(round).unwrap_or_default();
    1 + (round * 7_919 + n * 104_729) % ORDERS
}

impl Shop {
    pub(crate) async fn make() -> anyhow::Result<Self> {
        let dir = folder::new()?;
        let path = dir.path().join("shop.db");
        let store = Store::open(StoreOptions::new(&path)).await?;
        let files = FILES.iter().map(|(path, text)| WorkspaceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        });
        let files: Vec<WorkspaceFile> = files.collect();
        let bad = |problems: Vec<records::FileProblem>| anyhow::anyhow!("{problems:?}");
        let catalog = Catalog::load(&files).map_err(bad)?;
        let grants = Grants::load(&files, &catalog).map_err(bad)?;
        let mut unit = store.unit().await?;
        records::migrate(&mut unit, "main", &catalog, false).await?;
        unit.commit().await?;
        let mut plain = plain::open(&path).await?;
        for sql in FILL {
            sqlx::query(*sql).execute(&mut plain).await?;
        }
        Ok(Self {
            store,
            plain,
            catalog: Arc::new(catalog),
            grants: Arc::new(grants),
            _dir: dir,
        })
    }

    /// Whoever has that role; a sales person sees 500 orders.
    pub(crate) fn access(&self, role: &str) -> Access {
        Access {
            org: OrgId::mint(),
            org_slug: "main".to_owned(),
            subject: Subject {
                id: UserId::mint(),
                email: "sales-7@shop.test".to_owned(),
                name: "Somebody".to_owned(),
                roles: vec![role.to_owned()],
                attributes: serde_json::Map::new(),
            },
            catalog: Arc::clone(&self.catalog),
            grants: Arc::clone(&self.grants),
            narrowing: Narrowing::default(),
            denied_operations: BTreeSet::new(),
            closed: BTreeSet::new(),
            clock: Clock::system(),
        }
    }
}
