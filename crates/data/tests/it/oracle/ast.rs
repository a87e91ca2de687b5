//! Queries as the interpreter reads them, and as they are written in a call.

use serde_json::{Value, json};

/// What the values of an expression are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    /// With that many decimals.
    Dec(u32),
    Text,
    Date,
    Bool,
    /// The id of a record of that model.
    Rel(&'static str),
}

impl Kind {
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Int | Self::Dec(_))
    }

    pub(crate) fn scale(self) -> u32 {
        match self {
            Self::Dec(scale) => scale,
            _ => 0,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ex {
    pub(crate) kind: Kind,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// An alias, and the fields from there on.
    Field(String, Vec<&'static str>),
    Lit(Value),
    Calc(&'static str, Vec<Ex>),
    Case(Vec<(Cond, Ex)>, Option<Box<Ex>>),
    /// With its unit or digits.
    Call(&'static str, Vec<Ex>, Option<Value>),
    Agg(&'static str, Option<Box<Ex>>),
    /// A selected column, by its name.
    Column(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cond {
    Compare(Ex, &'static str, Ex),
    /// With values: one, a list, or two ends.
    Values(Ex, &'static str, Vec<Value>),
    Joined(&'static str, Vec<Self>),
    Exists(bool, Box<Q>),
    In(Ex, bool, Box<Q>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    pub(crate) model: &'static str,
    pub(crate) alias: String,
}

/// In place of the field that points back: pairs stand between.
pub(crate) const PAIRS: &str = "pairs";

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct J {
    pub(crate) source: Source,
    pub(crate) left: bool,
    /// By the relation of an alias: the alias, its field, and the field that points back, if any.
    pub(crate) relation: Option<(String, &'static str, Option<&'static str>)>,
    pub(crate) on: Vec<Cond>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Q {
    pub(crate) from: Source,
    pub(crate) joins: Vec<J>,
    pub(crate) filters: Vec<Cond>,
    pub(crate) select: Vec<(String, Ex)>,
    pub(crate) group_by: Vec<Ex>,
    pub(crate) having: Vec<Cond>,
    pub(crate) order: Vec<(Ex, bool)>,
    pub(crate) distinct: bool,
    pub(crate) limit: usize,
    pub(crate) offset: usize,
    pub(crate) summaries: Vec<(String, Ex)>,
}

impl Ex {
    pub(crate) fn json(&self) -> Value {
        match &self.what {
            What::Field(alias, path) => json!({ "field": format!("{alias}.{}", path.join(".")) }),
            What::Column(name) => json!({ "field": name }),
            What::Lit(value) => json!({ "value": value }),
            What::Calc(operator, operands) => {
                json!({ "calc": { "operator": operator, "operands": list(operands) } })
            }
            What::Case(branches, otherwise) => {
                let when = branches.iter().map(
                    |(condition, then)| json!({ "if": [condition.json()], "then": then.json() }),
                );
                let mut case = json!({ "when": when.collect::<Vec<_>>() });
                if let Some(otherwise) = otherwise {
                    case["else"] = otherwise.json();
                }
                json!({ "case": case })
            }
            What::Call(name, arguments, more) => {
                let mut call = json!({ "fn": name, "args": list(arguments) });
                if let Some(more) = more {
                    call[if *name == "round" { "digits" } else { "unit" }] = more.clone();
                }
                call
            }
            What::Agg(name, None) => json!({ "fn": name }),
            What::Agg(name, Some(argument)) => match &argument.what {
                What::Field(..) | What::Column(_) => {
                    let mut call = argument.json();
                    call["fn"] = json!(name);
                    call
                }
                _ => json!({ "fn": name, "args": [argument.json()] }),
            },
        }
    }

    /// The name in `groupBy` and `orderBy`.
    pub(crate) fn name(&self) -> String {
        match &self.what {
            What::Field(alias, path) => format!("{alias}.{}", path.join(".")),
            What::Column(name) => name.clone(),
            other => panic!("{other:?} has no name"),
        }
    }
}

fn list(operands: &[Ex]) -> Vec<Value> {
    operands.iter().map(Ex::json).collect()
}

impl Cond {
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Compare(left, operator, right) => {
                json!({ "left": left.json(), "operator": operator, "right": right.json() })
            }
            Self::Values(left, operator, values) => {
                let mut out = match &left.what {
                    What::Field(..) | What::Column(_) => left.json(),
                    _ => json!({ "left": left.json() }),
                };
                out["operator"] = json!(operator);
                match (*operator, &values[..]) {
                    ("in" | "notIn", _) => out["value"] = json!(values),
                    (_, [one]) => out["value"] = one.clone(),
                    (_, [from, to]) => {
                        out["value"] = from.clone();
                        out["value2"] = to.clone();
                    }
                    _ => {}
                }
                out
            }
            Self::Joined(operator, parts) => {
                json!({ "operator": operator, "criteria": parts.iter().map(Self::json).collect::<Vec<_>>() })
            }
            Self::Exists(true, query) => json!({ "exists": query.json() }),
            Self::Exists(false, query) => json!({ "notExists": query.json() }),
            Self::In(left, is_in, query) => {
                let operator = if *is_in { "in" } else { "notIn" };
                json!({ "left": left.json(), "operator": operator, "query": query.json() })
            }
        }
    }

    /// As the criteria of a grant, which know no alias.
    pub(crate) fn grant_json(&self) -> Value {
        match self {
            Self::Values(
                Ex {
                    what: What::Field(_, path),
                    ..
                },
                ..,
            ) => {
                let mut out = self.json();
                out["field"] = json!(path.join("."));
                out
            }
            Self::Joined(operator, parts) => {
                json!({ "operator": operator, "criteria": parts.iter().map(Self::grant_json).collect::<Vec<_>>() })
            }
            other => panic!("{other:?} in a grant"),
        }
    }
}

impl Q {
    /// As a sub-query: what every query has.
    pub(crate) fn json(&self) -> Value {
        let conditions = |list: &[Cond]| list.iter().map(Cond::json).collect::<Vec<_>>();
        let columns = |list: &[(String, Ex)], named: bool| {
            let one = |(name, operand): &(String, Ex)| {
                let mut operand = operand.json();
                if named {
                    operand["as"] = json!(name);
                }
                operand
            };
            list.iter().map(one).collect::<Vec<_>>()
        };
        let joins = self.joins.iter().map(|join| {
            let kind = if join.left { "left" } else { "inner" };
            let on = conditions(&join.on);
            match &join.relation {
                Some((alias, field, _)) => json!({ "field": format!("{alias}.{field}"), "as": join.source.alias, "type": kind, "on": on }),
                None => json!({ "model": join.source.model, "as": join.source.alias, "type": kind, "on": on }),
            }
        });
        json!({
            "from": { "model": self.from.model, "as": self.from.alias },
            "join": joins.collect::<Vec<_>>(),
            "select": columns(&self.select, true),
            "where": conditions(&self.filters),
            "groupBy": self.group_by.iter().map(Ex::name).collect::<Vec<_>>(),
            "having": conditions(&self.having),
        })
    }

    /// As a whole query, with what only that one has.
    pub(crate) fn whole_json(&self) -> Value {
        let mut query = self.json();
        let order = self.order.iter().map(|(by, descending)| {
            let direction = if *descending { "desc" } else { "asc" };
            json!({ "field": by.name(), "direction": direction })
        });
        query["orderBy"] = json!(order.collect::<Vec<_>>());
        query["distinct"] = json!(self.distinct);
        query["limit"] = json!(self.limit);
        query["offset"] = json!(self.offset);
        let summaries = self.summaries.iter().map(|(name, operand)| {
            let mut operand = operand.json();
            operand["as"] = json!(name);
            operand
        });
        query["summaries"] = json!(summaries.collect::<Vec<_>>());
        query
    }
}
