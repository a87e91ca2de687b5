use serde_json::Value;

use super::input::{Filter, Join, Operand, QueryInput, SubQuery};
use crate::records::error::Problem;

/// The most joins of a query, or of a sub-query.
const JOINS: usize = 8;
/// The most columns of an answer.
const COLUMNS: usize = 40;
/// The most entries of `groupBy`, `orderBy` and `summaries`, each.
const ENTRIES: usize = 10;
/// The most sub-queries in one query.
const SUB_QUERIES: usize = 5;
/// The deepest nesting of conditions, operands and sub-queries.
const DEPTH: usize = 8;
/// The most conditions and operands in one query.
const PARTS: usize = 300;
/// The most values in all lists of one query.
const VALUES: usize = 5_000;

/// A part of a query that holds others.
#[derive(Clone, Copy)]
enum Part<'q> {
    Operand(&'q Operand),
    Filter(&'q Filter),
    SubQuery(&'q SubQuery),
}

/// Checks how deep and how large a query is, without recursion, before anything walks it.
pub(super) fn check_size(input: &QueryInput) -> Result<(), Vec<Problem>> {
    let mut problems = Vec::new();
    let mut most = |at: &str, count: usize, max: usize| {
        if count > max {
            let message = format!("has {count} entries; at most {max} are taken");
            problems.push(Problem::new(at, message));
        }
    };
    most("/join", input.join.len(), JOINS);
    most("/select", input.select.len(), COLUMNS);
    most("/groupBy", input.group_by.len(), ENTRIES);
    most("/orderBy", input.order_by.len(), ENTRIES);
    most("/summaries", input.summaries.len(), ENTRIES);
    let mut open: Vec<(Part<'_>, usize, &'static str)> = Vec::new();
    let operands = |operands, at| operands_of(operands).map(move |part| (part, 1, at));
    let filters = |filters, at| filters_of(filters).map(move |part| (part, 1, at));
    open.extend(operands(&input.select, "/select"));
    open.extend(operands(&input.summaries, "/summaries"));
    open.extend(filters(&input.filters, "/where"));
    open.extend(filters(&input.having, "/having"));
    for join in &input.join {
        open.extend(filters(&join.on, "/join"));
    }
    problems.extend(walk(open).err());
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

fn walk(mut open: Vec<(Part<'_>, usize, &'static str)>) -> Result<(), Problem> {
    let (mut parts, mut values, mut sub_queries) = (0_usize, 0_usize, 0_usize);
    while let Some((part, depth, at)) = open.pop() {
        let refuse = |message: String| Err(Problem::new("", message));
        parts += 1;
        if depth > DEPTH {
            let message = format!("is nested deeper than {DEPTH} levels");
            return Err(Problem::new(at, message));
        }
        if parts > PARTS {
            return refuse(format!(
                "the query has more than {PARTS} conditions and operands; use `in` with a list, or several queries"
            ));
        }
        if let Part::SubQuery(query) = part {
            sub_queries += 1;
            if query.join.len() > JOINS {
                return refuse(format!("a sub-query has more than {JOINS} joins"));
            }
            if query.group_by.len() > ENTRIES {
                return refuse(format!(
                    "a sub-query has more than {ENTRIES} entries in groupBy"
                ));
            }
        }
        if sub_queries > SUB_QUERIES {
            return refuse(format!("the query has more than {SUB_QUERIES} sub-queries"));
        }
        if let Part::Filter(Filter {
            value: Some(Value::Array(list)),
            ..
        }) = part
        {
            values += list.len();
        }
        if values > VALUES {
            return refuse(format!("the query lists more than {VALUES} values in all"));
        }
        // A sub-query is as deep as the condition that holds it.
        let below = |part| match part {
            Part::SubQuery(_) => (part, depth, at),
            _ => (part, depth + 1, at),
        };
        open.extend(inside(part).into_iter().map(below));
    }
    Ok(())
}

fn inside(part: Part<'_>) -> Vec<Part<'_>> {
    match part {
        Part::Operand(operand) => {
            let mut parts: Vec<Part<'_>> = operands_of(&operand.args).collect();
            if let Some(calc) = &operand.calc {
                parts.extend(operands_of(&calc.operands));
            }
            if let Some(case) = &operand.case {
                parts.extend(case.otherwise.iter().map(Part::Operand));
                for branch in &case.when {
                    parts.push(Part::Operand(&branch.then));
                    parts.extend(filters_of(&branch.filters));
                }
            }
            parts
        }
        Part::Filter(filter) => {
            let operands = [&filter.left, &filter.right].into_iter().flatten();
            let queries = [&filter.query, &filter.exists, &filter.not_exists];
            operands
                .map(Part::Operand)
                .chain(filters_of(&filter.criteria))
                .chain(queries.into_iter().flatten().map(|q| Part::SubQuery(q)))
                .collect()
        }
        Part::SubQuery(query) => {
            let ons = query.join.iter().flat_map(|join: &Join| &join.on);
            operands_of(&query.select)
                .chain(filters_of(&query.filters))
                .chain(filters_of(&query.having))
                .chain(ons.map(Part::Filter))
                .collect()
        }
    }
}

fn operands_of(operands: &[Operand]) -> impl Iterator<Item = Part<'_>> {
    operands.iter().map(Part::Operand)
}

fn filters_of(filters: &[Filter]) -> impl Iterator<Item = Part<'_>> {
    filters.iter().map(Part::Filter)
}

/// Whether an aggregate stands in the operand, sub-queries aside. Only for what was checked.
pub(super) fn has_aggregate(operand: &Operand) -> bool {
    operand
        .function
        .is_some_and(super::input::Function::is_aggregate)
        || inside(Part::Operand(operand))
            .into_iter()
            .any(|part| match part {
                Part::Operand(operand) => has_aggregate(operand),
                Part::Filter(filter) => filter_has_aggregate(filter),
                Part::SubQuery(_) => false,
            })
}

fn filter_has_aggregate(filter: &Filter) -> bool {
    let operands = [&filter.left, &filter.right].into_iter().flatten();
    operands.into_iter().any(has_aggregate) || filter.criteria.iter().any(filter_has_aggregate)
}
