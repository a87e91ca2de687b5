use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A filter. Either a comparison (`field`, `operator`, `value`), or `and`, `or`, `not` over nested `criteria`.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Criteria {
    /// The field to compare, e.g. `status`, or over a relation, e.g. `customer.city`. Not with and, or, not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// How to compare. `like` takes the wildcards % and _; contains, startsWith and endsWith take plain text.
    pub operator: Operator,
    /// What to compare with; an array for in and notIn; none for isNull and isNotNull. Dates also relative: today, -7d, startOf:month, endOf:month, startOf:month-1m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The upper end for between and notBetween, which include both ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value2: Option<Value>,
    /// The nested filters of and, or, not (`not` matches what matches none of them).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<Self>,
}

/// How a filter compares, or how it joins nested ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum Operator {
    #[serde(rename = "and")]
    And,
    #[serde(rename = "or")]
    Or,
    #[serde(rename = "not")]
    Not,
    #[serde(rename = "=")]
    Eq,
    #[serde(rename = "!=")]
    Ne,
    #[serde(rename = ">")]
    Gt,
    #[serde(rename = ">=")]
    Ge,
    #[serde(rename = "<")]
    Lt,
    #[serde(rename = "<=")]
    Le,
    #[serde(rename = "in")]
    In,
    #[serde(rename = "notIn")]
    NotIn,
    #[serde(rename = "like")]
    Like,
    #[serde(rename = "notLike")]
    NotLike,
    #[serde(rename = "contains")]
    Contains,
    #[serde(rename = "startsWith")]
    StartsWith,
    #[serde(rename = "endsWith")]
    EndsWith,
    #[serde(rename = "between")]
    Between,
    #[serde(rename = "notBetween")]
    NotBetween,
    #[serde(rename = "isNull")]
    IsNull,
    #[serde(rename = "isNotNull", alias = "notNull")]
    IsNotNull,
}

impl Operator {
    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            Self::Not => "not",
            Self::Eq => "=",
            Self::Ne => "!=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::In => "in",
            Self::NotIn => "notIn",
            Self::Like => "like",
            Self::NotLike => "notLike",
            Self::Contains => "contains",
            Self::StartsWith => "startsWith",
            Self::EndsWith => "endsWith",
            Self::Between => "between",
            Self::NotBetween => "notBetween",
            Self::IsNull => "isNull",
            Self::IsNotNull => "isNotNull",
        }
    }

    pub(crate) fn joins(self) -> bool {
        matches!(self, Self::And | Self::Or | Self::Not)
    }
}

/// The deepest nesting; databases stop at some depth of their own, with a worse message.
const DEPTH: usize = 32;
/// The most comparisons in one filter.
const SIZE: usize = 200;
/// The most values in all lists of one filter; databases stop at some number of their own.
const VALUES: usize = 5_000;

/// Checks depth and size without recursion, before anything walks the filter.
pub(crate) fn check_size(criteria: &Criteria) -> Result<(), String> {
    let mut open = vec![(criteria, 1_usize)];
    let (mut count, mut values) = (0_usize, 0_usize);
    while let Some((one, depth)) = open.pop() {
        count += 1;
        if depth > DEPTH {
            return Err(format!("is nested deeper than {DEPTH} levels"));
        }
        if count > SIZE {
            return Err(format!(
                "has more than {SIZE} comparisons; use `in` with a list, or several searches"
            ));
        }
        values += one
            .value
            .as_ref()
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        if values > VALUES {
            return Err(format!("lists more than {VALUES} values in all"));
        }
        open.extend(one.criteria.iter().map(|nested| (nested, depth + 1)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nest(depth: usize) -> Criteria {
        let leaf = Criteria {
            field: Some("id".into()),
            operator: Operator::Eq,
            value: Some(1.into()),
            value2: None,
            criteria: vec![],
        };
        (1..depth).fold(leaf, |inner, _| Criteria {
            field: None,
            operator: Operator::Not,
            value: None,
            value2: None,
            criteria: vec![inner],
        })
    }

    #[test]
    fn depth_and_size_have_limits() {
        assert!(check_size(&nest(32)).is_ok());
        assert!(check_size(&nest(33)).unwrap_err().contains("32 levels"));
        assert!(check_size(&nest(10_000)).unwrap_err().contains("32 levels"));
        let wide = Criteria {
            criteria: vec![nest(1); 201],
            ..nest(2)
        };
        assert!(check_size(&wide).unwrap_err().contains("200"));
    }
}
