//! Smaller embeddings of one model: fewer numbers, fewer bits. Each choice is an identity of its own; all are made from the same
//! whole embeddings, which alone are kept.

use std::num::NonZeroUsize;

use mteb_json::Json;
use mteb_plugin_api::{ModelInfo, Similarity};
use mteb_results::EXPERIMENT_OPTIONS;
use mteb_search::compression::{Integers, binary, cut, integers, normalize};
use mteb_tasks::{Matrix, Role};
use serde_json::{Map, Value};

/// What is made of the embeddings of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compression {
    /// How many numbers are kept; all if it is not said.
    pub dimensions: Option<usize>,
    /// Whether rows are brought to length 1 after the cut.
    pub renormalize: bool,
    /// The form of a number.
    pub quantize: Option<Quantize>,
    /// How many times as many documents as are wanted a search finds by bits, to reorder them by the numbers of the query;
    /// bits alone decide if it is not said.
    pub rescore_multiplier: Option<NonZeroUsize>,
}

/// The form of a number of an embedding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantize {
    /// -128 to 127, by the range of the texts that are encoded together, as the reference's `CompressionWrapper`.
    Int8,
    /// 0 to 255, likewise.
    Uint8,
    /// 0 or 1, compared as the model's embeddings are, as the reference's `CompressionWrapper`.
    Binary,
    /// A bit, compared by Hamming distance, as `ubinary` of sentence-transformers.
    Ubinary,
}

impl Quantize {
    /// The name of the form.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Binary => "binary",
            Self::Ubinary => "ubinary",
        }
    }
}

/// Why embeddings cannot be made smaller.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompressionError {
    /// The model encodes no texts.
    #[error(
        "model {0}: expected a model that encodes texts for `--dimensions`, `--renormalize` and `--quantize`, found \
         one that does not"
    )]
    NoEncoder(String),
    /// The model has more than one vector for a text, or sparse ones.
    #[error(
        "model {model}: expected a model with one vector per text for `--dimensions`, `--renormalize` \
         and `--quantize`, found one with {rows} embeddings"
    )]
    NotDense {
        /// Its name.
        model: String,
        /// What it has.
        rows: String,
    },
    /// Nothing is found by bits.
    #[error(
        "`--rescore-multiplier` rescores what was found by bits: expected `--quantize ubinary`, found: {0}"
    )]
    NotByBits(&'static str),
    /// The embeddings are not so large.
    #[error(
        "model {model}: expected at most {most} in `--dimensions`, the size of its embeddings, found: {found}"
    )]
    Dimensions {
        /// The model.
        model: String,
        /// Their size.
        most: u32,
        /// What was asked for.
        found: usize,
    },
    /// The numbers have no range.
    #[error("{0}")]
    Range(String),
}

impl Compression {
    /// Checks that the embeddings of a model can be made as small.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, info: &ModelInfo) -> Result<(), CompressionError> {
        if *self == Self::default() {
            return Ok(());
        }
        let model = info.identity.name.clone();
        if info.dimension == 0 {
            return Err(CompressionError::NoEncoder(model));
        }
        if !info.rows.is_dense() {
            return Err(CompressionError::NotDense { model, rows: info.rows.name().to_owned() });
        }
        if self.rescore_multiplier.is_some() && self.quantize != Some(Quantize::Ubinary) {
            let found = self.quantize.map_or("none", Quantize::name);
            return Err(CompressionError::NotByBits(found));
        }
        match self.dimensions.filter(|&kept| kept > info.dimension as usize) {
            Some(found) => Err(CompressionError::Dimensions { model, most: info.dimension, found }),
            None => Ok(()),
        }
    }

    /// The model as it is with smaller embeddings.
    #[must_use]
    pub fn of(&self, mut info: ModelInfo) -> ModelInfo {
        let chosen = self.chosen(&info);
        if let Some(kept) = self.dimensions {
            info.dimension = info.dimension.min(kept as u32);
        }
        if let Some(form) = self.quantize {
            info.meta.insert("output_dtypes".to_owned(), vec![form.name()].into());
        }
        if self.quantize == Some(Quantize::Ubinary) {
            // Of zeros and ones it is the number of places that differ.
            info.similarity = Some(Similarity::Manhattan);
        }
        if !chosen.is_empty() {
            let options =
                info.meta.entry(EXPERIMENT_OPTIONS.to_owned()).or_insert_with(|| Value::Object(Map::new()));
            match options.as_object_mut() {
                Some(options) => options.extend(chosen),
                None => *options = Value::Object(chosen),
            }
        }
        info
    }

    /// What of it differs from the model by itself, as the reference names it.
    fn chosen(&self, info: &ModelInfo) -> Map<String, Value> {
        let mut chosen = Map::new();
        if let Some(kept) = self.dimensions.filter(|&kept| kept < info.dimension as usize) {
            chosen.insert("embed_dim".to_owned(), kept.into());
            if self.renormalize {
                chosen.insert("renormalize".to_owned(), true.into());
            }
        }
        if let Some(form) = self.quantize {
            chosen.insert("output_dtypes".to_owned(), form.name().into());
        }
        if let Some(multiplier) = self.rescore_multiplier {
            chosen.insert("rescore_multiplier".to_owned(), multiplier.get().into());
        }
        chosen
    }

    /// What of it is a part of the identity of a model; `None` if nothing is.
    pub fn facts(&self, whole: &ModelInfo) -> Option<Json> {
        let chosen = self.chosen(whole);
        (!chosen.is_empty()).then(|| Json::from(Value::Object(chosen)))
    }

    /// Bytes of an embedding of `info`, which is the model with smaller embeddings; 0 where every text has its own number.
    pub fn bytes(&self, info: &ModelInfo) -> u32 {
        match self.quantize {
            _ if !info.rows.is_dense() => 0,
            None => 4 * info.dimension,
            Some(Quantize::Int8 | Quantize::Uint8) => info.dimension,
            Some(Quantize::Binary | Quantize::Ubinary) => info.dimension.div_ceil(8),
        }
    }

    /// True if the embedding of a text depends on the texts that are encoded with it.
    pub fn calibrates(&self) -> bool {
        matches!(self.quantize, Some(Quantize::Int8 | Quantize::Uint8))
    }

    /// What is made of texts with a role: queries keep their numbers where these reorder what bits found.
    #[must_use]
    pub fn of_role(mut self, role: Option<Role>) -> Self {
        if self.rescore_multiplier.is_some() && role == Some(Role::Query) {
            self.quantize = None;
        }
        self
    }

    /// Makes the embeddings of texts that are encoded together smaller.
    ///
    /// # Errors
    /// If they cannot be: 8-bit numbers of texts whose embeddings do not differ.
    pub fn apply(&self, rows: Matrix) -> Result<Matrix, CompressionError> {
        let Matrix { mut values, mut dimension } = rows;
        if let Some(kept) = self.dimensions.filter(|&kept| kept < dimension) {
            values = cut(values, dimension, kept);
            dimension = kept;
            if self.renormalize {
                normalize(&mut values, dimension);
            }
        }
        let range = |values: &mut Vec<f32>, kind| {
            integers(values, dimension, kind).map_err(|error| CompressionError::Range(error.to_string()))
        };
        match self.quantize {
            None => {}
            Some(Quantize::Int8) => range(&mut values, Integers::Int8)?,
            Some(Quantize::Uint8) => range(&mut values, Integers::Uint8)?,
            Some(Quantize::Binary | Quantize::Ubinary) => binary(&mut values),
        }
        Ok(Matrix { values, dimension })
    }
}

