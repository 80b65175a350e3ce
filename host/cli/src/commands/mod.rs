//! The command line: one subcommand a file or folder; the options that several share are in `arguments`.

mod arguments;
mod cache;
mod compare;
mod completions;
mod config;
mod contamination;
mod discover;
mod doctor;
mod efficiency;
mod export;
mod fetch;
mod figure;
mod graded;
mod leaderboard;
mod list;
mod merge;
mod new;
mod objects;
mod plan;
mod plugins;
mod report;
mod results;
mod review;
mod run;
mod score;
mod selected;
mod show;
mod stats;
mod status;
mod submit;
mod validate;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use config::{DefaultsError, FolderDefaults, environment_help, set_defaults};

use crate::exit::Exit;
use crate::output;
use crate::system::start_computing;

/// Evaluate text-embedding models: scores equal to those of mteb, regional benchmarks, and plugins
/// for tasks and models.
#[derive(Debug, Parser)]
#[command(name = "mteb-host", version, propagate_version = true, after_help = environment_help())]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Score a model on tasks.
    Run(Box<run::RunArgs>),
    /// Split a run into shards for several devices or machines.
    Plan(Box<plan::PlanArgs>),
    /// Write and submit the jobs of a plan for Slurm, Ray, Kubernetes or this machine.
    Submit(Box<submit::SubmitArgs>),
    /// Show the progress of the shards of a plan.
    Status(status::StatusArgs),
    /// Merge the results of all shards of a plan into one folder.
    Merge(Box<merge::MergeArgs>),
    /// Score existing rankings: a search engine's, a paper's run file, or an earlier run's.
    Score(score::ScoreArgs),
    /// Evaluate with graded relevance: pool documents, let language models judge them, compare
    /// systems.
    Graded(Box<graded::GradedArgs>),
    /// Measure the speed and size of models.
    Efficiency(efficiency::EfficiencyArgs),
    /// Download datasets and models for offline use.
    Fetch(fetch::FetchArgs),
    /// Export the data of tasks as folders that `datasets.load_dataset` and mteb can load.
    Export(export::ExportArgs),
    /// List tasks, models, plugins, registries or benchmarks.
    List(list::ListArgs),
    /// Show details of a task, benchmark, model or result.
    Show(show::ShowArgs),
    /// Show statistics of a task's data: sizes, text lengths, duplicates, labels, train/test
    /// overlap, languages.
    Stats(stats::StatsArgs),
    /// Create a task, model, task pack, task type or benchmark from a template.
    New(Box<new::NewArgs>),
    /// Check cards, registries and data; each error is shown with its file, line and column.
    Validate(validate::ValidateArgs),
    /// Re-annotate rows of a task blindly and measure the agreement of the annotators.
    Review(Box<review::ReviewArgs>),
    /// Print a JSON Schema.
    Schema(validate::SchemaArgs),
    /// Print the leaderboard of all results: means, means by task type, Borda ranks.
    Leaderboard(leaderboard::LeaderboardArgs),
    /// Write a report of all results as one self-contained HTML file.
    Report(report::ReportArgs),
    /// Test whether two models differ significantly.
    Compare(compare::CompareArgs),
    /// Verify submitted results, or export results to the public results repository.
    Results(results::ResultsArgs),
    /// Reproduce a figure or table of the MTEB paper from your results.
    Figure(figure::FigureArgs),
    /// List, check or lock plugins.
    Plugins(plugins::PluginsArgs),
    /// Inspect, verify or clear the caches of embeddings, parsed rows and file listings.
    Cache(cache::CacheArgs),
    /// Diagnose the installation: what was found, what is missing, and how to fix it.
    Doctor(doctor::DoctorArgs),
    /// Show the options that `mteb-host.toml` sets for this folder, and where each value comes
    /// from.
    Config(config::ConfigArgs),
    /// Print a completion script for a shell.
    Completions(completions::CompletionsArgs),
    /// Write the manual pages.
    Man(completions::ManArgs),
}

impl Cli {
    /// Reads the command line, with the defaults of the folder where it is.
    ///
    /// # Errors
    /// The exit code, after what is wrong was said, or the help was.
    pub fn read() -> Result<Self, Exit> {
        let command = Self::read_folder_defaults().map_err(output::usage)?;
        let matches = command.try_get_matches().map_err(|said| {
            let typed: Vec<String> =
                std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
            output::say_usage(&completions::add_suggestions(said, &Self::command(), &typed))
        })?;
        Self::from_arg_matches(&matches).map_err(|said| output::say_usage(&said))
    }

    /// The command line with the defaults of the folder where it is.
    fn read_folder_defaults() -> Result<clap::Command, DefaultsError> {
        let command = Self::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let folder = std::env::current_dir().unwrap_or_default();
        match FolderDefaults::of(&folder, &names)? {
            Some(defaults) => set_defaults(command, &defaults),
            None => Ok(command),
        }
    }

    /// Runs the subcommand.
    pub fn run(self) -> Exit {
        if let Err(message) = start_computing() {
            return output::failed(message);
        }
        let exit = self.command.run();
        discover::say_unused();
        exit
    }
}

impl Command {
    fn run(self) -> Exit {
        match self {
            Self::Run(args) => args.run(),
            Self::Plan(args) => args.run(),
            Self::Merge(args) => args.run(),
            Self::Score(args) => args.run(),
            Self::Graded(args) => args.run(),
            Self::Efficiency(args) => args.run(),
            Self::Submit(args) => args.run(),
            Self::Status(args) => args.run(),
            Self::Fetch(args) => args.run(),
            Self::Export(args) => args.run(),
            Self::List(args) => args.run(),
            Self::Show(args) => args.run(),
            Self::Stats(args) => args.run(),
            Self::New(args) => args.run(),
            Self::Validate(args) => args.run(),
            Self::Review(args) => args.run(),
            Self::Schema(args) => args.run(),
            Self::Leaderboard(args) => args.run(),
            Self::Report(args) => args.run(),
            Self::Compare(args) => args.run(),
            Self::Results(args) => args.run(),
            Self::Figure(args) => args.run(),
            Self::Plugins(args) => args.run(),
            Self::Cache(args) => args.run(),
            Self::Doctor(args) => args.run(),
            Self::Config(args) => args.run(&Cli::command()),
            Self::Completions(args) => args.run(Cli::command()),
            Self::Man(args) => args.run(Cli::command()),
        }
    }
}
