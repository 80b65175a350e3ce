//! The task types, one a file; [`find`] looks one up by its name in a card.

mod bitext_mining;
mod classification;
mod clustering;
mod gold_range;
mod multilabel_classification;
mod nearest;
mod pair_classification;
mod search;
mod sentence_pairs;
mod sts;
mod summarization;

pub use bitext_mining::BitextMining;
pub use classification::Classification;
pub use clustering::Clustering;
pub use multilabel_classification::MultilabelClassification;
pub use pair_classification::PairClassification;
pub use search::{InstructionReranking, InstructionRetrieval, Reranking, Retrieval};
pub use sts::Sts;
pub use summarization::Summarization;

use crate::TaskType;

/// Every task type there is, by the name that cards use.
pub const ALL: &[&dyn TaskType] = &[
    &BitextMining,
    &Classification,
    &Clustering,
    &MultilabelClassification,
    &PairClassification,
    &Sts,
    &Summarization,
    &Retrieval,
    &Reranking,
    &InstructionRetrieval,
    &InstructionReranking,
];

/// The task type called `name`.
pub fn find(name: &str) -> Option<&'static dyn TaskType> {
    ALL.iter().copied().find(|task_type| task_type.name() == name)
}
