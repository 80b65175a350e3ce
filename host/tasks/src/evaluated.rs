//! What scoring a unit gives: its scores, and if it was asked for, what single items came to.

use mteb_rankings::Rankings;

use crate::{Items, Scores};

/// What is wanted of a unit besides its scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// What each item came to: [`Evaluated::items`].
    pub items: bool,
    /// How many documents of each query, best first: [`Evaluated::rankings`].
    pub rankings: Option<usize>,
}

/// What a unit came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluated {
    /// The scores, in the reference's order.
    pub scores: Scores,
    /// What each item came to, where that was asked for and the type of task has it.
    pub items: Option<Items>,
    /// What was found for each query, of tasks that rank, where that was asked for.
    pub rankings: Option<Rankings>,
}

impl From<Scores> for Evaluated {
    fn from(scores: Scores) -> Self {
        Self { scores, ..Self::default() }
    }
}
