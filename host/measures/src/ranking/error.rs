//! Why an extra measure cannot be computed.

/// Why an extra measure cannot be computed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RankingError {
    /// A pair of queries is incomplete.
    #[error(
        "paired accuracy: expected a query `{expected}`, found none; the queries of a pair end in _q1 and _q2"
    )]
    MissingPartner {
        /// The query id that is absent.
        expected: String,
    },
    /// No query belongs to an instruction level.
    #[error(
        "level scores: no query id contains `{mark}`; ids name their instruction level with v1, v2 or v3"
    )]
    EmptyLevel {
        /// The mark that no id contains.
        mark: &'static str,
    },
    /// A measure needs a cut that is none of the run's.
    #[error("option `k_values`: expected {cut} among them, which an extra measure needs")]
    NoCut {
        /// The cut.
        cut: usize,
    },
    /// Per-query results lack a measure.
    #[error("expected a column `{column}` of numbers, found: {found}")]
    NoColumn {
        /// Its name.
        column: String,
        /// The columns that there are.
        found: String,
    },
    /// No topic can be compared.
    #[error("p-MRR: no changed document belongs to a topic that has both an -og and a -changed query")]
    NoTopic,
}
