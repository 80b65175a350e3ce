//! The command line as its users type it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod data;
mod examples;
mod expected;
mod listing;
mod models;
mod new_task;
mod quality;
mod stale;
mod validation;
