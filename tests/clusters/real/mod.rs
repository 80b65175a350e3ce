//! Shards on real engines, all on this machine: what they merge to is what one run gives, byte for byte but for times and footprints.

mod kubernetes;
mod network;
mod ray;
mod slurm;
mod trial;
