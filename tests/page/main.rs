//! The page of `mteb-host report` in a real browser.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at what it did not expect")]

mod accessibility;
mod behaviour;
mod browser;
mod graded;
mod hostile;
mod measured;
mod results;
mod speed;
