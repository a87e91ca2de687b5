//! What a query is made of. The doc comments are what a language model reads of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::records::criteria::input::Operator;
use crate::records::input::Direction;

/// Reads, joins, groups and calculates over records.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct QueryInput {
    /// The data model to begin with.
    pub from: Source,
    /// Further records beside it, at most 8.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub join: Vec<Join>,
    /// The columns of the answer, at least one.
    pub select: Vec<Operand>,
    /// Which records; all of the conditions must hold.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
    /// What makes a group: fields, or names of selected columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
    /// Which groups; fields here are selected columns by name, or what stands in groupBy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub having: Vec<Filter>,
    /// How to sort. Empty values come last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order_by: Vec<SortKey>,
    /// Whether equal rows are given once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// The most rows to answer with, from 1 to 100; 20 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// How many rows to skip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u32>,
    /// Aggregates over all rows of the answer, whatever limit and offset are; a field here may be a selected column by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub summaries: Vec<Operand>,
}

/// A data model under an alias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Source {
    /// The data model.
    pub model: String,
    /// The alias that its fields are named by, e.g. `o` for `o.total`; the model's name when left out.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// Further records, by a relation (`field`) or by any condition (`model` with `on`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Join {
    /// A many_to_one or one_to_many field of an alias, e.g. `o.customer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A data model, in place of `field`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The alias of the joined records; the name of the field or model when left out.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// `inner` leaves out what has no match; `left` keeps it, with empty fields.
    #[serde(default, rename = "type")]
    pub kind: JoinKind,
    /// What must hold between the two, e.g. `{"field": "i.order", "operator": "=", "right": {"field": "o.id"}}`. Needed with `model`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Filter>,
}

/// What becomes of a record without a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum JoinKind {
    /// It is left out.
    #[default]
    Inner,
    /// It stays, with empty fields beside it.
    Left,
}

/// A value: one of `field`, `value`, `param`, `calc`, `case`; or `fn` of what stands beside it and in `args`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Operand {
    /// A field with its alias, e.g. `o.total`, or over relations, e.g. `o.customer.city`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// A text, number or boolean. Decimals are strings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// A parameter of a saved query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// A calculation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calc: Option<Box<Calc>>,
    /// A choice between values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<Box<Case>>,
    /// A function. `count` alone counts the rows.
    #[serde(default, rename = "fn", skip_serializing_if = "Option::is_none")]
    pub function: Option<Function>,
    /// Further arguments of the function, for coalesce.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Self>,
    /// What `truncate` cuts to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// How many decimals `round` leaves; 0 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<u32>,
    /// The name of the column; only directly in select and summaries.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

/// A calculation with numbers. Decimals stay exact; a division keeps at least 6 decimals, and one by zero is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Calc {
    /// What is done, from left to right.
    pub operator: Arithmetic,
    /// Two or more numbers.
    pub operands: Vec<Operand>,
}

/// What is done with two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Arithmetic {
    #[serde(rename = "+")]
    Add,
    #[serde(rename = "-")]
    Subtract,
    #[serde(rename = "*")]
    Multiply,
    #[serde(rename = "/")]
    Divide,
}

/// The value of the first branch whose conditions hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Case {
    /// The branches, in their order.
    pub when: Vec<Branch>,
    /// The value when none holds; empty when left out.
    #[serde(default, rename = "else", skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Operand>,
}

/// One branch of a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Branch {
    /// The conditions; all must hold.
    #[serde(rename = "if")]
    pub filters: Vec<Filter>,
    /// The value then.
    pub then: Operand,
}

/// A function. Date parts are numbers: weekday from 1 (Monday), week as in ISO 8601. lower and upper change the letters A to Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Function {
    Count,
    CountDistinct,
    Sum,
    Avg,
    Min,
    Max,
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Weekday,
    Truncate,
    Lower,
    Upper,
    Length,
    Coalesce,
    Round,
    Abs,
}

impl Function {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::CountDistinct => "countDistinct",
            Self::Sum => "sum",
            Self::Avg => "avg",
            Self::Min => "min",
            Self::Max => "max",
            Self::Year => "year",
            Self::Quarter => "quarter",
            Self::Month => "month",
            Self::Week => "week",
            Self::Day => "day",
            Self::Hour => "hour",
            Self::Weekday => "weekday",
            Self::Truncate => "truncate",
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::Length => "length",
            Self::Coalesce => "coalesce",
            Self::Round => "round",
            Self::Abs => "abs",
        }
    }

    /// Whether it makes one value of many rows.
    pub(crate) fn is_aggregate(self) -> bool {
        matches!(
            self,
            Self::Count | Self::CountDistinct | Self::Sum | Self::Avg | Self::Min | Self::Max
        )
    }
}

/// What a date is cut to; a week begins on Monday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Unit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
}

/// A condition: a comparison; `and`, `or`, `not` over `criteria`; or `exists`, `notExists` of a sub-query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Filter {
    /// The field to compare, e.g. `o.status`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What to compare, in place of `field`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Operand>,
    /// How to compare, as in the criteria of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<Operator>,
    /// What to compare with; an array for in and notIn. Dates also relative: today, -7d, startOf:month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The upper end for between and notBetween.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value2: Option<Value>,
    /// A parameter of a saved query, in place of `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param: Option<String>,
    /// A parameter of a saved query, in place of `value2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub param2: Option<String>,
    /// A field or other operand, in place of `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<Operand>,
    /// A sub-query with one column, in place of `value`, for in and notIn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Box<SubQuery>>,
    /// Holds when the sub-query has a row. It may use the aliases outside of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exists: Option<Box<SubQuery>>,
    /// Holds when the sub-query has no row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_exists: Option<Box<SubQuery>>,
    /// The nested conditions of and, or, not (`not` holds when none of them does).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Self>,
}

/// A query inside a condition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SubQuery {
    /// The data model to begin with, under an alias of its own.
    pub from: Source,
    /// Further records beside it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub join: Vec<Join>,
    /// The one column to compare with; not needed for exists.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub select: Vec<Operand>,
    /// Which records.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<Filter>,
    /// What makes a group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group_by: Vec<String>,
    /// Which groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub having: Vec<Filter>,
}

/// One thing to sort by: a field, or a selected column by its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SortKey {
    /// A field, e.g. `o.total`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The name of a selected column, in place of `field`.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Which way; `asc` when left out.
    #[serde(default)]
    pub direction: Direction,
}
