//! End-to-end tests in one program, so that what they share is linked once: a module a topic, `cargo xtask test TOPIC [NAME…]` runs one.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod abi;
mod cache;
mod cli;
mod clusters;
mod corruption;
mod faults;
mod fuzz;
mod golden;
mod graded;
mod hostile;
mod hub;
mod models;
mod page;
mod shards;
