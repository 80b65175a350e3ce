//! What a task card may set about its evaluation; the defaults are the task types' (protocol 6 and 7).

use serde::{Deserialize, Serialize};

/// Options of an evaluation; a field left out takes the default of the task type.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Training rows drawn per label (classification 8, multilabel 8).
    pub samples_per_label: Option<usize>,
    /// Number of experiments (10).
    pub experiments: Option<usize>,
    /// Folds of a cross-validated classification; absent: no cross-validation.
    pub cross_validation: Option<usize>,
    /// Multilabel: most evaluation rows (3000); 0 means all.
    pub max_eval_samples: Option<usize>,
    /// Clustering: true for the legacy form, where a row is a set of sentences.
    pub legacy: bool,
    /// Clustering: share of the documents that is embedded (0.04); at most one of this and the next may be set.
    pub max_fraction_of_documents: Option<f64>,
    /// Clustering: number of documents that is embedded; 0 means all.
    pub max_documents: Option<usize>,
    /// Clustering: documents drawn per round (16384).
    pub max_documents_per_cluster: Option<usize>,
    /// Clustering: rounds (10).
    pub rounds: Option<usize>,
    /// Clustering: rows in a mini-batch (512; legacy 500).
    pub batch_size: Option<usize>,
    /// Clustering: deepest label level that is scored.
    pub max_depth: Option<usize>,
    /// Clustering: `sklearn-1.9` (default) or `sklearn-1.4`, the generation of mini-batch draws.
    pub kmeans: Option<String>,
    /// STS and summarization: lowest gold score (0).
    pub min_score: Option<f64>,
    /// STS and summarization: highest gold score (5).
    pub max_score: Option<f64>,
    /// Ranking: cuts (1, 3, 5, 10, 20, 100, 1000).
    pub k_values: Option<Vec<usize>>,
    /// Ranking: keep what models that rank and rankings of others need beside what is encoded: the whole corpus where
    /// candidates are given, and the ids of queries that nobody judged.
    pub keeps_all: bool,
    /// Ranking: the grade from which on a document is relevant (1).
    pub relevance_threshold: Option<f64>,
    /// Ranking: drop a document whose id is the query's id.
    pub ignore_identical_ids: bool,
    /// Ranking: refuse what the reference takes without a word, an id that occurs twice and judgements of which none is
    /// above 0; for data that the reference never scored.
    pub strict_ids: bool,
    /// Ranking: extra measures: `max_over_subqueries`, `paired_accuracy`, `robustness`, `level_scores`, `capped_recall`.
    pub extra_measures: Vec<String>,
    /// Summarization: average correlations with their p-values, as the deprecated SummEval did.
    pub average_p_values: bool,
    /// Pair inputs: roles of the two columns (`query`, `document`), absent for none.
    pub roles: Option<[String; 2]>,
}
