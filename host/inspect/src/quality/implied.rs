//! Which repeated texts a contradiction has told of: two rows that contradict each other have the same text, and it is not told twice.

use std::collections::HashMap;

use mteb_tasks::normalised;

use super::contradictions::Contradiction;
use super::fault::RowPlace;

/// The texts that contradictions name, each with its row, and the number of the contradiction.
#[derive(Debug, Default)]
pub struct Contradicted(HashMap<(RowPlace, String), Vec<usize>>);

impl Contradicted {
    /// The texts of these contradictions.
    pub fn of(found: &[Contradiction]) -> Self {
        let mut texts: HashMap<(RowPlace, String), Vec<usize>> = HashMap::new();
        for (number, contradiction) in found.iter().enumerate() {
            for text in contradiction.texts.iter().map(|text| normalised(text)) {
                for place in &contradiction.rows {
                    texts.entry((place.clone(), text.clone())).or_default().push(number);
                }
            }
        }
        Self(texts)
    }

    /// True if one contradiction names the normalised `text` in both rows. Rows that hold lists may share other texts, too.
    pub fn names(&self, [first, second]: &[RowPlace; 2], text: &str) -> bool {
        let of = |place: &RowPlace| self.0.get(&(place.clone(), text.to_owned()));
        of(first).zip(of(second)).is_some_and(|(first, second)| first.iter().any(|one| second.contains(one)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mteb_tasks::Unit;

    use super::*;

    fn place(row: usize) -> RowPlace {
        RowPlace { part: "test".to_owned(), file: None, row }
    }

    #[test]
    fn two_rows_of_one_contradiction_are_named_and_no_others() {
        let unit = Unit::new(["T", "test", "default"], BTreeMap::new());
        let contradiction = |rows: [usize; 2], text: &str| Contradiction {
            unit: &unit,
            rows: rows.map(place).to_vec(),
            texts: vec![text.to_owned()],
            is_leak: false,
            message: String::new(),
        };
        let found = Contradicted::of(&[contradiction([1, 2], "ok!"), contradiction([3, 4], "ok")]);
        assert!(found.names(&[place(1), place(2)], "ok"));
        assert!(!found.names(&[place(1), place(3)], "ok"), "they are of two contradictions");
        assert!(!found.names(&[place(1), place(2)], "lain"), "another text of the same rows");
    }
}
