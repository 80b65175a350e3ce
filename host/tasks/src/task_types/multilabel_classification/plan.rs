//! How many rows are drawn and predicted, the drawn examples, and how both are scored.

use mteb_card::defaults;
use mteb_data::{DataError, Table};
use mteb_measures::classify::multilabel::{multilabel_scores, nearest_rows, sample_labels, vote};
use mteb_measures::stratify::iterative_subsample;
use rayon::prelude::*;

use super::items::{collect, items};
use super::labels::label_lists;
use crate::task_types::few_shot::{FewShot, some_quoted};
use crate::{EvaluateError, Evaluated, Keep, Part, Plan, Protocol, Session, TaskState, TextColumn, Unit};

/// Training rows that vote on a text's labels.
const NEIGHBOURS: usize = 5;

/// Seed of the subsample of evaluation rows.
const SEED: u32 = 42;

/// One unit with its drawn examples.
pub(super) struct MultilabelPlan {
    /// The rows that any experiment draws, ascending.
    train: TextColumn,
    test: TextColumn,
    /// Labels of the rows of `train` and of `test`, as places among the labels that occur in
    /// `test`.
    train_labels: Vec<Vec<u32>>,
    truth: Vec<Vec<u32>>,
    /// The labels that occur in `test`.
    names: Vec<String>,
    /// The places of the rows of `test` in their split.
    rows: Vec<usize>,
    /// For every experiment, rows of `train` in drawn order.
    samples: Vec<Vec<usize>>,
    extra: bool,
    notes: Vec<String>,
}

impl MultilabelPlan {
    /// Draws the examples of every experiment, and the rows to predict if there are too many.
    pub fn new(unit: &Unit, settings: &Settings, state: &mut TaskState) -> Result<Self, EvaluateError> {
        let (train, test) = (unit.part(Part::Train)?, unit.part(Part::Rows)?);
        let ([train_labels, test_labels], names) = label_lists([train, test])?;
        let samples: Vec<Vec<usize>> = (0..settings.few_shot.experiments)
            .map(|_| sample_labels(&train_labels, settings.few_shot.samples_per_label, &mut state.numpy))
            .collect();
        let test_labels: Vec<Vec<u32>> = test_labels.into_iter().map(distinct).collect();
        let rows = iterative_subsample(&test_labels, settings.max_rows, SEED);
        let known = distinct(rows.iter().flat_map(|&row| &test_labels[row]).copied().collect());
        let places = |labels: &Vec<u32>| -> Vec<u32> {
            let place = |label| known.binary_search(label).ok().map(|place| place as u32);
            distinct(labels.iter().filter_map(place).collect())
        };
        if known.len() < 2 {
            let message = format!(
                "column `label`: expected rows of at least 2 labels to predict, found: {}",
                known.len()
            );
            return Err(DataError::Malformed { place: test.place(0).0.to_owned(), message }.into());
        }
        let notes = unknown_labels(&known, &train_labels, &names, test).into_iter().collect();
        let union = distinct(samples.concat());
        let column = |texts, phase| TextColumn { texts, role: None, phase };
        Ok(Self {
            train: column(train.texts("text")?.select(&union), "Encoding training samples"),
            test: column(test.texts("text")?.select(&rows), "Encoding test samples"),
            train_labels: union.iter().map(|&row| places(&train_labels[row])).collect(),
            truth: rows.iter().map(|&row| places(&test_labels[row])).collect(),
            names: known.iter().map(|&label| names[label as usize].clone()).collect(),
            extra: settings.extra,
            rows,
            notes,
            samples: samples
                .iter()
                .map(|sample| sample.iter().map(|row| union.partition_point(|other| other < row)).collect())
                .collect(),
        })
    }
}

impl Plan for MultilabelPlan {
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
        let nearest = nearest_rows(&train.values, &test.values, train.dimension, &self.samples, NEIGHBOURS)
            .map_err(|error| EvaluateError::Unscorable(error.to_string()))?;
        let predictions: Vec<Vec<Vec<u32>>> = nearest
            .par_iter()
            .map(|nearest| {
                let neighbours = nearest.chunks_exact(NEIGHBOURS);
                neighbours.map(|neighbours| vote(&self.train_labels, neighbours)).collect()
            })
            .collect();
        let scores: Vec<_> = predictions
            .par_iter()
            .map(|predicted| multilabel_scores(&self.truth, predicted, self.names.len()))
            .collect();
        let items = keep.items.then(|| items(&self.rows, &self.names, &self.truth, &predictions));
        Ok(Evaluated { scores: collect(&scores, self.extra), items, rankings: None })
    }
}

/// What there is to say of labels to predict that no training row has.
fn unknown_labels(known: &[u32], train: &[Vec<u32>], names: &[String], table: &Table) -> Option<String> {
    let learned = distinct(train.concat());
    let mut unknown = known.iter().filter(|label| learned.binary_search(label).is_err()).peekable();
    unknown.peek()?;
    let names = some_quoted(unknown.map(|&label| &names[label as usize]));
    let file = table.place(0).0;
    Some(format!(
        "{file}, column `label`: labels that no training row has, so that no model can predict them: {names}"
    ))
}

/// `numbers` in ascending order, each once.
fn distinct<T: Ord>(mut numbers: Vec<T>) -> Vec<T> {
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// How many rows are drawn and predicted, and what is measured.
pub struct Settings {
    /// Rows to learn from.
    pub few_shot: FewShot,
    /// Most rows that are predicted.
    pub max_rows: usize,
    /// Measures beside those of the reference.
    pub extra: bool,
}

impl Settings {
    /// Those of a card.
    ///
    /// # Errors
    /// If a number is 0.
    pub fn new(options: &Protocol, extra: bool) -> Result<Self, EvaluateError> {
        let max_rows = match options.max_eval_samples.unwrap_or(defaults::MAX_EVAL_SAMPLES) {
            0 => usize::MAX,
            most => most,
        };
        Ok(Self { few_shot: FewShot::new(options)?, max_rows, extra })
    }
}
