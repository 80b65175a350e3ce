//! The facts of a model, as its card states them.

use std::collections::{BTreeMap, BTreeSet};

use crate::reading::Meta;

/// Facts of models by their name.
#[derive(Clone, Debug, Default)]
pub struct KnownModels {
    /// Models that a card describes.
    pub models: BTreeMap<String, ModelFacts>,
}

/// What is known of one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFacts {
    /// True if a card of the reference's registry describes it; `--like-reference` shows no other.
    pub is_registered: bool,
    /// The revision that the card pins.
    pub revision: Option<String>,
    /// Parameters, those of the table of tokens included.
    pub parameters: Option<u64>,
    /// Parameters that take part in each step: without the table of tokens.
    pub active_parameters: Option<u64>,
    /// Numbers an embedding, the largest where there are several.
    pub dimension: Option<u32>,
    /// Tokens after which a text is cut; `None` where there is no limit or none is known.
    pub max_tokens: Option<u32>,
    /// Megabytes of the weights.
    pub memory_mb: Option<u64>,
    /// Day of its release, as `2025-01-31`.
    pub release_date: Option<String>,
    /// Licence of the weights.
    pub license: Option<String>,
    /// True if the weights can be had.
    pub open_weights: Option<bool>,
    /// True if the model is told what to do.
    pub use_instructions: Option<bool>,
    /// Where it is described.
    pub reference: Option<String>,
    /// What it runs with, for example `PyTorch`.
    pub framework: Vec<String>,
    /// Languages, as `ind-Latn`.
    pub languages: Vec<String>,
    /// Architecture or kind, for colours in figures.
    pub architecture: Option<String>,
    /// Tasks whose data it was trained on, as its card states them; `None` where nobody says.
    pub training_datasets: Option<BTreeSet<String>>,
    /// The model that it was trained from.
    pub adapted_from: Option<String>,
    /// The model that took its place.
    pub superseded_by: Option<String>,
}

impl KnownModels {
    /// The facts of a model: of its card, and what its card leaves open of its `model_meta.json`.
    pub fn of(&self, model: &str, meta: Option<&Meta>) -> ModelFacts {
        let mut facts = self.models.get(model).cloned().unwrap_or_default();
        let Some(meta) = meta else { return facts };
        facts.parameters = facts.parameters.or(meta.parameters);
        facts.dimension = facts.dimension.or(meta.dimension);
        facts.max_tokens = facts.max_tokens.or(meta.max_tokens);
        facts.release_date = facts.release_date.or_else(|| meta.release_date.clone());
        facts.license = facts.license.or_else(|| meta.license.clone());
        facts.open_weights = facts.open_weights.or(meta.open_weights);
        facts.use_instructions = facts.use_instructions.or(meta.use_instructions);
        facts.reference = facts.reference.or_else(|| meta.reference.clone());
        facts
    }

    /// The main revision of a model.
    pub fn revision(&self, model: &str) -> Option<&str> {
        self.models.get(model)?.revision.as_deref()
    }
}
