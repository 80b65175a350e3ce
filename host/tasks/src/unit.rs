//! The data of one unit of work.

use std::collections::BTreeMap;

use mteb_card::{Part, TaskCard};
use mteb_data::{DataError, Table};

use super::Corpus;

/// One (task, split, subset) with its tables; columns carry the canonical names of [`Part`] and protocol 2.1.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Task name.
    pub task: String,
    /// Split name.
    pub split: String,
    /// Subset name, `default` for a monolingual task.
    pub subset: String,
    /// True for data of the user's own, of which what the reference takes without a word is refused: an id that occurs twice,
    /// judgements of which none is above 0, labels from which nothing can be learned.
    pub is_own: bool,
    /// True if a search keeps what models that rank and rankings of others need beside what is encoded: the whole corpus where
    /// candidates are given, and the ids of queries that nobody judged.
    pub keeps_all: bool,
    /// Ranks at which measures are cut beside those of the options.
    pub cuts: Vec<usize>,
    /// Measures beside those of the reference are wanted (protocol 7.6).
    pub extra: bool,
    /// True if it holds the first items of a unit alone, with which a task is tried.
    pub is_tried: bool,
    /// Documents that a first stage found for each query behind the candidates, best first.
    pub behind: BTreeMap<String, Vec<String>>,
    /// The tables.
    pub parts: BTreeMap<Part, Table>,
}

impl Unit {
    /// The unit with all documents of a corpus as its part [`Part::Corpus`].
    ///
    /// # Errors
    /// If a piece of the corpus cannot be read.
    pub fn with_corpus(mut self, corpus: &dyn Corpus) -> Result<Self, DataError> {
        let mut documents = Table::default();
        for piece in corpus.open() {
            documents.append(piece?)?;
        }
        self.parts.insert(Part::Corpus, documents);
        Ok(self)
    }

    /// The unit `[task, split, subset]` of data that everybody shares, without further wishes.
    pub fn new([task, split, subset]: [&str; 3], parts: BTreeMap<Part, Table>) -> Self {
        Self {
            task: task.to_owned(),
            split: split.to_owned(),
            subset: subset.to_owned(),
            is_own: false,
            keeps_all: false,
            cuts: Vec::new(),
            extra: false,
            is_tried: false,
            behind: BTreeMap::new(),
            parts,
        }
    }

    /// A unit of the task of `card`, whose data may be the user's own.
    pub fn of(card: &TaskCard, split: &str, subset: &str, parts: BTreeMap<Part, Table>) -> Self {
        Self { is_own: card.dataset.is_own(), ..Self::new([&card.name, split, subset], parts) }
    }

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
            name: part.as_str().to_owned(),
            present: self.parts.keys().map(|part| part.as_str()).collect::<Vec<_>>().join(", "),
        })
    }
}
