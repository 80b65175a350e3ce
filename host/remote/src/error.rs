//! Why a call brought no answer.

use crate::OverBudget;

/// A call without an answer. No form of it holds the key.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The endpoint takes no such input.
    #[error("{place}: refused with status {status}: {message}")]
    Refused {
        /// Address that was asked.
        place: String,
        /// Status of HTTP.
        status: u16,
        /// What the endpoint says.
        message: String,
    },
    /// The endpoint does not let us in, or does not know the path or the model.
    #[error("{place}: no access, status {status}: {message}{hint}")]
    Denied {
        /// Address that was asked.
        place: String,
        /// Status of HTTP.
        status: u16,
        /// What the endpoint says.
        message: String,
        /// What may help.
        hint: &'static str,
    },
    /// Every attempt failed in a way that may pass.
    #[error("{place}: no answer after {attempts} attempts in {seconds} s; the last one: {message}")]
    Unanswered {
        /// Address that was asked.
        place: String,
        /// Attempts.
        attempts: u32,
        /// Seconds that they took.
        seconds: u64,
        /// Why the last one failed.
        message: String,
    },
    /// The endpoint only says that it is asked too much, to this call and to all others.
    #[error(
        "{place}: too many requests, and none was answered in {attempts} attempts in {seconds} s; the last one: \
         {message}"
    )]
    Overloaded {
        /// Address that was asked.
        place: String,
        /// Attempts.
        attempts: u32,
        /// Seconds that they took.
        seconds: u64,
        /// What the endpoint said last.
        message: String,
    },
    /// Replies came that are no answers.
    #[error("{place}: {message} ({attempts} attempts)")]
    Unfit {
        /// Address that was asked.
        place: String,
        /// Attempts.
        attempts: u32,
        /// What was expected, what was found.
        message: String,
    },
    /// The endpoint only fails, and is left in peace for a while.
    #[error(
        "{place}: not contacted, because every request in the last {seconds} s has failed; the last one: \
             {message}"
    )]
    Resting {
        /// Address that is not asked.
        place: String,
        /// Seconds since its last answer, or the first failure.
        seconds: u64,
        /// Why the last attempt failed.
        message: String,
    },
    /// The budget is spent.
    #[error("{limit}{last}")]
    Spent {
        /// Its limit that is reached.
        limit: OverBudget,
        /// What the calls were spent on, with the mark before it.
        last: String,
    },
    /// The call cannot be made.
    #[error("{0}")]
    Impossible(String),
}

impl Failure {
    /// True if the endpoint refuses this input alone; a smaller or another one may be taken.
    pub fn is_about_input(&self) -> bool {
        matches!(self, Self::Refused { .. })
    }

    /// True if no later call can do better.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Denied { .. } | Self::Spent { .. } | Self::Impossible(_))
    }
}
