//! Documents that are never found for a query (protocol 7.1).

use std::collections::HashSet;

use mteb_data::{DataError, Table, Texts};
use mteb_measures::ranking::DocumentIds;

use super::corpus_ids::NamedDocuments;
use super::given_lists::GivenLists;
use super::judged_queries::JudgedQueries;
use super::results::{DocumentNumbers, Results};
use crate::{EvaluateError, Part, Unit};

/// The ids of the documents that each query must not find.
#[derive(Default)]
pub(super) struct Excluded(Vec<HashSet<String>>);

/// What the lists of data of the user's own say.
#[derive(Default)]
pub(super) struct ExcludedFacts {
    /// What the reader of the result should know of them.
    pub notes: Vec<String>,
    /// The documents that they name, which are to be in the corpus.
    pub named: Option<NamedDocuments>,
}

impl Excluded {
    /// The lists of `unit` for the queries called `query_ids`.
    ///
    /// # Errors
    /// If a cell is no list of ids.
    pub fn new(unit: &Unit, query_ids: &[String]) -> Result<Self, DataError> {
        let Some(table) = unit.get(Part::Excluded) else { return Ok(Self::default()) };
        let lists = GivenLists::new(table)?;
        let of = |query: &String| lists.get(query).unwrap_or_default().iter().cloned().collect();
        Ok(Self(query_ids.iter().map(of).collect()))
    }

    /// What is said of the lists of `unit`, if its data is the user's own and whole.
    ///
    /// # Errors
    /// If no list is of a query that is there, or all that is relevant is excluded: what is left can only score 0.
    pub fn facts(
        &self,
        unit: &Unit,
        judged: &JudgedQueries,
        (query_ids, documents): (&Texts, &DocumentNumbers),
    ) -> Result<ExcludedFacts, EvaluateError> {
        let Some(table) = unit.get(Part::Excluded).filter(|_| unit.is_own && !unit.is_tried) else {
            return Ok(ExcludedFacts::default());
        };
        let lists = GivenLists::new(table)?;
        lists.check_queries(query_ids)?;
        let mut notes: Vec<String> = lists.note(false)?.into_iter().collect();
        notes.extend(lists.unknown_note(query_ids));
        notes.extend(self.relevant_note(judged, documents)?);
        Ok(ExcludedFacts { notes, named: self.named(table) })
    }

    /// The documents that any query must not find.
    fn named(&self, table: &Table) -> Option<NamedDocuments> {
        let ids: HashSet<String> = self.0.iter().flatten().cloned().collect();
        let place = format!("{}, column `corpus-ids`", table.place(0).0);
        (!ids.is_empty()).then_some(NamedDocuments { place, ids })
    }

    fn relevant_note(
        &self,
        judged: &JudgedQueries,
        documents: &DocumentNumbers,
    ) -> Result<Option<String>, EvaluateError> {
        let (mut hidden, mut lost) = (Vec::new(), 0);
        for ((query, judgements), excluded) in judged.ids.iter().zip(&judged.judgements).zip(&self.0) {
            let numbers = excluded.iter().filter_map(|id| documents.find(id));
            let relevant = numbers.filter(|&number| judgements.grade(number) > 0.0).count();
            let all = judgements.ideal().iter().filter(|grade| **grade > 0.0).count();
            lost += usize::from(relevant == all);
            if relevant > 0 {
                hidden.push(query);
            }
        }
        let (Some(first), all) = (hidden.first(), judged.ids.len()) else { return Ok(None) };
        if lost == all {
            return Err(EvaluateError::Unscorable(format!(
                "expected a relevant document that a query may find, found all of them excluded for all of {all}: compare the \
                 ids of `excluded` with those of `qrels`"
            )));
        }
        Ok(Some(format!(
            "queries whose relevant documents are excluded: {} of {all}, the first of them “{first}”; remove it \
             from `excluded` or from `qrels`",
            hidden.len()
        )))
    }

    /// The length of the longest list: so many more documents must be found.
    pub fn most(&self) -> usize {
        self.0.iter().map(HashSet::len).max().unwrap_or(0)
    }

    /// Keeps of each query the `depth` best documents that are not excluded.
    pub fn leave_out(&self, results: &mut Results<'_>, depth: usize) {
        let Results { found, ids } = results;
        for (found, excluded) in found.iter_mut().zip(&self.0) {
            found.retain(|&(document, _)| !excluded.contains(ids.id(document)));
        }
        if !self.0.is_empty() {
            results.cut(depth);
        }
    }
}
