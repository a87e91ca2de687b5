//! Random expressions and conditions, of models and fields that are known.

use serde_json::json;

use super::ast::{Cond, Ex, Kind, Source, What};
use super::rights::{Known, with_value};
use super::rng::Rng;
use super::world::{DATES, TEXTS, fields, target};

pub(crate) fn has_aggregate(ex: &Ex) -> bool {
    match &ex.what {
        What::Agg(..) => true,
        What::Calc(_, parts) | What::Call(_, parts, _) => parts.iter().any(has_aggregate),
        What::Case(branches, otherwise) => {
            branches.iter().any(|(_, then)| has_aggregate(then))
                || otherwise.as_ref().is_some_and(|ex| has_aggregate(ex))
        }
        _ => false,
    }
}

/// What an expression is wanted to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    Number,
    Text,
    Date,
    Any,
}

impl Want {
    fn fits(self, kind: Kind) -> bool {
        match self {
            Self::Number => kind.is_number(),
            Self::Text => kind == Kind::Text,
            Self::Date => kind == Kind::Date,
            Self::Any => true,
        }
    }
}

pub(crate) fn ex(kind: Kind, what: What) -> Ex {
    Ex { kind, what }
}

pub(crate) struct Generate<'g> {
    pub(crate) rng: &'g mut Rng,
    pub(crate) known: &'g Known,
    aliases: usize,
    pub(crate) sub_queries: usize,
}

impl<'g> Generate<'g> {
    pub(crate) fn new(rng: &'g mut Rng, known: &'g Known) -> Self {
        Self {
            rng,
            known,
            aliases: 0,
            sub_queries: 2,
        }
    }

    pub(crate) fn source(&mut self, model: &'static str) -> Source {
        self.aliases += 1;
        Source {
            model,
            alias: format!("a{}", self.aliases),
        }
    }

