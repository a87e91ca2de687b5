//! Who may do what with which records: grants, and how they become conditions.

pub(super) mod allowed;
pub(super) mod fields;
pub(super) mod grant;
pub(super) mod operation;
pub(super) mod row;

pub use grant::Grants;
pub use operation::Operation;
