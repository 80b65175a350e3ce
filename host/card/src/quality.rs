//! What the data of a task is held to by `mteb-host validate --data`, and how much of it may be
//! solved without reading its texts.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a dataset declares about its own quality. Without this table, data is checked only against
/// the requirements of its task type. Defaults of absent fields are in brackets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Quality {
    /// Minimum number of rows by split, e.g. `test = 400`; for ranking tasks by part,
    /// e.g. `corpus = 500, queries = 120` (1). Qrels count if their query and document exist.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub records: BTreeMap<String, usize>,
    /// Shortest and longest text in characters by column, e.g. `text = [20, 500]`; for ranking
    /// tasks by part, e.g. `corpus = [100, 900]` (no limit).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub characters: BTreeMap<String, [usize; 2]>,
    /// All labels, as texts: each split has each of them, and no others (those that occur).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Share of a label among all labels of a split (equal shares).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub label_shares: BTreeMap<String, f64>,
    /// Relative tolerance for the share of a label: 0.25 allows 0.075 to 0.125 for a share of 0.1
    /// (0.25; for clustering 0.5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_tolerance: Option<f64>,
    /// Largest similarity of two texts of different rows: Jaccard similarity of their character 4-grams (0.5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_similarity: Option<f64>,
    /// Columns (for ranking tasks, parts) whose texts may be duplicates or near duplicates, such as
    /// distractors and near translations (none).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub may_repeat: Vec<String>,
    /// Largest share of the texts of a column that may follow the same template, i.e. are the same
    /// after numbers, names and rare words have been masked (0.02, and never less than 2 texts).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_template_share: Option<f64>,
    /// Smallest type-token ratio, as the mean over all windows of 500 words of a column (0.5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_type_token_ratio: Option<f64>,
    /// Languages other than those of the card that may be detected in texts, e.g. `jav` (for
    /// Indonesian: Javanese and Tagalog, with which short or colloquial Indonesian is easily
    /// confused).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_languages: Option<Vec<String>>,
    /// Smallest share of texts in a language of the card, among texts whose language can be
    /// detected (0.8).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_language_share: Option<f64>,
    /// Ranking: the grade that at least one document must have for each query (1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_grade: Option<i64>,
    /// Ranking: minimum number of different grades among the documents of a query (1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_grades: Option<usize>,
    /// Ranking: minimum number of candidates of a query, for reranking tasks (1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_candidates: Option<usize>,
    /// STS, summarization: lowest and highest score of the scale (those of the protocol).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score_scale: Option<[f64; 2]>,
    /// STS, summarization: number of equal parts of the scale (5).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub score_bins: Option<usize>,
    /// STS, summarization: smallest share of the scores that lies in each part of the scale (0.05).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_bin_share: Option<f64>,
    /// STS, summarization, regression: largest difference of the scores of the same pair, as a share of
    /// the scale (0.25), or of the values of the same text, in standard deviations of all values (1).
    /// Regression has no scale. Of two values that are one standard deviation apart, no model can
    /// explain more than three quarters of the variance; on a scale whose scores are spread evenly, a
    /// quarter is 0.87 standard deviations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_difference: Option<f64>,
    /// Limits on what a model may reach without understanding the texts (not measured).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artefacts: Option<Artefacts>,
}

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
