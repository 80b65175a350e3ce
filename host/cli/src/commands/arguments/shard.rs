//! `run --plan`: which shard of which plan is scored, with the options that the plan was made with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use mteb_engine::run::{FirstStage, RunPart};
use mteb_engine::shards::{check_pins, part_of, tasks_in_order};
use mteb_json::Json;
use mteb_registry::Selected;
use mteb_shards::ShardPlan;
use mteb_source::DataSources;
use mteb_workers::plugins::Catalog;

use super::job::JobArgs;
use super::place::{OutputArgs, PlaceArgs};
use super::recorded::{ArgumentsError, Recorded};
use super::rerank::RerankArgs;
use super::shard_state::{ShardWatch, WatchedProgress};
use crate::commands::objects::{Uploads, address, open_store};
use crate::commands::submit::shell_word;
use crate::exit::Exit;
use crate::output::{self, failed, usage};
use crate::view::Progress;

/// Environment variables in which schedulers number the parts of a job, in the order in which they are asked.
const NUMBERED_BY: [&str; 4] = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "PBS_ARRAY_INDEX", "RANK"];

/// Options of this machine, which a plan leaves to each.
const OF_MACHINE: [&str; 1] = ["--device"];

/// Begin of the options about a first stage.
const OF_FIRST_STAGE: &str = "--rerank-";

/// Above these options in the help.
const HEADING: &str = "Shards of a plan";

/// Which shard of a plan is scored.
#[derive(Args, Clone, Debug)]
pub struct ShardArgs {
    /// Score one shard of a plan written by `mteb-host plan`, which sets tasks, model and options.
    #[arg(help_heading = HEADING, long, value_name = "FILE", conflicts_with_all = ["limit", "dry_run", "update_lock", "check_expected", "write_expected"])]
    plan: Option<PathBuf>,
    /// Number of the shard, from 0 [default: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, PBS_ARRAY_INDEX or RANK].
    #[arg(help_heading = HEADING, long, value_name = "I", requires = "plan")]
    shard: Option<usize>,
}

/// A shard that is scored, and the options with which that is done.
pub type Opened = (Shard, Recorded<JobArgs>, Recorded<RerankArgs>, Recorded<PlaceArgs>, Recorded<OutputArgs>);

/// A shard of a plan.
pub struct Shard {
    plan: ShardPlan,
    number: usize,
    part: Arc<RunPart>,
    watch: ShardWatch,
    uploads: Option<Uploads>,
}

impl ShardArgs {
    /// The shard that is asked for, and with which options it is scored; `None` where no plan is named.
    ///
    /// # Errors
    /// The exit code, after it was said what is wrong.
    pub fn open(
        &self,
        (job, rerank, place, given): (
            &Recorded<JobArgs>,
            &Recorded<RerankArgs>,
            &Recorded<PlaceArgs>,
            &Recorded<OutputArgs>,
        ),
    ) -> Result<Option<Opened>, Exit> {
        let Some(path) = &self.plan else { return Ok(None) };
        let plan = ShardPlan::read(path).map_err(usage)?;
        let mut typed = job.typed().iter().chain(rerank.typed());
        if let Some(other) = typed.find(|typed| !OF_MACHINE.contains(&typed.as_str())) {
            return Err(usage(format!(
                "expected no `{other}` with `--plan`, which the plan decides; plan again to change it"
            )));
        }
        let version = env!("CARGO_PKG_VERSION");
        if plan.mteb_host != version {
            return Err(usage(format!(
                "{}: expected a plan of mteb-host {version}, which runs here, found one of {}; plan again, or run that version",
                path.display(),
                plan.mteb_host
            )));
        }
        let number = shard_number(self.shard, plan.shards.len()).map_err(usage)?;
        let words = |planned: &[String], own: Vec<String>| [planned.to_vec(), own].concat();
        let of_machine = |word: &&String| OF_MACHINE.iter().any(|name| word.starts_with(&format!("{name}=")));
        let own = job.words().iter().filter(of_machine).cloned().collect();
        let in_plan = |fault: ArgumentsError| usage(format!("{}: {fault}", path.display()));
        let (of_job, of_stage) = arguments_of(&plan);
        let job = Recorded::parse(&words(&of_job, own)).map_err(in_plan)?;
        let rerank = Recorded::parse(&of_stage).map_err(in_plan)?;
        let place = Recorded::parse(&words(&plan.places, place.words().to_vec())).map_err(in_plan)?;
        // What goes to a store is made in the folder that the shard has anyway.
        let store = address(&given.output_folder);
        let folder = if given.typed().is_empty() || store.is_some() {
            ShardPlan::shards_folder(path).join(number.to_string())
        } else {
            given.output_folder.clone()
        };
        let hash = plan.hash();
        let uploads = match store {
            None => None,
            Some(address) => {
                let store = (open_store(address).map_err(usage)?, address);
                Some(Uploads::begin(store, (&hash, number), &folder).map_err(failed)?)
            }
        };
        let word = format!("--output-folder={}", folder.display());
        let given = Recorded::<OutputArgs>::parse(&[word]).map_err(usage)?;
        let cache = place_cache(&place);
        let watch = ShardWatch::begin((&plan, &hash, number), &folder, &cache).map_err(usage)?;
        let part = Arc::new(part_of(&plan, number));
        Ok(Some((Shard { plan, number, part, watch, uploads }, job, rerank, place, given)))
    }
}

