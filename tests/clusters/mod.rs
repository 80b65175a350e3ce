//! Shards of a plan on several machines: the files that engines get, the engine of this machine, and how far shards are. The tests in
//! `real` need real engines, which `cargo xtask test-distributed` prepares.

mod real;
mod status;
mod stub;
mod submitted_now;
mod written_files;
