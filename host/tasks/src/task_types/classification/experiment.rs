//! One experiment: how many rows are drawn, a classifier is fitted to them, and its predictions for
//! others are scored.

use std::sync::Arc;

use mteb_measures::classify::{ClassificationScores, LogisticRegression, classification_scores};
use mteb_measures::numeric::mean;
use mteb_measures::pair::average_precision;

use crate::task_types::few_shot::FewShot;
use crate::{EvaluateError, Matrix, Protocol, Score, Scores};

/// Rows to learn from, and the true labels of the rows to predict.
pub(super) struct Experiment {
    /// Places of the training rows among those that are encoded, in drawn order.
    pub train: Vec<usize>,
    /// Labels of the training rows.
    pub labels: Vec<usize>,
    /// True labels of the rows to predict.
    pub truth: Arc<[usize]>,
    /// The label that average precision takes as positive, if there are two true labels.
    pub positive: Option<usize>,
}

/// The scores of one experiment.
pub(super) struct ExperimentScores {
    scores: ClassificationScores,
    average_precision: Option<f64>,
    /// The label that was predicted of each row.
    pub predicted: Vec<usize>,
}

impl Experiment {
    /// Fits to rows of `train` and predicts all rows of `test`.
    pub fn run(&self, train: &Matrix, test: &Matrix) -> Result<ExperimentScores, EvaluateError> {
        let fault = |error: mteb_measures::classify::FitError| EvaluateError::Unscorable(error.to_string());
        let rows = train.select(&self.train);
        let classifier =
            LogisticRegression::fit(&rows.values, rows.dimension, &self.labels).map_err(fault)?;
        let predicted = classifier.predict(&test.values).map_err(fault)?;
        Ok(ExperimentScores::new(&self.truth, predicted, self.positive))
    }
}

impl ExperimentScores {
    /// The scores of what was `predicted`; average precision takes the label `positive`.
    pub fn new(truth: &[usize], predicted: Vec<usize>, positive: Option<usize>) -> Self {
        Self {
            scores: classification_scores(truth, &predicted),
            average_precision: positive.map(|positive| {
                let scores: Vec<f64> = predicted.iter().map(|&label| label as f64).collect();
                let truth: Vec<bool> = truth.iter().map(|&label| label == positive).collect();
                average_precision(&scores, &truth)
            }),
            predicted,
        }
    }

    /// Keys and values in the reference's order; the average precision twice, as it has it for two
    /// averages that are one and the same for two labels. Behind them those that the reference has
    /// not, if they are wanted.
    fn named(&self, extra: bool) -> Vec<(&'static str, Option<f64>)> {
        let scores = &self.scores;
        let mut named = vec![
            ("accuracy", Some(scores.accuracy)),
            ("f1", Some(scores.f1)),
            ("f1_weighted", Some(scores.f1_weighted)),
            ("precision", Some(scores.precision)),
            ("precision_weighted", Some(scores.precision_weighted)),
            ("recall", Some(scores.recall)),
            ("recall_weighted", Some(scores.recall_weighted)),
            ("ap", self.average_precision),
            ("ap_weighted", self.average_precision),
        ];
        named.extend(extra.then_some(("f1_micro", Some(scores.f1_micro))));
        named
    }
}

/// The experiments one by one, then the mean of each score; scores that are absent do not count.
pub(super) fn collect(experiments: &[ExperimentScores], extra: bool) -> Scores {
    let named: Vec<_> = experiments.iter().map(|experiment| experiment.named(extra)).collect();
    let each = named.iter().map(|scores| {
        Score::Map(Scores(scores.iter().map(|&(name, score)| (name.to_owned(), score.into())).collect()))
    });
    let mut scores = Scores::new();
    scores.insert("scores_per_experiment", each.collect::<Vec<Score>>());
    for (place, &(name, _)) in named.first().into_iter().flatten().enumerate() {
        let present: Vec<f64> = named.iter().filter_map(|scores| scores[place].1).collect();
        scores.insert(name, mean(&present));
    }
    scores
}

/// How many rows are drawn, and what is measured.
pub struct Settings {
    /// Rows to learn from.
    pub few_shot: FewShot,
    /// Measures beside those of the reference.
    pub extra: bool,
}

impl Settings {
    /// Those of a card.
    ///
    /// # Errors
    /// If a number is 0.
    pub fn new(options: &Protocol, extra: bool) -> Result<Self, EvaluateError> {
        Ok(Self { few_shot: FewShot::new(options)?, extra })
    }
}
