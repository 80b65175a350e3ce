//! Why a search has no answer.

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// Embeddings of unequal length.
    #[error("expected document embeddings of {queries} numbers, as the queries have, found {documents}")]
    Dimension {
        /// Numbers in a query's embedding.
        queries: usize,
        /// Numbers in a document's embedding.
        documents: usize,
    },
    /// The rows do not fill a matrix.
    #[error("the embeddings do not form a matrix: {0}")]
    Shape(#[from] ndarray::ShapeError),
    /// A similarity overflowed.
    #[error(
        "the similarity of query {query} with a document is not a number: the embeddings are too large for f32"
    )]
    NotANumber {
        /// The query's row, starting at 0.
        query: usize,
    },
}
