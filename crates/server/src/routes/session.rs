//! Who is signed in.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod local;
pub(crate) mod read;

use serde::Serialize;
use toolcrib_counter::Principal;
use toolcrib_runtime::Runtime;
use utoipa::ToSchema;

/// The user that is signed in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    user: SessionUser,
    org: SessionOrg,
    /// Whether the user may edit tools, agents and settings.
    may_edit: bool,
}

#[derive(Debug, Serialize, ToSchema)]
struct SessionUser {
    id: String,
    name: String,
    email: String,
    roles: Vec<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct SessionOrg {
    id: String,
    name: String,
}

impl Session {
    fn new(runtime: &Runtime, principal: &Principal) -> Self {
        Self {
            user: SessionUser {
                id: principal.user.to_string(),
                name: principal.name.clone(),
                email: principal.email.clone(),
                roles: principal.roles.clone(),
            },
            org: SessionOrg {
                id: principal.org.to_string(),
                name: runtime.org_name().to_owned(),
            },
            may_edit: principal.may_edit(),
        }
    }
}
