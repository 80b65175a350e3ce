//! Who is told what happens while the engine works. The engine itself prints nothing.

use std::sync::Arc;

use mteb_models::encode::WorkerSpeeds;
use mteb_models::model::{Listener, Silent};

use crate::run::{TaskReport, UnitReport};

/// Is told of the progress of a run, as it happens, from several threads at a time.
///
/// Every method does nothing unless it is implemented, so an observer says only what it is there for.
pub trait Observer: Listener {
    /// These workers encode; what they have done can be seen at any time.
    fn workers(&self, speeds: Arc<WorkerSpeeds>) {
        let _ = speeds;
    }

    /// A run over `units` units begins.
    fn begin_run(&self, units: usize) {
        let _ = units;
    }

    /// The task called `name` begins.
    fn begin_task(&self, name: &str) {
        let _ = name;
    }

    /// A unit was read; `texts` is the number of its texts, if it is known.
    fn unit_read(&self, texts: Option<usize>) {
        let _ = texts;
    }

    /// A unit is being scored.
    fn begin_unit(&self, task: &str, split: &str, subset: &str, texts: Option<usize>) {
        let _ = (task, split, subset, texts);
    }

    /// The embeddings of `count` more texts are there.
    fn texts(&self, count: u64) {
        let _ = count;
    }

    /// The unit that was being scored ends.
    fn end_unit(&self) {}

    /// A unit is done: it was scored now or before, or has failed.
    fn unit_done(&self) {}

    /// What became of a unit of `task`; of one that was scored its result is on the disk.
    fn unit_ended(&self, task: &str, unit: &UnitReport) {
        let _ = (task, unit);
    }

    /// A task ends: what failed of it, and what is odd about it.
    fn end_task(&self, report: &TaskReport) {
        let _ = report;
    }

    /// The run ends.
    fn end_run(&self) {}
}

impl Observer for Silent {}
