//! Whether the ids of a corpus are those that the qrels name, each once, and which of its documents
//! are empty.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use mteb_base::counted::count;
use mteb_data::{DataError, Location, Table, Texts};
use rayon::prelude::*;

use super::corpus::DocumentPieces;
use super::ids::{Repeated, Seen, empty_id, empty_ids_note, some};
use super::results::DocumentNumbers;
use crate::empty_texts::empty_documents_note;
use crate::{Corpus, EvaluateError, is_blank, is_only_invisible};

/// What is asked of the ids of a corpus.
#[derive(Clone, Debug)]
pub(super) struct IdRules {
    /// True if an id that is empty or occurs twice is refused, not noted.
    pub strict: bool,
    /// The documents that are judged; they have the first numbers.
    pub judged: JudgedDocuments,
    /// Cuts that the card or the user names.
    pub named_cuts: Vec<usize>,
    /// Documents that the corpus must have beside those that are judged.
    pub named: Option<NamedDocuments>,
}

/// Documents that a part names.
#[derive(Clone, Debug)]
pub(super) struct NamedDocuments {
    /// Where it does.
    pub place: String,
    /// Their ids.
    pub ids: HashSet<String>,
}

/// Where documents are judged.
#[derive(Clone, Debug)]
pub(super) struct JudgedDocuments {
    /// The judgements, of which only the places matter.
    pub qrels: Table,
    /// By the number of a document the row of the first judgement that names it.
    pub rows: Vec<usize>,
}

/// The ids of a corpus that goes by: 8 bytes per document, and a mark for each that is judged.
#[derive(Debug)]
pub(super) struct CorpusIds {
    hashes: Vec<u64>,
    is_there: Vec<bool>,
    /// Ids that are empty.
    empty: usize,
    /// Named documents that did not go by yet.
    unseen: HashSet<String>,
}

impl CorpusIds {
    /// No document yet.
    pub fn new(rules: &IdRules) -> Self {
        let unseen = rules.named.as_ref().map(|named| named.ids.clone()).unwrap_or_default();
        Self { hashes: Vec::new(), is_there: vec![false; rules.judged.rows.len()], empty: 0, unseen }
    }

    /// The next documents have these ids.
    pub fn add<'a>(&mut self, ids: impl Iterator<Item = &'a str>, documents: &DocumentNumbers) {
        for id in ids {
            self.hashes.push(hash(id));
            self.empty += usize::from(id.is_empty());
            if !self.unseen.is_empty() {
                self.unseen.remove(id);
            }
            let number = documents.find(id).map(|number| number as usize);
            if let Some(is_there) = number.and_then(|number| self.is_there.get_mut(number)) {
                *is_there = true;
            }
        }
    }

    /// Notes on the corpus, which went by from its first document to its last.
    ///
    /// # Errors
    /// If no judged document is there, or an id is empty or occurs twice where that is refused.
    pub fn check(
        self,
        rules: &IdRules,
        documents: &DocumentNumbers,
        corpus: &dyn Corpus,
    ) -> Result<Vec<String>, EvaluateError> {
        let mut notes: Vec<String> = self.unknown(rules, documents)?.into_iter().collect();
        notes.extend(self.unknown_named(rules)?);
        if self.empty > 0 {
            let (first, fault) = empty(corpus)?;
            if rules.strict {
                return Err(fault.into());
            }
            notes.push(empty_ids_note("documents", self.empty, first));
        }
        let documents = self.hashes.len();
        let repeated = find_repeated(self.hashes, corpus)?;
        if let Some(first) = &repeated.first {
            if rules.strict {
                return Err(first.fault().into());
            }
            notes.push(repeated.note("documents"));
        }
        let beyond: Vec<usize> = rules.named_cuts.iter().copied().filter(|&cut| cut > documents).collect();
        if !beyond.is_empty() {
            let cuts = beyond.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
            notes.push(format!(
                "`k_values`: expected cut-offs of at most the {} of the corpus, found: {cuts}",
                count(documents, "document")
            ));
        }
        Ok(notes)
    }

    fn unknown(&self, rules: &IdRules, documents: &DocumentNumbers) -> Result<Option<String>, EvaluateError> {
        let unknown = || self.is_there.iter().enumerate().filter(|(_, is_there)| !**is_there);
        let ids = some(unknown().map(|(number, _)| documents.text(number as u32)));
        let JudgedDocuments { qrels, rows } = &rules.judged;
        let first = unknown().map(|(number, _)| rows[number]).min().unwrap_or_default();
        let place = format!("{}, column `corpus-id`", qrels.location(first));
        match unknown().count() {
            0 => Ok(None),
            all if all == self.is_there.len() => Err(none_in_the_corpus(place, all, &ids).into()),
            count => Ok(Some(format!(
                "{place}: judged documents that are not in the corpus, and count as not found: {count} of {} ({ids})",
                self.is_there.len()
            ))),
        }
    }
}

