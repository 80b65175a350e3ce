//! The facts of a task type, without running it: its columns, the values that its scores may take
//! (protocol 6 and 7), and whether it learns from a training split. Validation, prompts, statistics
//! and the data checks use them and know no type by its name.

use mteb_card::TaskCard;

use crate::facts;

/// The facts of one task type.
pub struct Facts {
    /// What a task of the type does: the description of a new card whose author gives none.
    pub about: &'static str,
    /// The hub's word for datasets of such tasks (`task_categories` of a dataset card).
    pub hub_category: &'static str,
    /// Instruction for models that take one, where neither the user nor the card names another.
    pub instruction: &'static str,
    /// Options of a card's `[protocol]` that the type has.
    pub options: &'static [&'static str],
    /// True if the type reports a score with this name.
    pub gives: &'static (dyn Fn(&str) -> bool + Sync),
    /// The values that a score of the type, or a part of one, may take; `None` for shares, and for
    /// scores that the type does not report.
    pub bounds: &'static (dyn Fn(&str) -> Option<Bounds> + Sync),
    /// Columns with texts in the rows of its splits; parts of a search have columns of their own.
    pub text_columns: &'static [&'static str],
    /// Those of these columns that rows may lack, because no score is computed from them.
    pub optional_columns: &'static [&'static str],
    /// Columns of rows beside those with texts and the one that people have judged.
    pub other_columns: &'static [&'static str],
    /// What people have judged.
    pub gold: Gold,
    /// Relative difference from a declared share of a label that is let through, unless the card
    /// says otherwise.
    pub label_tolerance: f64,
    /// True if it learns from a training split, unless it is cross-validated.
    pub learns: bool,
    /// True if `sentence1` is in the first and `sentence2` in the second language of a pair.
    pub sides_have_languages: bool,
    /// True if each topic is asked twice, by queries whose ids end with `-og` and `-changed`.
    pub has_topics: bool,
    /// True if a label may have several levels, coarse to fine, for which a card has
    /// `split_labels`; a search is made from such rows too.
    pub has_levels: bool,
}

/// What people have judged, and the column of the rows that says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gold {
    /// Nothing, except that the texts of a row belong together.
    Pairs,
    /// The label of a row.
    Labels(&'static str),
    /// The score of a row, on a scale that all rows share.
    Scores(&'static str),
    /// A number of a row, on no scale.
    Values(&'static str),
    /// Which documents are relevant to a query; a part of its own.
    Judgements,
    /// Something that only the evaluator of the type knows.
    Unknown,
}

impl Facts {
    /// The column with labels, of types that have labels.
    pub fn label_column(&self) -> Option<&'static str> {
        match self.gold {
            Gold::Labels(column) => Some(column),
            Gold::Pairs | Gold::Scores(_) | Gold::Values(_) | Gold::Judgements | Gold::Unknown => None,
        }
    }

    /// The column with the scores that people gave, of types that have scores.
    pub fn score_column(&self) -> Option<&'static str> {
        match self.gold {
            Gold::Scores(column) => Some(column),
            Gold::Pairs | Gold::Labels(_) | Gold::Values(_) | Gold::Judgements | Gold::Unknown => None,
        }
    }

    /// The column with scores or other numbers, of types that have some.
    pub fn number_column(&self) -> Option<&'static str> {
        match self.gold {
            Gold::Scores(column) | Gold::Values(column) => Some(column),
            Gold::Pairs | Gold::Labels(_) | Gold::Judgements | Gold::Unknown => None,
        }
    }
}

/// The values that a score may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest.
    pub low: f64,
    /// Highest.
    pub high: f64,
    /// True if there are data for which the measure is not defined (NaN or null).
    pub may_be_undefined: bool,
}

impl Bounds {
    /// Shares, which most measures are.
    pub const SHARE: Self = Self::between(0.0, 1.0);

    /// Numbers from `low` to `high`.
    pub const fn between(low: f64, high: f64) -> Self {
        Self { low, high, may_be_undefined: false }
    }

    /// The same, or none at all.
    #[must_use]
    pub const fn or_undefined(self) -> Self {
        Self { may_be_undefined: true, ..self }
    }

    /// Those of correlations; `None` of what is called otherwise.
    pub fn of_correlation(name: &str) -> Option<Self> {
        let is_one = name.ends_with("pearson") || name.ends_with("spearman");
        is_one.then_some(Self::between(-1.0, 1.0).or_undefined())
    }

    /// Those within which both lie.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            may_be_undefined: self.may_be_undefined || other.may_be_undefined,
        }
    }
}

/// True if the type draws its few-shot examples from a training split.
pub fn needs_training(card: &TaskCard) -> bool {
    facts(card.task_type).learns && card.protocol.cross_validation.is_none()
}

/// The same of one subset: one that holds some of its rows out learns from the others.
pub fn needs_training_split(card: &TaskCard, subset: &str) -> bool {
    needs_training(card) && card.hold_out(subset).is_none()
}
