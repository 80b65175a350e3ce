//! A model that is started to encode texts outside a run, for `efficiency` and `figure`.

use mteb_models::model::{LoadedModel, ModelChoice};
use mteb_workers::plugins::{Catalog, ModelClient};
use mteb_workers::settings::Settings;

use super::arguments::exit;
use crate::exit::Exit;
use crate::output;
use crate::view::Progress;

/// Starts the model of a choice.
///
/// # Errors
/// The exit code, after it was said why it does not start, or that it encodes no texts.
pub fn start_encoder(
    choice: &ModelChoice,
    catalog: &Catalog,
    settings: &Settings,
) -> Result<Box<ModelClient>, Exit> {
    let device = [choice.device.clone()];
    let started = start_encoders(choice, &device, catalog, settings)?.into_iter().next();
    started.map(Box::new).ok_or(Exit::Failed)
}

/// Starts the model of a choice on each of `devices`.
///
/// # Errors
/// As [`start_encoder`].
pub fn start_encoders(
    choice: &ModelChoice,
    devices: &[String],
    catalog: &Catalog,
    settings: &Settings,
) -> Result<Vec<ModelClient>, Exit> {
    let progress = Progress::new(true, false);
    let started = choice.start_on(devices, (catalog, settings), &[], &progress);
    let (model, others) = started.map_err(|error| {
        output::error(&error);
        exit(&error)
    })?;
    let refused = |found: &str| {
        let name = &choice.name;
        output::usage(format!("model {name}: expected a model that encodes texts, found {found}"))
    };
    match model {
        LoadedModel::Worker(client) if client.info().cross_encoder => Err(refused("a cross-encoder")),
        LoadedModel::Worker(client) if !client.info().rows.is_dense() => {
            Err(refused(&format!("one with {} embeddings", client.info().rows.name())))
        }
        LoadedModel::Worker(client) => Ok(std::iter::once(*client).chain(others).collect()),
        LoadedModel::Bm25(_) => Err(refused("one that ranks documents")),
    }
}
