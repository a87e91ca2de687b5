use std::collections::BTreeSet;

use serde_json::{Map, Value};
use toolcrib::id::{CredentialId, OrgId, UserId};
use toolcrib_data::platform::people::{CredentialKind, CredentialRow, UserRow};

/// The user on whose behalf a call runs; never the agent.
#[derive(Clone, Debug)]
pub struct Principal {
    /// The organisation.
    pub org: OrgId,
    /// The user.
    pub user: UserId,
    /// The address.
    pub email: String,
    /// The name for people.
    pub name: String,
    /// The roles.
    pub roles: Vec<String>,
    /// Attributes that row conditions may name.
    pub attributes: Map<String, Value>,
    /// What the user came in with; none for work that goes on without the user.
    pub credential: Option<Credential>,
}

/// A session or token, as the counter sees it.
#[derive(Clone, Debug)]
pub struct Credential {
    /// Its id.
    pub id: CredentialId,
    /// Session or token.
    pub kind: CredentialKind,
    /// Whether a person can be asked.
    pub attended: bool,
    /// What it may do beyond calling tools.
    pub scopes: BTreeSet<Scope>,
}

/// What a token may do beyond calling tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Decide approvals. No token has it unless somebody gave it on purpose.
    DecideApprovals,
}

impl Scope {
    /// The stored and public name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DecideApprovals => "approvals:decide",
        }
    }
}

impl Principal {
    /// The user of that row, with what they came in with.
    #[must_use]
    pub fn new(user: UserRow, credential: Option<CredentialRow>) -> Self {
        Self {
            org: user.org,
            user: user.id,
            email: user.email,
            name: user.name,
            roles: user.roles,
            attributes: user.attributes,
            credential: credential.map(|row| Credential {
                id: row.id,
                kind: row.kind,
                attended: row.attended,
                scopes: row
                    .scopes
                    .iter()
                    .filter(|name| name.as_str() == Scope::DecideApprovals.name())
                    .map(|_| Scope::DecideApprovals)
                    .collect(),
            }),
        }
    }

    /// Whether the user has the role.
    #[must_use]
    pub fn has_role(&self, role: &str) -> bool {
        self.roles.iter().any(|own| own == role)
    }

    /// Whether the user may edit tools and agents.
    #[must_use]
    pub fn may_edit(&self) -> bool {
        self.has_role("admin") || self.has_role("builder")
    }

    /// Whether somebody can be asked for a decision.
    #[must_use]
    pub fn is_attended(&self) -> bool {
        self.credential
            .as_ref()
            .is_some_and(|credential| credential.attended)
    }
}
