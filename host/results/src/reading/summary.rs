//! What tables need of a result file of any age. It is small enough to be kept of tens of thousands
//! of files, which a [`ResultFile`](crate::ResultFile) with all that stands in its file is not.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::footprint::Footprint;
use super::other_main::OtherMain;
use crate::identity::hash_of_units;

/// The results of a model on a task.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the task, as the file says it.
    pub task: String,
    /// Name of the file without its ending.
    pub stem: String,
    /// The model that a file of this host names.
    pub model: Option<String>,
    /// Revision of the data.
    pub dataset_revision: String,
    /// Version of the reference that wrote the file, or whose protocol it follows.
    pub version: Option<String>,
    /// Unix seconds of its last change, where the file says it.
    pub date: Option<f64>,
    /// Seconds of work, where the file says it.
    pub evaluation_time: Option<f64>,
    /// True if the file has the form of before mteb 1.11.
    pub is_historic: bool,
    /// True if this host wrote the file.
    pub is_ours: bool,
    /// The model as the newest scores of the file have it, as JSON.
    pub state: Option<String>,
    /// The prompts of the newest scores, as JSON.
    pub prompts: Option<String>,
    /// What the scores have cost, where the file says it.
    pub footprint: Option<Footprint>,
    /// The main score of the task as whoever read the file knew it: what main scores of others were
    /// compared with.
    pub main_score: Option<String>,
    /// One entry a split and subset, in the order of the file.
    pub entries: Vec<Entry>,
}

/// Scores of one split and subset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the split.
    pub split: String,
    /// Name of the subset.
    pub subset: String,
    /// Languages as the file says them; none in historic files.
    pub languages: Vec<String>,
    /// The score that stands for the unit; `None` if it is undefined, and in historic files that do
    /// not name it.
    pub main_score: Option<f64>,
    /// Scores by name: of historic files and of those of this host.
    pub scores: BTreeMap<String, f64>,
    /// What the score was made from, where the file says it.
    pub origin: Option<ScoreOrigin>,
    /// Why the score cannot be right: it is on no board but the reference's, which takes it.
    pub fault: Option<String>,
    /// Why a score of others may not be right: it counts, marked.
    pub doubt: Option<String>,
    /// What the main score is, where it is another measure than the one that the file was read for.
    /// Of entries with [`scores`](Self::scores) these say it.
    pub other_main: Option<Box<OtherMain>>,
    /// Of a score that others made, and this host found in its file and kept: who made it, and on
    /// which data.
    pub of_others: Option<OfOthers>,
}

/// A score that somebody else made in a file of this host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OfOthers {
    /// Version of the reference that made it, where the entry says it.
    pub version: Option<String>,
    /// Revision of its data.
    pub dataset_revision: String,
}

impl OfOthers {
    /// What marks the score where it stands among those of this host.
    pub fn mark(&self) -> String {
        match &self.version {
            Some(version) => format!("scored by others, with mteb {version}"),
            None => "scored by others".to_owned(),
        }
    }
}

/// What a score of this host was made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreOrigin {
    /// Data and options as text, as the file says them.
    pub made_from: Option<String>,
    /// The same without options that are written out at their defaults; `None` where there are none
    /// of them.
    pub without_defaults: Option<String>,
    /// One of the two before, and what earlier units were made from, whose draws the score
    /// continues; of the user's own data alone.
    pub with_earlier: Option<String>,
    /// True if its data is files that no dataset and no pack has.
    pub is_of_own_data: bool,
    /// Type of the task.
    pub task_type: Option<String>,
    /// Name of the main score.
    pub main_score: Option<String>,
    /// The model that the score is of, as JSON, where it is not that of the file; `null` where
    /// nobody knows.
    pub state: Option<String>,
    /// The prompts of the score, as JSON.
    pub prompts: Option<String>,
    /// Of a mean of other tasks: what the scores of each were made from, hashed.
    pub members: BTreeMap<String, String>,
}

/// The entries of a file by split and subset.
pub type ByUnit<'a> = HashMap<(&'a str, &'a str), &'a Entry>;

impl Summary {
    /// The entries by split and subset, for whoever asks for many of them: a file may have tens of
    /// thousands. Of a unit that is there twice the first one counts.
    pub fn by_unit(&self) -> ByUnit<'_> {
        let mut entries = ByUnit::with_capacity(self.entries.len());
        for entry in &self.entries {
            entries.entry((entry.split.as_str(), entry.subset.as_str())).or_insert(entry);
        }
        entries
    }

    /// The model that an entry is of, as JSON; `null` where nobody knows.
    pub fn state_of<'a>(&'a self, entry: &'a Entry) -> Option<&'a str> {
        let own = entry.origin.as_ref().and_then(|origin| origin.state.as_deref());
        own.or(self.state.as_deref())
    }

    /// Hash over what the units of a split were made from, as a mean of tasks keeps it of its
    /// members; `None` if the split is not there, or the file does not say it of all units.
    pub fn split_made_from(&self, split: &str) -> Option<String> {
        let mut entries = self.entries.iter().filter(|entry| entry.split == split).peekable();
        entries.peek()?;
        hash_of_units(
            entries.map(|entry| Some((entry.subset.as_str(), entry.origin.as_ref()?.made_from.as_deref()?))),
        )
    }
}

impl Entry {
    /// True if the score was made from files of the user's own.
    pub fn is_of_own_data(&self) -> bool {
        self.origin.as_ref().is_some_and(|origin| origin.is_of_own_data)
    }

    /// Data and options as text, and of the user's own data what earlier units were made from,
    /// whose draws the score continues: equal texts mean scores that can be compared.
    pub fn made_from(&self) -> Option<&str> {
        let origin = self.origin.as_ref()?;
        let plainly = origin.without_defaults.as_deref().or(origin.made_from.as_deref());
        origin.with_earlier.as_deref().or(plainly)
    }

    /// What the main score is, where it is another measure than `own`, the main score of the task.
    pub fn other_main(&self, own: &str) -> Option<OtherMain> {
        let main = self.main_score?;
        if self.scores.is_empty() {
            return self.other_main.as_deref().filter(|other| other.own == own).cloned();
        }
        OtherMain::of(own, main, self.scores.iter().map(|(name, score)| (name.as_str(), *score)))
    }

    /// The main score, where its name is known for historic files.
    pub fn main(&self, name: &str) -> Option<f64> {
        self.main_score.or_else(|| self.scores.get(name).copied()).filter(|score| score.is_finite())
    }
}
