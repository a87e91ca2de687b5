use sea_query::{CaseStatement, Cond, Expr};

use super::compiler::{Compiler, Place};
use super::input::{Case, Operand};
use super::typed::Typed;
use crate::records::criteria::condition::all;

impl Compiler<'_> {
    pub(super) fn case(&mut self, case: &Case, at: &str, place: Place) -> Option<Typed> {
        if case.when.is_empty() {
            self.wrong(format!("{at}/when"), "needs at least one branch");
            return None;
        }
        let mut conditions: Vec<Option<Expr>> = Vec::new();
        let mut values: Vec<(&Operand, String)> = Vec::new();
        for (index, branch) in case.when.iter().enumerate() {
            let at = format!("{at}/when/{index}");
            if branch.filters.is_empty() {
                self.wrong(format!("{at}/if"), "needs at least one condition");
            }
            let held = self.filters(&branch.filters, &format!("{at}/if"), place);
            conditions.push(held.map(all));
            values.push((&branch.then, format!("{at}/then")));
        }
        let otherwise = case.otherwise.iter();
        values.extend(otherwise.map(|operand| (operand, format!("{at}/else"))));
        let values = self.alike(&values, at, place);
        let conditions: Option<Vec<Expr>> = conditions.into_iter().collect();
        let (conditions, (values, kind, weight)) = (conditions?, values?);
        let mut values = values.into_iter();
        let mut statement = CaseStatement::new();
        for (condition, value) in conditions.into_iter().zip(values.by_ref()) {
            statement = statement.case(Cond::all().add(condition), value);
        }
        statement = statement.finally(values.next().unwrap_or_else(Expr::null));
        let outcome = Typed::new(statement.into(), kind, "case").weighing(weight);
        self.noted(at, outcome)
    }
}
