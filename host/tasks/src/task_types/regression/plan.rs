//! The rows that experiments learn from, and their scores.

use mteb_data::{DataError, Table};
use mteb_measures::regress::{RowsError, quantile_bins, regression_scores};
use mteb_measures::stratify::stratified_subsample;
use rayon::prelude::*;

use super::experiment::{Experiment, collect, items};
use crate::{EvaluateError, Evaluated, Keep, Part, Plan, Session, TextColumn, Unit};

/// Most training rows of an experiment.
const SAMPLES: usize = 2048;

/// Quantiles between which training rows are drawn in equal shares.
const BINS: usize = 10;

/// Seed of the first experiment; each further one has the next.
const SEED: u64 = 42;

/// What is said where no order can be compared.
const FLAT: &str = "kendalltau is undefined: all values to predict are equal";

/// Texts to learn from and to predict, and what each experiment learns.
pub(super) struct RegressionPlan {
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