    pub(crate) fn known_model(&mut self) -> &'static str {
        let models: Vec<&'static str> = self.known.keys().copied().collect();
        self.rng.pick(&models)
    }

    /// Every field that the sources lead to, over one relation at most.
    fn paths(&self, sources: &[Source], want: Want) -> Vec<Ex> {
        let mut all = Vec::new();
        for source in sources {
            for (name, kind) in fields(source.model) {
                if !self.known[source.model].contains(name) {
                    continue;
                }
                all.push(ex(*kind, What::Field(source.alias.clone(), vec![name])));
                let Some(target) = target(source.model, name) else {
                    continue;
                };
                let Some(known) = self.known.get(target) else {
                    continue;
                };
                for (end, kind) in fields(target).iter().filter(|(end, _)| known.contains(end)) {
                    all.push(ex(
                        *kind,
                        What::Field(source.alias.clone(), vec![name, end]),
                    ));
                }
            }
        }
        all.retain(|one| want.fits(one.kind));
        all
    }

    pub(crate) fn field(&mut self, sources: &[Source], want: Want) -> Option<Ex> {
        let all = self.paths(sources, want);
        (!all.is_empty()).then(|| self.rng.pick(&all))
    }

    fn literal(&mut self, want: Want) -> Ex {
        match want {
            Want::Text => ex(Kind::Text, What::Lit(json!(self.rng.pick(TEXTS)))),
            Want::Date => ex(Kind::Date, What::Lit(json!(self.rng.pick(DATES)))),
            _ if self.rng.chance(50) => ex(Kind::Int, What::Lit(json!(self.rng.below(4)))),
            _ => {
                let (scale, value) = self.rng.pick(&[(1, 0.5), (2, 1.25), (1, -2.5)]);
                ex(Kind::Dec(scale), What::Lit(json!(value)))
            }
        }
    }

    /// An expression about one row, never a literal.
    pub(crate) fn expression(
        &mut self,
        sources: &[Source],
        want: Want,
        depth: usize,
    ) -> Option<Ex> {
        if depth == 0 || want == Want::Any || self.rng.chance(40) {
            return self.field(sources, want);
        }
        match (want, self.rng.below(6)) {
            (Want::Number, 0 | 1) => self.calc(sources, depth),
            (Want::Number, 2) => {
                let date = self.expression(sources, Want::Date, depth - 1)?;
                let part = self
                    .rng
                    .pick(&["year", "quarter", "month", "week", "day", "weekday"]);
                Some(ex(Kind::Int, What::Call(part, vec![date], None)))
            }
            (Want::Number, 3) => {
                let number = self.expression(sources, Want::Number, depth - 1)?;
                if self.rng.chance(50) {
                    return Some(ex(number.kind, What::Call("abs", vec![number], None)));
                }
                let digits = u32::try_from(self.rng.below(3)).unwrap();
                let kind = if number.kind.scale() > digits {
                    Kind::Dec(digits)
                } else {
                    number.kind
                };
                Some(ex(
                    kind,
                    What::Call("round", vec![number], Some(json!(digits))),
                ))
            }
            (Want::Text, 0 | 1) => {
                let text = self.expression(sources, Want::Text, depth - 1)?;
                let function = self.rng.pick(&["lower", "upper"]);
                Some(ex(Kind::Text, What::Call(function, vec![text], None)))
            }
            (Want::Date, 0..=2) => {
                let date = self.expression(sources, Want::Date, depth - 1)?;
                let unit = self.rng.pick(&["year", "quarter", "month", "week", "day"]);
                Some(ex(
                    Kind::Date,
                    What::Call("truncate", vec![date], Some(json!(unit))),
                ))
            }
            (_, 4) => {
                let parts = vec![
                    self.expression(sources, want, depth - 1)?,
                    self.any_of(sources, want)?,
                ];
                Some(ex(common(&parts), What::Call("coalesce", parts, None)))
            }
            _ => {
                let field = self.field(sources, Want::Any)?;
                let condition = with_value(self.rng, field);
                let then = self.expression(sources, want, depth - 1)?;
                let otherwise = self.rng.chance(60).then(|| self.any_of(sources, want));
                let otherwise = otherwise.flatten();
                let mut parts = vec![then.clone()];
                parts.extend(otherwise.clone());
                Some(ex(
                    common(&parts),
                    What::Case(vec![(condition, then)], otherwise.map(Box::new)),
                ))
            }
        }
    }

    pub(crate) fn any_of(&mut self, sources: &[Source], want: Want) -> Option<Ex> {
        if self.rng.chance(50) {
            Some(self.literal(want))
        } else {
            self.field(sources, want)
        }
    }

    fn calc(&mut self, sources: &[Source], depth: usize) -> Option<Ex> {
        let operator = self.rng.pick(&["+", "-", "*", "/"]);
        // Nothing deep is multiplied: it would not stay within 18 digits.
        let depth = if matches!(operator, "*" | "/") {
            0
        } else {
            depth - 1
        };
        let left = self.expression(sources, Want::Number, depth)?;
        let right = self.any_of(sources, Want::Number)?;
        let whole = left.kind == Kind::Int && right.kind == Kind::Int;
        let (a, b) = (left.kind.scale(), right.kind.scale());
        let kind = match operator {
            "/" => Kind::Dec(Ord::max(6, a)),
            _ if whole => Kind::Int,
            "*" => Kind::Dec(a + b),
            _ => Kind::Dec(Ord::max(a, b)),
        };
        Some(ex(kind, What::Calc(operator, vec![left, right])))
    }

    /// A condition on one row.
    pub(crate) fn condition(
        &mut self,
        sources: &[Source],
        depth: usize,
        queries: bool,
    ) -> Option<Cond> {
        if queries && self.sub_queries > 0 && self.rng.chance(20) {
            self.sub_queries -= 1;
            return self.with_query(sources);
        }
        if depth > 0 && self.rng.chance(30) {
            let mut parts = Vec::new();
            for _ in 0..=self.rng.below(2) {
                parts.push(self.condition(sources, depth - 1, queries)?);
            }
            return Some(Cond::Joined(self.rng.pick(&["and", "or", "not"]), parts));
        }
        let want = self
            .rng
            .pick(&[Want::Number, Want::Text, Want::Date, Want::Any]);
        let left = self.expression(sources, want, 1)?;
        if want == Want::Any || self.rng.chance(60) {
            return Some(with_value(self.rng, left));
        }
        let operator = self.rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
        let right = self.any_of(sources, want)?;
        Some(Cond::Compare(left, operator, right))
    }
}

/// The type that literals and others come to.
fn common(parts: &[Ex]) -> Kind {
    let first = parts[0].kind;
    if !first.is_number() || parts.iter().all(|part| part.kind == Kind::Int) {
        return first;
    }
    Kind::Dec(parts.iter().map(|part| part.kind.scale()).max().unwrap())
}
