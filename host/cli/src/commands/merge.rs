//! `mteb-host merge`: brings the results of all shards of a plan into one folder, or to an address
//! of S3 by way of a temporary folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use mteb_engine::run::FirstStage;
use mteb_engine::shards::{Merge, Merged};
use mteb_shards::{Mirror, PlanError, ShardPlan, ShardState, State, fetch_all};
use mteb_source::DataSources;
use tempfile::TempDir;

use super::arguments::{ArgumentsError, JobArgs, PlaceArgs, Recorded, RerankArgs, arguments_of, command_of};
use super::discover::{consider_refusals, discover, say_refusals};
use super::objects::{Store, address, open_store, read_units, write_fault};
use crate::exit::Exit;
use crate::output::{self, failed, usage};

/// Most units of a shard that are named one by one.
const NAMED: usize = 3;

/// Arguments of `merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// Plan file.
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Result folders of the shards, or the address of their results
    /// (`s3://bucket/folder`) [default: all in `<plan>-shards`].
    #[arg(value_name = "SHARD_FOLDER")]
    folders: Vec<PathBuf>,
    /// Folder for the merged results, or an address (`s3://bucket/folder`).
    #[arg(long, value_name = "DIR", default_value = "results")]
    output_folder: PathBuf,
    /// Also copy the embeddings cached by the shards to the cache of this machine.
    #[arg(long)]
    with_cache: bool,
    #[command(flatten)]
    place: Recorded<PlaceArgs>,
}

impl MergeArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        match self.try_run() {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn try_run(&self) -> Result<Exit, Exit> {
        let plan = ShardPlan::read(&self.plan).map_err(usage)?;
        let target = Target::open(&self.output_folder)?;
        let fetched = self.fetch(&plan)?;
        let shards = self.shards(&plan, fetched.as_ref().map(TempDir::path)).map_err(usage)?;
        let in_plan = |fault: ArgumentsError| usage(format!("{}: {fault}", self.plan.display()));
        let (of_job, of_stage) = arguments_of(&plan);
        let job = Recorded::<JobArgs>::parse(&of_job).map_err(in_plan)?;
        let rerank = Recorded::<RerankArgs>::parse(&of_stage).map_err(in_plan)?;
        let words = [plan.places.clone(), self.place.words().to_vec()].concat();
        let place = Recorded::<PlaceArgs>::parse(&words).map_err(in_plan)?;
        let settings = place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let (_, tasks) = job.choose(&catalog, "merge")?;
        let merge = Merge {
            plan: &plan,
            tasks: &tasks,
            shards: &shards,
            output: target.folder(),
            keep: job.keep.files(),
            measures: &job.measures.measures(),
            sizes: job.sizes.compressions().len(),
            first_stage: open_first_stage(&plan, &rerank),
        };
        let sent_to = target.fetch(shards.iter().map(|(folder, _)| folder.as_path()))?;
        let mut sources = DataSources::new(settings.clone(), &catalog);
        let merged = merge.merge(&mut sources).map_err(|error| {
            output::error(format!("{}: cannot write results: {error}", self.output_folder.display()));
            Exit::Failed
        })?;
        merged.notes.iter().for_each(output::warn);
        if let Some(mirrors) = sent_to {
            mirrors.send()?;
        }
        let mut exit = self.say(&plan, &shards, (&merged, &target));
        if self.with_cache && !self.merge_caches(&shards, &settings.cache_dir) {
            exit = Exit::Failed;
        }
        Ok(consider_refusals(exit, &catalog))
    }

    /// Brings what shards have sent to a store here, if they have sent it to one.
    fn fetch(&self, plan: &ShardPlan) -> Result<Option<TempDir>, Exit> {
        let Some(address) = self.store() else { return Ok(None) };
        if self.folders.len() > 1 {
            return Err(usage(format!(
                "expected one address or folders, found the address {address} among others"
            )));
        }
        let store = open_store(address).map_err(usage)?;
        let folder = tempfile::tempdir().map_err(|error| failed(format!("cannot make a folder: {error}")))?;
        fetch_all(&store, plan.shards.len(), folder.path())
            .map_err(|why| failed(write_fault(address, &why)))?;
        Ok(Some(folder))
    }

    fn store(&self) -> Option<&str> {
        self.folders.iter().find_map(|folder| address(folder))
    }

