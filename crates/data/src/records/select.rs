use sea_query::{Expr, ExprTrait, Query, SelectStatement};
use serde_json::{Map, Value, json};

use super::access::Access;
use super::content::told::with_place;
use super::criteria::path::{Names, Path};
use super::error::{Problem, RecordError};
use super::ids::Key;
use super::model::{Field, FieldType, ID, Model};
use super::names;
use super::rights::allowed::Readable;
use super::run_sql::Statement;
use super::scope::{ROOT, Scope};
use super::values::cell::Cell;
use super::values::render;

/// The most fields of one answer.
const FIELDS: usize = 200;

/// One field of an answer, under the name it was asked by.
#[derive(Clone, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) key: String,
    pub(super) path: Path<'a>,
}

/// The fields that a call asks for; `id` always comes along. By default all that are readable,
/// but for those that lead to many records: each costs a statement of its own.
pub(super) fn wanted<'a>(
    access: &'a Access,
    model: &'a Model,
    fields: Option<&Vec<String>>,
) -> Result<Vec<Wanted<'a>>, Vec<Problem>> {
    let names = Readable(access);
    let Some(fields) = fields else {
        let all = model.stored().filter(|field| names.knows(model, field));
        return Ok(own(all));
    };
    if fields.is_empty() || fields.len() > FIELDS {
        return Err(vec![Problem::new(
            "/fields",
            format!("must name 1 to {FIELDS} fields; leave it out for all"),
        )]);
    }
    let mut wanted: Vec<Wanted<'a>> = Vec::new();
    let mut problems = Vec::new();
    let id = model.id().map(|_| (None, ID));
    for (index, key) in id.into_iter().chain(
        fields
            .iter()
            .map(String::as_str)
            .enumerate()
            .map(|(i, f)| (Some(i), f)),
    ) {
        if wanted.iter().any(|other| other.key == key) {
            continue;
        }
        match names.path(model, key) {
            Ok(path) if !path.hops.is_empty() && (path.field.is_link() || path.field.is_file()) => {
                let at = format!("/fields/{}", index.unwrap_or_default());
                let message = format!(
                    "`{}` is {} of another record; read that record for it",
                    path.field.name,
                    path.field.kind.name()
                );
                problems.push(Problem::new(at, message));
            }
            Ok(path) => wanted.push(Wanted {
                key: key.to_owned(),
                path,
            }),
            Err(message) => {
                let at =
                    index.map_or_else(|| "/fields".to_owned(), |index| format!("/fields/{index}"));
                problems.push(Problem::new(at, message));
            }
        }
    }
    if problems.is_empty() {
        Ok(wanted)
    } else {
        Err(problems)
    }
}

/// The fields of the model itself, each under its own name.
pub(super) fn own<'a>(fields: impl Iterator<Item = &'a Field>) -> Vec<Wanted<'a>> {
    let wanted = |field: &'a Field| Wanted {
        key: field.name.clone(),
        path: Path {
            hops: Vec::new(),
            field,
        },
    };
    fields.map(wanted).collect()
}

/// A query under construction: what is selected of a scope, and how its rows become JSON.
#[derive(Debug)]
pub(super) struct Selection<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) select: SelectStatement,
    access: &'a Access,
    model: &'a Model,
    columns: Vec<Column<'a>>,
    width: usize,
}

/// Where a field stands in a row of the answer.
#[derive(Debug)]
struct Column<'a> {
    key: String,
    at: usize,
    shape: Shape<'a>,
}

#[derive(Debug)]
enum Shape<'a> {
    Plain(&'a FieldType),
    /// What is told of a file.
    File(&'a Model, &'a Field),
    /// One column: whether the field shows. What it leads to is found apart.
    List,
    /// Three columns: whether there is a relation, the other record's id, its display.
    Relation(&'a Model),
}

/// How the rows of a query become JSON.
#[derive(Debug)]
pub(super) struct Decoder<'a> {
    columns: Vec<Column<'a>>,
    width: usize,
}

impl<'a> Selection<'a> {
    pub(super) fn new(access: &'a Access, model: &'a Model) -> Self {
        let mut select = Query::select();
        select.expr(names::id(model, ROOT));
        Self {
            scope: Scope::new(access, model),
            select,
            access,
            model,
            columns: Vec::new(),
            width: 1,
        }
    }

