//! The wire formats: each passes one suite, and a transcript may go from any of them to any other.

mod anthropic;
mod chat;
mod fake;
mod gemini;
mod matrix;
mod responses;
mod said;
mod suite;
