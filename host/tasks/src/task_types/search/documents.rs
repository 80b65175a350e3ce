//! Documents as whole numbers: those that are judged or given, and those that were found besides.

use std::collections::HashMap;
use std::sync::Arc;

use mteb_data::Texts;
use mteb_measures::ranking::DocumentIds;
use rayon::prelude::*;

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
