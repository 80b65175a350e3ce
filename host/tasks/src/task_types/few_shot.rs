//! What classifiers share: how many rows they learn from and how often these are drawn, which
//! labels CSV and TSV cannot hold, and how messages quote labels.

use mteb_card::defaults;
use mteb_data::DataError;

use crate::{EvaluateError, Part, Protocol, Unit};

/// How many rows a classifier learns from, and how often they are drawn.
#[derive(Clone, Copy, Debug)]
pub struct FewShot {
    /// Training rows of each label.
    pub samples_per_label: usize,
    /// Draws.
    pub experiments: usize,
}

impl FewShot {
    /// That of a card.
    ///
    /// # Errors
    /// If one of the numbers is 0.
    pub fn new(options: &Protocol) -> Result<Self, EvaluateError> {
        let samples_per_label = options.samples_per_label.unwrap_or(defaults::SAMPLES_PER_LABEL);
        let experiments = options.experiments.unwrap_or(defaults::EXPERIMENTS);
        for (name, value) in [("samples_per_label", samples_per_label), ("experiments", experiments)] {
            if value == 0 {
                let message = format!("option `{name}`: expected at least 1, found: 0");
                return Err(EvaluateError::Unscorable(message));
            }
        }
        Ok(Self { samples_per_label, experiments })
    }
}

/// Refuses rows of the user's own without a label in `column`, and lists in place of labels in a
/// format that holds none; data of the hub is scored as the reference scores it.
///
/// # Errors
/// If there are any.
pub(super) fn check_given(unit: &Unit, column: &str) -> Result<(), DataError> {
    let parts = [Part::Train, Part::Rows].into_iter().filter(|_| unit.is_own);
    for table in parts.filter_map(|part| unit.get(part)) {
        table.without_empty_cells(column, "a label", "write the label, or remove the row")?;
        table.without_written_lists(column, "a label")?;
    }
    Ok(())
}

/// The labels, of many only the first.
pub(super) fn some_quoted<'a>(mut labels: impl Iterator<Item = &'a String>) -> String {
    const SHOWN: usize = 5;
    let mut shown: Vec<String> = labels.by_ref().take(SHOWN).map(|label| format!("“{label}”")).collect();
    let more = labels.count();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}
