//! The slow and obvious interpreter: loops over rows in memory.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::ast::{Cond, Ex, J, PAIRS, Q, Source, What};
use super::value::{
    ONE, V, aggregate, all, any, call, compares, divide, holds_value, literal, rendered,
};
use super::world::leads;

fn whole(value: &V) -> u64 {
    match value {
        V::Number(number) => u64::try_from(number / ONE).unwrap(),
        other => panic!("{other:?} is no id"),
    }
}

pub(crate) type Row = BTreeMap<&'static str, V>;
/// The rows of each model.
pub(crate) type Data = BTreeMap<&'static str, Vec<Row>>;
/// The row of each alias; none where a left join found nothing.
type Env = Vec<(Source, Option<Row>)>;

/// The selected columns of a row.
type Columns = Vec<(String, V)>;
/// What settles the order of equal rows, and what they are sorted by.
type Sort = (Vec<V>, Vec<(Ex, V)>);

/// What an expression is about.
enum About<'e> {
    Row(&'e Env),
    Group(&'e Group),
    Columns(&'e [(String, V)]),
}

struct Group {
    rows: Vec<Env>,
    keys: Vec<(Ex, V)>,
    /// The values of the selected columns, once they are known.
    columns: Vec<(String, V)>,
}

/// A world of data to ask.
pub(crate) struct Eval<'d> {
    pub(crate) data: &'d Data,
}

impl Eval<'_> {
    fn value(&self, ex: &Ex, about: &About<'_>, outer: &Env) -> V {
        if let About::Group(group) = about
            && let Some((_, value)) = group.keys.iter().find(|(key, _)| key == ex)
        {
            return value.clone();
        }
        let of = |ex: &Ex| self.value(ex, about, outer);
        match &ex.what {
            What::Lit(value) => literal(ex.kind, value),
            What::Column(name) => self.column(name, about),
            What::Field(alias, path) => self.field(alias, path, about, outer),
            What::Calc(operator, operands) => {
                let mut sum = of(&operands[0]);
                let mut scale = operands[0].kind.scale();
                for operand in &operands[1..] {
                    sum = match (sum, of(operand)) {
                        (V::Number(a), V::Number(b)) => match *operator {
                            "+" => V::Number(a + b),
                            "-" => V::Number(a - b),
                            "*" => V::Number(a * b / ONE),
                            _ => divide(a, b, Ord::max(6, scale)),
                        },
                        _ => V::Null,
                    };
                    scale = match *operator {
                        "*" => scale + operand.kind.scale(),
                        "/" => Ord::max(6, scale),
                        _ => Ord::max(scale, operand.kind.scale()),
                    };
                }
                sum
            }
            What::Case(branches, otherwise) => {
                for (condition, then) in branches {
                    if self.holds(condition, about, outer) == Some(true) {
                        return of(then);
                    }
                }
                otherwise
                    .as_ref()
                    .map_or(V::Null, |otherwise| of(otherwise))
            }
            What::Call(name, arguments, more) => {
                let arguments: Vec<V> = arguments.iter().map(of).collect();
                if *name == "coalesce" {
                    let mut there = arguments.into_iter().filter(|value| *value != V::Null);
                    return there.next().unwrap_or(V::Null);
                }
                call(name, &arguments[0], more.as_ref())
            }
            What::Agg(name, argument) => {
                let About::Group(group) = about else {
                    panic!("{name} of a row");
                };
                let rows = group.rows.iter();
                let values: Vec<V> = match argument {
                    None => rows.map(|_| V::Bool(true)).collect(),
                    Some(argument) => rows
                        .map(|row| self.value(argument, &About::Row(row), outer))
                        .filter(|value| *value != V::Null)
                        .collect(),
                };
                let scale = argument
                    .as_ref()
                    .map_or(0, |argument| argument.kind.scale());
                aggregate(name, values, scale)
            }
        }
    }

    fn column(&self, name: &str, about: &About<'_>) -> V {
        let columns = match about {
            About::Group(group) => &group.columns[..],
            About::Columns(columns) => columns,
            About::Row(_) => panic!("the column {name} of a row"),
        };
        columns
            .iter()
            .find(|(other, _)| other == name)
            .unwrap()
            .1
            .clone()
    }

    fn field(&self, alias: &str, path: &[&'static str], about: &About<'_>, outer: &Env) -> V {
        let own: &[_] = match about {
            About::Row(env) => env,
            _ => &[],
        };
        let mut found = own
            .iter()
            .chain(outer)
            .filter(|(source, _)| source.alias == alias);
        let (source, row) = found.next().unwrap();
        let Some(row) = row else { return V::Null };
        self.follow(source.model, row, path)
    }

    /// The value at the end of a path.
    pub(crate) fn follow(&self, model: &str, row: &Row, path: &[&'static str]) -> V {
        let value = row[path[0]].clone();
        if path.len() == 1 || value == V::Null {
            return value;
        }
        let target = super::world::target(model, path[0]).unwrap();
        let mut rows = self.data[target].iter();
        let there = rows.find(|row| row["id"] == value);
        there.map_or(V::Null, |row| self.follow(target, row, &path[1..]))
    }

    fn holds(&self, cond: &Cond, about: &About<'_>, outer: &Env) -> Option<bool> {
        match cond {
            Cond::Compare(left, operator, right) => {
                let (left, right) = (
                    self.value(left, about, outer),
                    self.value(right, about, outer),
                );
                if left == V::Null || right == V::Null {
                    return None;
                }
                Some(compares(operator, &left, &right))
            }
            Cond::Values(left, operator, values) => {
                let kind = left.kind;
                let value = self.value(left, about, outer);
                let values: Vec<V> = values.iter().map(|value| literal(kind, value)).collect();
                holds_value(operator, &value, &values)
            }
            Cond::Joined(operator, parts) => {
                let held: Vec<Option<bool>> = parts
                    .iter()
                    .map(|part| self.holds(part, about, outer))
                    .collect();
                match *operator {
                    "and" => all(&held),
                    "or" => any(&held),
                    _ => any(&held).map(|held| !held),
                }
            }
            Cond::Exists(wanted, query) => {
                let rows = self.groups(query, &env(about, outer));
                Some(rows.is_empty() != *wanted)
            }
            Cond::In(left, is_in, query) => {
                let value = self.value(left, about, outer);
                let rows = self.groups(query, &env(about, outer));
                let mut values = rows.into_iter().map(|(mut row, _)| row.remove(0).1);
                let mut values: Vec<V> =
                    values.by_ref().filter(|value| *value != V::Null).collect();
                values.dedup();
                if value == V::Null {
                    // Nothing is in an empty list, and not even nothing is known of another.
                    return values.is_empty().then_some(!is_in);
                }
                Some(values.contains(&value) == *is_in)
            }
        }
    }

    fn hold(&self, conds: &[Cond], about: &About<'_>, outer: &Env) -> bool {
        conds
            .iter()
            .all(|cond| self.holds(cond, about, outer) == Some(true))
    }

    fn rows(&self, query: &Q, outer: &Env) -> Vec<Env> {
        let start = self.data[query.from.model].iter();
        let mut rows: Vec<Env> = start
            .map(|row| vec![(query.from.clone(), Some(row.clone()))])
            .collect();
        for join in &query.joins {
            rows = rows
                .into_iter()
                .flat_map(|row| self.joined(join, &row, outer))
                .collect();
        }
        rows.retain(|row| self.hold(&query.filters, &About::Row(row), outer));
        rows
    }

    fn joined(&self, join: &J, row: &Env, outer: &Env) -> Vec<Env> {
        let with = |other: Option<Row>| {
            let mut row = row.clone();
            row.push((join.source.clone(), other));
            row
        };
        let linked = |other: &Row| match &join.relation {
            None => true,
            Some((alias, field, back)) => {
                let from = row.iter().find(|(source, _)| source.alias == *alias);
                let Some(Some(from)) = from.map(|(_, row)| row) else {
                    return false;
                };
                let (left, right) = match back {
                    Some(PAIRS) => {
                        let ids = (whole(&from["id"]), whole(&other["id"]));
                        return from[field] != V::Null && leads(ids.0, ids.1);
                    }
                    None => (&from[field], &other["id"]),
                    Some(back) => (&other[back], &from["id"]),
                };
                *left != V::Null && left == right
            }
        };
        let matches: Vec<Env> = self.data[join.source.model]
            .iter()
            .filter(|other| linked(other))
            .map(|other| with(Some(other.clone())))
            .filter(|row| self.hold(&join.on, &About::Row(row), outer))
            .collect();
        if matches.is_empty() && join.left {
            vec![with(None)]
        } else {
            matches
        }
    }

    /// The rows of an answer before they are sorted, each with what settles the order of equal ones.
    fn groups(&self, query: &Q, outer: &Env) -> Vec<(Columns, Sort)> {
        let rows = self.rows(query, outer);
        let is_grouped = !query.group_by.is_empty()
            || query
                .select
                .iter()
                .any(|(_, ex)| super::generate::has_aggregate(ex));
        let sorts = |about: &About<'_>, columns: &[(String, V)]| -> Vec<(Ex, V)> {
            query
                .order
                .iter()
                .map(|(by, _)| {
                    let value = match &by.what {
                        What::Column(_) => self.value(by, &About::Columns(columns), outer),
                        _ => self.value(by, about, outer),
                    };
                    (by.clone(), value)
                })
                .collect()
        };
        let select = |about: &About<'_>| -> Vec<(String, V)> {
            let columns = query.select.iter();
            columns
                .map(|(name, ex)| (name.clone(), self.value(ex, about, outer)))
                .collect()
        };
        if !is_grouped {
            return rows
                .iter()
                .map(|row| {
                    let about = About::Row(row);
                    let columns = select(&about);
                    let ids = row
                        .iter()
                        .map(|(_, row)| row.as_ref().map_or(V::Null, |row| row["id"].clone()));
                    let ids = ids.collect();
                    let sorts = sorts(&about, &columns);
                    (columns, (ids, sorts))
                })
                .collect();
        }
        let mut groups: BTreeMap<Vec<V>, Vec<Env>> = BTreeMap::new();
        let keys: Vec<Ex> = query
            .group_by
            .iter()
            .map(|key| self.meant(key, query))
            .collect();
        if keys.is_empty() {
            groups.insert(Vec::new(), Vec::new());
        }
        for row in rows {
            let key = keys
                .iter()
                .map(|key| self.value(key, &About::Row(&row), outer))
                .collect();
            groups.entry(key).or_default().push(row);
        }
        let mut out = Vec::new();
        for (key, rows) in groups {
            let keys = keys.iter().cloned().zip(key.clone()).collect();
            let mut group = Group {
                rows,
                keys,
                columns: Vec::new(),
            };
            group.columns = select(&About::Group(&group));
            let about = About::Group(&group);
            if self.hold(&query.having, &about, outer) {
                let sorts = sorts(&about, &group.columns);
                out.push((group.columns.clone(), (key, sorts)));
            }
        }
        out
    }

    /// The expression that a group is made by.
    fn meant(&self, key: &Ex, query: &Q) -> Ex {
        match &key.what {
            What::Column(name) => query
                .select
                .iter()
                .find(|(other, _)| other == name)
                .unwrap()
                .1
                .clone(),
            _ => key.clone(),
        }
    }

    /// The answer to a query: rows, whether it was cut, summaries.
    pub(crate) fn answer(&self, query: &Q) -> Value {
        let none = Env::new();
        let mut rows = self.groups(query, &none);
        if query.distinct {
            for (columns, (ties, _)) in &mut rows {
                *ties = columns.iter().map(|(_, value)| value.clone()).collect();
            }
            rows.sort_by(|a, b| a.1.0.cmp(&b.1.0));
            rows.dedup_by(|a, b| a.0 == b.0);
        }
        let summaries = self.summaries(query, &rows);
        rows.sort_by(|(_, a), (_, b)| order(query, a, b));
        let window = rows.iter().skip(query.offset);
        let truncated = window.len() > query.limit;
        let shown = window.take(query.limit).map(|(columns, _)| {
            let kinds = query.select.iter().map(|(_, ex)| ex.kind);
            let columns = columns.iter().zip(kinds);
            Value::Object(
                columns
                    .map(|((name, value), kind)| (name.clone(), rendered(kind, value)))
                    .collect(),
            )
        });
        json!({ "rows": shown.collect::<Vec<_>>(), "truncated": truncated, "summaries": summaries })
    }

    fn summaries(&self, query: &Q, rows: &[(Columns, Sort)]) -> Value {
        let none = Env::new();
        let of_columns = query.distinct
            || !query.group_by.is_empty()
            || query
                .select
                .iter()
                .any(|(_, ex)| super::generate::has_aggregate(ex));
        let mut out = Map::new();
        for (name, ex) in &query.summaries {
            let What::Agg(function, argument) = &ex.what else {
                panic!("{ex:?}")
            };
            let values: Vec<V> = match argument {
                None if of_columns => rows.iter().map(|_| V::Bool(true)).collect(),
                None => self
                    .rows(query, &none)
                    .iter()
                    .map(|_| V::Bool(true))
                    .collect(),
                Some(argument) if of_columns => rows
                    .iter()
                    .map(|(columns, _)| self.value(argument, &About::Columns(columns), &none))
                    .collect(),
                Some(argument) => {
                    let argument = self.meant(argument, query);
                    self.rows(query, &none)
                        .iter()
                        .map(|row| self.value(&argument, &About::Row(row), &none))
                        .collect()
                }
            };
            let values = values
                .into_iter()
                .filter(|value| *value != V::Null)
                .collect();
            let scale = argument
                .as_ref()
                .map_or(0, |argument| argument.kind.scale());
            let value = aggregate(function, values, scale);
            out.insert(name.clone(), rendered(ex.kind, &value));
        }
        Value::Object(out)
    }
}

fn order(query: &Q, a: &Sort, b: &Sort) -> Ordering {
    for (((_, a), (_, b)), (_, descending)) in a.1.iter().zip(&b.1).zip(&query.order) {
        let by_value = match (a, b) {
            (V::Null, _) | (_, V::Null) => a.cmp(b),
            _ if *descending => b.cmp(a),
            _ => a.cmp(b),
        };
        if by_value != Ordering::Equal {
            return by_value;
        }
    }
    a.0.cmp(&b.0)
}

fn env(about: &About<'_>, outer: &Env) -> Env {
    let own: &[_] = match about {
        About::Row(env) => env,
        _ => &[],
    };
    own.iter().chain(outer).cloned().collect()
}
