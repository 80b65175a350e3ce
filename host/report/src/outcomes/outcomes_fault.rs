//! Why outcomes beside results say nothing of them.

use std::path::PathBuf;

use mteb_items::outcomes::OutcomesError;

/// A file of outcomes that was left out.
#[derive(Debug, thiserror::Error)]
#[error("{}: left out: {source}", path.display())]
pub(super) struct OutcomesFault {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub source: OutcomesReason,
}

/// What is wrong with a file of outcomes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum OutcomesReason {
    /// It cannot be read.
    #[error(transparent)]
    Unread(#[from] OutcomesError),
    /// What it says of itself is no JSON.
    #[error("expected JSON in its footer: {0}")]
    Footer(#[source] serde_json::Error),
    /// It is of another unit than its name says: this split and subset, as JSON.
    #[error("of split {0} and subset {1}")]
    OtherUnit(String, String),
    /// It was not made together with the result beside it.
    #[error("made from different inputs than the result next to it; run again with `--outcomes`")]
    OtherResult,
}

/// Why the items of two models cannot stand beside each other.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum PairFault {
    /// The outcomes of one lack a column.
    #[error(transparent)]
    Columns(#[from] OutcomesError),
    /// They have no item in common.
    #[error("expected outcomes of the same items, found none in common")]
    NoneInCommon,
    /// Their gold differs.
    #[error("expected outcomes with the same gold, found others")]
    OtherGold,
    /// Their items came to different kinds of things.
    #[error("expected outcomes of one kind, found two")]
    TwoKinds,
}
