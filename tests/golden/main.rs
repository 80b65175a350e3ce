//! Whole runs with the random encoder, equal to the reference's own result files.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod equality;
mod loader;
mod resume;
