//! Existing rankings in place of a search.

use std::collections::HashMap;

use mteb_data::{DataError, Texts};
use mteb_items::rankings::{Ranked, Rankings, unescape};
use mteb_measures::ranking::Found;

use super::candidates::CandidateLists;
use super::corpus::DocumentPieces;
use super::corpus_ids::CorpusIds;
use super::plan::{SearchPlan, Searched};
use super::results::{FoundIds, Results};
use crate::{Corpus, EvaluateError, Session};

/// What `rankings` hold of each query id; a query that they lack has found nothing.
///
/// # Errors
/// If they name a query that the task has not, or a document that the corpus or the query's candidates have not.
pub(super) fn results<'a>(
    plan: &'a SearchPlan,
    rankings: &Rankings,
    session: &mut dyn Session,
) -> Result<Results<'a>, EvaluateError> {
    session.phase("Searching corpus");
    let of_query = known_queries(plan, rankings)?;
    let documents = match &plan.corpus {
        Searched::All(corpus) => known_documents(plan, rankings, &**corpus, session)?,
        Searched::Given(lists, _) => candidates(plan, rankings, lists, &of_query)?,
    };
    let (ids, numbers) = FoundIds::new(&plan.documents, documents);
    let found = of_query.iter().map(|place| {
        let found = place.map(|place| rankings.found[place].as_slice()).unwrap_or_default();
        found.iter().map(|ranked| (numbers[ranked.document as usize], ranked.score)).collect::<Vec<Found>>()
    });
    let mut results = Results { found: found.collect(), ids };
    if !rankings.is_in_order {
        results.sort_all();
    }
    let without = of_query.iter().filter(|place| place.is_none()).count();
    if without > 0 {
        session.warn(&format!(
            "{}: judged queries that it does not rank, which score 0: {without} of {}",
            rankings.source,
            of_query.len()
        ));
    }
    Ok(results)
}

/// For each judged query its place in `rankings`.
fn known_queries(plan: &SearchPlan, rankings: &Rankings) -> Result<Vec<Option<usize>>, EvaluateError> {
    let places: HashMap<&str, usize> =
        plan.query_ids.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
    let mut of_query = vec![None; plan.query_ids.len()];
    for (number, id) in rankings.queries.iter().enumerate() {
        let plain = unescape(id).filter(|_| rankings.may_be_escaped);
        let names = [Some(id.as_str()), plain.as_deref()];
        if let Some(&place) = names.into_iter().flatten().find_map(|name| places.get(name)) {
            of_query[place] = Some(number);
        } else if !names.into_iter().flatten().any(|name| plan.unjudged.contains(name)) {
            let first = rankings.found[number].first().copied();
            return Err(unknown_id_error(rankings, first, "the id of a query of this task", id));
        }
    }
    Ok(of_query)
}

/// The ids of the documents of `rankings` as the corpus has them.
fn known_documents(
    plan: &SearchPlan,
    rankings: &Rankings,
    corpus: &dyn Corpus,
    session: &mut dyn Session,
) -> Result<Texts, EvaluateError> {
    let plain: Vec<Option<String>> = rankings
        .documents
        .iter()
        .map(|id| unescape(id).filter(|plain| rankings.may_be_escaped && plain != id))
        .collect();
    let own = (0usize..).zip(rankings.documents.iter());
    let escaped = (0usize..).zip(&plain).filter_map(|(place, id)| Some((place, id.as_deref()?)));
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    own.chain(escaped).for_each(|(place, id)| places.entry(id).or_default().push(place));
    let mut found: Vec<Option<String>> = vec![None; rankings.documents.len()];
    let mut seen = CorpusIds::new(&plan.rules);
    for piece in DocumentPieces::new(corpus) {
        let piece = piece?;
        seen.add(piece.ids.iter(), &plan.documents);
        for id in piece.ids.iter() {
            for &place in places.get(id).into_iter().flatten() {
                if found[place].as_deref() != Some(&rankings.documents[place]) {
                    found[place] = Some(id.to_owned());
                }
            }
        }
    }
    for note in seen.check(&plan.rules, &plan.documents, corpus)? {
        session.warn(&note);
    }
    if let Some(absent) = found.iter().position(Option::is_none) {
        let first = rankings.found.iter().flatten().find(|ranked| ranked.document as usize == absent);
        let id = &rankings.documents[absent];
        return Err(unknown_id_error(rankings, first.copied(), "the id of a document in the corpus", id));
    }
    Ok(found.iter().flatten().collect())
}

/// The ids of the documents of `rankings`, each of which is a candidate of its query.
fn candidates(
    plan: &SearchPlan,
    rankings: &Rankings,
    lists: &CandidateLists,
    of_query: &[Option<usize>],
) -> Result<Texts, EvaluateError> {
    let mut documents: Vec<String> = rankings.documents.iter().map(str::to_owned).collect();
    let rows = plan.rows_by_place();
    for (rows, place) in rows.iter().zip(of_query) {
        let Some(place) = *place else { continue };
        let given: HashMap<&str, u32> = rows
            .iter()
            .flat_map(|&row| lists.documents(row))
            .map(|document| (plan.documents.text(document), document))
            .collect();
        for &ranked in &rankings.found[place] {
            let id = &rankings.documents[ranked.document as usize];
            let plain = unescape(id).filter(|_| rankings.may_be_escaped);
            if given.contains_key(id) {
                continue;
            }
            match plain.filter(|plain| given.contains_key(plain.as_str())) {
                Some(plain) => documents[ranked.document as usize] = plain,
                None => {
                    let expected = format!("a candidate of query {}", rankings.queries[place]);
                    return Err(unknown_id_error(rankings, Some(ranked), &expected, id));
                }
            }
        }
    }
    Ok(documents.iter().collect())
}

fn unknown_id_error(
    rankings: &Rankings,
    ranked: Option<Ranked>,
    expected: &str,
    found: &str,
) -> EvaluateError {
    let place = ranked.map_or_else(|| rankings.source.clone(), |ranked| rankings.place(ranked));
    DataError::Malformed { place, message: format!("expected {expected}, found: {found}") }.into()
}
