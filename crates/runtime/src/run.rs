//! Runs: begun by a message, driven step by step, left as rows whenever they wait.

pub(crate) mod around;
mod driver;
mod encode;
mod end;
mod model_step;
pub(crate) mod prompt;
pub(crate) mod read;
pub(crate) mod start;
pub(crate) mod state;
mod take_up;
pub(crate) mod tell;
pub(crate) mod trial;
