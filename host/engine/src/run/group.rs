//! Groups of steps that are encoded together, in the order in which they are scored; and the limit
//! that keeps the first stage from reading so far ahead that memory runs out.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

use mteb_cache::Stamp;
use mteb_card::TaskType;
use mteb_models::encode::{RequestedTexts, prompt_for};
use mteb_plugin_api::Prompts;
use mteb_registry::Selected;
use mteb_results::footprint::{Phase, Works};
use mteb_results::identity::UnitFacts;
use mteb_tasks::Plan;

use super::UnitOutcome;
use super::error::UnitError;

/// Bytes of text in the first group of a task: little, so that the model has work at once.
const FIRST_BYTES: usize = 256 << 10;

/// Bytes of text in later groups: some 500,000 tokens, of which batches with next to no padding can be made.
const MOST_BYTES: usize = 2 << 20;

/// Most bytes of the rows of a group.
const MOST_ROW_BYTES: usize = 128 << 20;

/// Units of a task that may share groups, where they are small.
const BLOCK: usize = 16;

/// One step of a run.
pub enum Step<'a> {
    /// A task begins.
    Begin(TaskStart<'a>),
    /// An earlier run has scored a unit, and noted this about its data.
    Found { split: &'a str, subset: &'a str, outcome: UnitOutcome, warnings: Vec<String> },
    /// A unit is to be scored.
    Unit(PlannedUnit<'a>),
    /// Another machine scores this unit, but its texts are encoded together with those of a unit
    /// that is scored here.
    Peer(PlannedUnit<'a>),
    /// The task ends.
    End,
}

/// A task with data, as part of the run.
pub struct TaskJob {
    /// Number of the task that was selected: this one, or one whose member this is.
    pub number: usize,
    /// The task, narrowed to what was asked for.
    pub task: Selected,
    /// True if this is the only or the last member.
    pub is_last: bool,
}

/// A task before its units.
pub struct TaskStart<'a> {
    /// The task.
    pub job: &'a TaskJob,
    /// When the first stage began with it.
    pub begin: Instant,
    /// The units that will be scored, or why none can be.
    pub units: Result<HashSet<(String, String)>, UnitError>,
}

/// A unit that is ready to be scored, or the reason why it cannot be scored.
pub struct PlannedUnit<'a> {
    pub task: &'a Selected,
    pub split: &'a str,
    pub subset: &'a str,
    pub plan: Result<Box<dyn Plan>, UnitError>,
    /// Notes on the folder of its data. Results do not store them, because every run inspects the
    /// folder.
    pub of_folder: Vec<String>,
    /// Its inputs, without the prompts.
    pub made_from: Option<Box<MadeFrom>>,
    /// The work so far, for this unit and for ones that were only planned.
    pub phases: Vec<Phase>,
    /// Seconds of that work.
    pub seconds: f64,
    /// The same by what was done.
    pub works: Works,
}

/// The files that a unit was read from, and how.
pub struct MadeFrom {
    /// What the result file says of it, the prompts left empty.
    pub facts: UnitFacts,
    /// The files as they were when they were hashed.
    pub watched: Vec<(PathBuf, Stamp)>,
}

impl MadeFrom {
    /// Checks that the files are still those that were hashed.
    ///
    /// # Errors
    /// The file that is not.
    pub fn check(&self) -> Result<(), UnitError> {
        let is_changed = |(path, stamp): &&(PathBuf, Stamp)| {
            !path.metadata().is_ok_and(|found| Stamp::of(&found) == *stamp)
        };
        match self.watched.iter().find(is_changed) {
            Some((path, _)) => Err(UnitError::Changed(path.clone())),
            None => Ok(()),
        }
    }
}

/// Steps whose texts are encoded together.
#[derive(Default)]
pub struct Group<'a> {
    /// The steps in order.
    pub steps: Vec<Step<'a>>,
    /// The group's part of what the stages hold together.
    pub load: Option<Load>,
    text_bytes: usize,
    row_bytes: usize,
    /// True if a unit of it is scored here.
    has_own: bool,
}

impl<'a> Group<'a> {
    /// Adds a step of this size.
    pub fn push(&mut self, step: Step<'a>, size: Size) {
        self.has_own |= matches!(step, Step::Unit(_));
        self.text_bytes += size.text_bytes;
        self.row_bytes += size.row_bytes;
        self.steps.push(step);
    }

    /// True if the group should end before a step of this size: together they would be more than `limit` bytes of text, or
    /// more rows than a group may have.
    pub fn is_full_before(&self, size: Size, limit: usize) -> bool {
        self.text_bytes > 0
            && (self.text_bytes + size.text_bytes > limit || self.row_bytes + size.row_bytes > MOST_ROW_BYTES)
    }

