//! `mteb-host new`: begins a task, a model, a pack, a type of task or a benchmark. What it writes passes the host's own checks.

mod benchmark;
mod card_text;
mod model;
mod names;
mod own_data;
mod plugin;
mod question;
mod task;
pub mod template;

use clap::{Args, Subcommand};

use crate::exit::Exit;

/// Arguments of `new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Create a task: a card for your own file or folder (`--data`), or a card with sample rows to
    /// replace.
    Task(task::TaskArgs),
    /// Create a model: a Python file, or a plugin in Rust (`--rust`).
    Model(model::ModelArgs),
    /// Create a task pack: a plugin in Rust that provides tasks and their data.
    Pack(plugin::PackArgs),
    /// Create a task type: a plugin in Rust with its own columns, scores and evaluator.
    TaskType(plugin::TaskTypeArgs),
    /// Create a benchmark: a folder for git with a registry, task cards, data, dataset cards,
    /// baselines and checks for pull requests.
    Benchmark(benchmark::BenchmarkArgs),
}

impl NewArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let done = match self.what {
            What::Task(args) => args.run(),
            What::Model(args) => args.run(),
            What::Pack(args) => args.run(),
            What::TaskType(args) => args.run(),
            What::Benchmark(args) => args.run(),
        };
        done.unwrap_or_else(|exit| exit)
    }
}
