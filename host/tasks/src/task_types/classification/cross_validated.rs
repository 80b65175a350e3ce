//! The cross-validated form: one split is cut into folds, and each fold is predicted from examples of the others.

use mteb_base::counted::count_between;
use mteb_data::DataError;
use mteb_measures::classify::{folds, undersample};
use rayon::prelude::*;

use super::experiment::{Experiment, Settings, collect, items_of_folds};
use super::labels::{Labels, check_labels, positive_label};
use crate::{EvaluateError, Evaluated, Keep, Part, Plan, Session, TextColumn, Unit};

/// Cuts the rows into `count` folds and draws the examples of every fold.
pub(super) fn plan(unit: &Unit, settings: &Settings, count: usize) -> Result<Box<dyn Plan>, EvaluateError> {
    let table = unit.part(Part::Rows)?;
    if count < 2 || count > table.rows() {
        let folds = count_between(2, table.rows().max(2), "fold");
        let message = format!("expected {folds} (one row a fold or more), found: {count}");
        return Err(DataError::Malformed { place: table.place(0).0.to_owned(), message }.into());
    }
    let labels = Labels::read(&[table])?;
    let all = &labels.rows[0];
    let mut order = Vec::new();
    let mut planned = Vec::with_capacity(count);
    for fold in folds(table.rows(), count) {
        if order.is_empty() {
            // The reference keeps the order of the first fold, so later folds never draw a row beyond its length.
            order = (0..fold.train.len()).collect();
        }
        let train_labels: Vec<usize> = fold.train.iter().map(|&row| all[row]).collect();
        let truth: Vec<usize> = fold.test.iter().map(|&row| all[row]).collect();
        let sample = undersample(&mut order, &train_labels, settings.few_shot.samples_per_label);
        let experiment = Experiment {
            train: sample.iter().map(|&row| fold.train[row]).collect(),
            labels: sample.iter().map(|&row| train_labels[row]).collect(),
            positive: positive_label(&labels, &truth, table)?,
            truth: truth.into(),
        };
        check_labels(&experiment.labels, table)?;
        planned.push((experiment, fold.test));
    }
    let texts = table.texts("text")?.into_owned();
    let rows = TextColumn { texts, role: None, phase: "Encoding training samples" };
    Ok(Box::new(CrossValidatedPlan { rows, folds: planned, names: labels.names, extra: settings.extra }))
}

struct CrossValidatedPlan {
    rows: TextColumn,
    /// Each fold with the rows it predicts.
    folds: Vec<(Experiment, Vec<usize>)>,
    /// The labels by their numbers.
    names: Vec<String>,
    extra: bool,
}

impl Plan for CrossValidatedPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.rows]
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        let rows = session.encode(&self.rows, 0..self.rows.texts.len())?;
        session.phase("Scoring");
        let scores: Result<Vec<_>, _> = self
            .folds
            .par_iter()
            .map(|(experiment, test)| experiment.run(&rows, &rows.select(test)))
            .collect();
        let experiments = scores?;
        let folds: Vec<(&[usize], &[usize])> =
            self.folds.iter().map(|(experiment, test)| (test.as_slice(), &*experiment.truth)).collect();
        let items = keep.items.then(|| items_of_folds(&self.names, &folds, &experiments));
        Ok(Evaluated { scores: collect(&experiments, self.extra), items, rankings: None })
    }
}
