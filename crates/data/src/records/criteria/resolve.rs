use super::condition::Condition;
use super::input::{Criteria, Operator, check_size};
use super::path::Names;
use super::test_parse::{Parsed, Reading, parse_test};
use crate::records::error::Problem;
use crate::records::model::Model;

/// Checks a filter against a model and gives it its meaning; all problems at once.
pub(crate) fn resolve<'c>(
    names: &impl Names<'c>,
    model: &'c Model,
    criteria: &Criteria,
    pointer: &str,
    reading: Reading<'_>,
) -> Result<Condition<'c>, Vec<Problem>> {
    check_size(criteria).map_err(|message| vec![Problem::new(pointer, message)])?;
    let mut resolver = Resolver {
        names,
        model,
        reading,
        problems: Vec::new(),
    };
    let condition = resolver.one(criteria, pointer);
    if resolver.problems.is_empty() {
        Ok(condition)
    } else {
        Err(resolver.problems)
    }
}

struct Resolver<'a, 'c, N> {
    names: &'a N,
    model: &'c Model,
    reading: Reading<'a>,
    problems: Vec<Problem>,
}

impl<'c, N: Names<'c>> Resolver<'_, 'c, N> {
    fn one(&mut self, criteria: &Criteria, pointer: &str) -> Condition<'c> {
        if criteria.operator.joins() {
            self.joined(criteria, pointer)
        } else {
            self.comparison(criteria, pointer)
        }
    }

    fn joined(&mut self, criteria: &Criteria, pointer: &str) -> Condition<'c> {
        let name = criteria.operator.name();
        let stray = [
            ("field", criteria.field.is_some()),
            ("value", criteria.value.is_some()),
            ("value2", criteria.value2.is_some()),
        ];
        for (key, _) in stray.iter().filter(|(_, there)| *there) {
            self.problem(
                format!("{pointer}/{key}"),
                format!("`{name}` takes only criteria"),
            );
        }
        if criteria.criteria.is_empty() {
            self.problem(
                format!("{pointer}/criteria"),
                format!("`{name}` needs at least one nested filter"),
            );
        }
        let nested = criteria.criteria.iter().enumerate();
        let parts: Vec<Condition<'c>> = nested
            .map(|(index, one)| self.one(one, &format!("{pointer}/criteria/{index}")))
            .collect();
        match criteria.operator {
            Operator::Or => Condition::Any(parts),
            Operator::Not => Condition::Not(Box::new(Condition::Any(parts))),
            _ => Condition::All(parts),
        }
    }

    fn comparison(&mut self, criteria: &Criteria, pointer: &str) -> Condition<'c> {
        let name = criteria.operator.name();
        if !criteria.criteria.is_empty() {
            self.problem(
                format!("{pointer}/criteria"),
                format!("`{name}` takes no nested filters; use and, or, not"),
            );
        }
        let Some(field) = &criteria.field else {
            self.problem(
                format!("{pointer}/field"),
                format!("`{name}` needs a field"),
            );
            return Condition::Unknown;
        };
        let path = match self.names.path(self.model, field) {
            Ok(path) => path,
            Err(message) => {
                self.problem(format!("{pointer}/field"), message);
                return Condition::Unknown;
            }
        };
        match parse_test(path.field, criteria, self.reading) {
            Ok(Parsed::Test(test)) => Condition::Is(path, test),
            Ok(Parsed::Unknown) => Condition::Unknown,
            Err((part, message)) => {
                self.problem(format!("{pointer}{part}"), message);
                Condition::Unknown
            }
        }
    }

    fn problem(&mut self, pointer: String, message: String) {
        self.problems.push(Problem { pointer, message });
    }
}
