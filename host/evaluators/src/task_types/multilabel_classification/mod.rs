//! Multilabel classification: do the nearest embedded examples share a text's labels? (Protocol 6.3.)

mod labels;
mod plan;
mod scores;

use self::plan::MultilabelPlan;
use crate::{EvaluateError, Options, Plan, TaskState, TaskType, Unit};

/// Rows of `text` and a list `label`, to learn from and to predict; labels are texts or whole numbers.
///
/// Every experiment draws a few training rows of each label, and the five of them that are nearest to an evaluation
/// row vote on each of its labels. The experiments run at once, so they share one phase.
#[derive(Clone, Copy, Debug)]
pub struct MultilabelClassification;

impl TaskType for MultilabelClassification {
    fn name(&self) -> &'static str {
        "MultilabelClassification"
    }

    fn draws(&self) -> bool {
        true
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Options,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        Ok(Box::new(MultilabelPlan::new(&unit, &Settings::new(options)?, state)?))
    }
}

/// How many rows are drawn, how often, and how many are predicted.
struct Settings {
    samples_per_label: usize,
    experiments: usize,
    /// Most rows that are predicted.
    max_rows: usize,
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
        let max_rows = match options.max_eval_samples {
            None => 3000,
            Some(0) => usize::MAX,
            Some(most) => most,
        };
        Ok(Self { samples_per_label, experiments, max_rows })
    }
}
