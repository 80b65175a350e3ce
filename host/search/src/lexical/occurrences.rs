//! Which terms each document has and how often, five bytes for most of them.

/// Terms of documents, one document after the other.
#[derive(Default)]
pub(super) struct Occurrences {
    /// The terms of the first document, then those of the second one, and so on.
    terms: Vec<u32>,
    /// How often each of them occurs there; [`MANY`] stands for what `many` has.
    counts: Vec<u8>,
    /// Places of counts that a byte does not hold, ascending, and the counts.
    many: Vec<(usize, u32)>,
    /// For each document where its terms end.
    ends: Vec<usize>,
}

/// Stands for this count and all above it.
const MANY: u8 = u8::MAX;

impl Occurrences {
    /// Adds a document that has these terms, each so often.
    pub(super) fn add(&mut self, document: impl Iterator<Item = (u32, u32)>) {
        for (term, count) in document {
            let short = u8::try_from(count).unwrap_or(MANY);
            if short == MANY {
                self.many.push((self.terms.len(), count));
            }
            self.terms.push(term);
            self.counts.push(short);
        }
        self.ends.push(self.terms.len());
    }

    /// The terms of all documents.
    pub(super) fn terms(&self) -> &[u32] {
        &self.terms
    }

    /// For each document its terms, each with how often it occurs.
    pub(super) fn documents(&self) -> impl Iterator<Item = impl Iterator<Item = (u32, u32)>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, &end)| (start..end).map(|place| (self.terms[place], self.count(place))))
    }

    fn count(&self, place: usize) -> u32 {
        let short = self.counts[place];
        let found = self.many.binary_search_by_key(&place, |&(place, _)| place);
        match found.ok().filter(|_| short == MANY) {
            Some(found) => self.many[found].1,
            None => u32::from(short),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_has_its_terms_however_often_they_occur() {
        let documents = [vec![(7, 1), (9, 254), (12, 255)], vec![], vec![(7, 256), (8, 70_000), (9, 2)]];
        let mut occurrences = Occurrences::default();
        documents.iter().for_each(|document| occurrences.add(document.iter().copied()));
        assert_eq!(occurrences.documents().map(Iterator::collect::<Vec<_>>).collect::<Vec<_>>(), documents);
        assert_eq!(occurrences.terms(), [7, 9, 12, 7, 8, 9]);
    }
}
