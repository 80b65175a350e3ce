//! The command line: one subcommand a file.

mod board_args;
mod cache;
mod cache_options;
mod compare;
mod completions;
mod config;
mod discover;
mod doctor;
mod dry_run;
mod efficiency;
mod encoder;
mod everything;
mod export;
mod failed_units;
mod fetch;
mod fetch_jobs;
mod figure;
mod filter;
mod filter_metadata;
mod finding;
mod findings;
mod format_args;
mod graded;
mod keep_options;
mod leaderboard;
mod left_out;
mod libtorch;
mod list;
mod list_benchmarks;
mod locks;
mod measure_options;
mod model;
mod new;
mod place_args;
mod plugins;
mod plugins_check;
mod python;
mod remote;
mod report;
mod rerank_args;
mod results;
mod review;
mod run;
mod say_expected;
mod schema;
mod score;
mod show;
mod show_benchmark;
mod show_results;
mod show_task;
mod size_options;
mod stats;
mod suggestions;
mod validate;
mod validate_data;
mod ways;
mod whole;
mod worker_args;
mod write_expected;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use config::{FolderDefaults, environment_help, with_defaults};

use crate::exit::Exit;
use crate::{computing, output};

/// Evaluate text-embedding models: task and model plugins, regional benchmarks, the numbers of mteb.
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
    /// Score rankings that somebody made: a search engine, a paper's run file, an earlier run.
    Score(score::ScoreArgs),
    /// Evaluate by graded relevance: pools, language models as judges, curves and tables.
    Graded(Box<graded::GradedArgs>),
    /// Measure how fast and how large models are.
    Efficiency(efficiency::EfficiencyArgs),
    /// Bring datasets and a model to this machine, for runs without a network.
    Fetch(fetch::FetchArgs),
    /// Write the data of tasks as folders that `datasets.load_dataset` and mteb load.
    Export(export::ExportArgs),
    /// List tasks, models, plugins, registries or benchmarks.
    List(list::ListArgs),
    /// Show everything about one thing.
    Show(show::ShowArgs),
    /// Describe the data of a task: sizes, lengths, repeated texts, labels, overlap of training and test, languages.
    Stats(stats::StatsArgs),
    /// Begin a task, a model, a pack, a type of task or a benchmark.
    New(Box<new::NewArgs>),
    /// Check cards, registries and data; every fault with its file, line and column.
    Validate(validate::ValidateArgs),
    /// Let people label rows again who do not see the labels, and say how far they agree.
    Review(Box<review::ReviewArgs>),
    /// Print a JSON Schema.
    Schema(schema::SchemaArgs),
    /// Print the table of all results: means, means by task type, Borda rank.
    Leaderboard(leaderboard::LeaderboardArgs),
    /// Write a page of all results: one HTML file that needs nothing else.
    Report(report::ReportArgs),
    /// Say what the difference of two models is worth.
    Compare(compare::CompareArgs),
    /// Check results that are submitted, or write them for the public results repository.
    Results(results::ResultsArgs),
    /// Draw a figure or make a table of the MTEB paper from results.
    Figure(figure::FigureArgs),
    /// List, check or lock plugins.
    Plugins(plugins::PluginsArgs),
    /// Say what the caches of embeddings, parsed rows and lists of files hold, check them, or empty them.
    Cache(cache::CacheArgs),
    /// Say what is found, what is missing, and what to do.
    Doctor(doctor::DoctorArgs),
    /// Say which options `mteb-host.toml` sets for this folder, and where every value comes from.
    Config(config::ConfigArgs),
    /// Print what a shell needs to complete commands and options.
    Completions(completions::CompletionsArgs),
    /// Write the pages of the manual.
    Man(completions::ManArgs),
}

impl Cli {
    /// Reads the command line, with the defaults of the folder where it is.
    ///
    /// # Errors
    /// The exit code, after what is wrong was said, or the help was.
    pub fn read() -> Result<Self, Exit> {
        let command = Self::with_folder_defaults().map_err(|fault| {
            output::error(fault);
            Exit::Usage
        })?;
        let matches = command.try_get_matches().map_err(|said| {
            let typed: Vec<String> =
                std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
            output::say_usage(&suggestions::with_suggestions(said, &Self::command(), &typed))
        })?;
        Self::from_arg_matches(&matches).map_err(|said| output::say_usage(&said))
    }

    /// The command line with the defaults of the folder where it is.
    fn with_folder_defaults() -> Result<clap::Command, String> {
        let command = Self::command();
        let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        let folder = std::env::current_dir().unwrap_or_default();
        match FolderDefaults::of(&folder, &names)? {
            Some(defaults) => with_defaults(command, &defaults),
            None => Ok(command),
        }
    }

    /// Runs the subcommand.
    pub fn run(self) -> Exit {
        if let Err(message) = computing::start() {
            output::error(message);
            return Exit::Failed;
        }
        match self.command {
            Command::Run(args) => args.run(),
            Command::Score(args) => args.run(),
            Command::Graded(args) => args.run(),
            Command::Efficiency(args) => args.run(),
            Command::Fetch(args) => args.run(),
            Command::Export(args) => args.run(),
            Command::List(args) => args.run(),
            Command::Show(args) => args.run(),
            Command::Stats(args) => args.run(),
            Command::New(args) => args.run(),
            Command::Validate(args) => args.run(),
            Command::Review(args) => args.run(),
            Command::Schema(args) => args.run(),
            Command::Leaderboard(args) => args.run(),
            Command::Report(args) => args.run(),
            Command::Compare(args) => args.run(),
            Command::Results(args) => args.run(),
            Command::Figure(args) => args.run(),
            Command::Plugins(args) => args.run(),
            Command::Cache(args) => args.run(),
            Command::Doctor(args) => args.run(),
            Command::Config(args) => args.run(&Self::command()),
            Command::Completions(args) => args.run(Self::command()),
            Command::Man(args) => args.run(Self::command()),
        }
    }
}
