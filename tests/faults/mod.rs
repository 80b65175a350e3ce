//! Whatever a plugin, the machine or data does: the failure is named, the rest of the run goes on, and nothing is lost.

mod data_faults;
mod locks;
mod machine;
mod machine_faults;
mod model_faults;
mod soak;
mod trust;
mod workers;
