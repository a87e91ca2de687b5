use std::collections::BTreeSet;
use std::sync::Arc;

use toolcrib::id::{OrgId, UserId};

use crate::Clock;
use crate::records::access::{Access, Narrowing, Subject};
use crate::records::catalog::Catalog;
use crate::records::rights::Operation;
use crate::records::rights::fields::FieldList;
use crate::records::rights::grant::{Grant, Grants, ModelPattern, Role};

/// Access to everything, to check queries with before anybody runs them. Nothing is read with it.
pub(in crate::records::query) fn overseer(catalog: &Arc<Catalog>) -> Access {
    const ROLE: &str = "*";
    let fields = catalog.models().flat_map(|model| &model.fields);
    let grant = Grant {
        models: vec![ModelPattern::All],
        operations: BTreeSet::from([Operation::Read]),
        condition: None,
        read_fields: FieldList::Only(fields.map(|field| field.name.clone()).collect()),
        write_fields: FieldList::default(),
    };
    let role = Role {
        name: ROLE.to_owned(),
        grants: vec![grant],
    };
    Access {
        org: OrgId::mint(),
        org_slug: String::new(),
        subject: Subject {
            id: UserId::mint(),
            email: String::new(),
            name: String::new(),
            roles: vec![ROLE.to_owned()],
            attributes: serde_json::Map::new(),
        },
        catalog: Arc::clone(catalog),
        grants: Arc::new(Grants { roles: vec![role] }),
        narrowing: Narrowing::default(),
        denied_operations: BTreeSet::new(),
        closed: BTreeSet::new(),
        clock: Clock::system(),
    }
}
