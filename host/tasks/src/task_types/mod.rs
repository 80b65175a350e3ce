//! The task types, one file or folder each: the evaluator that reads and scores a type, and its
//! facts.

mod bitext_mining;
mod classification;
mod clustering;
mod few_shot;
mod first_items;
mod multilabel_classification;
mod pair_classification;
mod regression;
mod search;
mod sentence_pairs;
mod sts;
mod summarization;
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
use crate::{Bounds, Evaluator, Facts, TaskType};

/// The evaluator of a task type, which reads and scores its tasks.
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

/// The facts of a task type, which are known without running it.
pub fn facts(task_type: TaskType) -> &'static Facts {
    evaluator(task_type).facts()
}

/// The evaluator of the task type `name`.
pub fn find(name: &str) -> Option<&'static dyn Evaluator> {
    TaskType::ALL.iter().find(|known| known.as_str() == name).map(|task_type| evaluator(*task_type))
}

/// The bounds of the score `name`, or of a part of it: from the facts of a task type, else those of
/// a share. `main_score` may be the main score of any type.
pub fn bounds_of(name: &str) -> Bounds {
    if name == "main_score" {
        let of_types = TaskType::ALL.iter().map(|task_type| bounds_of(task_type.main_score()));
        return of_types.fold(Bounds::SHARE, Bounds::hull);
    }
    let of_type = |task_type: &TaskType| (facts(*task_type).bounds)(name);
    TaskType::ALL.iter().find_map(of_type).unwrap_or(Bounds::SHARE)
}

/// The bounds of the score `name` in a task of `task_type`. For a declared type, only its
/// declaration counts.
pub fn bounds_in(task_type: TaskType, name: &str) -> Bounds {
    match task_type {
        TaskType::Own(_) => (facts(task_type).bounds)(name).unwrap_or(Bounds::SHARE),
        _ => bounds_of(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_main_score_is_within_those_of_all_types() {
        assert_eq!(bounds_of("main_score"), Bounds::between(-1.0, 1.0).or_undefined());
        assert_eq!(bounds_of("ndcg_at_10"), Bounds::SHARE);
        assert_eq!(bounds_of("max_over_subqueries_nauc_map_at_1_std").low, f64::NEG_INFINITY);
    }
}
