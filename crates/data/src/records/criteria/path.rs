use crate::records::catalog::Catalog;
use crate::records::model::{Field, FieldType, Model};
use crate::records::nearest::{clip, did_you_mean};

/// The most relations that one path follows.
const HOPS: usize = 5;

/// A field, reached over any number of relations.
#[derive(Clone, Debug)]
pub(crate) struct Path<'c> {
    /// The relations on the way, each with the model that it leads to.
    pub(crate) hops: Vec<(&'c Field, &'c Model)>,
    /// The field at the end.
    pub(crate) field: &'c Field,
}

/// Which fields of which models can be named.
pub(crate) trait Names<'c> {
    /// The models that there are.
    fn catalog(&self) -> &'c Catalog;
    /// Whether the field can be named at all; what can't is as if it did not exist.
    fn knows(&self, model: &'c Model, field: &Field) -> bool;

    /// Whether the model can be named at all.
    fn knows_model(&self, model: &'c Model) -> bool {
        model.fields.iter().any(|field| self.knows(model, field))
    }

    /// The names of a model's fields that can be named.
    fn known(&self, model: &'c Model) -> Vec<&'c str> {
        model
            .fields
            .iter()
            .filter(|f| self.knows(model, f))
            .map(|f| f.name.as_str())
            .collect()
    }

    /// The field of that name, if it can be named.
    fn find(&self, model: &'c Model, name: &str) -> Result<&'c Field, String> {
        model
            .field(name)
            .filter(|field| self.knows(model, field))
            .ok_or_else(|| {
                let hint = did_you_mean(name, self.known(model));
                format!("unknown field `{}` of `{}`{hint}", clip(name), model.name)
            })
    }

    /// Follows a dotted path from `model`.
    fn path(&self, model: &'c Model, text: &str) -> Result<Path<'c>, String> {
        let mut hops = Vec::new();
        let mut at = model;
        let mut rest = text;
        while let Some((name, tail)) = rest.split_once('.') {
            let field = self.find(at, name)?;
            let Some(target) = self
                .catalog()
                .target(field)
                .filter(|target| self.knows_model(target))
            else {
                return Err(self.not_a_way(at, field));
            };
            hops.push((field, target));
            if hops.len() > HOPS {
                return Err(format!("follows more than {HOPS} relations"));
            }
            at = target;
            rest = tail;
        }
        let field = self.find(at, rest)?;
        if field.holds_values() {
            Ok(Path { hops, field })
        } else {
            Err(self.not_a_way(at, field))
        }
    }

    /// Why a path does not go on at the field.
    fn not_a_way(&self, at: &Model, field: &Field) -> String {
        match &field.kind {
            FieldType::OneToMany { model, inverse } => {
                let other = self
                    .catalog()
                    .model(model)
                    .filter(|other| self.knows_model(other));
                match other {
                    Some(other) => {
                        format!(
                            "`{}` is a list of records; search `{}` by `{inverse}` instead",
                            field.name, other.name
                        )
                    }
                    None => format!("`{}` is a list of records that you can't read", field.name),
                }
            }
            FieldType::ManyToMany { .. } => format!(
                "`{}` is a list of records; compare it itself: `contains` with an id, isNull or isNotNull",
                field.name
            ),
            FieldType::ManyToOne { .. } => {
                format!("`{}` leads to records that you can't read", field.name)
            }
            kind => format!(
                "`{}` of `{}` is {}, so nothing follows it after a dot",
                field.name,
                at.name,
                kind.name()
            ),
        }
    }
}

/// Every field of every model: what grants are written against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllNames<'c>(pub(crate) &'c Catalog);

impl<'c> Names<'c> for AllNames<'c> {
    fn catalog(&self) -> &'c Catalog {
        self.0
    }

    fn knows(&self, _model: &'c Model, _field: &Field) -> bool {
        true
    }
}
