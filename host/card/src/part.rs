//! The parts of a task's data.

/// A part of a task's data (protocol 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The rows of the evaluation split.
    Rows,
    /// The rows of the training split.
    Train,
    /// Documents: `id`, `text`, optional `title`.
    Corpus,
    /// Queries: `id`, `text`.
    Queries,
    /// Judgements: `query-id`, `corpus-id`, `score`.
    Qrels,
    /// Candidates: `query-id`, `corpus-ids`.
    TopRanked,
    /// Documents that a query must not find: `query-id`, `corpus-ids`.
    Excluded,
    /// Instructions: `query-id`, `instruction`.
    Instruction,
    /// Documents whose relevance changed: `query-id`, `corpus-ids`.
    QrelDiff,
}

impl Part {
    /// All parts.
    pub const ALL: [Self; 9] = [
        Self::Corpus,
        Self::Queries,
        Self::Qrels,
        Self::TopRanked,
        Self::Excluded,
        Self::Instruction,
        Self::QrelDiff,
        Self::Rows,
        Self::Train,
    ];

    /// The part's name in files and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Train => "train",
            Self::Corpus => "corpus",
            Self::Queries => "queries",
            Self::Qrels => "qrels",
            Self::TopRanked => "top_ranked",
            Self::Excluded => "excluded",
            Self::Instruction => "instruction",
            Self::QrelDiff => "qrel_diff",
        }
    }

    /// Names that the config of the part may have in a dataset, best first; none of parts that are splits of one config.
    pub fn configs(self) -> &'static [&'static str] {
        match self {
            Self::Corpus => &["corpus"],
            Self::Queries => &["queries"],
            Self::Qrels => &["default", "qrels"],
            Self::TopRanked => &["top_ranked"],
            Self::Excluded => &["excluded"],
            Self::Instruction => &["instruction"],
            Self::QrelDiff => &["qrel_diff"],
            Self::Rows | Self::Train => &[],
        }
    }

    /// True if the part holds for one split; the splits of a task may share the others.
    pub fn is_of_a_split(self) -> bool {
        match self {
            Self::Qrels | Self::TopRanked | Self::Excluded | Self::QrelDiff => true,
            Self::Rows | Self::Train | Self::Corpus | Self::Queries | Self::Instruction => false,
        }
    }
}
