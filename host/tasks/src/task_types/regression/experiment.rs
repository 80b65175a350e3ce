//! One experiment: a line is fitted to some rows, its numbers for others are scored; per-item
//! results and the scores that follow from them.

use mteb_measures::numeric::mean;
use mteb_measures::regress::{LinearRegression, RegressionScores, RowsError, regression_scores};

use crate::{EvaluateError, ItemColumn, Items, Matrix, Score, Scores};

/// Rows to learn from.
pub(super) struct Experiment {
    /// Their places among those that are encoded, in drawn order.
    pub train: Vec<usize>,
    /// Their values.
    pub values: Vec<f64>,
}

impl Experiment {
    /// Fits to rows of `train` and predicts all rows of `test`.
    pub fn run(&self, train: &Matrix, test: &Matrix) -> Result<Vec<f32>, RowsError> {
        let rows = train.select(&self.train);
        LinearRegression::fit(&rows.values, rows.dimension, &self.values)?.predict(&test.values)
    }
}

/// Keys and values in the reference's order.
fn name_scores(scores: &RegressionScores) -> [(&'static str, f64); 5] {
    let &RegressionScores { mse, mae, r2, kendalltau, rmse } = scores;
    [("mse", mse), ("mae", mae), ("r2", r2), ("kendalltau", kendalltau), ("rmse", rmse)]
}

/// A score of one experiment: two of them are numbers of numpy's, the others Python's.
fn of_number(name: &str, score: f64) -> Score {
    if ["kendalltau", "rmse"].contains(&name) { Score::Numpy(score) } else { Score::Number(score) }
}

/// The experiments one by one, then the mean of each score.
pub(super) fn collect(experiments: &[RegressionScores]) -> Scores {
    let named: Vec<_> = experiments.iter().map(name_scores).collect();
    let each = named.iter().map(|scores| {
        Score::Map(Scores(
            scores.iter().map(|&(name, score)| (name.to_owned(), of_number(name, score))).collect(),
        ))
    });
    let mut scores = Scores::new();
    scores.insert("scores_per_experiment", each.collect::<Vec<Score>>());
    for (place, &(name, _)) in named.first().into_iter().flatten().enumerate() {
        scores.insert(name, mean(&named.iter().map(|scores| scores[place].1).collect::<Vec<f64>>()));
    }
    scores
}

/// A row a text: its place, its value, and what each experiment predicted.
pub(super) fn items(truth: &[f64], predicted: &[Vec<f32>]) -> Items {
    let mut items = Items::default();
    items.push("row", ItemColumn::Int((0..truth.len() as i64).collect()));
    items.push("gold", ItemColumn::Float(truth.to_vec()));
    for (number, found) in predicted.iter().enumerate() {
        let found = found.iter().map(|&found| f64::from(found)).collect();
        items.push(format!("prediction_{number}"), ItemColumn::Float(found));
    }
    items
}

/// The scores of all experiments.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.floats("gold")?;
    let mut scores = Vec::new();
    for number in 0..items.numbered("prediction_").count() {
        let predicted = items.floats(&format!("prediction_{number}"))?;
        let narrow: Vec<f32> = predicted.iter().map(|&found| found as f32).collect();
        scores.push(regression_scores(gold, &narrow));
    }
    Ok(collect(&scores))
}
