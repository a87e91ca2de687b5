use serde_json::Value;

use super::compiler::{Compiler, Place};
use super::input::{Function, Operand};
use super::typed::Typed;
use crate::records::model::FieldType;
use crate::records::nearest::{clip, did_you_mean};
use crate::records::sql::Shape;

impl Operand {
    /// Whether its type is whatever it is put together with.
    pub(super) fn is_literal(&self) -> bool {
        self.value.is_some() && self.function.is_none()
    }

    /// What stands beside the function.
    fn beside(&self) -> Option<Self> {
        let beside = Self {
            function: None,
            args: Vec::new(),
            unit: None,
            digits: None,
            alias: None,
            ..self.clone()
        };
        (beside != Self::default()).then_some(beside)
    }

    /// Without its name: what makes two of them the same.
    pub(super) fn unnamed(&self) -> Self {
        Self {
            alias: None,
            ..self.clone()
        }
    }
}

impl Compiler<'_> {
    /// An operand inside another or in a condition.
    pub(super) fn operand(&mut self, operand: &Operand, at: &str, place: Place) -> Option<Typed> {
        self.hinted(operand, at, place, None)
    }

    /// The same; a literal is read as the hint says.
    pub(super) fn hinted(
        &mut self,
        operand: &Operand,
        at: &str,
        place: Place,
        hint: Option<&FieldType>,
    ) -> Option<Typed> {
        if operand.alias.is_some() {
            self.wrong(
                format!("{at}/as"),
                "only the columns of select and summaries have a name",
            );
        }
        self.unchecked(operand, at, place, hint)
    }

    /// The operand that a column is made of.
    pub(super) fn column(&mut self, operand: &Operand, at: &str, place: Place) -> Option<Typed> {
        self.unchecked(operand, at, place, None)
    }

    fn unchecked(
        &mut self,
        operand: &Operand,
        at: &str,
        place: Place,
        hint: Option<&FieldType>,
    ) -> Option<Typed> {
        if place == Place::Group
            && let Some(key) = self.key_of(operand)
        {
            return Some(key);
        }
        if let Some(function) = operand.function {
            return self.call(function, operand, at, place);
        }
        self.no_arguments(operand, at);
        let given = [
            operand.field.is_some(),
            operand.value.is_some(),
            operand.param.is_some(),
            operand.calc.is_some(),
            operand.case.is_some(),
        ];
        if given.iter().filter(|there| **there).count() != 1 {
            self.wrong(
                at,
                "must be one of `field`, `value`, `param`, `calc`, `case`, or a `fn`",
            );
            return None;
        }
        if let Some(field) = &operand.field {
            return self.field(field, &format!("{at}/field"), place);
        }
        if let Some(value) = &operand.value {
            return self.literal(value, hint, &format!("{at}/value"));
        }
        if let Some(param) = &operand.param {
            return self.param(param, &format!("{at}/param"));
        }
        if let Some(calc) = &operand.calc {
            return self.calc(calc, &format!("{at}/calc"), place);
        }
        let case = operand.case.as_ref()?;
        self.case(case, &format!("{at}/case"), place)
    }

    /// The value of the group, if the operand is what is grouped by.
    fn key_of(&self, operand: &Operand) -> Option<Typed> {
        let groups = &self.scopes.last()?.groups;
        let unnamed = operand.unnamed();
        let key = groups
            .keys
            .iter()
            .find(|key| key.operand.as_ref() == Some(&unnamed))?;
        Some(key.typed.clone())
    }

    fn no_arguments(&mut self, operand: &Operand, at: &str) {
        let stray = [
            ("args", !operand.args.is_empty()),
            ("unit", operand.unit.is_some()),
            ("digits", operand.digits.is_some()),
        ];
        for (key, _) in stray.into_iter().filter(|(_, there)| *there) {
            self.wrong(format!("{at}/{key}"), format!("`{key}` needs a `fn`"));
        }
    }

    fn call(
        &mut self,
        function: Function,
        operand: &Operand,
        at: &str,
        place: Place,
    ) -> Option<Typed> {
        let name = function.name();
        if operand.unit.is_some() && function != Function::Truncate {
            self.wrong(format!("{at}/unit"), format!("`{name}` takes no `unit`"));
        }
        if operand.digits.is_some() && function != Function::Round {
            self.wrong(
                format!("{at}/digits"),
                format!("`{name}` takes no `digits`"),
            );
        }
        let beside = operand.beside();
        let mut arguments: Vec<(&Operand, String)> = Vec::new();
        arguments.extend(beside.iter().map(|beside| (beside, at.to_owned())));
        let numbered = operand.args.iter().enumerate();
        arguments.extend(numbered.map(|(index, arg)| (arg, format!("{at}/args/{index}"))));
        if function == Function::Coalesce {
            return self.coalesce(&arguments, at, place);
        }
        if function.is_aggregate() {
            return self.aggregate(function, &arguments, at, place);
        }
        let [(argument, argument_at)] = &arguments[..] else {
            self.wrong(
                at,
                format!("`{name}` takes one argument; got {}", arguments.len()),
            );
            return None;
        };
        let argument = self.operand(argument, argument_at, place)?;
        let outcome = super::function::scalar(
            self.sql(),
            function,
            argument,
            (operand.unit, operand.digits),
        );
        self.noted(at, outcome)
    }

    fn coalesce(
        &mut self,
        arguments: &[(&Operand, String)],
        at: &str,
        place: Place,
    ) -> Option<Typed> {
        if arguments.len() < 2 {
            self.wrong(at, "`coalesce` takes two or more arguments");
            return None;
        }
        let (exprs, kind, weight) = self.alike(arguments, at, place)?;
        let typed = Typed::new(sea_query::Func::coalesce(exprs).into(), kind, "coalesce");
        let outcome = typed.weighing(weight);
        self.noted(at, outcome)
    }

    fn param(&mut self, name: &str, at: &str) -> Option<Typed> {
        let Some(param) = self.params.get(name) else {
            self.unknown_param(name, at);
            return None;
        };
        match &param.value {
            Some(value) => {
                let typed = self.literal(
                    &value.clone(),
                    Some(&param.kind),
                    &format!("/params/{name}"),
                )?;
                let label = name.to_owned();
                Some(Typed { label, ..typed })
            }
            None => {
                let nothing = self.sql().null(Shape::of(&param.kind));
                Some(Typed::new(nothing, param.kind.clone(), name))
            }
        }
    }

    pub(super) fn unknown_param(&mut self, name: &str, at: &str) {
        let hint = did_you_mean(name, self.params.names());
        let hint = if hint.is_empty() {
            "; this query has none, so write the value".to_owned()
        } else {
            hint
        };
        self.wrong(at, format!("unknown parameter `{}`{hint}", clip(name)));
    }

    /// A value that is written in the query.
    fn literal(&mut self, value: &Value, hint: Option<&FieldType>, at: &str) -> Option<Typed> {
        let outcome = super::literal::read(value, hint, self.now);
        self.noted(at, outcome)
    }
}
