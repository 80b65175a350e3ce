//! What one model came to on the items of a unit.

use crate::compare::{Statistic, Texts};

/// The items of a unit for one model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    /// What an item is, in the plural.
    pub kind: &'static str,
    /// Where their texts are found.
    pub texts: Texts,
    /// The measure of the unit.
    pub measure: String,
    /// The measure of an item.
    pub item_measure: &'static str,
    /// Their ids, each once.
    pub ids: Vec<String>,
    /// What each came to.
    pub values: Values,
}

/// What items came to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// A score each, whose mean is that of the unit.
    Scores(Vec<f64>),
    /// Gold and a number each, of whose order the score of the unit is made.
    Ranked { statistic: Statistic, gold: Vec<f64>, numbers: Vec<f64> },
}

impl Side {
    /// What the items come to together: their mean, or the statistic of all.
    pub fn whole(&self) -> f64 {
        match &self.values {
            Values::Scores(scores) => scores.iter().sum::<f64>() / scores.len() as f64,
            Values::Ranked { statistic, gold, numbers } => statistic.of(gold, numbers),
        }
    }
}

/// Rows as ids.
pub(super) fn ids(rows: &[i64]) -> Vec<String> {
    rows.iter().map(i64::to_string).collect()
}
