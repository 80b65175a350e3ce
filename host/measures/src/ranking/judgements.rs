//! What ranking measures compare: the qrels of a query, and the documents found for it, ordered by
//! score and, where scores tie, by id, both descending.

use std::cmp::Ordering;

/// The grade from which on a document is relevant, unless a task says otherwise (trec_eval's `-l 1`).
pub const RELEVANT: f64 = 1.0;

/// The judgements of one query (its qrels): finite grades, of which those that reach a threshold are relevant.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgements {
    /// Ascending by document, each document once.
    grades: Vec<(u32, f64)>,
    threshold: f64,
}

impl Default for Judgements {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Judgements {
    /// Judgements from `(document, grade)`; of several for one document the last one counts. Grades are finite.
    pub fn new(mut grades: Vec<(u32, f64)>) -> Self {
        grades.sort_by_key(|&(document, _)| document);
        grades.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        Self { grades, threshold: RELEVANT }
    }

    /// The same judgements, of which the documents of this grade or a higher one are relevant: for recall, precision,
    /// MAP, MRR and hit rate; nDCG takes the grades themselves.
    #[must_use]
    pub fn with_threshold(self, threshold: f64) -> Self {
        Self { threshold, ..self }
    }

    /// The grade of `document`, 0 if it was not judged.
    pub fn grade(&self, document: u32) -> f64 {
        self.judged(document).unwrap_or(0.0)
    }

    /// The grade of `document`, if it was judged.
    pub fn judged(&self, document: u32) -> Option<f64> {
        let place = self.grades.binary_search_by_key(&document, |&(found, _)| found);
        place.ok().map(|place| self.grades[place].1)
    }

    /// Which of `grades` are relevant. What is not judged has the grade 0, and is relevant for no threshold.
    pub fn relevance(&self, grades: &[f64]) -> Vec<bool> {
        grades.iter().map(|&grade| self.is_relevant(grade)).collect()
    }

    /// Documents with their grades, ascending by document.
    pub fn all(&self) -> &[(u32, f64)] {
        &self.grades
    }

    /// The grade from which on a document is relevant.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Number of relevant documents.
    pub fn relevant(&self) -> usize {
        self.grades.iter().filter(|&&(_, grade)| self.is_relevant(grade)).count()
    }

    /// The positive grades, highest first: the best ranking there can be.
    pub fn ideal(&self) -> Vec<f64> {
        let mut grades: Vec<f64> =
            self.grades.iter().map(|&(_, grade)| grade).filter(|&grade| grade > 0.0).collect();
        grades.sort_unstable_by(|a, b| b.total_cmp(a));
        grades
    }

    /// True if nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.grades.is_empty()
    }

    /// A grade of 0 or less is never relevant, because it is also that of a document that nobody judged.
    fn is_relevant(&self, grade: f64) -> bool {
        grade > 0.0 && grade >= self.threshold
    }
}

/// A found document and its score.
pub type Found = (u32, f64);

/// The ids of documents, for ties; ids compare by code point.
pub trait DocumentIds: Sync {
    /// The id of `document`.
    fn id(&self, document: u32) -> &str;
}

impl<S: AsRef<str> + Sync> DocumentIds for [S] {
    fn id(&self, document: u32) -> &str {
        self[document as usize].as_ref()
    }
}

impl<S: AsRef<str> + Sync> DocumentIds for Vec<S> {
    fn id(&self, document: u32) -> &str {
        self[document as usize].as_ref()
    }
}

/// How `a` stands to `b` in (score, id); NaN counts as the smallest score.
pub fn compare<I: DocumentIds + ?Sized>(ids: &I, a: Found, b: Found) -> Ordering {
    let by_score = a.1.partial_cmp(&b.1).unwrap_or_else(|| b.1.is_nan().cmp(&a.1.is_nan()));
    by_score.then_with(|| ids.id(a.0).cmp(ids.id(b.0)))
}

/// The `depth` best of `found`, best first.
pub fn best_first<I: DocumentIds + ?Sized>(ids: &I, found: &[Found], depth: usize) -> Vec<u32> {
    let mut ranked = found.to_vec();
    if depth < ranked.len() {
        ranked.select_nth_unstable_by(depth, |&a, &b| compare(ids, b, a));
        ranked.truncate(depth);
    }
    ranked.sort_unstable_by(|&a, &b| compare(ids, b, a));
    ranked.into_iter().map(|(document, _)| document).collect()
}

/// The rank of `document` among `found`, starting at 1; one more than their number if it was not found.
pub fn rank_of<I: DocumentIds + ?Sized>(ids: &I, found: &[Found], document: u32) -> usize {
    match found.iter().find(|&&(other, _)| other == document) {
        Some(&entry) => {
            1 + found.iter().filter(|&&other| compare(ids, other, entry) == Ordering::Greater).count()
        }
        None => found.len() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_judgement_of_a_document_counts() {
        let judgements = Judgements::new(vec![(5, 1.0), (2, 3.0), (5, 0.0), (9, -1.0)]);
        assert_eq!((judgements.grade(5), judgements.grade(2), judgements.grade(9)), (0.0, 3.0, -1.0));
        assert_eq!((judgements.grade(7), judgements.judged(7)), (0.0, None));
        assert_eq!(judgements.relevant(), 1);
        assert_eq!(judgements.ideal(), [3.0]);
    }

    #[test]
    fn a_document_is_relevant_from_the_threshold_on() {
        let judgements = Judgements::new(vec![(0, 0.5), (1, 1.0), (2, 6.5), (3, 0.0)]);
        assert_eq!(judgements.relevant(), 2, "from 1 on, if nobody says otherwise");
        let strict = judgements.clone().with_threshold(6.5);
        assert_eq!((strict.relevant(), strict.relevance(&[6.5, 6.4])), (1, vec![true, false]));
        assert_eq!(judgements.with_threshold(0.0).relevant(), 3, "what nobody judged has the grade 0");
        assert_eq!(strict.ideal(), [6.5, 1.0, 0.5], "the best order has every gain");
    }
}
