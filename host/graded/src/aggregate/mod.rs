//! Tables of many units: first the mean over datasets for each judge, then the mean over judges, which is called "Average".

mod shift;
mod standings;

pub use shift::{Gap, Shift, gap, shifts};
pub use standings::{AVERAGE, AggregateError, Measure, Pools, Standing, Standings, standings};

/// Retrieval (13 datasets), Reranking (8), Instruction (3).
pub const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Retrieval",
        &[
            "ArguAna",
            "BelebeleRetrieval",
            "CovidRetrieval",
            "HagridRetrieval",
            "LEMBPasskeyRetrieval",
            "MIRACLRetrievalHardNegatives",
            "MLQARetrieval",
            "SCIDOCS",
            "StackOverflowQA",
            "StatcanDialogueDatasetRetrieval",
            "TRECCOVID",
            "TwitterHjerneRetrieval",
            "WikipediaRetrievalMultilingual",
        ],
    ),
    (
        "Reranking",
        &[
            "AILAStatutes",
            "AlloprofReranking",
            "LegalBenchCorporateLobbying",
            "RuBQReranking",
            "T2Reranking",
            "VoyageMMarcoReranking",
            "WikipediaRerankingMultilingual",
            "WinoGrande",
        ],
    ),
    (
        "Instruction",
        &["Core17InstructionRetrieval", "News21InstructionRetrieval", "Robust04InstructionRetrieval"],
    ),
];

/// The group of a dataset; `None` if the study has it not.
pub fn group_of(task: &str) -> Option<&'static str> {
    GROUPS.iter().find(|(_, tasks)| tasks.contains(&task)).map(|(group, _)| *group)
}
