use std::collections::BTreeMap;

use super::pairs::keeps_pairs;
use super::step::MigrationStep;
use crate::records::catalog::Catalog;
use crate::records::model::{Field, FieldType, Model};
use crate::records::values::decimal::INTEGER_DIGITS;
use crate::records::values::limits::max_length;

/// What has to change between the models as applied and the models as declared.
#[derive(Debug, Default)]
pub(super) struct Diff<'a> {
    pub(super) new_models: Vec<&'a Model>,
    pub(super) gone_models: Vec<&'a Model>,
    pub(super) new_fields: Vec<(&'a Model, &'a Field)>,
    pub(super) gone_fields: Vec<(&'a Model, &'a Field)>,
    pub(super) changed: Vec<Changed<'a>>,
    /// The many_to_many fields that are to keep pairs.
    pub(super) new_pairs: Vec<(&'a Model, &'a Field)>,
    /// Those that keep none any more.
    pub(super) gone_pairs: Vec<(&'a Model, &'a Field)>,
}

/// A field that stays, with another definition.
#[derive(Debug)]
pub(super) struct Changed<'a> {
    pub(super) model: &'a Model,
    pub(super) old: &'a Field,
    pub(super) new: &'a Field,
}

impl<'a> Diff<'a> {
    pub(super) fn between(applied: &'a BTreeMap<String, Model>, catalog: &'a Catalog) -> Self {
        let mut diff = Self::default();
        for model in catalog.own() {
            match applied.get(&model.name) {
                Some(old) => diff.fields(old, model),
                None => {
                    diff.new_models.push(model);
                    diff.new_pairs
                        .extend(keeping(model).map(|field| (model, field)));
                }
            }
        }
        diff.gone_models = applied
            .values()
            .filter(|old| {
                catalog
                    .model(&old.name)
                    .is_none_or(|model| model.mapping.is_some())
            })
            .collect();
        for model in &diff.gone_models {
            diff.gone_pairs
                .extend(keeping(model).map(|field| (*model, field)));
        }
        diff
    }

    /// What is to be done, in its order.
    pub(super) fn steps(&self) -> Vec<MigrationStep> {
        let of = |(model, field): (&Model, &Field)| (model.name.clone(), field.name.clone());
        let mut steps = Vec::new();
        for (model, field) in self.gone_pairs.iter().copied().map(of) {
            steps.push(MigrationStep::DropField { model, field });
        }
        for (model, field) in self.gone_fields.iter().copied().map(of) {
            steps.push(MigrationStep::DropField { model, field });
        }
        for model in &self.gone_models {
            let model = model.name.clone();
            steps.push(MigrationStep::DropModel { model });
        }
        for model in &self.new_models {
            let model = model.name.clone();
            steps.push(MigrationStep::CreateModel { model });
        }
        let added = self.new_pairs.iter().filter(|(model, _)| {
            let mut new = self.new_models.iter();
            new.all(|new| new.name != model.name)
        });
        for (model, field) in added.copied().map(of) {
            steps.push(MigrationStep::AddField { model, field });
        }
        for (model, field) in self.new_fields.iter().copied().map(of) {
            steps.push(MigrationStep::AddField { model, field });
        }
        for changed in &self.changed {
            let (model, field) = of((changed.model, changed.new));
            steps.push(MigrationStep::ChangeField { model, field });
        }
        steps
    }

    fn pairs(&mut self, old: &'a Model, new: &'a Model) {
        let same = |field: &Field, model: &'a Model| {
            let mut others = keeping(model);
            others
                .any(|other| other.name == field.name && other.kind.linked() == field.kind.linked())
        };
        let gone = keeping(old).filter(|field| !same(field, new));
        self.gone_pairs.extend(gone.map(|field| (old, field)));
        let added = keeping(new).filter(|field| !same(field, old));
        self.new_pairs.extend(added.map(|field| (new, field)));
    }

    fn fields(&mut self, old: &'a Model, new: &'a Model) {
        self.pairs(old, new);
        let before = |field: &Field| old.stored().find(|other| other.name == field.name);
        for field in new.stored() {
            match before(field) {
                None => self.new_fields.push((new, field)),
                Some(same) if same == field => {}
                Some(was) if keeps_values(&was.kind, &field.kind) => {
                    self.changed.push(Changed {
                        model: new,
                        old: was,
                        new: field,
                    });
                }
                Some(was) => {
                    self.gone_fields.push((old, was));
                    self.new_fields.push((new, field));
                }
            }
        }
        let gone = old
            .stored()
            .filter(|field| !new.stored().any(|other| other.name == field.name));
        self.gone_fields.extend(gone.map(|field| (old, field)));
    }
}

fn keeping(model: &Model) -> impl Iterator<Item = &Field> {
    model.fields.iter().filter(|field| keeps_pairs(field))
}

impl Changed<'_> {
    /// The greatest length, when it became less.
    pub(super) fn shortened(&self) -> Option<u32> {
        // Files that are larger stay as they are.
        let new = max_length(self.new).filter(|_| !self.new.is_file())?;
        max_length(self.old)
            .is_none_or(|old| new < old)
            .then_some(new)
    }

    /// The options that went.
    pub(super) fn lost_options(&self) -> Vec<&str> {
        match (&self.old.kind, &self.new.kind) {
            (FieldType::Selection { options: old }, FieldType::Selection { options: new }) => old
                .iter()
                .filter(|option| !new.iter().any(|other| other.value == option.value))
                .map(|option| option.value.as_str())
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Whether stored values of the one type are values of the other as they are.
fn keeps_values(old: &FieldType, new: &FieldType) -> bool {
    match (old, new) {
        (
            FieldType::Decimal { precision, scale },
            FieldType::Decimal {
                precision: to,
                scale: same,
            },
        ) => {
            scale == same
                && to >= precision
                && (*precision > INTEGER_DIGITS) == (*to > INTEGER_DIGITS)
        }
        (FieldType::ManyToOne { model, .. }, FieldType::ManyToOne { model: same, .. }) => {
            model == same
        }
        (FieldType::Selection { .. }, FieldType::Selection { .. })
        | (FieldType::Binary { .. }, FieldType::Binary { .. }) => true,
        // An array with an option that is gone could not be read back.
        (FieldType::MultiSelection { options }, FieldType::MultiSelection { options: new }) => {
            options
                .iter()
                .all(|option| new.iter().any(|other| other.value == option.value))
        }
        (
            FieldType::String | FieldType::Text | FieldType::Selection { .. } | FieldType::Uuid,
            FieldType::String | FieldType::Text,
        ) => true,
        (old, new) => old == new,
    }
}
