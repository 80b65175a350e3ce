//! Texts that were filled into a template: they share a skeleton.
//!
//! The skeleton of a text is the sequence of its words in lower case, with numbers, names (words that begin with a
//! capital inside the text) and rare words masked, and neighbouring masks drawn together. A word counts as rare if no more texts
//! have it than may share a skeleton: the words of a template that is used more often are never masked.

use std::collections::{HashMap, HashSet};

use mteb_tasks::beginning;

use super::data::{ColumnTexts, SubsetData};
use super::fault::DataFault;
use super::variety::words;

/// Words that a skeleton has at least beside masks; shorter ones are common without a template.
const LEAST_WORDS: usize = 3;

/// Texts that may always share a skeleton.
const LEAST_TEXTS: usize = 2;

const MASK: &str = "_";

/// Measures the largest share of the texts of a column that have the same skeleton, and finds skeletons that too many
/// have. Without limits nothing is measured.
pub fn check(data: &SubsetData, column: &ColumnTexts) -> (f64, Vec<DataFault>) {
    let Some(limits) = &data.limits else { return (0.0, Vec::new()) };
    let texts: Vec<&str> = column.texts.iter().map(|at| at.text.as_str()).collect();
    let allowed = ((limits.max_template_share * texts.len() as f64) as usize).max(LEAST_TEXTS);
    let skeletons = skeletons(&texts, allowed);
    let largest = skeletons.iter().map(|(_, members)| members.len()).max().unwrap_or(1);
    let mut faults = Vec::new();
    for (skeleton, members) in skeletons.iter().filter(|(_, members)| members.len() > allowed) {
        let rows = members.iter().map(|&index| data.place(column.unit, column.part, column.texts[index].row));
        let message = format!(
            "expected at most {allowed} of {} texts in `{}` with the same skeleton, found {} with “{skeleton}”, such as {}",
            texts.len(),
            column.name,
            members.len(),
            beginning(texts[members[0]])
        );
        faults.push(data.fault(column.unit, "template", rows.collect(), message, "rewrite each of them"));
    }
    (largest as f64 / texts.len().max(1) as f64, faults)
}

/// Skeletons and the texts that have them, in the order of the texts.
fn skeletons(texts: &[&str], rare: usize) -> Vec<(String, Vec<usize>)> {
    let cut: Vec<Vec<&str>> = texts.iter().map(|text| words(text)).collect();
    let mut frequency: HashMap<String, usize> = HashMap::new();
    for text in &cut {
        for word in text.iter().map(|word| word.to_lowercase()).collect::<HashSet<_>>() {
            *frequency.entry(word).or_default() += 1;
        }
    }
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut found: Vec<(String, Vec<usize>)> = Vec::new();
    for (index, text) in cut.iter().enumerate() {
        let Some(skeleton) = skeleton(text, &frequency, rare) else { continue };
        let place = *places.entry(skeleton.clone()).or_insert(found.len());
        if place == found.len() {
            found.push((skeleton, Vec::new()));
        }
        found[place].1.push(index);
    }
    found
}

/// The skeleton of a text; `None` if hardly anything is left.
fn skeleton(words: &[&str], frequency: &HashMap<String, usize>, rare: usize) -> Option<String> {
    let capitals = words.iter().filter(|word| is_capital(word)).count();
    // In a headline that capitalises most words a capital marks no name.
    let marks_names = 2 * capitals <= words.len();
    let mut kept = 0;
    let mut skeleton: Vec<String> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let lower = word.to_lowercase();
        let is_name = marks_names && index > 0 && is_capital(word);
        let is_rare = frequency.get(&lower).is_none_or(|&count| count <= rare);
        if is_name || is_rare || word.chars().any(|letter| letter.is_ascii_digit()) {
            if skeleton.last().is_none_or(|last| last != MASK) {
                skeleton.push(MASK.to_owned());
            }
        } else {
            kept += 1;
            skeleton.push(lower);
        }
    }
    (kept >= LEAST_WORDS).then(|| skeleton.join(" "))
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_rare_words_are_masked() {
        let texts = [
            "Harga beras di pasar Kupang naik 12 persen.",
            "Harga telur ayam di pasar Ambon naik 7 persen.",
            "harga minyak di pasar Ende naik 3,5 persen",
            "Anak itu tidak mau pulang sebelum hujan reda.",
        ];
        let found = skeletons(&texts, 2);
        assert_eq!(found[0], ("harga _ di pasar _ naik _ persen".to_owned(), vec![0, 1, 2]));
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn a_headline_in_capitals_keeps_its_words() {
        let texts = ["Harga Beras Naik Lagi", "Harga Telur Naik Lagi", "Harga Cabai Naik Lagi"];
        assert_eq!(skeletons(&texts, 2), [("harga _ naik lagi".to_owned(), vec![0, 1, 2])]);
    }
}
