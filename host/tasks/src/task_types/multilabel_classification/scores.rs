//! The scores of all experiments in the form of the result file.

use mteb_measures::classify::multilabel::MultilabelScores;
use mteb_measures::numeric::mean;

use crate::{Score, Scores};

/// The experiments one by one, then the mean of each score.
pub(super) fn collect(experiments: &[MultilabelScores]) -> Scores {
    let named: Vec<_> = experiments.iter().map(named).collect();
    let each = named.iter().map(|scores| {
        Score::Map(Scores(scores.iter().map(|&(name, score)| (name.to_owned(), score.into())).collect()))
    });
    let mut scores = Scores::new();
    scores.insert("scores_per_experiment", each.collect::<Vec<Score>>());
    for (place, &(name, _)) in named.first().into_iter().flatten().enumerate() {
        scores.insert(name, mean(&named.iter().map(|scores| scores[place].1).collect::<Vec<f64>>()));
    }
    scores
}

/// Keys and values in the reference's order.
fn named(scores: &MultilabelScores) -> [(&'static str, f64); 4] {
    [
        ("accuracy", scores.accuracy),
        ("lrap", scores.ranking_precision),
        ("f1", scores.f1),
        ("hamming", scores.hamming),
    ]
}
