//! Sample rows of each type of task, which whoever begins one replaces.

use mteb_tasks::TaskType;

/// Rows as files of a folder: name and content.
pub type SampleFiles = &'static [(&'static str, &'static str)];

macro_rules! files {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../templates/data/", $folder, "/", $name)))),+]
    };
}

/// The sample rows of a type of the host; none of others.
pub fn samples(task_type: TaskType) -> SampleFiles {
    match task_type {
        TaskType::BitextMining => files!("BitextMining": "test.jsonl"),
        TaskType::Classification => files!("Classification": "train.jsonl", "test.jsonl"),
        TaskType::MultilabelClassification => files!("MultilabelClassification": "train.jsonl", "test.jsonl"),
        TaskType::Clustering => files!("Clustering": "test.jsonl"),
        TaskType::PairClassification => files!("PairClassification": "test.jsonl"),
        TaskType::Reranking => {
            files!("Reranking": "corpus.jsonl", "queries.jsonl", "qrels.tsv", "top_ranked.jsonl")
        }
        TaskType::Retrieval => files!("Retrieval": "corpus.jsonl", "queries.jsonl", "qrels.tsv"),
        TaskType::Sts => files!("STS": "test.jsonl"),
        TaskType::Summarization => files!("Summarization": "test.jsonl"),
        TaskType::InstructionRetrieval => {
            files!("InstructionRetrieval": "corpus.jsonl", "queries.jsonl", "qrels.tsv", "instruction.jsonl")
        }
        TaskType::InstructionReranking => files!(
            "InstructionReranking":
            "corpus.jsonl", "queries.jsonl", "qrels.tsv", "top_ranked.jsonl", "instruction.jsonl", "qrel_diff.jsonl"
        ),
        TaskType::Regression => files!("Regression": "train.jsonl", "test.jsonl"),
        TaskType::Own(_) => &[],
    }
}
