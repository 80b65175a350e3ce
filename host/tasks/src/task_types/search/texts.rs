//! Texts and qrels of a search by the ids of queries and documents, as models read them and as
//! judges do.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::corpus::DocumentPieces;
use super::ids::id_column;
use super::plan::{Needs, SearchPlan, Searched};
use crate::{Corpus, EvaluateError, Part, Protocol, Unit};

/// Texts by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTexts {
    /// The judged queries, each with its instruction; of several rows of one id the first.
    pub queries: BTreeMap<String, String>,
    /// The documents that were wanted, each behind its title.
    pub documents: BTreeMap<String, String>,
}

/// The texts of the queries of `unit`, and of those documents of its corpus whose ids are `wanted`.
/// The documents are read from `corpus` where the unit has none.
///
/// # Errors
/// If the data is not what a search needs.
pub fn search_texts(
    mut unit: Unit,
    corpus: Option<Box<dyn Corpus>>,
    options: &Protocol,
    wanted: &HashSet<String>,
) -> Result<SearchTexts, EvaluateError> {
    let corpus = match corpus {
        Some(corpus) => corpus,
        None => {
            unit.part(Part::Corpus)?;
            Box::new(unit.parts.remove(&Part::Corpus).unwrap_or_default())
        }
    };
    unit.keeps_all = true;
    let plan =
        SearchPlan::new(&unit, corpus, options, Needs { candidates: false, changes: false, depth: None })?;
    let mut texts = SearchTexts::default();
    for (text, &place) in plan.queries.texts.iter().zip(&plan.query_places) {
        texts.queries.entry(plan.query_ids[place].clone()).or_insert_with(|| text.to_owned());
    }
    let corpus = match &plan.corpus {
        Searched::All(corpus) | Searched::Given(_, Some(corpus)) => Some(&**corpus),
        Searched::Given(_, None) => None,
    };
    for piece in corpus.into_iter().flat_map(DocumentPieces::new) {
        let piece = piece?;
        let rows: Vec<usize> = (0..piece.ids.len()).filter(|&row| wanted.contains(&piece.ids[row])).collect();
        let found = piece.texts(rows.iter().copied())?;
        let named = rows.iter().map(|&row| piece.ids[row].to_owned());
        texts.documents.extend(named.zip(found.iter().map(str::to_owned)));
    }
    Ok(texts)
}

/// The grades of `unit` by query and document; of several of one pair the last one, as measures
/// take it.
///
/// # Errors
/// If it has no judgements, or they are not what they must be.
pub fn own_grades(unit: &Unit) -> Result<HashMap<(String, String), f64>, EvaluateError> {
    let qrels = unit.part(Part::Qrels)?;
    let (queries, documents) = (id_column(qrels, "query-id")?, id_column(qrels, "corpus-id")?);
    let ids = queries.iter().zip(documents.iter());
    let grades = qrels.written_floats("score")?;
    Ok(ids.map(|(query, document)| (query.to_owned(), document.to_owned())).zip(grades).collect())
}
