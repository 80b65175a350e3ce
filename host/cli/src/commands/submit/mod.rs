//! `mteb-host submit`: what an engine of a cluster wants for the shards of a plan, as files to read and change.

mod job;
mod kubernetes;
mod local;
mod memory;
mod ray;
mod slurm;
mod values;

pub use values::sh as shell_word;

use clap::{Args, Subcommand};

use crate::exit::Exit;

/// Arguments of `submit`.
#[derive(Args, Debug)]
pub struct SubmitArgs {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(Debug, Subcommand)]
enum Engine {
    /// Write a Slurm array job and a merge job that waits for it; `--now` submits them.
    Slurm(slurm::SlurmArgs),
    /// Write a Python file that runs the shards as tasks on a Ray cluster; `--now` runs it.
    Ray(ray::RayArgs),
    /// Write a Kubernetes Indexed Job, volume claims, a merge Job and a Dockerfile; `--now` applies
    /// them.
    Kubernetes(kubernetes::KubernetesArgs),
    /// Write a script that runs the shards on this machine, one process per GPU or set of cores;
    /// `--now` runs it.
    Local(local::LocalArgs),
}

impl SubmitArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let done = match self.engine {
            Engine::Slurm(args) => args.run(),
            Engine::Ray(args) => args.run(),
            Engine::Kubernetes(args) => args.run(),
            Engine::Local(args) => args.run(),
        };
        done.unwrap_or_else(|exit| exit)
    }
}
