use jiff::civil::Date;
use sea_query::{Alias, Query};
use toolcrib::id::UserId;

use super::shop::{CUSTOMER, INVOICE, LINE, ORDER, PRODUCT, Shop};
use crate::records::catalog::Catalog;
use crate::records::model::{Field, Model};
use crate::records::names::{own_table, table};
use crate::records::run_sql::{Statement, execute};
use crate::records::sql::Dialect;
use crate::records::values::cell::Cell;
use crate::{StoreError, Unit};

/// Values of one statement; databases stop at some number of their own.
const VALUES: usize = 5_000;

/// How many records the sample holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Customers.
    pub customers: usize,
    /// Products.
    pub products: usize,
    /// Orders.
    pub orders: usize,
    /// Order lines.
    pub order_lines: usize,
    /// Invoices.
    pub invoices: usize,
}

/// Fills the sample's tables, which must be empty. The same seed, day and people give the same
/// records; the customers are shared out among the sales people by their e-mail.
///
/// # Errors
/// When storage fails, or the catalog is not the sample's.
pub async fn fill(
    unit: &mut Unit,
    org_slug: &str,
    catalog: &Catalog,
    seed: u64,
    today: Date,
    sales_people: &[(UserId, String)],
) -> Result<Counts, StoreError> {
    let emails: Vec<&str> = sales_people
        .iter()
        .map(|(_, email)| email.as_str())
        .collect();
    let shop = Shop::make(seed, today, &emails);
    let tables = [
        ("customer", CUSTOMER, &shop.customers),
        ("product", PRODUCT, &shop.products),
        ("order", ORDER, &shop.orders),
        ("order_line", LINE, &shop.lines),
        ("invoice", INVOICE, &shop.invoices),
    ];
    for (name, columns, rows) in tables {
        let fields = catalog.model(name).and_then(|model| {
            let fields = columns.iter().map(|name| model.field(name));
            Some((model, fields.collect::<Option<Vec<&Field>>>()?))
        });
        let Some((model, fields)) = fields else {
            return Err(StoreError::Commit(format!(
                "the sample's model `{name}` is not what it was"
            )));
        };
        insert(unit, org_slug, model, &fields, rows).await?;
    }
    Ok(Counts {
        customers: shop.customers.len(),
        products: shop.products.len(),
        orders: shop.orders.len(),
        order_lines: shop.lines.len(),
        invoices: shop.invoices.len(),
    })
}

async fn insert(
    unit: &mut Unit,
    org_slug: &str,
    model: &Model,
    fields: &[&Field],
    rows: &[Vec<Cell>],
) -> Result<(), StoreError> {
    let dialect = model.dialect();
    for chunk in rows.chunks(VALUES / fields.len().max(1)) {
        let statement = {
            let mut insert = Query::insert();
            insert
                .into_table(table(org_slug, model))
                .columns(fields.iter().map(|field| Alias::new(field.column())));
            for row in chunk {
                let values = fields.iter().zip(row).map(|(field, cell)| {
                    dialect.sql().write(&field.column_type, &field.kind, cell)
                });
                let added = insert.values(values);
                added.map_err(|error| {
                    StoreError::Commit(format!("the sample's `{}`: {error}", model.name))
                })?;
            }
            Statement::of(dialect, &insert)
        };
        execute(&mut unit.conn()?, statement).await?;
    }
    if dialect == Dialect::Postgres {
        go_on_counting(unit, org_slug, model).await?;
    }
    Ok(())
}

/// Lets new ids begin behind those that were given here.
async fn go_on_counting(unit: &mut Unit, org_slug: &str, model: &Model) -> Result<(), StoreError> {
    let name = own_table(model.dialect(), org_slug, &model.name).0;
    let quoted = format!("\"{}\"", name.replace('"', "\"\""));
    let text = quoted.replace('\'', "''");
    let sql = format!(
        "SELECT setval(pg_get_serial_sequence('{text}', 'id'), (SELECT max(id) FROM {quoted}))"
    );
    unit.conn()?.exec(sql).await
}