/// Nothing says which of the shards this is.
#[derive(Debug, thiserror::Error)]
pub enum ShardNumberError {
    /// No number is given, and the environment has none.
    #[error(
        "expected the number of a shard from 0 to {last}, found none; give it with `--shard`, or in one of {}",
        NUMBERED_BY.join(", ")
    )]
    Missing {
        /// Number of the last shard.
        last: usize,
    },
    /// What the environment has is no number.
    #[error("{name}: expected the number of a shard, found `{value}`")]
    NoNumber {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// There are fewer shards.
    #[error(
        "{from}: expected the number of a shard from 0 to {last}, found {number}; shards are numbered from 0"
    )]
    NoShard {
        /// The option or the variable.
        from: &'static str,
        /// Number of the last shard.
        last: usize,
        /// The number that was given.
        number: usize,
    },
}

/// The number of a shard of so many, if it is not `given` that of the environment, which is said.
///
/// # Errors
/// If there is none, or it is none of so many.
pub fn shard_number(given: Option<usize>, of: usize) -> Result<usize, ShardNumberError> {
    let (number, from) = match given {
        Some(number) => (number, "--shard"),
        None => {
            let found = NUMBERED_BY.iter().find_map(|name| Some((*name, std::env::var(name).ok()?)));
            let (name, value) = found.ok_or(ShardNumberError::Missing { last: of - 1 })?;
            let number = value.trim().parse();
            (number.map_err(|_| ShardNumberError::NoNumber { name, value })?, name)
        }
    };
    if number >= of {
        return Err(ShardNumberError::NoShard { from, last: of - 1, number });
    }
    if from != "--shard" {
        output::say(format!("Shard {number} of {of}, by {from}"));
    }
    Ok(number)
}

/// The words of a plan that choose tasks, model and scoring, and those about a first stage.
pub fn arguments_of(plan: &ShardPlan) -> (Vec<String>, Vec<String>) {
    plan.arguments.iter().cloned().partition(|word| !word.starts_with(OF_FIRST_STAGE))
}

/// The folder of the caches.
fn place_cache(place: &PlaceArgs) -> PathBuf {
    place.settings().cache_dir
}

impl Shard {
    /// True if the shard has no unit.
    pub fn is_empty(&self) -> bool {
        self.plan.shards[self.number].units == 0
    }

    /// The units that are scored.
    pub fn part(&self) -> Arc<RunPart> {
        Arc::clone(&self.part)
    }

    /// Checks that this machine has what the plan was made for.
    ///
    /// # Errors
    /// The exit code, after each difference was said with both values.
    pub fn check(
        &self,
        tasks: &[Selected],
        model: (&Json, Option<&FirstStage>),
        catalog: &Catalog,
        sources: &mut DataSources,
    ) -> Result<(), Exit> {
        let tasks = tasks_in_order(tasks);
        let faults = check_pins((&self.plan, self.number), &tasks, model, catalog, sources);
        for fault in &faults {
            output::error(format!("other than planned: {fault}"));
        }
        if faults.is_empty() {
            return Ok(());
        }
        output::say("Nothing was scored: plan again, or use the data and model that the plan was made for");
        Err(Exit::Usage)
    }

    /// What `progress` is told of, which the file of the shard says, too.
    pub fn watch<'a>(&'a self, progress: &'a Progress) -> WatchedProgress<'a> {
        self.watch.watch(progress)
    }

    /// Says in the file of the shard that its run has ended as `exit` says, and sends what is not in its store yet.
    pub fn end(self, exit: Exit) -> Exit {
        self.watch.end(exit == Exit::Done);
        match self.uploads.map(Uploads::end) {
            None => exit,
            Some(Ok(address)) => {
                output::say(format!("Sent to {address}"));
                exit
            }
            Some(Err(why)) => {
                output::error(why);
                if exit == Exit::Done { Exit::Failed } else { exit }
            }
        }
    }
}

/// The command that runs one shard of the plan at `path`, whose results go to this `store`, if to one.
pub fn command_of(path: &Path, shard: usize, store: Option<&str>) -> String {
    let to = store.map_or_else(String::new, |store| format!(" --output-folder {}", shell_word(store)));
    format!("mteb-host run --plan {} --shard {shard}{to}", shell_word(&path.to_string_lossy()))
}
