//! Search by a model that ranks documents itself: it reads the corpus, and gives the best documents of a query.
//!
//! Where candidates are given, they are those among the best of the whole corpus, as the reference has it.

use std::collections::HashSet;

use mteb_data::Texts;
use mteb_measures::ranking::{DocumentIds, Found};
use rayon::prelude::*;

use super::candidates::CandidateLists;
use super::corpus::{DocumentPieces, in_all_pieces};
use super::corpus_ids::{CorpusIds, EmptyDocuments};
use super::plan::{SearchPlan, Searched, no_documents};
use super::results::{FoundIds, Results, as_map};
use crate::{Corpus, DocumentIndex, EvaluateError, Session};

/// The `depth` best documents of each query id.
pub(super) fn search<'a>(
    plan: &'a SearchPlan,
    session: &mut dyn Session,
    depth: usize,
) -> Result<Results<'a>, EvaluateError> {
    let (corpus, lists) = match &plan.corpus {
        Searched::All(corpus) => (&**corpus, None),
        Searched::Given(lists, Some(corpus)) => (&**corpus, Some(lists)),
        Searched::Given(_, None) => {
            let message =
                "expected the whole corpus for a model that ranks it, found only candidates".to_owned();
            return Err(EvaluateError::Unscorable(message));
        }
    };
    session.phase("Encoding corpus");
    let (ids, index) = index(plan, corpus, session)?;
    session.phase("Searching corpus");
    // Of several texts of one query the last counts, as in the reference's map of results.
    let rows: Vec<usize> = plan.rows_by_place().iter().filter_map(|rows| rows.last().copied()).collect();
    let best: Vec<_> =
        rows.par_iter().map(|&row| index.best(&plan.queries.texts[row], depth, &Ids(&ids))).collect();
    let mut kept: Vec<u32> = best.iter().flatten().map(|&(document, _)| document).collect();
    kept.par_sort_unstable();
    kept.dedup();
    let (found_ids, numbers) =
        FoundIds::new(&plan.documents, kept.iter().map(|&document| &ids[document as usize]).collect());
    let number = |document: u32| numbers[kept.partition_point(|&other| other < document)];
    let found = rows.par_iter().zip(best).map(|(&row, best)| {
        let numbered = as_map(best.into_iter().map(|(document, score)| (number(document), score)));
        lists.map_or_else(|| numbered.clone(), |lists| among(lists, row, &numbered))
    });
    Ok(Results { found: found.collect(), ids: found_ids })
}

/// The ids of the corpus in its order.
struct Ids<'a>(&'a Texts);

impl DocumentIds for Ids<'_> {
    fn id(&self, document: u32) -> &str {
        &self.0[document as usize]
    }
}

/// The ids of all documents, and the model's index of their texts.
fn index(
    plan: &SearchPlan,
    corpus: &dyn Corpus,
    session: &mut dyn Session,
) -> Result<(Texts, Box<dyn DocumentIndex>), EvaluateError> {
    let Some(ranker) = session.ranker() else {
        return Err(EvaluateError::Model("expected a model that ranks, found none".to_owned()));
    };
    let (mut ids, mut builder) = (Texts::new(), ranker.builder());
    let (mut seen, mut empty) = (CorpusIds::new(&plan.rules), EmptyDocuments::default());
    for piece in DocumentPieces::new(corpus) {
        let piece = piece?;
        seen.add(piece.ids.iter(), &plan.documents);
        let texts = piece.raw_texts().map_err(|error| in_all_pieces(error, corpus))?;
        empty.add(EmptyDocuments::of(&texts, |row| piece.at(row)));
        texts.iter().for_each(|text| builder.add(text));
        ids.append(&piece.ids);
    }
    if ids.is_empty() {
        return Err(no_documents(&plan.unit));
    }
    if matches!(plan.corpus, Searched::All(_)) {
        for note in
            seen.check(&plan.rules, &plan.documents, corpus)?.into_iter().chain(empty.note(&plan.rules))
        {
            session.warn(&note);
        }
    }
    Ok((ids, builder.finish()))
}

/// Those of `found` that are candidates of the query in `row`.
fn among(lists: &CandidateLists, row: usize, found: &[Found]) -> Vec<Found> {
    let candidates: HashSet<u32> = lists.documents(row).collect();
    found.iter().filter(|(document, _)| candidates.contains(document)).copied().collect()
}
