//! Measures of a whole run beside the usual ones: one file each, with its formula and the names of what it gives (protocol 7.4, 7.6).

mod capped_recall;
mod exponential_gain;
mod judged_share;
mod level_scores;
mod max_over_subqueries;
mod measure;
mod paired_accuracy;
mod robustness;

pub use capped_recall::{CappedRecall, capped_recall, mean_capped_recall};
pub use exponential_gain::{ExponentialNdcg, exponential_gain, exponential_ndcg};
pub use judged_share::{JudgedShare, judged_share};
pub use level_scores::{LevelScores, level_scores};
pub use max_over_subqueries::{MaxOverSubqueries, first_subqueries, max_over_subqueries};
pub use measure::{
    ExtraMeasure, ExtraScores, ExtraValue, JudgedRun, QueryColumns, RankingError, is_at_a_cut,
};
pub use paired_accuracy::{PairedAccuracy, paired_accuracy};
pub use robustness::{Robustness, robustness};

/// The measures that a card asks for, by the names that it has for them.
const OF_CARDS: [(&str, &dyn ExtraMeasure); 6] = [
    ("max_over_subqueries", &MaxOverSubqueries),
    ("paired_accuracy", &PairedAccuracy),
    ("robustness", &Robustness),
    ("level_scores", &LevelScores),
    ("capped_recall", &CappedRecall),
    ("judged", &JudgedShare),
];

/// The measures that a user asks for, which the reference does not have.
pub const ON_REQUEST: [&dyn ExtraMeasure; 1] = [&ExponentialNdcg];

/// The measure that a card calls `name`.
pub fn extra_measure(name: &str) -> Option<&'static dyn ExtraMeasure> {
    OF_CARDS.iter().find(|(known, _)| *known == name).map(|(_, measure)| *measure)
}

/// True if a measure that a card can ask for gives a number called so.
pub fn is_extra_score(name: &str) -> bool {
    OF_CARDS.iter().any(|(_, measure)| measure.gives(name))
}

/// The least and the greatest number that a measure here gives under this name; `None` if none does.
pub fn extra_range(name: &str) -> Option<[f64; 2]> {
    let of_cards = OF_CARDS.into_iter().map(|(_, measure)| measure);
    of_cards.chain(ON_REQUEST).find(|measure| measure.gives(name)).map(|measure| measure.range())
}
