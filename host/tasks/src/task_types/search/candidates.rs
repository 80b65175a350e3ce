//! The documents that are given for each query, of which alone the texts are kept.

use mteb_data::{Texts, all_cells};

use super::corpus::{DocumentPieces, in_all_pieces};
use super::corpus_ids::{CorpusIds, EmptyDocuments, IdRules};
use super::given_lists::GivenLists;
use super::judged_queries::JudgedQueries;
use super::results::DocumentNumbers;
use crate::{Corpus, EvaluateError, Role, TextColumn};

/// The candidates of each query row.
pub(super) struct CandidateLists {
    /// Texts of the documents that are somebody's candidate, in the order of the corpus.
    pub texts: TextColumn,
    /// The numbers of these documents.
    pub documents: Vec<u32>,
    /// For each query row its candidates as rows of `texts`, in the order of the list.
    pub encoded: Vec<Vec<u32>>,
    /// Ids of queries without candidates.
    pub without: Vec<String>,
    /// What the reader of the result should know of the corpus.
    pub notes: Vec<String>,
}

impl CandidateLists {
    /// The lists of the judged queries; of several documents with one id the last one counts.
    ///
    /// # Errors
    /// If the corpus cannot be read, breaks the `rules`, or a candidate is not in it.
    pub fn new(
        lists: &GivenLists<'_>,
        judged: &JudgedQueries,
        numbers: &mut DocumentNumbers,
        corpus: &dyn Corpus,
        rules: &IdRules,
    ) -> Result<Self, EvaluateError> {
        let given = |place: &usize| lists.get(&judged.ids[*place]).unwrap_or_default();
        let mut is_wanted = Vec::new();
        for id in judged.places.iter().flat_map(given) {
            let number = numbers.number(id) as usize;
            is_wanted.resize(numbers.len().max(is_wanted.len()), false);
            is_wanted[number] = true;
        }
        let (mut ids, mut empty) = (CorpusIds::new(rules), EmptyDocuments::default());
        let (texts, documents) = wanted_texts(corpus, numbers, &is_wanted, &mut ids, &mut empty)?;
        let mut notes = ids.check(rules, numbers, corpus)?;
        notes.extend(empty.note(rules));
        let mut rows = vec![None; numbers.len()];
        for (row, &document) in documents.iter().enumerate() {
            rows[document as usize] = Some(row as u32);
        }
        let mut without = Vec::new();
        let encoded = all_cells(judged.places.iter().map(|place| {
            let (query, list) = (&judged.ids[*place], given(place));
            if list.is_empty() {
                without.push(query.clone());
            }
            let row = |id: &String| numbers.find(id).and_then(|number| rows[number as usize]);
            list.iter().map(|id| row(id).ok_or_else(|| lists.unknown(query, id))).collect()
        }))?;
        let texts = TextColumn { texts, role: Some(Role::Document), phase: "Encoding corpus" };
        Ok(Self { texts, documents, encoded, without, notes })
    }

    /// What the reader of the result should know of queries without candidates.
    pub fn without_note(&self) -> Option<String> {
        let first = self.without.first()?;
        let count = self.without.len();
        Some(format!("queries without candidates, which score 0: {count}, the first of them “{first}”"))
    }

    /// What the reader of the result should know of queries none of whose candidates is relevant.
    ///
    /// # Errors
    /// If that is so of every query: what is left can only score 0.
    pub fn check_relevant(&self, judged: &JudgedQueries) -> Result<Option<String>, EvaluateError> {
        let has_relevant = |row: usize| {
            let judgements = &judged.judgements[judged.places[row]];
            self.documents(row).any(|document| judgements.grade(document) > 0.0)
        };
        let all = self.encoded.len();
        let lost: Vec<usize> = (0..all).filter(|&row| !has_relevant(row)).collect();
        if lost.len() == all {
            return Err(EvaluateError::Unscorable(format!(
                "expected a relevant document among the candidates of a query, found none for any of {all}: \
                 compare the ids of `top_ranked` with those of `qrels`"
            )));
        }
        // Of queries without candidates there is another word.
        let lost: Vec<usize> = lost.into_iter().filter(|&row| !self.encoded[row].is_empty()).collect();
        let Some(&first) = lost.first() else { return Ok(None) };
        let (count, first) = (lost.len(), &judged.ids[judged.places[first]]);
        Ok(Some(format!(
            "queries none of whose candidates is relevant, which score 0: {count} of {all}, the first of them “{first}”"
        )))
    }

    /// The candidates of query row `row` by number.
    pub fn documents(&self, row: usize) -> impl Iterator<Item = u32> {
        self.encoded[row].iter().map(|&candidate| self.documents[candidate as usize])
    }
}

/// Texts and numbers of the wanted documents in the order of the corpus, each at the last place of its id.
fn wanted_texts(
    corpus: &dyn Corpus,
    numbers: &DocumentNumbers,
    is_wanted: &[bool],
    ids: &mut CorpusIds,
    empty: &mut EmptyDocuments,
) -> Result<(Texts, Vec<u32>), EvaluateError> {
    let (mut texts, mut documents) = (Texts::new(), Vec::new());
    let mut last = vec![0; numbers.len()];
    for piece in DocumentPieces::new(corpus) {
        let piece = piece?;
        ids.add(piece.ids.iter(), numbers);
        let wanted = piece.ids.iter().enumerate().filter_map(|(row, id)| {
            let number = numbers.find(id).filter(|&number| is_wanted.get(number as usize) == Some(&true))?;
            Some((row, number))
        });
        let (rows, found): (Vec<usize>, Vec<u32>) = wanted.unzip();
        let own = piece.texts(rows.iter().copied()).map_err(|error| in_all_pieces(error, corpus))?;
        empty.add(EmptyDocuments::of(&own, |place| piece.at(rows[place])));
        texts.append(&own);
        for document in found {
            last[document as usize] = documents.len();
            documents.push(document);
        }
    }
    let is_last = |&row: &usize| last[documents[row] as usize] == row;
    let rows: Vec<usize> = (0..documents.len()).filter(is_last).collect();
    if rows.len() == documents.len() {
        return Ok((texts, documents));
    }
    Ok((texts.select(&rows), rows.iter().map(|&row| documents[row]).collect()))
}
