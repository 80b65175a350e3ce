//! The parts of a task's data: all that is known of each, once for all.

use serde::{Deserialize, Serialize};

vocabulary! {
    /// A part of a task's data (protocol 2).
    Part {
        /// Documents.
        Corpus = "corpus",
        /// What is searched with.
        Queries = "queries",
        /// Judgements.
        Qrels = "qrels",
        /// Candidates of each query.
        TopRanked = "top_ranked",
        /// Documents that a query must not find.
        Excluded = "excluded",
        /// Instructions of each query.
        Instruction = "instruction",
        /// Documents whose relevance changed.
        QrelDiff = "qrel_diff",
        /// The rows of the evaluation split.
        Rows = "rows",
        /// The rows of the training split.
        Train = "train",
    }
}

impl Part {
    /// The columns that may hold the ids of documents and queries, best first.
    pub const ROW_IDS: [&str; 2] = ["_id", "id"];

    /// The part called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|part| part.as_str() == name)
    }

    /// The parts of ranking tasks, in the order in which they are read.
    pub fn of_rankings() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|part| part.is_of_rankings())
    }

    /// True of the parts of ranking tasks, false of those of all others.
    pub fn is_of_rankings(self) -> bool {
        match self {
            Self::Corpus
            | Self::Queries
            | Self::Qrels
            | Self::TopRanked
            | Self::Excluded
            | Self::Instruction
            | Self::QrelDiff => true,
            Self::Rows | Self::Train => false,
        }
    }

    /// True if no unit whose type has the part can be without it.
    pub fn is_needed(self) -> bool {
        match self {
            Self::Corpus | Self::Queries | Self::Qrels | Self::Rows => true,
            Self::TopRanked | Self::Excluded | Self::Instruction | Self::QrelDiff | Self::Train => false,
        }
    }

    /// True if the part holds for one split; the splits of a task may share the others.
    pub fn is_of_a_split(self) -> bool {
        match self {
            Self::Qrels | Self::TopRanked | Self::Excluded | Self::QrelDiff => true,
            Self::Rows | Self::Train | Self::Corpus | Self::Queries | Self::Instruction => false,
        }
    }

    /// Its columns; none of rows, whose columns their task type knows.
    pub fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Corpus => &["_id", "id", "text", "title"],
            Self::Queries => &["_id", "id", "text", "instruction"],
            Self::Qrels => &["query-id", "corpus-id", "score"],
            Self::TopRanked | Self::Excluded | Self::QrelDiff => &["query-id", "corpus-ids"],
            Self::Instruction => &["query-id", "instruction"],
            Self::Rows | Self::Train => &[],
        }
    }

    /// Those of its columns that hold texts; none of rows, whose columns their task type knows.
    pub fn text_columns(self) -> &'static [&'static str] {
        match self {
            Self::Corpus => &["text", "title"],
            Self::Queries => &["text"],
            Self::Instruction => &["instruction"],
            // The first hold ids alone.
            Self::Qrels | Self::TopRanked | Self::Excluded | Self::QrelDiff | Self::Rows | Self::Train => &[],
        }
    }

    /// Names that the config of the part may have in a dataset, best first; none of parts that are
    /// splits of one config.
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

    /// The config that is taken for the part whatever subset is asked for.
    pub fn shared_config(self) -> Option<&'static str> {
        match self {
            Self::Queries => Some("query"),
            Self::Corpus
            | Self::Qrels
            | Self::TopRanked
            | Self::Excluded
            | Self::Instruction
            | Self::QrelDiff
            | Self::Rows
            | Self::Train => None,
        }
    }

    /// What a file or a folder that holds the part alone is called.
    pub fn file_names(self) -> impl Iterator<Item = &'static str> {
        let configs = self.configs().iter().copied().filter(|name| *name != "default");
        configs.chain(self.shared_config())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_rankings_has_columns_and_a_file_of_its_name_and_a_part_of_rows_has_neither() {
        for part in Part::ALL {
            assert_eq!(Part::from_name(part.as_str()), Some(*part));
            assert_eq!(part.is_of_rankings(), !part.columns().is_empty(), "{part}");
            assert_eq!(part.is_of_rankings(), part.file_names().any(|name| name == part.as_str()), "{part}");
            assert!(part.text_columns().iter().all(|name| part.columns().contains(name)), "{part}");
        }
    }
}
