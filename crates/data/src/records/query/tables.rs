use sea_query::{Cond, Expr, ExprTrait, JoinType, SelectStatement};

use super::compiler::{Clause, Compiler, Place};
use super::input::{Join, JoinKind, Source as SourceInput};
use super::source::{Source, by_alias, find, is_broken};
use crate::records::access::Access;
use crate::records::criteria::condition::all;
use crate::records::criteria::path::Names;
use crate::records::functions::ModelFunction;
use crate::records::links::Link;
use crate::records::model::{Field, FieldType, Model};
use crate::records::names::{raw_id, table};
use crate::records::nearest::{clip, did_you_mean};
use crate::records::rights::Operation;
use crate::records::rights::allowed::View;

/// The longest alias.
const ALIAS: usize = 60;

/// The tables of a query with the rows of each that the user may read.
#[derive(Clone, Debug)]
pub(super) struct Tables<'a> {
    access: &'a Access,
    root: (&'a Model, String),
    rows: Option<Expr>,
    joins: Vec<Joined<'a>>,
}

#[derive(Clone, Debug)]
struct Joined<'a> {
    kind: JoinKind,
    model: &'a Model,
    alias: String,
    on: Expr,
    /// Its rows, each beside the id of the record that leads to it, where pairs stand between.
    pairs: Option<SelectStatement>,
}

impl Tables<'_> {
    /// Puts them into a statement. The rows of a joined table are limited in its ON, so that a left
    /// join finds no match where it finds none that can be read.
    pub(super) fn put(self, select: &mut SelectStatement) {
        let slug = &self.access.org_slug;
        let (root, alias) = self.root;
        select.from_as(table(slug, root), alias);
        for join in self.joins {
            let kind = match join.kind {
                JoinKind::Inner => JoinType::InnerJoin,
                JoinKind::Left => JoinType::LeftJoin,
            };
            let on = Cond::all().add(join.on);
            match join.pairs {
                Some(pairs) => select.join_subquery(kind, pairs, join.alias, on),
                None => select.join_as(kind, table(slug, join.model), join.alias, on),
            };
        }
        select.and_where_option(self.rows);
    }
}

