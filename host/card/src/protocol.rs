//! What a card may change about the evaluation of its type.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::vocabulary::Role;

/// The table of options that a type of a pack or a card declares.
pub const OWN: &str = "own";

/// Options of the evaluation; an absent field has the default of the task type (protocol 6 and 7).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Protocol {
    /// Classification, multilabel: training rows drawn per label (8).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub samples_per_label: Option<usize>,
    /// Classification, multilabel, regression: number of experiments (10).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub experiments: Option<usize>,
    /// Classification: folds of a cross-validation instead of few-shot experiments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 1000))]
    pub cross_validation: Option<usize>,
    /// Multilabel: maximum number of evaluation rows (3000); 0 for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1_000_000_000))]
    pub max_eval_samples: Option<usize>,
    /// Clustering: true for the older form, where a row is a set of sentences.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub legacy: bool,
    /// Clustering: share of the documents to embed (0.04).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub max_fraction_of_documents: Option<f64>,
    /// Clustering: number of documents to embed; 0 for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(max = 1_000_000_000))]
    pub max_documents: Option<usize>,
    /// Clustering: documents drawn per round (16384).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub max_documents_per_cluster: Option<usize>,
    /// Clustering: rounds (10).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1000))]
    pub rounds: Option<usize>,
    /// Clustering: rows of a mini-batch (512; older form 500).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub batch_size: Option<usize>,
    /// Clustering: deepest label level to score.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub max_depth: Option<usize>,
    /// Clustering: generation of the mini-batch draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kmeans: Option<KMeans>,
    /// STS, summarization: lowest gold score (0).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_score: Option<f64>,
    /// STS, summarization: highest gold score (5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_score: Option<f64>,
    /// Ranking: cut-offs (1, 3, 5, 10, 20, 100, 1000).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 100), inner(range(min = 1, max = 10_000)))]
    pub k_values: Option<Vec<usize>>,
    /// Ranking: the grade from which a document is relevant, for all measures except nDCG (1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance_threshold: Option<f64>,
    /// Ranking: drop a document whose id is the query's id.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_identical_ids: bool,
    /// Ranking: extra measures of protocol 7.4, and those of packs, `pack/measure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extra_measures: Vec<super::CardMeasure>,
    /// Summarization: average correlations with their p-values, as the deprecated SummEval does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub average_p_values: bool,
    /// Pair inputs: the roles of the two columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<[Role; 2]>,
    /// Types of packs and cards: the options that the type declares.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub own: BTreeMap<String, serde_json::Value>,
}

/// scikit-learn's generation of mini-batch draws (protocol 6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum KMeans {
    /// scikit-learn 1.9 and later.
    #[serde(rename = "sklearn-1.9")]
    Sklearn19,
    /// scikit-learn 1.4 to 1.8.
    #[serde(rename = "sklearn-1.4")]
    Sklearn14,
}

impl Protocol {
    /// True if nothing differs from the defaults.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The options that a card sets, by their names.
    pub fn set_options(&self) -> Vec<&'static str> {
        // Every field is named here, so that a new one cannot be forgotten.
        let Self {
            samples_per_label,
            experiments,
            cross_validation,
            max_eval_samples,
            legacy,
            max_fraction_of_documents,
            max_documents,
            max_documents_per_cluster,
            rounds,
            batch_size,
            max_depth,
            kmeans,
            min_score,
            max_score,
            average_p_values,
            roles,
            k_values,
            relevance_threshold,
            ignore_identical_ids,
            extra_measures,
            own,
        } = self;
        let options = [
            ("samples_per_label", samples_per_label.is_some()),
            ("experiments", experiments.is_some()),
            ("cross_validation", cross_validation.is_some()),
            ("max_eval_samples", max_eval_samples.is_some()),
            ("legacy", *legacy),
            ("max_fraction_of_documents", max_fraction_of_documents.is_some()),
            ("max_documents", max_documents.is_some()),
            ("max_documents_per_cluster", max_documents_per_cluster.is_some()),
            ("rounds", rounds.is_some()),
            ("batch_size", batch_size.is_some()),
            ("max_depth", max_depth.is_some()),
            ("kmeans", kmeans.is_some()),
            ("min_score", min_score.is_some()),
            ("max_score", max_score.is_some()),
            ("average_p_values", *average_p_values),
            ("roles", roles.is_some()),
            ("k_values", k_values.is_some()),
            ("relevance_threshold", relevance_threshold.is_some()),
            ("ignore_identical_ids", *ignore_identical_ids),
            ("extra_measures", !extra_measures.is_empty()),
            (OWN, !own.is_empty()),
        ];
        options.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| name).collect()
    }
}
