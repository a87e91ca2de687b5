//! The names of tables and columns: the one place that makes them.

use sea_query::{Alias, Expr, IntoIden};

/// The table of a model. Declared tables never share a prefix with the platform's own, and no
/// two organisations come to the same name: an underscore in the slug is doubled.
pub(super) fn table(org_slug: &str, model: &str) -> Alias {
    Alias::new(format!("d_{}_{model}", org_slug.replace('_', "__")))
}

/// The index over one column of a model's table. A colon stands in no name of a model or
/// field, and tables and indices share one set of names.
pub(super) fn index(org_slug: &str, model: &str, field: &str) -> String {
    format!("i_{}_{model}:{field}", org_slug.replace('_', "__"))
}

pub(super) fn column(alias: &str, name: &str) -> Expr {
    Expr::col((Alias::new(alias).into_iden(), Alias::new(name).into_iden()))
}

/// A reference to the key of another model's table, for a column definition: the one part of
/// a statement that the builder has no words for. Both names are checked when they are read.
pub(super) fn reference(org_slug: &str, model: &str) -> String {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    format!(
        "REFERENCES {} ({})",
        quoted(&table(org_slug, model).0),
        quoted("id")
    )
}
