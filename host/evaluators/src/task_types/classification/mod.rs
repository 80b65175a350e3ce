//! Classification: how well does a linear classifier learn from a few embedded examples? (Protocol 6.2.)

mod cross_validated;
mod experiment;
mod few_shot;
mod labels;

use mteb_data::Table;

use self::labels::Labels;
use crate::{EvaluateError, Options, Plan, TaskState, TaskType, Unit};

/// Rows of `text` and `label`, to learn from and to predict; labels are texts, whole numbers or booleans.
///
/// Every experiment draws a few training rows of each label, fits a logistic regression to their embeddings and
/// predicts the evaluation rows. The experiments run at once, so they share one phase.
#[derive(Clone, Copy, Debug)]
pub struct Classification;

impl TaskType for Classification {
    fn name(&self) -> &'static str {
        "Classification"
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Options,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let settings = Settings::new(options)?;
        match options.cross_validation {
            Some(folds) => cross_validated::plan(&unit, &settings, folds),
            None => few_shot::plan(&unit, &settings),
        }
    }
}

/// How many rows are drawn, and how often.
struct Settings {
    samples_per_label: usize,
    experiments: usize,
}

impl Settings {
    fn new(options: &Options) -> Result<Self, EvaluateError> {
        let samples_per_label = options.samples_per_label.unwrap_or(8);
        let experiments = options.experiments.unwrap_or(10);
        for (name, value) in [("samples_per_label", samples_per_label), ("experiments", experiments)] {
            if value == 0 {
                return Err(EvaluateError::Unscorable(format!(
                    "option `{name}`: expected at least 1, found: 0"
                )));
            }
        }
        Ok(Self { samples_per_label, experiments })
    }
}

/// The label that average precision takes as positive: none unless `truth` has exactly two labels.
fn positive_label(labels: &Labels, truth: &[usize], table: &Table) -> Result<Option<usize>, EvaluateError> {
    let mut distinct = truth.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let [low, high] = distinct[..] else { return Ok(None) };
    match labels.positive.filter(|positive| distinct.contains(positive)) {
        Some(positive) => Ok(Some(positive)),
        None => Err(EvaluateError::Unscorable(format!(
            "{}, column `label`: expected one of two labels to be the number 1 or the boolean true, which average \
             precision takes as positive, found: {} and {}; name them 0 and 1 with `label_map`",
            table.place(0).0,
            labels.names[low],
            labels.names[high],
        ))),
    }
}

/// Refuses rows to learn from that do not differ in their label.
fn check_labels(train: &[usize], table: &Table) -> Result<(), EvaluateError> {
    if train.iter().any(|label| *label != train[0]) {
        return Ok(());
    }
    Err(EvaluateError::Unscorable(format!(
        "{}, column `label`: expected training rows of at least 2 labels, found {} rows of {}",
        table.place(0).0,
        train.len(),
        if train.is_empty() { "none" } else { "one label" },
    )))
}