    /// The folders of shards with what each says of itself; all of them lie in the folder `fetched` if they were brought here.
    fn shards(
        &self,
        plan: &ShardPlan,
        fetched: Option<&Path>,
    ) -> Result<Vec<(PathBuf, ShardState)>, ShardsError> {
        let hash = plan.hash();
        let is_named = !self.folders.is_empty() && fetched.is_none();
        let folders = match fetched {
            Some(fetched) => folders_in(fetched),
            None if is_named => self.folders.clone(),
            None => folders_in(&ShardPlan::shards_folder(&self.plan)),
        };
        let mut shards = Vec::new();
        for folder in folders {
            let state = match ShardState::read(&folder) {
                Ok(state) => state,
                Err(error) if is_named => return Err(error.into()),
                // What has not begun has no file.
                Err(_) => continue,
            };
            if state.plan != hash || state.shard >= plan.shards.len() {
                return Err(ShardsError::OtherPlan { folder, plan: self.plan.clone() });
            }
            shards.push((folder, state));
        }
        shards.sort_by(|(left, one), (right, other)| (one.shard, left).cmp(&(other.shard, right)));
        Ok(shards)
    }

    fn say(
        &self,
        plan: &ShardPlan,
        shards: &[(PathBuf, ShardState)],
        (merged, target): (&Merged, &Target),
    ) -> Exit {
        for folder in &merged.folders {
            let printed = output::print(&format!("Results are in {}", target.name_of(folder)));
            if printed != Exit::Done {
                return printed;
            }
        }
        let count = |number: usize| output::count(number, "unit");
        output::say(format!(
            "{} of {} of {} merged",
            merged.units,
            count(plan.units().count() * merged.sizes),
            output::count(plan.shards.len(), "shard")
        ));
        let mut exit = Exit::Done;
        for shard in 0..plan.shards.len() {
            let missing: Vec<_> = merged.missing.iter().filter(|missing| missing.shard == shard).collect();
            if missing.is_empty() {
                continue;
            }
            exit = Exit::Failed;
            let said = shards.iter().rev().find(|(_, state)| state.shard == shard).map(|(_, state)| state);
            let state = match said.map(|said| (said.state, said.ended_process())) {
                None => "has not begun",
                Some((State::Running, Some(_))) => "was killed",
                Some((State::Running, None)) => "is running, or was killed",
                Some((State::Failed, _)) => "failed",
                Some((State::Done, _)) => "is not what it says",
            };
            output::error(format!(
                "shard {shard} {state}: {} missing; run: {}",
                count(missing.len()),
                command_of(&self.plan, shard, self.store())
            ));
            for unit in missing.iter().take(NAMED) {
                output::say(format!(
                    "  {}, split {}, subset {}: {}",
                    unit.task, unit.split, unit.subset, unit.why
                ));
            }
            if missing.len() > NAMED {
                output::say(format!("  and {} more", missing.len() - NAMED));
            }
        }
        for fault in &merged.faults {
            output::error(fault);
            exit = Exit::Failed;
        }
        exit
    }

    /// Brings caches together; true if all could be read.
    fn merge_caches(&self, shards: &[(PathBuf, ShardState)], cache: &Path) -> bool {
        let mut froms: Vec<PathBuf> = shards.iter().map(|(_, state)| PathBuf::from(&state.cache)).collect();
        froms.sort();
        froms.dedup();
        let mut is_well = true;
        let mut all = mteb_cache::CacheMerged::default();
        for from in froms.iter().filter(|from| !from.as_os_str().is_empty()) {
            match mteb_cache::merge(from, cache) {
                Ok(merged) => {
                    all.segments += merged.segments;
                    all.bytes += merged.bytes;
                    all.damaged += merged.damaged;
                }
                Err(error) => {
                    output::error(format!(
                        "{}: cannot bring its embeddings to {}: {error}",
                        from.display(),
                        cache.display()
                    ));
                    is_well = false;
                }
            }
        }
        if all.damaged > 0 {
            output::warn(format!(
                "{} of embeddings are damaged and were left where they are",
                output::count(all.damaged, "file")
            ));
        }
        output::say(format!(
            "Cached embeddings: {} new, {} MB, in {}",
            output::count(all.segments, "file"),
            all.bytes / 1_000_000,
            cache.display()
        ));
        is_well
    }
}

