//! What follows the first module: pooling, dense layers, normalisation, and the heads of cross-encoders.

mod classifier;
mod dense;
mod layer_norm;
mod lstm;
mod normalize;
mod pooling;
mod row_step;
mod step;
mod word_weights;
mod yes_no;

use tch::{Device, Kind};

use crate::error::TorchError;
use crate::folder::{Config, Module};
use crate::weights::{MappedFile, Weights};
pub use classifier::classifier;
pub use pooling::{Pooling, pool_static};
pub use row_step::row_steps;
pub use step::{State, Step};
pub use yes_no::YesNo;

/// A module with its weights, read once for all replicas.
pub struct LoadedModule {
    module: Module,
    weights: Option<Weights>,
}

impl LoadedModule {
    /// Reads the weights of a module. They stay in float32: scores shall not suffer from a narrow format at the end.
    ///
    /// # Errors
    /// If weights that it needs are absent or damaged.
    pub fn read(module: &Module, device: Device) -> Result<Self, TorchError> {
        let has_weights = matches!(module.kind.as_str(), "Dense" | "LayerNorm" | "LSTM");
        let weights =
            if has_weights { Some(Weights::read(&module.folder, device, Kind::Float)?) } else { None };
        Ok(Self { module: module.clone(), weights })
    }

    /// The files of which its weights are pages.
    pub fn mapped(&self) -> &[MappedFile] {
        self.weights.as_ref().map_or(&[], Weights::mapped)
    }

    /// The step, for rows of `width` numbers; `None` for a module that does nothing here.
    ///
    /// # Errors
    /// If the module does not fit, or a weight is absent or of another shape.
    pub fn step(&self, width: i64, device: Device) -> Result<Option<Box<dyn Step>>, TorchError> {
        let config: &Config = &self.module.config;
        Ok(Some(match (self.module.kind.as_str(), &self.weights) {
            ("Pooling", _) => Box::new(Pooling::read(config, width)?),
            ("Normalize", _) => Box::new(normalize::Normalize { width }),
            ("WordWeights", _) => Box::new(word_weights::WordWeights::read(config, width, device)?),
            ("Dense", Some(weights)) => Box::new(dense::Dense::read(config, weights, width)?),
            ("LayerNorm", Some(weights)) => Box::new(layer_norm::LayerNorm::read(weights, width)?),
            ("LSTM", Some(weights)) => Box::new(lstm::Lstm::read(config, weights, width)?),
            _ => return Ok(None),
        }))
    }
}