    /// True if a unit of it is scored here.
    pub fn has_own(&self) -> bool {
        self.has_own
    }

    /// Drops the units of other machines if no unit of the group is scored here.
    #[must_use]
    pub fn without_needless(mut self) -> Self {
        if !self.has_own() {
            self.steps.retain(|step| !matches!(step, Step::Peer(_)));
            (self.text_bytes, self.row_bytes) = (0, 0);
        }
        self
    }

    /// Bytes of its texts.
    pub fn text_bytes(&self) -> usize {
        self.text_bytes
    }

    /// The texts that its units will request, as far as they are known; none if their embeddings
    /// would not fit into memory. Units have the numbers of their steps.
    pub fn asked(&self, prompts: &Prompts) -> Vec<RequestedTexts<'_>> {
        if self.row_bytes > MOST_ROW_BYTES {
            return Vec::new();
        }
        let mut asked = Vec::new();
        for (number, step) in self.steps.iter().enumerate() {
            let (Step::Unit(unit) | Step::Peer(unit)) = step else { continue };
            let PlannedUnit { task, plan: Ok(plan), .. } = unit else { continue };
            for column in plan.columns() {
                let prompt = prompt_for(prompts, &task.entry.card, column.role);
                asked.push(RequestedTexts { unit: number, role: column.role, prompt, texts: &column.texts });
            }
        }
        asked
    }
}

/// The number of the block that contains unit `position` of its task. Groups never cross blocks, so
/// the groups of a block can be computed without reading earlier blocks. In ranking tasks, each
/// unit is a block of its own because it is large.
pub fn block_of(task_type: TaskType, position: usize) -> usize {
    if task_type.is_ranking() { position } else { position / BLOCK }
}

/// Limits on the bytes of text per group. In the first block of a task, the first group is small
/// and each later one twice as large, up to a maximum. The limits depend on neither time nor other
/// tasks, so that the same units always form the same batches.
pub struct Limits(usize);

impl Limits {
    /// The limits of a block of a task.
    pub fn of_block(block: usize) -> Self {
        Self(if block == 0 { FIRST_BYTES } else { MOST_BYTES })
    }

    /// The limit of the current group.
    pub fn current(&self) -> usize {
        self.0
    }

    /// The next group begins.
    pub fn grow(&mut self) {
        self.0 = (self.0 * 2).min(MOST_BYTES);
    }
}

/// How much a step adds to a group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    /// Bytes of its texts.
    text_bytes: usize,
    /// Bytes of their rows.
    row_bytes: usize,
}

impl Size {
    /// The size of `step`, with rows of `dimension` numbers; only a unit has any.
    pub fn of(step: &Step, dimension: usize) -> Self {
        let (Step::Unit(unit) | Step::Peer(unit)) = step else { return Self::default() };
        let Ok(plan) = &unit.plan else { return Self::default() };
        let columns = plan.columns();
        let texts: usize = columns.iter().map(|column| column.texts.len()).sum();
        Self {
            text_bytes: columns.iter().map(|column| column.texts.byte_len()).sum(),
            row_bytes: texts * dimension * size_of::<f32>(),
        }
    }
}

/// Bytes of text that all stages may hold before the next unit is read.
const LIMIT: usize = 64 << 20;

/// Bytes of text between the first stage and the last.
#[derive(Clone, Debug, Default)]
pub struct Loads(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    bytes: Mutex<usize>,
    less: Condvar,
}

/// Some bytes that count until this value is dropped.
#[derive(Debug)]
pub struct Load {
    bytes: usize,
    all: Arc<Shared>,
}

impl Loads {
    /// Waits until the stages hold less than the limit.
    pub fn wait(&self) {
        let bytes = self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.less.wait_while(bytes, |bytes| *bytes > LIMIT));
    }

    /// Counts `bytes` more.
    pub fn add(&self, bytes: usize) -> Load {
        *self.0.bytes.lock().unwrap_or_else(PoisonError::into_inner) += bytes;
        Load { bytes, all: Arc::clone(&self.0) }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        *self.all.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.all.less.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_is_too_far_ahead_waits_for_the_stages_after_it() {
        let loads = Loads::default();
        let small = loads.add(LIMIT);
        loads.wait();
        let large = loads.add(1);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                loads.wait();
                sender.send(*loads.0.bytes.lock().unwrap()).unwrap();
            });
            drop(small);
            assert_eq!(receiver.recv(), Ok(1));
        });
        drop(large);
        assert_eq!(*loads.0.bytes.lock().unwrap(), 0);
    }
}
