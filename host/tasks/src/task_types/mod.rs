//! The task types, one a file or folder: what reads and scores it, and its facts.

mod bitext_mining;
mod classification;
mod clustering;
mod few_shot;
mod first_items;
mod given_labels;
mod gold_range;
mod multilabel_classification;
mod nearest;
mod pair_classification;
mod quoted;
mod regression;
mod search;
mod sentence_pairs;
mod sts;
mod summarization;
mod summary_correlations;
mod summary_items;
mod summary_overlap;

pub use bitext_mining::BitextMining;
pub use classification::Classification;
pub use clustering::Clustering;
pub use first_items::first_items;
pub use multilabel_classification::MultilabelClassification;
pub use pair_classification::PairClassification;
pub use regression::Regression;
pub use search::{
    InstructionReranking, InstructionRetrieval, RankedSearch, Reranking, Retrieval, SearchTexts, own_grades,
    search_texts, unjudged_copies, with_first_stage,
};
pub use sts::Sts;
pub use summarization::Summarization;

use crate::own::own_evaluator;
use crate::{Evaluator, Facts, TaskType};

/// What reads and scores tasks of a type.
pub fn evaluator(task_type: TaskType) -> &'static dyn Evaluator {
    match task_type {
        TaskType::BitextMining => &BitextMining,
        TaskType::Classification => &Classification,
        TaskType::MultilabelClassification => &MultilabelClassification,
        TaskType::Clustering => &Clustering,
        TaskType::PairClassification => &PairClassification,
        TaskType::Reranking => &Reranking,
        TaskType::Retrieval => &Retrieval,
        TaskType::Sts => &Sts,
        TaskType::Summarization => &Summarization,
        TaskType::InstructionRetrieval => &InstructionRetrieval,
        TaskType::InstructionReranking => &InstructionReranking,
        TaskType::Regression => &Regression,
        TaskType::Own(own) => own_evaluator(own),
    }
}

/// What is to be known of a task type without running it.
pub fn facts(task_type: TaskType) -> &'static Facts {
    evaluator(task_type).facts()
}

/// What reads and scores tasks of the type called `name`.
pub fn find(name: &str) -> Option<&'static dyn Evaluator> {
    TaskType::ALL.iter().find(|known| known.as_str() == name).map(|task_type| evaluator(*task_type))
}
