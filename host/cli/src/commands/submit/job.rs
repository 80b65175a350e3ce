//! What the jobs of all engines have in common: the plan, the program, the folders, and what is written where.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use super::memory::Memory;
use super::values::{name_from, sh, sh_words};
use crate::commands::arguments::Recorded;
use crate::commands::new::template::fill;
use crate::commands::objects::address;
use crate::commands::run::RunArgs;
use crate::commands::status::Reports;
use crate::commands::status::shards::{Stage, read_plan};
use crate::exit::Exit;
use crate::output::{self, failed, usage};
use crate::system;

/// Variables that the jobs take over: places, and no keys.
const TAKEN_OVER: [&str; 6] = [
    "MTEB_HOST_CACHE",
    "MTEB_HOST_DATA",
    "MTEB_HOST_PLUGINS",
    "MTEB_HOST_REGISTRIES",
    "HF_HOME",
    "HF_ENDPOINT",
];

/// Variables of places that the jobs take over where results go to a store.
const OF_STORE: [&str; 3] = ["AWS_ENDPOINT_URL", "AWS_ALLOW_HTTP", "AWS_REGION"];

/// Arguments of one submission, which all engines take.
#[derive(Args, Clone, Debug)]
pub struct JobArgs {
    /// The plan, as written by `mteb-host plan`.
    pub plan: PathBuf,
    /// Submit the job right after writing it.
    #[arg(long)]
    pub now: bool,
    /// Overwrite files that were changed by hand.
    #[arg(long)]
    replace: bool,
    /// Start without the options of earlier submissions, which `<plan>-submit.json` remembers.
    #[arg(long)]
    forget: bool,
    /// Options of `run` for every shard, e.g. `-- --device cuda --offline`. With `--output-folder
    /// s3://…` the results are merged from there.
    #[arg(last = true, value_name = "RUN_OPTIONS")]
    run_options: Vec<String>,
}

/// Options that all engines take, and that later submissions keep.
#[derive(Args, Clone, Debug)]
pub struct FilesArgs {
    /// Folder for the generated files [default: next to the plan, named after the plan and the
    /// engine].
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Also merge the embedding caches of the shards.
    #[arg(long)]
    with_cache: bool,
}

/// Where the results go, and by which program; not of a container, which has its own places.
#[derive(Args, Clone, Debug)]
pub struct PlacesArgs {
    /// Folder for the merged results, or an address (`s3://bucket/folder`).
    #[arg(long, value_name = "DIR", default_value = "results")]
    output_folder: PathBuf,
    /// Path of mteb-host on the machines that score [default: this program].
    #[arg(long, value_name = "PATH")]
    host: Option<String>,
}

/// Which shards are submitted.
#[derive(Args, Clone, Copy, Debug)]
pub struct ShardsArgs {
    /// Submit only the shards that are not done yet.
    #[arg(long)]
    only_missing: bool,
}

/// The options in force for an engine: those that were given, and those that are remembered.
pub struct Options<T> {
    pub own: Recorded<T>,
    run_options: Vec<String>,
    memory: Memory,
}

impl JobArgs {
    /// The options in force for `engine`, of which these are `given`.
    ///
    /// # Errors
    /// If they are none, or what is remembered cannot be read; which is said.
    pub fn options<T: Args>(&self, given: &Recorded<T>, engine: &'static str) -> Result<Options<T>, Exit> {
        let mut memory = Memory::read(&self.plan, engine, self.forget).map_err(usage)?;
        let own = memory.complete(given).map_err(usage)?;
        let run_options = memory.complete_run::<RunArgs>(&self.run_options).map_err(usage)?;
        Ok(Options { own, run_options, memory })
    }
}

