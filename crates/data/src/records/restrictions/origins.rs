//! Where values come from: every field that has a part in them, also as a relation on the way.

use std::collections::{BTreeMap, BTreeSet};

use super::tags::Tags;
use crate::records::catalog::Catalog;
use crate::records::criteria::input::{Criteria, Operator};
use crate::records::input::SearchInput;
use crate::records::model::{FieldType, ID, Model};
use crate::records::query::input::{Filter, Join, Operand, QueryInput, Source, SubQuery};

/// Fields, each as `model.field`.
pub(super) type Origins = BTreeSet<String>;

/// What could not be found out.
pub(super) const UNKNOWN: &str = "?";

/// Model and field of an origin. A model's name may have dots, a field's has none.
pub(super) fn split(origin: &str) -> Option<(&str, &str)> {
    origin.rsplit_once('.')
}

fn origin(model: &str, field: &str) -> String {
    format!("{model}.{field}")
}

/// The model as such: kept from a reader only if the whole of it is.
pub(super) fn touched(model: &str) -> String {
    origin(model, "*")
}

/// What a dotted path leads over.
#[derive(Debug)]
pub(super) struct Way<'c> {
    pub(super) origins: Origins,
    /// The models of the records on the way and at the end, as such.
    pub(super) touched: Origins,
    /// The model that the value names a record of.
    pub(super) target: Option<&'c Model>,
}

/// Follows a path from a model; nothing if it leads nowhere.
pub(super) fn way<'c>(catalog: &'c Catalog, model: &'c Model, path: &str) -> Option<Way<'c>> {
    let mut way = Way {
        origins: Origins::new(),
        touched: Origins::new(),
        target: None,
    };
    let mut at = Some(model);
    for name in path.split('.') {
        let model = at?;
        let field = model.field(name)?;
        way.touched.insert(touched(&model.name));
        way.origins.insert(origin(&model.name, name));
        at = match &field.kind {
            FieldType::ManyToOne { model, .. }
            | FieldType::OneToMany { model, .. }
            | FieldType::ManyToMany { model, .. } => catalog.model(model),
            _ => None,
        };
    }
    way.target = at;
    if let Some(target) = at {
        // The value is the other record's id.
        way.touched.insert(touched(&target.name));
        way.origins.insert(origin(&target.name, ID));
    }
    Some(way)
}

/// What decides which records a search finds, other than by comparing with a given value; and the
/// models that it touches.
pub(super) fn of_criteria(catalog: &Catalog, input: &SearchInput) -> Origins {
    let Some(model) = catalog.model(&input.model) else {
        return Origins::from([UNKNOWN.to_owned()]);
    };
    let mut probes = Origins::new();
    let mut add = |path: &str, by: Comparing| match way(catalog, model, path) {
        Some(way) => {
            probes.extend(way.touched);
            if by == Comparing::Otherwise {
                probes.extend(way.origins);
            }
        }
        None => drop(probes.insert(UNKNOWN.to_owned())),
    };
    let mut open: Vec<&Criteria> = input.criteria.iter().collect();
    while let Some(criteria) = open.pop() {
        open.extend(&criteria.criteria);
        if let Some(field) = &criteria.field {
            add(field, Comparing::of(criteria.operator));
        }
    }
    for order in input.order.iter().flatten() {
        add(&order.field, Comparing::Otherwise);
    }
    probes
}

/// What a comparison tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparing {
    /// Whether a value is one that the caller has already.
    WithGiven,
    /// More than that.
    Otherwise,
}

impl Comparing {
    fn of(operator: Operator) -> Self {
        match operator {
            Operator::Eq | Operator::In => Self::WithGiven,
            _ => Self::Otherwise,
        }
    }
}

/// Where the columns of a query come from.
pub(super) fn of_query(catalog: &Catalog, query: &QueryInput) -> Tags {
    let mut walk = Walk {
        catalog,
        scopes: Vec::new(),
        columns: BTreeMap::new(),
        probes: Origins::new(),
    };
    walk.enter(&query.from, &query.join);
    for filter in &query.filters {
        walk.probe(filter);
    }
    let columns = walk.columns(&query.select);
    // From here on a name may be that of a column.
    walk.columns = columns.clone();
    for key in &query.group_by {
        walk.field(key);
    }
    for filter in &query.having {
        walk.probe(filter);
    }
    for key in &query.order_by {
        if let Some(name) = key.column.as_ref().or(key.field.as_ref()) {
            let origins = walk.field(name);
            walk.probes.extend(origins);
        }
    }
    let summaries = walk.columns(&query.summaries);
    Tags::Rows {
        columns,
        summaries,
        probes: walk.probes,
    }
}

/// The names that a column may have in the answer, as the query's compiler makes them.
fn names(operand: &Operand) -> Vec<String> {
    if let Some(alias) = &operand.alias {
        return vec![alias.clone()];
    }
    let field = operand.field.as_deref();
    let short = field
        .and_then(|field| field.split_once('.'))
        .map(|(_, tail)| tail);
    let fields: Vec<&str> = field.into_iter().chain(short).collect();
    match operand.function {
        Some(function) if fields.is_empty() => vec![function.name().to_owned()],
        Some(function) => fields
            .into_iter()
            .map(|field| format!("{}_{}", function.name(), field.replace('.', "_")))
            .collect(),
        None => fields.into_iter().map(str::to_owned).collect(),
    }
}

/// A walk over a query, with the aliases that can be named.
struct Walk<'c> {
    catalog: &'c Catalog,
    scopes: Vec<Vec<Seen<'c>>>,
    /// The columns that can be named.
    columns: BTreeMap<String, Origins>,
    probes: Origins,
}

