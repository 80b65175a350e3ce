//! Whatever a plugin, the machine or data does: the failure is named, the rest of the run goes on, and nothing is lost.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops at what it did not expect"
)]

mod clock;
mod data_faults;
mod machine;
mod machine_faults;
mod model_faults;
mod no_locks;
mod soak;
mod task_faults;
mod texts;
mod trigger;
mod trust;
