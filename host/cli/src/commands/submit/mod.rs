//! `mteb-host submit`: what an engine of a cluster wants for the shards of a plan, as files to read and change.

mod job;
mod kubernetes;
mod local;
mod quote;
mod ray;
mod slurm;
mod values;

use clap::{Args, Subcommand};

pub use quote::sh as shell_word;

use crate::exit::Exit;

/// Arguments of `submit`.
#[derive(Args, Debug)]
pub struct SubmitArgs {
    #[command(subcommand)]
    engine: Engine,
}

#[derive(Debug, Subcommand)]
enum Engine {
    /// Write an array job of Slurm and a merge that waits for it; `--now` submits them.
    Slurm(slurm::SlurmArgs),
    /// Write a Python file whose tasks on a Ray cluster are the shards; `--now` runs it.
    Ray(ray::RayArgs),
    /// Write an Indexed Job of Kubernetes, claims, a merge Job and a Dockerfile; `--now` applies them.
    Kubernetes(kubernetes::KubernetesArgs),
    /// Write a script that runs the shards on this machine, one process a GPU or a set of cores; `--now` runs it.
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
