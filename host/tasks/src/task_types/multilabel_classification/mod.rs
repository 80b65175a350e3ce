//! Multilabel classification: do the nearest embedded examples share a text's labels? (Protocol
//! 6.3.)

mod items;
mod labels;
mod plan;

use self::plan::{MultilabelPlan, Settings};
use crate::{EvaluateError, Evaluator, Facts, Gold, Items, Plan, Protocol, Scores, TaskState, Unit};

/// Rows of `text` and a list `label`, to learn from and to predict; labels are texts or whole
/// numbers.
///
/// Every experiment draws a few training rows of each label, and the five of them that are nearest
/// to an evaluation row vote on each of its labels. The experiments run at once, so they share one
/// phase.
#[derive(Clone, Copy, Debug)]
pub struct MultilabelClassification;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Tells the labels of a text.",
    hub_category: "text-classification",
    instruction: "Classify user passages.",
    options: &["samples_per_label", "experiments", "max_eval_samples"],
    gives: &|name: &str| ["accuracy", "f1", "lrap", "hamming"].contains(&name),
    bounds: &|_: &str| None,
    text_columns: &["text"],
    optional_columns: &[],
    other_columns: &[],
    gold: Gold::Labels("label"),
    label_tolerance: 0.25,
    learns: true,
    sides_have_languages: false,
    has_topics: false,
    has_levels: false,
};

impl Evaluator for MultilabelClassification {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn draws(&self) -> bool {
        true
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        Ok(Box::new(MultilabelPlan::new(&unit, &Settings::new(options, unit.extra)?, state)?))
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        items::aggregate(items)
    }
}
