//! Whatever a plugin, the machine or data does: the failure is named, the rest of the run goes on, and nothing is lost.

mod clock;
mod data_faults;
mod machine;
mod machine_faults;
mod model_faults;
mod no_locks;
mod soak;
mod stopped;
mod texts;
mod trigger;
mod trust;
mod workers;