/// A plan as an engine gets it; all paths are absolute.
pub struct Job {
    /// A name that every engine allows.
    pub name: String,
    /// SHA-256 of what the plan says.
    pub digest: String,
    pub plan: String,
    /// The folder where the command was given, which relative names in a plan go out from.
    pub folder: String,
    pub host: String,
    pub results: String,
    pub logs: String,
    /// The shards to score, of `of`.
    pub shards: Vec<usize>,
    pub of: usize,
    pub environment: Vec<(String, String)>,
    pub run_options: Vec<String>,
    pub merge_options: Vec<String>,
    /// The address to which shards send their results, if they do.
    pub store: Option<String>,
    /// The folder of the engine's files.
    pub output: PathBuf,
    /// The command that tells how far the shards are.
    pub progress: String,
    replace: bool,
    memory: Memory,
}

impl Job {
    /// Reads the plan.
    ///
    /// # Errors
    /// If it cannot be read, or a path is none that files of an engine can name; which is said.
    pub fn new<T>(
        args: &JobArgs,
        options: &Options<T>,
        files: &FilesArgs,
        places: Option<(&PlacesArgs, ShardsArgs)>,
        engine: &str,
    ) -> Result<Self, Exit> {
        let plan = read_plan(&args.plan)?;
        let digest = plan.hash();
        let path = std::path::absolute(&args.plan).map_err(|error| fault(&args.plan, error))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let output = files.output.clone().unwrap_or_else(|| path.with_file_name(format!("{stem}-{engine}")));
        let output = std::path::absolute(&output).map_err(|error| fault(&output, error))?;
        let only_missing = places.is_some_and(|(_, shards)| shards.only_missing);
        let places = places.map(|(places, _)| places);
        let host = match places.and_then(|places| places.host.clone()) {
            Some(host) => host,
            None => {
                let here = std::env::current_exe().map_err(|error| fault(Path::new("mteb-host"), error))?;
                text(&here)?
            }
        };
        let results = places.map_or(Path::new("results"), |places| &places.output_folder);
        let results = match address(results) {
            Some(address) => address.into(),
            None => std::path::absolute(results).map_err(|error| fault(results, error))?,
        };
        let folder = std::env::current_dir().map_err(|error| fault(Path::new("."), error))?;
        let mut shards: Vec<usize> = (0..plan.shards.len()).collect();
        let store = store_of(&options.run_options);
        if only_missing {
            let reports = Reports::open(&path, store.as_deref()).map_err(failed)?;
            let found = reports.views(&plan, &digest).map_err(failed)?;
            shards.retain(|shard| found[*shard].stage != Stage::Done);
            if shards.is_empty() {
                output::error(format!(
                    "expected a shard that is not done, found none; merge them: mteb-host merge {}{}",
                    sh(&path.to_string_lossy()),
                    store.iter().map(|store| format!(" {}", sh(store))).collect::<String>()
                ));
                return Err(Exit::Usage);
            }
        }
        let variable = |name: &&str| Some(((*name).to_owned(), std::env::var(name).ok()?));
        let of_store: &[&str] = if store.is_some() { &OF_STORE } else { &[] };
        let mut merge_options: Vec<String> = store.iter().cloned().collect();
        merge_options.extend(files.with_cache.then(|| "--with-cache".to_owned()));
        let plan_text = text(&path)?;
        let of_status = store.iter().map(|store| format!(" --output-folder {}", sh(store)));
        let progress = format!("mteb-host status {}{}", sh(&plan_text), of_status.collect::<String>());
        Ok(Self {
            name: name_from(&stem),
            digest,
            plan: plan_text,
            folder: text(&folder)?,
            host,
            results: text(&results)?,
            logs: text(&output.join("logs"))?,
            shards,
            of: plan.shards.len(),
            environment: TAKEN_OVER.iter().chain(of_store).filter_map(variable).collect(),
            run_options: options.run_options.clone(),
            merge_options,
            store,
            output,
            progress,
            replace: args.replace,
            memory: options.memory.clone(),
        })
    }

