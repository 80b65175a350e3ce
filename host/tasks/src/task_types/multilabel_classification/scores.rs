//! The scores of all experiments in the form of the result file.

use mteb_measures::classify::multilabel::MultilabelScores;
use mteb_measures::numeric::mean;

use crate::{Score, Scores};

/// The experiments one by one, then the mean of each score.
pub(super) fn collect(experiments: &[MultilabelScores], extra: bool) -> Scores {
    let named: Vec<_> = experiments.iter().map(|scores| named(scores, extra)).collect();
    let each = named.iter().map(|scores| {
        Score::Map(Scores(scores.iter().map(|&(name, score)| (name.to_owned(), score.into())).collect()))
    });
    let mut scores = Scores::new();
    scores.insert("scores_per_experiment", each.collect::<Vec<Score>>());
    for (place, &(name, _)) in named.first().into_iter().flatten().enumerate() {
        let mean = mean(&named.iter().map(|scores| scores[place].1).collect::<Vec<f64>>());
        scores.insert(name, Score::Numpy(mean));
    }
    scores
}

/// Keys and values in the reference's order; behind them those that it has not, if they are wanted.
fn named(scores: &MultilabelScores, extra: bool) -> Vec<(&'static str, f64)> {
    let mut named = vec![
        ("accuracy", scores.accuracy),
        ("lrap", scores.ranking_precision),
        ("f1", scores.f1),
        ("hamming", scores.hamming),
    ];
    named.extend(extra.then_some(("f1_micro", scores.f1_micro)));
    named
}
