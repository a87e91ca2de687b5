use jiff::civil::Date;
use sea_query::{Alias, Query};
use toolcrib::id::UserId;

use super::shop::{CUSTOMER, INVOICE, LINE, ORDER, PRODUCT, Shop};
use crate::records::catalog::Catalog;
use crate::records::names::own_table;
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
    for (model, columns, rows) in tables {
        let known = catalog
            .model(model)
            .is_some_and(|model| columns.iter().all(|name| model.field(name).is_some()));
        if !known {
            return Err(StoreError::Commit(format!(
                "the sample's model `{model}` is not what it was"
            )));
        }
        insert(unit, org_slug, model, columns, rows).await?;
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
    model: &str,
    columns: &[&str],
    rows: &[Vec<Cell>],
) -> Result<(), StoreError> {
    for chunk in rows.chunks(VALUES / columns.len().max(1)) {
        let statement = {
            let mut insert = Query::insert();
            insert
                .into_table(own_table(org_slug, model))
                .columns(columns.iter().map(|name| Alias::new(*name)));
            for row in chunk {
                let added = insert.values(row.iter().map(Cell::expr));
                added.map_err(|error| {
                    StoreError::Commit(format!("the sample's `{model}`: {error}"))
                })?;
            }
            Statement::of(Dialect::Sqlite, &insert)
        };
        execute(&mut unit.conn()?, statement).await?;
    }
    Ok(())
}