impl CorpusIds {
    /// What there is to say of named documents that the corpus does not have.
    fn unknown_named(&self, rules: &IdRules) -> Result<Option<String>, EvaluateError> {
        let Some(NamedDocuments { place, ids }) = rules.named.as_ref().filter(|_| !self.unseen.is_empty())
        else {
            return Ok(None);
        };
        let mut unknown: Vec<&str> = self.unseen.iter().map(String::as_str).collect();
        unknown.sort_unstable();
        let (count, all, shown) = (unknown.len(), ids.len(), some(unknown.iter().copied()));
        if count == all {
            return Err(none_in_the_corpus(place.clone(), all, &shown).into());
        }
        Ok(Some(format!("{place}: documents that are not in the corpus: {count} of {all} ({shown})")))
    }
}

/// The fault that the corpus has none of `all` documents, of which some are `shown`.
fn none_in_the_corpus(place: String, all: usize, shown: &str) -> DataError {
    let message = format!(
        "expected ids of documents in the corpus, found none among {all}, such as {shown}; compare them with the ids \
         (`_id` or `id`) of the corpus"
    );
    DataError::Malformed { place, message }
}

/// Where the first empty id is, and the fault of all in its file.
fn empty(corpus: &dyn Corpus) -> Result<(Location, DataError), DataError> {
    let (mut first, mut others) = (None::<(Location, &'static str)>, Vec::new());
    for piece in DocumentPieces::new(corpus) {
        let piece = piece?;
        for (row, _) in piece.ids.iter().enumerate().filter(|(_, id)| id.is_empty()) {
            let at = piece.at(row);
            match &first {
                None => first = Some((at, piece.id_column)),
                Some((one, _)) if one.file == at.file => others.push(at.number),
                Some(_) => {}
            }
        }
    }
    let nowhere = || DataError::Malformed {
        place: "the corpus".to_owned(),
        message: "expected the same documents as a moment ago, found others; run again".to_owned(),
    };
    let (at, column) = first.ok_or_else(nowhere)?;
    Ok((at.clone(), empty_id(at, column, others)))
}

/// The ids that occur more than once. Few hashes do, and only their ids are read again.
fn find_repeated(mut hashes: Vec<u64>, corpus: &dyn Corpus) -> Result<Repeated, DataError> {
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

/// How many documents have neither title nor text, and where the first of them is.
#[derive(Debug, Default)]
pub(super) struct EmptyDocuments {
    rows: usize,
    count: usize,
    /// Those of them that hold characters that nobody sees.
    invisible: usize,
    first: Option<Location>,
}

impl EmptyDocuments {
    /// The documents of one piece.
    pub fn of(texts: &Texts, at: impl Fn(usize) -> Location) -> Self {
        let empty = || texts.iter().enumerate().filter(|(_, text)| is_blank(text));
        Self {
            rows: texts.len(),
            count: empty().count(),
            invisible: empty().filter(|(_, text)| is_only_invisible(text)).count(),
            first: empty().next().map(|(row, _)| at(row)),
        }
    }

    /// The next piece.
    pub fn add(&mut self, piece: Self) {
        self.rows += piece.rows;
        self.count += piece.count;
        self.invisible += piece.invisible;
        self.first = self.first.take().or(piece.first);
    }

    /// What the reader of a result should know; nothing of data that others look after.
    pub fn note(&self, rules: &IdRules) -> Option<String> {
        let first = self.first.as_ref().filter(|_| rules.strict)?;
        Some(empty_documents_note(self.count, self.invisible, self.rows, first))
    }
}
