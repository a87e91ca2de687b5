//! The whole application over real HTTP, with a scripted language model.

mod approvals;
mod calls;
mod chat;
mod faults;
mod guards;
mod people;
mod support;
