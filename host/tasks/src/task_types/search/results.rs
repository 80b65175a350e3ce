//! Documents as whole numbers (those that are judged or given, and those that were found besides),
//! and what was found, in the form of the reference's result maps.

use std::collections::HashMap;
use std::sync::Arc;

use mteb_data::Texts;
use mteb_items::rankings::{Ranked, Rankings};
use mteb_measures::ranking::{DocumentIds, Found, compare};
use mteb_search::Scored;
use rayon::prelude::*;

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

/// Numbers for the documents that judgements and lists name, in the order in which they are first named.
#[derive(Debug, Default)]
pub(super) struct DocumentNumbers {
    ids: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

impl DocumentNumbers {
    /// The number of `id`; an id that has none gets the next one.
    pub fn number(&mut self, id: &str) -> u32 {
        if let Some(number) = self.find(id) {
            return number;
        }
        let (number, id) = (self.ids.len() as u32, Arc::<str>::from(id));
        self.ids.push(Arc::clone(&id));
        self.numbers.insert(id, number);
        number
    }

    /// The number of `id`, if it has one.
    pub fn find(&self, id: &str) -> Option<u32> {
        self.numbers.get(id).copied()
    }

    /// The id with this number.
    pub fn text(&self, number: u32) -> &str {
        &self.ids[number as usize]
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }
}

impl DocumentIds for DocumentNumbers {
    fn id(&self, document: u32) -> &str {
        &self.ids[document as usize]
    }
}

/// Ids by number: of the documents that are named, then of those that were found besides.
pub(super) struct FoundIds<'a> {
    named: &'a DocumentNumbers,
    found: Texts,
}

impl<'a> FoundIds<'a> {
    /// The ids of `named` alone.
    pub fn named(named: &'a DocumentNumbers) -> Self {
        Self { named, found: Texts::new() }
    }

    /// The ids of `named` and of `found`, and the number of each of the latter. An id that occurs again has one
    /// number, so that the number stands for the document as the id does.
    pub fn new(named: &'a DocumentNumbers, found: Texts) -> (Self, Vec<u32>) {
        let mut by_id: Vec<u32> = (0..found.len() as u32).collect();
        by_id.par_sort_unstable_by_key(|&place| (&found[place as usize], place));
        let mut numbers = vec![0; found.len()];
        for same in by_id.chunk_by(|&a, &b| found[a as usize] == found[b as usize]) {
            let number = named.find(&found[same[0] as usize]).unwrap_or(named.len() as u32 + same[0]);
            same.iter().for_each(|&place| numbers[place as usize] = number);
        }
        (Self { named, found }, numbers)
    }
}

impl DocumentIds for FoundIds<'_> {
    fn id(&self, document: u32) -> &str {
        match (document as usize).checked_sub(self.named.len()) {
            Some(place) => &self.found[place],
            None => self.named.id(document),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_one_number_however_often_its_id_occurs() {
        let mut named = DocumentNumbers::default();
        assert_eq!(["b", "a", "b"].map(|id| named.number(id)), [0, 1, 0]);
        let (ids, numbers) = FoundIds::new(&named, ["x", "a", "y", "x", "a"].into_iter().collect());
        assert_eq!(numbers, [2, 1, 4, 2, 1]);
        assert_eq!([2, 1, 4, 0].map(|number| ids.id(number)), ["x", "a", "y", "b"]);
    }
}
