//! What was found, in the form of the reference's result maps.

use std::collections::HashMap;

use mteb_data::Texts;
use mteb_items::rankings::{Ranked, Rankings};
use mteb_measures::ranking::{DocumentIds, Found, compare};
use mteb_search::Scored;

use super::documents::FoundIds;

/// What was found for each query id.
pub(super) struct Results<'a> {
    /// The documents of each query id by number.
    pub found: Vec<Vec<Found>>,
    /// The ids of these documents.
    pub ids: FoundIds<'a>,
}

impl Results<'_> {
    /// The `depth` best documents of each query, best first; without the one whose id is the query's, if `identical` has the
    /// ids of queries.
    pub fn rankings(&self, query_ids: &[String], identical: Option<&[String]>, depth: usize) -> Rankings {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut documents = Texts::new();
        let mut number = |document: u32| {
            *numbers.entry(document).or_insert_with(|| {
                documents.push(self.ids.id(document));
                documents.len() as u32 - 1
            })
        };
        let mut found = Vec::with_capacity(self.found.len());
        for (place, of_query) in self.found.iter().enumerate() {
            let query = identical.map(|ids| ids[place].as_str());
            let mut best = of_query.clone();
            best.retain(|&(document, _)| query.is_none_or(|query| self.ids.id(document) != query));
            self.sort(&mut best);
            best.truncate(depth);
            let ranked = |&(document, score): &Found| Ranked { document: number(document), score, line: 0 };
            found.push(best.iter().map(ranked).collect());
        }
        Rankings { queries: query_ids.to_vec(), found, documents, ..Rankings::default() }
    }

    /// Keeps the `depth` best documents of each query.
    pub fn cut(&mut self, depth: usize) {
        let mut found = std::mem::take(&mut self.found);
        for of_query in found.iter_mut().filter(|found| found.len() > depth) {
            self.sort(of_query);
            of_query.truncate(depth);
        }
        self.found = found;
    }

    /// All, best first.
    pub fn sort_all(&mut self) {
        let mut found = std::mem::take(&mut self.found);
        found.iter_mut().for_each(|found| self.sort(found));
        self.found = found;
    }

    /// Best first.
    fn sort(&self, found: &mut [Found]) {
        found.sort_unstable_by(|&a, &b| compare(&self.ids, b, a));
    }
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
