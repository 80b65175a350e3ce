//! What follows the first module: pooling, dense layers, normalisation, and the heads of cross-encoders.

mod classifier;
mod dense;
mod lstm;
mod normalize;
mod pooling;
mod step;

use tch::{Device, Kind};

use crate::error::TorchError;
use crate::folder::{Config, Module, Rule};
use crate::weights::{MappedFile, Weights};

pub use classifier::{YesNo, classifier};
pub use normalize::row_steps;
pub use pooling::{Pooling, pool_static};
pub use step::{State, Step};

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
        let biased = module.config.flag_or("bias", true);
        let weights = has_weights.then(|| Weights::read(&module.folder, device, Kind::Float));
        let weights = weights.transpose()?.map(|weights| match module.kind.as_str() {
            // The projection of a residual has none.
            "Dense" => weights.expecting(Box::new(move |name| biased && name != "residual")),
            "LayerNorm" => weights.expecting(Box::new(|_| true)),
            _ => weights,
        });
        Ok(Self { module: module.clone(), weights })
    }

    /// Refuses weights that the module has not taken.
    ///
    /// # Errors
    /// If there are such weights; the first is named.
    pub fn refuse_left(&self) -> Result<(), TorchError> {
        // LASER's file holds the table of tokens, too.
        let whole = self.module.config.get("prefix").is_none();
        self.weights.as_ref().filter(|_| whole).map_or(Ok(()), Weights::refuse_left)
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
            ("Normalize", _) => Box::new(normalize::Normalize::read(config, width)?),
            ("Dropout", _) => {
                let rate = config.float_or("dropout", 0.2);
                config.obey_strictly(&[("dropout", Rule::Number)])?;
                if !(0.0..=1.0).contains(&rate) {
                    return Err(config.wrong(format!("dropout: expected a number from 0 to 1, found {rate}")));
                }
                return Ok(None);
            }
            ("WordWeights", _) => Box::new(pooling::WordWeights::read(config, width, device)?),
            ("Dense", Some(weights)) => Box::new(dense::Dense::read(config, weights, width)?),
            ("LayerNorm", Some(weights)) => Box::new(normalize::LayerNorm::read(config, weights, width)?),
            ("LSTM", Some(weights)) => Box::new(lstm::Lstm::read(config, weights, width)?),
            _ => return Ok(None),
        }))
    }
}
