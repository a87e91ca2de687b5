use std::collections::BTreeSet;

use sea_query::Expr;

use super::input::Operand;
use super::typed::Typed;
use crate::records::criteria::path::{Names, Path};
use crate::records::model::Model;
use crate::records::nearest::{clip, did_you_mean};
use crate::records::rights::allowed::{Readable, View};

/// A model in a query, through the user's eyes.
#[derive(Debug)]
pub(super) struct Source<'a> {
    /// What the caller calls it; it never becomes part of a statement.
    pub(super) name: String,
    /// What the statement calls it.
    pub(super) alias: String,
    pub(super) model: &'a Model,
    pub(super) view: View<'a>,
}

/// The models of one query or sub-query, and what it groups by.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    pub(super) sources: Vec<Source<'a>>,
    /// The aliases and columns that something is wrong with: what names them is not wrong again.
    pub(super) broken: Vec<String>,
    /// The selected columns that can be named already.
    pub(super) columns: Vec<(String, Typed)>,
    /// How the columns can be named.
    pub(super) naming: Naming,
    pub(super) groups: Groups,
    /// Whether something in it is of a query around it.
    pub(super) looks_out: bool,
}

/// What a name in an operand can mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Naming {
    /// A field.
    #[default]
    Fields,
    /// Of a group: a selected column, or else a field.
    GroupColumns,
    /// Inside an aggregate: a selected column, or else a field.
    RowColumns,
    /// Inside an aggregate: a selected column and nothing else.
    OnlyRowColumns,
}

/// What becomes of rows that are grouped: the columns of the rows, and the columns of groups made of them.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// The alias of the rows as a derived table.
    pub(super) alias: String,
    pub(super) keys: Vec<Key>,
    /// The columns of the rows, as `k0`, `k1`, …; the keys come first.
    pub(super) inner: Vec<Expr>,
}

/// One thing that is grouped by.
#[derive(Debug)]
pub(super) struct Key {
    /// The field, by [`Found::key`].
    pub(super) field: Option<String>,
    /// The operand without its name, if it is a selected column.
    pub(super) operand: Option<Operand>,
    /// The value of the group.
    pub(super) typed: Typed,
}

/// A field that a name was found to mean.
#[derive(Debug)]
pub(super) struct Found<'a> {
    /// How far out its query is; 0 is the outermost.
    pub(super) scope: usize,
    pub(super) source: usize,
    pub(super) path: Path<'a>,
    /// The same text for the same field.
    pub(super) key: String,
}

/// Finds the field of an alias (`o.total`, `o.customer.city`), or of the one source that has it.
pub(super) fn find<'a>(
    scopes: &[Scope<'a>],
    names: &Readable<'a>,
    text: &str,
) -> Result<Found<'a>, String> {
    let (head, tail) = text.split_once('.').unwrap_or((text, ""));
    if !tail.is_empty()
        && let Some((scope, source)) = by_alias(scopes, head)
    {
        return found(scopes, names, (scope, source), tail);
    }
    let innermost = scopes.len().saturating_sub(1);
    let own: &[Source<'a>] = scopes.last().map_or(&[], |scope| &scope.sources);
    let having: Vec<usize> = (0..own.len())
        .filter(|index| {
            own.get(*index)
                .is_some_and(|source| names.find(source.model, head).is_ok())
        })
        .collect();
    match having[..] {
        [source] => found(scopes, names, (innermost, source), text),
        [] => Err(nothing(scopes, names, head, tail)),
        _ => {
            let aliases = having.iter().filter_map(|index| own.get(*index));
            let both: Vec<String> = aliases
                .map(|source| format!("`{}.{}`", source.name, clip(text)))
                .collect();
            Err(format!(
                "`{}` could be {}; write which",
                clip(text),
                both.join(" or ")
            ))
        }
    }
}

/// Whether the name was told to be wrong where it was made.
pub(super) fn is_broken(scopes: &[Scope<'_>], text: &str) -> bool {
    let head = text.split('.').next().unwrap_or(text);
    let is_alias = head.len() < text.len();
    scopes.iter().any(|scope| {
        let mut broken = scope.broken.iter();
        broken.any(|name| name == text || (is_alias && name == head))
    })
}

/// The source of that alias, the nearest one first.
pub(super) fn by_alias(scopes: &[Scope<'_>], alias: &str) -> Option<(usize, usize)> {
    scopes.iter().enumerate().rev().find_map(|(at, scope)| {
        let source = scope.sources.iter().position(|one| one.name == alias)?;
        Some((at, source))
    })
}

fn found<'a>(
    scopes: &[Scope<'a>],
    names: &Readable<'a>,
    (scope, source): (usize, usize),
    text: &str,
) -> Result<Found<'a>, String> {
    let at = scopes
        .get(scope)
        .and_then(|scope| scope.sources.get(source))
        .ok_or_else(|| "unknown alias".to_owned())?;
    let list = || {
        format!(
            "`{text}` is a list of records; join it: {{\"field\": \"{}.{text}\", \"as\": …}}",
            at.name
        )
    };
    let path = names.path(at.model, text).map_err(|message| {
        let found = names.find(at.model, text);
        if found.is_ok_and(|field| !field.is_stored()) {
            list()
        } else {
            message
        }
    })?;
    if path.field.is_link() {
        return Err(list());
    }
    Ok(Found {
        scope,
        source,
        path,
        key: format!("{}.{text}", at.alias),
    })
}

/// Why nothing has that name.
fn nothing(scopes: &[Scope<'_>], names: &Readable<'_>, head: &str, tail: &str) -> String {
    if !tail.is_empty() {
        let aliases = scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.sources.iter().map(|source| source.name.as_str()));
        let aliases: BTreeSet<&str> = aliases.collect();
        return format!(
            "unknown alias `{}`{}",
            clip(head),
            did_you_mean(head, aliases)
        );
    }
    let own: &[Source<'_>] = scopes.last().map_or(&[], |scope| &scope.sources);
    if let [only] = own {
        return names.find(only.model, head).err().unwrap_or_default();
    }
    let known: Vec<String> = own
        .iter()
        .flat_map(|source| {
            let fields = names.known(source.model);
            fields
                .into_iter()
                .map(|field| format!("{}.{field}", source.name))
        })
        .collect();
    let hint = did_you_mean(head, known.iter().map(String::as_str));
    format!("unknown field `{}`{hint}", clip(head))
}
