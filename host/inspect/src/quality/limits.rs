//! What the data of a task is held to: the values of its card, and for those left out the ones of its task type.

use std::collections::BTreeMap;

use mteb_card::{Artefacts, Quality, TaskCard, defaults};
use mteb_tasks::facts;

/// The table `quality` of a card with every value filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Fewest rows by split or part.
    pub records: BTreeMap<String, usize>,
    /// Shortest and longest text by column or part.
    pub characters: BTreeMap<String, [usize; 2]>,
    /// All labels; empty if the card does not say.
    pub labels: Vec<String>,
    /// Shares of labels; empty for equal ones.
    pub label_shares: BTreeMap<String, f64>,
    /// Part of its share by which a label may miss it.
    pub label_tolerance: f64,
    /// Largest similarity of two texts.
    pub max_similarity: f64,
    /// Columns or parts whose texts may be there twice or alike.
    pub may_repeat: Vec<String>,
    /// Largest share of texts with the same skeleton.
    pub max_template_share: f64,
    /// Smallest share of different words in a window.
    pub min_type_token_ratio: f64,
    /// Languages beside those of the card that texts may be taken for.
    pub other_languages: Option<Vec<String>>,
    /// Smallest share of the texts in a language of the card.
    pub min_language_share: f64,
    /// A grade that some document has for each query.
    pub top_grade: i64,
    /// Fewest grades of a query.
    pub min_grades: usize,
    /// Fewest candidates of a query.
    pub min_candidates: usize,
    /// Ends of the scale.
    pub score_scale: [f64; 2],
    /// Parts of the scale.
    pub score_bins: usize,
    /// Smallest share of the scores in each part.
    pub min_bin_share: f64,
    /// Largest difference of the scores of one pair or the values of one text; `None` for the usual one.
    pub max_difference: Option<f64>,
    /// What cues may reach; `None` if it is not measured.
    pub artefacts: Option<Artefacts>,
}

impl Limits {
    /// The limits of a card that declares its quality.
    pub fn of(card: &TaskCard) -> Option<Self> {
        let Quality {
            records,
            characters,
            labels,
            label_shares,
            label_tolerance,
            max_similarity,
            may_repeat,
            max_template_share,
            min_type_token_ratio,
            other_languages,
            min_language_share,
            top_grade,
            min_grades,
            min_candidates,
            score_scale,
            score_bins,
            min_bin_share,
            max_difference,
            artefacts,
        } = card.quality.clone()?;
        Some(Self {
            records,
            characters,
            labels,
            label_shares,
            label_tolerance: label_tolerance.unwrap_or(facts(card.task_type).label_tolerance),
            max_similarity: max_similarity.unwrap_or(0.5),
            may_repeat,
            max_template_share: max_template_share.unwrap_or(0.02),
            min_type_token_ratio: min_type_token_ratio.unwrap_or(0.5),
            other_languages,
            min_language_share: min_language_share.unwrap_or(0.8),
            top_grade: top_grade.unwrap_or(1),
            min_grades: min_grades.unwrap_or(1),
            min_candidates: min_candidates.unwrap_or(1),
            score_scale: score_scale.unwrap_or_else(|| scale(card)),
            score_bins: score_bins.unwrap_or(5).max(1),
            min_bin_share: min_bin_share.unwrap_or(0.05),
            max_difference,
            artefacts,
        })
    }
}

/// Lowest and highest score that the protocol of a card allows.
pub fn scale(card: &TaskCard) -> [f64; 2] {
    let protocol = &card.protocol;
    [protocol.min_score.unwrap_or(defaults::MIN_SCORE), protocol.max_score.unwrap_or(defaults::MAX_SCORE)]
}
