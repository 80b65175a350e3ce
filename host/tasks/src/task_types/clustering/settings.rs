//! How much is embedded, how often and how it is clustered.

use mteb_card::{KMeans, defaults};
use mteb_measures::cluster::{Generation, MiniBatchKMeans};

use crate::{EvaluateError, Protocol};

/// Seed of every fit.
const SEED: u32 = 42;

/// Rows in a mini-batch of the paper.
const PAPER_BATCH: usize = 32;

/// A card's options with the protocol's defaults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub documents: Documents,
    /// Rows drawn per round.
    pub drawn: usize,
    /// Rounds a level.
    pub rounds: usize,
    pub max_depth: usize,
    /// Measures beside those of the reference.
    pub extra: bool,
    batch_size: usize,
    generation: Generation,
}

/// Which rows are embedded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Documents {
    All,
    AtMost(usize),
    Fraction(f64),
    /// The share that is taken where the card says nothing.
    UsualFraction,
}

impl Settings {
    /// # Errors
    /// If an option has a value with which nothing could be scored.
    pub fn new(options: &Protocol, extra: bool) -> Result<Self, EvaluateError> {
        Ok(Self {
            documents: documents(options)?,
            drawn: positive(
                "max_documents_per_cluster",
                options.max_documents_per_cluster.unwrap_or(defaults::MAX_DOCUMENTS_PER_CLUSTER),
            )?,
            rounds: positive("rounds", options.rounds.unwrap_or(defaults::ROUNDS))?,
            max_depth: positive("max_depth", options.max_depth.unwrap_or(usize::MAX))?,
            batch_size: positive(
                "batch_size",
                options.batch_size.unwrap_or(defaults::batch_size(options.legacy)),
            )?,
            generation: generation(options.kmeans.unwrap_or(defaults::KMEANS)),
            extra,
        })
    }

    /// The learner for `clusters` clusters.
    pub fn k_means(&self, clusters: usize) -> MiniBatchKMeans {
        MiniBatchKMeans { clusters, batch_size: self.batch_size, generation: self.generation, seed: SEED }
    }

    /// The same with mini-batches of 32 rows, as the paper of MTEB clusters (Muennighoff et al.
    /// 2023, 3.3).
    pub fn k_means_of_paper(&self, clusters: usize) -> MiniBatchKMeans {
        MiniBatchKMeans { batch_size: PAPER_BATCH, ..self.k_means(clusters) }
    }
}

impl Documents {
    /// How many of `rows` rows are embedded; `None` if all are, in their order.
    pub fn count(self, rows: usize) -> Option<usize> {
        match self {
            Self::All => None,
            Self::AtMost(count) => Some(count.min(rows)),
            Self::Fraction(fraction) => Some(((fraction * rows as f64) as usize).min(rows)),
            Self::UsualFraction => Self::Fraction(defaults::MAX_FRACTION_OF_DOCUMENTS).count(rows),
        }
    }
}

fn documents(options: &Protocol) -> Result<Documents, EvaluateError> {
    match (options.max_fraction_of_documents, options.max_documents) {
        (None, None) => Ok(Documents::UsualFraction),
        (None, Some(0)) => Ok(Documents::All),
        (None, Some(count)) => Ok(Documents::AtMost(count)),
        (Some(fraction), None) if fraction > 0.0 => Ok(Documents::Fraction(fraction)),
        (Some(fraction), None) => {
            Err(option_error("max_fraction_of_documents", "a number above 0", &fraction.to_string()))
        }
        (Some(_), Some(_)) => {
            Err(option_error("max_documents", "none together with `max_fraction_of_documents`", "both"))
        }
    }
}

fn generation(kmeans: KMeans) -> Generation {
    match kmeans {
        KMeans::Sklearn19 => Generation::Since1_9,
        KMeans::Sklearn14 => Generation::Since1_4,
    }
}

fn positive(option: &str, value: usize) -> Result<usize, EvaluateError> {
    if value > 0 { Ok(value) } else { Err(option_error(option, "at least 1", "0")) }
}

fn option_error(option: &str, expected: &str, found: &str) -> EvaluateError {
    EvaluateError::Unscorable(format!("option `{option}`: expected {expected}, found: {found}"))
}