/// A model under an alias.
struct Seen<'c> {
    alias: String,
    model: &'c Model,
    /// The relation that leads to its records.
    via: Origins,
}

impl<'c> Walk<'c> {
    /// Opens a query or sub-query: its aliases, and what its joins compare.
    fn enter(&mut self, from: &Source, joins: &[Join]) {
        self.scopes.push(Vec::new());
        let alias = from.alias.as_ref().unwrap_or(&from.model);
        self.source(alias, self.catalog.model(&from.model), Origins::new());
        for join in joins {
            let field = join.field.as_deref();
            let last = field.map(|field| field.rsplit('.').next().unwrap_or(field));
            let alias = join.alias.as_deref().or(last).or(join.model.as_deref());
            let target = match (&join.model, field) {
                (Some(model), _) => self.catalog.model(model),
                (None, Some(field)) => self.ways(field).into_iter().find_map(|way| way.target),
                (None, None) => None,
            };
            let via = field.map_or_else(Origins::new, |field| self.field(field));
            self.source(alias.unwrap_or_default(), target, via);
        }
        for filter in joins.iter().flat_map(|join| &join.on) {
            self.probe(filter);
        }
    }

    fn source(&mut self, alias: &str, model: Option<&'c Model>, via: Origins) {
        let Some(model) = model else {
            self.probes.insert(UNKNOWN.to_owned());
            return;
        };
        self.probes.insert(touched(&model.name));
        let alias = alias.to_owned();
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Seen { alias, model, via });
        }
    }

    /// The ways that a name can mean: that of its alias, else of every model that has the field.
    fn ways(&self, text: &str) -> Vec<Way<'c>> {
        let all = || self.scopes.iter().rev().flatten();
        if let Some((head, tail)) = text.split_once('.')
            && let Some(seen) = all().find(|seen| seen.alias == head)
        {
            return self.from(seen, tail).into_iter().collect();
        }
        all().filter_map(|seen| self.from(seen, text)).collect()
    }

    fn from(&self, seen: &Seen<'c>, path: &str) -> Option<Way<'c>> {
        let mut way = way(self.catalog, seen.model, path)?;
        way.origins.extend(seen.via.iter().cloned());
        Some(way)
    }

    fn field(&mut self, text: &str) -> Origins {
        let ways = self.ways(text);
        let column = self.columns.get(text).cloned();
        if ways.is_empty() && column.is_none() {
            return Origins::from([UNKNOWN.to_owned()]);
        }
        let mut origins = column.unwrap_or_default();
        for way in ways {
            self.probes.extend(way.touched);
            origins.extend(way.origins);
        }
        origins
    }

    fn columns(&mut self, operands: &[Operand]) -> BTreeMap<String, Origins> {
        let mut columns: BTreeMap<String, Origins> = BTreeMap::new();
        for operand in operands {
            let origins = self.operand(operand);
            // Two columns may share one of the names that each might have.
            for name in names(operand) {
                let column = columns.entry(name).or_default();
                column.extend(origins.iter().cloned());
            }
        }
        columns
    }

    fn operand(&mut self, operand: &Operand) -> Origins {
        let mut origins = Origins::new();
        if let Some(field) = &operand.field {
            origins.extend(self.field(field));
        }
        let calc = operand.calc.iter().flat_map(|calc| &calc.operands);
        for inner in calc.chain(&operand.args) {
            origins.extend(self.operand(inner));
        }
        if let Some(case) = &operand.case {
            for inner in case
                .when
                .iter()
                .map(|branch| &branch.then)
                .chain(&case.otherwise)
            {
                origins.extend(self.operand(inner));
            }
            for filter in case.when.iter().flat_map(|branch| &branch.filters) {
                origins.extend(self.filter(filter));
            }
        }
        origins
    }

    /// Everything that a condition looks at.
    fn filter(&mut self, filter: &Filter) -> Origins {
        let mut origins = Origins::new();
        if let Some(field) = &filter.field {
            origins.extend(self.field(field));
        }
        for inner in filter.left.iter().chain(&filter.right) {
            origins.extend(self.operand(inner));
        }
        for inner in &filter.criteria {
            origins.extend(self.filter(inner));
        }
        for query in filter
            .query
            .iter()
            .chain(&filter.exists)
            .chain(&filter.not_exists)
        {
            origins.extend(self.sub_query(query));
        }
        origins
    }

    fn sub_query(&mut self, query: &SubQuery) -> Origins {
        self.enter(&query.from, &query.join);
        let mut origins = Origins::new();
        for operand in &query.select {
            origins.extend(self.operand(operand));
        }
        for filter in query.filters.iter().chain(&query.having) {
            origins.extend(self.filter(filter));
        }
        for key in &query.group_by {
            // The name of a column of its own is nothing new.
            origins.extend(self.field(key).into_iter().filter(|one| one != UNKNOWN));
        }
        self.scopes.pop();
        origins
    }

    /// Notes what a condition finds out beyond comparing with a given value.
    fn probe(&mut self, filter: &Filter) {
        for inner in &filter.criteria {
            self.probe(inner);
        }
        let own = Filter {
            criteria: Vec::new(),
            ..filter.clone()
        };
        let origins = self.filter(&own);
        let is_plain = own.left.is_none() && own.right.is_none() && own.query.is_none();
        let comparing = own.operator.map(Comparing::of);
        if is_plain && own.field.is_some() && comparing == Some(Comparing::WithGiven) {
            return;
        }
        self.probes.extend(origins);
    }
}
