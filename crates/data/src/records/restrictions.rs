//! Restrictions: fields and data models that no language model may receive, or none of some
//! providers.
//!
//! - [`file`] reads them.
//! - [`tags`] say where the values of a stored result come from; [`origins`] finds that out.
//! - [`mask`] takes out, when a result is encoded for a reader, what the reader may not receive.
//!
//! Nothing is masked in storage: the person who asked sees the values.

mod audit;
mod file;
mod mask;
mod origins;
mod tags;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use self::origins::{UNKNOWN, split};
use super::catalog::Catalog;

pub use mask::{Form, MARKER};
pub use tags::{Subject as TagsOf, Tags};

/// What an organisation keeps from language models.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions {
    rules: Vec<Restriction>,
}

/// One thing that is kept from language models.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Restriction {
    model: String,
    /// The fields; none for the whole model.
    fields: Option<BTreeSet<String>>,
    /// Whose language models; none for all.
    providers: Option<BTreeSet<String>>,
}

/// Who a result is encoded for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience<'a> {
    /// A language model of this provider.
    LanguageModel {
        /// The provider's name in settings.
        provider: &'a str,
    },
    /// Somebody who may hand it on to any language model: callers over MCP and `/v1`.
    AnyLanguageModel,
    /// Who looks after what others did: sensitive fields are kept, and nothing else.
    Auditor,
}

/// A reader, and what must not reach it.
#[derive(Clone, Copy, Debug)]
pub struct Recipient<'a> {
    /// What is kept from it, among others.
    pub restrictions: &'a Restrictions,
    /// The data models.
    pub catalog: &'a Catalog,
    /// Who it is.
    pub audience: Audience<'a>,
}

/// What was taken out of results: how many values of each field, by `model.field`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Withheld(BTreeMap<String, u64>);

impl Withheld {
    /// Whether nothing was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The fields, as `model.field`.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    fn add(&mut self, field: impl Into<String>) {
        *self.0.entry(field.into()).or_default() += 1;
    }
}

impl Restriction {
    fn binds(&self, audience: Audience<'_>) -> bool {
        match (&self.providers, audience) {
            (_, Audience::Auditor) => false,
            (None, _) | (_, Audience::AnyLanguageModel) => true,
            (Some(names), Audience::LanguageModel { provider }) => {
                names.iter().any(|name| covers(name, provider))
            }
        }
    }
}

/// A name covers each way to speak to that provider: `openai` also `openai-responses`.
fn covers(name: &str, provider: &str) -> bool {
    provider
        .strip_prefix(name)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

impl<'a> Recipient<'a> {
    fn rules(&self) -> impl Iterator<Item = &'a Restriction> {
        let audience = self.audience;
        let rules = self.restrictions.rules.iter();
        rules.filter(move |rule| rule.binds(audience))
    }

    /// Whether nothing at all is kept from it.
    #[must_use]
    pub fn receives_all(&self) -> bool {
        match self.audience {
            Audience::Auditor => !self.catalog.has_sensitive(),
            _ => self.rules().next().is_none(),
        }
    }

    fn is_kept(&self, model: &str, field: &str) -> bool {
        if self.audience == Audience::Auditor {
            let model = self.catalog.model(model);
            let field = model.and_then(|model| model.field(field));
            return field.is_some_and(|field| field.rules.sensitive);
        }
        self.rules().any(|rule| {
            rule.model == model && rule.fields.as_ref().is_none_or(|kept| kept.contains(field))
        })
    }

    /// What is kept from it of where a value comes from. What is not known could be anything.
    fn kept_of<'o>(&self, origins: &'o BTreeSet<String>) -> Vec<&'o str> {
        let origins = origins.iter().map(String::as_str);
        origins
            .filter(|origin| {
                *origin == UNKNOWN
                    || split(origin).is_none_or(|(model, field)| self.is_kept(model, field))
            })
            .collect()
    }
}