    pub(super) fn fields(&mut self, wanted: &[Wanted<'a>]) {
        for one in wanted {
            self.field(one);
        }
    }

    fn field(&mut self, wanted: &Wanted<'a>) {
        let at = self.width;
        let shape = match self.access.catalog.target(wanted.path.field) {
            _ if wanted.path.field.is_link() => {
                let shows = self.scope.shows(wanted.path.field);
                self.select.expr(shows);
                self.width += 1;
                Shape::List
            }
            Some(target) => {
                let there = self.scope.relation(&wanted.path);
                let there = self.model.dialect().sql().flag(there.is_not_null());
                let id = self.scope.value(&wanted.path);
                let display = self.scope.display(&wanted.path, target);
                self.select.exprs([there, id, display]);
                self.width += 3;
                Shape::Relation(target)
            }
            None => {
                let value = self.scope.value(&wanted.path);
                self.select.expr(value);
                self.width += 1;
                match wanted.path.field {
                    field if field.is_file() => Shape::File(self.model, field),
                    field => Shape::Plain(&field.kind),
                }
            }
        };
        self.columns.push(Column {
            key: wanted.key.clone(),
            at,
            shape,
        });
    }

    /// Selects something beside the fields; it stands after them in the row.
    pub(super) fn extra(&mut self, expr: Expr) {
        self.select.expr(expr);
    }

    /// Keeps only the rows with these ids.
    pub(super) fn with_ids(&mut self, ids: &[Key]) {
        self.select
            .and_where(names::has_id(self.model, Some(ROOT), ids));
    }

    pub(super) fn finish(mut self) -> Result<(Statement, Decoder<'a>), RecordError> {
        self.scope
            .finish(&mut self.select)
            .map_err(|message| RecordError::one("/fields", message))?;
        let statement = Statement::of(self.model.dialect(), &self.select);
        Ok((
            statement,
            Decoder {
                columns: self.columns,
                width: self.width,
            },
        ))
    }
}

impl Decoder<'_> {
    /// The record that a row holds, but for what its fields lead to many of.
    pub(super) fn record(&self, row: &[Cell]) -> Map<String, Value> {
        self.columns
            .iter()
            .map(|column| (column.key.clone(), column.json(row)))
            .collect()
    }

    /// The id of the row.
    pub(super) fn id(row: &[Cell]) -> Option<Key> {
        row.first().and_then(Key::of)
    }

    /// What was selected beside the fields.
    pub(super) fn extras<'r>(&self, row: &'r [Cell]) -> &'r [Cell] {
        row.get(self.width..).unwrap_or_default()
    }
}

impl Column<'_> {
    fn json(&self, row: &[Cell]) -> Value {
        let cell = |offset: usize| row.get(self.at + offset).cloned().unwrap_or(Cell::Null);
        match &self.shape {
            Shape::Plain(kind) => render::json(kind, cell(0)),
            Shape::File(model, field) => {
                let mut file = render::json(&field.kind, cell(0));
                if let Some(id) = Decoder::id(row) {
                    with_place(&mut file, (&model.name, &id, &field.name));
                }
                file
            }
            Shape::List if cell(0) == Cell::Int(1) => Value::Array(Vec::new()),
            Shape::List => Value::Null,
            Shape::Relation(target) => match (cell(0), Key::of(&cell(1))) {
                (Cell::Int(0) | Cell::Null, _) => Value::Null,
                (_, Some(id)) => {
                    json!({ "id": id.json(), "display": display(target, Some(&id), cell(2)) })
                }
                (_, None) => json!({ "withheld": true }),
            },
        }
    }
}

/// What names a record to people: its display field, or its model and id.
pub(super) fn display(model: &Model, id: Option<&Key>, shown: Cell) -> String {
    let kind = model
        .field(&model.display)
        .map_or(&FieldType::Integer, |field| &field.kind);
    match render::plain(&render::json(kind, shown)) {
        Some(text) if model.display != ID => text,
        _ => match id {
            Some(id) => format!("{} {id}", model.noun(1)),
            None => model.noun(1),
        },
    }
}
