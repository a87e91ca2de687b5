//! The tool loop: a pure decision of what comes next, and a driver that does it.

pub mod generate;
pub mod step;
