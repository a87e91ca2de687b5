use sea_query::{Expr, ExprTrait};

use super::compiler::{Compiler, Place};
use super::input::{Filter, Operand};
use super::typed::{Typed, aligned};
use crate::records::criteria::condition::{all, any};
use crate::records::criteria::input::{Criteria, Operator};
use crate::records::criteria::test_parse::{
    Parsed, Reading, comparison, no_operator, operators, parse_test,
};
use crate::records::criteria::variables::Variables;

/// What came of a condition.
pub(super) enum Held {
    Is(Expr),
    /// It compares with a parameter that has no value, and so does not count.
    LeftOut,
    /// It was noted what is wrong.
    Wrong,
}

impl From<Option<Expr>> for Held {
    fn from(expr: Option<Expr>) -> Self {
        expr.map_or(Self::Wrong, Self::Is)
    }
}

impl Compiler<'_> {
    /// The conditions of a list, without those that don't count.
    pub(super) fn filters(
        &mut self,
        filters: &[Filter],
        at: &str,
        place: Place,
    ) -> Option<Vec<Expr>> {
        let mut held = Vec::new();
        let mut all_sound = true;
        for (index, filter) in filters.iter().enumerate() {
            match self.filter(filter, &format!("{at}/{index}"), place) {
                Held::Is(expr) => held.push(expr),
                Held::LeftOut => {}
                Held::Wrong => all_sound = false,
            }
        }
        all_sound.then_some(held)
    }

    fn filter(&mut self, filter: &Filter, at: &str, place: Place) -> Held {
        let queries = [
            ("exists", filter.exists.as_ref()),
            ("notExists", filter.not_exists.as_ref()),
        ];
        for (key, query) in queries {
            if let Some(query) = query {
                self.strays(filter, at, key, &[key]);
                let at = format!("{at}/{key}");
                let expr = self
                    .exists(query, &at, place)
                    .map(|expr| if key == "exists" { expr } else { expr.not() });
                return expr.into();
            }
        }
        let Some(operator) = filter.operator else {
            let message = "needs an `operator`, or `exists`, or `notExists`";
            self.wrong(format!("{at}/operator"), message);
            return Held::Wrong;
        };
        if operator.joins() {
            self.combined(filter, operator, at, place)
        } else {
            self.comparison(filter, operator, at, place)
        }
    }

    fn combined(&mut self, filter: &Filter, operator: Operator, at: &str, place: Place) -> Held {
        let name = operator.name();
        self.strays(filter, at, name, &["criteria"]);
        if filter.criteria.is_empty() {
            self.wrong(
                format!("{at}/criteria"),
                format!("`{name}` needs at least one nested condition"),
            );
            return Held::Wrong;
        }
        let parts = self.filters(&filter.criteria, &format!("{at}/criteria"), place);
        match (parts, operator) {
            (None, _) => Held::Wrong,
            (Some(parts), _) if parts.is_empty() => Held::LeftOut,
            (Some(parts), Operator::Or) => Held::Is(any(parts)),
            (Some(parts), Operator::Not) => Held::Is(any(parts).not()),
            (Some(parts), _) => Held::Is(all(parts)),
        }
    }

    /// Notes each part that the condition has no use for.
    fn strays(&mut self, filter: &Filter, at: &str, name: &str, taken: &[&str]) {
        let parts = [
            ("field", filter.field.is_some()),
            ("left", filter.left.is_some()),
            (
                "operator",
                filter.operator.is_some() && name.ends_with("xists"),
            ),
            ("value", filter.value.is_some()),
            ("value2", filter.value2.is_some()),
            ("param", filter.param.is_some()),
            ("param2", filter.param2.is_some()),
            ("right", filter.right.is_some()),
            ("query", filter.query.is_some()),
            ("exists", filter.exists.is_some()),
            ("notExists", filter.not_exists.is_some()),
            ("criteria", !filter.criteria.is_empty()),
        ];
        for (key, there) in parts {
            if there && !taken.contains(&key) {
                self.wrong(format!("{at}/{key}"), format!("`{name}` takes no `{key}`"));
            }
        }
    }

    fn comparison(&mut self, filter: &Filter, operator: Operator, at: &str, place: Place) -> Held {
        let left = match (&filter.field, &filter.left) {
            (Some(field), None) => self.field(field, &format!("{at}/field"), place),
            (None, Some(left)) => self.operand(left, &format!("{at}/left"), place),
            _ => {
                let message = format!("`{}` needs either `field` or `left`", operator.name());
                self.wrong(at, message);
                None
            }
        };
        let Some(left) = left else {
            return Held::Wrong;
        };
        let field = left.as_field();
        let allowed = operators(&field);
        if !allowed.contains(&operator) {
            let message = no_operator(&field, operator, allowed);
            self.wrong(format!("{at}/operator"), message);
            return Held::Wrong;
        }
        let right = [
            filter.value.is_some(),
            filter.param.is_some(),
            filter.right.is_some(),
            filter.query.is_some(),
        ];
        if right.iter().filter(|there| **there).count() > 1 {
            let message = "give one of `value`, `param`, `right`, `query`";
            self.wrong(at, message);
            return Held::Wrong;
        }
        let name = operator.name();
        if let Some(right) = &filter.right {
            self.strays(filter, at, name, &["field", "left", "right"]);
            return self.with_operand(left, operator, right, at, place).into();
        }
        if let Some(query) = &filter.query {
            self.strays(filter, at, name, &["field", "left", "query"]);
            return self.in_query(left, operator, query, at, place).into();
        }
        let taken = ["field", "left", "value", "value2", "param", "param2"];
        self.strays(filter, at, name, &taken);
        self.with_value(&left, operator, filter, at)
    }

    /// A comparison with a field, a function, a calculation.
    fn with_operand(
        &mut self,
        left: Typed,
        operator: Operator,
        right: &Operand,
        at: &str,
        place: Place,
    ) -> Option<Expr> {
        use Operator::{Eq, Ge, Gt, Le, Lt, Ne};
        let at = format!("{at}/right");
        if !matches!(operator, Eq | Ne | Gt | Ge | Lt | Le) {
            let message = format!("`{}` compares with values alone", operator.name());
            self.wrong(at, message);
            return None;
        }
        let right = self.hinted(right, &at, place, Some(&left.kind.clone()))?;
        if let Some((left, right)) = left.as_stored_beside(&right) {
            return Some(comparison(operator).expr(left, right));
        }
        let (left, right, _) = self.noted(&at, aligned(self.sql(), left, right))?;
        Some(comparison(operator).expr(left, right))
    }

    fn with_value(&mut self, left: &Typed, operator: Operator, filter: &Filter, at: &str) -> Held {
        let value = self.given(left, operator, (&filter.value, &filter.param), "param", at);
        let value2 = self.given(
            left,
            operator,
            (&filter.value2, &filter.param2),
            "param2",
            at,
        );
        let (Some(value), Some(value2)) = (value, value2) else {
            return Held::Wrong;
        };
        let (Given::Value(value), Given::Value(value2)) = (value, value2) else {
            return Held::LeftOut;
        };
        let criteria = Criteria {
            field: None,
            operator,
            value,
            value2,
            criteria: Vec::new(),
        };
        let reading = Reading {
            now: self.now,
            variables: Variables::None,
        };
        match parse_test(&left.as_field(), &criteria, reading) {
            Ok(Parsed::Test(test)) => Held::Is(left.test(self.dialect, &test)),
            Ok(Parsed::Unknown) => Held::Wrong,
            Err((part, message)) => {
                let at = match (part, &filter.param, &filter.param2) {
                    ("/value", Some(name), _) | ("/value2", _, Some(name)) => {
                        format!("/params/{name}")
                    }
                    _ => format!("{at}{part}"),
                };
                self.wrong(at, message);
                Held::Wrong
            }
        }
    }

    /// What is compared with: the value as it is written, or that of the parameter.
    fn given(
        &mut self,
        left: &Typed,
        operator: Operator,
        (value, param): (&Option<serde_json::Value>, &Option<String>),
        key: &str,
        at: &str,
    ) -> Option<Given> {
        let Some(name) = param else {
            return Some(Given::Value(value.clone()));
        };
        let at = format!("{at}/{key}");
        if value.is_some() || matches!(operator, Operator::In | Operator::NotIn) {
            let message = format!("`{}` takes no `{key}` here", operator.name());
            self.wrong(at, message);
            return None;
        }
        let Some(param) = self.params.get(name) else {
            self.unknown_param(name, &at);
            return None;
        };
        let typed = Typed::new(Expr::null(), param.kind.clone(), name.clone());
        let fits = aligned(self.sql(), left.clone(), typed).map(drop);
        self.noted(&at, fits)?;
        let value = &self.params.get(name)?.value;
        Some(match value {
            Some(value) => Given::Value(Some(value.clone())),
            None => Given::Nothing,
        })
    }
}

/// What a comparison has on its right.
enum Given {
    /// What is written, if anything is.
    Value(Option<serde_json::Value>),
    /// A parameter without a value.
    Nothing,
}