/// Why the shards to merge are not known.
#[derive(Debug, thiserror::Error)]
enum ShardsError {
    /// A folder that was named says nothing of its shard.
    #[error(transparent)]
    Unread(#[from] PlanError),
    /// A shard is none of the plan.
    #[error(
        "{}: expected a shard of {}, found one of another plan; name the folders of its shards, or plan again",
        folder.display(),
        plan.display()
    )]
    OtherPlan {
        /// The folder of the shard.
        folder: PathBuf,
        /// The plan.
        plan: PathBuf,
    },
}

/// The first stage, if units behind it are scored here. What is wrong with it is said; the other units are merged even so.
fn open_first_stage(plan: &ShardPlan, rerank: &RerankArgs) -> Option<FirstStage> {
    let is_scored_here = plan.units().any(|(_, unit)| !unit.ranges.is_empty());
    if is_scored_here { rerank.read_first_stage().ok().flatten() } else { None }
}

/// The folders directly in `folder`, by name.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Where merged results go.
struct Target {
    folder: PathBuf,
    sent_to: Option<SentTo>,
}

/// A store to which they are sent from a temporary folder.
struct SentTo {
    address: String,
    store: Store,
    _temporary: TempDir,
}

/// The folders of models in a store, each beside its copy here.
struct Mirrors<'a> {
    address: &'a str,
    models: Vec<Mirror<&'a Store>>,
}

impl Target {
    /// The folder or the address that is `named`.
    ///
    /// # Errors
    /// The exit code, after it was said that the store cannot be opened.
    pub fn open(named: &Path) -> Result<Self, Exit> {
        let Some(address) = address(named) else {
            return Ok(Self { folder: named.to_owned(), sent_to: None });
        };
        let store = open_store(address).map_err(usage)?;
        let temporary =
            tempfile::tempdir().map_err(|error| failed(format!("cannot make a folder: {error}")))?;
        let folder = temporary.path().to_owned();
        let sent_to = SentTo { address: address.to_owned(), store, _temporary: temporary };
        Ok(Self { folder, sent_to: Some(sent_to) })
    }

    /// The folder into which results are merged.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How a folder of merged results is called.
    pub fn name_of(&self, folder: &Path) -> String {
        match (&self.sent_to, folder.strip_prefix(&self.folder)) {
            (Some(SentTo { address, .. }), Ok(name)) => format!("{address}/{}", name.display()),
            _ => folder.display().to_string(),
        }
    }

    /// Brings here what the store has of the models in these folders of `shards`: other tasks and units of theirs stay.
    ///
    /// # Errors
    /// The exit code, after it was said that the store cannot be asked.
    pub fn fetch<'a>(&'a self, shards: impl Iterator<Item = &'a Path>) -> Result<Option<Mirrors<'a>>, Exit> {
        let Some(SentTo { address, store, .. }) = &self.sent_to else { return Ok(None) };
        let models: BTreeSet<String> = shards.flat_map(models_in).collect();
        let mut mirrors = Mirrors { address, models: Vec::with_capacity(models.len()) };
        for model in models {
            let mut mirror = Mirror::new(store, &model, &self.folder.join(&model), read_units);
            mirror.fetch().map_err(|why| failed(write_fault(address, &why)))?;
            mirrors.models.push(mirror);
        }
        Ok(Some(mirrors))
    }
}

impl Mirrors<'_> {
    /// Sends what was merged.
    ///
    /// # Errors
    /// The exit code, after it was said that the store cannot be asked.
    pub fn send(self) -> Result<(), Exit> {
        for mut mirror in self.models {
            mirror.send().map_err(|why| {
                failed(format!("{}; merge again to send the rest", write_fault(self.address, &why)))
            })?;
        }
        Ok(())
    }
}

/// The folders of models in the `folder` of a shard, each the name of a model and its revision.
fn models_in(folder: &Path) -> Vec<String> {
    let names = |folder: &Path| -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir());
        folders.filter_map(|entry| entry.file_name().into_string().ok()).collect()
    };
    let of_model = |model: String| {
        let revisions = names(&folder.join(&model)).into_iter();
        revisions.map(|revision| format!("{model}/{revision}")).collect::<Vec<_>>()
    };
    names(folder).into_iter().flat_map(of_model).collect()
}
