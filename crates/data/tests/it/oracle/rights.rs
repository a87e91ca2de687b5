//! Random grants, and what is left of the data for who has them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::ast::{Cond, Ex, Kind, What};
use super::eval::{Data, Eval, Row};
use super::rng::Rng;
use super::value::{V, all, any, holds_value, literal};
use super::world::{NAMES, fields, is_null, pairs, target, value};

#[derive(Clone, Debug)]
pub(crate) struct Grant {
    pub(crate) model: &'static str,
    pub(crate) condition: Option<Cond>,
    pub(crate) fields: BTreeSet<&'static str>,
}

/// The fields that can be named, by model; a model that can't be is not there.
pub(crate) type Known = BTreeMap<&'static str, BTreeSet<&'static str>>;

/// The grants of one role.
pub(crate) fn role(rng: &mut Rng) -> Vec<Grant> {
    let mut grants = Vec::new();
    for model in NAMES {
        for _ in 0..rng.pick(&[0, 1, 2, 2, 2]) {
            let names = fields(model).iter().map(|(name, _)| *name);
            let names = names.chain(pairs(model).iter().map(|(name, _)| *name));
            let fields = names.filter(|_| rng.chance(75)).collect();
            let condition = rng.chance(55).then(|| condition(rng, model, 2));
            grants.push(Grant {
                model,
                condition,
                fields,
            });
        }
    }
    grants
}

fn condition(rng: &mut Rng, model: &'static str, depth: usize) -> Cond {
    if depth > 0 && rng.chance(30) {
        let parts = (0..=rng.below(2))
            .map(|_| condition(rng, model, depth - 1))
            .collect();
        return Cond::Joined(rng.pick(&["and", "or", "not"]), parts);
    }
    let mut path = Vec::new();
    let mut at = model;
    loop {
        let (name, kind) = rng.pick(fields(at));
        path.push(name);
        match target(at, name) {
            Some(next) if path.len() < 3 && rng.chance(60) => at = next,
            _ => {
                let ex = Ex {
                    kind,
                    what: What::Field(String::new(), path),
                };
                return with_value(rng, ex);
            }
        }
    }
}

/// A comparison with written values.
pub(crate) fn with_value(rng: &mut Rng, left: Ex) -> Cond {
    let kind = left.kind;
    let orders = ["=", "!=", "<", "<=", ">", ">="];
    let operator = match kind {
        _ if rng.chance(12) => rng.pick(&["isNull", "isNotNull"]),
        Kind::Bool => rng.pick(&["=", "!="]),
        Kind::Rel(_) => rng.pick(&["=", "!=", "in", "notIn"]),
        Kind::Text if rng.chance(40) => rng.pick(&["contains", "startsWith", "endsWith"]),
        _ if rng.chance(20) => rng.pick(&["in", "notIn", "between", "notBetween"]),
        _ => rng.pick(&orders),
    };
    // A value of any number fits a decimal, which may not have the decimals of another.
    let kind = if kind.is_number() && kind.scale() < 2 {
        Kind::Int
    } else {
        kind
    };
    let count = match operator {
        "isNull" | "isNotNull" => 0,
        "between" | "notBetween" => 2,
        "in" | "notIn" => 1 + rng.below(3),
        _ => 1,
    };
    let values = (0..count).map(|_| value(rng, kind)).collect();
    Cond::Values(left, operator, values)
}

pub(crate) fn json_of(name: &str, grants: &[Grant]) -> Value {
    let grants = grants.iter().map(|grant| {
        let mut out =
            json!({ "models": grant.model, "operations": ["read"], "read_fields": grant.fields });
        if let Some(condition) = &grant.condition {
            out["where"] = condition.grant_json();
        }
        out
    });
    json!({ "role": name, "grants": grants.collect::<Vec<_>>() })
}

pub(crate) fn known(grants: &[&Grant]) -> Known {
    let mut known = Known::new();
    for grant in grants {
        let fields = known
            .entry(grant.model)
            .or_insert_with(|| BTreeSet::from(["id"]));
        fields.extend(&grant.fields);
    }
    known
}

fn holds(cond: &Cond, eval: &Eval<'_>, model: &str, row: &Row) -> Option<bool> {
    let of = |parts: &[Cond]| -> Vec<Option<bool>> {
        parts
            .iter()
            .map(|part| holds(part, eval, model, row))
            .collect()
    };
    match cond {
        Cond::Joined("and", parts) => all(&of(parts)),
        Cond::Joined("or", parts) => any(&of(parts)),
        Cond::Joined(_, parts) => any(&of(parts)).map(|held| !held),
        Cond::Values(
            Ex {
                kind,
                what: What::Field(_, path),
            },
            operator,
            values,
        ) => {
            let values: Vec<V> = values.iter().map(|value| literal(*kind, value)).collect();
            holds_value(operator, &eval.follow(model, row, path), &values)
        }
        other => panic!("{other:?}"),
    }
}

/// The data as it is left by the grants.
pub(crate) fn view(data: &Data, grants: &[&Grant]) -> Data {
    let eval = Eval { data };
    let mut left = Data::new();
    for (model, rows) in data {
        let mut shown = Vec::new();
        for row in rows {
            let holding: Vec<&&Grant> = grants
                .iter()
                .filter(|grant| grant.model == *model)
                .filter(|grant| {
                    let condition = grant.condition.as_ref();
                    condition.is_none_or(|cond| holds(cond, &eval, model, row) == Some(true))
                })
                .collect();
            if holding.is_empty() {
                continue;
            }
            let mut seen = Row::new();
            for (name, value) in row {
                let covered =
                    *name == "id" || holding.iter().any(|grant| grant.fields.contains(name));
                seen.insert(name, if covered { value.clone() } else { V::Null });
            }
            shown.push(seen);
        }
        left.insert(*model, shown);
    }
    // A relation to a record that is not left is withheld.
    let ids: BTreeMap<&str, Vec<V>> = left
        .iter()
        .map(|(model, rows)| (*model, rows.iter().map(|row| row["id"].clone()).collect()))
        .collect();
    for (model, rows) in &mut left {
        for row in rows {
            for (name, value) in row {
                let there = target(model, name).is_none_or(|target| ids[target].contains(value));
                if !is_null(value) && !there {
                    *value = V::Null;
                }
            }
        }
    }
    left
}
