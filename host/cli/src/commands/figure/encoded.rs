//! The model of a figure that encodes texts, and what it makes of them.

use mteb_models::model::ModelChoice;
use mteb_plugin_api::v1::Role;
use mteb_workers::plugins::{Catalog, ModelClient, WorkerError};
use mteb_workers::settings::Settings;

use super::arguments::{FigureArgs, TextArgs};
use crate::commands::encoder::start_encoder;
use crate::exit::Exit;
use crate::output;

/// Texts that the model encodes at a time.
const BATCH: usize = 32;

impl FigureArgs {
    /// Starts the one model that `--model` names.
    pub(super) fn start_encoder(
        &self,
        catalog: &Catalog,
        settings: &Settings,
    ) -> Result<Box<ModelClient>, Exit> {
        let [model] = &self.model[..] else {
            output::error("expected one model to encode the texts; name it with `--model NAME`");
            return Err(Exit::Usage);
        };
        let TextArgs { device, dtype, .. } = &self.texts;
        let choice = ModelChoice { device: device.clone(), dtype: dtype.dtype(), ..ModelChoice::new(model) };
        start_encoder(&choice, catalog, settings)
    }
}

/// The embeddings of `texts`, row after row.
pub fn encode(client: &mut ModelClient, texts: &[String], prompt: &str) -> Result<Vec<f64>, WorkerError> {
    let mut rows = Vec::with_capacity(texts.len() * client.info().dimension as usize);
    for batch in texts.chunks(BATCH) {
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        rows.extend(client.encode(&batch, Role::None, prompt)?.iter().map(|number| f64::from(*number)));
    }
    Ok(rows)
}
