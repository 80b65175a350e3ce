//! Which tasks learn from a training split.

use mteb_card::TaskCard;

use crate::facts;

/// True if the type draws its few-shot examples from a training split.
pub fn needs_training(card: &TaskCard) -> bool {
    facts(card.task_type).learns && card.protocol.cross_validation.is_none()
}

/// The same of one subset: one that holds some of its rows out learns from the others.
pub fn needs_training_split(card: &TaskCard, subset: &str) -> bool {
    needs_training(card) && card.hold_out(subset).is_none()
}
