//! A search that several machines have shared: what each has found in its ranges of the corpus fills the same heaps in the same order.

use mteb_base::counted::count;
use mteb_data::Texts;
use mteb_measures::ranking::DocumentIds;
use mteb_search::Heap;

use super::corpus::{DocumentPieces, in_all_pieces};
use super::corpus_ids::{CorpusIds, EmptyDocuments};
use super::full_search::{distinct, ids_and_texts, push_all, results};
use super::plan::SearchPlan;
use super::results::Results;
use crate::{Corpus, EvaluateError, FoundInRange, FoundInRanges, Session};

/// The `depth` best documents of each query id, of all that were `found`; the corpus is read for what there is to say of it.
pub(super) fn search<'a>(
    plan: &'a SearchPlan,
    corpus: &dyn Corpus,
    session: &mut dyn Session,
    (depth, found): (usize, &FoundInRanges),
) -> Result<Results<'a>, EvaluateError> {
    session.phase("Searching corpus");
    let (mut seen, mut empty, mut documents) = (CorpusIds::new(&plan.rules), EmptyDocuments::default(), 0);
    for piece in DocumentPieces::new(corpus) {
        let piece = piece.and_then(ids_and_texts).map_err(|error| in_all_pieces(error, corpus))?;
        documents += piece.0.len();
        seen.add(piece.0.iter(), &plan.documents);
        empty.add(piece.2);
    }
    check(plan, found, (depth, documents))?;
    for note in seen.check(&plan.rules, &plan.documents, corpus)?.into_iter().chain(empty.note(&plan.rules)) {
        session.warn(&note);
    }
    let ids = JoinedIds::of(found.ranges.values());
    let rows_by_place = plan.rows_by_place();
    let mut heaps = vec![Heap::new(depth); rows_by_place.len()];
    for range in found.ranges.values() {
        push_all(&mut heaps, &rows_by_place, &range.found, &ids);
    }
    let rows = distinct(heaps.iter().flat_map(Heap::items));
    let kept = rows.iter().map(|&row| ids.id(row)).collect();
    Ok(results(plan, heaps, (rows, kept)))
}

/// Checks that this was found by the whole of this search.
fn check(
    plan: &SearchPlan,
    found: &FoundInRanges,
    (depth, documents): (usize, usize),
) -> Result<(), EvaluateError> {
    let expected = (depth, plan.query_places.len(), documents);
    let told = (found.depth, found.queries, found.documents as usize);
    if expected != told {
        return Err(EvaluateError::Unscorable(format!(
            "{}: expected what was found of {} for each of {} among {}, found {} for each of {} among {}; \
             remove the ranges and run their shards again",
            plan.unit,
            count(expected.0, "document"),
            count(expected.1, "query"),
            expected.2,
            told.0,
            told.1,
            told.2
        )));
    }
    Ok(())
}

/// The ids of all rows that were found in any range.
struct JoinedIds<'a> {
    rows: Vec<u32>,
    ids: Vec<&'a str>,
}

impl<'a> JoinedIds<'a> {
    /// Those of `ranges` in their order.
    fn of(ranges: impl Iterator<Item = &'a FoundInRange>) -> Self {
        let mut joined = Self { rows: Vec::new(), ids: Vec::new() };
        for range in ranges {
            joined.rows.extend(&range.rows);
            joined.ids.extend(Texts::iter(&range.ids));
        }
        joined
    }
}

impl DocumentIds for JoinedIds<'_> {
    fn id(&self, row: u32) -> &str {
        self.ids[self.rows.partition_point(|&found| found < row)]
    }
}
