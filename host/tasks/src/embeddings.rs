//! Embeddings in the form that a model has: rows of one width, sparse rows, or several vectors per text.

use std::sync::Arc;

use mteb_base::counted::count;
use mteb_search::{
    Candidates, DenseScores, MaxSimScores, MultiVectors, PieceScores, SparseRows, SparseScores,
};

use crate::{EvaluateError, Similarity};

/// Bytes of a sparse embedding as models usually have them, and vectors of a text, so that few enough are asked for at a time.
const USUAL_SPARSE: usize = 2048;
const USUAL_VECTORS: usize = 192;

/// Embeddings of texts, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum Embeddings {
    /// A row of numbers a text, all of one width.
    Dense(Matrix),
    /// A row of numbers a text, most of which are zero.
    Sparse(SparseRows),
    /// Several vectors a text, compared by MaxSim.
    MultiVector(MultiVectors),
}

impl Embeddings {
    /// How many texts there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.rows(),
            Self::Sparse(rows) => rows.len(),
            Self::MultiVector(texts) => texts.len(),
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers a row, or a vector.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Dense(rows) => rows.dimension,
            Self::Sparse(rows) => rows.dimension(),
            Self::MultiVector(texts) => texts.dimension(),
        }
    }

    /// What the form is called.
    pub fn form(&self) -> &'static str {
        match self {
            Self::Dense(_) => "dense",
            Self::Sparse(_) => "sparse",
            Self::MultiVector(_) => "multi-vector",
        }
    }

    /// No texts, in the same form.
    #[must_use]
    pub fn none(&self) -> Self {
        match self {
            Self::Dense(rows) => Self::Dense(Matrix { values: Vec::new(), dimension: rows.dimension }),
            Self::Sparse(rows) => Self::Sparse(SparseRows::new(rows.dimension())),
            Self::MultiVector(texts) => Self::MultiVector(MultiVectors::new(texts.dimension())),
        }
    }

    /// About how many bytes the embedding of a text of the same model takes.
    pub fn usual_bytes(&self) -> usize {
        match self {
            Self::Dense(rows) => size_of::<f32>() * rows.dimension,
            Self::Sparse(_) => USUAL_SPARSE,
            Self::MultiVector(texts) => size_of::<f32>() * texts.dimension() * USUAL_VECTORS,
        }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Dense(rows) => size_of_val(rows.values.as_slice()),
            Self::Sparse(rows) => rows.bytes(),
            Self::MultiVector(texts) => texts.bytes(),
        }
    }

    /// The numbers of text `index`; of a sparse row those that are not zero.
    pub fn numbers(&self, index: usize) -> &[f32] {
        match self {
            Self::Dense(rows) => rows.row(index),
            Self::Sparse(rows) => rows.row(index).1,
            Self::MultiVector(texts) => texts.row(index),
        }
    }

    /// Adds the texts of `other`, which has the same form.
    pub fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Dense(rows), Self::Dense(others)) => rows.values.extend_from_slice(&others.values),
            (Self::Sparse(rows), Self::Sparse(others)) => rows.append(others),
            (Self::MultiVector(texts), Self::MultiVector(others)) => texts.append(others),
            _ => debug_assert!(false, "two kinds of embeddings from one model"),
        }
    }

    /// The texts at `indices`, in that order.
    #[must_use]
    pub fn select(&self, indices: &[usize]) -> Self {
        match self {
            Self::Dense(rows) => Self::Dense(rows.select(indices)),
            Self::Sparse(rows) => Self::Sparse(rows.select(indices)),
            Self::MultiVector(texts) => Self::MultiVector(texts.select(indices)),
        }
    }

    /// Rows of one width; sparse ones get their zeros.
    ///
    /// # Errors
    /// If there are several vectors per text.
    pub fn into_dense(self) -> Result<Matrix, EvaluateError> {
        match self {
            Self::Dense(rows) => Ok(rows),
            Self::Sparse(rows) => Ok(Matrix { values: rows.dense(), dimension: rows.dimension() }),
            other => Err(other.unequal("dense")),
        }
    }

    fn unequal(&self, expected: &str) -> EvaluateError {
        let found = self.form();
        EvaluateError::Model(format!(
            "expected {expected} embeddings, as the queries have, found {found} ones"
        ))
    }
}

/// Queries that score one piece of the corpus after the other.
#[derive(Clone, Debug)]
pub enum Queries {
    /// Rows of one width and how they are compared.
    Dense(Similarity, Matrix),
    /// Sparse rows, ready to be compared.
    Sparse(Similarity, Arc<SparseRows>),
    /// Several vectors a text.
    MultiVector(Arc<MultiVectors>),
}

impl Queries {
    /// Queries with these embeddings; `similarity` is that of rows, as several vectors per text have MaxSim alone.
    pub fn new(similarity: Similarity, embeddings: Embeddings) -> Self {
        match embeddings {
            Embeddings::Dense(rows) => Self::Dense(similarity, rows),
            Embeddings::Sparse(rows) => Self::Sparse(similarity, Arc::new(rows.prepared(similarity))),
            Embeddings::MultiVector(texts) => Self::MultiVector(Arc::new(texts)),
        }
    }

    /// The scores with `documents`.
    ///
    /// # Errors
    /// If these have another form or another number of numbers.
    pub fn scores(&self, documents: Embeddings) -> Result<Box<dyn PieceScores>, EvaluateError> {
        let (form, dimension) = match self {
            Self::Dense(_, rows) => ("dense", rows.dimension),
            Self::Sparse(_, rows) => ("sparse", rows.dimension()),
            Self::MultiVector(texts) => ("multi-vector", texts.dimension()),
        };
        if documents.form() == form && documents.dimension() != dimension {
            return Err(EvaluateError::Model(format!(
                "expected document embeddings of {}, as the queries have, found {}",
                count(dimension, "number"),
                documents.dimension()
            )));
        }
        Ok(match (self, documents) {
            (Self::Dense(similarity, rows), Embeddings::Dense(documents)) => {
                let documents = Candidates::new(*similarity, documents.values, dimension);
                Box::new(DenseScores::new(rows.values.clone(), dimension, documents))
            }
            (Self::Sparse(similarity, rows), Embeddings::Sparse(documents)) => {
                Box::new(SparseScores::new(*similarity, Arc::clone(rows), documents))
            }
            (Self::MultiVector(texts), Embeddings::MultiVector(documents)) => {
                Box::new(MaxSimScores::new(Arc::clone(texts), documents))
            }
            (_, documents) => return Err(documents.unequal(form)),
        })
    }
}

/// A row-major matrix of `rows` × `dimension` numbers: row i is the embedding of text i.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// `rows × dimension` numbers, row after row.
    pub values: Vec<f32>,
    /// Numbers a row.
    pub dimension: usize,
}

impl Matrix {
    /// A matrix over `values`; their count must be a multiple of `dimension`.
    pub fn new(values: Vec<f32>, dimension: usize) -> Self {
        debug_assert!(dimension > 0 && values.len().is_multiple_of(dimension));
        Self { values, dimension }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.values.len().checked_div(self.dimension).unwrap_or(0)
    }

    /// The embedding in row `index`.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.dimension..(index + 1) * self.dimension]
    }

    /// A new matrix of the rows at `indices`, in that order.
    pub fn select(&self, indices: &[usize]) -> Self {
        let values = indices.iter().flat_map(|&index| self.row(index)).copied().collect();
        Self { values, dimension: self.dimension }
    }
}
