//! ROUGE beside `rouge-score` (fixture from `tests/golden/rouge/make.py`) and by hand.

use serde::Deserialize;

use super::*;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/rouge/rouge.json");

#[derive(Deserialize)]
struct Case {
    reference: String,
    text: String,
    /// Precision, recall and F1 of ROUGE-1, ROUGE-2 and ROUGE-L.
    scores: [[f64; 3]; 3],
}

fn scores(reference: &str, text: &str) -> [[f64; 3]; 3] {
    let words = Words::all([reference, text]);
    let found =
        [rouge_n(&words[0], &words[1], 1), rouge_n(&words[0], &words[1], 2), rouge_l(&words[0], &words[1])];
    found.map(|rouge| [rouge.precision, rouge.recall, rouge.f1])
}

#[test]
fn a_thousand_pairs_score_as_rouge_score_scores_them() {
    let text = std::fs::read_to_string(GOLDEN).expect("fixture is part of the project");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("fixture is JSON");
    assert_eq!(cases.len(), 1000);
    for case in cases {
        assert_eq!(scores(&case.reference, &case.text), case.scores, "{} / {}", case.reference, case.text);
    }
}

#[test]
fn a_text_repeats_three_of_four_words_in_order() {
    let [one, two, longest] = scores("the cat sat there", "The cat was there!");
    assert_eq!((one, two), ([0.75, 0.75, 0.75], [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0]));
    assert_eq!(longest, [0.75, 0.75, 0.75]);
}

#[test]
fn a_text_without_words_shares_nothing() {
    assert_eq!(scores("", "kata"), [[0.0; 3]; 3]);
    assert_eq!(scores("…", "…"), [[0.0; 3]; 3]);
}
