//! How much of a task may be solved without reading its texts as they are meant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits on what surface cues, one text of a pair, and shared words may reach. Everything is
/// measured; an absent field sets no limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Artefacts {
    /// Labels, scores: maximum for a classifier that sees only lengths, digits, punctuation,
    /// capitals and first words: its accuracy if a row has one of several labels, else its AUC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_surface: Option<f64>,
    /// Pairs with labels or scores: maximum AUC of a classifier that sees only the words of one
    /// text of the pair; of the two texts, the one that reveals more counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_one_side: Option<f64>,
    /// Ranking: maximum MAP of a classifier that sees the words of the documents but not the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_query_blind: Option<f64>,
    /// Labels: largest share of the texts that contain the label itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_label_words: Option<f64>,
    /// Ranking: minimum and maximum nDCG@10 of BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bm25: Option<[f64; 2]>,
    /// Minimum and maximum that similarity by character TF-IDF may reach: nDCG@10 of rankings, AUC
    /// of pairs with labels, Spearman's correlation with scores, accuracy of the nearest other text
    /// for labels and translations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tfidf: Option<[f64; 2]>,
    /// Ranking: largest share of unjudged documents in the top ten of BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unjudged: Option<f64>,
    /// Ranking: true if documents with a higher grade must be more similar to their query by
    /// character TF-IDF, on average.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub grades_rise: bool,
}
