//! The data of one unit of work: its tables, their columns of texts, and its documents, which may
//! be more than fit into memory.

use std::collections::BTreeMap;

use mteb_card::{Part, TaskCard, TaskType};
use mteb_data::{DataError, PartNames, Table};

use crate::facts;

/// One (task, split, subset) with its tables; columns carry the canonical names of [`Part`] and protocol 2.1.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Task name.
    pub task: String,
    /// Split name.
    pub split: String,
    /// Subset name, `default` for a monolingual task.
    pub subset: String,
    /// True for the user's own data. It is refused for errors that the reference silently accepts:
    /// duplicate ids, qrels without a grade above 0, labels from which nothing can be learned.
    pub is_own: bool,
    /// True if a search keeps what ranking models and third-party rankings need in addition to what
    /// is encoded: the whole corpus even if there are candidates, and the ids of queries without
    /// qrels.
    pub keeps_all: bool,
    /// Cut-offs of measures in addition to those of the options.
    pub cuts: Vec<usize>,
    /// True if measures that the reference does not have are requested, too (protocol 7.6).
    pub extra: bool,
    /// True if it holds only the first items of a unit, to try a task.
    pub is_tried: bool,
    /// Documents that a first stage found for each query after the candidates, best first.
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

    /// The unit `[task, split, subset]` of public data, without additional settings.
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

/// The names of files that are parts of a ranking task.
pub fn part_names() -> PartNames {
    PartNames {
        all: Part::of_rankings().flat_map(Part::file_names).collect(),
        // A stray file next to them would be read as qrels.
        without_rows: [Part::Corpus, Part::Qrels].map(Part::as_str).to_vec(),
    }
}

/// The columns of a part that hold texts (protocol 2.1, 2.2).
pub fn text_columns(task_type: TaskType, part: Part) -> &'static [&'static str] {
    if part.is_of_rankings() { part.text_columns() } else { facts(task_type).text_columns }
}

/// Most rows of a piece of a corpus.
const PIECE_ROWS: usize = 50_000;

/// About how many bytes of memory a piece of a corpus takes.
const PIECE_BYTES: usize = 32 << 20;

/// Documents that are read from the first one on, a piece at a time and as often as needed.
///
/// Every row has an `id` (or `_id`) and a `text`; a `title` is optional, and null is none.
pub trait Corpus: Send + Sync {
    /// The rows in order, in pieces; [`rows_of_a_piece`] says how large a piece should be.
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_>;

    /// Number of rows, if it is known before they are read.
    fn rows(&self) -> Option<usize> {
        None
    }
}

impl Corpus for Table {
    fn open(&self) -> Box<dyn Iterator<Item = Result<Table, DataError>> + Send + '_> {
        let step = rows_of_a_piece(self);
        let starts = (0..self.rows()).step_by(step);
        Box::new(starts.map(move |start| Ok(self.slice(start..(start + step).min(self.rows())))))
    }

    fn rows(&self) -> Option<usize> {
        Some(self.rows())
    }
}

/// Rows that make a piece of a corpus whose rows are about as large as those of `seen`: at most 50,000, of about
/// 32 MiB.
pub fn rows_of_a_piece(seen: &Table) -> usize {
    let row_bytes = seen.memory() / seen.rows().max(1);
    (PIECE_BYTES / row_bytes.max(1)).clamp(1, PIECE_ROWS)
}

/// Number of documents that are examined for notes.
const LOOKED_AT: usize = 200_000;

/// The first rows of a corpus in pieces, as many as are examined. They end before the first row
/// that cannot be read, which is reported elsewhere.
pub(crate) fn first_rows(corpus: &dyn Corpus) -> impl Iterator<Item = Table> + '_ {
    let mut seen = 0;
    corpus.open().map_while(Result::ok).take_while(move |table| {
        seen += table.rows();
        seen <= LOOKED_AT
    })
}

#[cfg(test)]
mod tests {
    use mteb_data::Column;

    use super::*;

    fn corpus(rows: usize, text: &str) -> Table {
        let texts = Column::Text((0..rows).map(|_| text).collect());
        Table::new("corpus.jsonl", vec![("text".to_owned(), texts)]).unwrap()
    }

    fn pieces(corpus: &Table) -> Vec<usize> {
        corpus.open().map(|piece| piece.unwrap().rows()).collect()
    }

    #[test]
    fn a_piece_is_bounded_by_its_rows_and_by_its_bytes() {
        assert_eq!(pieces(&corpus(60_000, "isi")), [50_000, 10_000]);
        assert_eq!(pieces(&corpus(3, &"x".repeat(20 << 20))), [1, 1, 1]);
        assert!(pieces(&corpus(0, "")).is_empty());
    }
}
