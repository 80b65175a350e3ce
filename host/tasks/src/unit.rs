//! The data of one unit of work.

use std::collections::BTreeMap;

use mteb_data::{DataError, Table};

/// A part of a task's data (protocol 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The rows of the evaluation split.
    Rows,
    /// The rows of the training split.
    Train,
    /// Documents: `id`, `text`, optional `title`.
    Corpus,
    /// Queries: `id`, `text`.
    Queries,
    /// Judgements: `query-id`, `corpus-id`, `score`.
    Qrels,
    /// Candidates: `query-id`, `corpus-ids`.
    TopRanked,
    /// Instructions: `query-id`, `instruction`.
    Instruction,
    /// Documents whose relevance changed: `query-id`, `corpus-ids`.
    QrelDiff,
}

/// One (task, split, subset) with its tables; columns carry the canonical names of [`Part`] and protocol 2.1.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Task name.
    pub task: String,
    /// Split name.
    pub split: String,
    /// Subset name, `default` for a monolingual task.
    pub subset: String,
    /// The tables.
    pub parts: BTreeMap<Part, Table>,
}

impl Part {
    /// The part's name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Train => "train",
            Self::Corpus => "corpus",
            Self::Queries => "queries",
            Self::Qrels => "qrels",
            Self::TopRanked => "top_ranked",
            Self::Instruction => "instruction",
            Self::QrelDiff => "qrel_diff",
        }
    }
}

impl Unit {
    /// The table of `part`, if the unit has it.
    pub fn get(&self, part: Part) -> Option<&Table> {
        self.parts.get(&part)
    }

    /// The table of `part`.
    ///
    /// # Errors
    /// [`DataError::Missing`] if the unit does not have it.
    pub fn part(&self, part: Part) -> Result<&Table, DataError> {
        self.get(part).ok_or_else(|| DataError::Missing {
            place: format!("{}, split {}, subset {}", self.task, self.split, self.subset),
            what: "part",
            name: part.name().to_owned(),
            present: self.parts.keys().map(|part| part.name()).collect::<Vec<_>>().join(", "),
        })
    }
}
