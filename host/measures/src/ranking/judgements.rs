//! What a query's judges said about its documents.

/// The judgements of one query (its qrels): a document of grade 1 or more is relevant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgements {
    /// Ascending by document, each document once.
    grades: Vec<(u32, i32)>,
}

impl Judgements {
    /// Judgements from `(document, grade)`; of several for one document the last one wins.
    pub fn new(mut grades: Vec<(u32, i32)>) -> Self {
        grades.sort_by_key(|&(document, _)| document);
        grades.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        Self { grades }
    }

    /// The grade of `document`, 0 if it was not judged.
    pub fn grade(&self, document: u32) -> i32 {
        match self.grades.binary_search_by_key(&document, |&(found, _)| found) {
            Ok(index) => self.grades[index].1,
            Err(_) => 0,
        }
    }

    /// Number of relevant documents.
    pub fn relevant(&self) -> usize {
        self.grades.iter().filter(|&&(_, grade)| grade > 0).count()
    }

    /// The positive grades, highest first: the best ranking there can be.
    pub fn ideal(&self) -> Vec<i32> {
        let mut grades: Vec<i32> =
            self.grades.iter().map(|&(_, grade)| grade).filter(|&grade| grade > 0).collect();
        grades.sort_unstable_by(|a, b| b.cmp(a));
        grades
    }

    /// True if nothing was judged.
    pub fn is_empty(&self) -> bool {
        self.grades.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_judgement_of_a_document_wins() {
        let judgements = Judgements::new(vec![(5, 1), (2, 3), (5, 0), (9, -1)]);
        assert_eq!((judgements.grade(5), judgements.grade(2), judgements.grade(9)), (0, 3, -1));
        assert_eq!(judgements.grade(7), 0);
        assert_eq!(judgements.relevant(), 1);
        assert_eq!(judgements.ideal(), [3]);
    }
}
