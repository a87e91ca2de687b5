use sea_query::{Cond, Condition as SqlCondition, Expr, ExprTrait, SelectStatement};

use super::access::Access;
use super::content;
use super::criteria::condition::{Condition, Test, all};
use super::criteria::path::Path;
use super::links::{self, Link, Others};
use super::model::{Field, Model};
use super::names::{self, stored, table};
use super::rights::allowed::{Shows, View};
use super::sql::stored::Stored;
use super::sql::{Dialect, Shape};

/// The alias of the model that a query is about.
pub(super) const ROOT: &str = "t";
/// The most joins of one query; databases stop at some number of their own.
const JOINS: usize = 40;

/// A query's tables, each through the user's eyes.
///
/// Whatever is taken from a scope is null where the user may not read it: a field that no
/// grant shows on its row, a record that no grant shows, the relation to such a record. So it
/// can be selected, filtered and sorted by without telling anything.
#[derive(Debug)]
pub(super) struct Scope<'a> {
    access: &'a Access,
    model: &'a Model,
    view: View<'a>,
    joins: Vec<Join<'a>>,
}

#[derive(Debug)]
struct Join<'a> {
    /// The relations that lead here, dotted.
    key: String,
    alias: String,
    model: &'a Model,
    view: View<'a>,
    on: Expr,
}

impl<'a> Scope<'a> {
    pub(super) fn new(access: &'a Access, model: &'a Model) -> Self {
        Self {
            access,
            model,
            view: View::of(access, model),
            joins: Vec::new(),
        }
    }

    /// The value at the end of the path; of a relation, the id of the record it leads to.
    pub(super) fn value(&mut self, path: &Path<'a>) -> Expr {
        let at = self.follow(&path.hops);
        match self.access.catalog.target(path.field) {
            Some(target) => {
                let joined = self.join(at, path.field, target);
                names::id(target, self.alias(Some(joined)))
            }
            None => self.shown(at, path.field).canonical(),
        }
    }

    /// The stored relation, whether or not the record it leads to can be read.
    pub(super) fn relation(&mut self, path: &Path<'a>) -> Expr {
        let at = self.follow(&path.hops);
        self.shown(at, path.field).raw
    }

    /// The test of the value at the end of the path.
    fn test(&mut self, path: &Path<'a>, test: &Test) -> Expr {
        let at = self.follow(&path.hops);
        if path.field.is_link() {
            return self.list(at, path.field, test);
        }
        let (dialect, target) = (self.dialect(), self.access.catalog.target(path.field));
        let Some(target) = target else {
            return self.shown(at, path.field).test(test);
        };
        let joined = self.join(at, path.field, target);
        match target.id() {
            Some(id) => stored(dialect, self.alias(Some(joined)), id).test(test),
            None => Expr::null(),
        }
    }

    /// The test of what a field of a joined model leads to.
    fn list(&self, at: Option<usize>, field: &Field, test: &Test) -> Expr {
        let join = at.and_then(|index| self.joins.get(index));
        let (model, view) = join.map_or((self.model, &self.view), |join| (join.model, &join.view));
        let alias = self.alias(at);
        let Some(link) = Link::of(self.access, model, field) else {
            return Expr::null();
        };
        let holds = link.test(&names::raw_id(model, alias), alias, Others::Readable, test);
        links::shown(view.field(field, alias), test, holds)
    }

    /// A field of the model itself, as the user may read it.
    pub(super) fn own<'f>(&self, field: &'f Field) -> Stored<'f> {
        self.shown(None, field)
    }

    /// The content of the files of a field of the model itself.
    pub(super) fn content(&self, field: &Field) -> Expr {
        let content = Field {
            column: Some(content::column(field)),
            ..field.clone()
        };
        self.shown(None, &content).raw
    }

    /// Whether a field of the model itself shows on the row, as 1 or 0.
    pub(super) fn shows(&self, field: &Field) -> Expr {
        let number = |n: i64| Expr::Constant(n.into());
        match self.view.field(field, ROOT) {
            Shows::Always => number(1),
            Shows::Never => number(0),
            Shows::When(condition) => Expr::case(Cond::all().add(condition), number(1))
                .finally(number(0))
                .into(),
        }
    }

    fn dialect(&self) -> Dialect {
        self.model.dialect()
    }

    /// The field that names the record at the end of a path of relations.
    pub(super) fn display(&mut self, path: &Path<'a>, target: &'a Model) -> Expr {
        let at = self.follow(&path.hops);
        let joined = self.join(at, path.field, target);
        match target.field(&target.display) {
            Some(field) => self.shown(Some(joined), field).canonical(),
            None => self.dialect().sql().null(Shape::Text),
        }
    }

    /// A filter over what the user can read.
    pub(super) fn filter(&mut self, condition: &Condition<'a>) -> Expr {
        condition.expr(&mut |path, test, _| self.test(path, test))
    }

    /// The table, the joins and the rows that can be read, into the statement.
    pub(super) fn finish(self, select: &mut SelectStatement) -> Result<(), String> {
        if self.joins.len() > JOINS {
            return Err(format!(
                "follows more than {JOINS} different relations; ask for fewer fields"
            ));
        }
        select.from_as(table(&self.access.org_slug, self.model), ROOT);
        for join in self.joins {
            let on: SqlCondition = Cond::all().add(join.on);
            select.join_as(
                sea_query::JoinType::LeftJoin,
                table(&self.access.org_slug, join.model),
                join.alias,
                on,
            );
        }
        if let Some(rows) = self.view.rows(ROOT) {
            select.and_where(rows);
        }
        Ok(())
    }

    fn alias(&self, at: Option<usize>) -> &str {
        at.and_then(|index| self.joins.get(index))
            .map_or(ROOT, |join| &join.alias)
    }

    fn follow(&mut self, hops: &[(&'a Field, &'a Model)]) -> Option<usize> {
        let mut at = None;
        for (field, target) in hops {
            at = Some(self.join(at, field, target));
        }
        at
    }

    fn join(&mut self, at: Option<usize>, field: &'a Field, target: &'a Model) -> usize {
        let from = at
            .and_then(|index| self.joins.get(index))
            .map_or("", |join| &join.key);
        let key = format!("{from}.{}", field.name);
        if let Some(found) = self.joins.iter().position(|join| join.key == key) {
            return found;
        }
        let alias = format!("j{}", self.joins.len());
        let view = View::of(self.access, target);
        let mut on = vec![names::raw_id(target, &alias).eq(self.shown(at, field).raw)];
        on.extend(view.rows(&alias));
        self.joins.push(Join {
            key,
            alias,
            model: target,
            view,
            on: all(on),
        });
        self.joins.len() - 1
    }

    /// What is stored, null where the user may not read it.
    fn shown<'f>(&self, at: Option<usize>, field: &'f Field) -> Stored<'f> {
        let view = at
            .and_then(|index| self.joins.get(index))
            .map_or(&self.view, |join| &join.view);
        view.shown(field, self.alias(at), self.dialect())
    }
}
