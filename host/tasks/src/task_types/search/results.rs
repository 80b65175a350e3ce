//! What was found, in the form of the reference's result maps.

use std::collections::HashMap;

use mteb_measures::ranking::{DocumentIds, Found};
use mteb_search::Scored;

use super::documents::FoundIds;

/// What was found for each query id.
pub(super) struct Results<'a> {
    /// The documents of each query id by number.
    pub found: Vec<Vec<Found>>,
    /// The ids of these documents.
    pub ids: FoundIds<'a>,
}

/// Each document once: at its first place, with its last score, as when a map is filled in this order.
pub(super) fn as_map(items: impl IntoIterator<Item = Scored>) -> Vec<Found> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut found: Vec<Found> = Vec::new();
    for (document, score) in items {
        let place = *places.entry(document).or_insert(found.len());
        match found.get_mut(place) {
            Some(entry) => entry.1 = f64::from(score),
            None => found.push((document, f64::from(score))),
        }
    }
    found
}

/// Removes the document whose id is the query's, without filling its place (protocol 7.3).
pub(super) fn drop_identical(results: &mut Results<'_>, query_ids: &[String]) {
    for (found, query) in results.found.iter_mut().zip(query_ids) {
        found.retain(|&(document, _)| results.ids.id(document) != query);
    }
}
