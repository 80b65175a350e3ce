//! What an evaluator may ask of the model: embeddings, pair scores and its similarity.

use std::ops::Range;
use std::sync::Arc;

use mteb_card::{Role, Similarity};
use mteb_data::Texts;
use mteb_items::rankings::Rankings;
use mteb_measures::ranking::DocumentIds;
use mteb_search::Scored;

use crate::{Embeddings, EvaluateError, FoundInRanges, Matrix};

/// The model's side of one unit: encodes texts, scores pairs, and notes the phases of the work.
pub trait Session {
    /// Embeddings of `rows` of `texts`, one row of one width a text, in order; all values are finite.
    ///
    /// # Errors
    /// [`EvaluateError::Model`] if the model failed, gave a value that is not finite, or has no such rows.
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        role: Option<Role>,
    ) -> Result<Matrix, EvaluateError>;

    /// Embeddings of `rows` of `column`; with its first row its phase begins.
    ///
    /// # Errors
    /// As [`Self::encode_texts`].
    fn encode(&mut self, column: &TextColumn, rows: Range<usize>) -> Result<Matrix, EvaluateError> {
        if rows.start == 0 {
            self.phase(column.phase);
        }
        self.encode_texts(&column.texts, rows, column.role)
    }

    /// Embeddings of `rows` of `texts` in the form that the model has, in order; all values are finite.
    ///
    /// # Errors
    /// As [`Self::encode_texts`].
    fn embed_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        role: Option<Role>,
    ) -> Result<Embeddings, EvaluateError> {
        self.encode_texts(texts, rows, role).map(Embeddings::Dense)
    }

    /// Embeddings of `rows` of `column` in the form that the model has; with its first row its phase begins.
    ///
    /// # Errors
    /// As [`Self::encode_texts`].
    fn embed(&mut self, column: &TextColumn, rows: Range<usize>) -> Result<Embeddings, EvaluateError> {
        if rows.start == 0 {
            self.phase(column.phase);
        }
        self.embed_texts(&column.texts, rows, column.role)
    }

    /// Relevance of each pair `(queries[i], documents[i])`, or `None` if the model is no cross-encoder.
    ///
    /// # Errors
    /// [`EvaluateError::Model`] if the model failed or gave a value that is not finite.
    fn predict(&mut self, queries: &Texts, documents: &Texts) -> Result<Option<Vec<f32>>, EvaluateError>;

    /// True if the model scores pairs and cannot encode.
    fn is_cross_encoder(&self) -> bool {
        false
    }

    /// True if the embedding of a text depends on the texts that are encoded with it, so that it matters which are.
    fn calibrates(&self) -> bool {
        false
    }

    /// True if embeddings are zeros and ones that are compared by the number of places that differ.
    fn compares_bits(&self) -> bool {
        false
    }

    /// How many times as many documents as are wanted a search finds by bits, to reorder them by the dot product of the
    /// query's numbers and the document's bits; `None` if bits alone decide. Where it is said, texts of the role
    /// [`Role::Query`] come as numbers, all others as bits.
    fn rescore_multiplier(&self) -> Option<usize> {
        None
    }

    /// The model, if it ranks documents and cannot encode.
    fn ranker(&self) -> Option<&dyn Ranker> {
        None
    }

    /// Rankings that are to be scored as they are, where no model is asked.
    fn rankings(&self) -> Option<Arc<Rankings>> {
        None
    }

    /// What was found in all ranges of the corpus, or of the pairs of queries and candidates, which is scored where no model is asked.
    fn found(&self) -> Option<Arc<FoundInRanges>> {
        None
    }

    /// How the model compares two embeddings.
    fn similarity(&self) -> Similarity;

    /// A new phase called `name` begins and the one before it ends (protocol 9.2, `evaluation_phases`).
    fn phase(&mut self, name: &str);

    /// Something the reader of the result should know, for example that every score ties.
    fn warn(&mut self, message: &str);
}

/// Texts to encode together, in dataset order.
#[derive(Clone, Debug)]
pub struct TextColumn {
    /// The texts, exactly as they are to be encoded, without any prompt.
    pub texts: Texts,
    /// What the texts are for, which decides the prompt (protocol 3.3); `None` in every task type but the ones that search.
    pub role: Option<Role>,
    /// Name of the phase in which they are encoded, for example `Encoding queries`.
    pub phase: &'static str,
}

/// A model that reads a whole corpus and ranks it for each query.
pub trait Ranker: Sync {
    /// An index without documents, for the language of the unit.
    fn builder(&self) -> Box<dyn IndexBuilder>;
}

/// An index that is being made.
pub trait IndexBuilder {
    /// Takes in the next document: title, line break and text, as they are.
    fn add(&mut self, document: &str);

    /// The index over all documents.
    fn finish(self: Box<Self>) -> Box<dyn DocumentIndex>;
}

/// Documents that can be ranked.
pub trait DocumentIndex: Sync {
    /// The `depth` best documents for `query`, largest (score, id) first; documents are numbered as they came, and `ids` has
    /// the id of each.
    fn best(&self, query: &str, depth: usize, ids: &dyn DocumentIds) -> Vec<Scored>;
}
