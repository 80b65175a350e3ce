//! Regression: how well does a line through embedded examples predict a number of a text? (Protocol
//! 6.11.)

mod experiment;
mod plan;

use self::plan::RegressionPlan;
use super::few_shot::FewShot;
use crate::{Bounds, EvaluateError, Evaluator, Facts, Gold, Items, Plan, Protocol, Scores, TaskState, Unit};

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
        experiment::aggregate(items)
    }
}
