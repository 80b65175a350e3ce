//! Regression: how well does a line through embedded examples predict a number of a text? (Protocol
//! 6.11.)

use mteb_data::{DataError, Table};
use mteb_measures::numeric::mean;
use mteb_measures::regress::{
    LinearRegression, RegressionScores, RowsError, quantile_bins, regression_scores,
};
use mteb_measures::stratify::stratified_subsample;
use rayon::prelude::*;

use super::few_shot::FewShot;
use crate::{
    Bounds, EvaluateError, Evaluated, Evaluator, Facts, Gold, ItemColumn, Items, Keep, Matrix, Part, Plan,
    Protocol, Score, Scores, Session, TaskState, TextColumn, Unit,
};

/// Rows of `text` and `value`, to learn from and to predict; values are numbers.
///
/// Every experiment draws training rows, fits a linear regression to their embeddings and predicts
/// the evaluation rows.
#[derive(Clone, Copy, Debug)]
pub struct Regression;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Tells the number that belongs to a text.",
    hub_category: "text-classification",
    instruction: "Predict the value of the user passage.",
    options: &["experiments"],
    // Of errors less is better, so that none stands for a task.
    gives: &|name: &str| ["r2", "kendalltau"].contains(&name),
    bounds: &|name: &str| match name {
        "mse" | "mae" | "rmse" => Some(Bounds::between(0.0, f64::INFINITY)),
        "r2" => Some(Bounds::between(f64::NEG_INFINITY, 1.0).or_undefined()),
        "kendalltau" => Some(Bounds::between(-1.0, 1.0).or_undefined()),
        _ => None,
    },
    text_columns: &["text"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Values("value"),
    label_tolerance: 0.25,
    learns: true,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for Regression {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let FewShot { experiments, .. } = FewShot::new(options)?;
        Ok(Box::new(RegressionPlan::new(&unit, experiments)?))
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        aggregate(items)
    }
}

/// Most training rows of an experiment.
const SAMPLES: usize = 2048;

/// Quantiles between which training rows are drawn in equal shares.
const BINS: usize = 10;

/// Seed of the first experiment; each further one has the next.
const SEED: u64 = 42;

/// What is said where no order can be compared.
const FLAT: &str = "kendalltau is undefined: all values to predict are equal";

/// Texts to learn from and to predict, and what each experiment learns.
struct RegressionPlan {
    /// The rows that any experiment draws, ascending.
    train: TextColumn,
    test: TextColumn,
    /// A single one stands for all where each learns from all rows.
    experiments: Vec<Experiment>,
    /// How many experiments there are.
    count: usize,
    truth: Vec<f64>,
}

impl RegressionPlan {
    /// Draws the training rows of every experiment.
    ///
    /// # Errors
    /// If there are no rows, or the training rows cannot be drawn from.
    pub fn new(unit: &Unit, count: usize) -> Result<Self, EvaluateError> {
        let (train, test) = (unit.part(Part::Train)?, unit.part(Part::Rows)?);
        check_rows(train, "to train on")?;
        check_rows(test, "to predict")?;
        let (values, truth) = (train.written_floats("value")?, test.written_floats("value")?);
        let samples = samples(&values, count, train)?;
        let mut union = samples.concat();
        union.sort_unstable();
        union.dedup();
        let experiments = samples.into_iter().map(|sample| Experiment {
            train: sample.iter().map(|row| union.partition_point(|other| other < row)).collect(),
            values: sample.iter().map(|&row| values[row]).collect(),
        });
        let column = |texts, phase| TextColumn { texts, role: None, phase };
        Ok(Self {
            experiments: experiments.collect(),
            count,
            truth,
            train: column(train.texts("text")?.select(&union), "Encoding training samples"),
            test: column(test.texts("text")?.into_owned(), "Encoding test samples"),
        })
    }
}

/// The training rows of each experiment; of one that stands for all, all rows in order.
fn samples(values: &[f64], count: usize, table: &Table) -> Result<Vec<Vec<usize>>, EvaluateError> {
    if values.len() <= SAMPLES {
        return Ok(vec![(0..values.len()).collect()]);
    }
    let bins = quantile_bins(values, BINS);
    let drawn = (SEED..).take(count).map(|seed| stratified_subsample(&bins, SAMPLES, seed));
    drawn.collect::<Result<_, _>>().map_err(|error| {
        let place = table.place(0).0;
        EvaluateError::Unscorable(format!(
            "{place}: {SAMPLES} training rows cannot be drawn with equal shares of {BINS} quantiles: {error}"
        ))
    })
}

fn check_rows(table: &Table, what: &str) -> Result<(), DataError> {
    if table.rows() > 0 {
        return Ok(());
    }
    let message = format!("expected at least one row {what}, found none");
    Err(DataError::Malformed { place: table.place(0).0.to_owned(), message })
}

impl Plan for RegressionPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.train, &self.test]
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        let is_flat = self.truth.iter().all(|value| *value == self.truth[0]);
        Ok(is_flat.then(|| FLAT.to_owned()).into_iter().collect())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.check()?.iter().for_each(|note| session.warn(note));
        let train = session.encode(&self.train, 0..self.train.texts.len())?;
        let test = session.encode(&self.test, 0..self.test.texts.len())?;
        session.phase("Scoring");
        let predicted: Result<Vec<_>, RowsError> =
            self.experiments.par_iter().map(|experiment| experiment.run(&train, &test)).collect();
        let mut predicted = predicted.map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        if let [one] = predicted.as_slice() {
            predicted = vec![one.clone(); self.count];
        }
        let scores: Vec<_> =
            predicted.par_iter().map(|found| regression_scores(&self.truth, found)).collect();
        let items = keep.items.then(|| items(&self.truth, &predicted));
        Ok(Evaluated { scores: collect(&scores), items, rankings: None })
    }
}

/// Rows to learn from.
struct Experiment {
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
fn collect(experiments: &[RegressionScores]) -> Scores {
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
fn items(truth: &[f64], predicted: &[Vec<f32>]) -> Items {
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
fn aggregate(items: &Items) -> Result<Scores, EvaluateError> {
    let gold = items.floats("gold")?;
    let mut scores = Vec::new();
    for number in 0..items.numbered("prediction_").count() {
        let predicted = items.floats(&format!("prediction_{number}"))?;
        let narrow: Vec<f32> = predicted.iter().map(|&found| found as f32).collect();
        scores.push(regression_scores(gold, &narrow));
    }
    Ok(collect(&scores))
}
