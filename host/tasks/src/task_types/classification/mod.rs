//! Classification: how well does a linear classifier learn from a few embedded examples? (Protocol 6.2.)

mod checks;
mod cross_validated;
mod experiment;
mod few_shot;
mod labels;
mod settings;

use self::settings::Settings;
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
