//! One experiment: how many rows are drawn, a classifier is fitted to them, and its predictions for
//! others are scored; per-item results of the rows to predict, and the scores that follow from
//! them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use mteb_measures::classify::{ClassificationScores, LogisticRegression, classification_scores};
use mteb_measures::numeric::mean;
use mteb_measures::pair::average_precision;

use crate::task_types::few_shot::FewShot;
use crate::{EvaluateError, ItemColumn, Items, Matrix, Protocol, Score, Scores};

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

/// A row a text: its place, its label, and what each experiment predicted; labels are numbered as `names` are.
pub(super) fn items(names: &[String], truth: &[usize], experiments: &[ExperimentScores]) -> Items {
    let mut items = Items::default();
    items.push("row", ItemColumn::Int((0..truth.len() as i64).collect()));
    items.push("gold", labels(names, truth));
    for (number, experiment) in experiments.iter().enumerate() {
        items.push(format!("prediction_{number}"), labels(names, &experiment.predicted));
    }
    items
}

/// A row a text that was predicted in a fold: its place, its label, the number of the fold, and what was predicted; `folds` has
/// the places and the labels of each.
pub(super) fn items_of_folds(
    names: &[String],
    folds: &[(&[usize], &[usize])],
    experiments: &[ExperimentScores],
) -> Items {
    let rows: Vec<i64> = folds.iter().flat_map(|(rows, _)| rows.iter().map(|&row| row as i64)).collect();
    let truth: Vec<usize> = folds.iter().flat_map(|(_, truth)| truth.iter().copied()).collect();
    let numbers = (0i64..).zip(folds).flat_map(|(number, (rows, _))| rows.iter().map(move |_| number));
    let predicted: Vec<usize> =
        experiments.iter().flat_map(|experiment| experiment.predicted.iter().copied()).collect();
    let mut items = Items::default();
    items.push("row", ItemColumn::Int(rows));
    items.push("gold", labels(names, &truth));
    items.push(FOLD, ItemColumn::Int(numbers.collect()));
    items.push("prediction_0", labels(names, &predicted));
    items
}

/// Column of the folds of a cross-validation.
const FOLD: &str = "experiment";

/// The scores of all experiments.
///
/// # Errors
/// If a column is absent.
pub(super) fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.texts("gold")?;
    let mut columns = Vec::new();
    for number in 0..items.numbered("prediction_").count() {
        columns.push(items.texts(&format!("prediction_{number}"))?);
    }
    let numbers = numbers(columns.iter().flat_map(|column| column.iter()).chain(gold.iter()));
    let number = |label: &str| numbers.get(label).copied().unwrap_or_default();
    let positive = ["1", "true"].iter().find_map(|name| numbers.get(name)).copied();
    let mut experiments: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    if items.get(FOLD).is_some() {
        let mut folds: BTreeMap<i64, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        let predicted = columns.first().map(|column| column.iter()).into_iter().flatten();
        for ((fold, gold), predicted) in items.ints(FOLD)?.iter().zip(gold.iter()).zip(predicted) {
            let (truth, found) = folds.entry(*fold).or_default();
            truth.push(number(gold));
            found.push(number(predicted));
        }
        experiments.extend(folds.into_values());
    } else {
        let truth: Vec<usize> = gold.iter().map(number).collect();
        experiments.extend(columns.iter().map(|column| (truth.clone(), column.iter().map(number).collect())));
    }
    let scored = experiments.into_iter().map(|(truth, predicted)| {
        let distinct: BTreeSet<usize> = truth.iter().copied().collect();
        ExperimentScores::new(&truth, predicted, positive.filter(|_| distinct.len() == 2))
    });
    Ok(collect(&scored.collect::<Vec<_>>(), true))
}

fn labels(names: &[String], numbers: &[usize]) -> ItemColumn {
    ItemColumn::Text(numbers.iter().map(|&number| names[number].as_str()).collect())
}

/// A number for each label, as those that are whole numbers are sorted by value.
fn numbers<'a>(labels: impl Iterator<Item = &'a str>) -> HashMap<&'a str, usize> {
    let mut distinct: Vec<&str> = labels.collect::<BTreeSet<&str>>().into_iter().collect();
    // Others stay as they are: all values are absent, and the sort is stable.
    let are_numbers = distinct.iter().all(|label| label.parse::<i64>().is_ok());
    distinct.sort_by_key(|label| label.parse::<i64>().ok().filter(|_| are_numbers));
    distinct.into_iter().zip(0..).collect()
}
