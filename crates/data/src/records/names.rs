//! The names of tables and columns: the one place that makes them.

use sea_query::{Alias, Expr, ExprTrait, Func, IntoIden, TableName};
use sha2::{Digest, Sha256};

use super::ids::Key;
use super::model::{Field, ID, Model};
use super::sql::Dialect;
use super::sql::column::ColumnType;
use super::sql::stored::Stored;
use super::values::composite;

/// The table of a model that Toolcrib keeps itself. Such tables never share a prefix with the
/// platform's own, and no two organisations come to the same name: an underscore in the slug is
/// doubled.
pub(super) fn own_table(home: Dialect, org_slug: &str, model: &str) -> Alias {
    let name = format!("d_{}_{model}", org_slug.replace('_', "__"));
    Alias::new(fitting(home, name))
}

/// A name that the database takes whole: PostgreSQL cuts longer ones, and two could come to be one.
fn fitting(home: Dialect, name: String) -> String {
    const BYTES: usize = 63;
    if home != Dialect::Postgres || name.len() <= BYTES {
        return name;
    }
    let hash = hex::encode(Sha256::digest(name.as_bytes()));
    let kept: String = name.chars().take(40).collect();
    let hash: String = hash.chars().take(16).collect();
    format!("{kept}:{hash}")
}

/// The table of the pairs of a many_to_many field. A colon stands in no name of a model.
pub(super) fn own_pairs(home: Dialect, org_slug: &str, model: &str, field: &str) -> Alias {
    let table = own_table(home, org_slug, model).0;
    Alias::new(fitting(home, format!("{table}:{field}")))
}

/// The table of a model, wherever it is.
pub(super) fn table(org_slug: &str, model: &Model) -> TableName {
    match &model.mapping {
        None => own_table(model.home, org_slug, &model.name).into(),
        Some(mapping) => {
            let table = Alias::new(&mapping.table);
            match &mapping.schema {
                Some(schema) => (Alias::new(schema), table).into(),
                None => table.into(),
            }
        }
    }
}

/// The index over one column of a model's table. A colon stands in no name of a model or
/// field, and tables and indices share one set of names.
pub(super) fn index(home: Dialect, org_slug: &str, model: &str, field: &str) -> String {
    let name = format!("i_{}_{model}:{field}", org_slug.replace('_', "__"));
    fitting(home, name)
}

/// A column by its own name.
pub(super) fn column(alias: &str, name: &str) -> Expr {
    Expr::col((Alias::new(alias).into_iden(), Alias::new(name).into_iden()))
}

/// A column of a row with that alias, or of the one table that there is.
fn named(alias: Option<&str>, name: &str) -> Expr {
    match alias {
        Some(alias) => column(alias, name),
        None => Expr::col(Alias::new(name)),
    }
}

/// The column of a field as its database holds it; several columns as one text.
pub(super) fn raw(dialect: Dialect, alias: &str, field: &Field) -> Expr {
    raw_of(dialect, Some(alias), field)
}

fn raw_of(dialect: Dialect, alias: Option<&str>, field: &Field) -> Expr {
    match &field.column_type {
        ColumnType::Several(parts) => joined(dialect, alias, parts),
        _ => named(alias, field.column()),
    }
}

/// The value of a field of the row of that alias.
pub(super) fn stored<'f>(dialect: Dialect, alias: &str, field: &'f Field) -> Stored<'f> {
    Stored {
        raw: raw(dialect, alias, field),
        field,
        dialect,
    }
}

/// The key of the row of that alias as its database holds it, to be compared with a relation.
pub(super) fn raw_id(model: &Model, alias: &str) -> Expr {
    match model.id() {
        Some(id) => raw(model.dialect(), alias, id),
        None => Expr::null(),
    }
}

/// The key of the row of that alias as a canonical value.
pub(super) fn id(model: &Model, alias: &str) -> Expr {
    match model.id() {
        Some(id) => stored(model.dialect(), alias, id).canonical(),
        None => Expr::null(),
    }
}

/// The key of the one row that a write is about, as a canonical value.
pub(super) fn written_id(model: &Model) -> Expr {
    let dialect = model.dialect();
    let canonical = |field| {
        let raw = raw_of(dialect, None, field);
        Stored {
            raw,
            field,
            dialect,
        }
        .canonical()
    };
    model.id().map_or_else(Expr::null, canonical)
}

/// Whether the row of that alias has one of these ids; put so that the key's index is used.
pub(super) fn has_id(model: &Model, alias: Option<&str>, ids: &[Key]) -> Expr {
    let Some(id) = model.id() else {
        return super::criteria::condition::never();
    };
    let dialect = model.dialect();
    let named = |name: &str| named(alias, name);
    let ColumnType::Several(parts) = &id.column_type else {
        let stored = Stored {
            raw: named(id.column()),
            field: id,
            dialect,
        };
        let cells = ids.iter().map(Key::cell).collect();
        return stored.test(&super::criteria::condition::Test::In(cells));
    };
    let one = |id: &Key| {
        let values = composite::split(&id.to_string(), parts.len())?;
        let same = parts
            .iter()
            .zip(values)
            .map(|((name, kind), value)| named(name).eq(composite::write(dialect, kind, value)));
        Some(super::criteria::condition::all(same.collect()))
    };
    super::criteria::condition::any(ids.iter().filter_map(one).collect())
}

/// The parts of a key as one text, each with what stands between them written another way.
fn joined(dialect: Dialect, alias: Option<&str>, parts: &[(String, ColumnType)]) -> Expr {
    let texts = parts
        .iter()
        .map(|(name, kind)| composite::read(dialect, kind, named(alias, name)));
    let separator = || Expr::Constant(composite::SEPARATOR.to_string().into());
    let mut all: Vec<Expr> = Vec::new();
    for text in texts {
        if !all.is_empty() {
            all.push(separator());
        }
        all.push(text);
    }
    match dialect {
        // Null where a part is, which a key's is not.
        Dialect::Sqlite => {
            let mut all = all.into_iter();
            let first = all.next().unwrap_or_else(Expr::null);
            all.fold(first, |sum, part| {
                Expr::cust_with_exprs("(? || ?)", [sum, part])
            })
        }
        Dialect::Postgres | Dialect::Mysql => Func::cust("CONCAT").args(all).into(),
    }
}

/// A reference to the key of another model's table, for a column definition: the one part of
/// a statement that the builder has no words for. Both names are checked when they are read.
pub(super) fn reference(home: Dialect, org_slug: &str, model: &str) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    format!(
        "REFERENCES {} ({})",
        quoted(&own_table(home, org_slug, model).0),
        quoted(ID)
    )
}
