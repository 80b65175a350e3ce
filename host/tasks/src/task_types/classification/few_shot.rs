//! The usual form: examples are drawn from a training split, all rows of the evaluation split are predicted.

use std::sync::Arc;

use mteb_data::DataError;
use mteb_measures::classify::undersample;
use rayon::prelude::*;

use super::experiment::{Experiment, Settings, collect, items};
use super::labels::{Labels, check_labels, check_predicted, positive_label};
use crate::{EvaluateError, Evaluated, Keep, Part, Plan, Session, TextColumn, Unit};

/// Draws the examples of every experiment.
pub(super) fn plan(unit: &Unit, settings: &Settings) -> Result<Box<dyn Plan>, EvaluateError> {
    let (train, test) = (unit.part(Part::Train)?, unit.part(Part::Rows)?);
    if test.rows() == 0 {
        let message = "expected at least one row to predict, found none".to_owned();
        return Err(DataError::Malformed { place: test.place(0).0.to_owned(), message }.into());
    }
    let labels = Labels::read(&[train, test])?;
    let (train_labels, truth) = (&labels.rows[0], &labels.rows[1]);
    check_labels(train_labels, train)?;
    let notes = check_predicted(&labels, train_labels, truth, test, unit.is_own)?;
    let positive = positive_label(&labels, truth, test)?;
    let mut order: Vec<usize> = (0..train.rows()).collect();
    let samples: Vec<Vec<usize>> = (0..settings.few_shot.experiments)
        .map(|_| undersample(&mut order, train_labels, settings.few_shot.samples_per_label))
        .collect();
    let mut union = samples.concat();
    union.sort_unstable();
    union.dedup();
    let shared: Arc<[usize]> = truth.as_slice().into();
    let experiments = samples.into_iter().map(|sample| Experiment {
        train: sample.iter().map(|row| union.partition_point(|other| other < row)).collect(),
        labels: sample.iter().map(|&row| train_labels[row]).collect(),
        truth: Arc::clone(&shared),
        positive,
    });
    Ok(Box::new(FewShotPlan {
        experiments: experiments.collect(),
        names: labels.names,
        truth: shared,
        extra: settings.extra,
        notes,
        train: TextColumn {
            texts: train.texts("text")?.select(&union),
            role: None,
            phase: "Encoding training samples",
        },
        test: TextColumn {
            texts: test.texts("text")?.into_owned(),
            role: None,
            phase: "Encoding test samples",
        },
    }))
}

struct FewShotPlan {
    /// The rows that any experiment draws, ascending.
    train: TextColumn,
    test: TextColumn,
    experiments: Vec<Experiment>,
    /// The labels, and the number of each row to predict.
    names: Vec<String>,
    truth: Arc<[usize]>,
    extra: bool,
    notes: Vec<String>,
}

impl Plan for FewShotPlan {
    fn columns(&self) -> Vec<&TextColumn> {
        vec![&self.train, &self.test]
    }

    fn check(&self) -> Result<Vec<String>, EvaluateError> {
        Ok(self.notes.clone())
    }

    fn evaluate(&self, session: &mut dyn Session, keep: Keep) -> Result<Evaluated, EvaluateError> {
        self.notes.iter().for_each(|note| session.warn(note));
        let train = session.encode(&self.train, 0..self.train.texts.len())?;
        let test = session.encode(&self.test, 0..self.test.texts.len())?;
        session.phase("Scoring");
        let scores: Result<Vec<_>, _> =
            self.experiments.par_iter().map(|experiment| experiment.run(&train, &test)).collect();
        let experiments = scores?;
        let items = keep.items.then(|| items(&self.names, &self.truth, &experiments));
        Ok(Evaluated { scores: collect(&experiments, self.extra), items, rankings: None })
    }
}