impl<'a> Compiler<'a> {
    pub(super) fn tables(
        &mut self,
        from: &SourceInput,
        joins: &[Join],
        at: &str,
    ) -> Option<Tables<'a>> {
        let model = self.model(&from.model, &format!("{at}/from/model"))?;
        let name = from.alias.as_deref().unwrap_or_else(|| last(&model.name));
        let at_alias = format!("{at}/from/as");
        let alias = self.enter(name, model, from.alias.is_some(), &at_alias);
        let rows = View::of(self.access, model).rows(&alias);
        let mut tables = Tables {
            access: self.access,
            root: (model, alias),
            rows,
            joins: Vec::new(),
        };
        for (index, join) in joins.iter().enumerate() {
            match self.join(join, &format!("{at}/join/{index}")) {
                Some(joined) => tables.joins.push(joined),
                None => self.note_broken(join),
            }
        }
        Some(tables)
    }

    /// The model, if the user may read any of it. One that the user may not know of is unknown.
    fn model(&mut self, name: &str, at: &str) -> Option<&'a Model> {
        let access = self.access;
        let known = access.known_models().find(|model| model.name == name);
        match known {
            Some(model) if access.may(&model.name, Operation::Read) => {
                if self.closes_query(model) {
                    self.wrong(at, format!("you may not query `{}` records", model.name));
                    return None;
                }
                self.in_one_database(model, at).then_some(model)
            }
            Some(_) => {
                self.wrong(at, format!("you may not read `{}` records", clip(name)));
                None
            }
            None => {
                let names = access.known_models().map(|model| model.name.as_str());
                let hint = did_you_mean(name, names);
                self.wrong(at, format!("unknown model `{}`{hint}", clip(name)));
                None
            }
        }
    }

    fn closes_query(&self, model: &Model) -> bool {
        self.access.closes(&model.name, ModelFunction::Query)
    }

    /// Whether the model is where the first one is; a statement runs in one database.
    fn in_one_database(&mut self, model: &'a Model, at: &str) -> bool {
        let connection = model.connection();
        if *self.connection.get_or_insert(connection) == connection {
            self.dialect = model.dialect();
            return true;
        }
        let message = format!(
            "`{}` is in another database than the models before it; ask for them apart",
            model.name
        );
        self.wrong(at, message);
        false
    }

    /// Adds a model under an alias; answers with what the statement calls it.
    fn enter(&mut self, name: &str, model: &'a Model, chosen: bool, at: &str) -> String {
        let sound = name.len() <= ALIAS
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if !sound {
            let message = format!(
                "`{}` is no alias: use letters, digits and _, beginning with a letter",
                clip(name)
            );
            self.wrong(at, message);
        } else if by_alias(&self.scopes, name).is_some() {
            let message = if chosen {
                format!("the alias `{name}` is there already; choose another one")
            } else {
                format!("the alias `{name}` is there already; give this one another `as`")
            };
            self.wrong(at, message);
        }
        let alias = self.aliases.next("t");
        let source = Source {
            name: name.to_owned(),
            alias: alias.clone(),
            model,
            view: View::of(self.access, model),
        };
        if let Some(scope) = self.scope() {
            scope.sources.push(source);
        }
        alias
    }

    /// Notes that what names the join's alias is not to be told of again.
    fn note_broken(&mut self, join: &Join) {
        let model = join.model.as_deref().map(last);
        let field = join.field.as_deref().map(last);
        let name = join.alias.as_deref().or(field).or(model);
        let name = name.unwrap_or_default().to_owned();
        if by_alias(&self.scopes, &name).is_none()
            && let Some(scope) = self.scope()
        {
            scope.broken.push(name);
        }
    }

    fn join(&mut self, join: &Join, at: &str) -> Option<Joined<'a>> {
        match (&join.field, &join.model) {
            (Some(field), None) => self.join_relation(join, field, at),
            (None, Some(model)) => {
                let model = self.model(model, &format!("{at}/model"))?;
                let name = join.alias.as_deref().unwrap_or_else(|| last(&model.name));
                let alias = self.enter(name, model, join.alias.is_some(), &format!("{at}/as"));
                self.check_link(join, at);
                self.joined(join, model, alias, Vec::new(), at)
            }
            _ => {
                self.wrong(at, "a join needs either `field` or `model`");
                None
            }
        }
    }

    fn join_relation(&mut self, join: &Join, text: &str, at: &str) -> Option<Joined<'a>> {
        let field_at = format!("{at}/field");
        let (from, field) = self.relation(text, &field_at)?;
        let (from_alias, from_model) = from;
        let (target, inverse) = match &field.kind {
            FieldType::ManyToOne { model, .. } => (model, None),
            FieldType::OneToMany { model, inverse } => (model, Some(inverse)),
            FieldType::ManyToMany { model, .. } => (model, None),
            kind => {
                let message = format!(
                    "`{}` of `{}` is {}; only many_to_one, one_to_many and many_to_many fields lead to records",
                    field.name,
                    from_model.name,
                    kind.name()
                );
                self.wrong(field_at, message);
                return None;
            }
        };
        let target = self
            .access
            .catalog
            .model(target)
            .filter(|target| self.names.knows_model(target));
        let back = target.zip(inverse).and_then(|(target, inverse)| {
            let back = target.field(inverse)?;
            self.names.knows(target, back).then_some(back)
        });
        if let Some(target) = target.filter(|one| self.closes_query(one)) {
            let message = format!("you may not query `{}` records", target.name);
            self.wrong(field_at, message);
            return None;
        }
        let Some(target) = target.filter(|_| inverse.is_none() || back.is_some()) else {
            let message = format!("`{}` leads to records that you can't read", field.name);
            self.wrong(field_at, message);
            return None;
        };
        let name = join.alias.as_deref().unwrap_or(&field.name);
        let alias = self.enter(name, target, join.alias.is_some(), &format!("{at}/as"));
        let view = View::of(self.access, from_model);
        let link = Link::of(self.access, from_model, field);
        let linked = match (back, &link) {
            (_, Some(link)) => link.joins(field, (&from_alias, &view), &alias),
            (Some(back), None) => {
                let view = View::of(self.access, target);
                let back = view.shown(back, &alias, self.dialect).raw;
                back.eq(raw_id(from_model, &from_alias))
            }
            (None, None) => {
                raw_id(target, &alias).eq(view.shown(field, &from_alias, self.dialect).raw)
            }
        };
        let joined = self.joined(join, target, alias, vec![linked], at)?;
        let pairs = link.map(|link| link.pairs());
        Some(Joined { pairs, ..joined })
    }

    /// The relation of an alias, and the alias and model that it is of.
    fn relation(&mut self, text: &str, at: &str) -> Option<((String, &'a Model), &'a Field)> {
        if is_broken(&self.scopes, text) {
            return None;
        }
        let (head, tail) = text.split_once('.').unwrap_or(("", text));
        let place = if head.is_empty() {
            let own = self.scopes.len().saturating_sub(1);
            let sources = self.scopes.last().map_or(&[][..], |scope| &scope.sources);
            let numbered = sources.iter().enumerate();
            let having: Vec<usize> = numbered
                .filter(|(_, source)| self.names.find(source.model, tail).is_ok())
                .map(|(index, _)| index)
                .collect();
            match having[..] {
                [source] => Some((own, source)),
                _ => None,
            }
        } else {
            by_alias(&self.scopes, head)
        };
        let Some((scope, source)) = place else {
            let found = find(&self.scopes, &self.names, text);
            let message = found.err().unwrap_or_else(|| {
                format!(
                    "`{}` is no field of an alias; a join goes over one relation",
                    clip(text)
                )
            });
            self.wrong(at, message);
            return None;
        };
        let source = self.scopes.get(scope)?.sources.get(source)?;
        let found = (source.alias.clone(), source.model);
        let field = self.names.find(found.1, tail);
        let field = self.noted(at, field)?;
        Some((found, field))
    }

    /// A join on a model has to say what links it, or it would put every record beside every other.
    fn check_link(&mut self, join: &Join, at: &str) {
        let scope = self.scopes.len().saturating_sub(1);
        let sources = self.scopes.last().map_or(0, |scope| scope.sources.len());
        let joined = (scope, sources.saturating_sub(1));
        // A field that can't be found is told of where it stands.
        let is_of_joined = |text: &str| {
            let found = find(&self.scopes, &self.names, text).ok()?;
            Some((found.scope, found.source) == joined)
        };
        let links = join.on.iter().any(|filter| {
            let left = filter.left.as_ref().and_then(|left| left.field.as_ref());
            let right = filter.right.as_ref().and_then(|right| right.field.as_ref());
            match (filter.field.as_ref().or(left), right) {
                (Some(left), Some(right)) => match (is_of_joined(left), is_of_joined(right)) {
                    (Some(left), Some(right)) => left != right,
                    _ => true,
                },
                _ => false,
            }
        });
        if !links {
            self.wrong(
                format!("{at}/on"),
                "must compare a field of the joined model with a field of an alias before it, e.g. {\"field\": \"i.order\", \"operator\": \"=\", \"right\": {\"field\": \"o.id\"}}",
            );
        }
    }

    fn joined(
        &mut self,
        join: &Join,
        model: &'a Model,
        alias: String,
        mut on: Vec<Expr>,
        at: &str,
    ) -> Option<Joined<'a>> {
        let filters = self.filters(&join.on, &format!("{at}/on"), Place::Row(Clause::On))?;
        on.extend(filters);
        on.extend(View::of(self.access, model).rows(&alias));
        Some(Joined {
            kind: join.kind,
            model,
            alias,
            on: all(on),
            pairs: None,
        })
    }
}

/// The name of a model without its package.
fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