#[cfg(test)]
mod tests {
    use mteb_plugin_api::Identity;
    use mteb_results::experiment_name;

    use super::*;

    fn info() -> ModelInfo {
        let identity = Identity { name: "m".to_owned(), ..Identity::default() };
        ModelInfo { identity, dimension: 4, ..ModelInfo::default() }
    }

    #[test]
    fn every_choice_is_an_identity_of_its_own_and_none_is_the_model() {
        let name = |compression: Compression| experiment_name(&compression.of(info()));
        let cut = Compression { dimensions: Some(2), ..Compression::default() };
        assert_eq!(name(Compression::default()), None);
        assert_eq!(
            name(Compression { dimensions: Some(4), renormalize: true, ..Compression::default() }),
            None
        );
        assert_eq!(name(cut).as_deref(), Some("embed_dim_2"));
        assert_eq!(
            name(Compression { renormalize: true, ..cut }).as_deref(),
            Some("embed_dim_2__renormalize_True")
        );
        // That of the reference's `CompressionWrapper`.
        let int8 = Compression { quantize: Some(Quantize::Int8), ..Compression::default() };
        assert_eq!(name(int8).as_deref(), Some("output_dtypes_int8"));
        assert_eq!((int8.bytes(&int8.of(info())), cut.bytes(&cut.of(info()))), (4, 8));
    }

    #[test]
    fn rescoring_is_an_identity_of_its_own_and_leaves_queries_their_numbers() {
        let rescored = Compression {
            dimensions: Some(2),
            quantize: Some(Quantize::Ubinary),
            rescore_multiplier: NonZeroUsize::new(4),
            ..Compression::default()
        };
        assert_eq!(
            experiment_name(&rescored.of(info())).as_deref(),
            Some("embed_dim_2__output_dtypes_ubinary__rescore_multiplier_4")
        );
        let of =
            |role| rescored.of_role(role).apply(Matrix::new(vec![0.5, -0.5, 0.5, 0.5], 4)).unwrap().values;
        assert_eq!(of(Some(Role::Query)), [0.5, -0.5]);
        assert_eq!(of(Some(Role::Document)), [1.0, 0.0]);
        assert_eq!(of(None), [1.0, 0.0]);
        let int8 = Compression { quantize: Some(Quantize::Int8), ..rescored };
        assert_eq!(
            int8.check(&info()).unwrap_err().to_string(),
            "`--rescore-multiplier` rescores what was found by bits: expected `--quantize ubinary`, found: int8"
        );
    }

    #[test]
    fn rows_are_cut_then_normalized_then_quantized() {
        let rows = || Matrix::new(vec![3.0, 4.0, 9.0, -9.0, -3.0, 4.0, 9.0, 9.0], 4);
        let made = |dimensions, renormalize, quantize| {
            Compression { dimensions, renormalize, quantize, rescore_multiplier: None }
                .apply(rows())
                .unwrap()
                .values
        };
        assert_eq!(made(Some(2), false, None), [3.0, 4.0, -3.0, 4.0]);
        assert_eq!(made(Some(2), true, None), [0.6, 0.8, -0.6, 0.8]);
        assert_eq!(made(Some(2), true, Some(Quantize::Ubinary)), [1.0, 1.0, 0.0, 1.0]);
        assert_eq!(made(Some(1), false, Some(Quantize::Int8)), [127.0, -128.0]);
    }

    #[test]
    fn more_dimensions_than_there_are_are_refused() {
        let compression = Compression { dimensions: Some(8), ..Compression::default() };
        assert_eq!(
            compression.check(&info()).unwrap_err().to_string(),
            "model m: expected at most 4 in `--dimensions`, the size of its embeddings, found: 8"
        );
    }
}
