//! What an evaluator may request from the model: embeddings, scores of pairs and the similarity.

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
    /// Embeddings of `rows` of `texts`, in order: one row per text, all of one width, with finite
    /// values.
    ///
    /// # Errors
    /// [`EvaluateError::Model`] if the model failed, gave a value that is not finite, or has no such rows.
    fn encode_texts(
        &mut self,
        texts: &Texts,
        rows: Range<usize>,
        role: Option<Role>,
    ) -> Result<Matrix, EvaluateError>;

    /// Embeddings of `rows` of `column`. The first row starts the phase of the column.
    ///
    /// # Errors
    /// As [`Self::encode_texts`].
    fn encode(&mut self, column: &TextColumn, rows: Range<usize>) -> Result<Matrix, EvaluateError> {
        if rows.start == 0 {
            self.phase(column.phase);
        }
        self.encode_texts(&column.texts, rows, column.role)
    }

    /// Embeddings of `rows` of `texts` in the model's form, in order, with finite values.
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

    /// Embeddings of `rows` of `column` in the model's form. The first row starts the phase of the
    /// column.
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

    /// True if the embedding of a text depends on the texts that are encoded together with it.
    fn calibrates(&self) -> bool {
        false
    }

    /// True if embeddings are bits that are compared by Hamming distance.
    fn compares_bits(&self) -> bool {
        false
    }

    /// Factor by which a search by bits retrieves more documents than requested, to rescore them by
    /// the dot product of the query's numbers and the document's bits; `None` if the bits alone
    /// decide. With a factor, texts with the role [`Role::Query`] are numbers, all others bits.
    fn rescore_multiplier(&self) -> Option<usize> {
        None
    }

    /// The model, if it ranks documents and cannot encode.
    fn ranker(&self) -> Option<&dyn Ranker> {
        None
    }

    /// Existing rankings to score, which need no model.
    fn rankings(&self) -> Option<Arc<Rankings>> {
        None
    }

    /// The documents found in all ranges of the corpus, or of the pairs of queries and candidates,
    /// to score without a model.
    fn found(&self) -> Option<Arc<FoundInRanges>> {
        None
    }

    /// How the model compares two embeddings.
    fn similarity(&self) -> Similarity;

    /// Starts the phase `name` and ends the previous one (protocol 9.2, `evaluation_phases`).
    fn phase(&mut self, name: &str);

    /// Adds a note for readers of the result, e.g. that all scores are tied.
    fn warn(&mut self, message: &str);
}

/// Texts to encode together, in dataset order.
#[derive(Clone, Debug)]
pub struct TextColumn {
    /// The texts, exactly as they are to be encoded, without any prompt.
    pub texts: Texts,
    /// The role of the texts, which determines the prompt (protocol 3.3); `None` in all task types
    /// that do not search.
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
    /// Adds the next document: title, line break and text, unchanged.
    fn add(&mut self, document: &str);

    /// The index over all documents.
    fn finish(self: Box<Self>) -> Box<dyn DocumentIndex>;
}

/// Documents that can be ranked.
pub trait DocumentIndex: Sync {
    /// The `depth` best documents for `query`, largest (score, id) first. Documents are numbered in
    /// the order in which they were added, and `ids` has the id of each.
    fn best(&self, query: &str, depth: usize, ids: &dyn DocumentIds) -> Vec<Scored>;
}
