//! Classification: how well does a linear classifier learn from a few embedded examples? (Protocol
//! 6.2.)

mod cross_validated;
mod experiment;
mod few_shot;
mod labels;

use self::experiment::Settings;
use super::few_shot::check_given;
use crate::{Bounds, EvaluateError, Evaluator, Facts, Gold, Items, Plan, Protocol, Scores, TaskState, Unit};

/// Rows of `text` and `label`, to learn from and to predict; labels are texts, whole numbers or
/// booleans.
///
/// Every experiment draws a few training rows of each label, fits a logistic regression to their
/// embeddings and predicts the evaluation rows. The experiments run at once, so they share one
/// phase.
#[derive(Clone, Copy, Debug)]
pub struct Classification;

/// Its facts.
const FACTS: Facts = Facts {
    about: "Tells the label of a text.",
    hub_category: "text-classification",
    instruction: "Classify user passages.",
    options: &["samples_per_label", "experiments", "cross_validation"],
    gives: &|name: &str| {
        ["accuracy", "f1", "f1_weighted", "ap", "ap_weighted", "precision", "recall"].contains(&name)
    },
    bounds: &|name: &str| {
        // Average precision is only defined for two labels.
        ["ap", "ap_weighted"].contains(&name).then_some(Bounds::SHARE.or_undefined())
    },
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

impl Evaluator for Classification {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn plan(
        &self,
        unit: Unit,
        options: &Protocol,
        _state: &mut TaskState,
    ) -> Result<Box<dyn Plan>, EvaluateError> {
        let settings = Settings::new(options, unit.extra)?;
        check_given(&unit, "label")?;
        match options.cross_validation {
            Some(folds) => cross_validated::plan(&unit, &settings, folds),
            None => few_shot::plan(&unit, &settings),
        }
    }

    fn aggregate(&self, items: &Items, _options: &Protocol) -> Result<Scores, EvaluateError> {
        experiment::aggregate(items)
    }
}
