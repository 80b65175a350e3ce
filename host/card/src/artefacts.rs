//! How much of a task may be solved without reading its texts as they are meant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits of what cues, one text of two, and shared words may reach. All is measured; a field that is left out limits nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Artefacts {
    /// Labels, scores: most that a classifier may reach which sees lengths, digits, punctuation, capitals and first words
    /// alone: its accuracy where a row has one label of several, else its AUC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_surface: Option<f64>,
    /// Pairs with labels or scores: largest AUC of a classifier that sees the words of one text of the pair alone; that of the
    /// text which gives more away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_one_side: Option<f64>,
    /// Ranking: largest MAP of a classifier that sees the words of the documents but not the query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_query_blind: Option<f64>,
    /// Labels: largest share of the texts that contain the label itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_label_words: Option<f64>,
    /// Ranking: least and most that BM25 may reach, as nDCG@10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bm25: Option<[f64; 2]>,
    /// Least and most that the similarity of texts by character TF-IDF may reach: nDCG@10 of rankings, AUC of pairs with
    /// labels, Spearman's correlation with scores, accuracy of the nearest other text for labels and translations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tfidf: Option<[f64; 2]>,
    /// Ranking: largest share of unjudged documents among the ten best by BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_unjudged: Option<f64>,
    /// Ranking: true if documents with a higher grade must be more similar to their query by
    /// character TF-IDF, on average.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub grades_rise: bool,
}
