//! Where a model's card contradicts the model itself, which takes precedence, and prompts that change
//! nothing.

use std::path::Path;

use mteb_plugin_api::ModelInfo;
use mteb_plugin_api::v1::{ModelConfig, Role};
use mteb_registry::{Fault, FoundCard, ModelCards};
use mteb_workers::plugins::{Catalog, FoundPlugin, ModelClient};

use super::error::Listener;

/// A fault for each fact of `found` that a running model contradicts.
pub fn contradictions(found: &FoundCard, info: &ModelInfo, config: &ModelConfig) -> Vec<Fault> {
    let card = &found.card;
    let mut faults = Vec::new();
    let mut compare = |key: &str, said: Option<String>, itself: String| {
        if let Some(said) = said.filter(|said| *said != itself) {
            let message = format!(
                "expected the {key} that the model itself reports, {itself}, which counts; found: {said}"
            );
            faults.push(found.fault(key, message));
        }
    };
    // Files of the hub are fetched at the revision of the card, or at that which the user asks for.
    if config.folder.is_none() {
        compare("revision", card.revision.clone(), info.identity.revision.clone());
    }
    if !info.cross_encoder {
        compare(
            "dimension",
            card.dimension.map(|dimension| dimension.to_string()),
            info.dimension.to_string(),
        );
    }
    faults
}

/// Says what is odd about the card of a model that has started, and of the plugin that brings it.
pub fn warn_of_model(
    (name, plugin, catalog): (&str, &FoundPlugin, &Catalog),
    (found, cards): (Option<&FoundCard>, &ModelCards),
    (info, config): (&ModelInfo, &ModelConfig),
    listener: &dyn Listener,
) {
    let others = catalog
        .plugins
        .iter()
        .filter(|other| other.path != plugin.path && other.manifest.models.iter().any(|model| model == name));
    for other in others.filter(|_| plugin.manifest.models.iter().any(|model| model == name)) {
        let (own, others) = (&plugin.manifest.name, &other.manifest.name);
        let (path, place) = (plugin.path.display(), other.path.display());
        listener.warn(&format!(
            "model {name}: that of the plugin {own} runs ({path}), which takes precedence over {others} ({place})"
        ));
    }
    for fault in found.map(|found| contradictions(found, info, config)).unwrap_or_default() {
        listener.warn(&fault.to_string());
    }
    if info.identity.name == name {
        short_names(name, plugin, cards).iter().for_each(|fault| listener.warn(&fault.to_string()));
    }
    let by_result = Some(&info.identity.name).filter(|of_results| found.is_none() && *of_results != name);
    if let (Some(of_results), true) = (by_result, config.folder.is_none())
        && let Some(unused) = cards.own_card(of_results)
    {
        let message = format!(
            "expected the name by which `--model` finds the model, {name}; otherwise the card is not used; \
             found the name in its results: {of_results}"
        );
        listener.warn(&unused.fault("name", message).to_string());
    }
}

/// A fault for each card that is called by a short name of the plugin, where a model runs by its full name: a card counts for
/// the name that it has alone.
fn short_names(name: &str, plugin: &FoundPlugin, cards: &ModelCards) -> Vec<Fault> {
    if !plugin.manifest.models.iter().any(|model| model == name) || cards.own_card(name).is_some() {
        return Vec::new();
    }
    let is_short = |other: &&String| *other != name && !other.contains(['/', '*']);
    let unused = |other: &String| {
        let message = format!(
            "expected the name by which `--model` finds the model, {name}; otherwise the card is not used; \
             found another name of its plugin: {other}"
        );
        cards.own_card(other).map(|found| found.fault("name", message))
    };
    plugin.manifest.models.iter().filter(is_short).filter_map(unused).collect()
}

/// What is encoded with and without a prompt.
const TEXT: &str = "The same text.";

/// Says so where a text has the same embedding with and without a prompt of the file at `path`. A model that cannot encode it
/// says so when it is asked for texts of a task.
pub fn warn_of_ignored_prompts(path: &Path, client: &mut ModelClient, listener: &dyn Listener) {
    let info = client.info();
    let prompts = &info.prompts;
    let prompt =
        prompts.named.values().chain(&prompts.instruction_template).find(|prompt| !prompt.is_empty());
    let Some(prompt) = prompt.filter(|_| info.rows.is_dense() && !info.cross_encoder).cloned() else {
        return;
    };
    let name = info.identity.name.clone();
    let mut embedding = |prompt: &str| client.encode(&[TEXT], Role::Query, prompt).ok();
    let Some(without) = embedding("") else { return };
    if embedding(&prompt) == Some(without) {
        listener.warn(&format!(
            "{}: expected a model that uses prompts, found {name}, whose embeddings are the same without them; \
             its results are kept apart all the same: leave out `--prompts`",
            path.display()
        ));
    }
}
