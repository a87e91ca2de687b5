//! Random queries that are sound for who knows these models and fields.

use serde_json::json;

use super::ast::PAIRS;
use super::ast::{Cond, Ex, J, Kind, Q, Source, What};
use super::generate::{Generate, Want, ex, has_aggregate};
use super::rights::with_value;
use super::world::{fields, lists, pairs};

impl Generate<'_> {
    pub(crate) fn with_query(&mut self, sources: &[Source]) -> Option<Cond> {
        let model = self.known_model();
        let from = self.source(model);
        let own = vec![from.clone()];
        let mut query = empty(from);
        if self.rng.chance(70) {
            query.filters.extend(self.condition(&own, 1, false));
        }
        if self.rng.chance(70) {
            let want = self.rng.pick(&[Want::Number, Want::Text, Want::Date]);
            let (left, right) = (self.field(&own, want), self.field(sources, want));
            if let Some((left, right)) = left.zip(right) {
                let operator = self.rng.pick(&["=", "=", "<"]);
                query.filters.push(Cond::Compare(left, operator, right));
            }
        }
        if self.rng.chance(40) {
            query
                .select
                .push(("x".into(), self.field(&own, Want::Any)?));
            return Some(Cond::Exists(self.rng.chance(50), Box::new(query)));
        }
        let want = self.rng.pick(&[Want::Number, Want::Text, Want::Date]);
        let left = self.expression(sources, want, 1)?;
        let column = self.expression(&own, want, 1)?;
        if self.rng.chance(30) {
            let column = ex(column.kind, What::Agg("max", Some(Box::new(column))));
            query.select.push(("x".into(), column));
            if self.rng.chance(60) {
                query.group_by.extend(self.field(&own, Want::Any));
            }
        } else {
            query.select.push(("x".into(), column));
        }
        Some(Cond::In(left, self.rng.chance(60), Box::new(query)))
    }

    fn join(&mut self, sources: &[Source]) -> Option<J> {
        let left = self.rng.chance(50);
        let known = self.known;
        let mut relations = Vec::new();
        for source in sources {
            let names = &known[source.model];
            for (name, kind) in fields(source.model)
                .iter()
                .filter(|(name, _)| names.contains(name))
            {
                if let Kind::Rel(target) = kind
                    && known.contains_key(target)
                {
                    relations.push((source.alias.clone(), *name, *target, None));
                }
            }
            for (name, model, back) in lists(source.model) {
                let listed = names.contains(name);
                if listed && known.get(model).is_some_and(|fields| fields.contains(back)) {
                    relations.push((source.alias.clone(), *name, *model, Some(*back)));
                }
            }
        }
        for source in sources {
            let names = &known[source.model];
            for (name, model) in pairs(source.model) {
                if names.contains(name) && known.contains_key(model) {
                    relations.push((source.alias.clone(), *name, *model, Some(PAIRS)));
                }
            }
        }
        if !relations.is_empty() && self.rng.chance(70) {
            let (alias, field, model, back) = self.rng.pick(&relations);
            let source = self.source(model);
            let mut on = Vec::new();
            if self.rng.chance(40) {
                on.extend(self.condition(std::slice::from_ref(&source), 1, false));
            }
            return Some(J {
                source,
                left,
                relation: Some((alias, field, back)),
                on,
            });
        }
        let model = self.known_model();
        let source = self.source(model);
        let own = vec![source.clone()];
        let want = self.rng.pick(&[Want::Number, Want::Text, Want::Date]);
        let (a, b) = (self.field(&own, want)?, self.field(sources, want)?);
        let mut on = vec![Cond::Compare(a, "=", b)];
        if self.rng.chance(40) {
            let both: Vec<Source> = sources.iter().chain(&own).cloned().collect();
            on.extend(self.condition(&both, 1, false));
        }
        Some(J {
            source,
            left,
            relation: None,
            on,
        })
    }

    pub(crate) fn query(&mut self) -> Q {
        let model = self.known_model();
        let from = self.source(model);
        let mut query = empty(from.clone());
        let mut sources = vec![from];
        for _ in 0..self.rng.pick(&[0, 0, 1, 1, 2]) {
            if let Some(join) = self.join(&sources) {
                sources.push(join.source.clone());
                query.joins.push(join);
            }
        }
        for _ in 0..self.rng.pick(&[0, 0, 1, 1, 2]) {
            query.filters.extend(self.condition(&sources, 2, true));
        }
        if self.rng.chance(45) {
            self.grouped(&mut query, &sources);
        } else {
            self.plain(&mut query, &sources);
        }
        query.limit = self.rng.pick(&[1, 3, 20, 100]);
        query.offset = self.rng.pick(&[0, 0, 0, 1, 4]);
        query
    }

    fn plain(&mut self, query: &mut Q, sources: &[Source]) {
        for index in 0..=self.rng.below(3) {
            let want = self
                .rng
                .pick(&[Want::Number, Want::Text, Want::Date, Want::Any]);
            let operand = self.expression(sources, want, 2);
            query
                .select
                .extend(operand.map(|operand| (format!("c{index}"), operand)));
        }
        if query.select.is_empty() {
            let one = ex(Kind::Int, What::Lit(json!(1)));
            query.select.push(("c".into(), one));
        }
        query.distinct = self.rng.chance(30);
        self.sort(query, sources);
        self.summarise(query, sources);
    }

    fn grouped(&mut self, query: &mut Q, sources: &[Source]) {
        for index in 0..self.rng.below(3) {
            let name = format!("k{index}");
            let plain = self.rng.chance(50);
            let want = self
                .rng
                .pick(&[Want::Number, Want::Text, Want::Date, Want::Any]);
            let Some(key) = (if plain {
                self.field(sources, want)
            } else {
                self.expression(sources, want, 1)
            }) else {
                continue;
            };
            let is_field = matches!(key.what, What::Field(..));
            if is_field && (self.rng.chance(50) || query.group_by.contains(&key)) {
                query.group_by.push(key);
            } else {
                query
                    .group_by
                    .push(ex(key.kind, What::Column(name.clone())));
                query.select.push((name, key));
            }
        }
        for index in 0..=self.rng.below(3) {
            let operand = self.aggregate(sources);
            query.select.push((format!("a{index}"), operand));
        }
        if self.rng.chance(30) {
            let (top, bottom) = (self.sum(sources), self.aggregate_count());
            if let Some(top) = top {
                let kind = Kind::Dec(Ord::max(6, top.kind.scale()));
                query
                    .select
                    .push(("ratio".into(), ex(kind, What::Calc("/", vec![top, bottom]))));
            }
        }
        if !query.group_by.is_empty() && self.rng.chance(40) {
            let (name, operand) = self.rng.pick(&query.select);
            let left = if self.rng.chance(50) {
                ex(operand.kind, What::Column(name))
            } else {
                self.aggregate(sources)
            };
            query.having.push(with_value(self.rng, left));
        }
        query.distinct = self.rng.chance(10);
        self.sort(query, &[]);
        self.summarise(query, sources);
    }

    fn aggregate_count(&mut self) -> Ex {
        ex(Kind::Int, What::Agg("count", None))
    }

    fn sum(&mut self, sources: &[Source]) -> Option<Ex> {
        let number = self.expression(sources, Want::Number, 1)?;
        Some(ex(number.kind, What::Agg("sum", Some(Box::new(number)))))
    }

    fn aggregate(&mut self, sources: &[Source]) -> Ex {
        let made = match self.rng.below(6) {
            0 => self.sum(sources),
            1 => self.expression(sources, Want::Number, 1).map(|number| {
                let kind = Kind::Dec(Ord::max(6, number.kind.scale()));
                ex(kind, What::Agg("avg", Some(Box::new(number))))
            }),
            2 | 3 => {
                let want = self.rng.pick(&[Want::Number, Want::Text, Want::Date]);
                let function = self.rng.pick(&["min", "max"]);
                let argument = self.expression(sources, want, 1);
                argument.map(|one| ex(one.kind, What::Agg(function, Some(Box::new(one)))))
            }
            4 => {
                let function = self.rng.pick(&["count", "countDistinct"]);
                let argument = self.field(sources, Want::Any);
                argument.map(|one| ex(Kind::Int, What::Agg(function, Some(Box::new(one)))))
            }
            _ => None,
        };
        made.unwrap_or_else(|| self.aggregate_count())
    }

    fn sort(&mut self, query: &mut Q, sources: &[Source]) {
        for _ in 0..self.rng.below(3) {
            let by = if query.distinct || sources.is_empty() || self.rng.chance(50) {
                let (name, operand) = self.rng.pick(&query.select);
                Some(ex(operand.kind, What::Column(name)))
            } else {
                self.field(sources, Want::Any)
            };
            let descending = self.rng.chance(50);
            query.order.extend(by.map(|by| (by, descending)));
        }
    }

    fn summarise(&mut self, query: &mut Q, sources: &[Source]) {
        let of_columns = query.distinct
            || !query.group_by.is_empty()
            || query.select.iter().any(|(_, one)| has_aggregate(one));
        for index in 0..self.rng.below(3) {
            let operand = if of_columns || self.rng.chance(40) {
                let (name, operand) = self.rng.pick(&query.select);
                let column = ex(operand.kind, What::Column(name));
                let function = match operand.kind {
                    Kind::Bool | Kind::Rel(_) => self.rng.pick(&["count", "countDistinct"]),
                    Kind::Text | Kind::Date => self.rng.pick(&["count", "min", "max"]),
                    // Sums of sums stay small enough.
                    _ => self.rng.pick(&["sum", "min", "max", "countDistinct"]),
                };
                let kind = if function.starts_with("count") {
                    Kind::Int
                } else {
                    operand.kind
                };
                ex(kind, What::Agg(function, Some(Box::new(column))))
            } else {
                self.aggregate(sources)
            };
            query.summaries.push((format!("s{index}"), operand));
        }
    }
}

fn empty(from: Source) -> Q {
    Q {
        from,
        joins: Vec::new(),
        filters: Vec::new(),
        select: Vec::new(),
        group_by: Vec::new(),
        having: Vec::new(),
        order: Vec::new(),
        distinct: false,
        limit: 100,
        offset: 0,
        summaries: Vec::new(),
    }
}
