//! What was found, in the form of the reference's result maps.

use std::collections::HashMap;

use mteb_measures::ranking::{DocumentIds, Found};
use mteb_search::Scored;

use super::documents::NumberedIds;

/// Each document once: at its first place, with its last score, as when a map is filled in this order.
///
/// `duplicates` holds for each corpus row the row that counts for its id.
pub(super) fn as_map(items: impl IntoIterator<Item = Scored>, duplicates: Option<&[u32]>) -> Vec<Found> {
    let mut places: HashMap<u32, usize> = HashMap::new();
    let mut found: Vec<Found> = Vec::new();
    for (row, score) in items {
        let document = duplicates.map_or(row, |rows| rows[row as usize]);
        let place = *places.entry(document).or_insert(found.len());
        match found.get_mut(place) {
            Some(entry) => entry.1 = f64::from(score),
            None => found.push((document, f64::from(score))),
        }
    }
    found
}

/// Removes the document whose id is the query's, without filling its place (protocol 7.3).
pub(super) fn drop_identical(found: &mut [Vec<Found>], query_ids: &[String], ids: &NumberedIds) {
    for (found, query) in found.iter_mut().zip(query_ids) {
        found.retain(|&(document, _)| ids.id(document) != query);
    }
}
