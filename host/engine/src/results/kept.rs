//! What a run leaves beside its scores, in the folder of the results: outcomes, rankings and predictions of each unit.

use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use mteb_files::folder_name;
use mteb_plugin_api::Identity;
use mteb_rankings::{Predictions, Rankings, read_facts, read_text, write_trec};

use super::Json;
use crate::atomic_file::{self, LockedFolder};

/// Bytes at the head of a run file in which its facts stand.
const HEAD: u64 = 1 << 20;

/// What a run leaves beside its scores: outcomes of all tasks, and of tasks that rank the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepFiles {
    /// What single items came to.
    pub outcomes: bool,
    /// TREC run files.
    pub rankings: bool,
    /// Prediction files of the reference.
    pub predictions: bool,
    /// Documents of each query in either.
    pub depth: usize,
}

impl KeepFiles {
    /// Documents of each query that are wanted; `None` if no file is.
    pub fn depth(self) -> Option<usize> {
        (self.rankings || self.predictions).then_some(self.depth)
    }
}

impl Default for KeepFiles {
    fn default() -> Self {
        Self { outcomes: false, rankings: false, predictions: false, depth: 1000 }
    }
}

/// The files beside the results of one model.
#[derive(Clone, Debug)]
pub struct Kept {
    folder: PathBuf,
}

/// How a file beside a score stands to that score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was made from what the score was made from.
    Fits,
    /// It is not there.
    Absent,
    /// It cannot be read, or its cells are not those that were written.
    Damaged(PathBuf),
    /// It is of another model, other data or another depth.
    Other(PathBuf),
}

impl Standing {
    /// Why the unit is to be scored again for the sake of its `files`; `None` if it need not.
    pub fn reason(&self, files: &str) -> Option<String> {
        match self {
            Self::Fits => None,
            Self::Absent => Some(format!("its {files} are not there")),
            Self::Damaged(path) => Some(format!("its {files} are damaged: {}", path.display())),
            Self::Other(path) => Some(format!("its {files} are of something else: {}", path.display())),
        }
    }
}

/// A unit of work.
#[derive(Clone, Copy, Debug)]
pub struct UnitName<'a> {
    /// Its task.
    pub task: &'a str,
    /// Its split.
    pub split: &'a str,
    /// Its subset.
    pub subset: &'a str,
}

impl fmt::Display for UnitName<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}, split {}, subset {}", self.task, self.split, self.subset)
    }
}

impl Kept {
    /// The files beside the results in `folder`.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The folder of the results.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The run file of a unit.
    pub fn rankings(&self, unit: UnitName<'_>) -> PathBuf {
        let name = format!("{}.trec.gz", folder_name(unit.subset));
        self.folder.join("rankings").join(folder_name(unit.task)).join(folder_name(unit.split)).join(name)
    }

    /// Writes the run file of a unit, with what it was made from in its head.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_rankings(&self, unit: UnitName<'_>, rankings: &Rankings, facts: &Json) -> io::Result<()> {
        let mut packed = Vec::new();
        write_trec(rankings, &facts.to_python(0), &mut packed)?;
        atomic_file::write(&self.rankings(unit), &packed)
    }

    /// How the run file of a unit stands to `facts`; only its head is read.
    pub fn standing_of_rankings(&self, unit: UnitName<'_>, facts: &Json) -> Standing {
        let (path, mut head) = (self.rankings(unit), Vec::new());
        let read = mteb_files::open(&path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
        match (read, read_facts(&head)) {
            (Ok(_), Some(found)) if found == facts.to_python(0) => Standing::Fits,
            (Ok(_), Some(_)) => Standing::Other(path),
            (Err(error), _) if error.kind() == io::ErrorKind::NotFound => Standing::Absent,
            _ => Standing::Damaged(path),
        }
    }

    /// The prediction file of a task.
    pub fn predictions(&self, task: &str) -> PathBuf {
        self.folder.join("predictions").join(format!("{}_predictions.json", folder_name(task)))
    }

    /// Writes the rankings of a unit into the prediction file of its task.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_predictions(
        &self,
        unit: UnitName<'_>,
        rankings: &Rankings,
        model: &Identity,
    ) -> io::Result<()> {
        let path = self.predictions(unit.task);
        let folder = LockedFolder::new(path.parent().unwrap_or(&self.folder))?;
        let mut predictions = self.read_predictions(unit.task, model).unwrap_or_else(|| {
            // One that cannot be read, or is another model's, is written anew.
            Predictions::new(&model.name, &model.revision)
        });
        predictions.insert(unit.split, unit.subset, rankings);
        let name = path.file_name().unwrap_or_default();
        folder.write(name.as_ref(), predictions.to_text().as_bytes())
    }

    /// True if the prediction file of its task has the unit.
    pub fn has_predictions(&self, unit: UnitName<'_>, model: &Identity) -> bool {
        let predictions = self.read_predictions(unit.task, model);
        predictions.is_some_and(|predictions| predictions.has(unit.split, unit.subset))
    }

    /// Removes what is left of an earlier score of a unit, which is scored anew without being kept.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn forget(&self, unit: UnitName<'_>, model: &Identity, keep: KeepFiles) -> io::Result<()> {
        let unwanted =
            [(self.rankings(unit), !keep.rankings), (self.outcomes(unit), !keep.outcomes)].into_iter();
        for (path, _) in unwanted.filter(|(_, is_unwanted)| *is_unwanted) {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        if !keep.predictions
            && self.predictions(unit.task).try_exists()?
            && let Some(mut predictions) = self.read_predictions(unit.task, model)
            && predictions.remove(unit.split, unit.subset)
        {
            atomic_file::write(&self.predictions(unit.task), predictions.to_text().as_bytes())?;
        }
        Ok(())
    }

    fn read_predictions(&self, task: &str, model: &Identity) -> Option<Predictions> {
        let path = self.predictions(task);
        let text = read_text(&path).ok()?;
        let predictions = Predictions::parse(&path.display().to_string(), &text).ok()?;
        predictions.is_of(&model.name, &model.revision).then_some(predictions)
    }
}