    /// A template for a shell, filled with what all have in common and with `more`.
    pub fn shell(&self, template: &str, more: &[(&str, &str)]) -> String {
        let variable = |(name, value): &(String, String)| format!("export {name}={}\n", sh(value));
        let exports: String = self.environment.iter().map(variable).collect();
        let own = [
            ("name", self.name.as_str()),
            ("plan", &sh(&self.plan)),
            ("folder", &sh(&self.folder)),
            ("host", &sh(&self.host)),
            ("results", &sh(&self.results)),
            ("logs", &sh(&self.logs)),
            ("exports", &exports),
            ("run_options", &sh_words(&self.run_options)),
            ("merge_options", &sh_words(&self.merge_options)),
        ];
        fill(template, &[&own[..], more].concat())
    }

    /// Writes the files of the engine, and says which. One that was changed by hand stays, unless it is to be replaced. Remembers what
    /// the files were made with.
    ///
    /// # Errors
    /// If one was changed, or one cannot be written, which is said.
    pub fn write(&self, files: &[(&str, String)]) -> Result<(), Exit> {
        let is_changed = |name: &str, text: &str| {
            std::fs::read(self.output.join(name))
                .is_ok_and(|found| found != text.as_bytes() && !self.memory.is_as_written(name, &found))
        };
        if let Some((name, _)) =
            files.iter().find(|(name, text)| is_changed(name, text)).filter(|_| !self.replace)
        {
            output::error(format!(
                "{}: expected no file or one as it was written, found one that was changed; keep it and submit it by hand, \
                 overwrite it with `--replace`, or name another folder with `--output`",
                self.output.join(name).display()
            ));
            return Err(Exit::Usage);
        }
        for (name, text) in files {
            let path = self.output.join(name);
            mteb_files::write(&path, text.as_bytes()).map_err(|error| fault(&path, error))?;
            check_said(output::print(&format!("wrote {}", path.display())))?;
        }
        self.memory.clone().keep(files).map_err(failed)
    }

    /// Runs the command that submits with `now`, and says it in any case; what the engine answers is seen as it is.
    pub fn submit(&self, command: &[&str], now: bool) -> Exit {
        let line = sh_words(command);
        let line = line.trim_start();
        if !now {
            return output::print(&format!(
                "submit it with: {line}\ncheck its progress with: {}",
                self.progress
            ));
        }
        output::say(format!("running: {line}"));
        system::leave_to_started_program();
        let status = Command::new(command[0]).args(&command[1..]).status();
        match status {
            Ok(status) if status.success() => {
                output::say(format!("check its progress with: {}", self.progress));
                Exit::Done
            }
            Ok(status) => {
                output::error(format!("expected `{line}` to succeed, found: {status}; its output is above"));
                Exit::Failed
            }
            Err(error) => {
                output::error(format!("{}: cannot be started: {error}; is it installed here?", command[0]));
                Exit::Failed
            }
        }
    }
}

/// The address among options of `run` to which shards send their results.
fn store_of(options: &[String]) -> Option<String> {
    let named = options.iter().enumerate().rev().find_map(|(place, word)| match word.as_str() {
        "--output-folder" => options.get(place + 1).map(String::as_str),
        word => word.strip_prefix("--output-folder="),
    });
    named.and_then(|named| address(Path::new(named))).map(str::to_owned)
}

/// Whether something could be said.
fn check_said(exit: Exit) -> Result<(), Exit> {
    if exit == Exit::Done { Ok(()) } else { Err(exit) }
}

fn fault(path: &Path, error: impl std::fmt::Display) -> Exit {
    output::error(format!("{}: {error}", path.display()));
    Exit::Failed
}

/// A path as text, without which no file of an engine can name it.
fn text(path: &Path) -> Result<String, Exit> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        output::error(format!(
            "{}: expected a path in UTF-8, found other bytes; give the folder another name",
            path.display()
        ));
        Exit::Usage
    })
}
