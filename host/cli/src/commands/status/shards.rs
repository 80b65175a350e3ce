//! How far the shards of a plan are, from their reports alone, which are in folders beside their
//! plan, or in a store to which they are sent.

use std::io;
use std::path::{Path, PathBuf};

use mteb_base::calendar;
use mteb_shards::{MirrorError, PlanError, STATE_FILE, ShardPlan, ShardState, State, fetch_states};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::commands::objects::{OpenError, Store, open_store, write_fault};
use crate::exit::Exit;
use crate::output;

/// Seconds for which a shard may say nothing whatever its units take.
const SILENCE: f64 = 600.0;

/// What becomes of a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// All of its units are scored.
    Done,
    /// It has said something lately.
    Running,
    /// Its process was one of this machine, and has ended without a word.
    Killed,
    /// It has ended without a word, or hangs: nothing was heard for longer than its units take.
    Silent,
    /// Some of its units failed, or it was interrupted.
    Failed,
    /// Nobody has begun it.
    NotBegun,
    /// What lies in its folder is of another plan, or cannot be read.
    Unreadable,
}

/// A shard, as its folder tells.
#[derive(Debug)]
pub struct ShardView {
    /// Its number.
    pub shard: usize,
    /// Its folder.
    pub folder: PathBuf,
    pub stage: Stage,
    /// What it said last.
    pub said: Option<ShardState>,
    /// Its units.
    pub units: usize,
    /// Seconds that the plan estimates.
    pub estimated: f64,
    /// Why it is unreadable.
    pub fault: Option<String>,
}

/// Reads a plan.
///
/// # Errors
/// If there is none, which is said.
pub fn read_plan(path: &Path) -> Result<ShardPlan, Exit> {
    ShardPlan::read(path).map_err(|error| {
        output::error(&error);
        if matches!(error, PlanError::Form { .. }) { Exit::Usage } else { Exit::Failed }
    })
}

/// The shards of a plan whose hash is `hash`, in their order, by their folders in `parent`; `now` is the time of day in Unix seconds.
pub fn views(plan: &ShardPlan, hash: &str, parent: &Path, now: f64) -> Vec<ShardView> {
    let mut views: Vec<ShardView> =
        (0..plan.shards.len()).map(|shard| view(plan, hash, shard, parent.join(shard.to_string()))).collect();
    let pace = pace(&views).unwrap_or(1.0);
    let mut longest = vec![0.0_f64; views.len()];
    for (_, unit) in plan.units() {
        if unit.ranges.is_empty() {
            longest[unit.shard] = longest[unit.shard].max(unit.seconds);
            continue;
        }
        for shard in unit.shards() {
            longest[shard] = longest[shard].max(unit.seconds_of(shard));
        }
    }
    for view in &mut views {
        // A shard speaks after each unit.
        let patience = SILENCE.max(3.0 * pace * longest[view.shard]);
        let is_silent = view.said.as_ref().is_some_and(|said| now - said.updated > patience);
        if view.stage == Stage::Running && is_silent {
            view.stage = Stage::Silent;
        }
    }
    views
}

fn view(plan: &ShardPlan, hash: &str, shard: usize, folder: PathBuf) -> ShardView {
    let (said, fault) = if folder.join(STATE_FILE).symlink_metadata().is_err() {
        (None, None)
    } else {
        match ShardState::read(&folder) {
            Ok(said) if said.plan == hash && said.shard == shard => (Some(said), None),
            Ok(said) if said.plan == hash => {
                (None, Some(format!("expected shard {shard}, found shard {}", said.shard)))
            }
            Ok(_) => (None, Some("expected a shard of this plan, found one of another".to_owned())),
            Err(error) => (None, Some(error.to_string())),
        }
    };
    let stage = match (&said, &fault) {
        (_, Some(_)) => Stage::Unreadable,
        (None, None) => Stage::NotBegun,
        (Some(said), None) => match said.state {
            State::Done => Stage::Done,
            State::Failed => Stage::Failed,
            State::Running if said.ended_process().is_some() => Stage::Killed,
            State::Running => Stage::Running,
        },
    };
    let planned = plan.shards[shard];
    ShardView { shard, folder, stage, said, units: planned.units, estimated: planned.seconds, fault }
}

/// Seconds that an estimated second took so far; `None` while nothing is done.
fn pace(views: &[ShardView]) -> Option<f64> {
    let (mut took, mut estimated) = (0.0, 0.0);
    for view in views {
        let Some(said) = &view.said else { continue };
        took += (said.finished.unwrap_or(said.updated) - said.started).max(0.0);
        estimated += view.estimated * view.part_done();
    }
    (estimated > 0.0 && took > 0.0).then_some(took / estimated)
}

