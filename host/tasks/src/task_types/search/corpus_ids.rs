//! Whether the ids of a corpus are those that the judgements name, each once.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use mteb_data::{DataError, Location, Texts};
use rayon::prelude::*;

use super::corpus::DocumentPieces;
use super::documents::DocumentNumbers;
use super::repeats::{Repeated, Seen, some};
use crate::{Corpus, EvaluateError};

/// What is asked of the ids of a corpus.
#[derive(Clone, Debug)]
pub(super) struct IdRules {
    /// True if an id that occurs twice is refused, not noted.
    pub strict: bool,
    /// How many of the numbered documents are judged; they have the first numbers.
    pub judged: usize,
    /// Cuts that the card or the user names.
    pub named_cuts: Vec<usize>,
    /// The file of the judgements.
    pub qrels: String,
}

/// The ids of a corpus that goes by: 8 bytes a document, and a mark for each that is judged.
#[derive(Debug)]
pub(super) struct CorpusIds {
    hashes: Vec<u64>,
    is_there: Vec<bool>,
}

impl CorpusIds {
    /// No document yet.
    pub fn new(rules: &IdRules) -> Self {
        Self { hashes: Vec::new(), is_there: vec![false; rules.judged] }
    }

    /// The next documents have these ids.
    pub fn add<'a>(&mut self, ids: impl Iterator<Item = &'a str>, documents: &DocumentNumbers) {
        for id in ids {
            self.hashes.push(hash(id));
            let number = documents.find(id).map(|number| number as usize);
            if let Some(is_there) = number.and_then(|number| self.is_there.get_mut(number)) {
                *is_there = true;
            }
        }
    }

    /// Notes on the corpus, which went by from its first document to its last.
    ///
    /// # Errors
    /// If no judged document is there, or an id occurs twice where that is refused.
    pub fn check(
        self,
        rules: &IdRules,
        documents: &DocumentNumbers,
        corpus: &dyn Corpus,
    ) -> Result<Vec<String>, EvaluateError> {
        let mut notes: Vec<String> = self.unknown(rules, documents)?.into_iter().collect();
        let count = self.hashes.len();
        let repeated = repeated(self.hashes, corpus)?;
        if let Some(first) = &repeated.first {
            if rules.strict {
                return Err(first.fault().into());
            }
            notes.push(repeated.note("documents"));
        }
        let beyond: Vec<usize> = rules.named_cuts.iter().copied().filter(|&cut| cut > count).collect();
        if !beyond.is_empty() {
            let cuts = beyond.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            notes.push(format!(
                "`k_values`: expected cuts of at most the {count} documents of the corpus, found: {cuts}"
            ));
        }
        Ok(notes)
    }

    fn unknown(&self, rules: &IdRules, documents: &DocumentNumbers) -> Result<Option<String>, EvaluateError> {
        let unknown = || self.is_there.iter().enumerate().filter(|(_, is_there)| !**is_there);
        let ids = some(unknown().map(|(number, _)| documents.text(number as u32)));
        match unknown().count() {
            0 => Ok(None),
            all if all == self.is_there.len() => Err(DataError::Malformed {
                place: format!("{}, column `corpus-id`", rules.qrels),
                message: format!(
                    "expected ids of documents in the corpus, found none among {all}, such as {ids}"
                ),
            }
            .into()),
            count => Ok(Some(format!(
                "{}: judged documents that are not in the corpus, and count as not found: {count} of {} ({ids})",
                rules.qrels,
                self.is_there.len()
            ))),
        }
    }
}

/// The ids that occur more than once. Few hashes do, and only their ids are read again.
fn repeated(mut hashes: Vec<u64>, corpus: &dyn Corpus) -> Result<Repeated, DataError> {
    hashes.par_sort_unstable();
    let suspects: HashSet<u64> =
        hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    let mut repeated = Repeated::default();
    if suspects.is_empty() {
        return Ok(repeated);
    }
    let mut seen = Seen::new();
    for piece in DocumentPieces::new(corpus) {
        let piece = piece?;
        for (row, id) in piece.ids.iter().enumerate().filter(|(_, id)| suspects.contains(&hash(id))) {
            repeated.see(&mut seen, id, piece.id_column, || piece.at(row));
        }
    }
    Ok(repeated)
}

/// The ids of a table that occur more than once.
pub(super) fn repeated_ids(ids: &Texts, column: &'static str, at: impl Fn(usize) -> Location) -> Repeated {
    let mut repeated = Repeated::default();
    let mut all: HashSet<&str> = HashSet::new();
    let twice: HashSet<&str> = ids.iter().filter(|id| !all.insert(id)).collect();
    let mut seen = Seen::new();
    for (row, id) in ids.iter().enumerate().filter(|(_, id)| twice.contains(id)) {
        repeated.see(&mut seen, id, column, || at(row));
    }
    repeated
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
