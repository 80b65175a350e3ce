//! What the draws of a unit continue: the data and options of the units before it, as they are now.

use std::sync::Arc;

use mteb_card::TaskCard;
use mteb_registry::options_of_unit;
use mteb_results::identity::{Chain, DataFacts};

/// The first units of a task, which is walked once however many of its units are asked for.
pub struct Continued {
    card: Arc<TaskCard>,
    units: usize,
    chain: Chain,
}

impl Continued {
    /// None of the units of a task.
    pub fn new(card: &Arc<TaskCard>) -> Self {
        Self { card: Arc::clone(card), units: 0, chain: Chain::default() }
    }

    /// True if these are units of the task, and none behind its first `units`.
    pub fn is_within(&self, card: &Arc<TaskCard>, units: usize) -> bool {
        Arc::ptr_eq(&self.card, card) && self.units <= units
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        self.units
    }

    /// One more unit, and what it is read from now.
    pub fn push(&mut self, unit: (&str, &str), data: &DataFacts) {
        self.chain.push(unit, &options_of_unit(&self.card, unit.1), data);
        self.units += 1;
    }

    /// True if `earlier` is the hash over these units.
    pub fn is(&self, earlier: &str) -> bool {
        self.chain.is(Some(earlier))
    }
}