/// Seconds until all that is running and waiting is done, if as many shards run as do now; `None` while nothing tells.
pub fn time_left(views: &[ShardView]) -> Option<f64> {
    let pace = pace(views)?;
    let left = |view: &ShardView| view.estimated * (1.0 - view.part_done()) * pace;
    let of = |stage: Stage| views.iter().filter(move |view| view.stage == stage);
    let running = of(Stage::Running).count();
    let all: f64 = of(Stage::Running).chain(of(Stage::NotBegun)).map(left).sum();
    let longest = of(Stage::Running).chain(of(Stage::NotBegun)).map(left).fold(0.0, f64::max);
    (running > 0).then(|| longest.max(all / running as f64))
}

impl ShardView {
    fn part_done(&self) -> f64 {
        if self.units == 0 {
            return 1.0;
        }
        self.units_done() as f64 / self.units as f64
    }

    /// Units that have a score.
    pub fn units_done(&self) -> usize {
        self.said.as_ref().map_or(0, |said| said.units_done.min(self.units))
    }

    /// What it is called for programs.
    pub fn to_json(&self, now: f64) -> Value {
        let said = self.said.as_ref();
        json!({
            "shard": self.shard,
            "state": self.stage.name(),
            "units_total": self.units,
            "units_done": self.units_done(),
            "units_failed": said.map_or(0, |said| said.units_failed),
            "seconds_estimated": self.estimated,
            "started": said.map(|said| said.started),
            "finished": said.and_then(|said| said.finished),
            "seconds_since_updated": said.map(|said| (now - said.updated).max(0.0)),
            "machine": said.map(|said| said.machine.clone()),
            "folder": self.folder.to_string_lossy(),
            "fault": self.fault,
        })
    }
}

impl Stage {
    /// Every stage, in the order in which they are counted.
    pub const ALL: [Self; 7] = [
        Self::Done,
        Self::Running,
        Self::Killed,
        Self::Silent,
        Self::Failed,
        Self::Unreadable,
        Self::NotBegun,
    ];

    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Running => "running",
            Self::Killed => "killed",
            Self::Silent => "silent",
            Self::Failed => "failed",
            Self::NotBegun => "not_begun",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Why reports of shards cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportsError {
    /// What is named is no store.
    #[error(
        "`--output-folder`: expected an address such as `s3://bucket/folder`, found: {}; the folders of shards are expected next to the plan",
        .0.display()
    )]
    NoAddress(PathBuf),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// There is no folder to which they can be brought.
    #[error("cannot make a folder for reports: {0}")]
    NoFolder(#[source] io::Error),
    /// The store cannot be asked.
    #[error("{}", write_fault(.address, .source))]
    Unread {
        /// Its address.
        address: String,
        /// What went wrong there.
        source: MirrorError,
    },
}

/// The reports of all shards of a plan.
pub struct Reports {
    folder: PathBuf,
    fetched_from: Option<FetchedFrom>,
}

/// A store from which they are brought into a temporary folder.
struct FetchedFrom {
    address: String,
    store: Store,
    _temporary: TempDir,
}

impl Reports {
    /// The reports beside the plan at `path`, or at this address of a store.
    ///
    /// # Errors
    /// If the store cannot be opened.
    pub fn open(path: &Path, address: Option<&str>) -> Result<Self, ReportsError> {
        let Some(address) = address else {
            return Ok(Self { folder: ShardPlan::shards_folder(path), fetched_from: None });
        };
        let store = open_store(address)?;
        let temporary = tempfile::tempdir().map_err(ReportsError::NoFolder)?;
        let folder = temporary.path().to_owned();
        let fetched_from = FetchedFrom { address: address.to_owned(), store, _temporary: temporary };
        Ok(Self { folder, fetched_from: Some(fetched_from) })
    }

    /// The shards of the plan whose hash is `hash`, as their reports are now.
    ///
    /// # Errors
    /// If the store cannot be asked.
    pub fn views(&self, plan: &ShardPlan, hash: &str) -> Result<Vec<ShardView>, ReportsError> {
        let address = self.fetched_from.as_ref().map(|from| from.address.as_str());
        if let Some(FetchedFrom { address, store, .. }) = &self.fetched_from {
            fetch_states(store, plan.shards.len(), &self.folder)
                .map_err(|source| ReportsError::Unread { address: address.clone(), source })?;
        }
        let mut found = views(plan, hash, &self.folder, calendar::seconds());
        if let Some(address) = address {
            found.iter_mut().for_each(|view| view.folder = format!("{address}/{}", view.shard).into());
        }
        Ok(found)
    }
}
