//! Settings of the reference's loader that override a model's files, from the model's card: passed
//! to the plugin, or a reason not to run.

use mteb_plugin_api::Loading;
use mteb_plugin_api::v1::LOADING;
use mteb_registry::FoundCard;
use mteb_workers::plugins::FoundPlugin;
use serde_json::{Map, Value, json};

use super::{ModelError, python};

/// The option by which `plugin` hears of the settings that count for the model called `name`; none where there are none. A model
/// that a plugin brings by its very name, the user's own code, and the reference's loader know by themselves.
///
/// # Errors
/// If the reference does what cannot be done here, or the plugin cannot obey.
pub fn option(
    name: &str,
    plugin: &FoundPlugin,
    found: Option<&FoundCard>,
) -> Result<Map<String, Value>, ModelError> {
    let kind = python::kind_of(name).map(|(kind, _)| kind);
    let loading = found.and_then(|found| found.card.loading.as_ref());
    let loading = loading.filter(|_| !plugin.manifest.models.iter().any(|model| model == name));
    let Some(loading) = loading.filter(|_| matches!(kind, None | Some("st"))) else {
        return Ok(Map::new());
    };
    if let Some(beyond) = &loading.beyond {
        return Err(ModelError::Loading(format!(
            "model {name}: {beyond}, which its files do not say; run mteb's own code with `--model mteb:{}`",
            python::hub_name(name)
        )));
    }
    // Only a library that fills up texts sees how they are filled up; that there is something to do it with, every one needs.
    let loading: Loading = match kind {
        Some(_) => loading.clone(),
        None => Loading { pad_token: loading.pad_token.clone(), ..loading.without_batches() },
    };
    if loading.is_empty() {
        return Ok(Map::new());
    }
    if !plugin.manifest.features.iter().any(|feature| feature == LOADING) {
        return Err(ModelError::Loading(format!(
            "model {name}: expected `{LOADING}` among the features of the plugin {}, because the model's card \
             has settings that the files lack, found none; rebuild the plugin",
            plugin.manifest.name
        )));
    }
    Ok(Map::from_iter([(LOADING.to_owned(), json!(loading))]))
}
